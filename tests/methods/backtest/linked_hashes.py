"""Prints, as JSON, the hashes of the linked tables and the proof of one board: run by `test_same_bits` elsewhere.

Usage: linked_hashes.py SHUFFLE_SEED
"""

from __future__ import annotations

import json
import sys
from datetime import date

from simulated_results import board_catalog, board_evidence

from methods.backtest.tables import backtest_tables
from methods.linked.tables import linked_tables
from methods.scoring.board import build_board
from warehouse.hashing import table_hash
from warehouse.tables import TABLES


def linked_hashes(shuffle: int) -> dict[str, str]:
    """The hash of every table of the linked score and its proof."""
    catalog = board_catalog()
    evidence = board_evidence(9).sample(fraction=1.0, shuffle=True, seed=shuffle)
    board = build_board(evidence, catalog, release_id="2026-10-20-0123456789ab", as_of=date(2026, 10, 20))
    scores = board.category_scores.sample(fraction=1.0, shuffle=True, seed=shuffle + 1)
    made = {**linked_tables(evidence, scores, catalog), **backtest_tables(evidence, scores, catalog)}
    return {name: table_hash(frame, TABLES[name]) for name, frame in made.items()}


if __name__ == "__main__":
    print(json.dumps(linked_hashes(int(sys.argv[1]))))
