"""Policies: made, sealed, held against judgments, refused under any other key, applied; the split that never leaks."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from judging_cases import METHODOLOGY
from pydantic import ValidationError
from simulated_judgments import EXAMPLE, frame

from methods.judging.columns import FILE, ROW, JudgmentsError
from methods.judging.judgments import Judgments, gather
from methods.judging.policy import decisions, evaluations, hold, make_policy
from methods.judging.separation import digests, drawn_sides, shared_with, stated_sides
from methods.judging.stacks import Stack, stack_of
from methods.judging.study import split_of
from warehouse.judge_policy import PolicyFile, seal_of
from warehouse.judge_words import STACK_FIELDS


def stack(judge: str, **other: str) -> Stack:
    return stack_of(judge, {**{name: f"{judge} {name}" for name in STACK_FIELDS}, **other})


def example(**stacks: Stack) -> Judgments:
    """The bundled example, each judge with its whole key."""
    rows = pl.read_csv(EXAMPLE, infer_schema=False).with_row_index(ROW, offset=1)
    named = rows.with_columns(pl.col(ROW).cast(pl.Int64), pl.lit("judgments.csv").alias(FILE))
    return gather(named, {"small": stack("small"), "large": stack("large"), **stacks})


JUDGMENTS = example()
SIDES = split_of(JUDGMENTS, None, METHODOLOGY.seed)
assert SIDES is not None
POLICY = make_policy(JUDGMENTS, "small", "large", "bound", METHODOLOGY, selection=SIDES.selection)


def test_a_threshold_a_task_type() -> None:
    """Preferences open where free text, on which confidence says nothing, does not."""
    found = {one.task_type: one for one in POLICY.thresholds}
    assert found["preference"].state == "open"
    assert found["preference"].tau is not None
    assert (found["free-text"].state, found["free-text"].tau) == ("auroc_below_limit", None)
    assert POLICY.orders == ("ab", "ba")


def test_it_reads_back_as_written_and_no_other_way() -> None:
    values = POLICY.model_dump(mode="json", by_alias=True)
    assert PolicyFile.model_validate(values) == POLICY
    moved = {**values, "thresholds": [{**values["thresholds"][1], "tau": 0.6}]}
    with pytest.raises(ValidationError, match="changed after it was frozen"):
        PolicyFile.model_validate(moved)
    closed = {**values, "thresholds": [{**values["thresholds"][1], "tau": None}]}
    with pytest.raises(ValidationError, match="`tau` stands where `state` is open"):
        PolicyFile.model_validate(closed)
    twice = {**values, "thresholds": values["thresholds"] * 2}
    with pytest.raises(ValidationError, match="a task type has two"):
        PolicyFile.model_validate({**twice, "seal": seal_of(twice)})


def test_it_is_judged_on_items_it_was_not_chosen_on() -> None:
    applied = hold(POLICY, JUDGMENTS, sides=SIDES)
    found = {one.task_type: evaluation for one, evaluation in evaluations(applied, METHODOLOGY)}
    assert found["preference"].n == 450
    assert found["preference"].verdict == "pass"
    assert found["free-text"].acceptance == 0


def test_an_item_that_it_was_chosen_on_is_refused() -> None:
    with pytest.raises(JudgmentsError, match=r"item .* more\) or its cluster was part of the selection set"):
        evaluations(hold(POLICY, JUDGMENTS), METHODOLOGY)


@pytest.mark.parametrize("field", STACK_FIELDS)
@pytest.mark.parametrize("judge", ["small", "large"])
def test_any_other_key_is_refused_with_the_field_named(judge: str, field: str) -> None:
    other = example(**{judge: stack(judge, **{field: "another"})})
    with pytest.raises(JudgmentsError) as refused:
        hold(POLICY, other, sides=SIDES)
    role = "judge" if judge == "small" else "fallback"
    assert f"not of this {role}: {judge} runs on another key; {field}: '{judge} {field}' against 'another'" in str(
        refused.value
    )


def test_a_field_that_is_not_stated_is_another_key() -> None:
    with pytest.raises(
        JudgmentsError, match="rubric: 'small rubric' against not stated; parser: 'small parser' against not"
    ):
        hold(POLICY, example(small=stack("small", rubric="", parser="")), sides=SIDES)


def test_no_policy_without_a_whole_key() -> None:
    bare = example(small=stack("small", rubric=""))
    assert SIDES is not None
    with pytest.raises(
        JudgmentsError, match="judge small does not state rubric: a policy would fit no other judgments"
    ):
        make_policy(bare, "small", "large", "bound", METHODOLOGY, selection=SIDES.selection)


def test_another_task_type_is_refused_and_can_be_left_out() -> None:
    relabelled = Judgments(
        JUDGMENTS.calls, JUDGMENTS.items.with_columns(pl.col("task_type").replace({"free-text": "code"})),
        JUDGMENTS.stacks, {}, JUDGMENTS.strange_labels,
    )  # fmt: skip
    with pytest.raises(JudgmentsError, match="not of this task type; task_type: code against free-text, preference"):
        hold(POLICY, relabelled, sides=SIDES)
    assert hold(POLICY, relabelled, sides=SIDES, tasks=["preference"]).items.sum() == 450


def test_another_mode_is_refused() -> None:
    """A judge asked in one order is not the judge asked in both."""
    calls = JUDGMENTS.calls.with_columns(state_ba=pl.lit("not_run"), first_ba=pl.lit(None, dtype=pl.Int64))
    one_order = Judgments(calls, JUDGMENTS.items, JUDGMENTS.stacks, {}, JUDGMENTS.strange_labels)
    with pytest.raises(JudgmentsError, match="of the orders ab and ba, small was asked in ab"):
        hold(POLICY, one_order, sides=SIDES)


def test_it_decides_without_labels_and_without_the_fallback() -> None:
    rows: list[dict[str, Any]] = [
        {"item": "sure", "first_prob_ab": 0.99, "first_prob_ba": 0.02},
        {"item": "unsure", "first_prob_ab": 0.6, "first_prob_ba": 0.45},
        {"item": "discordant", "first_prob_ab": 1, "first_prob_ba": 0.9},
        {"item": "failed", "first_prob_ab": 1, "status_ba": "refusal"},
        {"item": "free", "first_prob_ab": 1, "first_prob_ba": 0, "task_type": "free-text"},
    ]
    unlabelled = gather(
        frame([{"judge": "small", "task_type": "preference", **row} for row in rows]),
        {"small": stack("small"), "large": stack("large")},
    )
    found = {row["item"]: row for row in decisions(hold(POLICY, unlabelled, needs_fallback=False)).rows(named=True)}
    assert {item: (row["decided_by"], row["verdict"], row["reason"]) for item, row in found.items()} == {
        "sure": ("judge", "A", "confident"),
        "unsure": ("escalate", None, "below_threshold"),
        "discordant": ("escalate", None, "position_discordant"),
        "failed": ("escalate", None, "no_verdict"),
        "free": ("escalate", None, "cascade_closed"),
    }
    bare = Judgments(unlabelled.calls, unlabelled.items, unlabelled.stacks, {}, unlabelled.strange_labels)
    with pytest.raises(JudgmentsError, match="the key of the fallback large is not stated"):
        hold(POLICY, bare, needs_fallback=False)
    other = {"large": stack("large", model="another")}
    with pytest.raises(JudgmentsError, match="not of this fallback: large runs on another key; model"):
        hold(POLICY, Judgments(unlabelled.calls, unlabelled.items, unlabelled.stacks, other, unlabelled.strange_labels),
             needs_fallback=False)  # fmt: skip


def test_where_the_fallbacks_verdict_stands_it_is_taken() -> None:
    found = decisions(hold(POLICY, JUDGMENTS, sides=SIDES, needs_fallback=False))
    counted = dict(found.group_by("decided_by").len().rows())
    assert set(counted) == {"judge", "fallback"}
    assert found.filter(pl.col("decided_by") == "fallback")["verdict"].null_count() == 0


def items(*rows: tuple[str, str | None, str | None]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"item": pl.String, "cluster": pl.String, "split": pl.String}, orient="row")


def test_a_cluster_lies_on_one_side() -> None:
    with pytest.raises(JudgmentsError, match=r"^cluster p lies on both sides"):
        stated_sides(items(("1", "p", "selection"), ("2", "p", "held_out")))
    found = stated_sides(items(("1", "p", "selection"), ("2", "q", "held_out"), ("3", None, None)))
    assert found is not None
    assert (found.selection.tolist(), found.held_out.tolist()) == ([True, False, False], [False, True, False])
    assert stated_sides(items(("1", "p", None))) is None


def test_a_drawn_split_is_by_cluster_and_by_nothing_else() -> None:
    many = items(*((str(n), f"c{n % 400}", None) for n in range(1200)))
    found = drawn_sides(many, 0.3, 20261020)
    again = drawn_sides(many.sort("cluster"), 0.3, 20261020)
    by_item = dict(zip(many["item"], found.selection.tolist(), strict=True))
    assert dict(zip(many.sort("cluster")["item"], again.selection.tolist(), strict=True)) == by_item
    assert 0.2 < found.selection.mean() < 0.4
    assert not np.any(found.selection & found.held_out)
    sides: dict[str, set[bool]] = {}
    for cluster, side in zip(many["cluster"], found.selection.tolist(), strict=True):
        sides.setdefault(cluster, set()).add(side)
    assert all(len(side) == 1 for side in sides.values())
    with pytest.raises(JudgmentsError, match="leaves one side empty"):
        drawn_sides(many, 1.0, 1)


def test_an_item_and_a_cluster_of_one_name_are_two_things() -> None:
    kept = digests(items(("p", None, None)))
    assert shared_with(items(("q", "p", None)), kept) == []
    assert shared_with(items(("p", "z", None)), kept) == ["p"]
    assert shared_with(items(("r", "k", None)), digests(items(("s", "k", None)))) == ["r"]


def test_splits_do_not_mix() -> None:
    with pytest.raises(JudgmentsError, match="state a split themselves"):
        split_of(JUDGMENTS, 0.5, 1)


def test_a_judge_is_no_fallback_of_its_own() -> None:
    assert SIDES is not None
    arguments: dict[str, Any] = {"selection": SIDES.selection}
    with pytest.raises(JudgmentsError, match="cannot be its own fallback"):
        make_policy(JUDGMENTS, "small", "small", "bound", METHODOLOGY, **arguments)
    with pytest.raises(JudgmentsError, match="no judgments of medium; there are those of large, small"):
        make_policy(JUDGMENTS, "medium", "large", "bound", METHODOLOGY, **arguments)
