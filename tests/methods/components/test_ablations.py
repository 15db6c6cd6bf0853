"""Ablations: worked by hand, a known loss recovered with its interval, and frames that are not what the name says."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from methods.components.ablations import ablations
from methods.components.declared import ComponentError
from methods.statistics.bootstrap import BootstrapRules

RULES = BootstrapRules(20261020, 400, 0.95)
SCHEMA = {
    "task": pl.String, "condition": pl.String, "score": pl.Float64, "sampling": pl.String,
    "frame_indexes": pl.List(pl.Int64), "frame_times_s": pl.List(pl.Float64),
}  # fmt: skip


def samples(*rows: tuple[Any, ...]) -> pl.DataFrame:
    whole = [(*row, *(None,) * (6 - len(row))) for row in rows]
    return pl.DataFrame(whole, schema=SCHEMA, orient="row")


def test_by_hand() -> None:
    found = ablations(
        samples(
            ("t1", "full", 1.0, "2fps", [0, 15], [0.0, 0.5]),
            ("t1", "full", 0.0, "2fps", [0, 15], [0.0, 0.5]),  # a second trial
            ("t2", "full", 1.0, "2fps", [0, 30], [0.0, 1.0]),
            ("t3", "full", 1.0, "2fps", [0], [0.0]),
            ("t1", "shuffled_order", 0.5, "2fps", [15, 0], [0.5, 0.0]),
            ("t2", "shuffled_order", 0.25, "2fps", [30, 0], [1.0, 0.0]),
            ("t4", "shuffled_order", 0.25, "2fps", [30, 0], [1.0, 0.0]),  # no full input
            ("t1", "text_only", 0.0, None, [], []),
        ),
        RULES,
    )
    assert found.by_condition["condition"].to_list() == ["text_only", "shuffled_order"]
    text, shuffled = found.by_condition.rows(named=True)
    assert (shuffled["tasks"], shuffled["unpaired"]) == (2, 2)
    assert (shuffled["mean_full"], shuffled["mean_ablated"]) == (0.75, 0.375)
    assert shuffled["difference_pp"] == 37.5
    assert (shuffled["low_pp"], shuffled["high_pp"]) == (0.0, 75.0)
    assert shuffled["is_controlled"] is True
    assert (text["tasks"], text["difference_pp"], text["low_pp"], text["reason_code"]) == (
        1,
        50.0,
        None,
        "too_few_values",
    )
    kept = found.by_task.filter(pl.col("condition") == "shuffled_order").row(0, named=True)
    assert (kept["frame_indexes"], kept["frame_times_s"], kept["sampling"]) == ([15, 0], [0.5, 0.0], "2fps")


@pytest.mark.parametrize(
    ("condition", "frames", "sampling", "state", "controlled"),
    [
        ("shuffled_order", [0, 1], "2fps", "not_as_named", False),  # nothing was shuffled
        ("shuffled_order", [1, 2], "2fps", "not_as_named", False),  # other frames
        ("video_audio", [0, 1], "2fps", "as_named", True),
        ("video_audio", [0, 1], "4fps", "as_named", False),
        ("video_audio", [0, 1], None, "as_named", None),
        ("video_audio", None, "2fps", "not_tracked", None),
        ("text_only", [0], None, "not_as_named", False),
        ("text_only", [], None, "as_named", True),
    ],
)
def test_frames_are_held_against_the_name(
    condition: str, frames: list[int] | None, sampling: str | None, state: str, controlled: bool | None
) -> None:
    found = ablations(samples(("t", "full", 1.0, "2fps", [0, 1]), ("t", condition, 0.0, sampling, frames)), RULES)
    assert found.by_task["frames"].to_list() == [state]
    assert found.by_condition["is_controlled"].to_list() == [controlled]


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(ComponentError, match="row 2, condition: 'blurred' is none of"):
        ablations(samples(("t", "full", 1.0), ("t", "blurred", 1.0)), RULES)
    with pytest.raises(ComponentError, match=r"row 1: task 't' with score 1\.5"):
        ablations(samples(("t", "full", 1.5)), RULES)
    clustered = samples(("t", "full", 1.0), ("t", "occluded", 1.0)).with_columns(cluster=pl.Series(["a", "b"]))
    with pytest.raises(ComponentError, match="more than one cluster"):
        ablations(clustered, RULES)
    assert ablations(samples(), RULES).by_condition.height == 0


def test_known_loss_is_recovered() -> None:
    """Full minus ablated is 30 points on average: the interval holds it in at least 88 of 100 worlds (95 meant)."""
    draw, held = np.random.default_rng(11), 0
    for _ in range(100):
        full = draw.binomial(1, 0.8, 60)
        ablated = draw.binomial(1, 0.5, 60)
        rows = [(f"t{n}", name, float(score)) for name, scores in (("full", full), ("text_only", ablated))
                for n, score in enumerate(scores)]  # fmt: skip
        row = ablations(samples(*rows), RULES).by_condition.row(0, named=True)
        held += row["low_pp"] <= 30 <= row["high_pp"]
    assert held >= 88


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["full", "occluded"]), st.integers(0, 10)), max_size=16)
)
def test_as_plain_means(rows: list[tuple[str, str, int]]) -> None:
    found = ablations(samples(*((task, name, score / 10) for task, name, score in rows)), RULES)
    if not any(name == "occluded" for _, name, _ in rows):
        assert found.by_condition.height == 0
        return
    mean = {
        (task, name): np.mean([score / 10 for t, n, score in rows if (t, n) == (task, name)]) for task, name, _ in rows
    }
    both = [task for task in "abcd" if (task, "full") in mean and (task, "occluded") in mean]
    row = found.by_condition.row(0, named=True)
    assert row["tasks"] == len(both)
    if both:
        naive = np.mean([100 * (mean[task, "full"] - mean[task, "occluded"]) for task in both])
        assert row["difference_pp"] == pytest.approx(naive, abs=1e-6)
