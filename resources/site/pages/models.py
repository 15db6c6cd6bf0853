"""Model pages: every category of a model, each score taken apart down to its rows, and what did not count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from methods.lineage.explanation import Explanation
from resources.site import links
from resources.site.drawing import axis_over, running
from resources.site.facts import Facts
from resources.site.page import Page, Plain
from resources.site.pages.changes import PARTS
from warehouse.vocabulary import CATEGORIES


def models(facts: Facts) -> Iterator[Page | Plain]:
    """The list of models, and a page for each."""
    rows = [
        {"model_id": model_id, "name": facts.model_name(model_id), "developer": _developer(facts, model_id), "of": of}
        for model_id, of in facts.models.items()
    ]
    yield Page("models.html", "models.html", "Models", {"rows": rows, "categories": CATEGORIES}, section="models.html")
    for model_id, scores in facts.models.items():
        explained = [facts.explanations.explain(model_id, category) for category in CATEGORIES if category in scores]
        spec = facts.catalog.model_by_id.get(model_id)
        unread = facts.explanations.unread_of(model_id)
        yield Page(
            links.model_page(model_id),
            "model.html",
            facts.model_name(model_id),
            {
                "model_id": model_id,
                "developer": _developer(facts, model_id),
                "aliases": spec.aliases if spec else (),
                "urls": spec.urls if spec else (),
                "scores": scores,
                "categories": CATEGORIES,
                "axis": axis_over([row[end] for row in scores.values() for end in ("low80", "high80")]),
                "explained": [_waterfall(facts, item) for item in explained],
                "unread": facts.lines.unread(unread),
                "unread_count": len(unread),
                "moved": {category: facts.moved.get((category, model_id)) for category in scores},
                "baseline": facts.manifest.baseline_release_id if facts.inputs.changes else None,
                "parts_in_words": PARTS,
            },
            section="models.html",
            found_as="model",
        )


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
    return {
        "e": item,
        "axis": axis,
        "parts": [
            (
                part,
                Markup(  # noqa: S704 - made of lines
                    "".join(
                        [lines.own(own, next(drawn)) for own in part.own]
                        + [lines.cohort(effect, next(drawn)) for effect in part.cohort]
                    )
                ),
            )
            for part in item.dimensions
        ],
        "excluded": lines.of_model(row for row in item.excluded if row.metric_id is not None),
        "at_centre": axis.at(item.centre),
        "at_total": axis.at(item.total),
    }
