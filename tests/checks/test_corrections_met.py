"""The gate on corrections: one that no longer finds what it was written for stops publication (G08, E02)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import polars as pl
import pytest

from checks.gates import GateInputs, evaluate
from warehouse.catalog_model import Catalog, Correction
from warehouse.verdicts import GateResult

AS_OF = date(2026, 10, 20)
NOW = datetime(2026, 10, 20, 12, 0, tzinfo=UTC)
Tables = dict[str, pl.DataFrame]


def judged(catalog: Catalog, sound: Tables, *changes: dict[str, Any]) -> GateResult:
    """The gate's verdict on corrections of the first result, changed as told."""
    entry, value = sound["core__result"].filter(pl.col("value") > 0).select("entry_id", "value").row(0)
    plain = {
        "id": "one", "entry_id": entry, "reason": "typo", "expected": value, "value": 0.5, "who": "a",
        "approved_by": "b", "when": AS_OF,
    }  # fmt: skip
    corrections = tuple(Correction.model_validate({**plain, **change}) for change in changes)
    fields = {name: getattr(catalog, name) for name in Catalog.model_fields}
    changed = Catalog(**fields | {"corrections": corrections})
    return evaluate(changed.gate_by_id["corrections-met"], GateInputs(sound, changed, None, NOW, AS_OF))


def test_a_correction_that_applies_passes_and_so_does_none(catalog: Catalog, sound: Tables) -> None:
    assert judged(catalog, sound, {}).verdict == "pass"
    assert judged(catalog, sound).verdict == "pass"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"expected": -1.0}, "one: expects the old value -1.0, found "),
        ({"entry_id": "0" * 16}, "one: no result has the entry id 0000000000000000"),
        ({"entry_id": "0" * 16, "leaderboard": "board-one"}, "1 of 1 due"),
    ],
)
def test_one_that_finds_something_else_fails_in_words(
    catalog: Catalog, sound: Tables, change: dict[str, Any], said: str
) -> None:
    result = judged(catalog, sound, change)
    assert (result.verdict, result.failed) == ("fail", 1)
    assert said in result.detail and "mended_upstream" in result.detail


@pytest.mark.parametrize(
    "change",
    [
        {"leaderboard": "not-received"},
        {"when": date(2026, 10, 21)},
        {"mended_upstream": date(2026, 10, 20)},
    ],
)
def test_one_that_is_not_due_is_not_asked_for(catalog: Catalog, sound: Tables, change: dict[str, Any]) -> None:
    result = judged(catalog, sound, {"entry_id": "0" * 16, **change})
    assert (result.verdict, result.failed) == ("pass", 0)
    assert "each of 0 corrections due was applied, of 1 in the catalog" in result.detail
    assert result.evaluated == sound["core__result"].height


def test_an_entry_that_cannot_be_read_stops_publication(catalog: Catalog, sound: Tables) -> None:
    fields = {name: getattr(catalog, name) for name in Catalog.model_fields} | {"broken_corrections": ("typo", "other")}
    changed = Catalog(**fields)
    result = evaluate(changed.gate_by_id["corrections-met"], GateInputs(sound, changed, None, NOW, AS_OF))
    assert (result.verdict, result.figure, result.failed) == ("fail", 2.0, 2)
    assert "entries of corrections.yaml that cannot be read, 2: typo, other" in result.detail


def test_a_value_mended_upstream_is_still_corrected_on_days_that_hold_it(catalog: Catalog, sound: Tables) -> None:
    assert judged(catalog, sound, {"mended_upstream": date(2026, 10, 21), "expected": -1.0}).verdict == "fail"
    assert judged(catalog, sound, {"mended_upstream": date(2026, 10, 21)}).verdict == "pass"
