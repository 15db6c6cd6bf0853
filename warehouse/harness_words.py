"""The closed sets of words of the crossing of models and harnesses: faults, reasons, measures, verdicts (METHODS 11).

Belongs here: the words and their meaning. Does not belong here: the shape of a declared panel or of a status map
(`warehouse.harness_panel`), what is computed (`methods.harness`).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

ALL: Final = "*"
"""In a key column: the mean over all benchmarks, or over all environments of one."""
ONE_ENVIRONMENT: Final = "main"
"""The environment of a benchmark that declares none."""
ONE_CONDITION: Final = "standard"
"""The condition of a benchmark that declares none."""

Fault = Literal[
    "duplicate", "exact_duplicate", "unplanned", "score_out_of_range", "score_unreadable", "score_missing",
    "tokens_unreadable", "seconds_unreadable", "status_unknown", "field_missing", "over_limit", "cell_missing",
    "task_missing", "attempt_missing",
]  # fmt: skip
FAULTS: Final[tuple[Fault, ...]] = get_args(Fault)
"""What is wrong with attempts, each named by file and row, or by configuration and task:

duplicate: a planned attempt with two records that differ; the lower score counts, and the less clean record;
exact_duplicate: a record that repeats another in everything that counts; counted once;
unplanned: a record of an attempt that the panel does not plan; it enters no number;
score_out_of_range: a score outside 0 to the declared scale, or neither 0 nor full in a binary benchmark; it scores 0
    and is not clean;
score_unreadable: a score that is no number; as above;
score_missing: a record without a score; it scores 0, and is clean only if its map does not ask for a score;
tokens_unreadable, seconds_unreadable: something stands there that is no number from 0; the record counts, what it
    spent is not known;
status_unknown: a raw status that a map calls complete does not name; not clean;
field_missing: a field that the map needs is not stated, so that a condition cannot be decided; not clean;
over_limit: a record beyond a limit that the benchmark gives every configuration alike; it counts;
cell_missing: a configuration without any record on a benchmark for which it was planned; it scores 0;
task_missing: a task without any record of a configuration that has others; it scores 0;
attempt_missing: single repetitions without a record; each scores 0 and is not clean.
"""
GATING_FAULTS: Final[tuple[Fault, ...]] = (
    "duplicate", "unplanned", "score_out_of_range", "score_unreadable",
)  # fmt: skip
"""Faults of the records themselves, after which the numbers are not those of the declared panel."""

Panel = Literal["declared", "balanced"]
PANELS: Final[tuple[Panel, ...]] = get_args(Panel)
"""declared: every planned configuration; balanced: the largest sub-panel in which every model meets every harness on
every benchmark, given only where the declared panel is no such crossing."""

PanelReason = Literal[
    "unbalanced", "clean_not_tracked", "no_crossing", "no_spread", "not_tracked", "no_clean", "all_clean"
]
PANEL_REASONS: Final[tuple[PanelReason, ...]] = get_args(PanelReason)
"""Why a figure is null:

unbalanced: it needs a balanced panel, and cells are missing; see the rows of the balanced sub-panel;
clean_not_tracked: the benchmark's records do not say how an attempt ended;
no_crossing: no two models meet two harnesses;
no_spread: all configurations have one value, so there is nothing to share out;
not_tracked: a cell of the block states no tokens;
no_clean: no attempt was clean; all_clean: every attempt was.
"""

Measure = Literal["score", "clean", "joint"]
MEASURES: Final[tuple[Measure, ...]] = get_args(Measure)
"""score: S, the mean official score; clean: V, the share of clean attempts; joint: J, the mean of score times clean."""

Side = Literal["harness", "model"]
SIDES: Final[tuple[Side, ...]] = get_args(Side)

Part = Literal["model", "harness", "interaction"]
PARTS: Final[tuple[Part, ...]] = get_args(Part)

Blame = Literal["model", "harness", "interaction", "undecided", "nothing"]
BLAMES: Final[tuple[Blame, ...]] = get_args(Blame)
"""Which part of the differences between configurations is surely the largest; `undecided` where no part's share
exceeds both others with its whole interval; `nothing` where all configurations score the same."""

SelectionRule = Literal["win_score", "win_clean", "fit_score", "fit_joint"]
SELECTION_RULES: Final[tuple[SelectionRule, ...]] = get_args(SelectionRule)
"""How a harness is chosen on the models kept: by win rate on S, on V, by fit on S, on J."""

Stage = Literal["no_record", "termination", "handoff", "undecided"]
STAGES: Final[tuple[Stage, ...]] = get_args(Stage)
"""The stage of execution at which an attempt ceased to be clean, where neither record nor map names a finer one:
no record at all, no normal termination, a normal termination without a valid handoff, or conditions not decided."""
