"""Prints, as JSON, hashes of the tables of protocols and of the board's variants: run in other processes.

Usage: sensitivity_hashes.py SHUFFLE_SEED, with this folder and that of the tests of protocols on the path.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from day_tables import day
from loss_rows import drawn, with_rules

from methods.protocols.study import protocol_tables
from methods.sensitivity.board_shifts import board_sensitivity
from warehouse.hashing import table_hash
from warehouse.study_options import ProtocolOptions
from warehouse.tables import TABLES


def sensitivity_hashes(shuffle: int) -> dict[str, str]:
    """Table hash by table, of rows in an order drawn by `shuffle`."""
    rng = np.random.default_rng(20261020)
    base = rng.normal(size=(20, 3, 5))
    sides = {"p": base + rng.normal(size=base.shape), "q": base[..., None] + rng.normal(size=(*base.shape, 6))}
    rows = drawn({"p": sides["p"]}).vstack(drawn({"q": sides["q"]}))
    mixed = rows.sample(fraction=1.0, shuffle=True, seed=shuffle)
    rules = with_rules(site_resamples=200, control_pairs=10, growth_orders=3)
    frames = protocol_tables(mixed, "winds", ProtocolOptions(), rules)
    a_day = day(7, models=20, metrics=20, categories=("coding", "math"))
    tables = (
        frame.sample(fraction=1.0, shuffle=True, seed=shuffle)
        for frame in (a_day.evidence, a_day.exclusions, a_day.results)
    )
    frames |= board_sensitivity(*tables, a_day.catalog)
    return {name: table_hash(TABLES[name].conform(frame), TABLES[name]) for name, frame in frames.items()}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(sensitivity_hashes(int(sys.argv[1]))))
