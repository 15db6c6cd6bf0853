"""What a run prints of its gates: what did not pass, whether a release waits for it, and how many passed."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import polars as pl
import pytest

from pipelines import console
from pipelines.console import LiteralConsole, gates_table, gates_tally
from warehouse.tables import OUT_GATE

AT = datetime(2026, 3, 28, tzinfo=UTC)
REQUIRED = frozenset({"rows", "weights", "lost", "tiers"})


def gates(*given: tuple[str, str, str]) -> pl.DataFrame:
    """out__gate of (gate, verdict, detail)."""
    rows = [
        {"gate": gate, "product": "scores", "table": "core__result", "severity": "blocking", "verdict": verdict,
         "figure": 1.0, "threshold": None, "evaluated": 3, "failed": 0, "verdict_key": "k", "decided_at": AT,
         "detail": detail}
        for gate, verdict, detail in given
    ]  # fmt: skip
    return OUT_GATE.conform(pl.DataFrame(rows, schema=OUT_GATE.polars_schema()))


DAY = gates(
    ("rows", "pass", "fine"), ("weights", "pass", "fine"), ("extra", "pass", "fine"),
    ("lost", "not_applicable", "a first release has nothing to compare with"),
    ("jump", "not_applicable", "a first release has nothing to compare with"),
    ("shares", "not_applicable", "no study"),
    ("coverage", "inconclusive", "too few"), ("swap", "fail", "the winner moved"), ("tiers", "waived", "until June"),
)  # fmt: skip


def printed(frame: pl.DataFrame, *, every: bool) -> list[list[str]]:
    """Each line of the printed table, as its cells."""
    shown = gates_table(frame, REQUIRED, every=every)
    assert shown is not None
    stream = io.StringIO()
    LiteralConsole(file=stream, width=160).print(shown)
    return [line.split() for line in stream.getvalue().splitlines()[1:]]


def test_only_what_did_not_pass_is_shown_required_and_worst_first() -> None:
    rows = [row[:3] for row in printed(DAY, every=False)]
    begin = next(place for place, row in enumerate(rows) if row[:2] == ["gate", "verdict"])
    assert rows[begin][2] == "required"
    assert rows[begin + 1 :] == [
        ["tiers", "waived", "yes"], ["swap", "fail", "no"], ["coverage", "inconclusive", "no"],
    ]  # fmt: skip


def test_every_gate_is_shown_where_asked() -> None:
    rows = [row for row in printed(DAY, every=True) if row[0] in set(DAY["gate"])]
    assert sorted(row[0] for row in rows) == sorted(DAY["gate"])
    assert {row[0] for row in rows if row[2] == "yes"} == REQUIRED


def test_the_others_are_counted_with_why_they_did_not_apply() -> None:
    first, *aside = gates_tally(DAY, REQUIRED)
    assert first.startswith("3 of 9 gates passed, 2 of them required")
    assert "--all-gates" in first
    assert aside == ["2 not applicable: a first release has nothing to compare with", "1 not applicable: no study"]


def test_a_day_on_which_all_pass_shows_no_table() -> None:
    assert gates_table(DAY.filter(pl.col("verdict") == "pass"), REQUIRED) is None


def test_progress_goes_to_the_stderr_of_the_moment(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("one", "two"):
        console.progress_line(word)
        assert capsys.readouterr().err == f"  {word}\n"
