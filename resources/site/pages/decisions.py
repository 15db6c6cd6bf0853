"""The pages of release decisions: all at a glance, and each with its gates (METHODS 12)."""

from __future__ import annotations

from collections.abc import Iterator

from resources.site.decision_values import decision_values
from resources.site.facts import Facts
from resources.site.links import DECISIONS_PAGE, canary_page, decision_page
from resources.site.page import Page, Plain

DECISION = "out__release_decision"


def decisions(facts: Facts) -> Iterator[Page | Plain]:
    """The pages of decisions; none where the release holds none."""
    rows = facts.rows(DECISION)
    if not rows:
        return
    gates, levels = facts.rows(f"{DECISION}_gate"), facts.rows(f"{DECISION}_level")
    made = []
    for row in rows:
        own = [[one for one in of if one["study"] == row["study"]] for of in (gates, levels)]
        made.append({**decision_values(row, *own), "page": decision_page(row["study"])})
    yield Page(
        DECISIONS_PAGE, "decisions.html", "Release decisions", {"decisions": made}, section=DECISIONS_PAGE,
        found_as="page",
    )  # fmt: skip
    evidence = facts.rows("raw__evidence")
    staged = {row["study"] for row in facts.rows("out__canary_action")}
    for values in made:
        study = values["row"]["study"]
        used = [one for one in evidence if one["study"] == study]
        shown = {"d": values, "evidence": used, "canary_page": canary_page(study) if study in staged else None}
        title = f"Release decision: {values['row']['title']}"
        yield Page(values["page"], "decision.html", title, shown, section=DECISIONS_PAGE, found_as="page")
