"""What a release leaves behind for the gates of the next one to compare with (DESIGN "Time, state and storage").

Belongs here: the summary and its exact JSON form. Which release is the baseline is decided by the ledger of releases;
what a gate makes of the figures is `checks.named`. The summary is kept inside the release, so that it can be verified
with nothing else at hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any, Final

import polars as pl

from methods.lineage.stated_fields import stated_fields, stated_models
from warehouse.canonical import canonical_json

SCHEMA: Final = "scoretrail.baseline/1"


@dataclass(frozen=True, slots=True)
class BaselineFigures:
    """Figures of a former release.

    Attributes:
        release_id: the release.
        rows: results by leaderboard.
        counted: results that became evidence for at least one metric, by leaderboard.
        tiers: evidence rows by tier.
        models: ids of the models with a score, by category, sorted.
        fields: leaderboard → field → results that state it; empty for a release made before they were kept.
        names: leaderboard → model names its results state, as received; empty likewise.
        known: leaderboard → the day its snapshot was known from; empty for a release made before it was kept.
        boards: category → model id → leaderboards whose evidence it has there, sorted; empty likewise.
        values: metric id → model id → (entry id, value as a fraction or rating) of the evidence.
    """

    release_id: str
    rows: Mapping[str, int]
    counted: Mapping[str, int]
    tiers: Mapping[str, int]
    models: Mapping[str, tuple[str, ...]]
    values: Mapping[str, Mapping[str, tuple[str, float]]]
    fields: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    known: Mapping[str, date] = field(default_factory=dict)
    boards: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    def to_json(self) -> bytes:
        """The figures as canonical JSON: the same figures give the same bytes."""
        content: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        content["known"] = {board: day.isoformat() for board, day in self.known.items()}
        return canonical_json({"schema": SCHEMA, **content})

    @classmethod
    def from_json(cls, document: bytes | str) -> BaselineFigures:
        """The figures that `to_json` wrote.

        Raises:
            ValueError: if the document is no such JSON, or of another schema.
        """
        content = json.loads(document)
        if not isinstance(content, dict) or content.get("schema") != SCHEMA:
            raise ValueError(f"baseline figures must be JSON of schema {SCHEMA}")
        try:
            return cls(
                release_id=str(content["release_id"]),
                rows=_counts(content["rows"]),
                counted=_counts(content["counted"]),
                tiers=_counts(content["tiers"]),
                models=_lists(content["models"]),
                values={
                    str(metric): {str(model): (str(entry), float(value)) for model, (entry, value) in cells.items()}
                    for metric, cells in content["values"].items()
                },
                fields={str(board): _counts(counts) for board, counts in content.get("fields", {}).items()},
                names=_lists(content.get("names", {})),
                known={str(board): date.fromisoformat(day) for board, day in content.get("known", {}).items()},
                boards={str(category): _lists(models) for category, models in content.get("boards", {}).items()},
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"baseline figures are incomplete: {error}") from error


def baseline_figures(
    results: pl.DataFrame,
    evidence: pl.DataFrame,
    category_scores: pl.DataFrame,
    release_id: str,
    snapshots: pl.DataFrame | None = None,
) -> BaselineFigures:
    """The figures of a release (METHODS 14), whatever the row order of its tables.

    Args:
        results: core__result. evidence: core__evidence. category_scores: out__category_score.
        release_id: the release they belong to.
        snapshots: raw__snapshot; without it no day is known.
    """
    counted = results.join(evidence.select("entry_id").unique(), on="entry_id", how="semi")
    values: dict[str, dict[str, tuple[str, float]]] = {}
    cells = evidence.select("metric_id", "model_id", "entry_id", "value").sort("metric_id", "model_id", "entry_id")
    for metric, model, entry, value in cells.iter_rows():
        values.setdefault(metric, {})[model] = (entry, value)
    models: dict[str, list[str]] = {}
    scored = category_scores.filter(pl.col("score").is_not_null()).select("category", "model_id")
    for category, model in scored.sort("category", "model_id").iter_rows():
        models.setdefault(category, []).append(model)
    return BaselineFigures(
        release_id=release_id,
        rows=count_by(results, "leaderboard"),
        counted=count_by(counted, "leaderboard"),
        tiers=count_by(evidence, "tier"),
        models={category: tuple(ids) for category, ids in models.items()},
        values=values,
        fields=stated_fields(results),
        names=stated_models(results),
        known={} if snapshots is None else _known(snapshots),
        boards=boards_of_models(results, evidence),
    )


def boards_of_models(results: pl.DataFrame, evidence: pl.DataFrame) -> dict[str, dict[str, tuple[str, ...]]]:
    """Category → model id → the leaderboards whose evidence it has there; all sorted."""
    rows = evidence.select("category", "model_id", "entry_id").join(
        results.select("entry_id", "leaderboard"), on="entry_id", how="inner"
    )
    found: dict[str, dict[str, list[str]]] = {}
    for category, model, board in (
        rows.select("category", "model_id", "leaderboard").unique().sort(pl.all()).iter_rows()
    ):
        found.setdefault(category, {}).setdefault(model, []).append(board)
    return {category: {model: tuple(boards) for model, boards in of.items()} for category, of in found.items()}


def _known(snapshots: pl.DataFrame) -> dict[str, date]:
    rows = snapshots.select("leaderboard", "synced_at").sort("leaderboard").iter_rows()
    return {str(board): synced_at.date() for board, synced_at in rows if synced_at is not None}


def count_by(frame: pl.DataFrame, column: str) -> dict[str, int]:
    """Rows by the values of a text column, sorted by value."""
    return {str(name): int(count) for name, count in frame.group_by(column).len().sort(column).iter_rows()}


def _lists(content: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {str(name): tuple(map(str, items)) for name, items in content.items()}


def _counts(content: Mapping[str, object]) -> dict[str, int]:
    for name, count in content.items():
        if not isinstance(count, int) or isinstance(count, bool):
            raise TypeError(f"{name} must be a count, not {count!r}")
    return {str(name): count for name, count in content.items() if isinstance(count, int)}
