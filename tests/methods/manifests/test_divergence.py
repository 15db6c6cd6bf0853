"""The precision audit: by hand, against a slow reading, and on a simulated stack whose close calls flip."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stack_runs import outputs

from methods.manifests.divergence import PrecisionAudit, limits_of, precision_audit

Z = 1.959963984540054
TOKENS = st.lists(st.integers(0, 3), max_size=6)
MARGIN = st.floats(0, 4, width=16)


def audit(a: pl.DataFrame | None, b: pl.DataFrame | None, points: int = 5) -> PrecisionAudit:
    return precision_audit(a, b, Z, points)


def test_by_hand() -> None:
    a = outputs(
        [[1, 2, 3, 4], [1, 2], [5], [], [7, 7], [9]], [[9, 1, 2, 3], [5, 5], None, [], [4, 0.5], [1]], refused=[5]
    )
    b = outputs([[1, 2, 8, 8], [1, 2], [5, 6], [], [7, 8], [9], [0]], [[9, 1, 3, 3], [5, 5], None, [], None, [1], [2]])
    found = audit(a, b)
    assert (found.prompts, found.only_a, found.only_b, found.left_out, found.unit) == (5, 0, 1, 1, "token")
    assert (found.diverging, found.agreement, found.ended_early, found.flips) == (3, 2 / 5, 1, 2)
    assert found.first == (1.0, 1.0, 1.0, 1.5, 2.0), "after 1, 1 and 2 tokens in common"
    assert found.divergence is not None and found.divergence.share == 3 / 5
    assert [(one.margin, one.flips, one.agreement) for one in found.sweep][0::4] == [(0.5, 1, 3 / 5), (3.0, 2, 4 / 5)]
    stated = [9, 1, 2, 3, 5, 5, 4, 0.5, 9, 1, 3, 3, 5, 5]
    assert found.sweep[-1].steps_share == sum(one <= 3 for one in stated) / len(stated)


def test_text_counts_characters_and_trims_nothing() -> None:
    a = outputs([None] * 3, texts=["naïve", "same ", "\U0001f600x"])
    found = audit(a, outputs([None] * 3, texts=["naive", "same", "\U0001f600y"]))
    assert (found.unit, found.diverging, found.ended_early, found.sweep) == ("character", 3, 1, ())
    assert found.first is not None and found.first[0] == 1.0 and found.first[2] == 2.0


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [(None, outputs([[1]]), "no_outputs"), (outputs([[1]]), outputs([[1]], first=5), "no_common_prompt"),
     (outputs([[1]], refused=[0]), outputs([[1]]), "no_common_prompt"),
     (outputs([[1]]), outputs([None], texts=["a"]), "no_common_unit")],
)  # fmt: skip
def test_no_audit_says_why(a: pl.DataFrame | None, b: pl.DataFrame, reason: str) -> None:
    found = audit(a, b)
    assert (found.reason, found.divergence, found.agreement, found.first) == (reason, None, None, None)


def test_a_refused_request_is_no_failure_of_the_model() -> None:
    refused = outputs([[1], None], refused=[1])
    found = audit(refused, outputs([[1], [2]]))
    assert (found.prompts, found.left_out, found.diverging) == (1, 1, 0)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(TOKENS, TOKENS), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_a_slow_reading_agrees_whatever_the_order(pairs: list[tuple[list[int], list[int]]], order: object) -> None:
    a, b = outputs([one for one, _ in pairs]), outputs([other for _, other in pairs])
    firsts = []
    for one, other in pairs:
        common = next((at for at, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), None)
        if common is not None or len(one) != len(other):
            firsts.append(min(len(one), len(other)) if common is None else common)
    found = audit(a, b)
    assert found.diverging == len(firsts)
    assert (found.first is None) == (not firsts)
    if firsts:
        wanted = tuple(float(np.quantile(firsts, q)) for q in (0, 0.25, 0.5, 0.75, 1))
        assert found.first == pytest.approx(wanted)
    assert audit(a.sample(fraction=1, shuffle=True, seed=1), b.reverse()) == found


def test_a_stack_whose_close_calls_flip_is_found_out() -> None:
    """Recovery: calls closer than 0.25 flip, and only those; the sweep reaches full agreement there and not before."""
    draw = np.random.default_rng(20261020)
    tokens, other, margins = [], [], []
    for _ in range(400):
        margin = draw.exponential(2.0, 30)
        token, flipped = draw.integers(0, 1000, 30), draw.integers(1000, 2000, 30)
        at = next((step for step in range(30) if margin[step] < 0.25), 30)
        tokens.append(token.tolist())
        other.append([*token[:at].tolist(), *flipped[at:].tolist()])
        margins.append(margin.tolist())
    found = audit(outputs(tokens, margins), outputs(other, margins), 21)
    assert found.flips == found.diverging > 300
    assert found.sweep[-1].agreement == 1.0 and found.sweep[-1].margin < 0.25
    assert found.sweep[10].agreement < 0.75
    assert found.sweep[-1].steps_share == pytest.approx(1 - np.exp(-0.125), abs=0.02), "an eighth of the steps' mean"
    assert [one.agreement for one in found.sweep] == sorted(one.agreement for one in found.sweep)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(MARGIN, MARGIN), min_size=1, max_size=12))
def test_a_flip_counts_by_the_larger_margin(margins: list[tuple[float, float]]) -> None:
    a = outputs([[1]] * len(margins), [[one] for one, _ in margins])
    found = audit(a, outputs([[2]] * len(margins), [[other] for _, other in margins]))
    larger = sorted(max(pair) for pair in margins)
    assert found.flips == len(margins)
    assert (found.sweep[0].margin, found.sweep[-1].margin) == (larger[0], larger[-1])
    for point in found.sweep:
        assert point.flips == sum(one <= point.margin for one in larger)


def test_limits_are_said() -> None:
    flip = audit(outputs([[1]], [[1.0]]), outputs([[2]], [[1.0]]))
    said = " ".join(limits_of(flip, ("8", "4"), ("float8_e4m3fn", "bfloat16"), 8))
    assert all(word in said for word in ("upper limit", "body", "32 bits", "8 or more", "FP8"))
    assert "not stated as a number" in " ".join(limits_of(flip, ("4", None), (), 8))
    none = limits_of(audit(outputs([[1]]), outputs([[2]])), ("4", "4"), (), 8)
    assert none == ["No margins at the flips: which threshold would have helped is not known."]
    assert limits_of(audit(outputs([[1]]), outputs([[1]])), (), (), 8) == []
