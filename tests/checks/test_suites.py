"""Every clause of every derived suite catches its fault, and says the same as a naive reading."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest
from faults import RULE_FAULTS, faulty
from naive_reading import naive

from checks.clause_results import Validation
from checks.clauses import Clause, Suite, SuiteError, rule
from checks.suites import derived_clauses, suite_for, suite_of_gate
from checks.validation import validate
from warehouse.catalog_model import Catalog
from warehouse.tables import TABLES

JUDGED = tuple(RULE_FAULTS)

Tables = dict[str, pl.DataFrame]


def alone(suite: Suite, clause: Clause) -> Suite:
    """A suite of one clause: no other one can take the blame."""
    return Suite(suite.contract, (clause,))


def status_of(validation: Validation, clause: Clause) -> str:
    return next(result.status for result in validation.results if result.name == clause.name)


@pytest.mark.parametrize("table", JUDGED)
def test_a_sound_table_passes_and_evaluates(table: str, sound: Tables, catalog: Catalog) -> None:
    validation = validate(sound[table], suite_for(TABLES[table], catalog))
    assert validation.verdict == "pass", validation.detail()
    assert validation.evaluated >= len(TABLES[table].required)
    assert validation.failed == 0


@pytest.mark.parametrize("table", JUDGED)
def test_every_clause_catches_its_fault(table: str, sound: Tables, catalog: Catalog) -> None:
    suite = suite_for(TABLES[table], catalog)
    for clause in suite.clauses:
        broken = list(faulty(sound[table], suite, clause))
        assert broken, f"{table}: nothing breaks {clause.name}"
        for frame in broken:
            validation = validate(frame, alone(suite, clause))
            assert validation.verdict == "fail", f"{table}: {clause.name} let a fault pass"
            assert status_of(validation, clause) == "fail"


@pytest.mark.parametrize("table", JUDGED)
def test_the_engine_says_what_a_naive_reading_says(table: str, sound: Tables, catalog: Catalog) -> None:
    """C10: the clauses know no engine; two engines give one verdict and the same counts."""
    suite = suite_for(TABLES[table], catalog)
    frames = [sound[table]]
    for clause in suite.clauses:
        if not clause.is_structural:
            frames += list(faulty(sound[table], suite, clause))[:1]
    for frame in frames[:: max(1, len(frames) // 2)]:
        results = {result.name: result for result in validate(frame, suite).results}
        for clause in suite.clauses:
            if not clause.is_structural:
                holds, evaluated, failed = naive(frame, clause)
                result = results[clause.name]
                assert (result.status != "fail") == (holds and (evaluated > 0 or clause.may_be_vacuous)), clause.name
                assert (result.evaluated, result.failed) == (evaluated, failed), clause.name


@pytest.mark.parametrize("table", JUDGED)
def test_a_broken_table_fails_its_whole_suite(table: str, sound: Tables, catalog: Catalog) -> None:
    suite = suite_for(TABLES[table], catalog)
    frame = sound[table]
    key = TABLES[table].key[0]
    assert validate(pl.concat([frame, frame.head(1)]), suite).verdict == "fail"
    assert validate(frame.drop(key), suite).verdict == "fail"


def test_no_suite_tolerates_a_share_of_exceptions(sound: Tables, catalog: Catalog) -> None:
    """C07: one bad row among a thousand fails; exceptions are corrections by id, never a percentage."""
    suite = suite_for(TABLES["core__result"], catalog)
    clause = next(item for item in suite.clauses if item.name == "kind-words")
    many = pl.concat([sound["core__result"]] * 25)
    bad = many.with_columns(
        pl.when(pl.int_range(pl.len()) == 700).then(pl.lit("guessed")).otherwise(pl.col("kind")).alias("kind")
    )
    assert validate(many, alone(suite, clause)).verdict == "pass"
    validation = validate(bad, alone(suite, clause))
    assert validation.verdict == "fail"
    assert validation.results[-1].to_json()["of_rows"] == f"1/{many.height}"


def test_every_table_has_a_suite_of_its_contract(catalog: Catalog) -> None:
    for contract in TABLES.values():
        kinds = [clause.kind for clause in derived_clauses(contract)]
        assert kinds[0] == ("columns" if contract.may_be_empty else "row_count")
        assert kinds.count("not_null") == len(contract.required)
        suite_for(contract, catalog)
    assert suite_of_gate("conservation", catalog) is None
    with pytest.raises(KeyError):
        suite_of_gate("suite-core__nothing", catalog)


CONTRACT = TABLES["out__dimension_score"]


@pytest.mark.parametrize(
    "clause",
    [
        Clause("list", "not_null", "", columns=(["mu"],)),  # type: ignore[arg-type]
        Clause("list", "not_null", "", columns=["mu"]),  # type: ignore[arg-type]
        Clause("missing", "not_null", "", columns=("score",)),
        Clause("two", "between", "", columns=("mu", "sigma"), low=0),
        Clause("text", "between", "", columns=("category",), low=0),
        Clause("number", "in_set", "", columns=("mu",), words=("a",)),
        Clause("empty", "in_set", "", columns=("category",)),
        Clause("ruleless", "rule", ""),
        rule("missing", "", pl.col("score") > 0),
    ],
)
def test_a_suite_that_does_not_fit_its_table_is_an_error_of_ours(clause: Clause) -> None:
    """C14: a wrong or missing column in a suite is a configuration error, neither pass nor fail."""
    with pytest.raises(SuiteError):
        Suite(CONTRACT, (clause,))


def test_clause_names_are_unique() -> None:
    twice = Clause("mu", "not_null", "", columns=("mu",))
    with pytest.raises(SuiteError, match="repeat"):
        Suite(CONTRACT, (twice, twice))


def test_judging_needs_no_table_of_a_fixed_size(catalog: Catalog, judge: Callable[..., object]) -> None:
    """C03: an empty table fails its suite, unless the contract lets it be empty."""
    for table in JUDGED:
        validation = validate(TABLES[table].empty(), suite_for(TABLES[table], catalog))
        assert validation.verdict == ("pass" if TABLES[table].may_be_empty else "fail"), table
        assert not [result for result in validation.results if result.status == "errored"]
