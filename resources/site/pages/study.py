"""The study of sources: its freeze, its differences, every pair and what it supports, what to record (METHODS 5, 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from methods.pairing.source_study import source_study
from resources.site.drawing import axis_over
from resources.site.facts import Facts
from resources.site.page import Page, Plain
from resources.site.pages.pairs import DIFFERENCES
from resources.site.pair_figures import direction_intervals, pair_decisions, source_coverage

STUDY_PAIRS = "core__study_pair"
SHOWN = 2000
RESTS_ON: Final = (STUDY_PAIRS, DIFFERENCES, "raw__evidence", "core__result", "out__product")


def study(facts: Facts) -> Iterator[Page | Plain]:
    """The page of the study; none where the release holds no table of studies."""
    if STUDY_PAIRS not in facts.inputs.tables:
        return
    yield Page(
        "study.html",
        "study.html",
        "The study of sources",
        section="sources.html",
        found_as="page",
        rests_on=RESTS_ON,
        content=partial(_content, facts),
    )


def _content(facts: Facts) -> dict[str, Any]:
    pairs, differences = facts.rows(STUDY_PAIRS), facts.rows(DIFFERENCES)
    spec = source_study(facts.catalog)
    decisions = Counter(row["decision"] or "awaiting a person" for row in pairs)
    needs = Counter(tuple(row["to_record"]) for row in pairs if row["to_record"])
    ends = [row[name] for row in differences for name in ("mean_low_pp", "mean_high_pp", "mean_pp")]
    covered: dict[str, Counter[str]] = {}
    for row in facts.results.values():
        covered.setdefault(row.benchmark, Counter())[row.source_type] += 1
    return {
        "spec": spec,
        "evidence": [row for row in facts.rows("raw__evidence") if spec and row["study"] == spec.id],
        "products": {row["product"]: row for row in facts.rows("out__product")},
        "pairs": pairs[:SHOWN],
        "total": len(pairs),
        "aligned": decisions["aligned"],
        "decisions": sorted(decisions.items()),
        "contradicted": sum(row["to_record"] is None for row in pairs),
        "needs": sorted(needs.items(), key=lambda item: (-item[1], len(item[0]), item[0]))[:10],
        "differences": differences,
        "axis": axis_over([0, *ends]),
        "intervals": direction_intervals(differences) if differences else None,
        "exclusions": pair_decisions(decisions) if pairs else None,
        "coverage": source_coverage(covered) if covered else None,
        "shared": sum(len(kinds) > 1 for kinds in covered.values()),
        "benchmarks": len(covered),
    }
