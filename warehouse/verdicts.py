"""What a gate says: the result a check returns, and the verdict as it is kept (DESIGN "Time, state and storage")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from warehouse.canonical import Json
from warehouse.vocabulary import Severity, Verdict


@dataclass(frozen=True, slots=True)
class GateResult:
    """What one gate measured.

    Attributes:
        verdict: pass, fail, error, inconclusive, not_applicable or waived.
        figure: what was measured, unrounded; None where nothing could be.
        threshold: what it was held against.
        evaluated, failed: how many things were looked at, and how many of them failed.
        detail: the verdict in one or two sentences with its figures and first examples.
        validation: the full validation result as JSON values, for the record beside the verdict.
    """

    verdict: Verdict
    figure: float | None
    threshold: float | None
    evaluated: int
    failed: int
    detail: str
    validation: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A gate's result bound to what it judged."""

    gate: str
    product: str
    table: str
    severity: Severity
    result: GateResult
    verdict_key: str
    decided_at: datetime
    catalog_sha256: str
    baseline_release_id: str | None
    inputs: Mapping[str, str] = field(default_factory=dict)
