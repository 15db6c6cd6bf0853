"""Publication refuses for every reason it must, each its own test, and for no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from methods.release.publication import expected_verdict_key, refusals, valid_waiver
from resources.yaml_documents import load_yaml
from warehouse.canonical import sha256_hex
from warehouse.catalog_model import Catalog, Waiver
from warehouse.methodology import Methodology
from warehouse.stamps import TableStamp
from warehouse.tables import INPUTS
from warehouse.verdicts import GateResult, StoredVerdict
from warehouse.vocabulary import Verdict

DAY = date(2026, 10, 20)
NOON = datetime(2026, 10, 20, 12, tzinfo=UTC)
CODE = sha256_hex(b"code")
RELEASE = "2026-10-20-0123456789ab"
FORMER = "2026-10-19-0123456789ab"
METHODOLOGY_FILE = Path(__file__).resolve().parents[3] / "warehouse" / "catalog" / "methodology.yaml"
METHODOLOGY = Methodology.model_validate(load_yaml(METHODOLOGY_FILE.read_bytes(), "methodology.yaml").data)

GATES: list[dict[str, Any]] = [
    {"id": "suite-core__evidence", "product": "scores", "table": "core__evidence"},
    {"id": "weights-sum", "product": "scores", "table": "out__score_weight", "threshold": 1e-9},
    {"id": "rows-lost", "product": "scores", "table": "core__result", "baseline": True, "threshold": 0.2},
    {"id": "tier-mix", "product": "scores", "table": "core__evidence", "severity": "warning", "required": False},
    {"id": "study-gate", "product": "source_study", "table": "core__result"},
]
JUDGED = {"weights-sum": ("out__category_score", "out__score_weight")}


def catalog_of(gates: list[dict[str, Any]] = GATES, waivers: tuple[Waiver, ...] = ()) -> Catalog:
    return Catalog.model_validate(
        {"version": "1", "sources": (), "metrics": (), "models": (), "methodology": METHODOLOGY,
         "gates": tuple(gates), "waivers": waivers}
    )  # fmt: skip


def waiver(until: datetime = NOON + timedelta(days=1), gate: str = "weights-sum") -> Waiver:
    return Waiver(gate=gate, reason="known", who="a", approved_by="b", until=until)


@dataclass
class Stand:
    """What stands on disk: by default a day that may be published."""

    catalog: Catalog = field(default_factory=catalog_of)
    baseline: str | None = FORMER
    stamps: dict[str, TableStamp] = field(default_factory=dict)
    actual: dict[str, str] = field(default_factory=dict)
    verdicts: dict[str, StoredVerdict] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in INPUTS:
            self.materialize(name)
        for gate in self.catalog.gates:
            self.judge(gate.id)

    def materialize(self, name: str, values: str = "", **changes: Any) -> None:
        """Write a table again, from the inputs that stand now."""
        stamp = TableStamp(
            table=name, as_of=DAY, table_hash=sha256_hex(f"{name}{values}".encode()), rows=1,
            catalog_sha256=self.catalog.sha256, methodology_version=self.catalog.methodology.version,
            code_version=CODE, inputs={given: self.actual[given] for given in INPUTS[name]}, release_id=RELEASE,
        )  # fmt: skip
        self.stamps[name] = replace(stamp, **changes)
        self.actual[name] = self.stamps[name].table_hash

    def judge(self, gate_id: str, verdict: Verdict = "pass", evaluated: int = 3, at: datetime = NOON) -> None:
        """Run a gate on what stands now."""
        gate = self.catalog.gate_by_id[gate_id]
        inputs = {name: self.actual[name] for name in JUDGED.get(gate_id, (gate.table,))}
        self.verdicts[gate_id] = StoredVerdict(
            gate=gate_id, product=gate.product, table=gate.table, severity=gate.severity,
            result=GateResult(verdict, 0.5, gate.threshold, evaluated, 0, f"what {gate_id} found"),
            verdict_key=expected_verdict_key(gate, inputs, self.catalog.sha256, self.baseline),
            decided_at=at, catalog_sha256=self.catalog.sha256, baseline_release_id=self.baseline, inputs=inputs,
        )  # fmt: skip

    def refusals(self, **changes: Any) -> list[str]:
        given: dict[str, Any] = {
            "as_of": DAY, "catalog": self.catalog, "stamps": self.stamps, "actual_hashes": self.actual,
            "verdicts": self.verdicts, "baseline_release_id": self.baseline, "code_version": CODE,
            "release_id": RELEASE, "decided_at": NOON,
        }  # fmt: skip
        return refusals(**{**given, **changes})


def only(reasons: list[str], *parts: str) -> None:
    """The one reason given says all of this."""
    assert len(reasons) == 1, reasons
    for part in parts:
        assert part in reasons[0]


def test_what_stands_may_be_published() -> None:
    assert Stand().refusals() == []


def test_a_first_release_may_be_published_without_baseline() -> None:
    stand = Stand(baseline=None)
    stand.judge("rows-lost", "not_applicable", evaluated=0)
    assert stand.refusals() == []


# Publishing alone, without checks, after a re-materialization, on an old partition.


def test_publishing_alone_with_nothing_made_is_refused() -> None:
    reasons = refusals(
        DAY, catalog_of(), {}, {}, {}, None, code_version=CODE, release_id=RELEASE, decided_at=NOON
    )  # fmt: skip
    assert len(reasons) == len(INPUTS) + 3
    assert reasons[0] == "raw__snapshot: was not made for 2026-10-20; run the whole graph for that day"


@pytest.mark.parametrize("name", list(INPUTS))
def test_one_missing_table_is_refused(name: str) -> None:
    stand = Stand()
    del stand.stamps[name]
    del stand.actual[name]
    assert any(reason.startswith(f"{name}: was not made for 2026-10-20") for reason in stand.refusals())


def test_a_run_without_checks_is_refused() -> None:
    stand = Stand()
    stand.verdicts.clear()
    reasons = stand.refusals()
    assert [reason.split(":")[0] for reason in reasons] == [
        "gate suite-core__evidence", "gate weights-sum", "gate rows-lost",
    ]  # fmt: skip
    assert all("gave no verdict for 2026-10-20; run the checks" in reason for reason in reasons)


def test_a_failing_verdict_in_the_store_is_refused_by_publishing_alone() -> None:
    """B04: verdict(hash H) = fail stands in the store; publishing alone refuses."""
    stand = Stand()
    stand.judge("weights-sum", "fail")
    only(stand.refusals(), "gate weights-sum: fail: what weights-sum found")


def test_after_rematerialization_the_old_verdict_no_longer_counts() -> None:
    stand = Stand()
    stand.materialize("out__score_weight", "other values")
    only(stand.refusals(), "gate weights-sum: judged out__score_weight", "run the checks again")


def test_rematerializing_the_middle_breaks_the_chain() -> None:
    stand = Stand()
    stand.materialize("core__evidence", "other values")
    reasons = stand.refusals()
    for name in ("core__exclusion", "out__dimension_score", "out__category_score", "out__score_weight"):
        assert any(r.startswith(f"{name}: was computed from core__evidence") for r in reasons), name
    assert any(reason.startswith("gate suite-core__evidence: judged core__evidence") for reason in reasons)


def test_rematerializing_the_same_values_changes_nothing() -> None:
    stand = Stand()
    stand.materialize("core__evidence")
    assert stand.refusals() == []


def test_an_old_partitions_verdicts_and_tables_are_refused() -> None:
    stand = Stand()
    reasons = stand.refusals(as_of=DAY + timedelta(days=1))
    assert len(reasons) == len(INPUTS)
    assert all("is stamped for day 2026-10-20, now it is 2026-10-21" in reason for reason in reasons)


def test_a_table_put_in_anothers_place_is_refused() -> None:
    stand = Stand()
    stand.stamps["core__exclusion"] = replace(stand.stamps["core__exclusion"], table="core__evidence")
    only(stand.refusals(), "core__exclusion: is stamped as table core__evidence")


# Values that changed, chains that are broken.


def test_a_table_edited_after_it_was_made_is_refused() -> None:
    stand = Stand()
    stand.actual["out__dimension_score"] = sha256_hex(b"edited")
    only(stand.refusals(), "out__dimension_score: holds values that hash to", "changed after it was made")


def test_an_edit_is_refused_even_with_a_matching_stamp() -> None:
    """Whoever edits and restamps a table still breaks the chain behind it and the verdicts on it."""
    stand = Stand()
    stand.materialize("core__result", "edited and restamped")
    reasons = stand.refusals()
    assert any(reason.startswith("core__evidence: was computed from core__result") for reason in reasons)
    assert any(reason.startswith("gate rows-lost: judged core__result") for reason in reasons)


def test_a_table_that_does_not_say_its_inputs_is_refused() -> None:
    stand = Stand()
    stand.stamps["core__result"] = replace(stand.stamps["core__result"], inputs={})
    only(stand.refusals(), "core__result: does not say which raw__row it was computed from")


def test_an_input_beyond_those_of_the_contract_must_stand_too() -> None:
    stand = Stand()
    extra = {**stand.stamps["core__result"].inputs, "raw__evidence": "h"}
    stand.stamps["core__result"] = replace(stand.stamps["core__result"], inputs=extra)
    only(stand.refusals(), "core__result: was computed from raw__evidence h, now nothing stands")


def test_further_tables_of_the_release_are_held_to_the_same() -> None:
    stand = Stand()
    stamp = replace(stand.stamps["core__result"], table="out__gate", inputs={}, table_hash="h")
    assert stand.refusals(stamps={**stand.stamps, "out__gate": stamp},
                          actual_hashes={**stand.actual, "out__gate": "h"}) == []  # fmt: skip
    only(
        stand.refusals(stamps={**stand.stamps, "out__gate": stamp}, actual_hashes={**stand.actual, "out__gate": "x"}),
        "out__gate: holds values that hash to x, its stamp says h",
    )


# Another catalog, methodology, program, release.


def test_tables_made_with_another_catalog_are_refused() -> None:
    """The catalog was edited after the run: every table and every verdict is of the old one."""
    stand = Stand()
    edited = catalog_of([*GATES, {"id": "new", "product": "other", "table": "core__result"}])
    reasons = stand.refusals(catalog=edited)
    assert sum("was computed with catalog" in reason for reason in reasons) == len(INPUTS)
    assert sum("under another threshold, definition, catalog or baseline" in reason for reason in reasons) == 3


def test_a_tightened_threshold_voids_the_verdict() -> None:
    """All else equal, the catalog hash included: the gate's own definition is in the key."""
    stand = Stand()
    gates = [gate | ({"threshold": 1e-12} if gate["id"] == "weights-sum" else {}) for gate in GATES]
    tightened = catalog_of(gates)
    tightened.__dict__["sha256"] = stand.catalog.sha256
    only(stand.refusals(catalog=tightened), "gate weights-sum", "under another threshold")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"catalog_sha256": "c" * 64}, "was computed with catalog cccccccccccc"),
        ({"methodology_version": "2.9"}, "was computed with methodology 2.9"),
        ({"code_version": "d" * 64}, "was computed by code dddddddddddd"),
        ({"release_id": FORMER}, f"was made for release {FORMER}, now it is {RELEASE}"),
    ],
)
def test_one_table_made_otherwise_is_refused(change: Mapping[str, str], says: str) -> None:
    stand = Stand()
    stand.stamps["core__exclusion"] = replace(stand.stamps["core__exclusion"], **change)  # type: ignore[arg-type]
    only(stand.refusals(), f"core__exclusion: {says}", "run the whole graph again")


