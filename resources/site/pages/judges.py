"""The pages of studies of judges: all at a glance, and each with its figures, bins, cascades and queue (METHODS 10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from methods.judging.verdicts import cost_sentence, held_against, named, opened
from resources.site.facts import Facts, Row
from resources.site.judge_figures import cost_accuracy, reliability
from resources.site.links import JUDGES_PAGE, judge_page
from resources.site.page import Page, Plain
from warehouse.judge_words import ALL_SLICE, NO_FALLBACK, STACK_FIELDS
from warehouse.methodology import Judging

QUEUE_SHOWN = 500


def judges(facts: Facts) -> Iterator[Page | Plain]:
    """The pages of judges; none where the release holds none."""
    summaries = facts.rows("out__judge_summary")
    if not summaries:
        return
    studies = list(dict.fromkeys(row["study"] for row in summaries))
    judging = facts.catalog.methodology.judging
    cascades = [_cascade(row, judging) for row in facts.rows("out__judge_cascade")]
    yield Page(
        JUDGES_PAGE,
        "judges.html",
        "Judges",
        {
            "studies": [(study, judge_page(study)) for study in studies],
            "summaries": [row for row in summaries if row["slice"] == ALL_SLICE],
            "cascades": cascades,
        },
        section=JUDGES_PAGE,
        found_as="page",
    )
    for study in studies:
        yield _study_page(facts, study, [one for one in cascades if one["study"] == study])


def _study_page(facts: Facts, study: str, cascades: list[Row]) -> Page:
    def of(table: str) -> list[Row]:
        return [row for row in facts.rows(table) if row["study"] == study]

    summaries, curves, queue = of("out__judge_summary"), of("out__judge_curve"), of("out__judge_queue")
    for one in cascades:
        rows = [row for row in curves if all(row[key] == one[key] for key in ("judge", "fallback", "task_type"))]
        salt = f"{study} {one['judge']} {one['fallback']} {one['task_type']}"
        one["figure"] = cost_accuracy(salt, rows, one) if rows else None
    return Page(
        judge_page(study),
        "judge_study.html",
        f"Judges: {study}",
        {
            "study": study,
            "evidence": [row for row in facts.rows("raw__evidence") if row["study"] == study],
            "stacks": of("out__judge_stack"),
            "stack_fields": STACK_FIELDS,
            "totals": [row for row in summaries if row["slice"] == ALL_SLICE],
            "slices": [row for row in summaries if row["slice"] != ALL_SLICE],
            "reliabilities": _reliabilities(study, of("out__judge_bin")),
            "cascades": cascades,
            "transfers": of("out__judge_transfer"),
            "labels": of("out__judge_label"),
            "queue": queue[:QUEUE_SHOWN],
            "waiting": len(queue),
            "tolerance_pp": 100 * facts.catalog.methodology.judging.tolerance,
            "auroc_least": facts.catalog.methodology.judging.auroc_least,
        },
        section=JUDGES_PAGE,
        found_as="page",
    )


def _reliabilities(study: str, rows: list[Row]) -> list[dict[str, Any]]:
    """For every judge and fallback, its bins and the diagram."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row["slice"] == ALL_SLICE:
            found.setdefault((row["judge"], row["fallback"]), []).append(row)
    return [
        {
            "judge": judge,
            "fallback": None if fallback == NO_FALLBACK else fallback,
            "bins": bins,
            "figure": reliability(f"{study} {judge} {fallback}", bins, None if fallback == NO_FALLBACK else fallback),
        }
        for (judge, fallback), bins in found.items()
    ]


def _cascade(row: Row, judging: Judging) -> Row:
    """A cascade with what its figures say."""
    _, said = held_against(row, 100 * judging.tolerance, judging)
    return {**row, "name": named(row), "opened": opened(row), "loss_said": said, "cost_said": cost_sentence(row)}
