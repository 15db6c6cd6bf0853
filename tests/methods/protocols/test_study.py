"""The tables of a study: which comparisons stand in them, under their contracts, the same bits in any row order."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from loss_rows import drawn, with_rules, written

from methods.protocols.study import protocol_tables
from warehouse.hashing import table_hash
from warehouse.study_options import ProtocolOptions
from warehouse.study_words import STUDY_TABLES
from warehouse.tables import TABLES

FAST = with_rules(site_resamples=50, control_pairs=4, growth_orders=2)


def tables(rows: pl.DataFrame, **options: object) -> dict[str, pl.DataFrame]:
    made = protocol_tables(rows, "winds", ProtocolOptions.model_validate(options), FAST)
    return {name: TABLES[name].conform(frame) for name, frame in made.items()}


def three_protocols() -> pl.DataFrame:
    rng = np.random.default_rng(0)
    base = rng.normal(size=(5, 3, 4))
    sides = {name: base + rng.normal(size=base.shape) * 0.5 for name in ("p", "q", "r")}
    units = base[..., None] + rng.normal(size=(*base.shape, 6))
    return pl.concat([drawn(sides | {"p/other targets": base}), drawn({"u": units})])


def test_every_comparison_stands_once() -> None:
    made = tables(three_protocols())
    assert set(made) == set(STUDY_TABLES["protocol_sensitivity"])
    panel = made["out__protocol_panel"]
    across = panel.filter(pl.col("comparison") == "across").select("protocol_a", "protocol_b").rows()
    assert across == [("p", "q"), ("p", "r"), ("p", "u"), ("q", "r"), ("q", "u"), ("r", "u")]
    within = dict(panel.filter(pl.col("comparison") == "within").select("protocol_a", "reason_code").rows())
    assert within == {"p": None, "q": "no_conventions", "r": "no_conventions", "u": "no_conventions"}
    control = dict(panel.filter(pl.col("comparison") == "control").select("protocol_a", "reason_code").rows())
    assert control == {"p": "no_units", "q": "no_units", "r": "no_units", "u": None}
    assert made["out__protocol_coordinate"].height == 7 * 15
    assert made["out__protocol_site"].height == 8 * 5


def test_panel_is_the_mean_of_its_sites() -> None:
    made = tables(three_protocols())
    key = ["comparison", "protocol_a", "protocol_b", "convention"]
    sites = made["out__protocol_site"].filter(pl.col("comparison") != "control")
    for group, rows in sites.group_by(key):
        wanted = pl.all_horizontal(pl.col(n).eq_missing(pl.lit(v)) for n, v in zip(key, group, strict=True))
        row = made["out__protocol_panel"].filter(wanted).row(0, named=True)
        assert row["mean_pss"] == pytest.approx(rows["pss"].mean(), abs=1e-12)
        assert row["swapped_sites"] == rows["is_swapped"].sum()


def test_a_reference_leaves_only_its_comparisons() -> None:
    panel = tables(three_protocols(), reference="q")["out__protocol_panel"]
    across = panel.filter(pl.col("comparison") == "across").select("protocol_a", "protocol_b").rows()
    assert across == [("q", "p"), ("q", "r"), ("q", "u")]
    with pytest.raises(ValueError, match="'z' is no protocol of the losses; they are p, q, r, u"):
        tables(three_protocols(), reference="z")


def test_same_bits_in_any_row_order() -> None:
    rows = three_protocols()
    first, second = (tables(rows.sample(fraction=1.0, shuffle=True, seed=seed)) for seed in (1, 2))
    for name, frame in first.items():
        assert table_hash(frame, TABLES[name]) == table_hash(second[name], TABLES[name])


def test_dropped_coordinates_say_why() -> None:
    p = {("s", "few"): [1, None, None], ("s", "tied"): [1, 1, 1], ("s", "sound"): [1, 2, 3]}
    q = {("s", "few"): [1, 2, 3], ("s", "tied"): [1, 2, 3], ("s", "sound"): [2, 1, 3]}
    made = tables(written({"p": p, "q": q}))
    rows = {row["coordinate"]: row for row in made["out__protocol_coordinate"].rows(named=True)}
    assert rows["few"]["reason_code"] == "too_few_candidates"
    assert rows["tied"]["reason_code"] == "all_tied"
    assert rows["sound"]["reason_code"] is None
    assert (rows["sound"]["winners_a"], rows["sound"]["winners_b"]) == (["a"], ["b"])
    panel = made["out__protocol_panel"].filter(pl.col("comparison") == "across").row(0, named=True)
    assert (panel["dropped_coordinates"], panel["coordinates"], panel["is_resolution_exact"]) == (2, 1, False)
    by_unit = drawn({"p": np.ones((1, 1, 2, 2)), "q": np.ones((1, 1, 2, 2))}).filter(
        (pl.col("protocol") != "p") | ((pl.col("candidate") == "c00") == (pl.col("unit") == "u000"))
    )
    assert tables(by_unit)["out__protocol_coordinate"]["reason_code"].to_list() == ["no_common_unit"]


def test_candidates_stand_by_mean_rank_and_count_their_wins() -> None:
    made = tables(written({"p": {("s", "h"): [2, 1, None]}, "q": {("s", "h"): [1, 1, 2]}}))
    rows = made["out__protocol_candidate"].filter(pl.col("protocol") == "p").rows(named=True)
    assert [(row["candidate"], row["place"], row["wins"]) for row in rows] == [("a", 2, 0), ("b", 1, 1), ("c", None, 0)]


def test_options_that_contradict_themselves_are_refused() -> None:
    with pytest.raises(ValueError, match="candidates names a twice"):
        ProtocolOptions(candidates=("a", "a"))


@pytest.mark.filterwarnings("error")
def test_losses_of_any_size_are_summed_without_a_warning() -> None:
    """By unit losses become whole steps: neither the largest nor the smallest float is too much for that."""
    sizes = np.array([1e308, -1e308, 5e-324])
    block = np.broadcast_to(sizes[None, None, :, None], (2, 1, 3, 3))
    tables = protocol_tables(drawn({"p": block, "q": block}), "s", ProtocolOptions(), FAST)
    row = tables["out__protocol_panel"].filter(pl.col("comparison") == "across").row(0, named=True)
    assert (row["mean_pss"], row["swap_share"]) == (0.0, 0.0)
