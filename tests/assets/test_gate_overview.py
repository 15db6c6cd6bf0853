"""What an auditor sees of gates in Dagster: a sentence that can be read, and the day's own table."""

from __future__ import annotations

from datetime import UTC, date, datetime

import polars as pl

from assets.recording import gate_overview
from checks.asset_checks import asset_check_result, headline, percents
from checks.gate_inputs import Finding
from checks.gates import _record
from checks.named.shares import Share, judge_shares
from warehouse.catalog_model import GateSpec
from warehouse.tables import OUT_GATE
from warehouse.verdicts import GateResult

GATE = GateSpec(id="rows-lost", product="scores", table="core__result", baseline=True, threshold=0.2)


def result_of(finding: Finding) -> GateResult:
    return GateResult(
        finding.outcome, finding.figure, finding.threshold, finding.evaluated, finding.failed, finding.detail,
        _record(GATE, finding),
    )  # fmt: skip


def test_a_failed_share_reads_as_a_person_would_say_it() -> None:
    found = judge_shares(
        [Share("swebench", 100, 322, 0.2, "322 -> 222"), Share("aider", 1, 70, 0.2, "70 -> 69")], "rows lost"
    )
    shown = asset_check_result(GATE, result_of(found), date(2026, 10, 20)).description or ""
    assert shown.replace("\\", "").startswith("rows lost 31% &gt; 20% allowed: swebench 322 -&gt; 222. ")
    assert "100/322" in shown
    passed = judge_shares([Share("swebench", 1, 322, 0.2, "322 -> 321")], "rows lost")
    assert headline(GATE, result_of(passed)) == ""


def test_shares_that_round_to_the_same_percent_get_more_digits() -> None:
    """C15: what is compared raw must not read as equal."""
    assert percents(0.2004, 0.2) == ("20.04%", "20.00%")
    assert percents(0.31, 0.2) == ("31%", "20%")


def test_the_days_gates_stand_in_one_table_those_that_say_no_first() -> None:
    rows = [
        {
            "gate": name, "product": "scores", "table": "core__result", "severity": "blocking", "verdict": verdict,
            "figure": figure, "threshold": 0.2, "evaluated": 1234, "failed": 0, "verdict_key": "k",
            "decided_at": datetime(2026, 10, 20, tzinfo=UTC), "detail": "a | b <img>",
        }
        for name, verdict, figure in (
            ("a-fine", "pass", 0.0), ("z-bad", "fail", 0.31), ("b-new", "not_applicable", None),
        )
    ]  # fmt: skip
    text = gate_overview(OUT_GATE.conform(pl.DataFrame(rows, schema=OUT_GATE.polars_schema()))).value
    lines = text.splitlines()
    assert [line.split("|")[1].strip().replace("\\", "") for line in lines[2:]] == ["z-bad", "a-fine", "b-new"]
    assert "**fail**" in lines[2] and "0.31" in lines[2] and "1,234" in lines[2]
    assert "—" in lines[4] and "<img" not in text and "a \\| b" in text
