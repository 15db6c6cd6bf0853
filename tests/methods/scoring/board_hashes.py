"""Prints, as JSON, the table hashes of one simulated board: run by `test_same_bits` in processes set up differently.

Usage: board_hashes.py (interpreted | compiled) SHUFFLE_SEED
"""

from __future__ import annotations

import json
import sys
from datetime import date

from simulated_boards import METHODOLOGY, catalog_for, random_kept

from methods.scoring import loops
from methods.scoring.board import build_board
from methods.scoring.standardize import standardize_rows
from warehouse.hashing import table_hash
from warehouse.tables import TABLES


def board_hashes(shuffle: int) -> dict[str, str]:
    kept = random_kept(31, models=120, metrics=48, fill=0.6).sample(fraction=1.0, shuffle=True, seed=shuffle)
    evidence, exclusions = standardize_rows(kept, METHODOLOGY)
    board = build_board(
        evidence.sample(fraction=1.0, shuffle=True, seed=shuffle + 1),
        catalog_for(sorted(set(kept["model_id"]))),
        release_id="2026-10-20-0123456789ab",
        as_of=date(2026, 10, 20),
    )
    tables = {
        "core__evidence": evidence,
        "core__exclusion": exclusions,
        "out__dimension_score": board.dimension_scores,
        "out__category_score": board.category_scores,
        "out__score_weight": board.weights,
    }
    return {name: table_hash(frame, TABLES[name]) for name, frame in tables.items()}


if __name__ == "__main__":
    if sys.argv[1] == "compiled":
        loops.COMPILE_ABOVE = -1  # type: ignore[misc]
    print(json.dumps(board_hashes(int(sys.argv[2]))))
