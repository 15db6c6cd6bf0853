"""Growing candidate sets: PSS and winner swap move apart, as they may; orders, sizes and what ties nothing."""

from __future__ import annotations

import numpy as np
import pytest
from loss_rows import METHODOLOGY, drawn, with_rules

from methods.protocols.growth import growth, mean_ranks
from methods.protocols.panel import build_panel


def test_pss_falls_while_winner_swap_rises_as_candidates_join() -> None:
    """Three contenders close together, then more of them, and as many whose last places nobody disputes.

    Each newcomer that may win adds to the swaps; each that is always last adds pairs that never move.
    """
    rng = np.random.default_rng(20261020)
    sites = 300
    level = np.array([0.0, 0.2, 0.4, 0.1, 6.0, 0.1, 7.0, 0.1, 8.0])
    base = level + rng.normal(size=(sites, 1, 9)) * 0.3
    sides = {}
    for name in ("static", "rolling"):
        shift = rng.normal(size=(sites, 1, 9)) * 0.45
        sides[name] = base + shift + rng.normal(size=(sites, 7, 9)) * 0.1
    names = [f"c{k}" for k in range(9)]
    panel = build_panel(drawn(sides, names))
    steps = growth(panel, *panel.sides, with_rules(growth_orders=3), declared=names)
    declared = {step.candidates: step for step in steps if step.order == "declared"}
    three, nine = declared[3], declared[9]
    assert three.mean_pss is not None
    assert nine.mean_pss is not None
    assert nine.mean_pss < 0.75 * three.mean_pss
    assert nine.swap_share > 1.25 * three.swap_share
    assert three.resolution == pytest.approx(0.0952, abs=1e-4)
    assert nine.resolution == pytest.approx(0.0079, abs=1e-4)
    assert nine.joined == ("c8",)


def test_without_ties_the_mean_over_all_sets_of_a_size_is_the_same_for_every_size() -> None:
    rng = np.random.default_rng(1)
    panel = build_panel(drawn({"p": rng.normal(size=(60, 3, 5)), "q": rng.normal(size=(60, 3, 5))}))
    steps = [step for step in growth(panel, *panel.sides, with_rules(growth_orders=80)) if step.order == "random"]
    whole = steps[-1].mean_pss
    assert whole is not None
    assert all(step.mean_pss == pytest.approx(whole, abs=0.03) for step in steps)
    swaps = [step.swap_share for step in steps if step.swap_share is not None]
    assert swaps == sorted(swaps)


def test_best_first_without_a_declared_order() -> None:
    values = np.array([[[3.0, 1.0, 2.0]]])
    panel = build_panel(drawn({"p": values, "q": values}))
    steps = [step for step in growth(panel, *panel.sides, METHODOLOGY) if step.order == "best_first"]
    assert [step.joined for step in steps] == [("c01", "c02"), ("c00",)]
    assert [step.mean_pss for step in steps] == [0.0, 0.0]


def test_sizes_of_many_candidates_are_thinned_and_end_with_all() -> None:
    values = np.arange(60.0).reshape(1, 1, 60)
    panel = build_panel(drawn({"p": values, "q": values}))
    sizes = [step.candidates for step in growth(panel, *panel.sides, with_rules(growth_sizes=6, growth_orders=0))]
    assert (sizes[0], sizes[-1]) == (2, 60)
    assert len(sizes) == 6


def test_one_candidate_grows_nowhere() -> None:
    panel = build_panel(drawn({"p": np.ones((1, 1, 1)), "q": np.ones((1, 1, 1))}))
    assert growth(panel, *panel.sides, METHODOLOGY) == []


@pytest.mark.parametrize(("order", "said"), [(["c00", "zz"], "'zz' is no candidate"), (["c00", "c00"], "twice")])
def test_an_order_of_other_candidates_is_refused(order: list[str], said: str) -> None:
    panel = build_panel(drawn({"p": np.ones((1, 1, 2)), "q": np.ones((1, 1, 2))}))
    with pytest.raises(ValueError, match=said):
        growth(panel, *panel.sides, METHODOLOGY, order)


def test_mean_ranks_share_ties_and_leave_out_what_is_missing() -> None:
    ranks = mean_ranks(np.array([[1.0, 2.0], [1.0, np.nan], [3.0, 1.0], [np.nan, np.nan]]))
    assert ranks[:3].tolist() == [(1.5 + 2) / 2, 1.5, (3 + 1) / 2]
    assert np.isnan(ranks[3])
