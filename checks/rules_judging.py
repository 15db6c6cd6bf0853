"""Hand-made rules of the tables of judges: METHODS 10, row by row."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from checks.clauses import Clause, rule
from checks.rules_scored import close
from warehouse.catalog_model import Catalog


def summary_rules(_catalog: Catalog) -> Iterator[Clause]:
    """Counts add up, and an accuracy lies between what failures could make of it."""
    yield rule(
        "verdicts-counted",
        "verdicts for A, for B and ties are the valid ones",
        pl.col("verdicts_a") + pl.col("verdicts_b") + pl.col("ties") == pl.col("valid"),
    )
    yield rule(
        "valid-among-items", "valid and labelled do not exceed items",
        (pl.col("valid") <= pl.col("items")) & (pl.col("labelled") <= pl.col("items")),
    )  # fmt: skip
    yield rule(
        "calls-of-orders",
        "every item has a call in each order asked",
        pl.col("calls") == pl.col("items") * pl.when(pl.col("is_one_order")).then(1).otherwise(2),
    )
    yield rule(
        "accuracy-between",
        "accuracy lies between worst and best",
        (pl.col("accuracy_worst") <= pl.col("accuracy") + _SLACK)
        & (pl.col("accuracy") <= pl.col("accuracy_best") + _SLACK),
    )
    yield rule(
        "order-known-in-two",
        "discordance is known exactly where two orders were asked",
        pl.col("discordant").is_null() == pl.col("is_one_order"),
    )


def bin_rules(_catalog: Catalog) -> Iterator[Clause]:
    """A bin holds its mean confidence, its interval its accuracy, and an empty bin says nothing."""
    yield rule(
        "mean-in-bin",
        "mean_q lies in its bin",
        (pl.col("q_low") <= pl.col("mean_q")) & (pl.col("mean_q") <= pl.col("q_high")),
    )
    yield rule(
        "accuracy-in-interval",
        "accuracy_low <= accuracy <= accuracy_high",
        (pl.col("accuracy_low") <= pl.col("accuracy")) & (pl.col("accuracy") <= pl.col("accuracy_high")),
    )
    yield rule(
        "empty-says-nothing",
        "accuracy is known exactly where n > 0",
        pl.col("accuracy").is_null() == (pl.col("n") == 0),
    )
    yield rule("fallback-within", "fallback_n does not exceed n", pl.col("fallback_n") <= pl.col("n"))


def cascade_rules(catalog: Catalog) -> Iterator[Clause]:
    """A threshold stands exactly where open, on the grid; loss, retained, random and gain captured follow."""
    judging = catalog.methodology.judging
    yield rule(
        "tau-where-open", "tau stands exactly where open", pl.col("tau").is_null() == (pl.col("open_state") != "open")
    )
    steps = (pl.col("tau") - judging.tau_lowest) / judging.tau_step
    yield rule("tau-on-grid", "tau is of the grid", close(steps, steps.round()))
    yield rule(
        "open-in-order",
        f"no cascade opens with AUROC below {judging.auroc_least:g}, or an undefined one",
        pl.when(pl.col("tau").is_not_null()).then(
            pl.col("selection_auroc").is_not_null() & (pl.col("selection_auroc") >= judging.auroc_least)
        ),
    )
    cascade, fallback, judge = (pl.col(f"{name}_accuracy") for name in ("cascade", "fallback", "judge"))
    yield rule(
        "loss-formula", "loss_pp = 100 (fallback - cascade)", close(pl.col("loss_pp"), 100 * (fallback - cascade))
    )
    yield rule("retained-formula", "retained = cascade/fallback", close(pl.col("retained") * fallback, cascade))
    accepted = pl.col("acceptance")
    yield rule(
        "random-formula",
        "random_accuracy mixes judge and fallback by acceptance",
        close(pl.col("random_accuracy"), accepted * judge + (1 - accepted) * fallback),
    )
    yield rule(
        "optimal-at-least", "no escalation does better than by label", cascade <= pl.col("optimal_accuracy") + _SLACK
    )
    spread = pl.col("optimal_accuracy") - pl.col("random_accuracy")
    yield rule(
        "gain-formula",
        "gain_captured = (cascade - random)/(optimal - random)",
        close(pl.col("gain_captured") * spread, cascade - pl.col("random_accuracy")),
    )
    yield rule(
        "closed-loses-nothing",
        "a closed cascade accepts and loses nothing",
        pl.when(pl.col("tau").is_null() & (pl.col("held_out_items") > 0)).then(
            (pl.col("acceptance") == 0) & (pl.col("loss_pp") == 0)
        ),
    )
    yield rule(
        "bound-above-loss", "loss_bound_pp is not below loss_pp", pl.col("loss_pp") <= pl.col("loss_bound_pp") + _SLACK
    )
    yield rule(
        "verdict-of-loss",
        "cascade_verdict is fail exactly where the loss exceeds the tolerance",
        pl.when((pl.col("loss_pp") - 100 * judging.tolerance).abs() > _SLACK).then(
            (pl.col("cascade_verdict") == "fail") == (pl.col("loss_pp") > 100 * judging.tolerance)
        ),
    )


def curve_rules(_catalog: Catalog) -> Iterator[Clause]:
    """A higher threshold never accepts more."""
    key = ("study", "judge", "fallback", "task_type")
    yield rule(
        "acceptance-falls",
        "acceptance does not rise with the threshold",
        (pl.col("acceptance").sort_by("threshold").diff().fill_null(0) <= _SLACK).over(key),
        columns=(*key, "threshold", "acceptance"),
    )


_SLACK = 1e-9
