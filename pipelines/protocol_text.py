"""Protocol sensitivity as text: how far rankings move, growing sets, where candidates stand, the verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl
from rich.console import Console

from methods.protocols.sentences import compared, measured_against
from pipelines import console
from warehouse.plain_text import counted

if TYPE_CHECKING:
    from checks.gate_inputs import Finding

Row = Mapping[str, Any]
LEFT, RIGHT = "left", "right"
STYLES = {"pass": "green", "fail": "bold red", "inconclusive": "yellow"}
HOW_TO_READ = (
    "Losses rank the candidates of each coordinate of a site: the lowest loss is the best, rank 1.",
    "PSS, from 0 to 2: 0 is the same order under both protocols, 1 no relation, 2 the reverse.",
    "Resolution: the least by which one exchange of two neighbours moves a site's PSS; smaller differences mean "
    "nothing. M candidates, H coordinates.",
    "Winner swapped: share of sites where another candidate is best in more than half of the coordinates, by weight.",
    "Conventions and units drawn anew, within one protocol, are the measure: what moves no more than they do is noise.",
    "PSS and winner swap can move apart as candidates join: neither is reported alone.",
)
SHOWN_SITES = 8
SHOWN_CANDIDATES = 30


def print_study(out: Console, tables: Mapping[str, pl.DataFrame], findings: Mapping[str, Finding]) -> None:
    """Prints a study of protocol sensitivity: the answer, the verdicts, the tables, and how they are read."""
    panel = tables["out__protocol_panel"].rows(named=True)
    across = [row for row in panel if row["comparison"] == "across"]
    for row in across:
        console.prose(out, measured_against(row, panel), "bold")
    if not across:
        said = "One protocol only: losses under a second lawful one would say how far the ranking moves."
        console.prose(out, said, "bold")
    for gate, finding in findings.items():
        console.prose(out, f"{gate}: {finding.outcome}: {finding.detail}", STYLES.get(finding.outcome, ""))
    shown = [_comparisons(panel)]
    shown += [_growth(row, tables["out__protocol_growth"]) for row in across]
    shown += [_candidates(tables["out__protocol_candidate"])]
    shown += [_sites(row, tables["out__protocol_site"]) for row in across]
    for table in shown:
        console.prose(out, "")
        out.print(table)
    console.prose(out, "")
    console.prose(out, "How to read", "bold")
    for said in HOW_TO_READ:
        console.prose(out, f"- {said}")


def _comparisons(panel: Sequence[Row]) -> Any:
    order = {"across": 0, "within": 1, "control": 2}
    rows = [
        (
            compared(row),
            f"{row['sites']:,}",
            _with_interval(row["mean_pss"], row["pss_low"], row["pss_high"], 3),
            _percent(row),
            f"{row['candidates']}",
            f"{row['coordinates']}",
            _step(row),
            f"{row['dropped_coordinates']:,}",
            f"{row['tied_wins']:,}",
            (row["reason_code"] or "").replace("_", " "),
        )
        for row in sorted(panel, key=lambda one: order[one["comparison"]])
    ]
    columns = [("compared", LEFT), ("sites", RIGHT), ("mean PSS", RIGHT), ("winner swapped", RIGHT)]
    columns += [("candidates", RIGHT), ("coordinates", RIGHT), ("resolution", RIGHT), ("dropped", RIGHT)]
    columns += [("tied wins", RIGHT), ("why none", LEFT)]
    return console.table("How far rankings move, with 95% intervals: less is steadier", columns, rows)


def _step(row: Row) -> str:
    if row["resolution"] is None:
        return "—"
    return f"{'' if row['is_resolution_exact'] else '≈'}{row['resolution']:.4f}"


def _with_interval(value: float | None, low: float | None, high: float | None, digits: int) -> str:
    if value is None:
        return "—"
    return f"{value:.{digits}f}" + ("" if low is None else f" [{low:.{digits}f}, {high:.{digits}f}]")


def _percent(row: Row) -> str:
    if row["swap_share"] is None:
        return "—"
    ends = "" if row["swap_low"] is None else f" [{row['swap_low']:.1%}, {row['swap_high']:.1%}]"
    return f"{row['swap_share']:.1%}{ends}"


def _growth(row: Row, growth: pl.DataFrame) -> Any:
    own = growth.filter((pl.col("protocol_a") == row["protocol_a"]) & (pl.col("protocol_b") == row["protocol_b"]))
    random = {one["candidates"]: one for one in own.filter(growth_order="random").rows(named=True)}
    rows = []
    for one in own.filter(pl.col("growth_order") != "random").rows(named=True):
        beside = random.get(one["candidates"], {})
        rows.append(
            (
                f"{one['candidates']}",
                ", ".join(one["joined"]),
                console.number(one["mean_pss"], 3),
                _share(one["swap_share"]),
                console.number(beside.get("mean_pss"), 3),
                _share(beside.get("swap_share")),
                console.number(one["resolution"], 4),
            )
        )
    how = "as declared" if own.filter(growth_order="declared").height else "best mean rank first"
    columns = [("candidates", RIGHT), ("joined", LEFT), ("mean PSS", RIGHT), ("winner swapped", RIGHT)]
    columns += [("PSS, any order", RIGHT), ("swapped, any order", RIGHT), ("resolution", RIGHT)]
    return console.table(f"{row['protocol_a']} ~ {row['protocol_b']} as candidates join, {how}", columns, rows)


def _candidates(candidates: pl.DataFrame) -> Any:
    rows_of: dict[str, dict[str, Row]] = {}
    sides: list[str] = []
    for row in candidates.rows(named=True):
        side = row["protocol"] if row["convention"] is None else f"{row['protocol']}, {row['convention']}"
        if side not in sides:
            sides.append(side)
        rows_of.setdefault(row["candidate"], {})[side] = row

    def best(name: str) -> tuple[float, str]:
        known = [row["mean_rank"] for row in rows_of[name].values() if row["mean_rank"] is not None]
        return (min(known) if known else float("inf"), name)

    listed = sorted(rows_of, key=best)
    rows = [
        (
            name,
            *(
                "—" if row["mean_rank"] is None else f"{row['mean_rank']:.2f} ({row['wins']:,})"
                for row in (rows_of[name][side] for side in sides)
            ),
            _places([rows_of[name][side]["place"] for side in sides]),
        )
        for name in listed[:SHOWN_CANDIDATES]
    ]
    more = "" if len(listed) <= SHOWN_CANDIDATES else f", the first {SHOWN_CANDIDATES} of {len(listed)}"
    columns = [("candidate", LEFT), *((side, RIGHT) for side in sides), ("place among all", RIGHT)]
    return console.table(
        f"Mean rank of each candidate, 1 the best, and coordinates it wins in brackets{more}", columns, rows
    )


def _places(places: Sequence[int | None]) -> str:
    known = sorted({place for place in places if place is not None})
    if not known:
        return "—"
    return f"{known[0]}" if len(known) == 1 else f"{known[0]} to {known[-1]}"


def _sites(row: Row, sites: pl.DataFrame) -> Any:
    own = sites.filter(
        (pl.col("comparison") == "across")
        & (pl.col("protocol_a") == row["protocol_a"])
        & (pl.col("protocol_b") == row["protocol_b"])
        & pl.col("pss").is_not_null()
    ).sort("pss", "site", descending=[True, False])
    rows = [
        (one["site"], f"{one['pss']:.3f}", f"{one['swap_share']:.1%}", "yes" if one["is_swapped"] else "no")
        for one in own.head(SHOWN_SITES).rows(named=True)
    ]
    title = f"{row['protocol_a']} ~ {row['protocol_b']}: the sites that move most, of {counted(own.height, 'site')}"
    columns = [("site", LEFT), ("PSS", RIGHT), ("coordinates with another winner", RIGHT), ("swapped", LEFT)]
    return console.table(title, columns, rows)


def _share(value: float | None) -> str:
    return "—" if value is None else f"{value:.1%}"
