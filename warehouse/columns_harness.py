"""Column dictionary, models and harnesses: the crossing, its figures and its verdict (METHODS 11).

The entries stand under `table.column`, since a share or a score means another thing in nearly every table; those that
mean the same in several are written once below and listed for each.
"""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column

_CELLS = "methods.harness.cells:cells_of"
_IF_CLEAN = "methods.harness.cells:if_clean"
_BOOT = "methods.harness.resampled:resample"
_FIT = "methods.harness.fit:fit_of"
_WINS = "methods.harness.wins:records"
_BLAME = "methods.harness.blame:division"
_CHANCE = "methods.harness.blame:chance_of"
_RESIDUAL = "methods.harness.blame:residuals"
_PLAN = "methods.harness.plan:plan_of"
_BALANCE = "methods.harness.crossing:balance_of"
_GRID = "methods.harness.grid:GridBuilder"
_FAULT = "methods.harness.faults:in_order"
_TOKENS = "methods.harness.tokens:harness_loads"
_STAGE = "methods.harness.stages:stage_shares"
_CHOICE = "methods.harness.selection:choices"
_REFERENCE = "methods.harness.references:standings"
_PARETO = "methods.harness.references:pareto_front"
_DIFFERENCE = "methods.harness.differences:block_differences"
_SUMMARY = "methods.harness.summaries:summaries"
_SENTENCE = "methods.harness.sentences:verdict_sentence"
_STUDY = "methods.harness.study:analyse"
_SHARE, _PP = "0 to 1", "percentage points"

_SHARED: Final[dict[str, Column]] = {
    "benchmark": Column("text", "Benchmark as the panel names it; * is the mean over all of them.", _PLAN),
    "condition": Column("text", "Condition of the benchmark, such as how many skills are offered.", _PLAN),
    "environment": Column("text", "Environment of the benchmark; * is the mean over all of them.", _PLAN),
    "model": Column("text", "Model as the panel names it.", _PLAN),
    "harness": Column("text", "Harness as the panel names it.", _PLAN),
    "task": Column("text", "Task as the records name it.", _PLAN),
    "panel": Column("text", "declared, or the largest balanced sub-panel where that is no crossing.", _BALANCE),
    "side": Column("text", "Whether harnesses or models are compared.", _WINS),
    "one": Column("text", "The harness, model or benchmark that the row is of.", _WINS),
    "reason_code": Column("text", "Why figures are null; null where none is.", _STUDY),
    "tasks": Column("integer", "Planned tasks.", _PLAN, "tasks"),
    "planned": Column("integer", "Planned attempts; each counts in every figure.", _PLAN, "attempts"),
    "recorded": Column("integer", "Planned attempts with a record.", _GRID, "attempts"),
    "is_reference": Column("boolean", "Whether the configuration stands outside the crossing.", _PLAN),
    "score": Column("number", "S: mean score of all planned attempts.", _CELLS, _SHARE),
    "clean": Column("number", "V: share of planned attempts that ended normally and handed over.", _CELLS, _SHARE),
    "joint": Column("number", "J: mean of score times clean.", _CELLS, _SHARE),
    "loss_unclean": Column("number", "Part of 1 - S lost by attempts that were not clean.", _CELLS, _SHARE),
    "loss_clean": Column("number", "Part of 1 - S lost by clean attempts that were wrong: V - J.", _CELLS, _SHARE),
    "score_if_clean": Column(
        "number", "S if unclean attempts had done as clean ones at the task do.", _IF_CLEAN, _SHARE
    ),
    "score_at_most": Column("number", "S if every unclean attempt had scored full marks.", _CELLS, _SHARE),
    "fit": Column("number", "Fit on J.", _FIT, _SHARE),
    "fit_low": Column("number", "Lower end of its 95% interval, the best found again in each resample.", _FIT, _SHARE),
    "fit_high": Column("number", "Upper end of that interval.", _FIT, _SHARE),
    "score_fit": Column("number", "Fit on S in place of J.", _FIT, _SHARE),
    "score_fit_low": Column("number", "Lower end of its 95% interval.", _FIT, _SHARE),
    "score_fit_high": Column("number", "Upper end of that interval.", _FIT, _SHARE),
    "residual_pp": Column("number", "Interaction: S beyond what model and harness alone add up to.", _RESIDUAL, _PP),
    "residual_low_pp": Column("number", "Lower end of its 95% interval.", _RESIDUAL, _PP),
    "residual_high_pp": Column("number", "Upper end of that interval.", _RESIDUAL, _PP),
    "is_pareto": Column("boolean", "Whether no core configuration is as good on S and V, and better on one.", _PARETO),
    "token_load": Column(
        "number", "Tokens over the geometric mean of the block; over blocks, geometric mean.", _TOKENS
    ),
    "models": Column("integer", "Models.", _PLAN, "models"),
    "harnesses": Column("integer", "Harnesses.", _PLAN, "harnesses"),
}

