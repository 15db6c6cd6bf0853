"""The cells of the board by category and dimension, models and families numbered within their category.

Belongs here: numbering. Does not belong here: what a cell holds (`cells`), any figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import polars as pl

from methods.sensitivity.cells import Cells, Integers


@dataclass(frozen=True)
class Dimension:
    """The cells of one dimension.

    Attributes:
        place: its number. cells: their numbers. model: of each, among the category's models. metric: of each, among
            the dimension's metrics. family: of each, among the category's families.
    """

    place: int
    cells: Integers
    model: Integers
    metric: Integers
    family: Integers


@dataclass(frozen=True)
class Category:
    """One category: its dimensions in order, and the models and families that its cells name."""

    name: str
    dimensions: tuple[Dimension, ...]
    models: tuple[str, ...]
    families: tuple[str, ...]


def categories(cells: Cells) -> Iterator[Category]:
    """Every category with cells, in order of name."""
    names = cells.rows.select("model_id", "family")
    for name, members in groupby(enumerate(cells.places), key=lambda item: item[1][0]):
        places = [place for place, _ in members]
        here = np.flatnonzero((cells.place >= places[0]) & (cells.place <= places[-1]))
        labels = names[here.tolist()]
        models, families = (labels[column].unique().sort() for column in ("model_id", "family"))
        model, family = (_among(labels[column], of) for column, of in (("model_id", models), ("family", families)))
        dimensions = []
        for place in places:
            inside = cells.place[here] == place
            _, metric = np.unique(cells.metric[here[inside]], return_inverse=True)
            dimensions.append(Dimension(place, here[inside], model[inside], metric.astype(np.int64), family[inside]))
        yield Category(name, tuple(dimensions), tuple(models.to_list()), tuple(families.to_list()))


def _among(names: pl.Series, ordered: pl.Series) -> Integers:
    numbers = names.replace_strict(ordered, pl.Series(range(ordered.len())), return_dtype=pl.Int64)
    return numbers.to_numpy().astype(np.int64)
