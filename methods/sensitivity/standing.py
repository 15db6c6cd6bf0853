"""Who is rated, and in which order, under a variant (METHODS 7): what a reader of the board would see change.

Belongs here: evidence counts, status and order of a category from the abilities of its dimensions. Does not belong
here: PSS (`board_shifts`), scores and intervals, which variants do not need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from methods.scoring.categories import RATED, status_of
from methods.scoring.overlap import components
from methods.sensitivity.cells import Floats, Integers
from methods.sensitivity.places import Category, Dimension
from methods.sensitivity.variants import Flags, Restated
from warehouse.methodology import CategoryScale, Methodology
from warehouse.vocabulary import ScoreStatus


@dataclass(frozen=True)
class DimensionCounts:
    """What a dimension's cells that count say of each model.

    Attributes:
        families: (models of the category) numbers of the families that it was measured on here; empty where not seen.
        is_overlap: (models of the category) whether it is overlap-calibrated here.
    """

    families: tuple[frozenset[int], ...]
    is_overlap: tuple[bool, ...]


def dimension_counts(
    model: Integers, family: Integers, is_in: Flags, models: int, scale: CategoryScale
) -> DimensionCounts:
    """The evidence counts of one dimension.

    Args:
        model, family: (cells) numbers. is_in: (cells) which count. models: of the category. scale: what overlap asks.
    """
    pairs = sorted(set(zip(model[is_in].tolist(), family[is_in].tolist(), strict=True)))
    own: list[set[int]] = [set() for _ in range(models)]
    for row, number in pairs:
        own[row].add(number)
    model_labels, family_labels = components(pairs, models, int(family.max(initial=-1)) + 1)
    size: dict[int, int] = {}
    for number in {number for _, number in pairs}:
        size[family_labels[number]] = size.get(family_labels[number], 0) + 1
    enough = [bool(own[row]) and size.get(label, 0) >= scale.overlap_families for row, label in enumerate(model_labels)]
    return DimensionCounts(tuple(frozenset(one) for one in own), tuple(enough))


def statuses(counts: Sequence[DimensionCounts], models: int, scale: CategoryScale) -> list[ScoreStatus | None]:
    """The status of every model of a category; None for one without any evidence.

    Args:
        counts: of its dimensions. models: of the category. scale: what each status asks for.
    """
    found: list[ScoreStatus | None] = []
    for row in range(models):
        seen = [one for one in counts if one.families[row]]
        if not seen:
            found.append(None)
            continue
        families = len(frozenset[int]().union(*(one.families[row] for one in seen)))
        found.append(status_of(len(seen), families, sum(one.is_overlap[row] for one in seen), scale)[0])
    return found


def rated_order(means: Floats, status: Sequence[ScoreStatus | None]) -> list[int]:
    """The rated models by category mean, best first, then by number.

    Args:
        means: (models) category means; NaN without evidence. status: (models).
    """
    rated = [row for row, one in enumerate(status) if one == RATED]
    return sorted(rated, key=lambda row: (-float(means[row]), row))


def largest_move(before: Sequence[int], after: Sequence[int]) -> int:
    """Most places that a model moves among those rated in both orders; 0 where there is none."""
    common = set(before) & set(after)
    first = {row: place for place, row in enumerate(row for row in before if row in common)}
    second = {row: place for place, row in enumerate(row for row in after if row in common)}
    return max((abs(first[row] - second[row]) for row in common), default=0)


def category_means(abilities: Sequence[Floats]) -> Floats:
    """The mean of each model's observed dimensions (METHODS 7), under every variant.

    Args:
        abilities: by dimension (models, variants), NaN where not observed.
    """
    total, observed = np.zeros_like(abilities[0]), np.zeros(abilities[0].shape, dtype=np.int64)
    for one in abilities:
        known = ~np.isnan(one)
        total = total + np.where(known, one, 0.0)
        observed += known
    means = np.full(total.shape, np.nan)
    np.divide(total, observed, out=means, where=observed > 0)
    return means


class Standings:
    """Statuses and order of a category on the board, and what of them a variant changes."""

    def __init__(self, category: Category, now: Restated, means: Floats, methodology: Methodology) -> None:
        self._category, self._now, self._means = category, now, means
        self._scale = methodology.category
        self._counts = [self._counted(dimension, now) for dimension in category.dimensions]
        self._status = statuses(self._counts, len(category.models), self._scale)
        self.order = rated_order(means[:, 0], self._status)

    def changes(self, side: int, restated: Restated) -> dict[str, Any]:
        """What of statuses and order differs under a variant, whose category means stand in column `side`."""
        counts = [
            before if _same(dimension, self._now, restated) else self._counted(dimension, restated)
            for dimension, before in zip(self._category.dimensions, self._counts, strict=True)
        ]
        is_same = all(one is other for one, other in zip(counts, self._counts, strict=True))
        status = self._status if is_same else statuses(counts, len(self._category.models), self._scale)
        order = rated_order(self._means[:, side], status)
        return {
            "models_lost": sum(one is None for one in status),
            "status_changes": sum(one != other for one, other in zip(status, self._status, strict=True)),
            "is_leader_changed": order[0] != self.order[0] if order and self.order else None,
            "largest_rank_move": largest_move(self.order, order),
        }

    def _counted(self, dimension: Dimension, restated: Restated) -> DimensionCounts:
        is_in = restated.is_in[dimension.cells]
        return dimension_counts(dimension.model, dimension.family, is_in, len(self._category.models), self._scale)


def _same(dimension: Dimension, one: Restated, other: Restated) -> bool:
    return bool((one.is_in[dimension.cells] == other.is_in[dimension.cells]).all())
