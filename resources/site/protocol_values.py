"""What a page of protocol sensitivity shows of a study: comparisons, figures, candidates, sites (METHODS 8).

Belongs here: choosing and arranging rows. Does not belong here: any figure that no table holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from methods.protocols.sentences import compared, measured_against
from resources.site.protocol_figures import growing, heat, slopes

Row = dict[str, Any]
SITES_DRAWN: Final = 40
SITES_LISTED: Final = 500
COORDINATES_DRAWN: Final = 14
CANDIDATES_DRAWN: Final = 24
ORDER: Final = {"across": 0, "within": 1, "control": 2}


def study_values(tables: Mapping[str, pl.DataFrame], verdicts: Sequence[tuple[str, str, str]]) -> dict[str, Any]:
    """The values of a study's page.

    Args:
        tables: the study's rows, by table. verdicts: (gate, verdict, detail).
    """
    panel = sorted(tables["out__protocol_panel"].rows(named=True), key=lambda row: ORDER[row["comparison"]])
    across = [row for row in panel if row["comparison"] == "across"]
    return {
        "panel": [{**row, "compared": compared(row)} for row in panel],
        "pairs": [_pair(row, panel, tables) for row in across],
        "sides": _sides(tables["out__protocol_candidate"]),
        "candidates": _candidates(tables["out__protocol_candidate"]),
        "verdicts": verdicts,
    }


def _pair(row: Row, panel: Sequence[Row], tables: Mapping[str, pl.DataFrame]) -> Row:
    a, b = row["protocol_a"], row["protocol_b"]
    wanted = (pl.col("protocol_a") == a) & (pl.col("protocol_b") == b)
    is_pair = wanted & (pl.col("comparison") == "across")
    growth = tables["out__protocol_growth"].filter(wanted)
    joined = growth.filter(pl.col("growth_order") != "random").rows(named=True)
    random = growth.filter(growth_order="random").rows(named=True)
    drawn = {one["candidates"]: one for one in random}
    sites = tables["out__protocol_site"].filter(is_pair).sort("pss", "site", descending=[True, False], nulls_last=True)
    salt = f"{row['study']} {a} {b}"
    both = _both_ranks(tables["out__protocol_candidate"], a, b)
    return {
        "a": a,
        "b": b,
        "said": measured_against(row, panel),
        "growth": [{**one, "random": drawn.get(one["candidates"])} for one in joined],
        "how": "declared" if growth.filter(growth_order="declared").height else "best_first",
        "growing": growing(salt, joined, random) if len(joined) > 1 else None,
        "slopes": slopes(salt, a, b, both[:CANDIDATES_DRAWN]) if len(both) > 1 else None,
        "more_candidates": max(0, len(both) - CANDIDATES_DRAWN),
        "heat": _heat(salt, sites, tables["out__protocol_coordinate"].filter(is_pair)),
        "drawn": min(SITES_DRAWN, sites.height),
        "sites": sites.head(SITES_LISTED).rows(named=True),
        "site_count": sites.height,
    }


def _both_ranks(candidates: pl.DataFrame, a: str, b: str) -> list[tuple[str, float, float]]:
    """(candidate, mean rank under a, under b) of those measured under both, the better first."""
    standing = candidates.filter(pl.col("convention").is_null() & pl.col("mean_rank").is_not_null())
    ranks = [dict(standing.filter(protocol=name).select("candidate", "mean_rank").rows()) for name in (a, b)]
    both = [(name, rank, ranks[1][name]) for name, rank in ranks[0].items() if name in ranks[1]]
    return sorted(both, key=lambda item: (min(item[1:]), item[0]))


def _heat(salt: str, sites: pl.DataFrame, coordinates: pl.DataFrame) -> Any:
    """1 - tau of the sites that move most, by coordinate; none where the coordinates are too many to be seen."""
    names = sites.filter(pl.col("pss").is_not_null())["site"].head(SITES_DRAWN).to_list()
    shown = coordinates.filter(pl.col("site").is_in(names))
    columns = shown["coordinate"].unique().sort().to_list()
    if not names or len(columns) > COORDINATES_DRAWN:
        return None
    row_of, column_of = ({name: place for place, name in enumerate(of)} for of in (names, columns))
    cells = {
        (row_of[one["site"]], column_of[one["coordinate"]]): (
            None if one["tau"] is None else 1 - one["tau"], bool(one["is_winner_changed"]),
        )
        for one in shown.rows(named=True)
    }  # fmt: skip
    return heat(salt, names, columns, cells, "1 minus tau by site and coordinate, sites that move most first")


def _sides(candidates: pl.DataFrame) -> list[str]:
    sides = candidates.select("protocol", "convention").unique(maintain_order=True)
    return [_side(row) for row in sides.rows(named=True)]


def _side(row: Mapping[str, Any]) -> str:
    return str(row["protocol"]) if row["convention"] is None else f"{row['protocol']}, {row['convention']}"


def _candidates(candidates: pl.DataFrame) -> list[Row]:
    """Every candidate with its row of each side, the best mean rank first."""
    found: dict[str, dict[str, Row]] = {}
    for row in candidates.rows(named=True):
        found.setdefault(row["candidate"], {})[_side(row)] = row
    listed = []
    for name, sides in found.items():
        places = sorted(row["place"] for row in sides.values() if row["place"] is not None)
        ranks = [row["mean_rank"] for row in sides.values() if row["mean_rank"] is not None]
        said = "—" if not places else f"{places[0]}" if places[0] == places[-1] else f"{places[0]} to {places[-1]}"
        listed.append((min(ranks, default=float("inf")), {"candidate": name, "sides": sides, "places": said}))
    return [row for _, row in sorted(listed, key=lambda item: (item[0], item[1]["candidate"]))]
