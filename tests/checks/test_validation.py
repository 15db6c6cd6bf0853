"""What a validation tells apart, how it counts, and that its record is strict, short and made without a trace."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from checks import engine
from checks.clause_results import ClauseResult, Validation
from checks.clauses import Clause, Suite, rule
from checks.engine import EngineError, judge
from checks.suites import suite_for
from checks.validation import validate
from warehouse.catalog_model import Catalog
from warehouse.contracts import TableContract
from warehouse.tables import TABLES

Tables = dict[str, pl.DataFrame]

SCORES = TableContract(
    name="out__dimension_score",
    grain="One row per test.",
    key=("model_id",),
    columns=("model_id", "mu", "category"),
    nullable=frozenset({"mu", "category"}),
)


def frame(mu: list[float | None], category: list[str | None] | None = None) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "model_id": [f"m{place:02d}" for place in range(len(mu))],
            "mu": mu,
            "category": category or [None] * len(mu),
        },
        schema=SCORES.polars_schema(),
    )


def suite(*clauses: Clause) -> Suite:
    shape = (
        Clause("rows", "row_count", "", low=1),
        Clause("columns", "columns", "", columns=SCORES.columns),
        Clause("types", "types", "", columns=SCORES.columns),
    )
    return Suite(SCORES, (*shape, *clauses))


BOUNDS = Clause("mu-bounds", "between", "mu lies within 0 to 1", columns=("mu",), low=0, high=1, may_be_vacuous=True)
SOME = Clause("mu-some", "some_value", "mu is not null throughout", columns=("mu",))


def only(validation: Validation, name: str) -> ClauseResult:
    return next(result for result in validation.results if result.name == name)


def test_nan_is_missing_and_never_the_text_nan() -> None:
    """C01: NaN is counted as missing, not cast to "nan"; a clause of its own finds it."""
    words = Clause("words", "in_set", "", columns=("category",), words=("agent",), may_be_vacuous=True)
    finite = rule("finite", "mu is finite", pl.col("mu").is_finite())
    validation = validate(frame([float("nan"), 0.5], [None, "agent"]), suite(BOUNDS, words, finite))
    bounds = only(validation, "mu-bounds")
    assert (bounds.rows, bounds.evaluated, bounds.failed) == (2, 1, 0)
    assert only(validation, "words").evaluated == 1
    assert only(validation, "finite").status == "fail"
    assert only(validation, "finite").examples[0]["mu"] == "nan"


def test_an_empty_table_never_passes() -> None:
    """C03."""
    validation = validate(frame([]), suite(BOUNDS))
    assert validation.verdict == "fail"
    assert only(validation, "rows").status == "fail"
    assert only(validation, "mu-bounds").status == "not_run"


def test_a_table_that_is_null_throughout_fails_by_completeness() -> None:
    """C04: two nulls lie within every bounds; the completeness clause fails."""
    validation = validate(frame([None, None]), suite(BOUNDS, SOME))
    assert only(validation, "mu-bounds").status == "nothing"
    assert only(validation, "mu-some").status == "fail"
    assert validation.verdict == "fail"


def test_a_clause_that_must_see_rows_and_sees_none_fails() -> None:
    strict = Clause("strict", "between", "", columns=("mu",), low=0, high=1)
    assert only(validate(frame([None]), suite(strict)), "strict").status == "fail"


def test_both_denominators_are_told() -> None:
    """C06: three nulls and one bad value are 1/1 of those looked at and 1/4 of the rows."""
    told = only(validate(frame([None, None, None, 7.0]), suite(BOUNDS)), "mu-bounds").to_json()
    assert (told["status"], told["of_evaluated"], told["of_rows"]) == ("fail", "1/1", "1/4")


def test_a_missing_column_is_a_failure_of_shape_and_nothing_else_is_judged() -> None:
    validation = validate(frame([0.5]).drop("mu"), suite(BOUNDS))
    assert validation.verdict == "fail"
    assert only(validation, "columns").message == "missing ['mu'], unknown []"
    assert only(validation, "mu-bounds").status == "not_run"


@pytest.mark.parametrize("kind", [pl.String, pl.Float32, pl.Int64, pl.Null])
def test_types_are_exact(kind: Any) -> None:
    """A number that arrived as text, or as a whole number, is no number of the contract's type."""
    changed = frame([1.0]).with_columns(pl.lit(None).cast(kind).alias("mu"))
    validation = validate(changed, suite(BOUNDS))
    assert validation.verdict == "fail"
    assert "mu is" in only(validation, "types").message


