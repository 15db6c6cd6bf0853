"""What changed in the received results between two releases, leaderboard by leaderboard (METHODS 14).

A value that its source changed keeps its entry id: it is a new event of the later release, and the earlier release
keeps its number. Belongs here: comparing `core__result` of two releases. What that did to scores is `change`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True, slots=True)
class ChangedValue:
    """One entry whose value, unit or stated error is another: both sides, as stated."""

    entry_id: str
    model: str
    benchmark: str
    metric: str
    former_value: float | None
    latter_value: float | None
    former_unit: str
    latter_unit: str
    former_stderr: float | None
    latter_stderr: float | None


@dataclass(frozen=True, slots=True)
class BoardInput:
    """One leaderboard's results in two releases.

    Attributes:
        former_sha256, latter_sha256: the snapshots; None where the release has none.
        former_rows, latter_rows: results.
        added, removed: entries that only one release has.
        changed: entries that both have with other values, in order of entry id.
    """

    leaderboard: str
    former_sha256: str | None
    latter_sha256: str | None
    former_rows: int
    latter_rows: int
    added: int
    removed: int
    changed: tuple[ChangedValue, ...]

    @property
    def is_same(self) -> bool:
        """Whether the same bytes gave the same results."""
        return self.former_sha256 == self.latter_sha256 and not (self.added or self.removed or self.changed)


def input_changes(
    former: pl.DataFrame, latter: pl.DataFrame, former_snapshots: Mapping[str, str], latter_snapshots: Mapping[str, str]
) -> tuple[BoardInput, ...]:
    """Every leaderboard of either release, by id.

    Args:
        former, latter: `core__result`.
        former_snapshots, latter_snapshots: SHA-256 by leaderboard.
    """
    same = ("entry_id", "leaderboard", "model", "benchmark", "metric")
    compared = ("value", "unit", "stderr")
    joined = former.select(*same, *compared).join(
        latter.select(*same, *compared), on="entry_id", how="full", suffix="_latter"
    )
    board = pl.coalesce("leaderboard", "leaderboard_latter")
    added, removed = pl.col("entry_id").is_null(), pl.col("entry_id_latter").is_null()
    differs = pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name}_latter")) for name in compared)
    marked = joined.with_columns(board=board, added=added, removed=removed, changed=differs & ~added & ~removed)
    counts = {
        name: (int(news), int(lost), int(before), int(after))
        for name, news, lost, before, after in marked.group_by("board")
        .agg(
            pl.col("added").sum(),
            pl.col("removed").sum(),
            before=(~pl.col("added")).sum(),
            after=(~pl.col("removed")).sum(),
        )
        .iter_rows()
    }
    changed: dict[str, list[ChangedValue]] = {}
    for row in marked.filter("changed").sort("entry_id").rows(named=True):
        changed.setdefault(row["board"], []).append(
            ChangedValue(
                row["entry_id"], row["model"], row["benchmark"], row["metric"], row["value"], row["value_latter"],
                row["unit"], row["unit_latter"], row["stderr"], row["stderr_latter"],
            )
        )  # fmt: skip
    boards = sorted({*counts, *former_snapshots, *latter_snapshots})
    return tuple(
        BoardInput(
            name,
            former_snapshots.get(name),
            latter_snapshots.get(name),
            former_rows=counts.get(name, (0, 0, 0, 0))[2],
            latter_rows=counts.get(name, (0, 0, 0, 0))[3],
            added=counts.get(name, (0, 0, 0, 0))[0],
            removed=counts.get(name, (0, 0, 0, 0))[1],
            changed=tuple(changed.get(name, ())),
        )
        for name in boards
    )
