"""What commands print: tables and lines for people on stdout, progress on stderr, JSON for machines.

Belongs here: presentation shared by commands. Colour only on a terminal; names are shown literally, never as markup.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from pipelines.fitting_table import FittingTable
from warehouse.gate_words import verdicts_said
from warehouse.plain_text import json_safe, one_line, visible

if TYPE_CHECKING:
    import polars as pl

    from pipelines.running import DayReport, SourceReport

QUIET_VERDICTS = frozenset({"pass", "not_applicable"})
WORST_FIRST = ("error", "fail", "inconclusive", "waived", "not_applicable", "pass")
VERDICT_STYLES = {"pass": "green", "waived": "yellow", "not_applicable": "dim", "fail": "bold red", "error": "bold red"}
STATUS_STYLES = {"fresh": "green", "unchanged": "green", "asserted": "green", "stale": "yellow", "skipped": "yellow"}


class LiteralConsole(Console):
    """A console that writes control characters out, wherever they come from: a name cannot move the cursor."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """The segments of what is printed, each made visible; the console's own colours and controls stay."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))


def stdout() -> Console:
    """The console for results. Wide where it is no terminal, so that nothing is cut in a file or a pipe."""
    return LiteralConsole(highlight=False, width=None if sys.stdout.isatty() else 160)


@lru_cache(maxsize=1)
def _stderr() -> Console:
    return LiteralConsole(stderr=True, highlight=False)


def progress_line(message: str) -> None:
    """One line of progress on stderr."""
    _stderr().print(Text(f"  {message}", style="dim"), soft_wrap=True)


