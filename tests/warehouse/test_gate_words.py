"""Verdicts in words: each kind apart, the worst first, singular and plural."""

from __future__ import annotations

import pytest

from warehouse.gate_words import NOT_PASSED, verdicts_said
from warehouse.vocabulary import VERDICTS


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ([], ""),
        (["fail"], "1 gate failed"),
        (["inconclusive", "fail", "inconclusive", "inconclusive"], "1 gate failed, 3 cannot decide"),
        (["pass", "pass", "waived", "error"], "1 gate crashed, 1 waived, 2 passed"),
        (
            ["inconclusive"] * 2 + ["not_applicable"] * 14 + ["pass"],
            "2 gates cannot decide, 1 passed, 14 not applicable",
        ),
    ],
)
def test_each_kind_is_counted_apart(verdicts: list[str], said: str) -> None:
    assert verdicts_said(verdicts) == said


def test_every_verdict_has_words_of_its_own() -> None:
    said = [verdicts_said([verdict]) for verdict in VERDICTS]
    assert len(set(said)) == len(VERDICTS)
    assert all("_" not in words for words in said)
    assert set(VERDICTS) - set(NOT_PASSED) == {"pass", "not_applicable"}
