"""out__gate and out__product from verdicts: nothing is left out, nothing of one product blocks another."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import polars as pl
import pytest

from checks.gate_table import NO_VERDICT, gate_rows
from checks.products import product_rows
from warehouse.catalog_model import Catalog, GateSpec, StudySpec
from warehouse.contracts import ContractError
from warehouse.hashing import table_hash
from warehouse.tables import OUT_GATE
from warehouse.verdicts import GateResult, StoredVerdict
from warehouse.vocabulary import Verdict

NOW = datetime(2026, 10, 20, 12, 0, tzinfo=UTC)
LATER = datetime(2026, 10, 20, 13, 0, tzinfo=UTC)
BESIDE = ("source_pairs", "board_sensitivity", "linked_score")
"""Products beside the board that rest on its own evidence."""


def verdict(gate: GateSpec, word: Verdict = "pass", *, evaluated: int = 7, at: datetime = NOW) -> StoredVerdict:
    result = GateResult(word, 0.5, gate.threshold, evaluated, 0, f"{gate.id} said {word}")
    return StoredVerdict(gate.id, gate.product, gate.table, gate.severity, result, "k" * 64, at, "c" * 64, None)


def verdicts(catalog: Catalog, **words: Verdict) -> list[StoredVerdict]:
    return [verdict(gate, words.get(gate.id.replace("-", "_"), "pass")) for gate in catalog.gates]


def status(catalog: Catalog, given: list[StoredVerdict]) -> dict[str, tuple[str, str | None]]:
    frame = product_rows(catalog, gate_rows(catalog, given, NOW))
    return {product: (word, by) for product, word, by in frame.iter_rows()}


def test_every_gate_has_a_row_and_a_missing_verdict_is_inconclusive(catalog: Catalog) -> None:
    given = [item for item in verdicts(catalog) if item.gate != "conservation"]
    table = gate_rows(catalog, given, LATER)
    assert table.height == len(catalog.gates)
    row = table.filter(pl.col("gate") == "conservation").row(0, named=True)
    assert (row["verdict"], row["detail"], row["evaluated"]) == ("inconclusive", NO_VERDICT, 0)
    kept = table.filter(pl.col("gate") == "rows-lost").row(0, named=True)
    assert (kept["figure"], kept["threshold"], kept["verdict_key"]) == (0.5, 0.2, "k" * 64)


def test_a_verdict_of_a_gate_that_is_no_more_is_left_out(catalog: Catalog) -> None:
    old = verdict(catalog.gates[0].model_copy(update={"id": "abolished"}))
    assert "abolished" not in set(gate_rows(catalog, [*verdicts(catalog), old], NOW)["gate"])


def test_two_verdicts_of_one_gate_are_refused(catalog: Catalog) -> None:
    with pytest.raises(ContractError, match="repeats"):
        gate_rows(catalog, verdicts(catalog) * 2, NOW)


def test_the_hash_of_gates_does_not_depend_on_clock_or_order(catalog: Catalog) -> None:
    given = verdicts(catalog)
    later = [verdict(gate, at=LATER) for gate in reversed(catalog.gates)]
    assert table_hash(gate_rows(catalog, given, NOW), OUT_GATE) == table_hash(
        gate_rows(catalog, later, LATER), OUT_GATE
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({}, ("published", None)),
        ({"rows_lost": "waived"}, ("published", None)),
        ({"rows_lost": "not_applicable"}, ("published", None)),
        ({"conservation": "not_applicable"}, ("blocked", "conservation")),
        ({"rows_lost": "fail", "conservation": "error"}, ("blocked", "conservation,rows-lost")),
        ({"weights_sum": "inconclusive"}, ("blocked", "weights-sum")),
        ({"broken_sources": "fail"}, ("published", None)),
    ],
)
def test_the_board_goes_out_only_if_each_required_gate_stands(
    catalog: Catalog, words: dict[str, Verdict], expected: tuple[str, str | None]
) -> None:
    beside = dict.fromkeys((*BESIDE, "source_study", "sources-1"), ("published", None))
    assert status(catalog, verdicts(catalog, **words)) == {"scores": expected, **beside}


def test_a_required_gate_without_verdict_or_without_anything_looked_at_blocks(catalog: Catalog) -> None:
    given = verdicts(catalog)
    assert status(catalog, [item for item in given if item.gate != "rows-lost"])["scores"] == ("blocked", "rows-lost")
    blind = [verdict(gate, evaluated=0 if gate.id == "rows-lost" else 7) for gate in catalog.gates]
    assert status(catalog, blind)["scores"] == ("blocked", "rows-lost")


def test_studies_stand_apart(catalog: Catalog, changed_catalog: Callable[..., Catalog]) -> None:
    """B03: a gate of one product never blocks another; a study that nothing judged is not run."""
    judge = StudySpec(id="judge-a", kind="judge", evidence="judge-a", publish=True)
    more = changed_catalog(catalog, studies=(*catalog.studies, judge))
    blocked = ("blocked", "pairs-decided")
    assert status(more, verdicts(more, pairs_decided="fail")) == {
        "judge-a": ("not_run", None),
        "scores": ("published", None),
        **dict.fromkeys(BESIDE, ("published", None)),
        "source_study": blocked,
        "sources-1": blocked,
    }
    assert status(more, verdicts(more, rows_lost="fail"))["source_study"] == ("published", None)
    assert status(more, verdicts(more, suite_core__pair_decision="fail"))["source_pairs"][0] == "blocked"


def test_a_study_that_is_not_named_or_not_published_is_not_run(
    catalog: Catalog, changed_catalog: Callable[..., Catalog]
) -> None:
    none = changed_catalog(catalog, studies=())
    assert status(none, verdicts(none, pairs_decided="not_applicable"))["source_study"] == ("not_run", None)
    kept = changed_catalog(catalog, studies=(catalog.studies[0].model_copy(update={"publish": False}),))
    assert status(kept, verdicts(kept))["source_study"] == ("not_run", "studies.yaml says publish: false")


def test_a_board_that_no_gate_guards_does_not_go_out(catalog: Catalog, changed_catalog: Callable[..., Catalog]) -> None:
    none = changed_catalog(catalog, gates=(), studies=())
    unguarded = ("blocked", "no required gate")
    assert status(none, []) == dict.fromkeys(("scores", *BESIDE), unguarded) | {"source_study": ("not_run", None)}
