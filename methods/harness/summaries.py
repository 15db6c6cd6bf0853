"""Every harness and every model of a crossing in one row: means, clean ends, fit, win rates (METHODS 11).

Belongs here: summaries over cells. Does not belong here: the figures they gather (`fit`, `wins`, `tokens`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from methods.harness.cells import Cell
from methods.harness.crossed import Crossed
from methods.harness.exact import mean, mean_or_none, number
from methods.harness.fit import Fit
from methods.harness.tokens import harness_loads
from methods.harness.wins import Record, mean_over_within, pooled
from methods.statistics.bootstrap import Interval
from methods.statistics.quantiles import quantile
from warehouse.harness_words import SIDES, Measure, Side


def summaries(
    figures: Crossed, fits: dict[Measure, Fit | None], wins: dict[Measure, list[Record]], quartile: Fraction
) -> list[dict[str, Any]]:
    """Rows of `out__harness_summary` without study and panel.

    Args:
        figures: the crossing.
        fits: on `joint` and on `score`.
        wins: records on `score` and on `clean`.
        quartile: probability of the lower quartile.
    """
    loads, blocks = harness_loads(figures)
    found = []
    for side in SIDES:
        names = figures.crossing.harnesses if side == "harness" else figures.crossing.models
        for place, one in enumerate(names):
            row: dict[str, Any] = {"side": side, "one": one, **_cells(_of(figures, side, place), quartile)}
            for measure, found_wins in wins.items():
                own = [record for record in found_wins if record.side == side]
                total = pooled(own, one)
                row[f"win_{measure}"] = None if total is None else number(total.rate)
                row[f"win_{measure}_mean"] = number(mean_over_within(own, one))
            is_harness = side == "harness"
            row |= _fits(fits, place if is_harness else None)
            row["token_load"] = loads[place] if is_harness and loads else None
            row["token_blocks"] = blocks if is_harness else 0
            found.append(row)
    return found


def nearest_rank(ascending: Sequence[Fraction], probability: Fraction) -> Fraction:
    """The nearest-rank quantile: the value at place ceil(n p), counted from 1, of at least one."""
    return ascending[max(1, math.ceil(len(ascending) * probability)) - 1]


def _of(figures: Crossed, side: Side, place: int) -> list[Cell]:
    if side == "model":
        return [cell for block in figures.cells for cell in block[place]]
    return [row[place] for block in figures.cells for row in block]


def _cells(cells: Sequence[Cell], quartile: Fraction) -> dict[str, Any]:
    clean = [cell.clean for cell in cells if cell.clean is not None]
    ordered = sorted(clean) if len(clean) == len(cells) else []
    hoped = [None if cell.score_if_clean is None else Fraction(cell.score_if_clean) for cell in cells]
    return {
        "cells": len(cells),
        "score": number(mean(cell.score for cell in cells)),
        "score_if_clean": number(mean_or_none(hoped)),
        "joint": number(mean_or_none(cell.joint for cell in cells)),
        "clean": number(mean(ordered)) if ordered else None,
        "clean_quartile": quantile([float(value) for value in ordered], quartile) if ordered else None,
        "clean_nearest_quartile": number(nearest_rank(ordered, quartile)) if ordered else None,
        "clean_minimum": number(ordered[0]) if ordered else None,
    }


def _fits(fits: dict[Measure, Fit | None], place: int | None) -> dict[str, float | None]:
    row: dict[str, float | None] = {}
    for measure, name in (("joint", "fit"), ("score", "score_fit")):
        fit = fits[measure]  # type: ignore[index]
        own = None if fit is None or place is None else fit
        arithmetic = None if own is None or place is None else number(own.arithmetic[place])
        row[name] = None if own is None or place is None else own.geometric[place]
        row[f"{name}_arithmetic"] = arithmetic
        row |= _ends(name, None if own is None else own.geometric_intervals, place)
        row |= _ends(f"{name}_arithmetic", None if own is None else own.arithmetic_intervals, place)
    return row


def _ends(name: str, intervals: Sequence[Interval] | None, place: int | None) -> dict[str, float | None]:
    known = None if intervals is None or place is None else intervals[place]
    return {f"{name}_low": known.low if known else None, f"{name}_high": known.high if known else None}