def test_a_program_that_changed_since_is_refused() -> None:
    assert len(Stand().refusals(code_version="e" * 64)) == len(INPUTS)


def test_a_table_whose_rows_name_no_release_fits_any() -> None:
    stand = Stand()
    stand.stamps["core__exclusion"] = replace(stand.stamps["core__exclusion"], release_id=None)
    assert stand.refusals() == []


# Verdicts.


@pytest.mark.parametrize("verdict", ["fail", "error", "inconclusive"])
def test_a_verdict_that_is_no_pass_is_refused(verdict: Verdict) -> None:
    """A gate that crashed is `error`, and that is no pass."""
    stand = Stand()
    stand.judge("suite-core__evidence", verdict, evaluated=0)
    only(stand.refusals(), f"gate suite-core__evidence: {verdict}: what suite-core__evidence found")


def test_a_pass_that_looked_at_nothing_is_no_pass() -> None:
    stand = Stand()
    stand.judge("weights-sum", "pass", evaluated=0)
    only(stand.refusals(), "gate weights-sum: passed without looking at anything")


def test_not_applicable_although_a_baseline_exists_is_refused() -> None:
    stand = Stand()
    stand.judge("rows-lost", "not_applicable", evaluated=0)
    only(stand.refusals(), f"gate rows-lost: says not_applicable, but release {FORMER} is there")


