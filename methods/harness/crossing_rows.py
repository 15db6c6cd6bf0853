"""The rows of a crossing: fit, residuals, wins, blame, verdicts, summaries, selection (METHODS 11).

Belongs here: rows that need every model under every harness, and the empty ones where a panel is not so. Does not
belong here: rows of single configurations (`rows`), formulas.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from methods.harness.blame import aggregate_residuals, division, residuals
from methods.harness.crossed import Crossed
from methods.harness.crossing import Cell3, Crossing
from methods.harness.exact import mean, number
from methods.harness.fit import Fit, fit_of
from methods.harness.grid import BlockGrid
from methods.harness.losses import leaders_of, losses_of
from methods.harness.references import dominates
from methods.harness.residual_ends import ResidualEnds, residual_ends
from methods.harness.selection import choices
from methods.harness.sentences import verdict_sentence
from methods.harness.summaries import summaries
from methods.harness.tokens import cell_loads
from methods.harness.wins import records
from methods.statistics.bootstrap import Interval
from warehouse.harness_words import PARTS, SIDES, Measure, Panel, PanelReason
from warehouse.methodology import HarnessRules

Row = dict[str, Any]
Fits = dict[Measure, Fit | None]


def crossed_rows(
    panel: Panel, figures: Crossed, grids: Sequence[BlockGrid], rules: HarnessRules
) -> dict[str, list[Row]]:
    """Rows of every table of a crossing.

    Args:
        panel: which panel the crossing is.
        figures: its figures.
        grids: the primary block of each of its benchmarks.
        rules: level and quartile.
    """
    fits: Fits = {measure: fit_of(figures, measure, rules.level) for measure in ("joint", "score")}
    wins = {measure: records(figures, measure) for measure in ("score", "clean", "joint")}
    ends = residual_ends(figures, rules.level)
    blame, verdicts = _verdicts(figures, grids, rules.level)
    quartile = Fraction(repr(rules.lower_quartile))
    reason: PanelReason | None = None if "joint" in figures.exact else "clean_not_tracked"
    summed = summaries(figures, fits, {"score": wins["score"], "clean": wins["clean"]}, quartile)
    found = {
        "out__harness_block": _blocks(figures, fits, ends),
        "out__harness_pair": _pairs(figures, fits, ends, reason),
        "out__harness_summary": [{**row, "reason_code": reason} for row in summed],
        "out__harness_win": [
            {
                "measure": one.measure, "side": one.side, "one": one.one, "within": one.within,
                "opponent": one.opponent, "wins": one.wins, "ties": one.ties, "losses": one.losses,
                "win_rate": number(one.rate),
            }
            for of_measure in wins.values() for one in of_measure
        ],
        "out__harness_blame": blame,
        "out__harness_verdict": verdicts,
        "out__harness_selection": [
            {
                "left_out": one.left_out, "rule": one.rule, "chosen": one.chosen, "tied": list(one.tied),
                "joint": number(one.joint), "best": one.best, "regret_pp": number(100 * one.regret),
            }
            for one in choices(figures)
        ],
    }  # fmt: skip
    return {table: [{**row, "panel": panel} for row in rows] for table, rows in found.items()}


def unbalanced_rows(declared: Crossing, planned: Iterable[Cell3], *, has_crossing: bool) -> dict[str, list[Row]]:
    """Rows of the declared panel where it is no crossing: what needs balance is null, and says why.

    Args:
        declared: its names.
        planned: its cells, references aside.
        has_crossing: whether a part of it is a crossing.
    """
    reason: PanelReason = "unbalanced" if has_crossing else "no_crossing"
    base = {"panel": "declared", "reason_code": reason}
    cells = sorted(planned)
    pairs = sorted({(model, harness) for _, model, harness in cells})
    why = "the panel is unbalanced; see the balanced sub-panel" if has_crossing else "no two models meet two harnesses"
    size = {"models": len(declared.models), "harnesses": len(declared.harnesses)}
    return {
        "out__harness_block": [
            {**base, "benchmark": name, "model": model, "harness": harness} for name, model, harness in cells
        ],
        "out__harness_pair": [
            {**base, "model": model, "harness": harness, "benchmarks": len(declared.benchmarks)}
            for model, harness in pairs
        ],
        "out__harness_summary": [
            {**base, "side": side, "one": one, "cells": 0, "token_blocks": 0}
            for side in SIDES for one in (declared.harnesses if side == "harness" else declared.models)
        ],
        "out__harness_win": [],
        "out__harness_blame": [
            {**base, "benchmark": name, "part": part} for name in declared.benchmarks for part in PARTS
        ],
        "out__harness_verdict": [
            {**base, **size, "benchmark": name, "sentence": f"{name}: nobody can be blamed, since {why}."}
            for name in declared.benchmarks
        ],
        "out__harness_selection": [],
    }  # fmt: skip


def _blocks(figures: Crossed, fits: Fits, ends: ResidualEnds | None) -> list[Row]:
    names = figures.crossing
    loads = cell_loads(figures)
    found = []
    for b, benchmark in enumerate(names.benchmarks):
        rest = residuals(figures.exact["score"][b])
        is_tracked = all(cell.clean is not None for row in figures.cells[b] for cell in row)
        for m, model in enumerate(names.models):
            own = loads[b][m]
            for h, harness in enumerate(names.harnesses):
                row: Row = {"benchmark": benchmark, "model": model, "harness": harness}
                row |= _fit_of_cell("fit", fits["joint"], b, m, h) | _fit_of_cell("score_fit", fits["score"], b, m, h)
                row |= _residual(rest[m][h], ends.by_benchmark[b][m][h] if ends else None)
                row["token_load"] = None if own is None else own[h]
                row["reason_code"] = None if is_tracked else "clean_not_tracked"
                found.append(row)
    return found


def _pairs(figures: Crossed, fits: Fits, ends: ResidualEnds | None, reason: PanelReason | None) -> list[Row]:
    names = figures.crossing
    rest = aggregate_residuals(figures)
    means = {
        measure: [
            [mean(block[m][h] for block in values) for h in range(len(names.harnesses))]
            for m in range(len(names.models))
        ]
        for measure, values in figures.exact.items()
    }
    points = (
        None
        if "clean" not in means
        else [
            (means["score"][m][h], means["clean"][m][h])
            for m in range(len(names.models))
            for h in range(len(names.harnesses))
        ]
    )
    found = []
    for m, model in enumerate(names.models):
        for h, harness in enumerate(names.harnesses):
            row: Row = {"model": model, "harness": harness, "benchmarks": len(names.benchmarks)}
            row |= {name: number(means[name][m][h]) if name in means else None for name in ("score", "clean", "joint")}
            row |= _fit_of_pair("fit", fits["joint"], m, h) | _fit_of_pair("score_fit", fits["score"], m, h)
            row |= _residual(rest[m][h], ends.aggregate[m][h] if ends else None)
            own = None if points is None else points[m * len(names.harnesses) + h]
            row["is_pareto"] = None if own is None or points is None else not any(dominates(one, own) for one in points)
            row["reason_code"] = reason
            found.append(row)
    return found


def _verdicts(figures: Crossed, grids: Sequence[BlockGrid], level: float) -> tuple[list[Row], list[Row]]:
    """Rows of blame and of verdicts, a benchmark after the other."""
    blame: list[Row] = []
    verdicts: list[Row] = []
    names = figures.crossing
    for place, grid in enumerate(grids):
        found = division(figures, place, grid, level)
        losses = losses_of(figures.cells[place], names.harnesses)
        no_spread = "no_spread" if found.verdict == "nothing" else None
        blame += [
            {
                "benchmark": found.benchmark, "part": part.part, "squares": number(part.squares),
                "share": number(part.share), **_ends("share", part.share_interval), "chance": part.chance,
                "freed_share": part.freed, **_ends("freed", part.freed_interval), "reason_code": no_spread,
            }
            for part in found.parts
        ]  # fmt: skip
        cells = [cell for row in figures.cells[place] for cell in row]
        verdicts.append(
            {
                "benchmark": found.benchmark, "models": len(names.models), "harnesses": len(names.harnesses),
                "verdict": found.verdict, "lead": found.lead, **_ends("lead", found.lead_interval),
                "score": number(mean(cell.score for cell in cells)),
                "loss_unclean": number(losses.unclean) if losses else None,
                "loss_clean": number(losses.clean) if losses else None,
                "score_if_clean": number(losses.if_clean) if losses else None,
                "score_at_most": number(losses.at_most) if losses else None,
                "leaders": list(leaders_of(figures.cells[place], names.harnesses)),
                "leaders_if_clean": list(losses.leaders_if_clean) if losses and losses.leaders_if_clean else None,
                "sentence": verdict_sentence(found, len(names.models), len(names.harnesses), losses, level),
                "reason_code": no_spread or (None if losses else "clean_not_tracked"),
            }
        )  # fmt: skip
    return blame, verdicts


def _fit_of_cell(name: str, fit: Fit | None, b: int, m: int, h: int) -> Row:
    if fit is None:
        return {name: None}
    known = None if fit.rho_intervals is None else fit.rho_intervals[b][m][h]
    return {name: number(fit.rho[b][m][h]), **_ends(name, known)}


def _fit_of_pair(name: str, fit: Fit | None, m: int, h: int) -> Row:
    if fit is None:
        return {name: None}
    known = None if fit.by_pair_intervals is None else fit.by_pair_intervals[m][h]
    return {name: number(fit.by_pair[m][h]), **_ends(name, known)}


def _residual(value: Fraction, ends: Interval | None) -> Row:
    return {
        "residual_pp": number(100 * value),
        "residual_low_pp": 100 * ends.low if ends else None,
        "residual_high_pp": 100 * ends.high if ends else None,
    }


def _ends(name: str, interval: Interval | None) -> Row:
    return {f"{name}_low": interval.low if interval else None, f"{name}_high": interval.high if interval else None}
