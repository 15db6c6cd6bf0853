"""A day as it stands on disk, by default publishable, that a test then spoils in one way."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from methods.catalog.released_tables import released_tables
from methods.release.publication import expected_verdict_key, refusals
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


MADE = tuple(name for name in released_tables(catalog_of()) if name in INPUTS)
"""The tables that are computed on a day of this catalog, which names no study."""


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
        for name in MADE:
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
