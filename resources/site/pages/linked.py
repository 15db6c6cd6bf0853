"""Pages of the linked score: its proof beside 3.0's, and both boards of a category side by side (METHODS 7b).

Belongs here: which rows stand where, what the board page says of 3.0's own error and coverage, and the models whose
two rank ranges do not meet, with the cohorts they were measured against.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any, Final

from resources.site import linked_figures
from resources.site.drawing import axis_over
from resources.site.facts import Facts, Row
from resources.site.links import LINKED_PAGE, linked_page
from resources.site.page import Page, Plain
from resources.site.pages.verdicts import verdicts_on
from resources.site.rendering import title
from warehouse.linked_words import ALL, BASELINES, BOARD_METHOD, CALIBRATED_METHOD, LINKED_METHOD
from warehouse.vocabulary import CATEGORIES

SCORES, BACKTEST = "out__linked_score", "out__backtest"
GATES: Final = (
    "backtest-error", "backtest-baselines", "backtest-coverage", "backtest-coverage-category", "board-coverage",
)  # fmt: skip
COHORTS: Final = 6
"""Cohorts that are named of a model whose rank ranges do not meet: those nearest to deciding first."""
RESTS_ON: Final = (
    "out__linked_score", "out__linked_metric", "out__backtest", "out__calibrated_interval", "core__evidence",
    "out__category_score",
)  # fmt: skip
"""What a board says beyond its own scores rests on these."""
PROOF_RESTS_ON: Final = (
    *RESTS_ON, "out__linked_parameter", "out__backtest_slice", "out__backtest_split", "out__backtest_versus",
)  # fmt: skip


def linked(facts: Facts) -> Iterator[Page | Plain]:
    """The page of the proof and one of every category; none where the release holds no linked score."""
    if not facts.rows(SCORES, ("model_id",)):
        return
    yield Page(
        LINKED_PAGE,
        "linked.html",
        "The linked score",
        {"verdicts": verdicts_on(facts, GATES)},
        section=LINKED_PAGE,
        found_as="page",
        rests_on=PROOF_RESTS_ON,
        content=partial(_proof, facts),
    )

    @cache
    def by_category() -> Mapping[str, list[Row]]:
        found: defaultdict[str, list[Row]] = defaultdict(list)
        for row in facts.rows(SCORES):
            found[row["category"]].append(row)
        return found

    for category in CATEGORIES:
        yield Page(
            linked_page(category),
            "linked_board.html",
            f"{title(category)}, linked",
            section=LINKED_PAGE,
            found_as="page",
            rests_on=RESTS_ON,
            content=partial(_board, facts, category, by_category),
        )


def _proof(facts: Facts) -> dict[str, Any]:
    rows = facts.rows(BACKTEST)
    whole = sorted((row for row in rows if row["category"] == ALL), key=_by_error)
    methods = [row for row in whole if row["method"] != CALIBRATED_METHOD]
    compared = [row for row in rows if row["category"] != ALL and row["method"] in {BOARD_METHOD, LINKED_METHOD}]
    rules = facts.catalog.methodology.backtest
    parameters = facts.rows("out__linked_parameter")
    return {
        "whole": whole,
        "by_category": [row for row in rows if row["category"] != ALL],
        "slices": [r for r in facts.rows("out__backtest_slice") if r["method"] in {BOARD_METHOD, LINKED_METHOD}],
        "versus": facts.rows("out__backtest_versus"),
        "splits": facts.rows("out__backtest_split"),
        "baselines": BASELINES,
        "errors": linked_figures.errors(methods) if methods else None,
        "coverage": linked_figures.coverages(compared, rules.coverage_low, rules.coverage_high) if compared else None,
        "parameters": [row for row in parameters if row["parameter"] in {"effect_variance", "tier_factor"}],
        "facts_of_search": {row["parameter"]: row["estimate"] for row in parameters},
        "variant": facts.catalog.methodology.linked.published,
        "apart": {category: len(apart(facts, category)) for category in CATEGORIES},
    }


def _by_error(row: Row) -> tuple[str, float, str]:
    error = row["median_error_pp"]
    return (row["split"], float("inf") if error is None else error, row["method"])


def _board(facts: Facts, category: str, by_category: Callable[[], Mapping[str, list[Row]]]) -> dict[str, Any]:
    rows = by_category()[category]
    former = {row["model_id"]: row for row in facts.boards[category]}
    ordered = sorted(rows, key=_place)
    scored = [row for row in ordered if row["score"] is not None]
    return {
        "category": category,
        "rows": [(row, former.get(row["model_id"])) for row in scored],
        "unrated": len(ordered) - len(scored),
        "axis": axis_over([row[end] for row in scored for end in ("low80", "high80")]),
        "apart": apart(facts, category),
        "flagged": {one["linked"]["model_id"] for one in apart(facts, category)},
    }


def _place(row: Row) -> tuple[object, ...]:
    score = row["score"]
    return (row["rank"] is None, row["rank"] or 0, score is None, -(score or 0.0), row["model_id"])


def ranges_meet(one: Row, other: Row) -> bool:
    """Whether two rank ranges have a rank in common; true where either model has none."""
    if one["rank"] is None or other["rank"] is None:
        return True
    return bool(one["rank_low"] <= other["rank_high"] and other["rank_low"] <= one["rank_high"])


def apart(facts: Facts, category: str) -> list[dict[str, Any]]:
    """The models of a category whose two rank ranges do not meet, with the cohorts that 3.0 measured them against.

    Cohorts are the metrics of the category on which the model was measured, those whose models are farthest from the
    centre of all first: a z of 1 among weak models and a z of 1 among strong ones count alike in 3.0.
    """
    linked_rows = [row for row in facts.rows(SCORES) if row["category"] == category]
    former = {row["model_id"]: row for row in facts.boards[category]}
    pairs = [(row, former[row["model_id"]]) for row in linked_rows if row["model_id"] in former]
    parted = [(row, other) for row, other in pairs if not ranges_meet(row, other)]
    if not parted:
        return []
    metrics = {row["metric_id"]: row for row in facts.rows("out__linked_metric")}
    wanted = {row["model_id"] for row, _ in parted}
    of_model: defaultdict[str, list[Row]] = defaultdict(list)
    for row in facts.rows("core__evidence", ("model_id", "metric_id", "category", "z")):
        if row["category"] == category and row["model_id"] in wanted and row["metric_id"] in metrics:
            of_model[row["model_id"]].append({**metrics[row["metric_id"]], "z": row["z"]})
    centre = facts.catalog.methodology.category.center
    return [
        {"linked": row, "former": other, "cohorts": _farthest(of_model[row["model_id"]], centre)}
        for row, other in sorted(parted, key=lambda pair: (pair[0]["rank"], pair[0]["model_id"]))
    ]


def _farthest(cohorts: list[Row], centre: float) -> list[Row]:
    return sorted(cohorts, key=lambda one: (-abs(one["cohort_score"] - centre), one["metric_id"]))[:COHORTS]


def proof_of_board(facts: Facts, category: str) -> dict[str, Any]:
    """What the board of a category says of its own error and coverage; empty where nothing was proved."""
    rows = {
        (row["method"], row["category"]): row for row in facts.rows(BACKTEST) if row["split"] == "cells"
    }  # fmt: skip
    rules = facts.catalog.methodology.backtest
    whole, own = rows.get((BOARD_METHOD, ALL)), rows.get((BOARD_METHOD, category))
    if whole is None:
        return {"proof": None, "calibrated": {}, "apart": []}
    return {
        "proof": {
            "whole": whole,
            "own": own,
            "linked": rows.get((LINKED_METHOD, ALL)),
            "linked_own": rows.get((LINKED_METHOD, category)),
            "median": rows.get((BASELINES[0], ALL)),
            "low": rules.coverage_low,
            "high": rules.coverage_high,
        },
        "calibrated": _calibrated(facts, category),
        "apart": apart(facts, category),
    }


def _calibrated(facts: Facts, category: str) -> Mapping[str, Row]:
    rows = facts.rows("out__calibrated_interval")
    return {row["model_id"]: row for row in rows if row["category"] == category}
