"""The pages of shadow and canary evidence: the action, every look, exposure, who answered, cohorts (METHODS 12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from resources.site.canary_figures import looks_over_batches
from resources.site.facts import Facts
from resources.site.links import CANARY_PAGE, DECISIONS_PAGE, canary_page, decision_page
from resources.site.page import Page, Plain
from warehouse.rollout_words import ACTION_SAID

Row = dict[str, Any]
ACTION: Final = "out__canary_action"


def canary(facts: Facts) -> Iterator[Page | Plain]:
    """The pages of shadow and canary evidence; none where the release holds none."""
    actions = facts.rows(ACTION)
    if not actions:
        return
    decided = {row["study"]: row for row in facts.rows("out__release_decision")}
    listed = [
        {
            **row,
            "page": canary_page(row["study"]),
            "said": ACTION_SAID[row["action"]],
            "decision": decided.get(row["study"]),
        }
        for row in actions
    ]
    yield Page(
        CANARY_PAGE, "canary.html", "Shadow and canary", {"listed": listed}, section=CANARY_PAGE, found_as="page"
    )
    evidence = facts.rows("raw__evidence")
    for one in listed:
        study = one["study"]
        values = {**_of_study(facts, one), "evidence": [row for row in evidence if row["study"] == study]}
        values["decision_page"] = decision_page(study) if one["decision"] else DECISIONS_PAGE
        yield Page(one["page"], "canary_study.html", f"Shadow and canary: {study}", values, section=CANARY_PAGE,
                   found_as="page")  # fmt: skip


def _of_study(facts: Facts, action: Row) -> Row:
    """What the page of one study shows, from its tables: the last look of every rule, and the looks before."""

    def own(table: str) -> list[Row]:
        return [row for row in facts.rows(table) if row["study"] == action["study"]]

    looks, exposures = own("out__canary_look"), own("out__canary_exposure")
    last = {row["rule"]: row for row in looks}
    figures = [
        looks_over_batches(action["study"], rule, [row for row in looks if row["rule"] == rule])
        for rule, row in last.items()
        if row["mean"] is not None
    ]
    return {
        "action": action, "last": list(last.values()), "looks": looks, "figures": figures, "exposures": exposures,
        "cohorts": own("out__canary_cohort"), "models": own("out__canary_model"),
    }  # fmt: skip
