"""Retrieval, citations and claims: null rules by hand, leaks, units, and plain Python beside the columns."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from methods.components.citations import citation_columns, citation_summary
from methods.components.claims import claim_columns, claim_summary
from methods.components.declared import ComponentError
from methods.components.retrieval import retrieval_columns, retrieval_summary

LISTS = {"retrieved": pl.List(pl.String), "relevant": pl.List(pl.String), "unauthorized": pl.List(pl.String)}


def questions(*rows: tuple[list[str] | None, list[str] | None, list[str] | None, bool | None]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema={**LISTS, "refused": pl.Boolean}, orient="row")


def test_hit_and_recall_by_hand() -> None:
    told = retrieval_columns(
        questions(
            (["a", "x", "b", "c"], ["a", "b", "z"], [], False),  # top 3 hold a and b of three
            (["x", "y"], ["a"], [], False),
            ([], ["a"], [], False),
            (["x"], [], [], False),  # nothing to find, and something was retrieved
            ([], [], [], True),
            (None, ["a"], None, None),  # not tracked is no miss
            (["a"], None, None, None),
        ),
        3,
    )
    assert told["retrieval_hit"].to_list() == [True, False, False, None, None, None, None]
    assert told["retrieval_recall"].to_list() == [2 / 3, 0.0, 0.0, None, None, None, None]
    assert told["is_refusal_correct"].to_list() == [None, None, None, False, True, None, None]
    assert told["is_false_retrieval"].to_list() == [None, None, None, True, False, None, None]
    assert told["retrieval_reason"].to_list() == [
        None, None, None, "no_relevant", "no_relevant", "not_tracked", "not_tracked",
    ]  # fmt: skip
    found = retrieval_summary(told.select(*LISTS, "refused"), "chunk", 3)
    assert (found.questions, found.answerable, found.no_answer, found.not_tracked) == (6, 3, 2, 1)
    assert (found.hit, found.recall) == (1 / 3, pytest.approx(2 / 9))
    assert (found.correct_refusal, found.false_retrieval) == (0.5, 0.5)


def test_an_unauthorized_object_is_a_leak_and_never_recall() -> None:
    told = retrieval_columns(
        questions(
            (["secret", "a"], ["secret", "a"], ["secret"], False),
            (["a", "b", "c", "secret"], ["a"], ["secret"], False),  # below the line, and still retrieved
            (["secret"], ["secret"], ["secret"], True),  # all that is relevant may not be seen: to be refused
            (["a"], ["a"], None, False),  # nobody says what may be seen
        ),
        1,
    )
    assert told["unauthorized_retrieved"].to_list() == [1, 1, 1, None]
    assert told["retrieval_recall"].to_list() == [0.0, 1.0, None, 1.0]
    assert told["retrieval_reason"].to_list() == [None, None, "no_authorized_relevant", None]
    assert told["is_refusal_correct"].to_list() == [None, None, True, None]
    found = retrieval_summary(told.select(*LISTS, "refused"), "document", 1)
    assert (found.leaks, found.leaks_checked, found.no_answer) == (3, 3, 1)


def test_nothing_at_all_is_null_and_no_zero() -> None:
    found = retrieval_summary(questions(), "chunk", 5)
    assert (found.hit, found.recall, found.correct_refusal, found.false_retrieval) == (None,) * 4
    bare = retrieval_columns(pl.DataFrame({"task": ["t"]}), 5)
    assert bare["retrieval_recall"].to_list() == [None]
    assert bare["retrieval_reason"].to_list() == ["not_tracked"]
    assert "retrieved" not in bare.columns


def test_two_units_are_never_mixed() -> None:
    samples = questions((["a"], ["a"], [], False), (["a"], ["a"], [], False)).with_columns(
        retrieval_unit=pl.Series(["chunk", "document"])
    )
    with pytest.raises(ComponentError, match="row 2, retrieval_unit: 'document', but the unit declared is 'chunk'"):
        retrieval_summary(samples, "chunk", 5)


IDS = st.lists(st.sampled_from("abcdef"), max_size=6)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(IDS, IDS, IDS | st.none(), st.booleans()), min_size=1, max_size=8), st.integers(1, 4))
def test_as_plain_sets(rows: list[tuple[list[str], list[str], list[str] | None, bool]], k: int) -> None:
    told = retrieval_columns(questions(*rows), k)
    for (retrieved, relevant, barred, refused), row in zip(rows, told.rows(named=True), strict=True):
        visible = set(relevant) - set(barred or [])
        top = set(retrieved[:k])
        if visible:
            assert row["retrieval_hit"] is bool(top & visible)
            assert row["retrieval_recall"] == len(top & visible) / len(visible)
            assert row["is_refusal_correct"] is None
        else:
            assert row["retrieval_hit"] is None
            assert row["retrieval_recall"] is None
            assert row["is_refusal_correct"] is refused
            assert row["is_false_retrieval"] is bool(retrieved)
        assert row["unauthorized_retrieved"] == (None if barred is None else len(set(retrieved) & set(barred)))
    found = retrieval_summary(questions(*rows), "chunk", k)
    recalls = told["retrieval_recall"].drop_nulls().to_list()
    assert found.recall == (pytest.approx(sum(recalls) / len(recalls)) if recalls else None)


def test_known_recall_is_recovered() -> None:
    """Each relevant object is found with chance 0.7: mean recall is within four standard errors of it."""
    import random

    draw = random.Random(5)
    rows = []
    for _ in range(1500):
        relevant = [f"r{n}" for n in range(draw.randint(1, 5))]
        rows.append(([one for one in relevant if draw.random() < 0.7], relevant, [], False))
    found = retrieval_summary(questions(*rows), "chunk", 10)
    assert found.recall == pytest.approx(0.7, abs=4 * 0.46 / 1500**0.5)


def cited(*rows: tuple[list[str] | None, int | None, int | None]) -> pl.DataFrame:
    schema = {
        "citations": pl.List(pl.String),
        "claims_needing_citation": pl.Int64,
        "claims_with_citation": pl.Int64,
    }
    return pl.DataFrame(list(rows), schema=schema, orient="row")


def test_citations_by_hand() -> None:
    samples = cited(
        (["supported", "supported", "broken", "unjudged"], 4, 2),
        (["merely_related", "conflicting", "splendid"], 2, 0),  # an unknown word is neither judged nor lost
        (["unjudged"], 0, 0),
        ([], 3, 0),
        (None, None, None),
    )
    told = citation_columns(samples)
    assert told["citation_correctness"].to_list() == [2 / 3, 0.0, None, None, None]
    assert told["citation_completeness"].to_list() == [0.5, 0.0, None, 0.0, None]
    assert told["citation_reason"].to_list() == [None, None, "none_judged", "none_judged", "not_tracked"]
    assert told["completeness_reason"].to_list() == [None, None, "none_needed", None, "not_tracked"]
    found = citation_summary(samples, "link")
    assert (found.given, found.judged, found.invalid) == (8, 5, 1)
    assert (found.supported, found.conflicting, found.broken, found.merely_related) == (2, 1, 1, 1)
    assert (found.correctness, found.mean_correctness) == (2 / 5, pytest.approx(1 / 3))
    assert (found.coverage, found.na_rate) == (5 / 8, 2 / 4)
    assert (found.needed, found.met, found.completeness) == (9, 2, 2 / 9)
    assert found.mean_completeness == pytest.approx(0.5 / 3)
    assert found.completeness_na_rate == 1 / 4
    assert found.not_tracked == 1


def test_citations_that_cannot_be_are_refused() -> None:
    with pytest.raises(ComponentError, match="row 2, claims_with_citation: 3 of 2"):
        citation_columns(cited((None, 1, 1), (None, 2, 3)))
    nothing = citation_summary(pl.DataFrame({"task": ["t"]}), "span")
    assert (nothing.correctness, nothing.completeness, nothing.coverage, nothing.na_rate) == (None,) * 4


def test_claims_by_hand() -> None:
    samples = pl.DataFrame(
        {"claims": [["supported", "supported", "not_in_context", "contradicted"], ["unjudged"], [], None]},
        schema={"claims": pl.List(pl.String)},
    )
    told = claim_columns(samples)
    assert told["claims_supported_frac"].to_list() == [0.5, None, None, None]
    assert told["claims_contradicted_frac"].to_list() == [0.25, None, None, None]
    assert told["claims_reason"].to_list() == [None, "no_claims", "no_claims", "not_tracked"]
    found = claim_summary(samples)
    assert (found.samples, found.claims, found.judged, found.not_tracked) == (3, 5, 4, 1)
    assert (found.supported_share, found.contradicted_share, found.not_in_context_share) == (0.5, 0.25, 0.25)
    assert found.na_rate == 2 / 3
    assert claim_summary(pl.DataFrame({"task": []})).supported_share is None


WORDS = ["supported", "conflicting", "broken", "merely_related", "unjudged", "other"]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=6) | st.none(), max_size=8))
def test_citations_as_plain_counts(lists: list[list[str] | None]) -> None:
    found = citation_summary(cited(*((one, None, None) for one in lists)), "link")
    given_ = [word for one in lists if one is not None for word in one]
    judged = [word for word in given_ if word in WORDS[:4]]
    assert (found.given, found.judged, found.invalid) == (len(given_), len(judged), given_.count("other"))
    assert found.correctness == (judged.count("supported") / len(judged) if judged else None)
    told = [one for one in lists if one is not None]
    empty = [one for one in told if not set(one) & set(WORDS[:4])]
    assert found.na_rate == (len(empty) / len(told) if told else None)
