"""From a panel's attempts to every table of its crossing (METHODS 11).

Belongs here: chaining cells, resamples and comparisons, for the declared panel and, where that is no crossing, for the
largest balanced sub-panel. Does not belong here: any formula (the other modules of this folder), any row's shape
(`rows`, `crossing_rows`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from methods.harness import crossing_rows, rows
from methods.harness.cells import Cell, cells_of
from methods.harness.crossed import Crossed, crossed
from methods.harness.crossing import Balance, Crossing, balance_of
from methods.harness.differences import block_differences, mean_differences
from methods.harness.grid import BlockGrid, HarnessEvidence
from methods.harness.resampled import Resampled, resample
from methods.harness.stages import stage_shares
from methods.statistics.bootstrap import BootstrapRules
from warehouse.catalog_model import Catalog, StudySpec
from warehouse.contracts import TableContract
from warehouse.harness_words import ALL, Panel
from warehouse.methodology import HarnessRules
from warehouse.tables_harness import HARNESS_TABLES, OUT_HARNESS_DIFFERENCE


def analyse(evidence: HarnessEvidence, study: StudySpec, catalog: Catalog) -> dict[str, pl.DataFrame]:
    """Every `out__harness_*` table of a study."""
    return harness_tables(evidence, study.id, catalog.methodology.harness, catalog.methodology.seed)


def harness_tables(evidence: HarnessEvidence, study: str, rules: HarnessRules, seed: int) -> dict[str, pl.DataFrame]:
    """Every `out__harness_*` table of a panel.

    Args:
        evidence: the panel and its attempts.
        study: id of the study, the first column of every table.
        rules: resamples, level, quartile, search.
        seed: the methodology's.
    """
    work = Work(evidence, rules, seed)
    found: dict[str, list[dict[str, Any]]] = {
        "out__harness_panel": rows.panel_rows(evidence, work.balance),
        "out__harness_fault": rows.fault_rows(evidence),
        "out__harness_cell": rows.cell_rows(work.grids, work.cells, work.drawn, work.references, rules.level),
        "out__harness_stage": rows.stage_rows(stage_shares(work.primary, work.references)),
        "out__harness_reference": rows.reference_rows(work.primary, work.over_all, work.references),
        "out__harness_unique": rows.unique_rows(work.primary, work.references),
    }
    found |= work.crossing_rows()
    tables = {
        contract.name: _table(contract, study, found[contract.name])
        for contract in HARNESS_TABLES
        if contract is not OUT_HARNESS_DIFFERENCE
    }
    return {**tables, OUT_HARNESS_DIFFERENCE.name: work.differences(study)}


def _table(contract: TableContract, study: str, made: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    listed = [{**row, "study": study} for row in made]
    return contract.conform(pl.DataFrame(listed, schema=contract.polars_schema(), orient="row"))


@dataclass
class Work:
    """The figures of a panel, each made once.

    Attributes:
        evidence: the panel and its attempts.
        rules, seed: of the methodology.
    """

    evidence: HarnessEvidence
    rules: HarnessRules
    seed: int

    @property
    def grids(self) -> list[BlockGrid]:
        """Every block."""
        return self.evidence.grids

    @cached_property
    def primary(self) -> list[BlockGrid]:
        """The blocks that enter figures across benchmarks."""
        return [grid for grid in self.grids if grid.block.is_primary]

    @property
    def references(self) -> frozenset[tuple[str, str]]:
        """Configurations outside the crossing."""
        return self.evidence.plan.spec.reference_pairs

    @cached_property
    def cells(self) -> list[list[Cell]]:
        """The cells of every block."""
        return [cells_of(grid) for grid in self.grids]

    @cached_property
    def over_all(self) -> list[list[Cell]]:
        """The cells of every primary block over all environments, in the order of its configurations."""
        pairs = zip(self.grids, self.cells, strict=True)
        return [[cell for cell in own if cell.environment == ALL] for grid, own in pairs if grid.block.is_primary]

    @cached_property
    def drawn(self) -> list[Resampled]:
        """The resamples of every block."""
        rules = BootstrapRules(self.seed, self.rules.resamples, self.rules.level)
        return [resample(grid, rules) for grid in self.grids]

    @cached_property
    def balance(self) -> Balance:
        """How far the panel is a crossing."""
        return balance_of(self.evidence.plan, self.rules.search_limit)

    @cached_property
    def by_benchmark(self) -> dict[str, int]:
        """By benchmark, the place of its primary block among all."""
        return {grid.block.benchmark: place for place, grid in enumerate(self.grids) if grid.block.is_primary}

    def figures(self, crossing: Crossing) -> Crossed:
        """The figures of a crossing."""
        places = {name: self.by_benchmark[name] for name in crossing.benchmarks}
        return crossed(
            crossing,
            {name: self.cells[place] for name, place in places.items()},
            {name: self.grids[place].block for name, place in places.items()},
            {name: self.drawn[place] for name, place in places.items()},
        )

    def crossing_rows(self) -> dict[str, list[dict[str, Any]]]:
        """Rows of the tables that need a crossing: of the declared panel, else of the balanced sub-panel beside it."""
        balance = self.balance
        if balance.is_balanced and balance.declared.is_two_by_two:
            return self._rows_of("declared", self.figures(balance.declared))
        found = crossing_rows.unbalanced_rows(
            balance.declared, balance.planned, has_crossing=balance.balanced is not None
        )
        if balance.balanced is not None:
            for table, made in self._rows_of("balanced", self.figures(balance.balanced)).items():
                found[table] = [*found.get(table, []), *made]
        return found

    def _rows_of(self, panel: Panel, figures: Crossed) -> dict[str, list[dict[str, Any]]]:
        grids = [self.grids[self.by_benchmark[name]] for name in figures.crossing.benchmarks]
        return crossing_rows.crossed_rows(panel, figures, grids, self.rules)

    def differences(self, study: str) -> pl.DataFrame:
        """The `out__harness_difference` table."""
        drawn = [one for grid, one in zip(self.grids, self.drawn, strict=True) if grid.block.is_primary]
        frames: Iterable[pl.DataFrame] = [
            *(
                block_differences(grid, own, one, self.rules.level)
                for grid, own, one in zip(self.primary, self.over_all, drawn, strict=True)
            ),
            mean_differences(self.primary, self.over_all, drawn, self.rules.level),
        ]
        kept = [frame for frame in frames if frame.height]
        if not kept:
            return OUT_HARNESS_DIFFERENCE.empty()
        together = pl.concat(kept, how="vertical_relaxed").with_columns(study=pl.lit(study))
        return OUT_HARNESS_DIFFERENCE.conform(together)
