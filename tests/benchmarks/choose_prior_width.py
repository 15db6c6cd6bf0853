"""How wide the prior of a model's own effect should be, and in what unit metrics are drawn to each other.

    python tests/benchmarks/choose_prior_width.py MIRROR

Two kinds of split choose. *Boards*: three in ten leaderboards are known, the results of all others are asked, as when
boards join; only on metrics that the last former day of the mirror's histories does not hold, so that the results asked
forward in time take no part. *Inner*: what the first two repetitions of each split of the proof leave, of which the
same kind is withheld once more. Prints median error in points and the share within 80% intervals by width, beside the
best of the two-parameter logistic's ridges, chosen here with hindsight.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from methods.backtest import proof as proving
from methods.backtest.baselines import Grid, two_parameter_logistic
from methods.backtest.forecasts import Forecast
from methods.backtest.questions import Question, ask
from methods.backtest.report import points_off
from methods.backtest.splits import keyed_share, withheld
from methods.backtest.training import Results, Training, gather, scales_of, train_on
from methods.linked.likelihood import settings_of
from methods.linked.model import LinkedFit, fit_linked
from methods.linked.posterior import fit
from methods.linked.prediction import predict
from methods.linked.unseen import predict_unseen
from pipelines import options
from pipelines.evidence_sources import Given, of_mirror
from warehouse.linked_words import Split
from warehouse.methodology import Methodology

OPTIONS = tuple((width, steady) for steady in (True, False) for width in (1, 3, 10, 30, 100))
KNOWN_BOARDS, BOARD_SPLITS, INNER = 0.3, 6, 77
Round = tuple[Results, Training, Question]


def board_rounds(given: Given) -> Iterator[Round]:
    """Trainings on some leaderboards, and the questions about all others."""
    methodology = given.catalog.methodology
    asked_forward = given.later[-1][0]["metric_id"].unique()
    board_of = dict(given.results.select("entry_id", "leaderboard").rows())
    results = gather(given.evidence.filter(~pl.col("metric_id").is_in(asked_forward.implode())), given.catalog)
    boards = [board_of[entry] for entry in results.frame["entry_id"]]
    for number in range(BOARD_SPLITS):
        known = np.array([keyed_share(methodology.seed, "boards", number, one) < KNOWN_BOARDS for one in boards])
        training = train_on(results, known, methodology.standardization)
        yield results, training, ask(results, training, ~known)


def inner_round(given: Given, split: Split, repetition: int) -> Round:
    """The training of a repetition, of which as much is withheld once more."""
    methodology = given.catalog.methodology
    standard, share, seed = methodology.standardization, methodology.backtest.share, methodology.seed
    results = gather(given.evidence, given.catalog)
    outer = withheld(results, split, repetition, share, seed)
    out = withheld(results, split, INNER + repetition, share, seed) & ~outer
    training = train_on(results, ~outer & ~out, standard)
    whole = scales_of(results.x, results.metric, results.developer, len(results.metric_ids), standard)
    return results, training, ask(results, training, out, whole if split == "family" else None)


def forecasts(one: Round, methodology: Methodology) -> dict[str, Forecast]:
    """Of the linked model by width, and of the logistic by its ridges."""
    results, training, question = one
    asked, made = question.asked, {}
    linked = methodology.linked
    bases = {
        steady: fit_linked(training.evidence, linked, linked.chosen.model_copy(update={"units": steady}))
        for steady in (True, False)
    }
    is_known = bool(np.all(training.scales.is_scored[asked.metric]))
    for width, steady in OPTIONS:
        base = bases[steady]
        found = replace(base.hyperparameters, width=float(width))
        wide = LinkedFit(base.cells, found, fit(base.cells, settings_of(base.cells, found, linked)), base.unit)
        told = predict(wide, asked.frame) if is_known else predict_unseen(wide, asked.frame, methodology)
        name = f"width {width}" if steady else f"width {width}, unit of the cohort"
        made[name] = proving._centred(Forecast(told.mean, np.sqrt(told.variance)), question, training)
    if is_known:
        rules = methodology.backtest
        for ability in rules.ability_penalties:
            for slope in rules.slope_penalties:
                grid = Grid.of(training, asked, results)
                name = f"logistic {ability:g}, {slope:g}"
                made[name] = two_parameter_logistic(grid, training, results, ability, slope, rules)
    return made


def show(name: str, rounds: Sequence[Round], methodology: Methodology) -> None:
    """One line a width, and one for the best logistic."""
    told = [forecasts(one, methodology) for one in rounds]
    best = ("", np.inf)
    for method in told[0]:
        off = np.concatenate([points_off(one[2], made[method]) for one, made in zip(rounds, told, strict=True)])
        error = float(np.median(off[np.isfinite(off)]))
        if method.startswith("logistic"):
            best = min(best, (method, error), key=lambda pair: pair[1])
            continue
        inside = []
        for (_, _, question), made in zip(rounds, told, strict=True):
            own = made[method]
            assert own.sd is not None
            inside += (np.abs(question.place - own.mean) <= 1.281552 * own.sd).tolist()
        print(f"{name}, {len(off):,} asked, {method}: {error:.2f} points, {np.mean(inside):.1%} in 80%", flush=True)
    if best[0]:
        print(f"{name}, {best[0]}: {best[1]:.2f} points")


def main() -> None:
    """Prints every split."""
    settings = options.open_settings(None, None, None)
    given = of_mirror(settings, Path(sys.argv[1]), forward=True, tell=lambda _: None)
    methodology = given.catalog.methodology
    show("boards", list(board_rounds(given)), methodology)
    splits: tuple[Split, ...] = ("cells", "model-family", "family")
    for split in splits:
        show(f"inner {split}", [inner_round(given, split, number) for number in (0, 1)], methodology)


if __name__ == "__main__":
    main()
