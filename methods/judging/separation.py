"""Selection and held-out items: which item is which, and proof that they share no item and no cluster (METHODS 10).

Belongs here: the split. A split that the judgments state is checked; one that they do not is drawn by cluster, by hash,
so that it depends on nothing but the seed and the cluster's name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import polars as pl

from methods.judging.columns import JudgmentsError
from methods.judging.orders import Flags
from warehouse.judge_words import SPLITS
from warehouse.plain_text import one_line

_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Sides:
    """Which items a threshold is chosen on, and which it is judged on: masks over all items."""

    selection: Flags
    held_out: Flags


def stated_sides(items: pl.DataFrame) -> Sides | None:
    """The split that the judgments state; None where they state none.

    Raises:
        JudgmentsError: where a cluster lies on both sides.
    """
    if items["split"].null_count() == items.height:
        return None
    clusters = clusters_of(items)
    both = (
        pl.DataFrame({"cluster": clusters, "split": items["split"]})
        .filter(pl.col("split").is_not_null())
        .group_by("cluster")
        .agg(pl.col("split").n_unique().alias("sides"))
        .filter(pl.col("sides") > 1)
    )
    if both.height:
        raise JudgmentsError(
            f"{one_line(both['cluster'].sort()[0])} lies on both sides of the split (and {both.height - 1:,} more): "
            "what the threshold was chosen on would judge it. Put every cluster on one side"
        )
    return Sides(*((items["split"] == side).fill_null(value=False).to_numpy() for side in SPLITS))


def drawn_sides(items: pl.DataFrame, share: float, seed: int) -> Sides:
    """A split drawn by cluster: on the selection side where the hash of seed and cluster falls below the share.

    Args:
        items: with item and cluster.
        share: of clusters that the selection side gets, on average.
        seed: the methodology's.

    Raises:
        JudgmentsError: for a share that leaves a side empty by itself.
    """
    if not 0 < share < 1:
        raise JudgmentsError(f"a split of {share:g} leaves one side empty; it is a share between 0 and 1")
    limit = int(share * 16**_DIGITS)
    names = clusters_of(items)
    unique = names.unique().to_list()
    chosen = {name: int(_digest(f"{seed}:{name}"), 16) < limit for name in unique}
    selection = np.array([chosen[name] for name in names.to_list()], dtype=np.bool_)
    return Sides(selection, ~selection)


def clusters_of(items: pl.DataFrame) -> pl.Series:
    """The cluster of each item: as stated, else the item alone."""
    alone = "item " + items["item"]
    return ("cluster " + items["cluster"]).fill_null(alone).alias("cluster")


def digests(items: pl.DataFrame) -> list[str]:
    """What a policy keeps of its selection set: a hash of each item and each cluster, sorted, so that a held-out set
    can be held against it without carrying their names."""
    names = {*clusters_of(items).to_list(), *("item " + items["item"]).to_list()}
    return sorted(_digest(name) for name in names)


def shared_with(items: pl.DataFrame, kept: Collection[str]) -> list[str]:
    """Items of a set that share themselves or their cluster with a selection set, by name.

    Args:
        items: the set.
        kept: what the policy keeps (`digests`).
    """
    known = frozenset(kept)
    clusters = clusters_of(items).to_list()
    return [
        item
        for item, cluster in zip(items["item"].to_list(), clusters, strict=True)
        if _digest(f"item {item}") in known or _digest(cluster) in known
    ]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
