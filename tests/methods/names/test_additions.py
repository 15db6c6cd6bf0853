"""What a proposal would add: results that count, statuses that its counts would allow, and the order that follows."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from methods.names.additions import additions, ranked
from methods.names.proposals import Suggestion
from resources.yaml_documents import load_yaml
from warehouse.catalog_model import Catalog, ModelSpec
from warehouse.methodology import Methodology
from warehouse.metric_model import MetricSpec

CATALOG = Path(__file__).resolve().parents[3] / "warehouse" / "catalog"
DIMENSIONS = ("generation", "repository", "debugging", "tool-driven")


def catalog() -> Catalog:
    """Eight coding metrics, two families in each dimension."""
    metrics = tuple(
        MetricSpec.model_validate({
            "id": f"b{n}", "category": "coding", "dimension": DIMENSIONS[n % 4], "family": f"f{n}",
            "protocol": "p", "direction": "higher", "transform": "logit", "status": "scored",
            "from": [{"benchmark": f"b{n}", "metric": "m"}],
        })
        for n in range(8)
    )  # fmt: skip
    methodology = Methodology.model_validate(load_yaml((CATALOG / "methodology.yaml").read_bytes(), "m").data)
    models = (ModelSpec(id="known", name="Known"), ModelSpec(id="other", name="Other"))
    return Catalog(version="t", sources=(), metrics=metrics, models=models, methodology=methodology, gates=())


def proposal(name: str, model_id: str | None, *against: str) -> Suggestion:
    return Suggestion((name,), 5, ("board",), model_id, (), against, "")


def test_results_and_statuses_that_a_proposal_would_add() -> None:
    """`known` has two dimensions; the alias brings two metrics more, one in a third dimension, and one it has."""
    spec = catalog()
    evidence = pl.DataFrame(
        [(model, f"b{n}", "coding", DIMENSIONS[n % 4], f"f{n}")
         for model, metrics in (("known", (0, 1)), ("other", range(8))) for n in metrics],
        schema=["model_id", "metric_id", "category", "dimension", "family"], orient="row",
    )  # fmt: skip
    waiting = {"alias": ("b0", "b2", "b4"), "stranger": ("b5",), "doubtful": ("b0", "b1", "b2", "b3", "b6")}
    rows = [(f"{name}-{metric}", name, metric) for name, metrics in waiting.items() for metric in metrics]
    results = pl.DataFrame([row[:2] for row in rows], schema=["entry_id", "model"], orient="row")
    exclusions = pl.DataFrame(
        [(row[0], row[2], "model_unidentified") for row in rows] + [("alias-b7", "b7", "display_only")],
        schema=["entry_id", "metric_id", "reason_code"], orient="row",
    )  # fmt: skip
    proposed = [proposal("stranger", None), proposal("doubtful", "known", "another size"), proposal("alias", "known")]
    found = additions(proposed, results, exclusions, evidence, spec)
    assert [(one.results, one.rated, one.estimated) for one in found] == [
        (1, (), ()), (3, ("coding",), ()), (2, ("coding",), ()),
    ]  # fmt: skip
    assert found[2].sentence == "would add 2 results that count; rated in coding"
    order = [one.names[0] for one, _ in ranked(zip(proposed, found, strict=True))]
    assert order == ["alias", "stranger", "doubtful"]
