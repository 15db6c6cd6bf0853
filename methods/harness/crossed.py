"""The figures of a full crossing as arrays: by measure, benchmark, model and harness, exact and in every resample.

Belongs here: the shape that `fit`, `wins`, `blame` and the others work on. Does not belong here: their formulas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from methods.harness.cells import Cell
from methods.harness.crossing import Crossing
from methods.harness.plan import Block
from methods.harness.resampled import Resampled, Samples
from warehouse.harness_panel import ConfigurationPair
from warehouse.harness_words import ALL, MEASURES, Measure

Exact = list[list[list[Fraction]]]
"""[benchmark][model][harness]."""


@dataclass(frozen=True)
class Crossed:
    """A crossing with its figures.

    Attributes:
        crossing: names.
        exact: by measure, its values; a measure is absent where one of the benchmarks does not track it.
        samples: by measure, (benchmarks, models, harnesses, b) its resamples; empty where there is no interval.
        cells: [benchmark][model][harness] everything else about a cell.
    """

    crossing: Crossing
    exact: dict[Measure, Exact]
    samples: dict[Measure, Samples]
    cells: list[list[list[Cell]]]

    def without_model(self, model: str) -> Crossed:
        """The crossing of the other models; without resamples."""
        kept = [place for place, name in enumerate(self.crossing.models) if name != model]
        names = tuple(self.crossing.models[place] for place in kept)
        crossing = Crossing(self.crossing.benchmarks, names, self.crossing.harnesses)
        exact = {
            measure: [[block[place] for place in kept] for block in values] for measure, values in self.exact.items()
        }
        return Crossed(crossing, exact, {}, [[block[place] for place in kept] for block in self.cells])


def crossed(
    crossing: Crossing, cells: Mapping[str, Sequence[Cell]], blocks: Mapping[str, Block], drawn: Mapping[str, Resampled]
) -> Crossed:
    """The figures of a crossing.

    Args:
        crossing: names; every cell of it is among `cells`.
        cells: by benchmark, the cells of its primary condition.
        blocks: by benchmark, the primary block.
        drawn: by benchmark, its resamples.
    """
    placed: list[list[list[Cell]]] = []
    for benchmark in crossing.benchmarks:
        own = {cell.configuration: cell for cell in cells[benchmark] if cell.environment == ALL}
        placed.append([[own[model, harness] for harness in crossing.harnesses] for model in crossing.models])
    exact: dict[Measure, Exact] = {}
    for measure in MEASURES:
        values = [[[getattr(cell, measure) for cell in row] for row in block] for block in placed]
        if not any(value is None for block in values for row in block for value in row):
            exact[measure] = values
    samples = {
        measure: _samples(crossing, measure, blocks, drawn) for measure in exact if _have_spread(crossing, drawn)
    }
    return Crossed(crossing, exact, samples, placed)


def _have_spread(crossing: Crossing, drawn: Mapping[str, Resampled]) -> bool:
    return all(drawn[benchmark].has_spread for benchmark in crossing.benchmarks)


def _samples(
    crossing: Crossing, measure: Measure, blocks: Mapping[str, Block], drawn: Mapping[str, Resampled]
) -> Samples:
    parts = []
    for benchmark in crossing.benchmarks:
        places = {pair: place for place, pair in enumerate(blocks[benchmark].configurations)}
        wanted = [[places[pair] for pair in row] for row in _pairs(crossing)]
        parts.append(drawn[benchmark].means[measure][np.array(wanted)])
    return np.stack(parts)


def _pairs(crossing: Crossing) -> list[list[ConfigurationPair]]:
    return [[(model, harness) for harness in crossing.harnesses] for model in crossing.models]
