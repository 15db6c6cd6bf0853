"""The proof in one call: withhold, fit every method on the rest, ask, compare (METHODS 7b).

Belongs here: the order of things, and that nothing sees what it must not: penalties and factors are chosen on results
withheld from the training once more, never on the withheld ones. Does not belong here: any method or figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from methods.backtest import baselines
from methods.backtest.baselines import Grid
from methods.backtest.calibration import widened, widening
from methods.backtest.clusters import coverage_frame
from methods.backtest.forecasts import Asked, Forecast, board_forecast, linked_forecast
from methods.backtest.questions import Question, ask, ask_forward
from methods.backtest.report import Answer, backtest_frame, median_error, slice_frame, split_frame
from methods.backtest.splits import inner, withheld
from methods.backtest.training import Flags, Results, Training, gather, scales_of, train_on
from methods.backtest.versus import versus_frame
from methods.linked.cells import Floats
from warehouse.catalog_model import Catalog
from warehouse.linked_words import BOARD_METHOD, CALIBRATED_METHOD, LINKED_METHOD, Split
from warehouse.methodology import Methodology
from warehouse.vocabulary import CATEGORIES

Fit = Callable[[Training, Asked], Forecast]


@dataclass(frozen=True)
class Plan:
    """Which splits, how often each, and which unpublished variants of the linked model beside it."""

    splits: tuple[tuple[Split, int], ...]
    variants: tuple[str, ...] = ()


@dataclass(frozen=True)
class Proof:
    """The tables of a proof, and what they rest on.

    Attributes:
        backtest, slices, versus, splits: `out__backtest`, `out__backtest_slice`, `_versus`, `_split`.
        coverage: how sure the shares within 80% intervals are, benchmark families being the unit (`coverage_frame`).
        factors: per category, the widening of 3.0's intervals, fitted on the inner split of single results.
        chosen: per method, how often each penalty was chosen on the inner split.
    """

    backtest: pl.DataFrame
    slices: pl.DataFrame
    versus: pl.DataFrame
    splits: pl.DataFrame
    coverage: pl.DataFrame
    factors: dict[str, float]
    chosen: dict[str, dict[str, int]]


def nightly_plan(methodology: Methodology) -> Plan:
    """What a release proves of itself: single results, as often as the methodology says."""
    return Plan((("cells", methodology.backtest.nightly_repetitions),))


def whole_plan(methodology: Methodology, repetitions: int | None = None) -> Plan:
    """Every drawn split, and every variant of the linked model."""
    often = repetitions or methodology.backtest.repetitions
    variants = tuple(name for name in methodology.linked.variants if name != methodology.linked.published)
    return Plan((("cells", often), ("model-family", often), ("family", often)), variants)


def prove(
    evidence: pl.DataFrame,
    catalog: Catalog,
    plan: Plan,
    later: Sequence[tuple[pl.DataFrame, pl.DataFrame]] = (),
    tell: Callable[[str], None] = lambda _: None,
) -> Proof:
    """Withholds, fits and compares.

    Args:
        evidence: `core__evidence`, rows in any order.
        catalog: developers, units and the methodology.
        plan: what is done.
        later: pairs of evidence, of a day and of the next, for the split forward in time.
        tell: is told what is being done.

    Raises:
        KeyError: for evidence of a metric or model that the catalog does not hold.
    """
    methodology = catalog.methodology
    answers: list[Answer] = []
    questions: list[tuple[str, Question]] = []
    factors: list[Floats] = []
    chosen: dict[str, dict[str, int]] = {}
    for split, name, results, training, is_left, question in _rounds(evidence, catalog, plan, later):
        tell(f"{name}: {len(question.place):,} of {question.withheld:,} withheld results can be predicted")
        questions.append((split, question))
        if len(question.place) == 0:
            continue
        inside = _inner(results, is_left, methodology)
        for method, forecast in _forecasts(results, training, question, inside, methodology, plan, chosen):
            answers.append(Answer(method, split, question, forecast))
        factor = widening(
            inside.question, board_forecast(inside.training, inside.question.asked, methodology), methodology.backtest
        )
        if split == "cells":
            factors.append(factor)
            _prefer(inside, methodology, plan, chosen)
        own = next(one for one in reversed(answers) if one.method == BOARD_METHOD)
        answers.append(
            replace(own, method=CALIBRATED_METHOD, forecast=widened(own.forecast, question.asked.frame, factor))
        )
    mean = np.sum(factors, axis=0) / len(factors) if factors else np.ones(len(CATEGORIES))
    return Proof(
        backtest_frame(answers, methodology.backtest),
        slice_frame(answers, methodology.backtest),
        versus_frame(answers, methodology.source_statistics.level_z),
        split_frame(questions),
        coverage_frame(answers, methodology.backtest, methodology.source_statistics.level_z),
        dict(zip(CATEGORIES, mean.tolist(), strict=True)),
        chosen,
    )


def _prefer(inside: _Inside, methodology: Methodology, plan: Plan, chosen: dict[str, dict[str, int]]) -> None:
    """Counts the variant of the linked model that the inner split prefers, where the plan holds more than one."""
    linked = methodology.linked
    names = (linked.published, *plan.variants)
    if len(names) == 1 or len(inside.question.place) == 0:
        return
    options = [
        (name, partial(linked_forecast, methodology=methodology, variant=linked.variants[name])) for name in names
    ]
    best, _ = _best(options, inside)
    tally = chosen.setdefault(LINKED_METHOD, {})
    tally[best] = tally.get(best, 0) + 1


@dataclass(frozen=True)
class _Inside:
    """The inner split: a training of its own, and the question it is asked."""

    training: Training
    question: Question


def _rounds(
    evidence: pl.DataFrame, catalog: Catalog, plan: Plan, later: Sequence[tuple[pl.DataFrame, pl.DataFrame]]
) -> Iterator[tuple[str, str, Results, Training, Flags, Question]]:
    """Every round: its split, its name, all results, the training, which results that saw, and the question."""
    methodology = catalog.methodology
    standard, rules = methodology.standardization, methodology.backtest
    if plan.splits and evidence.height:
        results = gather(evidence, catalog)
        whole = scales_of(results.x, results.metric, results.developer, len(results.metric_ids), standard)
        for split, often in plan.splits:
            for repetition in range(often):
                out = withheld(results, split, repetition, rules.share, methodology.seed)
                training = train_on(results, ~out, standard)
                if training.evidence.height:
                    question = ask(results, training, out, whole if split == "family" else None)
                    yield split, f"{split} {repetition + 1}", results, training, ~out, question
    for number, (former, latter) in enumerate(later):
        if former.height == 0 or latter.height == 0:
            continue
        known = gather(former, catalog)
        left = np.ones(known.count, dtype=bool)
        training = train_on(known, left, standard)
        yield (
            "forward",
            f"forward {number + 1}",
            known,
            training,
            left,
            ask_forward(known, training, gather(latter, catalog)),
        )


def _inner(results: Results, is_left: Flags, methodology: Methodology) -> _Inside:
    out = is_left & inner(results, methodology.backtest.inner_share, methodology.seed)
    training = train_on(results, is_left & ~out, methodology.standardization)
    return _Inside(training, ask(results, training, out))


def _forecasts(
    results: Results,
    training: Training,
    question: Question,
    inside: _Inside,
    methodology: Methodology,
    plan: Plan,
    chosen: dict[str, dict[str, int]],
) -> Iterator[tuple[str, Forecast]]:
    linked = methodology.linked
    fits: dict[str, Fit] = {
        BOARD_METHOD: lambda left, asked: board_forecast(left, asked, methodology),
        LINKED_METHOD: lambda left, asked: linked_forecast(left, asked, methodology, linked.chosen),
    }
    for name in plan.variants:
        fits[f"linked-{name}"] = partial(linked_forecast, methodology=methodology, variant=linked.variants[name])
    for method, options in _baselines(results, methodology).items():
        label, fit = _best(options, inside)
        tally = chosen.setdefault(method, {})
        tally[label] = tally.get(label, 0) + 1
        fits[method] = fit
    for method, fit in fits.items():
        yield method, _centred(fit(training, question.asked), question, training)


def _centred(forecast: Forecast, question: Question, training: Training) -> Forecast:
    """On a metric that training does not know, only places within its cohort can be meant: their median is 0."""
    metric = question.asked.metric
    unknown = ~training.scales.is_scored[metric]
    mean = forecast.mean.copy()
    for number in np.unique(metric[unknown]).tolist():
        here = metric == number
        mean[here] = mean[here] - float(np.median(mean[here]))
    return Forecast(mean, forecast.sd)


def _best(options: Sequence[tuple[str, Fit]], inside: _Inside) -> tuple[str, Fit]:
    """The option with the least median error on the inner split; the first of equals."""
    if len(options) == 1 or len(inside.question.place) == 0:
        return options[0]
    errors = [median_error(inside.question, fit(inside.training, inside.question.asked)) for _, fit in options]
    return options[int(np.argmin(errors))]


def _baselines(results: Results, methodology: Methodology) -> dict[str, list[tuple[str, Fit]]]:
    rules = methodology.backtest

    def additive(penalty: float) -> Fit:
        return lambda left, asked: baselines.additive(Grid.of(left, asked, results), penalty, rules.fit_rounds)

    def rank_two(penalty: float, slope: float) -> Fit:
        return lambda left, asked: baselines.rank_two(Grid.of(left, asked, results), penalty, slope, rules)

    def logistic(penalty: float, slope: float) -> Fit:
        return lambda left, asked: baselines.two_parameter_logistic(
            Grid.of(left, asked, results), left, results, penalty, slope, rules
        )

    both = [(one, two) for one in rules.ability_penalties for two in rules.slope_penalties]
    return {
        "metric-median": [("none", lambda left, asked: baselines.metric_median(Grid.of(left, asked, results)))],
        "additive": [(f"{one:g}", additive(one)) for one in rules.ability_penalties],
        "rank-2-logit": [(f"{one:g}, {two:g}", rank_two(one, two)) for one, two in both],
        "logistic-2pl": [(f"{one:g}, {two:g}", logistic(one, two)) for one, two in both],
    }
