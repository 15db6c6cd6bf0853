"""A crossing of models and harnesses as text: what was planned and found, who is to blame, which harness to choose.

Belongs here: presentation of the `out__harness_*` tables. Shares are printed in percent, differences in points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import polars as pl
from rich.console import Console

from methods.harness.grid import HarnessEvidence
from pipelines import console
from warehouse.harness_words import ALL, FAULTS
from warehouse.plain_text import counted

SHOWN: Final = 12
Tables = Mapping[str, pl.DataFrame]
Row = Mapping[str, Any]


def print_report(out: Console, evidence: HarnessEvidence, tables: Tables, unrecorded: Mapping[str, str]) -> None:
    """Prints everything that people ask first; --json holds the rest.

    Args:
        unrecorded: benchmarks on which nobody can be blamed for want of records, and how many lack.
    """
    console.prose(out, evidence.plan.spec.title, "bold")
    _panel(out, tables)
    _faults(out, tables["out__harness_fault"])
    console.prose(out, "")
    console.prose(out, "Who is to blame", "bold")
    panel = shown_panel(tables)
    for row in tables["out__harness_verdict"].filter(pl.col("panel") == panel).rows(named=True):
        lacking = unrecorded.get(row["benchmark"])
        if lacking is None:
            console.prose(out, row["sentence"])
        else:
            told = "nobody can be blamed, since what follows counts each as lost; bring the other records, too"
            console.prose(out, f"{row['benchmark']}: {lacking}: {told}", "yellow")
    console.prose(out, "")
    _harnesses(out, tables, panel)
    _models(out, tables, panel)
    _matrices(out, tables)
    _stages(out, tables["out__harness_stage"])
    _selection(out, tables["out__harness_selection"])
    _references(out, tables["out__harness_reference"])


def shown_panel(tables: Tables) -> str:
    """The panel whose figures are shown: the balanced sub-panel where the declared one is no crossing and has one."""
    return "balanced" if "balanced" in set(tables["out__harness_verdict"]["panel"]) else "declared"


def _panel(out: Console, tables: Tables) -> None:
    frame = tables["out__harness_panel"]
    rows = [
        (
            _benchmark(row), f"{row['models']}", f"{row['harnesses']}", _configurations(row), f"{row['tasks']:,}",
            f"{row['repetitions']}", f"{row['planned']:,}", f"{row['missing']:,}", row["status_map"],
        )
        for row in frame.rows(named=True)
    ]  # fmt: skip
    heads = ("models", "harnesses", "configurations", "tasks", "repetitions", "planned", "missing")
    columns = [("benchmark", "left"), *((name, "right") for name in heads), ("status map", "left")]
    out.print(console.table("", columns, rows))
    first = frame.row(0, named=True)
    if not first["is_balanced"]:
        gone = sum(len(row["missing_cells"]) for row in frame.filter(pl.col("is_primary")).rows(named=True))
        said = f"Unbalanced: {counted(gone, 'cell')} of the crossing are not planned."
        if first["balanced_models"] is None:
            console.prose(out, f"{said} No two models meet two harnesses.")
        else:
            sub = ", ".join(
                f"{kind} {_listed(first[f'balanced_{kind}'])}" for kind in ("models", "harnesses", "benchmarks")
            )
            console.prose(out, f"{said} What needs balance is of the largest balanced sub-panel: {sub}.")
    for row in frame.filter(pl.col("is_primary")).rows(named=True):
        if row["other_statuses"]:
            told = _listed(row["other_statuses"])
            console.prose(out, f"{row['benchmark']}: read as abnormal ends, though no rule names them: {told}")


def _faults(out: Console, frame: pl.DataFrame) -> None:
    counts = Counter(dict(frame.group_by("fault").agg(pl.col("attempts").sum()).rows()))
    for fault in FAULTS:
        own = frame.filter(pl.col("fault") == fault)
        if not own.height:
            continue
        console.prose(out, f"{fault.replace('_', ' ')}: {counted(counts[fault], 'attempt')}", "yellow")
        for row in own.head(3).rows(named=True):
            console.prose(out, f"   {_where(row)}", "dim")
        if own.height > 3:
            console.prose(out, f"   and {own.height - 3:,} more: --json lists them all", "dim")


def _where(row: Row) -> str:
    what = [
        f"{row['file']} row {row['row']}" if row["file"] else "",
        f"{row['model']} + {row['harness']}" if row["model"] or row["harness"] else "",
        f"on {row['benchmark']}" if row["benchmark"] else "",
        f"task {row['task']}" if row["task"] else "",
        f"repetition {row['repetition']}" if row["repetition"] else "",
        row["detail"] or "",
    ]
    return ", ".join(part for part in what if part)


def _harnesses(out: Console, tables: Tables, panel: str) -> None:
    rows = [
        (
            row["one"], _percent(row["score"]), _percent(row["clean"]), _percent(row["clean_quartile"]),
            _percent(row["clean_minimum"]), _percent(row["joint"]), _percent(row["score_if_clean"]),
            _number(row["fit"]), _range(row["fit_low"], row["fit_high"]), _number(row["score_fit"]),
            _range(row["score_fit_low"], row["score_fit_high"]), _percent(row["win_score"]),
            _percent(row["win_clean"]), _number(row["token_load"]),
        )
        for row in _sided(tables, panel, "harness", ("fit", "score_fit", "score"))
    ]  # fmt: skip
    heads = ("S", "V", "V 25%", "V least", "J", "S if clean", "fit", "95%", "fit on S", "95%", "wins on S", "wins on V",
             "tokens")  # fmt: skip
    out.print(console.table("Harnesses", [("harness", "left"), *((head, "right") for head in heads)], rows))


def _models(out: Console, tables: Tables, panel: str) -> None:
    rows = [
        (
            row["one"], _percent(row["score"]), _percent(row["clean"]), _percent(row["clean_quartile"]),
            _percent(row["clean_minimum"]), _percent(row["joint"]), _percent(row["score_if_clean"]),
            _percent(row["win_score"]), _percent(row["win_clean"]),
        )
        for row in _sided(tables, panel, "model", ("score",))
    ]  # fmt: skip
    heads = ("S", "V", "V 25%", "V least", "J", "S if clean", "wins on S", "wins on V")
    console.prose(out, "")
    out.print(console.table("Models", [("model", "left"), *((head, "right") for head in heads)], rows))


def _sided(tables: Tables, panel: str, side: str, by: Sequence[str]) -> list[dict[str, Any]]:
    frame = tables["out__harness_summary"].filter((pl.col("panel") == panel) & (pl.col("side") == side))
    return frame.sort([*by, "one"], descending=[*(True for _ in by), False], nulls_last=True).rows(named=True)


def _matrices(out: Console, tables: Tables) -> None:
    """S, and V where tracked, of every configuration, a benchmark a table; small panels only."""
    primary = tables["out__harness_panel"].filter(pl.col("is_primary")).select("benchmark", "condition")
    cells = (
        tables["out__harness_cell"].filter(pl.col("environment") == ALL).join(primary, on=["benchmark", "condition"])
    )
    for (benchmark,), own in cells.group_by("benchmark", maintain_order=True):
        harnesses = sorted(set(own.filter(~pl.col("is_reference"))["harness"]))
        models = sorted(set(own.filter(~pl.col("is_reference"))["model"]))
        if len(harnesses) > SHOWN or len(models) > SHOWN:
            console.prose(out, f"{benchmark}: {counted(own.height, 'configuration')}; --json lists them", "dim")
            continue
        values = {(row["model"], row["harness"]): row for row in own.rows(named=True)}
        rows = [(model, *(_cell(values.get((model, harness))) for harness in harnesses)) for model in models]
        console.prose(out, "")
        title = f"{benchmark}: S with its 95% interval; V after the stroke"
        out.print(console.table(title, [("model", "left"), *((name, "right") for name in harnesses)], rows))


def _cell(row: Row | None) -> str:
    if row is None:
        return "not planned"
    ends = f" {_range(row['score_low'], row['score_high'], percent=True)}" if row["score_low"] is not None else ""
    return f"{_percent(row['score'])}{ends}" + ("" if row["clean"] is None else f" / {_percent(row['clean'])}")


def _stages(out: Console, frame: pl.DataFrame) -> None:
    own = frame.filter(pl.col("side") == "harness")
    if not own.height:
        return
    stages = sorted(set(own["stage"]))
    values = {(row["one"], row["stage"]): row for row in own.rows(named=True)}
    rows = [(one, *(_stage(values.get((one, stage))) for stage in stages)) for one in sorted(set(own["one"]))]
    console.prose(out, "")
    title = "Attempts that were not clean, by stage (share of planned attempts, benchmarks weighing the same)"
    columns = [("harness", "left"), *((stage.replace("_", " "), "right") for stage in stages)]
    out.print(console.table(title, columns, rows))


def _stage(row: Row | None) -> str:
    return _percent(0.0 if row is None else row["rate"])


def _selection(out: Console, frame: pl.DataFrame) -> None:
    if not frame.height:
        return
    rows = []
    for (rule,), own in frame.group_by("rule", maintain_order=True):
        chosen = Counter(own["chosen"].to_list())
        picks = ", ".join(
            f"{name} × {count}" for name, count in sorted(chosen.items(), key=lambda one: (-one[1], one[0]))
        )
        regrets = own["regret_pp"].to_list()
        rows.append((str(rule).replace("_", " on "), picks, f"{_mean(regrets):.1f}", f"{max(regrets):.1f}"))
    console.prose(out, "")
    columns = [("chosen by", "left"), ("choices", "left"), ("mean regret", "right"), ("worst regret", "right")]
    out.print(console.table("Leaving one model out: points of J lost by the choice", columns, sorted(rows)))


def _references(out: Console, frame: pl.DataFrame) -> None:
    if not frame.height:
        return
    rows = [
        (
            f"{row['model']} + {row['harness']}", "all" if row["benchmark"] == ALL else row["benchmark"],
            f"{row['score_wins']}/{row['score_ties']}/{row['score_losses']}", _percent(row["score_win_rate"]),
            "—" if row["clean_wins"] is None else f"{row['clean_wins']}/{row['clean_ties']}/{row['clean_losses']}",
            _percent(row["clean_win_rate"]), _percent(row["dominated_share"]), f"{row['alone']}",
        )
        for row in frame.rows(named=True)
    ]  # fmt: skip
    heads = ("W/T/L on S", "rate", "W/T/L on V", "rate", "dominates", "tasks alone")
    columns = [("reference", "left"), ("benchmark", "left"), *((head, "right") for head in heads)]
    console.prose(out, "")
    out.print(console.table("References outside the panel", columns, rows))


def _configurations(row: Row) -> str:
    return f"{row['configurations']}" + (f" + {row['references']}" if row["references"] else "")


def _benchmark(row: Row) -> str:
    return row["benchmark"] if row["is_primary"] else f"{row['benchmark']} ({row['condition']})"


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - SHOWN:,} more" if len(listed) > SHOWN else ""
    return ", ".join(listed[:SHOWN]) + more


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _percent(value: float | None) -> str:
    return "—" if value is None else f"{100 * value:.1f}"


def _number(value: float | None) -> str:
    return "—" if value is None else f"{value:.3f}"


def _range(low: float | None, high: float | None, *, percent: bool = False) -> str:
    if low is None or high is None:
        return "—"
    return f"[{100 * low:.0f}, {100 * high:.0f}]" if percent else f"[{low:.3f}, {high:.3f}]"