_OWN: Final[dict[str, dict[str, Column]]] = {
    "panel": {
        "is_primary": Column("boolean", "Whether the condition enters figures across benchmarks.", _PLAN),
        "status_map": Column("text", "Map that says when an attempt of the benchmark is clean.", _PLAN),
        "is_clean_tracked": Column("boolean", "Whether its records say how an attempt ended.", _PLAN),
        "configurations": Column("integer", "Core configurations planned on it.", _PLAN, "configurations"),
        "references": Column("integer", "References planned on it.", _PLAN, "configurations"),
        "environments": Column("integer", "Environments, which weigh the same.", _PLAN, "environments"),
        "repetitions": Column("integer", "Planned attempts at each task.", _PLAN, "attempts"),
        "missing": Column("integer", "Planned attempts without a record: 0, and not clean.", _GRID, "attempts"),
        "other_statuses": Column("text_list", "Raw statuses read as abnormal that no rule names, with counts.", _GRID),
        "is_balanced": Column("boolean", "Whether every model meets every harness on every benchmark.", _BALANCE),
        "missing_cells": Column("text_list", "Cells of this benchmark's crossing that are not planned.", _BALANCE),
        "balanced_benchmarks": Column("text_list", "Benchmarks of the largest balanced sub-panel.", _BALANCE),
        "balanced_models": Column("text_list", "Its models.", _BALANCE),
        "balanced_harnesses": Column("text_list", "Its harnesses.", _BALANCE),
        "left_out_cells": Column("text_list", "Planned cells of this benchmark outside that sub-panel.", _BALANCE),
        "is_search_whole": Column("boolean", "Whether the search for it went to its end.", _BALANCE),
    },
    "fault": {
        "place": Column("integer", "Number in the list of faults.", _FAULT),
        "fault": Column("text", "What is wrong.", _FAULT),
        "file": Column("text", "File of the record; null where there is none.", _FAULT),
        "row": Column("integer", "Its row in the file, from 1.", _FAULT),
        "repetition": Column("text", "Repetition as the record names it.", _FAULT),
        "attempts": Column("integer", "Attempts at fault.", _FAULT, "attempts"),
        "detail": Column("text", "What more there is to say.", _FAULT),
    },
    "cell": {
        "score_low": Column("number", "Lower end of S's 95% interval over tasks.", _BOOT, _SHARE),
        "score_high": Column("number", "Upper end of that interval.", _BOOT, _SHARE),
        "best_of_r": Column("number", "Mean over tasks of the best score of its repetitions.", _CELLS, _SHARE),
        "clean_low": Column("number", "Lower end of V's 95% interval over tasks.", _BOOT, _SHARE),
        "clean_high": Column("number", "Upper end of that interval.", _BOOT, _SHARE),
        "joint_low": Column("number", "Lower end of J's 95% interval over tasks.", _BOOT, _SHARE),
        "joint_high": Column("number", "Upper end of that interval.", _BOOT, _SHARE),
        "unclean_score": Column("number", "S - J, over all planned attempts.", _CELLS, _SHARE),
        "within_clean": Column("number", "Mean score of clean attempts, J / V; null for none.", _CELLS, _SHARE),
        "within_unclean": Column("number", "Mean score of the others, (S - J) / (1 - V).", _CELLS, _SHARE),
        "tokens": Column("number", "Mean tokens of attempts that state them.", _CELLS, "tokens"),
        "tokens_tracked": Column("integer", "Attempts that state tokens.", _CELLS, "attempts"),
        "seconds": Column("number", "Mean time of attempts that state it.", _CELLS, "seconds"),
    },
    "block": {},
    "pair": {"benchmarks": Column("integer", "Benchmarks of the crossing.", _BALANCE, "benchmarks")},
    "summary": {
        "cells": Column("integer", "Cells of the crossing that the row is over.", _SUMMARY, "cells"),
        "clean_quartile": Column("number", "Type-7 lower quartile of V over cells.", _SUMMARY, _SHARE),
        "clean_nearest_quartile": Column("number", "Nearest-rank lower quartile of V.", _SUMMARY, _SHARE),
        "clean_minimum": Column("number", "Lowest V of its cells.", _SUMMARY, _SHARE),
        "fit_arithmetic": Column("number", "Fit on J, arithmetic mean over models.", _FIT, _SHARE),
        "fit_arithmetic_low": Column("number", "Lower end of its 95% interval.", _FIT, _SHARE),
        "fit_arithmetic_high": Column("number", "Upper end of that interval.", _FIT, _SHARE),
        "score_fit_arithmetic": Column("number", "Fit on S, arithmetic mean over models.", _FIT, _SHARE),
        "score_fit_arithmetic_low": Column("number", "Lower end of its 95% interval.", _FIT, _SHARE),
        "score_fit_arithmetic_high": Column("number", "Upper end of that interval.", _FIT, _SHARE),
        "win_score": Column("number", "Win rate on S, pooled: (W + T/2) / comparisons.", _WINS, _SHARE),
        "win_score_mean": Column("number", "Mean of its win rates on S within each model (harness).", _WINS, _SHARE),
        "win_clean": Column("number", "Win rate on V, pooled.", _WINS, _SHARE),
        "win_clean_mean": Column("number", "Mean of its win rates on V within each model (harness).", _WINS, _SHARE),
        "token_blocks": Column("integer", "Blocks in which every harness is tracked.", _TOKENS, "blocks"),
    },
    "win": {
        "measure": Column("text", "score, clean or joint.", _WINS),
        "within": Column("text", "Model (harness) under which it is compared; * pools all.", _WINS),
        "opponent": Column("text", "Against whom; * is all of them.", _WINS),
        "wins": Column("integer", "Comparisons won.", _WINS, "comparisons"),
        "ties": Column("integer", "Comparisons tied on unrounded values.", _WINS, "comparisons"),
        "losses": Column("integer", "Comparisons lost.", _WINS, "comparisons"),
        "win_rate": Column("number", "(W + T/2) / comparisons.", _WINS, _SHARE),
    },
    "blame": {
        "part": Column("text", "model, harness or interaction.", _BLAME),
        "squares": Column("number", "Its sum of squares over cells.", _BLAME),
        "share": Column("number", "Its share of all squares, chance included.", _BLAME, _SHARE),
        "share_low": Column("number", "Lower end of that share's 95% interval.", _BLAME, _SHARE),
        "share_high": Column("number", "Upper end of that interval.", _BLAME, _SHARE),
        "chance": Column("number", "Squares to expect from the choice of tasks alone.", _CHANCE),
        "freed_share": Column("number", "Its share of squares beyond chance.", _BLAME, _SHARE),
        "freed_low": Column("number", "Lower end of its 95% interval.", _BLAME, _SHARE),
        "freed_high": Column("number", "Upper end of that interval.", _BLAME, _SHARE),
    },
    "verdict": {
        "verdict": Column("text", "Part that is surely the largest; undecided; or nothing differs.", _BLAME),
        "lead": Column("number", "Squares of model minus those of harness, beyond chance.", _BLAME),
        "lead_low": Column("number", "Lower end of its 95% interval.", _BLAME),
        "lead_high": Column("number", "Upper end of that interval.", _BLAME),
        "leaders": Column("text_list", "Harnesses with the highest mean S.", _STUDY),
        "leaders_if_clean": Column("text_list", "Harnesses that would lead if all attempts were clean.", _STUDY),
        "sentence": Column("text", "All of it in words.", _SENTENCE),
    },
    "stage": {
        "stage": Column("text", "Stage of execution at which attempts ceased to be clean.", _STAGE),
        "attempts": Column("integer", "How many did.", _STAGE, "attempts"),
        "rate": Column("number", "Of planned attempts, macro-averaged.", _STAGE, _SHARE),
        "share": Column("number", "Of attempts that were not clean, macro-averaged.", _STAGE, _SHARE),
    },
    "selection": {
        "left_out": Column("text", "Model left out.", _CHOICE),
        "rule": Column("text", "How the harness is chosen on the others.", _CHOICE),
        "chosen": Column("text", "The harness; of several that tie the first by name.", _CHOICE),
        "tied": Column("text_list", "Every harness that the rule puts first.", _CHOICE),
        "best": Column("text", "Harness with the highest J on the model left out.", _CHOICE),
        "regret_pp": Column("number", "Its J minus that of the chosen.", _CHOICE, _PP),
    },
    "reference": {
        "against": Column("integer", "Core configurations on the same tasks.", _REFERENCE, "configurations"),
        "score_wins": Column("integer", "Of them, those it beats on S.", _REFERENCE),
        "score_ties": Column("integer", "Those it equals on S.", _REFERENCE),
        "score_losses": Column("integer", "Those that beat it on S.", _REFERENCE),
        "score_win_rate": Column("number", "Win rate on S; over benchmarks their mean.", _REFERENCE, _SHARE),
        "clean_wins": Column("integer", "Those it beats on V.", _REFERENCE),
        "clean_ties": Column("integer", "Those it equals on V.", _REFERENCE),
        "clean_losses": Column("integer", "Those that beat it on V.", _REFERENCE),
        "clean_win_rate": Column("number", "Win rate on V; over benchmarks their mean.", _REFERENCE, _SHARE),
        "dominated": Column("integer", "Those it equals or beats on both, and beats on one.", _REFERENCE),
        "dominated_share": Column("number", "Their share; over benchmarks the mean.", _REFERENCE, _SHARE),
        "alone": Column("integer", "Tasks that it solves and no core configuration does.", _REFERENCE, "tasks"),
    },
    "difference": {
        "measure": Column("text", "score, clean or joint.", _DIFFERENCE),
        "model_a": Column("text", "Model subtracted from.", _DIFFERENCE),
        "harness_a": Column("text", "Harness subtracted from.", _DIFFERENCE),
        "model_b": Column("text", "Model subtracted.", _DIFFERENCE),
        "harness_b": Column("text", "Harness subtracted.", _DIFFERENCE),
        "difference_pp": Column("number", "First minus second.", _DIFFERENCE, _PP),
        "low_pp": Column("number", "Lower end of the 95% paired bootstrap interval over tasks.", _BOOT, _PP),
        "high_pp": Column("number", "Upper end of that interval.", _BOOT, _PP),
        "a_alone": Column("integer", "Tasks that the first solves and the second does not.", _DIFFERENCE, "tasks"),
        "b_alone": Column("integer", "Tasks that the second solves and the first does not.", _DIFFERENCE, "tasks"),
    },
    "unique": {},
}  # fmt: skip

