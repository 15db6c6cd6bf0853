"""A board that its publisher replaced by another edition: what went with it is told and no loss; nothing else is.

The same tables are judged three ways: with no edition stated, with both sides in one edition, and across the boundary.
Only the last explains the disappearance, and only of the board that states it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from methods.lineage.baseline import BaselineFigures, baseline_figures
from warehouse.catalog_model import Catalog, SourceSpec
from warehouse.received import ReceivedRow
from warehouse.verdicts import GateResult

Tables = dict[str, pl.DataFrame]
Judge = Callable[..., GateResult]
BEFORE, BOUNDARY, NOW = date(2026, 10, 1), date(2026, 10, 10), date(2026, 10, 20)
LOSING = ("rows-lost", "evidence-lost", "board-models-gone", "models-disappeared")
GATES = (*LOSING, "schema-drift")


@pytest.fixture
def stating(catalog: Catalog, changed_catalog: Callable[..., Catalog]) -> Callable[..., Catalog]:
    """The catalog, in which some boards say that an edition ended at the boundary."""

    def change(*boards: str, ended: str | None = "V3", edition: str | None = "V4") -> Catalog:
        more: dict[str, Any] = {"former": [{"until": BOUNDARY, "edition": ended}], "edition": edition}
        sources = tuple(
            type(s).model_validate({**s.model_dump(exclude_unset=True), **more}) if s.id in boards else s
            for s in catalog.sources
        )
        return changed_catalog(catalog, sources=sources)

    return change


def snapshots(sound: Tables, day: date) -> pl.DataFrame:
    """raw__snapshot, every board known from a day on."""
    moment = pl.lit(datetime(day.year, day.month, day.day, 23, 59, 59, tzinfo=UTC))
    frame = sound["raw__snapshot"]
    return frame.with_columns(moment.cast(frame.schema["synced_at"]).alias("synced_at"))


def figures(tables: Tables, day: date) -> BaselineFigures:
    results, evidence, scores = (tables[name] for name in ("core__result", "core__evidence", "out__category_score"))
    return baseline_figures(results, evidence, scores, "2026-10-19-0123456789ab", snapshots(tables, day))


def renamed(rows: Mapping[str, list[ReceivedRow]], *boards: str) -> dict[str, list[ReceivedRow]]:
    """Boards that list one row of a model nobody knew in place of all they listed."""
    changed = dict(rows)
    for board in boards:
        first = next(row for row in rows[board] if row.record is not None)
        record = {**dict(first.record or {}), "model": "a newcomer", "notes": None}
        changed[board] = [ReceivedRow(first.row_locator, record, None, first.raw)]
    return changed


def test_across_the_boundary_nothing_of_the_board_is_lost(
    judge: Judge, sound: Tables, stating: Callable[..., Catalog], rows: dict[str, list[ReceivedRow]],
    remake: Callable[..., Tables],
) -> None:  # fmt: skip
    of = stating("board-one")
    tables = remake(of, renamed(rows, "board-one")) | {"raw__snapshot": snapshots(sound, NOW)}
    for gate in GATES:
        verdict = judge(gate, tables, baseline=figures(sound, BEFORE), of=of)
        assert verdict.verdict == "pass", verdict.detail
        assert verdict.evaluated > 0
        assert "replaced by another edition, as sources.yaml states" in verdict.detail
        assert "board-one V3 -> V4" in verdict.detail


@pytest.mark.parametrize(
    ("boards", "ended", "edition", "before"),
    [
        ((), None, None, BEFORE),  # nothing is stated
        (("board-one",), None, "V4", BEFORE),  # only that it is some edition
        (("board-one",), "V4", "V4", BEFORE),  # the layout changed, the board did not
        (("board-one",), "V3", "V4", date(2026, 10, 11)),  # the last release was of this edition already
        (("board-two",), "V3", "V4", BEFORE),  # another board was replaced
    ],
)
def test_without_a_boundary_in_between_every_loss_fails(
    judge: Judge, sound: Tables, stating: Callable[..., Catalog], rows: dict[str, list[ReceivedRow]],
    remake: Callable[..., Tables], boards: tuple[str, ...], ended: str | None, edition: str | None, before: date,
) -> None:  # fmt: skip
    of = stating(*boards, ended=ended, edition=edition)
    tables = remake(of, renamed(rows, "board-one")) | {"raw__snapshot": snapshots(sound, NOW)}
    for gate in LOSING:
        verdict = judge(gate, tables, baseline=figures(sound, before), of=of)
        assert verdict.verdict == "fail", (gate, verdict.detail)


def test_a_board_that_breaks_beside_a_replaced_one_fails(
    judge: Judge, sound: Tables, stating: Callable[..., Catalog], rows: dict[str, list[ReceivedRow]],
    remake: Callable[..., Tables],
) -> None:  # fmt: skip
    of = stating("board-two")
    tables = remake(of, renamed(rows, "board-one", "board-two")) | {"raw__snapshot": snapshots(sound, NOW)}
    for gate in ("rows-lost", "evidence-lost", "board-models-gone"):
        verdict = judge(gate, tables, baseline=figures(sound, BEFORE), of=of)
        assert verdict.verdict == "fail"
        assert "board-two V3 -> V4" in verdict.detail and "board-one" in verdict.detail


def test_a_model_whose_rows_of_the_board_remain_did_not_go_with_its_edition(
    judge: Judge, sound: Tables, stating: Callable[..., Catalog]
) -> None:
    """The score is gone, the evidence is not: that is a fault of ours, whatever the board did."""
    of = stating("board-one", "board-two")
    scores = sound["out__category_score"].with_columns(score=pl.lit(None, pl.Float64))
    tables = {"out__category_score": scores, "raw__snapshot": snapshots(sound, NOW)}
    assert judge("models-disappeared", tables, baseline=figures(sound, BEFORE), of=of).verdict == "fail"


def test_a_release_made_before_days_were_kept_explains_nothing(
    judge: Judge, sound: Tables, stating: Callable[..., Catalog], rows: dict[str, list[ReceivedRow]],
    remake: Callable[..., Tables],
) -> None:  # fmt: skip
    of = stating("board-one")
    tables = remake(of, renamed(rows, "board-one")) | {"raw__snapshot": snapshots(sound, NOW)}
    old = replace(figures(sound, BEFORE), known={}, boards={})
    assert judge("rows-lost", tables, baseline=old, of=of).verdict == "fail"


def test_an_edition_that_ended_needs_one_that_replaced_it() -> None:
    entry = {"id": "b", "title": "B", "connector": "native", "url": "b.json", "source_type": "official"}
    with pytest.raises(ValidationError, match="names the one that replaced it"):
        SourceSpec.model_validate(entry | {"former": [{"until": "2026-01-01", "edition": "V3"}]})


@given(st.dates(date(2026, 9, 1), date(2026, 11, 30)))
def test_the_edition_of_a_day(day: date) -> None:
    layouts = [{"until": "2026-10-10", "edition": "V2"}, {"until": "2026-10-31"}]
    entry = {"id": "b", "title": "B", "connector": "native", "url": "b.json", "source_type": "official"}
    source = SourceSpec.model_validate(entry | {"edition": "V3", "former": layouts})
    assert source.at(day).edition == ("V2" if day <= date(2026, 10, 10) else "V3")
