"""What the source promises of fit and of the division of scores, on random panels; naive versions beside ours."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st
from panels import RULES, SEED, batch, crossing_rows, panel, tables
from pytest import approx

from methods.harness.crossed import Crossed
from methods.harness.crossing import Crossing, largest_crossing
from methods.harness.fit import point_fit
from methods.harness.grid import GridBuilder
from methods.harness.plan import plan_of
from methods.harness.study import harness_tables

FEW = settings(max_examples=25, deadline=None)
SHARES = st.integers(0, 20).map(lambda number: Fraction(number, 20))


@st.composite
def blocks(draw: st.DrawFn) -> list[list[list[Fraction]]]:
    """[b][m][h] J of a small crossing."""
    b, m, h = (draw(st.integers(1, 3)), draw(st.integers(2, 3)), draw(st.integers(2, 4)))
    return [[[draw(SHARES) for _ in range(h)] for _ in range(m)] for _ in range(b)]


def figures(joint: list[list[list[Fraction]]]) -> Crossed:
    names = ([f"b{n}" for n in range(len(joint))], [f"m{n}" for n in range(len(joint[0]))])
    harnesses = tuple(f"h{n}" for n in range(len(joint[0][0])))
    return Crossed(Crossing(tuple(names[0]), tuple(names[1]), harnesses), {"joint": joint}, {}, [])


@FEW
@given(blocks(), st.data())
def test_fit_is_unchanged_by_positive_rescaling_within_a_block(joint: list[list[list[Fraction]]], data: Any) -> None:
    b, m = data.draw(st.integers(0, len(joint) - 1)), data.draw(st.integers(0, len(joint[0]) - 1))
    scaled = [[list(row) for row in block] for block in joint]
    factor = Fraction(data.draw(st.integers(1, 50)), 17)
    scaled[b][m] = [value * factor for value in scaled[b][m]]
    before, after = point_fit(figures(joint), "joint"), point_fit(figures(scaled), "joint")
    assert before == after


@FEW
@given(blocks())
def test_geometric_is_at_most_arithmetic_equal_where_all_are_and_zero_where_any_is(
    joint: list[list[list[Fraction]]],
) -> None:
    fit = point_fit(figures(joint), "joint")
    assert fit is not None
    for h, (geometric, arithmetic) in enumerate(zip(fit.geometric, fit.arithmetic, strict=True)):
        column = [row[h] for row in fit.by_pair]
        assert geometric <= float(arithmetic) * (1 + 1e-15)
        assert (geometric == 0) == (0 in column)
        if len(set(column)) == 1:
            assert geometric == float(arithmetic)


@FEW
@given(blocks(), st.data())
def test_own_joint_score_up_never_lowers_fit(joint: list[list[list[Fraction]]], data: Any) -> None:
    b, m, h = (data.draw(st.integers(0, size - 1)) for size in (len(joint), len(joint[0]), len(joint[0][0])))
    raised = [[list(row) for row in block] for block in joint]
    raised[b][m][h] = raised[b][m][h] + data.draw(SHARES)
    before, after = point_fit(figures(joint), "joint"), point_fit(figures(raised), "joint")
    assert before is not None
    assert after is not None
    assert after.rho[b][m][h] >= before.rho[b][m][h]
    assert after.by_pair[m][h] >= before.by_pair[m][h]
    assert after.geometric[h] >= before.geometric[h]


@FEW
@given(blocks())
def test_a_block_whose_maximum_is_zero_has_fit_zero(joint: list[list[list[Fraction]]]) -> None:
    joint[0][0] = [Fraction(0) for _ in joint[0][0]]
    fit = point_fit(figures(joint), "joint")
    assert fit is not None
    assert set(fit.rho[0][0]) == {0}
    assert all(max(row) == 1 or set(row) == {0} for block in fit.rho for row in block)


def random_panel(seed: int) -> tuple[Any, list[dict[str, Any]]]:
    rng = np.random.default_rng(seed)
    scores = rng.choice([0.0, 0.25, 1.0], (2, 2, 3, 4, 2))
    clean = rng.random(scores.shape) < 0.7
    names = (["b1", "b2"], ["m1", "m2"], ["h1", "h2", "h3"])
    rows = crossing_rows(scores, clean, names)
    spec = panel(names[1], names[2], [{"id": b, "map": "stated", "tasks": 4, "repetitions": 2} for b in names[0]])
    kept = [row for row in rows if rng.random() < 0.95]
    return spec, kept


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_the_order_of_records_and_batches_moves_nothing(seed: int, random: Any) -> None:
    spec, rows = random_panel(seed)
    found = tables(spec, rows)
    shuffled = list(rows)
    random.shuffle(shuffled)
    builder = GridBuilder(plan_of(spec, _maps(), {("b1", "main"): _tasks(), ("b2", "main"): _tasks()}))
    for start in range(0, len(shuffled), 17):
        builder.add(batch(shuffled[start : start + 17], first=start + 1))
    other = harness_tables(builder.finish(), "s", RULES, SEED)
    for name, frame in found.items():
        assert frame.equals(other[name]), name


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10_000))
def test_cells_equal_a_naive_version(seed: int) -> None:
    spec, rows = random_panel(seed)
    found = tables(spec, rows)
    by_attempt = {(r["benchmark"], r["model"], r["harness"], r["task"], r["repetition"]): r for r in rows}
    for row in found["out__harness_cell"].rows(named=True):
        attempts = [
            by_attempt.get((row["benchmark"], row["model"], row["harness"], f"t{t:03d}", f"{r}"))
            for t in range(4) for r in (1, 2)
        ]  # fmt: skip
        scores = [0.0 if a is None else a["score"] for a in attempts]
        clean = [a is not None and a["normal_termination"] == "true" for a in attempts]
        assert row["score"] == approx(sum(scores) / 8)
        assert row["clean"] == sum(clean) / 8
        assert row["joint"] == approx(sum(s for s, c in zip(scores, clean, strict=True) if c) / 8)
        assert row["best_of_r"] == approx(sum(max(scores[2 * t : 2 * t + 2]) for t in range(4)) / 4)


@settings(max_examples=30, deadline=None)
@given(st.sets(st.tuples(st.sampled_from(["b1", "b2"]), st.sampled_from("ABCD"), st.sampled_from("wxyz")), max_size=32))
def test_the_largest_crossing_equals_trying_everything(planned: set[tuple[str, str, str]]) -> None:
    found, is_whole = largest_crossing(planned, ("b1", "b2"), 20000)
    assert is_whole
    best = 0
    for benchmarks in (["b1"], ["b2"], ["b1", "b2"]):
        for models in _subsets("ABCD"):
            for harnesses in _subsets("wxyz"):
                if all((b, m, h) in planned for b in benchmarks for m in models for h in harnesses):
                    best = max(best, len(benchmarks) * len(models) * len(harnesses))
    assert (found.size if found else 0) == best
    if found:
        assert set(found.cells()) <= planned


def _subsets(names: str) -> list[list[str]]:
    every = [[name for place, name in enumerate(names) if number >> place & 1] for number in range(2 ** len(names))]
    return [some for some in every if len(some) > 1]


def _maps() -> Any:
    from panels import MAPS

    return MAPS


def _tasks() -> set[str]:
    return {f"t{t:03d}" for t in range(4)}


def test_names_do_not_matter_to_a_sum_of_wins() -> None:
    spec, rows = random_panel(3)
    wins = tables(spec, rows)["out__harness_win"].filter((pl.col("within") == "*") & (pl.col("opponent") == "*"))
    for (_measure, _side), own in wins.group_by("measure", "side"):
        assert own["wins"].sum() == own["losses"].sum()