def test_not_applicable_of_a_gate_that_needs_no_baseline_is_refused() -> None:
    stand = Stand(baseline=None)
    stand.judge("rows-lost", "not_applicable", evaluated=0)
    stand.judge("weights-sum", "not_applicable", evaluated=0)
    only(stand.refusals(), "gate weights-sum: says not_applicable, but it needs no baseline")


def test_a_verdict_against_another_baseline_is_refused() -> None:
    """A backfill made an earlier release meanwhile, or the baseline was withdrawn: only gates that compare are void."""
    stand = Stand()
    other = "2026-10-19-ffffffffffff"
    only(stand.refusals(baseline_release_id=other), f"gate rows-lost: compared with release {FORMER}")
    first = Stand(baseline=None)
    first.judge("rows-lost", "not_applicable", evaluated=0)
    reasons = first.refusals(baseline_release_id=FORMER)
    assert len(reasons) == 2
    assert all(reason.startswith("gate rows-lost") for reason in reasons)


def test_an_expired_waiver_is_refused() -> None:
    """The verdict was waived while the waiver held; publication comes after it ended."""
    stand = Stand(catalog_of(waivers=(waiver(NOON + timedelta(hours=1)),)))
    stand.judge("weights-sum", "waived")
    assert stand.refusals() == []
    only(
        stand.refusals(decided_at=NOON + timedelta(hours=2)),
        "gate weights-sum: says waived, but no waiver was in force at 2026-10-20T14:00:00+00:00",
    )
    stand.judge("weights-sum", "waived", at=NOON + timedelta(hours=2))
    only(stand.refusals(), "no waiver was in force at 2026-10-20T14:00:00+00:00")


