"""The page of the board's own sensitivity: lawful variants, families left out, ranks that evidence separates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from resources.site.facts import Facts, Row
from resources.site.links import SENSITIVITY_PAGE
from resources.site.page import Page, Plain
from resources.site.pages.verdicts import verdicts_on
from resources.site.protocol_figures import heat
from resources.site.rendering import title

TABLE, SEPARATION = "out__board_sensitivity", "out__board_separation"
GATES = ("board-pss", "board-winner-swap")
FULL_SHADE = 0.3
"""The PSS of the deepest shade: variants of one methodology move far less than a reversed order."""
KINDS = ("constant", "evidence", "reference")


def sensitivity(facts: Facts) -> Iterator[Page | Plain]:
    """The page; none where the release holds no variants."""
    rows = facts.rows(TABLE)
    if not rows:
        return
    yield Page(
        SENSITIVITY_PAGE,
        "sensitivity.html",
        "How firm the order is",
        {"verdicts": verdicts_on(facts, GATES)},
        section=SENSITIVITY_PAGE,
        found_as="page",
        rests_on=(TABLE, SEPARATION),
        content=partial(_content, rows, facts),
    )


def _content(rows: list[Row], facts: Facts) -> dict[str, Any]:
    categories = list(dict.fromkeys(row["category"] for row in sorted(rows, key=lambda row: row["category"])))
    declared = [row for row in rows if row["variant_kind"] in KINDS]
    declared.sort(key=lambda row: (KINDS.index(row["variant_kind"]), row["variant"], row["category"]))
    families = [row for row in rows if row["variant_kind"] == "family"]
    families.sort(key=lambda row: (-(row["pss"] or 0.0), row["variant"], row["category"]))
    return {
        "separation": facts.rows(SEPARATION),
        "heat": _heat(declared, categories),
        "meanings": [(row["variant"], row["meaning"]) for row in _first_of_each(declared)],
        "declared": [row for row in declared if row["variant_kind"] != "reference"],
        "families": families,
        "categories": categories,
    }


def _heat(declared: list[Row], categories: list[str]) -> object:
    variants = [row["variant"] for row in _first_of_each(declared)]
    cells = {
        (variants.index(row["variant"]), categories.index(row["category"])): (row["pss"], bool(row["is_swapped"]))
        for row in declared
    }
    what = "PSS of every category under every variant, and with the evidence drawn anew"
    return heat("board", variants, [title(one) for one in categories], cells, what, FULL_SHADE)


def _first_of_each(declared: list[Row]) -> list[Row]:
    return list({row["variant"]: row for row in reversed(declared)}.values())[::-1]
