"""Model pages: every category of a model, each score taken apart down to its rows, and what did not count."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from methods.lineage.explanation import Explanation
from resources.site import links, parts
from resources.site.drawing import axis_over, running
from resources.site.facts import Facts
from resources.site.page import Page, Plain
from resources.site.pages.changes import PARTS
from warehouse.vocabulary import CATEGORIES

RESTS_ON: Final = (
    "raw__snapshot", "raw__row", "core__result", "core__evidence", "core__exclusion", "out__dimension_score",
    "out__category_score", "out__score_weight",
)  # fmt: skip


def models(facts: Facts) -> Iterator[Page | Plain]:
    """The list of models, and a page for each."""
    yield Page(
        "models.html",
        "models.html",
        "Models",
        section="models.html",
        rests_on=("out__category_score",),
        content=partial(_all, facts),
    )
    for model_id, scores in facts.models.items():
        yield Page(
            links.model_page(model_id),
            "model.html",
            facts.model_name(model_id),
            {
                "moved": [score for category in scores if (score := facts.moved.get((category, model_id)))],
                "baseline": facts.manifest.baseline_release_id if facts.inputs.changes else None,
                "parts_in_words": PARTS,
            },
            section="models.html",
            found_as="model",
            rests_on=RESTS_ON,
            content=partial(_one, facts, model_id),
        )


def _all(facts: Facts) -> dict[str, Any]:
    rows = [
        {"model_id": model_id, "name": facts.model_name(model_id), "developer": _developer(facts, model_id), "of": of}
        for model_id, of in facts.models.items()
    ]
    return {"rows": rows, "categories": CATEGORIES}


def _one(facts: Facts, model_id: str) -> dict[str, Any]:
    scores, spec = facts.models[model_id], facts.catalog.model_by_id.get(model_id)
    explained = [facts.explanations.explain(model_id, category) for category in CATEGORIES if category in scores]
    unread = facts.explanations.unread_of(model_id)
    axis = axis_over([row[end] for row in scores.values() for end in ("low80", "high80")])
    return {
        "model_id": model_id,
        "developer": _developer(facts, model_id),
        "aliases": spec.aliases if spec else (),
        "urls": spec.urls if spec else (),
        "categories": parts.categories(scores, axis),
        "axis": axis,
        "slope": facts.catalog.methodology.category.slope,
        "explained": [_waterfall(facts, item) for item in explained],
        "unread": facts.lines.unread(unread),
        "unread_count": len(unread),
    }


def _developer(facts: Facts, model_id: str) -> str | None:
    spec = facts.catalog.model_by_id.get(model_id)
    return spec.developer if spec else None


def _waterfall(facts: Facts, item: Explanation) -> dict[str, Any]:
    """An explanation with the place of each step on the waterfall's axis, in the order of the page's rows."""
    steps: list[float] = []
    for part in item.dimensions:
        steps += [own.contribution for own in part.own]
        steps += [effect.contribution for effect in part.cohort]
    bars = running(item.centre, steps)
    axis = axis_over([item.centre, item.unclamped, *(end for bar in bars for end in bar)])
    drawn = iter([(axis.at(start), axis.at(end), end < start) for start, end in bars])
    lines = facts.lines
    steps_of = [
        "".join(
            [lines.own(own, next(drawn)) for own in part.own]
            + [lines.cohort(effect, next(drawn)) for effect in part.cohort]
        )
        for part in item.dimensions
    ]
    return {
        "e": item,
        "axis": axis,
        "parts": parts.dimensions(item, steps_of),
        "shares": parts.shares(item),
        "excluded": lines.of_model(row for row in item.excluded if row.metric_id is not None),
        "at_centre": axis.at(item.centre),
        "at_total": axis.at(item.total),
    }
