"""Column dictionary, the linked score and the proof on withheld results (METHODS 7b)."""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column

_BOARD = "methods.linked.board:linked_board"
_CENTRED = "methods.linked.centre:centred"
_PART = "methods.linked.explanation:linked_parts"
_METRIC = "methods.linked.published:linked_metrics"
_PARAMETER = "methods.linked.published:linked_parameters"
_REPORT = "methods.backtest.report:backtest_frame"
_SLICE = "methods.backtest.report:slice_frame"
_VERSUS = "methods.backtest.versus:versus_frame"
_SPLIT = "methods.backtest.report:split_frame"
_CALIBRATED = "methods.backtest.calibration:calibrated_intervals"
_SD = "ability SD"
_PP = "percentage points"

LINKED: Final[dict[str, Column]] = {
    "out__linked_score.score": Column(
        "number", "50 + 15 mu of the linked model, clamped to 0 to 100; null where unrated.", _BOARD, "score points"
    ),
    "out__linked_score.low80": Column(
        "number", "Lower end of its 80% interval, clamped for display.", _BOARD, "score points"
    ),
    "out__linked_score.high80": Column(
        "number", "Upper end of its 80% interval, clamped for display.", _BOARD, "score points"
    ),
    "out__linked_score.mu": Column(
        "number",
        "Posterior mean over all four dimensions of the linked ability, from the mean of the run's models.",
        _CENTRED,
        _SD,
    ),
    "out__linked_score.sigma": Column(
        "number", "Exact posterior SD of the same, that of the mean included.", _CENTRED, _SD
    ),
    "out__linked_score.status": Column("text", "3.0's own status, by its evidence counts.", _BOARD),
    "out__linked_score.effective_coverage": Column(
        "number",
        "Share of the models' own variance that the evidence removed: 1 - sigma squared/that variance.",
        _BOARD,
        "0 to 1",
    ),
    "out__linked_score.rank": Column("integer", "Place among rated models by the linked mu; null otherwise.", _BOARD),
    "out__linked_score.rank_low": Column("integer", "1 + the number of rated models surely better.", _BOARD),
    "out__linked_score.rank_high": Column("integer", "n - the number of rated models surely worse.", _BOARD),
    "out__linked_score.reason_code": Column("text", "3.0's own reason why there is no score.", _BOARD),
    "source_category": Column("text", "Category of the evidence that adds this.", _PART),
    "out__linked_part.role": Column(
        "text", "own: the model's observations in that category; cohort: all others' there.", _PART
    ),
    "out__linked_part.observations": Column(
        "integer", "The model's own observations there; null for cohort rows.", _PART, "observations"
    ),
    "out__linked_part.contribution": Column(
        "number", "What the evidence adds; 50 plus all of them is the unclamped linked score.", _PART, "score points"
    ),
    "out__linked_metric.models": Column("integer", "Models measured on the metric.", _METRIC, "models"),
    "out__linked_metric.slope": Column(
        "number", "Robust SD of the metric that one ability SD moves.", _METRIC, "robust SD per ability SD"
    ),
    "out__linked_metric.offset": Column(
        "number", "z that a model of ability 0 is expected to have on the metric.", _METRIC, "robust SD"
    ),
    "offset_sd": Column("number", "Posterior SD of the offset.", _METRIC, "robust SD"),
    "noise_sd": Column("number", "SD of a result at q = 1 in the official tier.", _METRIC, "robust SD"),
    "cohort_score": Column(
        "number",
        "Mean linked ability of the models measured on it, as a score: whom z compares with.",
        _METRIC,
        "score points",
    ),
    "out__linked_parameter.parameter": Column("text", "Which parameter of the linked model.", _PARAMETER),
    "out__linked_parameter.subject": Column(
        "text", "Level, category or tier it is of; the variant's name for facts of the search.", _PARAMETER
    ),
    "out__linked_parameter.estimate": Column(
        "number", "Its value by maximum marginal likelihood, the constant, or the fact.", _PARAMETER, "as named"
    ),
    "out__backtest.method": Column("text", "What predicted: 3.0, linked, or a baseline.", _REPORT),
    "out__backtest_slice.method": Column("text", "What predicted: 3.0, linked, or a baseline.", _SLICE),
    "split": Column("text", "What was withheld: cells, model-family, family or forward.", _REPORT),
    "out__backtest.category": Column("text", "One of the eight categories, or all.", _REPORT),
    "out__backtest.n": Column("integer", "Withheld results that were predicted.", _REPORT, "results"),
    "median_error_pp": Column(
        "number", "Median absolute error over withheld fractions; ratings have no points.", _REPORT, _PP
    ),
    "mean_error_pp": Column("number", "Mean absolute error over withheld fractions.", _REPORT, _PP),
    "rank_correlation": Column(
        "number",
        "Spearman correlation of predicted and true place on the metric's scale; null where either is constant.",
        _REPORT,
        "-1 to 1",
    ),
    "cover50": Column(
        "number", "Share within the 50% predictive interval; null where there is none.", _REPORT, "0 to 1"
    ),
    "cover80": Column("number", "Share within the 80% predictive interval.", _REPORT, "0 to 1"),
    "cover95": Column("number", "Share within the 95% predictive interval.", _REPORT, "0 to 1"),
    "sliced_by": Column("text", "tier: of the withheld result; observations: of the model at hand.", _SLICE),
    "out__backtest_slice.slice": Column("text", "Which slice.", _SLICE),
    "out__backtest_slice.n": Column("integer", "Withheld results of the slice that were predicted.", _SLICE, "results"),
    "out__backtest_versus.method": Column("text", "The method that the linked score is held against.", _VERSUS),
    "out__backtest_versus.n": Column("integer", "Withheld fractions that both predicted.", _VERSUS, "results"),
    "nearer": Column("integer", "Of these, the linked score came nearer to.", _VERSUS, "results"),
    "farther": Column("integer", "Of these, the other method came nearer to.", _VERSUS, "results"),
    "nearer_share": Column("number", "nearer / (nearer + farther).", _VERSUS, "0 to 1"),
    "out__backtest_versus.wilson_low": Column("number", "Lower end of that share's 95% interval.", _VERSUS, "0 to 1"),
    "out__backtest_versus.wilson_high": Column("number", "Upper end of that share's 95% interval.", _VERSUS, "0 to 1"),
    "median_gap_pp": Column("number", "Median error of the linked score minus the other's.", _VERSUS, _PP),
    "out__backtest_split.repetitions": Column("integer", "How often the split was drawn anew.", _SPLIT),
    "withheld": Column("integer", "Results withheld, over all repetitions.", _SPLIT, "results"),
    "without_metric": Column(
        "integer", "Of these, on a metric that too few results were left of: nobody could predict.", _SPLIT, "results"
    ),
    "without_model": Column(
        "integer", "Of these, of a model that no result was left of: nobody could predict.", _SPLIT, "results"
    ),
    "predicted": Column("integer", "The rest, which every method predicted.", _SPLIT, "results"),
    "out__calibrated_interval.factor": Column(
        "number",
        "How many times wider than 3.0's own the interval is, fitted on results withheld from it.",
        _CALIBRATED,
    ),
    "out__calibrated_interval.low80": Column(
        "number", "Lower end of the calibrated 80% interval of 3.0's score.", _CALIBRATED, "score points"
    ),
    "out__calibrated_interval.high80": Column(
        "number", "Upper end of the calibrated 80% interval of 3.0's score.", _CALIBRATED, "score points"
    ),
}
