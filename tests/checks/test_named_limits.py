"""Limits that a source states for itself, the shape of a source, and the models that a leaderboard lists no more."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from checks.registry import NAMED_GATES
from methods.lineage.baseline import BaselineFigures
from methods.lineage.stated_fields import stated_fields, stated_models
from warehouse.catalog_model import Catalog
from warehouse.verdicts import GateResult

Tables = dict[str, pl.DataFrame]
Judge = Callable[..., GateResult]
IS_ONE = pl.col("leaderboard") == "board-one"


@pytest.fixture
def limited(catalog: Catalog, changed_catalog: Callable[..., Catalog]) -> Callable[..., Catalog]:
    """The catalog, in which board-one states limits of its own."""

    def change(**limits: Any) -> Catalog:
        sources = tuple(
            type(s).model_validate({**s.model_dump(exclude_unset=True), **limits}) if s.id == "board-one" else s
            for s in catalog.sources
        )
        return changed_catalog(catalog, sources=sources)

    return change


def without(results: pl.DataFrame, field: str) -> pl.DataFrame:
    """The results, of which board-one's state a field no more."""
    emptied = pl.when(IS_ONE).then(None).otherwise(pl.col(field)).cast(results.schema[field])
    return results.with_columns(emptied.alias(field))


def stating(results: pl.DataFrame, field: str, value: object) -> pl.DataFrame:
    return results.with_columns(pl.when(IS_ONE).then(pl.lit(value)).otherwise(pl.col(field)).alias(field))


def figures(former: BaselineFigures, results: pl.DataFrame) -> BaselineFigures:
    values = {name: getattr(former, name) for name in former.__slots__}
    return BaselineFigures(**(values | {"fields": stated_fields(results), "names": stated_models(results)}))


def test_an_optional_column_that_vanishes_is_seen(judge: Judge, sound: Tables, former: BaselineFigures) -> None:
    """Renamed columns: every row is read, none is lost, and one field of each is empty."""
    before = stating(sound["core__result"], "protocol_harness", "v1")
    after = stating(sound["core__result"], "protocol_observation", "v1")
    verdict = judge("schema-drift", {"core__result": after}, baseline=figures(former, before))
    assert verdict.verdict == "fail"
    assert verdict.figure == 1.0
    assert "gone: protocol_harness; new: protocol_observation" in verdict.detail
    assert judge("schema-drift", {"core__result": before}, baseline=figures(former, before)).verdict == "pass"


def test_a_key_of_extra_counts_as_a_field(judge: Judge, sound: Tables, former: BaselineFigures) -> None:
    before = stating(sound["core__result"], "protocol_extra", json.dumps({"cost": 1, "steps_cap": 2}))
    after = stating(sound["core__result"], "protocol_extra", json.dumps({"cost": 1}))
    verdict = judge("schema-drift", {"core__result": after}, baseline=figures(former, before))
    assert verdict.verdict == "fail"
    assert "gone: extra.steps_cap" in verdict.detail


def test_a_source_bears_more_drift_where_it_says_so(
    judge: Judge, sound: Tables, former: BaselineFigures, limited: Callable[..., Catalog]
) -> None:
    before = stating(sound["core__result"], "protocol_harness", "v1")
    after = without(before, "protocol_harness")
    assert judge("schema-drift", {"core__result": after}, baseline=figures(former, before)).verdict == "fail"
    tolerant = judge("schema-drift", {"core__result": after}, baseline=figures(former, before), of=limited(max_drift=1))
    assert tolerant.verdict == "pass"


@pytest.mark.parametrize("gate", ["schema-drift", "board-models-gone"])
def test_a_release_made_before_they_were_kept_is_nothing_to_compare_with(
    judge: Judge, former: BaselineFigures, gate: str
) -> None:
    values = {name: getattr(former, name) for name in former.__slots__}
    old = BaselineFigures(**(values | {"fields": {}, "names": {}}))
    verdict = judge(gate, baseline=old)
    assert verdict.verdict == "pass"
    assert "nothing to compare" in verdict.detail


@pytest.mark.parametrize("gate", sorted(name for name, named in NAMED_GATES.items() if named.compares))
def test_a_first_sight_is_not_applicable(judge: Judge, gate: str) -> None:
    assert judge(gate, baseline=None).verdict == "not_applicable"


def test_models_replaced_by_others_are_gone_though_no_row_is(
    judge: Judge, sound: Tables, former: BaselineFigures, limited: Callable[..., Catalog]
) -> None:
    results = sound["core__result"]
    other = results.with_columns(
        pl.when(IS_ONE).then(pl.col("model") + " v2").otherwise(pl.col("model")).alias("model")
    )
    verdict = judge("board-models-gone", {"core__result": other}, baseline=former)
    assert (verdict.verdict, verdict.figure) == ("fail", 1.0)
    assert "board-one" in verdict.detail
    assert judge("rows-lost", {"core__result": other}, baseline=former).verdict == "pass"
    assert (
        judge("board-models-gone", {"core__result": other}, baseline=former, of=limited(max_gone=1)).verdict == "pass"
    )


def moved(sound: Tables, factor: float) -> Tables:
    """Evidence of board-one times a factor."""
    ids = sound["core__result"].filter(IS_ONE)["entry_id"]
    value = pl.when(pl.col("entry_id").is_in(ids.implode())).then(pl.col("value") * factor).otherwise(pl.col("value"))
    return {"core__evidence": sound["core__evidence"].with_columns(value.alias("value"))}


@pytest.mark.parametrize(
    ("gate", "factor", "limit"), [("value-jump", 3.0, {"max_jump": 1}), ("scale-change", 100.0, {"max_scale": 2.5})]
)
def test_values_that_moved_are_told_and_borne_where_the_source_says_so(
    judge: Judge,
    sound: Tables,
    former: BaselineFigures,
    limited: Callable[..., Catalog],
    gate: str,
    factor: float,
    limit: dict[str, float],
) -> None:
    verdict = judge(gate, moved(sound, factor), baseline=former)
    assert verdict.verdict == "fail", verdict.detail
    assert "board-one" in verdict.detail
    if gate == "value-jump":
        assert " -> " in verdict.detail
    assert judge(gate, moved(sound, factor), baseline=former, of=limited(**limit)).verdict == "pass"


def test_a_source_sets_the_length_of_a_column_of_one_value(
    judge: Judge, sound: Tables, limited: Callable[..., Catalog]
) -> None:
    ids = sound["core__result"].filter(IS_ONE)["entry_id"]
    value = pl.when(pl.col("entry_id").is_in(ids.implode())).then(0.0).otherwise(pl.col("value"))
    zero = {"core__result": sound["core__result"].with_columns(value.alias("value"))}
    assert judge("degenerate-column", zero).verdict == "fail"
    assert judge("degenerate-column", zero, of=limited(max_same=10_000)).verdict == "pass"


@pytest.mark.parametrize(
    "gate", ["rows-lost", "evidence-lost", "models-disappeared", "value-jump", "scale-change", "board-models-gone"]
)
def test_nothing_is_lost_against_a_release_that_had_nothing(judge: Judge, gate: str) -> None:
    """The first days of a backfill: a release of one small board scores no model, and the next one scores some."""
    bare = BaselineFigures("2026-10-19-0123456789ab", {}, {}, {}, {}, {})
    verdict = judge(gate, baseline=bare)
    assert verdict.verdict == "pass", verdict.detail
    assert verdict.evaluated > 0
