"""Hand-made rules of the crossing of models and harnesses: the identities of METHODS 11, row by row.

Belongs here: what a row must keep beyond its contract. Does not belong here: relations between tables
(`checks.named.harness_panel`).
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from checks.clauses import Clause, rule
from checks.rules_scored import TOLERANCE
from warehouse.catalog_model import Catalog


def _close(left: pl.Expr, right: pl.Expr) -> pl.Expr:
    return (left - right).abs() <= TOLERANCE


def cell_rules(_catalog: Catalog) -> Iterator[Clause]:
    """S = J + (S - J), J = V times the mean within clean, the loss divides, and best-of-R is no less than S."""
    score, joint, clean = pl.col("score"), pl.col("joint"), pl.col("clean")
    yield rule(
        "joint-at-most", "J exceeds neither S nor V", (joint <= score + TOLERANCE) & (joint <= clean + TOLERANCE)
    )
    yield rule(
        "score-divides", "S = J + S of attempts that were not clean", _close(score, joint + pl.col("unclean_score"))
    )
    yield rule("within-clean", "J = V times the mean within clean", _close(joint, clean * pl.col("within_clean")))
    yield rule(
        "within-unclean",
        "S - J = (1 - V) times the mean within unclean",
        _close(pl.col("unclean_score"), (1 - clean) * pl.col("within_unclean")),
    )
    yield rule(
        "loss-divides",
        "1 - S is lost unclean or clean",
        _close(1 - score, pl.col("loss_unclean") + pl.col("loss_clean")),
    )
    yield rule("best-of-r", "best-of-R is no less than S", pl.col("best_of_r") >= score - TOLERANCE)
    yield rule("recorded", "no more records than planned attempts", pl.col("recorded") <= pl.col("planned"))
    yield rule("null-clean", "V and J are null together", clean.is_null() == joint.is_null())
    yield rule(
        "within-range",
        "what clean ends would bring lies within S and full marks for the unclean",
        (pl.col("score_at_most") >= score - TOLERANCE) & (pl.col("score_at_most") <= 1 + TOLERANCE),
    )


def block_rules(_catalog: Catalog) -> Iterator[Clause]:
    """In a block the best harness has fit 1, unless all have 0; residuals of a model sum to 0."""
    block = ["study", "panel", "benchmark", "model"]
    for name in ("fit", "score_fit"):
        top = pl.col(name).max().over(block)
        yield rule(
            f"{name}-best", f"the best {name} of a block is 1, or all are 0", (top == 1) | (top == 0), columns=(name,)
        )
    yield rule(
        "residuals-sum",
        "residuals of a model sum to 0",
        pl.when(pl.col("residual_pp").is_not_null()).then(pl.col("residual_pp").sum().over(block).abs() <= 1e-7),
        columns=("residual_pp",),
    )


def summary_rules(_catalog: Catalog) -> Iterator[Clause]:
    """A geometric mean is at most the arithmetic one; quartiles lie between minimum and mean's reach."""
    for name in ("fit", "score_fit"):
        yield rule(
            f"{name}-geometric",
            f"geometric {name} is at most the arithmetic one",
            pl.col(name) <= pl.col(f"{name}_arithmetic") + TOLERANCE,
        )
    yield rule(
        "quartiles",
        "no quartile of V is below its minimum",
        (pl.col("clean_quartile") >= pl.col("clean_minimum") - TOLERANCE)
        & (pl.col("clean_nearest_quartile") >= pl.col("clean_minimum") - TOLERANCE),
    )


def blame_rules(_catalog: Catalog) -> Iterator[Clause]:
    """The three shares of a benchmark sum to 1."""
    of = ["study", "panel", "benchmark"]
    for name in ("share", "freed_share"):
        whole = pl.when(pl.col(name).is_not_null()).then((pl.col(name).sum().over(of) - 1).abs() <= TOLERANCE)
        yield rule(f"{name}s-sum", f"the three of {name} sum to 1", whole, columns=(name,))


def win_rules(_catalog: Catalog) -> Iterator[Clause]:
    """A win rate is wins and half the ties over all comparisons."""
    wins, ties, losses = pl.col("wins"), pl.col("ties"), pl.col("losses")
    yield rule(
        "rate", "win rate = (W + T/2) / all", _close(pl.col("win_rate"), (wins + ties / 2) / (wins + ties + losses))
    )


def difference_rules(_catalog: Catalog) -> Iterator[Clause]:
    """An interval runs from low to high."""
    yield rule("low-high", "low is no more than high", pl.col("low_pp") <= pl.col("high_pp") + TOLERANCE)
