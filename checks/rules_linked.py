"""Hand-made rules of the linked board, its parts and the proof on withheld results: METHODS 7b, row by row."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from checks.clauses import Clause, rule
from checks.rules_published import category_rules
from checks.rules_scored import close
from warehouse.catalog_model import Catalog
from warehouse.linked_words import BASELINES
from warehouse.vocabulary import CATEGORIES

_NOT_LINKED = frozenset({"coverage-of-observed"})
"""Rules of 3.0's board that the linked one does not share: evidence of other categories removes uncertainty, too."""


def linked_score_rules(catalog: Catalog) -> Iterator[Clause]:
    """Score, interval, status, reason and ranks follow from mu, sigma and the counts, as on 3.0's board."""
    yield from (clause for clause in category_rules(catalog) if clause.name not in _NOT_LINKED)


def linked_part_rules(_catalog: Catalog) -> Iterator[Clause]:
    """Every category of evidence has others' part; own parts count observations."""
    yield rule(
        "observations-of-own",
        "observations are counted for own parts alone",
        (pl.col("role") == "own") == pl.col("observations").is_not_null(),
        columns=("role", "observations"),
    )
    yield rule(
        "cohort-of-every-category",
        f"every score has {len(CATEGORIES)} cohort parts",
        (pl.col("role") == "cohort").sum().over("category", "model_id") == len(CATEGORIES),
        columns=("category", "model_id", "role"),
    )


def linked_metric_rules(_catalog: Catalog) -> Iterator[Clause]:
    """A metric discriminates and has noise."""
    yield rule("slope-positive", "slope lies above 0", pl.col("slope") > 0)
    yield rule("noise-positive", "noise_sd lies above 0", pl.col("noise_sd") > 0)


def backtest_rules(_catalog: Catalog) -> Iterator[Clause]:
    """Wider intervals hold more; baselines state none; every method of a split was asked the same."""
    yield from _coverage_rules()
    yield rule(
        "same-questions",
        "every method was asked the same results",
        pl.col("n").n_unique().over("split", "category") == 1,
        columns=("split", "category", "n"),
    )


def backtest_slice_rules(_catalog: Catalog) -> Iterator[Clause]:
    """Wider intervals hold more; baselines state none."""
    yield from _coverage_rules()


def _coverage_rules() -> Iterator[Clause]:
    yield rule(
        "nested-coverage",
        "cover50 ≤ cover80 ≤ cover95",
        (pl.col("cover50") <= pl.col("cover80")) & (pl.col("cover80") <= pl.col("cover95")),
    )
    yield rule(
        "intervals-of-models",
        "baselines, and they alone, state no interval",
        pl.col("method").is_in(BASELINES) == pl.col("cover80").is_null(),
        columns=("method", "cover80"),
    )


def versus_rules(_catalog: Catalog) -> Iterator[Clause]:
    """Shares follow from counts, and lie within their interval."""
    decided = pl.col("nearer") + pl.col("farther")
    yield rule("decided-of-n", "nearer and farther do not exceed n", decided <= pl.col("n"))
    yield rule("share-of-decided", "nearer_share = nearer / (nearer + farther)",
               close(pl.col("nearer_share"), pl.col("nearer") / decided))  # fmt: skip
    yield rule(
        "share-within",
        "wilson_low ≤ nearer_share ≤ wilson_high",
        (pl.col("wilson_low") <= pl.col("nearer_share")) & (pl.col("nearer_share") <= pl.col("wilson_high")),
    )


def split_rules(_catalog: Catalog) -> Iterator[Clause]:
    """Every withheld result is accounted for."""
    parts = pl.col("without_metric") + pl.col("without_model") + pl.col("predicted")
    yield rule("withheld-counted", "without_metric + without_model + predicted = withheld", parts == pl.col("withheld"))


def calibrated_rules(_catalog: Catalog) -> Iterator[Clause]:
    """An interval has two ends, and one factor a category."""
    yield rule("ends-in-order", "low80 ≤ high80", pl.col("low80") <= pl.col("high80"))
    yield rule("one-factor", "a category has one factor", pl.col("factor").n_unique().over("category") == 1)
