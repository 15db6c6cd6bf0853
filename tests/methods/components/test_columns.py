"""Component columns by their names: what is declared in one, made from lists, or refused."""

from __future__ import annotations

import polars as pl
import pytest

from methods.components.columns import with_components
from methods.components.declared import ComponentError

SAMPLES = pl.DataFrame(
    {
        "system": ["a", "a", "a", "b"],
        "task": ["t1", "t1", "t2", "t1"],
        "success": [True, False, True, None],
        "retrieved": [["x", "y"], ["y", "x"], [], ["z"]],
        "relevant": [["x"], ["x"], [], ["x"]],
        "unauthorized": [[], ["y"], [], None],
        "refused": [False, False, True, False],
        "retrieval_unit": ["chunk"] * 4,
        "citations": [["supported", "unjudged"], ["broken"], [], None],
        "citation_unit": ["link"] * 4,
        "claims_needing_citation": [2, 1, 0, None],
        "claims_with_citation": [1, 0, 0, None],
        "claims": [["supported", "contradicted"], ["not_in_context"], [], None],
    }
)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("chunk_recall@1", [1.0, 0.0, None, 0.0]),
        ("chunk_hit@2", [1.0, 1.0, None, 0.0]),
        ("correct_refusal", [None, None, 1.0, None]),
        ("false_retrieval", [None, None, 0.0, None]),
        ("retrieves_unauthorized", [False, True, False, None]),
        ("link_citation_correctness", [1.0, 0.0, None, None]),
        ("citation_coverage", [0.5, 1.0, None, None]),
        ("citation_completeness", [0.5, 0.0, None, None]),
        ("claims_supported_frac", [0.5, 0.0, None, None]),
        ("claims_contradicted_frac", [0.5, 0.0, None, None]),
        ("claims_not_in_context_frac", [0.0, 1.0, None, None]),
        ("pass@1", [0.5, 0.5, 1.0, None]),
        ("pass^2", [0.0, 0.0, None, None]),
        ("pass@2", [1.0, 1.0, None, None]),
    ],
)
def test_by_name(name: str, values: list[object]) -> None:
    found = with_components(SAMPLES, [name], "success")
    assert found[name].to_list() == values
    assert found.drop(name).equals(SAMPLES)


def test_what_is_there_or_is_no_component_is_left() -> None:
    own = SAMPLES.with_columns(pl.lit(0.25).alias("chunk_recall@1"))
    assert with_components(own, ["chunk_recall@1", "latency_s", "chunk_recall@0", "recall@5"]).equals(own)


@pytest.mark.parametrize(
    ("name", "samples", "said"),
    [
        ("document_recall@5", SAMPLES, "row 1, retrieval_unit: 'chunk', but the unit declared is 'document'"),
        ("chunk_recall@5", SAMPLES.drop("retrieval_unit"), "no column retrieval_unit"),
        ("span_citation_correctness", SAMPLES, "row 1, citation_unit"),
        ("claims_supported_frac", SAMPLES.drop("claims"), "no column claims"),
        ("pass^2", SAMPLES.with_columns(success=pl.lit(0.5)), "row 1, success: 0.5 is neither"),
    ],
)
def test_what_is_missing_or_mixed_is_refused(name: str, samples: pl.DataFrame, said: str) -> None:
    with pytest.raises(ComponentError, match=said):
        with_components(samples, [name], "success")
    with pytest.raises(ComponentError, match="needs a binary outcome"):
        with_components(samples, ["pass@3"])


def test_a_unit_that_a_row_does_not_state_is_not_the_declared_one() -> None:
    gap = SAMPLES.with_columns(retrieval_unit=pl.Series(["chunk", None, "chunk", "chunk"]))
    with pytest.raises(ComponentError, match="row 2, retrieval_unit: None"):
        with_components(gap, ["chunk_hit@1"])
