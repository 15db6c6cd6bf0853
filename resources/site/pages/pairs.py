"""Pairs across sources and what they say about source types, where the release holds those tables (METHODS 5, 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from resources.site.drawing import axis_over
from resources.site.facts import Facts
from resources.site.page import Page, Plain

PAIRS = "core__candidate_pair"
DIFFERENCES = "out__source_difference"
DIVERGENCES = "out__source_divergence"
TABLES = (PAIRS, DIFFERENCES, DIVERGENCES)
SHOWN = 2000


RESTS_ON: Final = (
    "raw__snapshot", "raw__row", "core__result", "core__study_pair", "out__category_score", "out__product", *TABLES,
)  # fmt: skip


def pairs(facts: Facts) -> Iterator[Page | Plain]:
    """The page of pairs, differences and divergences; none where the release holds none of these tables."""
    if not any(name in facts.inputs.tables for name in TABLES):
        return
    yield Page(
        "pairs.html",
        "pairs.html",
        "Pairs and sources",
        section="sources.html",
        found_as="page",
        rests_on=RESTS_ON,
        content=partial(_content, facts),
    )


def _content(facts: Facts) -> dict[str, Any]:
    found = facts.rows(PAIRS)
    differences = facts.rows(DIFFERENCES)
    ends = [row[name] for row in differences for name in ("mean_low_pp", "mean_high_pp", "mean_pp")]
    return {
        "pairs": found[:SHOWN],
        "total": len(found),
        "decisions": sorted(Counter(row["decision"] or "awaiting a person" for row in found).items()),
        "rules": sorted(Counter(rule for row in found for rule in row["rules"]).items()),
        "differences": differences,
        "has_study": "core__study_pair" in facts.inputs.tables,
        "has_differences": DIFFERENCES in facts.inputs.tables,
        "divergences": facts.rows(DIVERGENCES)[:SHOWN],
        "models": facts.models,
        "model_name": facts.model_name,
        "products": {row["product"]: row for row in facts.rows("out__product")},
        "axis": axis_over([0, *ends]),
        "results": facts.results,
        "entry_page": facts.entry_page,
    }