def print_json(value: Any) -> None:
    """One JSON object on stdout; NaN cannot appear."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2, default=str)
    sys.stdout.write(json_safe(text) + "\n")


def table(title: str, columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[str | Text]]) -> Table:
    """A table: columns as (heading, left or right), cells literal."""
    built = FittingTable(
        title=Text(title, no_wrap=True, overflow="ignore"),
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
    )
    for heading, side in columns:
        built.add_column(heading, justify="right" if side == "right" else "left", overflow="fold")
    for row in rows:
        built.add_row(*(cell if isinstance(cell, Text) else Text(one_line(cell)) for cell in row))
    return built


def prose(out: Console, text: str, style: str = "") -> None:
    """A sentence or several, broken between words where the console ends; what goes on below is indented."""
    said = one_line(text)
    first, *rest = Text(said).wrap(out, out.width) if Text(said).cell_len > out.width else [Text(said)]
    out.print(Text(first.plain, style=style), soft_wrap=True)
    if rest:
        margin = " " * (2 + len(said) - len(said.lstrip()))
        for line in Text(said[len(first.plain) :].lstrip()).wrap(out, max(out.width - len(margin), 1)):
            out.print(Text(margin + line.plain, style=style), soft_wrap=True)


def number(value: float | None, digits: int = 1) -> str:
    """A number for people; — for what is not there, which is never 0."""
    return "—" if value is None else f"{value:.{digits}f}"


def sources_table(sources: Iterable[SourceReport]) -> Table:
    """How each leaderboard stands."""
    rows = [
        (source.leaderboard, Text(source.status, STATUS_STYLES.get(source.status, "bold red")), source.message)
        for source in sources
    ]
    return table("Sources", [("leaderboard", "left"), ("status", "left"), ("what happened", "left")], rows)


def gates_table(gates: pl.DataFrame, required: Collection[str], *, every: bool = False) -> Table | None:
    """Gates, their verdicts and figures: those that did not pass, the required and the worst first.

    Args:
        gates: out__gate.
        required: the gates that a release waits for.
        every: also those that passed or did not apply, which `gates_tally` counts.

    Returns:
        None where there is none to show.
    """
    worst = {verdict: place for place, verdict in enumerate(WORST_FIRST)}
    shown = [row for row in gates.rows(named=True) if every or row["verdict"] not in QUIET_VERDICTS]
    shown.sort(key=lambda row: (row["gate"] not in required, worst.get(row["verdict"], 0), row["gate"]))
    rows = [
        (
            row["gate"],
            Text(row["verdict"], VERDICT_STYLES.get(row["verdict"], "yellow")),
            "yes" if row["gate"] in required else "no",
            number(row["figure"], 4),
            number(row["threshold"], 4),
            f"{row['evaluated']:,}",
            row["detail"] if row["verdict"] != "pass" else "",
        )
        for row in shown
    ]
    columns = [("gate", "left"), ("verdict", "left"), ("required", "left"), ("figure", "right"), ("limit", "right")]
    columns += [("looked at", "right"), ("why", "left")]
    return table(verdicts_said(row["verdict"] for row in shown), columns, rows) if rows else None


def gates_tally(gates: pl.DataFrame, required: Collection[str]) -> list[str]:
    """How many gates passed, how many of them are required, and why others did not apply, a line each."""
    passed = [gate for gate, verdict in gates.select("gate", "verdict").rows() if verdict == "pass"]
    waited_for = sum(gate in required for gate in passed)
    aside = Counter(why for why, verdict in gates.select("detail", "verdict").rows() if verdict == "not_applicable")
    return [
        f"{len(passed)} of {gates.height} gates passed, {waited_for} of them required (run --all-gates shows each)",
        *(f"{n} not applicable: {why}" for why, n in sorted(aside.items(), key=lambda item: (-item[1], item[0]))),
    ]


def board_table(scores: pl.DataFrame, category: str, limit: int | None = None) -> Table:
    """One category's board: ranked first, then estimated by score, then unrated."""
    import polars as pl

    order = {"rated": 0, "estimated": 1, "unrated": 2}
    ranked = (
        scores.filter(pl.col("category") == category)
        .with_columns(place=pl.col("status").replace_strict(order, return_dtype=pl.Int64))
        .sort(["place", "rank", "score", "model_id"], descending=[False, False, True, False], nulls_last=True)
    )
    shown = ranked if limit is None else ranked.head(limit)
    rows = [
        (
            "—" if row["rank"] is None else f"{row['rank']}",
            "—" if row["rank"] is None else f"{row['rank_low']}-{row['rank_high']}",
            row["model_name"],
            row["developer"] or "—",
            number(row["score"]),
            "—" if row["score"] is None else f"[{row['low80']:.1f}, {row['high80']:.1f}]",
            row["status"] if row["reason_code"] is None else f"{row['status']}: {row['reason_code']}",
            f"{row['observed_dimensions']}/4",
            f"{row['families']}",
            f"{row['effective_coverage']:.2f}",
        )
        for row in shown.rows(named=True)
    ]
    left, right = "left", "right"
    columns = [
        ("rank", right),
        ("range", right),
        ("model", left),
        ("developer", left),
        ("score", right),
        ("80%", right),
    ]
    columns += [("status", left), ("dimensions", right), ("families", right), ("coverage", right)]
    more = "" if shown.height == ranked.height else f" (first {shown.height} of {ranked.height})"
    return table(f"{category}{more}", columns, rows)


def day_json(report: DayReport, required: Collection[str]) -> dict[str, Any]:
    """A day's report as JSON values, without its problems; of each gate, whether a release waits for it."""
    gates = [] if report.gates is None else report.gates.rows(named=True)
    return {
        "as_of": report.as_of.isoformat(),
        "published": report.published,
        "success": report.success,
        "sources": [{"leaderboard": s.leaderboard, "status": s.status, "message": s.message} for s in report.sources],
        "gates": [{**gate, "required": gate["gate"] in required} for gate in gates],
        "product": report.product,
    }


def error_line(message: str) -> None:
    """One line on stderr for something that went wrong."""
    LiteralConsole(stderr=True, highlight=False).print(Text.assemble(("error: ", "bold red"), message), soft_wrap=True)


def note_line(message: str) -> None:
    """One line on stderr for something that was done, and not as somebody may have meant it."""
    LiteralConsole(stderr=True, highlight=False).print(Text.assemble(("note: ", "yellow"), message), soft_wrap=True)


def suggestion(name: str, known: Collection[str]) -> str:
    """The names that resemble one that was not found, as the end of a sentence; empty where none does."""
    from rapidfuzz import fuzz, process

    near = [match for match, score, _ in process.extract(name, list(known), scorer=fuzz.WRatio, limit=3) if score >= 60]
    return f"; did you mean {', '.join(near)}?" if near else ""
