"""How much identity matters: error and rated models with no alias registry, an exact one, the whole one (METHODS 2).

none: every received spelling is a model of its own. exact: spellings that the registry lists are joined, one that only
resembles a listed one by its normalized form stands alone. full: the registry as it is. Only spellings that the whole
registry identifies take part, so that the three differ in nothing else. Belongs here: the three registries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from methods.backtest.proof import Plan, prove
from methods.catalog.results import build_results
from methods.names.registry import ModelRegistry
from methods.scoring.categories import RATED, score_categories
from methods.scoring.dimensions import score_dimensions
from methods.scoring.evidence import build_evidence
from warehouse.canonical import sha256_hex
from warehouse.catalog_model import Catalog, ModelSpec
from warehouse.linked_words import ALL, LINKED_METHOD

REGISTRIES: Final = ("none", "exact", "full")


def registry_report(raw_rows: pl.DataFrame, catalog: Catalog) -> list[dict[str, object]]:
    """One entry a registry: models and results with evidence, rated (model, category) pairs, error and coverage.

    Args:
        raw_rows: `raw__row`. catalog: with the whole registry.
    """
    results = build_results(raw_rows, catalog)
    resolved = _resolved(results, catalog)
    return [_entry(name, raw_rows, results, _with_registry(name, catalog, resolved)) for name in REGISTRIES]


def _entry(name: str, raw_rows: pl.DataFrame, results: pl.DataFrame, catalog: Catalog) -> dict[str, object]:
    evidence = build_evidence(raw_rows, results, catalog).evidence
    scores = score_categories(score_dimensions(evidence, catalog.methodology), catalog.methodology)
    proof = prove(evidence, catalog, Plan((("cells", catalog.methodology.backtest.nightly_repetitions),)))
    own = proof.backtest.filter((pl.col("method") == LINKED_METHOD) & (pl.col("category") == ALL))
    row = own.row(0, named=True) if own.height else {"n": 0, "median_error_pp": None, "cover80": None}
    return {
        "registry": name,
        "models": evidence["model_id"].n_unique(),
        "results": evidence.height,
        "rated": sum(one.status == RATED for one in scores),
        "predicted": row["n"],
        "median_error_pp": row["median_error_pp"],
        "cover80": row["cover80"],
    }


def _resolved(results: pl.DataFrame, catalog: Catalog) -> dict[str, str]:
    """Model by received spelling, where the whole registry gives exactly one whatever developer rows state."""
    registry = ModelRegistry(catalog.models)
    found: dict[str, set[str]] = {}
    for name, developer in results.select("model", "developer").unique().sort("model", "developer").rows():
        model_id = registry.resolve(name, developer).model_id
        if model_id is not None:
            found.setdefault(name, set()).add(model_id)
    return {name: ids.pop() for name, ids in found.items() if len(ids) == 1}


def _with_registry(name: str, catalog: Catalog, resolved: Mapping[str, str]) -> Catalog:
    if name == "full":
        return catalog
    known = catalog.model_by_id
    joined: dict[str, list[str]] = {}
    alone: list[ModelSpec] = []
    for spelling, model_id in sorted(resolved.items()):
        model = known[model_id]
        if name == "exact" and spelling in {model.name, *model.aliases}:
            joined.setdefault(model_id, []).append(spelling)
        else:
            own = f"x-{sha256_hex(f'{model_id}:{spelling}'.encode())[:16]}"
            alone.append(ModelSpec(id=own, name=spelling, developer=model.developer))
    models = [
        ModelSpec(id=model_id, name=spellings[0], developer=known[model_id].developer, aliases=tuple(spellings[1:]))
        for model_id, spellings in sorted(joined.items())
    ]
    # a copy of the object would keep its look-ups by id, which are of the other registry
    fields = {field: getattr(catalog, field) for field in Catalog.model_fields}
    return Catalog.model_construct(**{**fields, "models": (*models, *alone)})