def test_waived_without_a_waiver_or_with_anothers_is_refused() -> None:
    for waivers in ((), (waiver(gate="rows-lost"),)):
        stand = Stand(catalog_of(waivers=waivers))
        stand.judge("weights-sum", "waived")
        only(stand.refusals(), "gate weights-sum: says waived")


def test_a_waiver_does_not_lift_an_error() -> None:
    """Only a fail can be waived."""
    stand = Stand(catalog_of(waivers=(waiver(),)))
    stand.judge("weights-sum", "error")
    only(stand.refusals(), "gate weights-sum: error")


def test_the_longest_waiver_in_force_counts() -> None:
    short, long = waiver(NOON), waiver(NOON + timedelta(days=9))
    assert valid_waiver((short, long), "weights-sum", NOON) == long
    assert valid_waiver((short,), "weights-sum", NOON) == short
    assert valid_waiver((short,), "weights-sum", NOON + timedelta(microseconds=1)) is None
    assert valid_waiver((), "weights-sum", NOON) is None


def test_a_verdict_copied_from_another_gate_or_about_another_table_is_refused() -> None:
    stand = Stand()
    stand.verdicts["weights-sum"] = stand.verdicts["suite-core__evidence"]
    only(stand.refusals(), "gate weights-sum: its verdict is that of gate suite-core__evidence")
    stand.judge("weights-sum")
    stand.verdicts["weights-sum"] = replace(stand.verdicts["weights-sum"], inputs={})
    only(stand.refusals(), "gate weights-sum: its verdict does not say which out__score_weight it judged")


def test_a_verdict_with_a_key_of_its_own_making_is_refused() -> None:
    stand = Stand()
    stand.verdicts["weights-sum"] = replace(stand.verdicts["weights-sum"], verdict_key="0" * 64)
    only(stand.refusals(), "gate weights-sum", "run it again")


def test_gates_that_are_not_required_or_guard_another_product_do_not_block() -> None:
    stand = Stand()
    stand.judge("tier-mix", "fail")
    stand.judge("study-gate", "fail")
    assert stand.refusals() == []
    only(stand.refusals(product="source_study"), "gate study-gate: fail")


def test_a_product_that_no_gate_guards_is_refused() -> None:
    only(Stand().refusals(product="nobody"), "requires no gate of nobody")
    only(Stand(catalog_of([])).refusals(), "requires no gate of scores")


def test_every_reason_is_given_not_only_the_first() -> None:
    stand = Stand()
    stand.judge("suite-core__evidence", "fail")
    stand.judge("weights-sum", "error")
    stand.actual["core__exclusion"] = "x"
    assert len(stand.refusals()) == 3
