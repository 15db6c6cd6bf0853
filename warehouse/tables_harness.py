"""The contracts of the crossing of models and harnesses: what was planned and found, who is to blame (METHODS 11)."""

from __future__ import annotations

from typing import Final

from warehouse import harness_words
from warehouse.contracts import TableContract

_PANEL: Final = ("panel", harness_words.PANELS)
_REASON: Final = ("reason_code", harness_words.PANEL_REASONS)
_CELL: Final = ("study", "benchmark", "condition", "environment", "model", "harness")
_ENDS: Final = ("score_low", "score_high", "clean_low", "clean_high", "joint_low", "joint_high")
_UNIT: Final = (
    "score", "score_low", "score_high", "best_of_r", "clean", "clean_low", "clean_high", "joint", "joint_low",
    "joint_high", "unclean_score", "within_clean", "within_unclean", "loss_unclean", "loss_clean", "score_if_clean",
    "score_at_most",
)  # fmt: skip
_FITS: Final = tuple(
    f"{fit}{end}"
    for fit in ("fit", "fit_arithmetic", "score_fit", "score_fit_arithmetic")
    for end in ("", "_low", "_high")
)


def _shares(*names: str) -> tuple[tuple[str, float | None, float | None], ...]:
    return tuple((name, 0.0, 1.0) for name in names)


def _counts(*names: str) -> tuple[tuple[str, float | None, float | None], ...]:
    return tuple((name, 0.0, None) for name in names)


OUT_HARNESS_PANEL: Final = TableContract(
    name="out__harness_panel",
    grain="One row per benchmark and condition of a declared panel: what was planned and found, and its balance.",
    key=("study", "benchmark", "condition"),
    columns=(
        "study", "benchmark", "condition", "is_primary", "status_map", "is_clean_tracked", "models", "harnesses",
        "configurations", "references", "environments", "tasks", "repetitions", "planned", "recorded", "missing",
        "other_statuses", "is_balanced", "missing_cells", "balanced_benchmarks", "balanced_models",
        "balanced_harnesses", "left_out_cells", "is_search_whole", "reason_code",
    ),
    nullable=frozenset({"balanced_benchmarks", "balanced_models", "balanced_harnesses", "reason_code"}),
    allowed=(_REASON,),
    bounds=_counts("models", "harnesses", "configurations", "references", "environments", "tasks", "repetitions",
                   "planned", "recorded", "missing"),
    may_be_empty=True,
)  # fmt: skip

OUT_HARNESS_FAULT: Final = TableContract(
    name="out__harness_fault",
    grain="One row per thing that is wrong with the attempts: a record at fault, or planned attempts without one.",
    key=("study", "place"),
    columns=(
        "study", "place", "fault", "file", "row", "model", "harness", "benchmark", "environment", "condition", "task",
        "repetition", "attempts", "detail",
    ),
    nullable=frozenset({
        "file", "row", "model", "harness", "benchmark", "environment", "condition", "task", "repetition", "detail",
    }),
    allowed=(("fault", harness_words.FAULTS),),
    bounds=(("place", 1, None), ("row", 1, None), ("attempts", 1, None)),
    may_be_empty=True,
)  # fmt: skip