def test_the_engine_tells_errored_from_failed() -> None:
    """STACK: a missing column comes back as success=False; that is no finding about the data."""
    absent, bad = Clause("absent", "not_null", "", columns=("nowhere",)), BOUNDS
    answers = judge(frame([7.0]), [absent, bad])
    assert answers[0].success is None
    assert "nowhere" in answers[0].message
    assert answers[1].success is False


def test_a_rule_that_crashes_is_an_error_and_the_others_are_judged() -> None:
    crash = rule("crash", "", pl.col("category").str.strptime(pl.Date, "%Y") > pl.date(2020, 1, 1))
    validation = validate(frame([7.0], ["agent"]), suite(BOUNDS, crash))
    assert only(validation, "crash").status == "errored"
    assert only(validation, "mu-bounds").status == "fail"
    assert validation.verdict == "error"
    assert "could not be judged" in validation.detail()


def test_an_engine_that_passes_everything_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """C09: the supported path proves itself on a known frame before its first work."""
    real = engine._run

    def blind(given: pl.DataFrame, clauses: Any) -> list[engine.Answer]:
        return [engine.Answer(True, rows=answer.rows) for answer in real(given, clauses)]

    monkeypatch.setattr(engine, "_run", blind)
    engine._prove.cache_clear()
    try:
        with pytest.raises(EngineError, match="known frame"):
            judge(frame([0.5]), [BOUNDS])
    finally:
        engine._prove.cache_clear()


def test_the_record_is_strict_short_json(sound: Tables, catalog: Catalog) -> None:
    """B11, B13: no NaN, at most twenty examples a clause, long cells cut, whatever the table holds."""
    results = sound["core__result"]
    many = pl.concat([results] * 20).with_columns(
        pl.lit(float("nan")).alias("value"),
        pl.lit("<script>" * 5000).alias("kind"),
        pl.lit(2**62).alias("n_samples"),
    )
    validation = validate(many, suite_for(TABLES["core__result"], catalog))
    record = json.dumps(validation.to_json(), allow_nan=False)
    assert validation.verdict == "fail"
    assert all(len(result.examples) <= 20 for result in validation.results)
    assert len(record) < 200_000
    assert len(validation.detail()) < 4_000


def test_examples_name_the_key_and_the_value() -> None:
    validation = validate(frame([0.5, 7.0]), suite(BOUNDS))
    assert only(validation, "mu-bounds").examples == ({"row": 1, "model_id": "m01", "mu": 7.0},)
    assert "1/2 rows do not, first row 1, model_id m01, mu 7.0" in validation.detail()


def test_integers_beyond_53_bits_and_texts_that_look_like_dates_stay_what_they_are() -> None:
    unique = Clause("key", "unique", "", columns=("model_id",))
    table = frame([0.1, 0.2]).with_columns(pl.Series("model_id", ["2024-11-20", "14000000000000000001"]))
    assert validate(table, suite(unique)).verdict == "pass"


def test_a_compound_key_counts_nulls_as_equal() -> None:
    unique = Clause("key", "unique", "", columns=("mu", "category"))
    assert validate(frame([0.1, 0.1]), suite(unique)).verdict == "fail"
    assert validate(frame([None, None]), suite(unique)).verdict == "fail"
    assert validate(frame([0.1, 0.2]), suite(unique)).verdict == "pass"


def test_judging_leaves_no_file_and_opens_no_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sound: Tables, catalog: Catalog
) -> None:
    def refuse(*_args: Any, **_more: Any) -> None:
        raise AssertionError("a check opened a connection")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    validate(sound["core__exclusion"], suite_for(TABLES["core__exclusion"], catalog))
    assert list(tmp_path.iterdir()) == []


def test_the_engine_is_imported_when_first_needed_and_starts_clean(tmp_path: Path) -> None:
    """Definitions load without Great Expectations; its first use writes nothing, not even into the user's home."""
    script = """
import sys
import checks.gates, checks.products, checks.suites
assert "great_expectations" not in sys.modules and "pandas" not in sys.modules
import polars as pl
from checks.clauses import Clause
from checks.engine import judge
assert judge(pl.DataFrame({"a": [1]}), [Clause("a", "not_null", "", columns=("a",))])[0].success
"""
    home = tmp_path / "home"
    home.mkdir()
    environment = {**os.environ, "HOME": str(home), "TMPDIR": str(home), "PYTHONDONTWRITEBYTECODE": ""}
    environment.pop("PYTHONDONTWRITEBYTECODE")
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert (ran.stdout, ran.stderr) == ("", "")
    assert [path.name for path in tmp_path.rglob("*")] == ["home"]
