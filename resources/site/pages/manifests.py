"""The pages of reproductions: all studies at a glance, and each with its runs, pairs, fields and audits (METHODS 9)."""

from __future__ import annotations

from collections.abc import Iterator

from methods.manifests.sentences import REASONS, STANDINGS
from resources.site.facts import Facts, Row
from resources.site.links import STACKS_PAGE, stack_page
from resources.site.manifest_figures import sweep
from resources.site.page import Page, Plain

GATES = ("manifest-claims", "manifest-stated", "manifest-first", "manifest-divergence")


def manifests(facts: Facts) -> Iterator[Page | Plain]:
    """The pages of inference stacks; none where the release holds no study of them."""
    runs = facts.rows("out__manifest_run")
    if not runs:
        return
    studies = list(dict.fromkeys(row["study"] for row in runs))
    pairs = [{**row, "said": STANDINGS[row["pair_standing"]]} for row in facts.rows("out__manifest_pair")]
    yield Page(
        STACKS_PAGE,
        "manifests.html",
        "Inference stacks",
        {"studies": [(study, stack_page(study)) for study in studies], "runs": runs, "pairs": pairs},
        section=STACKS_PAGE,
        found_as="page",
    )
    for study in studies:
        yield _study_page(facts, study, [pair for pair in pairs if pair["study"] == study])


def _study_page(facts: Facts, study: str, pairs: list[Row]) -> Page:
    def of(table: str) -> list[Row]:
        return [row for row in facts.rows(table) if row["study"] == study]

    fields, margins = of("out__manifest_field"), of("out__manifest_margin")
    verdicts = {row["gate"]: row for row in facts.rows("out__gate")}
    asked = [(gate, verdicts[f"{gate}.{study}"]) for gate in GATES if f"{gate}.{study}" in verdicts]
    for pair in pairs:
        swept = _mine(margins, pair)
        pair["fields"] = _mine(fields, pair)
        pair["margins"] = swept
        pair["why_not"] = REASONS[pair["reason_code"]] if pair["reason_code"] else None
        salt = f"{study} {pair['run_a']} {pair['run_b']}"
        pair["figure"] = sweep(salt, swept, pair["exact_agreement"]) if len(swept) > 1 else None
    return Page(
        stack_page(study),
        "manifest_study.html",
        f"Inference stacks: {study}",
        {
            "evidence": of("raw__evidence"),
            "runs": of("out__manifest_run"),
            "pairs": pairs,
            "gates": [(gate, row["verdict"], row["detail"]) for gate, row in asked],
            "batch_limit": facts.catalog.methodology.manifests.batch_limit,
        },
        section=STACKS_PAGE,
        found_as="page",
    )


def _mine(rows: list[Row], pair: Row) -> list[Row]:
    return [row for row in rows if (row["run_a"], row["run_b"]) == (pair["run_a"], pair["run_b"])]
