"""The rows of what was planned, found and measured, configuration by configuration (METHODS 11).

Belongs here: rows that need no crossing. Does not belong here: rows that do (`crossing_rows`), formulas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from methods.harness.cells import Cell
from methods.harness.crossing import Balance
from methods.harness.exact import mean, mean_or_none, number
from methods.harness.grid import BlockGrid, HarnessEvidence
from methods.harness.references import Standing, pareto_front, standings, unique_tasks, win_rate
from methods.harness.resampled import Resampled, ends
from methods.harness.stages import StageShare
from warehouse.harness_panel import ConfigurationPair
from warehouse.harness_words import ALL, MEASURES, PanelReason

Row = dict[str, Any]


def panel_rows(evidence: HarnessEvidence, balance: Balance) -> list[Row]:
    """Rows of `out__harness_panel`."""
    references = evidence.plan.spec.reference_pairs
    found = []
    for grid in evidence.grids:
        block = grid.block
        core = [pair for pair in block.configurations if pair not in references]
        recorded = int(grid.recorded.sum())
        found.append(
            {
                "benchmark": block.benchmark,
                "condition": block.condition,
                "is_primary": block.is_primary,
                "status_map": block.status_map.id,
                "is_clean_tracked": grid.is_clean_tracked,
                "models": len({model for model, _ in core}),
                "harnesses": len({harness for _, harness in core}),
                "configurations": len(core),
                "references": len(block.configurations) - len(core),
                "environments": len(block.environments),
                "tasks": block.starts[-1],
                "repetitions": len(block.repetitions),
                "planned": grid.score.size,
                "recorded": recorded,
                "missing": grid.score.size - recorded,
                "other_statuses": _statuses(evidence.other_statuses.get(block.benchmark, {})),
                **_balance(balance, block.benchmark),
            }
        )
    return found


def fault_rows(evidence: HarnessEvidence) -> list[Row]:
    """Rows of `out__harness_fault`."""
    return [{**row, "place": place} for place, row in enumerate(evidence.faults.rows(named=True), start=1)]


def cell_rows(
    grids: Sequence[BlockGrid],
    cells: Sequence[Sequence[Cell]],
    drawn: Sequence[Resampled],
    references: frozenset[ConfigurationPair],
    level: float,
) -> list[Row]:
    """Rows of `out__harness_cell`."""
    found = []
    for grid, own, one in zip(grids, cells, drawn, strict=True):
        intervals = _intervals(grid, one, level)
        whole = [cell for cell in own if cell.environment == ALL]
        front = dict(zip([cell.configuration for cell in whole], pareto_front(whole, references), strict=True))
        for cell in own:
            is_whole = cell.environment == ALL
            found.append(
                {
                    "benchmark": grid.block.benchmark,
                    "condition": grid.block.condition,
                    **_figures(cell),
                    **(intervals[cell.configuration] if is_whole else {}),
                    "is_reference": cell.configuration in references,
                    "is_pareto": front[cell.configuration] if is_whole else None,
                }
            )
    return found


def stage_rows(shares: Iterable[StageShare]) -> list[Row]:
    """Rows of `out__harness_stage`."""
    return [
        {
            "side": one.side,
            "one": one.one,
            "stage": one.stage,
            "attempts": one.attempts,
            "rate": number(one.rate),
            "share": number(one.share),
        }
        for one in shares
    ]


def reference_rows(
    grids: Sequence[BlockGrid], cells: Sequence[Sequence[Cell]], references: frozenset[ConfigurationPair]
) -> list[Row]:
    """Rows of `out__harness_reference`: a benchmark at a time, then the mean of each reference over those it covers."""
    by_reference: dict[ConfigurationPair, list[Standing]] = {}
    for grid, own in zip(grids, cells, strict=True):
        for standing in standings(grid, own, references):
            by_reference.setdefault(standing.configuration, []).append(standing)
    found = []
    for _, covered in sorted(by_reference.items()):
        found += [_standing_row(standing) for standing in covered]
        found.append(_mean_standing(covered))
    return found


def unique_rows(grids: Sequence[BlockGrid], references: frozenset[ConfigurationPair]) -> list[Row]:
    """Rows of `out__harness_unique`."""
    return [
        {
            "benchmark": grid.block.benchmark,
            "environment": environment,
            "task": task,
            "model": pair[0],
            "harness": pair[1],
            "is_reference": pair in references,
        }
        for grid in grids
        for environment, task, pair in unique_tasks(grid, references)
    ]


def _statuses(counts: Mapping[str, int]) -> list[str]:
    return [f"{text} × {count}" for text, count in sorted(counts.items())]


def _balance(balance: Balance, benchmark: str) -> Row:
    sub = balance.balanced
    is_whole = balance.is_balanced and balance.declared.is_two_by_two
    reason: PanelReason | None = None if is_whole else "unbalanced" if sub else "no_crossing"
    return {
        "is_balanced": balance.is_balanced,
        "missing_cells": [f"{model} + {harness}" for name, model, harness in balance.missing if name == benchmark],
        "balanced_benchmarks": list(sub.benchmarks) if sub else None,
        "balanced_models": list(sub.models) if sub else None,
        "balanced_harnesses": list(sub.harnesses) if sub else None,
        "left_out_cells": [f"{model} + {harness}" for name, model, harness in balance.left_out if name == benchmark],
        "is_search_whole": balance.is_exhaustive,
        "reason_code": reason,
    }


def _figures(cell: Cell) -> Row:
    return {
        "model": cell.configuration[0],
        "harness": cell.configuration[1],
        "environment": cell.environment,
        "tasks": cell.tasks,
        "planned": cell.planned,
        "recorded": cell.recorded,
        "score": number(cell.score),
        "best_of_r": number(cell.best),
        "clean": number(cell.clean),
        "joint": number(cell.joint),
        "unclean_score": number(cell.unclean_score),
        "within_clean": number(cell.within_clean),
        "within_unclean": number(cell.within_unclean),
        "loss_unclean": number(cell.loss_unclean),
        "loss_clean": number(cell.loss_clean),
        "score_if_clean": cell.score_if_clean,
        "score_at_most": number(cell.score_at_most),
        "tokens": number(cell.tokens),
        "tokens_tracked": cell.tracked,
        "seconds": cell.seconds,
        "reason_code": _reason(cell),
    }


def _reason(cell: Cell) -> PanelReason | None:
    if cell.clean is None:
        return "clean_not_tracked"
    return "no_clean" if cell.clean == 0 else "all_clean" if cell.clean == 1 else None


def _intervals(grid: BlockGrid, drawn: Resampled, level: float) -> dict[ConfigurationPair, Row]:
    """By configuration, the ends of its S, V and J."""
    rows: list[Row] = [{} for _ in grid.block.configurations]
    for measure in MEASURES:
        samples = drawn.means.get(measure)
        if samples is None or not drawn.has_spread or not samples.shape[0]:
            continue
        for row, (low, high) in zip(rows, ends(samples, level).tolist(), strict=True):
            row |= {f"{measure}_low": low, f"{measure}_high": high}
    return dict(zip(grid.block.configurations, rows, strict=True))


def _standing_row(standing: Standing) -> Row:
    wins, ties, losses = standing.score
    clean = standing.clean
    return {
        "model": standing.configuration[0],
        "harness": standing.configuration[1],
        "benchmark": standing.benchmark,
        "against": standing.against,
        "score_wins": wins,
        "score_ties": ties,
        "score_losses": losses,
        "score_win_rate": number(win_rate(standing.score)),
        "clean_wins": clean[0] if clean else None,
        "clean_ties": clean[1] if clean else None,
        "clean_losses": clean[2] if clean else None,
        "clean_win_rate": number(win_rate(clean)) if clean else None,
        "dominated": standing.dominated,
        "dominated_share": None if standing.dominated is None else standing.dominated / standing.against,
        "alone": standing.alone,
        "reason_code": None if clean else "clean_not_tracked",
    }


def _mean_standing(covered: Sequence[Standing]) -> Row:
    """The mean over the covered benchmarks, which weigh the same; counts are their sums."""
    clean = [standing.clean for standing in covered if standing.clean is not None]
    is_tracked = len(clean) == len(covered)
    shares = [
        None if standing.dominated is None else Fraction(standing.dominated, standing.against) for standing in covered
    ]
    sums = np.array([standing.score for standing in covered]).sum(axis=0).tolist()
    clean_sums: list[int | None] = np.array(clean).sum(axis=0).tolist() if is_tracked else [None] * 3
    return {
        "model": covered[0].configuration[0],
        "harness": covered[0].configuration[1],
        "benchmark": ALL,
        "against": sum(standing.against for standing in covered),
        **dict(zip(("score_wins", "score_ties", "score_losses"), sums, strict=True)),
        "score_win_rate": number(mean(win_rate(standing.score) for standing in covered)),
        **dict(zip(("clean_wins", "clean_ties", "clean_losses"), clean_sums, strict=True)),
        "clean_win_rate": number(mean(win_rate(one) for one in clean)) if is_tracked else None,
        "dominated": sum(standing.dominated or 0 for standing in covered) if is_tracked else None,
        "dominated_share": number(mean_or_none(shares)),
        "alone": sum(standing.alone for standing in covered),
        "reason_code": None if is_tracked else "clean_not_tracked",
    }
