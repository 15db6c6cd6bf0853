"""Gates of the study: evidence proved, pairs decided, differences that follow; each fails for its own fault."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

from warehouse.catalog_model import Catalog
from warehouse.study_words import STUDY_PAIR_STATES
from warehouse.verdicts import GateResult

Judge = Callable[..., GateResult]
Tables = dict[str, pl.DataFrame]


def test_a_sound_study_passes_each(judge: Judge, sound: Tables) -> None:
    assert judge("evidence-proved").verdict == "pass"
    found = judge("pairs-decided")
    assert (found.verdict, found.evaluated) == ("pass", sound["core__study_pair"].height)
    assert judge("differences-follow").verdict == "pass"


@pytest.mark.parametrize("state", [state for state in STUDY_PAIR_STATES if state != "agreed"])
def test_one_pair_that_does_not_agree_fails(judge: Judge, sound: Tables, state: str) -> None:
    pairs = sound["core__study_pair"]
    worse = pairs.with_columns(
        state=pl.when(pl.int_range(pl.len()) == 0).then(pl.lit(state)).otherwise(pl.col("state"))
    )
    found = judge("pairs-decided", {"core__study_pair": worse})
    assert (found.verdict, found.failed, found.figure) == ("fail", 1, 1.0)
    assert f"1 {state}" in found.detail


def test_evidence_that_is_not_proved_fails_with_its_reason(judge: Judge, sound: Tables) -> None:
    lost = sound["raw__evidence"].with_columns(sha256=pl.lit(None, pl.String), problem=pl.lit("was changed"))
    found = judge("evidence-proved", {"raw__evidence": lost})
    assert found.verdict == "fail"
    assert "was changed" in found.detail


def test_a_difference_that_counts_other_pairs_fails(judge: Judge, sound: Tables) -> None:
    more = sound["out__source_difference"].with_columns(n=pl.col("n") + 1)
    found = judge("differences-follow", {"out__source_difference": more})
    assert (found.verdict, found.failed) == ("fail", 6)


def test_without_a_study_the_gates_do_not_apply(
    judge: Judge, catalog: Catalog, changed_catalog: Callable[..., Catalog]
) -> None:
    none = changed_catalog(catalog, studies=())
    for gate in catalog.gates:
        if gate.product == "source_study":
            assert judge(gate.id, of=none).verdict == "not_applicable"