OUT_HARNESS_CELL: Final = TableContract(
    name="out__harness_cell",
    grain="One row per configuration on a benchmark under a condition, in one environment or (*) over all.",
    key=_CELL,
    columns=(
        *_CELL, "is_reference", "tasks", "planned", "recorded", *_UNIT, "is_pareto", "tokens", "tokens_tracked",
        "seconds", "reason_code",
    ),
    nullable=frozenset({*_UNIT, "is_pareto", "tokens", "seconds", "reason_code"} - {"score", "best_of_r"}),
    allowed=(_REASON,),
    bounds=(
        *_shares(*_UNIT), *_counts("tasks", "planned", "recorded", "tokens", "tokens_tracked", "seconds"),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_HARNESS_BLOCK: Final = TableContract(
    name="out__harness_block",
    grain="One row per cell of a crossing: what it is beside the other harnesses of its model on its benchmark.",
    key=("study", "panel", "benchmark", "model", "harness"),
    columns=(
        "study", "panel", "benchmark", "model", "harness", "fit", "fit_low", "fit_high", "score_fit", "score_fit_low",
        "score_fit_high", "residual_pp", "residual_low_pp", "residual_high_pp", "token_load", "reason_code",
    ),
    nullable=frozenset({
        "fit", "fit_low", "fit_high", "score_fit", "score_fit_low", "score_fit_high", "residual_pp", "residual_low_pp",
        "residual_high_pp", "token_load", "reason_code",
    }),
    allowed=(_PANEL, _REASON),
    bounds=(
        *_shares("fit", "fit_low", "fit_high", "score_fit", "score_fit_low", "score_fit_high"),
        ("residual_pp", -100, 100), ("residual_low_pp", -100, 100), ("residual_high_pp", -100, 100),
        ("token_load", 0, None),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_HARNESS_PAIR: Final = TableContract(
    name="out__harness_pair",
    grain="One row per model and harness of a crossing: the mean over its benchmarks.",
    key=("study", "panel", "model", "harness"),
    columns=(
        "study", "panel", "model", "harness", "benchmarks", "score", "clean", "joint", "fit", "fit_low", "fit_high",
        "score_fit", "score_fit_low", "score_fit_high", "residual_pp", "residual_low_pp", "residual_high_pp",
        "is_pareto", "reason_code",
    ),
    nullable=frozenset({
        "score", "clean", "joint", "fit", "fit_low", "fit_high", "score_fit", "score_fit_low", "score_fit_high",
        "residual_pp", "residual_low_pp", "residual_high_pp", "is_pareto", "reason_code",
    }),
    allowed=(_PANEL, _REASON),
    bounds=(
        *_counts("benchmarks"),
        *_shares("score", "clean", "joint", "fit", "fit_low", "fit_high", "score_fit", "score_fit_low",
                 "score_fit_high"),
        ("residual_pp", -100, 100), ("residual_low_pp", -100, 100), ("residual_high_pp", -100, 100),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_HARNESS_SUMMARY: Final = TableContract(
    name="out__harness_summary",
    grain="One row per harness, and per model, of a crossing: its mean, its clean ends, its fit, its win rates.",
    key=("study", "panel", "side", "one"),
    columns=(
        "study", "panel", "side", "one", "cells", "score", "score_if_clean", "joint", "clean", "clean_quartile",
        "clean_nearest_quartile", "clean_minimum", *_FITS, "win_score", "win_score_mean", "win_clean",
        "win_clean_mean", "token_load", "token_blocks", "reason_code",
    ),
    nullable=frozenset({
        "score", "score_if_clean", "joint", "clean", "clean_quartile", "clean_nearest_quartile", "clean_minimum",
        *_FITS, "win_score", "win_score_mean", "win_clean", "win_clean_mean", "token_load", "reason_code",
    }),
    allowed=(_PANEL, ("side", harness_words.SIDES), _REASON),
    bounds=(
        *_shares("score", "score_if_clean", "joint", "clean", "clean_quartile", "clean_nearest_quartile",
                 "clean_minimum", *_FITS, "win_score", "win_score_mean", "win_clean", "win_clean_mean"),
        *_counts("cells", "token_load", "token_blocks"),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_HARNESS_WIN: Final = TableContract(
    name="out__harness_win",
    grain="One row per record of wins: a harness (model) against one or all others, under one model (harness) or all.",
    key=("study", "panel", "measure", "side", "one", "within", "opponent"),
    columns=(
        "study", "panel", "measure", "side", "one", "within", "opponent", "wins", "ties", "losses", "win_rate",
    ),
    allowed=(_PANEL, ("measure", harness_words.MEASURES), ("side", harness_words.SIDES)),
    bounds=(*_counts("wins", "ties", "losses"), ("win_rate", 0, 1)),
    may_be_empty=True,
)  # fmt: skip

OUT_HARNESS_BLAME: Final = TableContract(
    name="out__harness_blame",
    grain="One row per benchmark of a crossing and part of the differences: model, harness, interaction.",
    key=("study", "panel", "benchmark", "part"),
    columns=(
        "study", "panel", "benchmark", "part", "squares", "share", "share_low", "share_high", "chance", "freed_share",
        "freed_low", "freed_high", "reason_code",
    ),
    nullable=frozenset({
        "squares", "share", "share_low", "share_high", "chance", "freed_share", "freed_low", "freed_high",
        "reason_code",
    }),
    allowed=(_PANEL, ("part", harness_words.PARTS), _REASON),
    bounds=(
        *_counts("squares", "chance"),
        *_shares("share", "share_low", "share_high", "freed_share", "freed_low", "freed_high"),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_HARNESS_VERDICT: Final = TableContract(
    name="out__harness_verdict",
    grain="One row per benchmark of a crossing: who is to blame, and what clean ends would change.",
    key=("study", "panel", "benchmark"),
    columns=(
        "study", "panel", "benchmark", "models", "harnesses", "verdict", "lead", "lead_low", "lead_high", "score",
        "loss_unclean", "loss_clean", "score_if_clean", "score_at_most", "leaders", "leaders_if_clean", "sentence",
        "reason_code",
    ),
    nullable=frozenset({
        "verdict", "lead", "lead_low", "lead_high", "score", "loss_unclean", "loss_clean", "score_if_clean",
        "score_at_most", "leaders", "leaders_if_clean", "reason_code",
    }),
    allowed=(_PANEL, ("verdict", harness_words.BLAMES), _REASON),
    bounds=(
        *_counts("models", "harnesses"),
        *_shares("score", "loss_unclean", "loss_clean", "score_if_clean", "score_at_most"),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_HARNESS_STAGE: Final = TableContract(
    name="out__harness_stage",
    grain="One row per harness, and per benchmark, and stage of execution at which its attempts ceased to be clean.",
    key=("study", "side", "one", "stage"),
    columns=("study", "side", "one", "stage", "attempts", "rate", "share"),
    nullable=frozenset({"share"}),
    allowed=(("side", ("harness", "benchmark")),),
    bounds=(*_counts("attempts"), *_shares("rate", "share")),
    may_be_empty=True,
)

OUT_HARNESS_SELECTION: Final = TableContract(
    name="out__harness_selection",
    grain="One row per model left out and rule: the harness chosen on the others, and its regret.",
    key=("study", "panel", "left_out", "rule"),
    columns=("study", "panel", "left_out", "rule", "chosen", "tied", "joint", "best", "regret_pp"),
    allowed=(_PANEL, ("rule", harness_words.SELECTION_RULES)),
    bounds=(("joint", 0, 1), ("regret_pp", 0, 100)),
    may_be_empty=True,
)

OUT_HARNESS_REFERENCE: Final = TableContract(
    name="out__harness_reference",
    grain="One row per reference and benchmark, or (*) their mean: against every core configuration on the same tasks.",
    key=("study", "model", "harness", "benchmark"),
    columns=(
        "study", "model", "harness", "benchmark", "against", "score_wins", "score_ties", "score_losses",
        "score_win_rate", "clean_wins", "clean_ties", "clean_losses", "clean_win_rate", "dominated", "dominated_share",
        "alone", "reason_code",
    ),
    nullable=frozenset({
        "clean_wins", "clean_ties", "clean_losses", "clean_win_rate", "dominated", "dominated_share", "reason_code",
    }),
    allowed=(_REASON,),
    bounds=(
        *_counts("against", "score_wins", "score_ties", "score_losses", "clean_wins", "clean_ties", "clean_losses",
                 "dominated", "alone"),
        *_shares("score_win_rate", "clean_win_rate", "dominated_share"),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_HARNESS_DIFFERENCE: Final = TableContract(
    name="out__harness_difference",
    grain="One row per two configurations, measure, and benchmark or (*) their mean: the difference with its interval.",
    key=("study", "benchmark", "measure", "model_a", "harness_a", "model_b", "harness_b"),
    columns=(
        "study", "benchmark", "measure", "model_a", "harness_a", "model_b", "harness_b", "difference_pp", "low_pp",
        "high_pp", "tasks", "a_alone", "b_alone",
    ),
    nullable=frozenset({"low_pp", "high_pp", "a_alone", "b_alone"}),
    allowed=(("measure", harness_words.MEASURES),),
    bounds=(
        ("difference_pp", -100, 100), ("low_pp", -100, 100), ("high_pp", -100, 100),
        *_counts("tasks", "a_alone", "b_alone"),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_HARNESS_UNIQUE: Final = TableContract(
    name="out__harness_unique",
    grain="One row per task that one configuration alone solves; a reference is held against the core configurations.",
    key=("study", "benchmark", "environment", "task", "model", "harness"),
    columns=("study", "benchmark", "environment", "task", "model", "harness", "is_reference"),
    may_be_empty=True,
)

HARNESS_TABLES: Final = (
    OUT_HARNESS_PANEL, OUT_HARNESS_FAULT, OUT_HARNESS_CELL, OUT_HARNESS_BLOCK, OUT_HARNESS_PAIR, OUT_HARNESS_SUMMARY,
    OUT_HARNESS_WIN, OUT_HARNESS_BLAME, OUT_HARNESS_VERDICT, OUT_HARNESS_STAGE, OUT_HARNESS_SELECTION,
    OUT_HARNESS_REFERENCE, OUT_HARNESS_DIFFERENCE, OUT_HARNESS_UNIQUE,
)  # fmt: skip
"""In the order of a reader's questions."""
