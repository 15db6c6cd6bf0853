"""PSS and winner swap: worked by hand, the published resolution, the naive way, and recovery of known truth."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loss_rows import METHODOLOGY, drawn, losses, with_rules, written
from naive_shifts import naive_sites

from methods.protocols.panel import LossError, build_panel
from methods.protocols.shifts import compare, panel_shift, resolution

HALF = METHODOLOGY.protocols.swap_share


def test_published_resolution() -> None:
    assert resolution(3, 7) == pytest.approx(0.095, abs=5e-4)
    assert resolution(9, 7) == pytest.approx(0.0079, abs=5e-5)
    assert resolution(1, 7) is None
    assert resolution(3, 0) is None


def test_one_adjacent_swap_moves_a_site_by_the_resolution() -> None:
    same = {("s", f"h{n}"): [1, 2, 3] for n in range(7)}
    moved = {**same, ("s", "h3"): [1, 3, 2]}
    panel = build_panel(written({"p": same, "q": moved}))
    _, sites = compare(panel, *panel.sides, HALF)
    assert sites.pss[0] == pytest.approx(resolution(3, 7), abs=1e-15)
    assert sites.is_exact[0]
    assert not sites.is_swapped[0]


def test_worked_site_with_weights_ties_and_a_dropped_coordinate() -> None:
    p = {("s", "day"): [1, 2, 3], ("s", "week"): [1, 2, 3], ("s", "year"): [5, 5, 5]}
    q = {("s", "day"): [1, 2, 3], ("s", "week"): [2, 1, 3], ("s", "year"): [1, 2, 3]}
    rows = written({"p": p, "q": q}).with_columns(
        weight=pl.col("coordinate").replace_strict({"day": 1.0, "week": 2.0, "year": 7.0})
    )
    panel = build_panel(rows)
    _, sites = compare(panel, *panel.sides, HALF)
    # year is tied on one side: dropped. day: tau 1, weight 1; week: tau 1/3, weight 2, another winner.
    assert sites.pss[0] == pytest.approx((1 * 0 + 2 * (2 / 3)) / 3, abs=1e-15)
    assert sites.swap_share[0] == pytest.approx(2 / 3)
    assert sites.is_swapped[0]
    assert (sites.used[0], sites.dropped[0]) == (2, 1)
    assert not sites.is_exact[0]


def test_exactly_half_is_no_swap_whatever_the_weights() -> None:
    names = ("a", "b", "c", "d")
    p = {("s", name): [1, 2] for name in names}
    q = {**p, ("s", "a"): [2, 1], ("s", "d"): [2, 1]}
    # 0.1 + 0.2 and 0.3 differ as floats
    weights = {"a": 0.1, "b": 0.3, "c": 1e-9, "d": 0.2}
    rows = written({"p": p, "q": q})
    even = build_panel(rows.with_columns(weight=pl.col("coordinate").replace_strict({**weights, "c": 1e-9})))
    _, sites = compare(even, *even.sides, HALF)
    assert not sites.is_swapped[0]
    heavier = build_panel(rows.with_columns(weight=pl.col("coordinate").replace_strict({**weights, "d": 0.200000002})))
    assert compare(heavier, *heavier.sides, HALF)[1].is_swapped[0]


def test_panel_counts_sites_swaps_and_the_undefined() -> None:
    p = {("s1", "h"): [1, 2], ("s2", "h"): [1, 2], ("s3", "h"): [1, None]}
    q = {("s1", "h"): [1, 2], ("s2", "h"): [2, 1], ("s3", "h"): [1, 2]}
    panel = build_panel(written({"p": p, "q": q}))
    _, sites = compare(panel, *panel.sides, HALF)
    found = panel_shift(sites, 2, METHODOLOGY)
    assert (found.sites, found.undefined_sites, found.swapped_sites) == (2, 1, 1)
    assert (found.mean_pss, found.swap_share, found.reason) == (1.0, 0.5, None)
    assert found.pss_interval is not None
    assert (found.pss_interval.low, found.pss_interval.high) == (0.0, 2.0)


def test_one_site_has_figures_and_no_interval() -> None:
    panel = build_panel(written({"p": {("s", "h"): [1, 2]}, "q": {("s", "h"): [2, 1]}}))
    found = panel_shift(compare(panel, *panel.sides, HALF)[1], 2, METHODOLOGY)
    assert (found.mean_pss, found.swapped_sites, found.pss_interval, found.reason) == (2.0, 1, None, "one_site")


CELL = st.one_of(st.none(), st.sampled_from([0.0, 0.5, 1.0, 1.5]))
WEIGHT = st.sampled_from([0.1, 0.2, 0.3, 0.7, 1.0])


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_equals_the_naive_way_in_any_row_order(data: st.DataObject) -> None:
    places = [
        (f"s{s}", f"h{h}") for s in range(data.draw(st.integers(1, 3))) for h in range(data.draw(st.integers(1, 4)))
    ]
    size = data.draw(st.integers(1, 4))
    sides = {
        name: {place: data.draw(st.lists(CELL, min_size=size, max_size=size)) for place in places}
        for name in ("p", "q")
    }
    weights = {place: data.draw(WEIGHT) for place in places}
    rows = written(sides)
    stated = pl.DataFrame([{"site": s, "coordinate": c, "w": w} for (s, c), w in weights.items()])
    rows = rows.join(stated, on=["site", "coordinate"]).with_columns(weight=pl.col("w")).select(rows.columns)
    shuffled = rows.sample(fraction=1.0, shuffle=True, seed=data.draw(st.integers(0, 99)))
    panel = build_panel(shuffled)
    _, found = compare(panel, *panel.sides, HALF)
    named = {
        name: {place: {chr(97 + k): v for k, v in enumerate(values)} for place, values in of.items()}
        for name, of in sides.items()
    }
    expected = naive_sites(named["p"], named["q"], weights)
    for place, site in enumerate(panel.sites):
        naive = expected[site]
        assert (found.used[place], found.dropped[place]) == (naive["used"], naive["dropped"])
        if naive["pss"] is None:
            assert math.isnan(found.pss[place])
            continue
        assert found.pss[place] == pytest.approx(naive["pss"], abs=1e-12)
        assert found.swap_share[place] == pytest.approx(float(naive["share"]), abs=1e-9)
        if abs(naive["share"] - Fraction(1, 2)) > 1e-12:
            assert found.is_swapped[place] == naive["is_swapped"]


def test_recovers_the_tau_of_a_known_correlation() -> None:
    """Normal columns of correlation r: E tau = 2/pi asin r, and two candidates change places with 1/2 - asin r/pi."""
    rng, rules = np.random.default_rng(11), with_rules(site_resamples=10)
    for r in (0.0, 0.5, 0.9):
        a = rng.normal(size=(1500, 1, 6))
        b = r * a + math.sqrt(1 - r * r) * rng.normal(size=a.shape)
        panel = build_panel(drawn({"p": a, "q": b}))
        found = panel_shift(compare(panel, *panel.sides, HALF)[1], 6, rules)
        assert found.mean_pss == pytest.approx(1 - 2 / math.pi * math.asin(r), abs=0.03)
        two = build_panel(drawn({"p": a[:, :, :2], "q": b[:, :, :2]}))
        pair = panel_shift(compare(two, *two.sides, HALF)[1], 2, rules)
        assert pair.swap_share == pytest.approx(0.5 - math.asin(r) / math.pi, abs=0.04)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(5)
    truth = 1 - 2 / math.pi * math.asin(0.6)
    rules = with_rules(site_resamples=200)
    covered = 0
    for _ in range(150):
        a = rng.normal(size=(60, 2, 4))
        b = 0.6 * a + 0.8 * rng.normal(size=a.shape)
        panel = build_panel(drawn({"p": a, "q": b}))
        found = panel_shift(compare(panel, *panel.sides, HALF)[1], 4, rules)
        assert found.pss_interval is not None
        covered += found.pss_interval.low <= truth <= found.pss_interval.high
    assert 0.89 <= covered / 150 <= 0.99


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "there are no losses"),
        (
            [
                {"site": "s", "coordinate": "h", "protocol": "p", "candidate": "a", "loss": 1.0, "weight": 1.0},
                {"site": "s", "coordinate": "h", "protocol": "q", "candidate": "a", "loss": 1.0, "weight": 2.0},
            ],
            "a coordinate has one weight",
        ),
        (
            [
                {"site": "s", "coordinate": "h", "protocol": "p", "candidate": "a", "loss": 1.0, "weight": 1.0},
                {"site": "s", "coordinate": "i", "protocol": "p", "candidate": "a", "loss": 1.0},
            ],
            "state all or none",
        ),
        (
            [{"site": "s", "coordinate": "h", "protocol": "p", "convention": "k", "candidate": "a", "loss": 1.0}],
            "no rows of its own",
        ),
        (
            [
                {"site": "s", "coordinate": "h", "protocol": "p", "candidate": "a", "unit": "u", "loss": 1.0},
                {"site": "s", "coordinate": "h", "protocol": "p", "candidate": "b", "loss": 1.0},
            ],
            "1 of 2 losses name no unit",
        ),
        (
            [{"site": "s", "coordinate": "h", "protocol": "p", "candidate": "a", "loss": 1.0, "weight": 1e12}],
            "too large",
        ),
        (
            [{"site": "s", "coordinate": "h", "protocol": "p", "candidate": "a", "loss": 1.0, "weight": 1e-12}],
            "billionth",
        ),
    ],
)
def test_what_makes_no_panel_is_said(rows: list[dict[str, object]], said: str) -> None:
    with pytest.raises(LossError, match=said):
        build_panel(losses(rows))
