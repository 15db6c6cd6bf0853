"""The A/A control and losses by unit: worked by hand, the draws written out, and recovery of what repeating gives."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from loss_rows import METHODOLOGY, drawn, losses, with_rules
from naive_shifts import naive_sites

from methods.protocols.control import control
from methods.protocols.panel import build_panel
from methods.protocols.shifts import compare, panel_shift
from methods.statistics.keyed_random import draws, resample_keys

HALF = METHODOLOGY.protocols.swap_share


def unit_rows(values: dict[str, list[float | None]], protocol: str = "p", site: str = "s") -> list[dict[str, object]]:
    """One row a candidate and unit, of one coordinate."""
    return [
        {
            "site": site, "coordinate": "h", "protocol": protocol, "candidate": candidate, "unit": f"u{place}",
            "loss": loss,
        }
        for candidate, given in values.items()
        for place, loss in enumerate(given)
    ]  # fmt: skip


def test_without_units_nothing_is_said() -> None:
    one_loss = build_panel(drawn({"p": np.ones((2, 1, 3))}))
    found = control(one_loss, one_loss.sides[0], METHODOLOGY)
    assert (found.reason, found.mean_pss, found.pairs) == ("no_units", None, 0)
    one_unit = build_panel(losses(unit_rows({"a": [1.0], "b": [2.0]})))
    assert control(one_unit, one_unit.sides[0], METHODOLOGY).reason == "one_unit"


def test_equal_sums_tie_whatever_their_order() -> None:
    panel = build_panel(losses(unit_rows({"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1], "c": [0.2, 0.2, 0.2]})))
    assert len(set(panel.sides[0].losses[:, 0].tolist())) == 1


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_small_and_large_losses_keep_their_order(scale: float) -> None:
    panel = build_panel(losses(unit_rows({"a": [1 * scale, 2 * scale], "b": [1 * scale, 2.000001 * scale]})))
    assert panel.sides[0].losses[0, 0] < panel.sides[0].losses[1, 0]


def test_units_that_a_candidate_lacks_are_left_out_and_counted() -> None:
    panel = build_panel(losses(unit_rows({"a": [1.0, 5.0, 1.0], "b": [2.0, None, 2.0], "c": [3.0, 4.0, 3.0]})))
    side = panel.sides[0]
    assert side.left_out_units == 2
    assert panel.missing == 1
    assert side.losses[:, 0].tolist() == sorted(side.losses[:, 0].tolist())
    disjoint = build_panel(losses(unit_rows({"a": [1.0, None], "b": [None, 2.0]})))
    assert np.isnan(disjoint.sides[0].losses).all()


def test_the_draws_written_out() -> None:
    """Pair k draws group g as resamples 2kG + g and (2k + 1)G + g, units by name."""
    rng = np.random.default_rng(2)
    values = rng.integers(0, 9, size=(3, 2, 4, 5)).astype(float)
    panel = build_panel(drawn({"p": values}))
    rules = with_rules(control_pairs=3)
    found = control(panel, panel.sides[0], rules)
    pss = []
    for pair in range(3):
        sides = []
        for half in (0, 1):
            keys = resample_keys(METHODOLOGY.seed, (2 * pair + half) * 3, (2 * pair + half + 1) * 3)
            chosen = draws(keys, 5)
            sides.append(
                {
                    (f"s{s}", f"h{h}"): {f"c{k}": float(values[s, h, k, chosen[s]].sum()) for k in range(4)}
                    for s in range(3)
                    for h in range(2)
                }
            )
        naive = naive_sites(sides[0], sides[1], dict.fromkeys(sides[0], 1.0))
        pss.append([naive[f"s{s}"]["pss"] for s in range(3)])
    expected = [math.fsum(v for v in row if v is not None) / sum(v is not None for v in row) for row in pss]
    assert found.mean_pss == pytest.approx(math.fsum(expected) / 3, abs=1e-12)


def test_row_order_moves_no_bit() -> None:
    rng = np.random.default_rng(4)
    rows = drawn({"p": rng.normal(size=(4, 2, 3, 6))}).sample(fraction=0.9, seed=1)
    rules = with_rules(control_pairs=5)
    one, other = (build_panel(rows.sample(fraction=1.0, shuffle=True, seed=seed)) for seed in (1, 2))
    first, second = (control(panel, panel.sides[0], rules) for panel in (one, other))
    assert (first.mean_pss, first.swap_share) == (second.mean_pss, second.swap_share)
    assert first.site_pss.tolist() == second.site_pss.tolist()


def test_coordinates_on_the_same_units_are_drawn_together() -> None:
    """Two coordinates with equal losses by unit always agree with each other, since their draws are one."""
    rng = np.random.default_rng(6)
    once = rng.normal(size=(1, 1, 3, 8))
    twice = np.concatenate([once, once], axis=1)
    single, double = (build_panel(drawn({"p": values})) for values in (once, twice))
    rules = with_rules(control_pairs=20)
    assert control(single, single.sides[0], rules).mean_pss == control(double, double.sides[0], rules).mean_pss


def test_recovers_what_measuring_the_same_protocol_twice_gives() -> None:
    """Well-separated candidates and many units: the control's mean meets that of two independent measurements."""
    rng = np.random.default_rng(8)
    truth = np.arange(4) * 0.5 + rng.normal(size=(40, 2, 1)) * 0.1

    def measured() -> np.ndarray:
        return truth[..., None] + rng.normal(size=(40, 2, 4, 40)) * 2.0

    panel = build_panel(drawn({"p": measured(), "q": measured()}))
    rules = with_rules(control_pairs=40, site_resamples=10)
    twice = panel_shift(compare(panel, *panel.sides, HALF)[1], 4, rules)
    found = control(panel, panel.sides[0], rules)
    assert found.mean_pss is not None
    assert twice.mean_pss is not None
    assert found.mean_pss == pytest.approx(twice.mean_pss, rel=0.35)
    assert found.swap_share == pytest.approx(twice.swap_share, abs=0.12)


def test_a_protocol_that_moves_ranks_stands_out_from_its_control() -> None:
    rng = np.random.default_rng(9)
    truth = np.tile(np.arange(5.0), (30, 1, 1))
    moved = truth[:, :, [1, 0, 2, 4, 3]]
    units = rng.normal(size=(30, 1, 5, 12)) * 0.3
    panel = build_panel(drawn({"p": truth[..., None] + units, "q": moved[..., None] + units}))
    rules = with_rules(control_pairs=20, site_resamples=10)
    across = panel_shift(compare(panel, *panel.sides, HALF)[1], 5, rules)
    found = control(panel, panel.sides[0], rules)
    assert found.pss_interval is not None
    assert across.mean_pss is not None
    assert across.mean_pss > 10 * found.pss_interval.high


def test_losses_by_unit_may_stand_beside_losses_without(tmp_path: object) -> None:
    rows = pl.concat(
        [
            losses(unit_rows({"a": [1.0, 1.0], "b": [2.0, 2.0]})),
            drawn({"q": np.array([[[1.0, 2.0]]])}, ["a", "b"]).with_columns(site=pl.lit("s"), coordinate=pl.lit("h")),
        ]
    )
    panel = build_panel(rows)
    assert compare(panel, *panel.sides, HALF)[1].pss.tolist() == [0.0]
