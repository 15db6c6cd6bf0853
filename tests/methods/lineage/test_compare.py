"""Where two makings of a table differ: the first table, its first rows, both values."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest

from methods.lineage.compare import compare_tables, differing_cells
from warehouse.contracts import TableContract
from warehouse.hashing import table_hash
from warehouse.tables import OUT_DIMENSION_SCORE, OUT_GATE, OUT_PRODUCT, OUT_SCORE_WEIGHT, TABLES

KEYS = [("coding", f"m{n}") for n in range(8)]


def dimension(mu: dict[str, float] | None = None, models: int = 8) -> pl.DataFrame:
    rows = [
        {"category": category, "dimension": "generation", "model_id": model, "mu": (mu or {}).get(model, 0.1),
         "sigma": 0.5, "families": 1, "observations": 2, "is_overlap_calibrated": True}
        for category, model in KEYS[:models]
    ]  # fmt: skip
    return OUT_DIMENSION_SCORE.conform(pl.DataFrame(rows, schema=OUT_DIMENSION_SCORE.polars_schema()))


def hashes(**frames: pl.DataFrame) -> dict[str, str]:
    return {name: table_hash(frame, TABLES[name]) for name, frame in frames.items()}


def test_equal_tables_differ_in_nothing() -> None:
    frames = {"out__dimension_score": dimension()}
    assert compare_tables(hashes(**frames), frames, {"out__dimension_score": dimension().reverse()}) == []


def test_a_recomputed_value_names_table_row_column_and_both_values() -> None:
    stored = {"out__dimension_score": dimension()}
    again = {"out__dimension_score": dimension({"m3": 0.1 + 1e-16})}
    assert again["out__dimension_score"]["mu"][3] != 0.1
    [found] = compare_tables(hashes(**stored), stored, again)
    assert (found.table, found.side, found.total) == ("out__dimension_score", "recomputed", 1)
    [cell] = found.cells
    assert cell.key == {"category": "coding", "dimension": "generation", "model_id": "m3"}
    assert (cell.column, cell.expected) == ("mu", 0.1)
    assert "model_id='m3'), column mu: expected 0.1, found 0.1000000000000001" in found.text


def test_the_first_table_of_the_journey_is_named_first() -> None:
    product = OUT_PRODUCT.conform(
        pl.DataFrame({"product": ["scores"], "status": ["published"], "blocked_by": [None]},
                     schema=OUT_PRODUCT.polars_schema())
    )  # fmt: skip
    stored = {"out__product": product, "out__dimension_score": dimension()}
    again = {
        "out__product": product.with_columns(status=pl.lit("blocked")),
        "out__dimension_score": dimension({"m1": 9.0}),
    }
    assert [found.table for found in compare_tables(hashes(**stored), stored, again)] == [
        "out__dimension_score", "out__product",
    ]  # fmt: skip


def test_a_changed_parquet_is_told_from_a_changed_recomputation() -> None:
    honest, forged = {"out__dimension_score": dimension()}, {"out__dimension_score": dimension({"m0": 3.0})}
    [found] = compare_tables(hashes(**honest), forged, honest)
    assert (found.side, found.cells[0].expected, found.cells[0].actual) == ("stored", 0.1, 3.0)
    both = compare_tables(hashes(**honest), forged, forged)
    assert [found.side for found in both] == ["stored", "recomputed"]
    assert [found.total for found in both] == [0, 0], "against one another they do not differ"


def test_missing_and_new_rows_are_named() -> None:
    stored, again = {"out__dimension_score": dimension(models=8)}, {"out__dimension_score": dimension(models=6)}
    [found] = compare_tables(hashes(**stored), stored, again)
    assert found.total == 2
    assert "row (category='coding', dimension='generation', model_id='m6') is missing" in found.text
    [found] = compare_tables(hashes(**again), again, stored)
    assert "model_id='m6') is new" in found.text


def test_at_most_five_are_shown_and_the_rest_counted() -> None:
    stored = {"out__dimension_score": dimension()}
    again = {"out__dimension_score": dimension({model: 0.2 for _, model in KEYS})}
    [found] = compare_tables(hashes(**stored), stored, again)
    assert (len(found.cells), found.total) == (5, 8)
    assert [cell.key["model_id"] for cell in found.cells] == ["m0", "m1", "m2", "m3", "m4"]
    assert found.text.endswith("and 3 more")


def test_missing_unknown_and_broken_tables_are_named() -> None:
    frame = dimension()
    expected = {"out__dimension_score": table_hash(frame, OUT_DIMENSION_SCORE), "gone": "h"}
    found = compare_tables(expected, {"out__dimension_score": frame}, {"out__dimension_score": frame.drop("mu")})
    assert [(one.table, one.side) for one in found] == [
        ("out__dimension_score", "recomputed"), ("gone", "stored"), ("gone", "recomputed"),
    ]  # fmt: skip
    assert "missing columns ['mu']" in found[0].text
    assert "no such contract" in found[1].text
    [found_one] = compare_tables({}, {}, {"out__dimension_score": frame})[1:]
    assert found_one.expected_hash is None
    assert "the manifest says no such table" in found_one.text


def test_within_tolerance_only_where_the_manifest_says_so() -> None:
    stored = {"out__dimension_score": dimension({"m0": 1.0})}
    near, far = dimension({"m0": 1.0 + 5e-13}), dimension({"m0": 1.0 + 5e-12})
    loose = frozenset(stored)
    assert compare_tables(hashes(**stored), stored, {"out__dimension_score": near}, loose) == []
    assert len(compare_tables(hashes(**stored), stored, {"out__dimension_score": near})) == 1
    assert len(compare_tables(hashes(**stored), stored, {"out__dimension_score": far}, loose)) == 1
    assert len(compare_tables(hashes(**stored), {"out__dimension_score": near}, stored, loose)) == 1, "stored is exact"
    integers = {"out__dimension_score": near.with_columns(families=pl.lit(2, pl.Int64))}
    assert len(compare_tables(hashes(**stored), stored, integers, loose)) == 1


@pytest.mark.parametrize("nulls", [True, False])
def test_null_keys_and_null_values_meet_only_null(nulls: bool) -> None:
    """D18: the keys of the cohort rows hold null; a null meets a null, and differs from a value."""
    rows = [
        {"category": "coding", "dimension": "generation", "model_id": "m", "metric_id": metric, "role": "cohort",
         "evidence_id": None, "weight": 1.0, "z": None, "contribution": 2.0}
        for metric in ("a", "b")
    ]  # fmt: skip
    frame = OUT_SCORE_WEIGHT.conform(pl.DataFrame(rows, schema=OUT_SCORE_WEIGHT.polars_schema()))
    other = frame if nulls else frame.with_columns(z=pl.lit(0.0))
    cells, total = differing_cells(OUT_SCORE_WEIGHT, frame, other)
    assert total == (0 if nulls else 2)
    assert [(cell.column, cell.expected, cell.actual) for cell in cells] == ([] if nulls else [("z", None, 0.0)] * 2)
    assert differing_cells(OUT_SCORE_WEIGHT, frame, other, tolerance=1e-12)[1] == total


def test_columns_outside_the_hash_are_not_compared() -> None:
    rows = [
        {"gate": "g", "product": "scores", "table": "core__result", "severity": "blocking", "verdict": "pass",
         "figure": 0.0, "threshold": None, "evaluated": 1, "failed": 0, "verdict_key": "k",
         "decided_at": date(2026, 10, 20), "detail": "a"}
    ]  # fmt: skip
    frame = OUT_GATE.conform(pl.DataFrame(rows).cast({"decided_at": pl.Datetime("us", "UTC"), "threshold": pl.Float64}))
    assert differing_cells(OUT_GATE, frame, frame.with_columns(detail=pl.lit("b"))) == ((), 0)


def test_lists_are_compared_by_value() -> None:
    contract = TableContract(name="t", grain="", key=("pair_id",), columns=("pair_id", "rules"))
    from warehouse.columns import Column

    contract.__dict__["entries"] = {
        "pair_id": Column("text", "", ""),
        "rules": Column("text_list", "", ""),
    }
    frame = pl.DataFrame({"pair_id": ["a", "b"], "rules": [["x"], []]})
    assert differing_cells(contract, frame, frame)[1] == 0
    assert differing_cells(contract, frame, frame.with_columns(rules=pl.Series([["x"], ["y"]])))[1] == 1
