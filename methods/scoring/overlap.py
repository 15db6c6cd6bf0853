"""Which models of a dimension were measured against one another: connected components (METHODS 7).

Belongs here: components of a graph between models and something they share. Does not belong here: what is concluded
from them (`dimensions`, `weights`).
"""

from __future__ import annotations

from collections.abc import Iterable


def components(edges: Iterable[tuple[int, int]], models: int, others: int) -> tuple[list[int], list[int]]:
    """Labels of the connected components of a two-sided graph.

    Args:
        edges: (model, other) pairs, each side numbered from 0; order and repetition do not matter.
        models: number of models.
        others: number of nodes on the other side (families or metrics).

    Returns:
        One label per model and one per other: equal within a component, different between components.
    """
    parent = list(range(models + others))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for model, other in edges:
        low, high = sorted((root(model), root(models + other)))
        parent[high] = low
    labels = [root(node) for node in range(models + others)]
    return labels[:models], labels[models:]