_ALSO: Final[dict[str, tuple[str, ...]]] = {
    "panel": ("benchmark", "condition", "models", "harnesses", "tasks", "planned", "recorded", "reason_code"),
    "fault": ("model", "harness", "benchmark", "environment", "condition", "task"),
    "cell": (
        "benchmark", "condition", "environment", "model", "harness", "is_reference", "tasks", "planned", "recorded",
        "score", "clean", "joint", "loss_unclean", "loss_clean", "score_if_clean", "score_at_most", "is_pareto",
        "reason_code",
    ),
    "block": (
        "panel", "benchmark", "model", "harness", "fit", "fit_low", "fit_high", "score_fit", "score_fit_low",
        "score_fit_high", "residual_pp", "residual_low_pp", "residual_high_pp", "token_load", "reason_code",
    ),
    "pair": (
        "panel", "model", "harness", "score", "clean", "joint", "fit", "fit_low", "fit_high", "score_fit",
        "score_fit_low", "score_fit_high", "residual_pp", "residual_low_pp", "residual_high_pp", "is_pareto",
        "reason_code",
    ),
    "summary": (
        "panel", "side", "one", "score", "score_if_clean", "joint", "clean", "fit", "fit_low", "fit_high", "score_fit",
        "score_fit_low", "score_fit_high", "token_load", "reason_code",
    ),
    "win": ("panel", "side", "one"),
    "blame": ("panel", "benchmark", "reason_code"),
    "verdict": (
        "panel", "benchmark", "models", "harnesses", "score", "loss_unclean", "loss_clean", "score_if_clean",
        "score_at_most", "reason_code",
    ),
    "stage": ("side", "one"),
    "selection": ("panel", "joint"),
    "reference": ("model", "harness", "benchmark", "reason_code"),
    "difference": ("benchmark", "tasks"),
    "unique": ("benchmark", "environment", "task", "model", "harness", "is_reference"),
}  # fmt: skip

HARNESS: Final[dict[str, Column]] = {
    f"out__harness_{table}.{name}": entry
    for table, own in _OWN.items()
    for name, entry in {**own, **{name: _SHARED[name] for name in _ALSO[table]}}.items()
}
