"""The comparison tried on real histories: boards that date their rows, as they stood on two days, under the catalog.

The dates are the boards' own; what a board held on a day is every row it dates before.
"""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from pathlib import Path

import polars as pl
import pytest

from methods.catalog.received import receive
from methods.lineage.board_state import board_state
from methods.lineage.release_basis import ReleaseFacts
from methods.lineage.release_diff import DiffSide, ReleaseDiff, release_diff
from methods.scoring.board import build_board
from resources.catalog_files import load_catalog
from resources.connectors import SnapshotFile, parse
from warehouse.catalog_model import Catalog

BOARDS = (
    "swebench", "aider", "livebench", "bfcl", "mmmu", "osworld", "bigcodebench", "cruxeval", "openai-simple-evals",
    "benchpress", "arena-hard",
)  # fmt: skip
DAYS = (date(2025, 6, 1), date(2025, 12, 1))


@pytest.fixture(scope="module")
def compared(repository: Path, upstream_dir: Path) -> tuple[ReleaseDiff, float]:
    """Two days of history compared, and the seconds it took."""
    catalog = load_catalog(repository / "warehouse" / "catalog").catalog
    frames = []
    for name in BOARDS:
        source = catalog.source_by_id[name]
        file = upstream_dir / (source.path or "")
        if file.is_file():
            rows = parse(source, [SnapshotFile(file.name, file.read_bytes())]).rows
            frames.append(receive(name, "0" * 64, rows))
    assert len(frames) >= 3
    rows = pl.concat(frames)
    dated = board_state(rows, catalog).results.select("entry_id", "updated_at")
    sides = [side(rows, dated, catalog, day) for day in DAYS]
    start = time.perf_counter()
    found = release_diff(*sides)
    return found, time.perf_counter() - start


def side(rows: pl.DataFrame, dated: pl.DataFrame, catalog: Catalog, day: date) -> DiffSide:
    later = dated.filter(pl.col("updated_at") > datetime(day.year, day.month, day.day, tzinfo=UTC))
    held = rows.join(later, on="entry_id", how="anti")
    state = board_state(held, catalog)
    release_id = f"{day}-000000000000"
    scores = build_board(state.evidence, catalog, release_id=release_id, as_of=day).category_scores
    facts = ReleaseFacts(release_id, day, None, "superseded", catalog.version, catalog.sha256, "3.0", "c" * 64)
    return DiffSide(facts, catalog, held, state.results, scores)


def test_parts_sum_over_real_histories(compared: tuple[ReleaseDiff, float]) -> None:
    found, _ = compared
    taken_apart = [score for score in found.scores if score.parts is not None]
    moved = [score for score in taken_apart if score.change]
    assert len(taken_apart) > 50 and len(moved) > 20
    for score in taken_apart:
        assert score.parts is not None and score.change is not None
        assert abs(score.parts.total - score.change) <= 1e-9
        assert (score.parts.program, score.parts.methodology, score.parts.catalog) == (0.0, 0.0, 0.0)
        if not score.own_rows:
            assert score.parts.own == 0.0
    assert any(score.parts and score.parts.added for score in moved)
    assert any("no new evidence of its own, the score moved" in score.sentence for score in moved)
    for board in found.boards:
        for score in board.movements:
            assert score.sentence.startswith(score.model_name)


def test_a_comparison_takes_less_than_three_seconds(compared: tuple[ReleaseDiff, float]) -> None:
    """Several thousand rows and several hundred scores a side; a shared machine gets twice the time."""
    found, seconds = compared
    assert len(found.scores) > 300
    assert seconds < 6.0
