"""Alignment field by field, the smallest set to record, and what recording would unlock over all pairs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pairing_rows import METHODOLOGY, catalog, result

from methods.pairing.alignment import Aligner, Alignment, UnconfirmedAlignmentError, can_align, confirm_aligned
from methods.pairing.unlocking import unlock_counts
from warehouse.metric_model import BenchmarkSpec

STATED: dict[str, Any] = {
    "model_version": "2025-04", "post_training": "none", "benchmark_version": "1.0", "subset": "all", "steps": 15,
    "samples": 1, "prompt_enhancement": "none", "harness": "OpenHands 1.2", "observation": "screenshot",
    "action_interface": "pyautogui", "runs": 3,
}  # fmt: skip
IMAGES = BenchmarkSpec(
    benchmark="GenEval",
    applies=("model_version", "post_training", "samples", "prompt_enhancement", "runs"),
    lacks=("subset",),
)


def sides(b: dict[str, Any] | None = None, **a: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    one = result("o3", "official", **STATED | a)
    return one, result("o3", "paper", **STATED | (a if b is None else b))


def align(a: dict[str, Any], b: dict[str, Any], *benchmarks: BenchmarkSpec) -> Alignment:
    return Aligner(catalog(benchmarks=benchmarks)).align(a, b)


def test_all_stated_and_equal_can_be_aligned() -> None:
    a, b = sides()
    assert can_align(a, b, catalog()) == []
    assert align(a, b).to_record == ()
    confirm_aligned("p", align(a, b))


@pytest.mark.parametrize("field", sorted(STATED))
def test_each_field_blocks_where_it_differs_or_is_not_stated(field: str) -> None:
    other = STATED[field] + 1 if isinstance(STATED[field], int) else f"{STATED[field]} b"
    for value, to_record in ((other, None), (None, (field,))):
        a, b = sides({field: value})
        assert can_align(a, b, catalog()) == [field]
        assert align(a, b).to_record == to_record


def test_the_metric_and_the_unit_block_too() -> None:
    a, b = sides({"metric": "accuracy", "unit": "rating"})
    assert can_align(a, b, catalog()) == ["metric", "unit"]
    a, b = sides({"unit": "score_fraction", "value": 0.5})
    assert can_align(a, b, catalog()) == []


def test_fields_that_do_not_apply_count_as_stated() -> None:
    """An image benchmark has no steps; what a model is applies everywhere."""
    given = dict.fromkeys(("subset", "steps", "harness", "observation", "action_interface"))
    a, b = sides(benchmark="GenEval", **given)
    assert can_align(a, b, catalog(benchmarks=[IMAGES])) == []
    assert set(can_align(a, b, catalog())) == set(given)
    a, b = sides(benchmark="GenEval", **given, model_version=None, runs=None)
    assert can_align(a, b, catalog(benchmarks=[IMAGES])) == ["model_version", "runs"]
    a, b = sides({"benchmark": "GenEval", "steps": 50}, benchmark="GenEval")
    assert align(a, b, IMAGES).having("differs") == ("steps",)


@pytest.mark.parametrize("word", ["unknown", "Not stated", " N/A ", "未披露", "-", ""])
def test_words_that_state_nothing(word: str) -> None:
    """F11: unknown is not paired with a statement, nor with unknown."""
    a, b = sides(harness=word)
    assert can_align(a, b, catalog()) == ["harness"]


def test_steps_are_read_from_the_setting_and_the_name() -> None:
    a = result("o3 (15 steps)", "official", **STATED | {"steps": None})
    b = result("o3", "paper", **STATED | {"steps": None, "setting": "15步"})
    assert can_align(a, b, catalog()) == []


def test_case_width_and_spaces_make_no_difference_but_versions_do() -> None:
    a, b = sides({"harness": "ｏｐｅｎｈａｎｄｓ  1.2"})
    assert can_align(a, b, catalog()) == []
    a, b = sides({"harness": "OpenHands 12"})
    assert can_align(a, b, catalog()) == ["harness"]


def test_an_aligned_that_cannot_be_confirmed_is_refused_with_its_fields() -> None:
    a, b = sides({"harness": None, "steps": 50})
    with pytest.raises(UnconfirmedAlignmentError, match="steps, harness") as refused:
        confirm_aligned("x~y", align(a, b))
    assert refused.value.fields == ("steps", "harness")


def test_unlocking_counts_fields_and_smallest_sets() -> None:
    """Worked example: two pairs lack the harness, one harness and runs, one contradicts itself, one is alignable."""
    needs = ({"harness": None}, {"harness": None}, {"harness": None, "runs": None}, {"steps": 50, "runs": None}, {})
    found = unlock_counts(align(*sides(b)) for b in needs)
    assert (found.pairs, found.alignable, found.contradicted) == (5, 1, 1)
    by_name = {field.field: (field.alone, field.unstated, field.differs) for field in found.fields}
    assert by_name == {"harness": (2, 3, 0), "runs": (0, 2, 0), "steps": (0, 0, 1)}
    assert found.fields[0].field == "harness"
    assert [(need.fields, need.exactly, need.usable) for need in found.sets] == [
        (("harness", "runs"), 1, 3),
        (("harness",), 2, 2),
    ]
    assert found.sets[1].sentence == ("record harness on both sides, and 2 pairs become usable if the records agree")


FIELDS = st.sampled_from(sorted(STATED))


@given(st.lists(st.tuples(st.frozensets(FIELDS, max_size=3), st.frozensets(FIELDS, max_size=1)), max_size=8))
def test_recording_the_smallest_set_and_nothing_less_unlocks(
    cases: list[tuple[frozenset[str], frozenset[str]]],
) -> None:
    """Recovery: what `to_record` names makes the pair alignable once recorded, and leaving any one out does not."""
    alignments = []
    for unstated, contradicted in cases:
        changed: dict[str, Any] = {name: "other" if isinstance(STATED[name], str) else 99 for name in contradicted}
        changed |= dict.fromkeys(unstated)
        a, b = sides(changed)
        alignment = align(a, b)
        alignments.append(alignment)
        if alignment.to_record is None:
            assert contradicted - unstated
            continue
        assert set(alignment.to_record) == set(unstated)
        for left_out in (None, *alignment.to_record):
            recorded = {name: STATED[name] for name in alignment.to_record if name != left_out}
            again = result("o3", "paper", **STATED | changed | recorded)
            assert align(a, again).is_alignable is (left_out is None)
    found = unlock_counts(alignments)
    for need in found.sets:
        usable = [x for x in alignments if x.to_record and set(x.to_record) <= set(need.fields)]
        assert len(usable) == need.usable


def test_the_asked_for_fields_are_those_of_the_methods() -> None:
    assert METHODOLOGY.pairing.alignment_fields == (
        "model_version", "post_training", "benchmark", "benchmark_version", "subset", "metric", "steps", "samples",
        "prompt_enhancement", "harness", "observation", "action_interface", "runs",
    )  # fmt: skip
