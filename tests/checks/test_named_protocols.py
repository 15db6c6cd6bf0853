"""Gates of protocol sensitivity and of the board's own: three values, and what would decide."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import polars as pl
import pytest

from checks.gates import GateInputs, evaluate
from methods.protocols.verdicts import held_against, share_held_against
from methods.statistics.bootstrap import Interval
from methods.statistics.wilson import wilson_interval
from warehouse.canonical import canonical_sha256
from warehouse.catalog_model import Catalog, GateSpec, StudySpec
from warehouse.tables import TABLES
from warehouse.verdicts import GateResult

NOW = datetime(2026, 10, 20, 12, 0, tzinfo=UTC)
NAMES = ["a", "b", "c"]


def panel(**changes: Any) -> pl.DataFrame:
    row = {
        "study": "winds", "comparison": "across", "protocol_a": "p", "protocol_b": "q", "convention": None,
        "sites": 100, "undefined_sites": 0, "candidates": 3, "coordinates": 7, "mean_pss": 0.1, "pss_low": 0.05,
        "pss_high": 0.15,
        "swapped_sites": 3, "swap_share": 0.03, "swap_low": 0.01, "swap_high": 0.085, "resolution": 4 / 42,
        "is_resolution_exact": True, "dropped_coordinates": 0, "tied_wins": 0, "left_out_units": 0,
        "candidate_set_sha256": canonical_sha256(NAMES), "reason_code": None, **changes,
    }  # fmt: skip
    return pl.DataFrame([row], schema=TABLES["out__protocol_panel"].polars_schema())


def candidates(names: list[str]) -> pl.DataFrame:
    rows = [
        {"study": "winds", "protocol": "p", "convention": None, "candidate": name, "mean_rank": 1.0, "place": 1,
         "wins": 1, "coordinates": 7}
        for name in names
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=TABLES["out__protocol_candidate"].polars_schema())


def judged(catalog: Catalog, gate: str, table: pl.DataFrame, measured: list[str], **options: Any) -> GateResult:
    study = StudySpec(id="winds", kind="protocol_sensitivity", evidence="winds", options=options)
    line = next(one for one in catalog.study_gates if one.id == gate)
    spec = line.model_copy(update={"id": f"{gate}.winds", "product": "winds", "study": "winds"})
    frames = {"out__protocol_panel": table, "out__protocol_candidate": candidates(measured)}
    of = catalog.model_copy(update={"studies": (study,)})
    return evaluate(spec, GateInputs(frames, of, None, NOW, NOW.date()))


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "pass"),
        ({"mean_pss": 0.5, "pss_low": 0.4, "pss_high": 0.6}, "fail"),
        ({"mean_pss": 0.3, "pss_low": 0.2, "pss_high": 0.4}, "inconclusive"),
        ({"mean_pss": 0.3, "pss_low": None, "pss_high": None, "sites": 1}, "inconclusive"),
        ({"mean_pss": None, "swap_share": None, "pss_low": None, "pss_high": None, "resolution": None, "sites": 0},
         "inconclusive"),
    ],
)  # fmt: skip
def test_mean_pss_has_three_values(catalog: Catalog, changes: dict[str, Any], verdict: str) -> None:
    found = judged(catalog, "protocol-pss", panel(**changes), NAMES)
    assert found.verdict == verdict
    assert "share of swapped sites" in found.detail
    if verdict == "inconclusive":
        assert "would" in found.detail


@pytest.mark.parametrize(
    ("swapped", "verdict"), [(3, "pass"), (40, "fail"), (12, "inconclusive"), (10, "inconclusive")]
)
def test_winner_swap_has_three_values(catalog: Catalog, swapped: int, verdict: str) -> None:
    changes = {"swapped_sites": swapped, "swap_share": swapped / 100}
    found = judged(catalog, "protocol-winner-swap", panel(**changes), NAMES)
    assert found.verdict == verdict
    assert "mean PSS" in found.detail


def test_another_candidate_set_voids_every_verdict(catalog: Catalog) -> None:
    for gate in ("protocol-candidates", "protocol-pss", "protocol-winner-swap"):
        assert judged(catalog, gate, panel(), NAMES, candidates=NAMES).verdict == "pass"
        void = judged(catalog, gate, panel(), NAMES, candidates=[*NAMES, "d"])
        assert void.verdict == "inconclusive"
    found = judged(catalog, "protocol-candidates", panel(), [*NAMES, "new"], candidates=[*NAMES, "d"])
    assert "not measured: d" in found.detail
    assert "not declared: new" in found.detail


def test_an_undeclared_candidate_set_is_no_pass_and_is_written_out(catalog: Catalog) -> None:
    found = judged(catalog, "protocol-candidates", panel(), NAMES)
    assert found.verdict == "inconclusive"
    assert "options.candidates: [a, b, c]" in found.detail
    partly = judged(catalog, "protocol-candidates", panel(candidate_set_sha256="0" * 64), NAMES, candidates=NAMES)
    assert partly.verdict == "inconclusive"
    assert "compares 3 of 3" in partly.detail


def test_one_protocol_alone_decides_nothing(catalog: Catalog) -> None:
    for gate in ("protocol-pss", "protocol-winner-swap"):
        found = judged(catalog, gate, panel(comparison="control"), NAMES)
        assert found.verdict == "inconclusive"
        assert "second lawful one" in found.detail


def test_the_number_of_sites_that_would_decide_does() -> None:
    held = share_held_against(12, 100, 0.1, 1.959963984540054)
    assert held.sites_to_decide is not None
    n = held.sites_to_decide
    there = wilson_interval(round(0.12 * n), n, 1.959963984540054)
    assert there is not None
    assert there.low > 0.1
    mean = held_against(0.3, Interval(0.2, 0.4), 0.25, 100)
    assert mean.sites_to_decide == 400
    assert held_against(0.25, Interval(0.2, 0.4), 0.25, 100).sites_to_decide is None
    assert share_held_against(10, 100, 0.1, 1.96).sites_to_decide is None
    with pytest.raises(ValueError, match="no sites"):
        share_held_against(0, 0, 0.1, 1.96)


def board(rows: list[dict[str, Any]]) -> pl.DataFrame:
    empty = {
        "meaning": "m", "category": "coding", "candidates": 9, "coordinates": 4, "swap_share": 0.0,
        "is_resolution_exact": False, "dropped_coordinates": 0, "tied_wins": 0,
    }  # fmt: skip
    reference = {"variant": "resampled", "variant_kind": "reference", "pss": 0.2, "pss_low": 0.1, "pss_high": 0.3}
    return pl.DataFrame(
        [{**empty, **reference}, *({**empty, "variant_kind": "constant", "is_swapped": False, **row} for row in rows)],
        schema=TABLES["out__board_sensitivity"].polars_schema(),
    )


def judged_board(catalog: Catalog, gate: str, table: pl.DataFrame) -> GateResult:
    spec: GateSpec = catalog.gate_by_id[gate]
    return evaluate(spec, GateInputs({"out__board_sensitivity": table}, catalog, None, NOW, NOW.date()))


@pytest.mark.parametrize(("pss", "verdict"), [(0.1, "pass"), (0.25, "inconclusive"), (0.35, "fail")])
def test_the_board_is_held_against_evidence_drawn_anew(catalog: Catalog, pss: float, verdict: str) -> None:
    found = judged_board(catalog, "board-pss", board([{"variant": "identity", "pss": pss}]))
    assert found.verdict == verdict
    assert "identity in coding" in found.detail
    assert ("would decide" in found.detail) == (verdict == "inconclusive")


@pytest.mark.parametrize(("drawn", "verdict"), [(0.9, "inconclusive"), (0.0, "fail")])
def test_swapped_categories_beside_draws_that_swap(catalog: Catalog, drawn: float, verdict: str) -> None:
    rows = [{"variant": "identity", "pss": 0.1, "is_swapped": True}, {"variant": "cap", "pss": 0.1}]
    table = board(rows).with_columns(
        swap_share=pl.when(pl.col("variant") == "resampled").then(drawn).otherwise(pl.col("swap_share"))
    )
    assert judged_board(catalog, "board-winner-swap", table).verdict == verdict
    assert judged_board(catalog, "board-winner-swap", board([{"variant": "cap", "pss": 0.1}])).verdict == "pass"


def test_a_board_without_anything_to_compare_is_no_pass(catalog: Catalog) -> None:
    nothing = board([]).with_columns(pss=pl.lit(None, pl.Float64), swap_share=pl.lit(None, pl.Float64))
    for gate in ("board-pss", "board-winner-swap"):
        assert judged_board(catalog, gate, nothing).verdict == "inconclusive"
