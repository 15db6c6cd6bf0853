"""Regression sets: each rule by hand, near-duplicates beside all pairs, and known copies found again."""

from __future__ import annotations

import random
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from methods.regression.near_duplicates import NearPair, comparable, near_pairs
from methods.regression.rules import Failure, regression_findings
from warehouse.rollout_rules import RegressionRules

RULES = RegressionRules(near_duplicate=0.9)
TODAY = date(2026, 3, 28)


def failure(number: int, text: str, split: str = "test", **more: str | None) -> dict[str, str | None]:
    return {
        "id": f"f{number}", "input": text, "source": "ticket 7", "selection_reason": "wrong refund",
        "consent": "granted", "licence": "internal", "owner": "support", "expires": "2027-01-01", "split": split,
        "is_deidentified": "true",
        "confirmed_by": "eva", **more,
    }  # fmt: skip


def rules_of(*failures: Failure) -> list[tuple[str, tuple[int, ...]]]:
    return [(one.rule, one.rows) for one in regression_findings(failures, RULES, TODAY)]


def test_a_sound_set_has_nothing_against_it() -> None:
    kept = [
        failure(1, "where is my parcel", "train", session="s1", entity="shop"),
        failure(2, "the invoice is in the wrong currency", "test", session="s2", entity="bank"),
        failure(3, "cancel the order from tuesday", "test", session="s2", entity=None),
    ]
    assert rules_of(*kept) == []
    assert rules_of() == []


@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        ({"owner": ""}, "field_missing"),
        ({"licence": None, "source": ""}, "field_missing"),
        ({"split": "dev"}, "split_unknown"),
        ({"consent": "withdrawn"}, "consent_missing"),
        ({"consent": "unknown"}, "consent_missing"),
        ({"is_deidentified": "false"}, "not_deidentified"),
        ({"expires": "2026-03-27"}, "expired"),
        ({"expires": "next year"}, "expiry_unreadable"),
    ],
)
def test_what_a_failure_lacks(fault: dict[str, str | None], rule: str) -> None:
    assert rules_of(failure(1, "one"), failure(2, "another question entirely", **fault)) == [(rule, (2,))]


def test_the_last_day_counts() -> None:
    assert rules_of(failure(1, "one", expires="2026-03-28")) == []


def test_what_splits_have_in_common() -> None:
    a, b = failure(1, "where is my parcel", "train"), failure(2, "please close the account", "test")
    for link in ("session", "entity", "template", "document"):
        assert rules_of(a | {link: "x"}, b | {link: "x"}) == [(f"{link}_in_two_splits", (1, 2))]
        assert rules_of(a | {link: "x"}, b | {link: "y"}) == []
        assert rules_of(a | {link: "x"}, b | {link: "x", "split": "train"}) == []


def test_duplicates() -> None:
    text = "My parcel has not come, and it is a week late."
    assert rules_of(failure(1, text), failure(2, "  my PARCEL has not come, and  it is a week late.")) == [
        ("exact_duplicate", (1, 2))
    ]
    assert rules_of(failure(1, text, "train"), failure(2, text.replace("week", "month"))) == [
        ("near_duplicate", (1, 2))
    ]
    assert rules_of(failure(1, text), failure(2, text.replace("week", "month"))) == [], "within one split it is no leak"
    assert rules_of(failure(1, text), failure(1, "close my account")) == [("id_repeats", (1, 2))]
    [found] = regression_findings([failure(1, text, "train"), failure(2, text.replace("week", "month"))], RULES, TODAY)
    assert found.ids == ("f1", "f2")
    assert "in train and test" in found.detail


TEXTS = st.lists(st.text("ab c", max_size=12).map(comparable), max_size=14)


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.data(), st.sampled_from([0.6, 0.75, 0.9, 1.0]))
def test_as_all_pairs(texts: list[str], data: st.DataObject, least: float) -> None:
    groups = data.draw(st.lists(st.sampled_from(["train", "tune", "test"]), min_size=len(texts), max_size=len(texts)))
    bound = 1 - Fraction(repr(least))
    naive = [
        (a, b)
        for a in range(len(texts))
        for b in range(a + 1, len(texts))
        if groups[a] != groups[b] and Indel.distance(texts[a], texts[b]) <= bound * (len(texts[a]) + len(texts[b]))
    ]
    assert [(pair.first, pair.second) for pair in near_pairs(texts, groups, least)] == naive


def test_a_border_case_is_no_accident() -> None:
    # Ten signs each, one replaced: two edits of twenty, exactly 0.9.
    assert near_pairs(["abcdefghij", "abcdefghix"], ["a", "b"], 0.9) == [NearPair(0, 1, 0.9)]
    assert near_pairs(["abcdefghij", "abcdefgxyj"], ["a", "b"], 0.9) == []


def test_known_copies_are_found_again() -> None:
    draw = random.Random(6)
    words = ["".join(draw.choices("abcdefghijklmnop", k=draw.randint(3, 9))) for _ in range(400)]
    train = [" ".join(draw.choices(words, k=30)) for _ in range(300)]
    copies = {n: train[n].replace(train[n].split()[4], "other", 1) for n in range(0, 300, 15)}
    test = [copies.get(n, " ".join(draw.choices(words, k=30))) for n in range(300)]
    found = near_pairs([*train, *test], ["train"] * 300 + ["test"] * 300, 0.9)
    assert [(pair.first, pair.second - 300) for pair in found] == [(n, n) for n in sorted(copies)]
