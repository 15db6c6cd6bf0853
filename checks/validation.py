"""Running a suite on a frame: its shape first, then its rows, with as few questions to the engine as can be.

Belongs here: asking the engine, and what its answers mean for a clause. What the results add up to is
`checks.clause_results`; a gate's verdict on top of it, waivers included, is `checks.gates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from checks.clause_results import TEXT_LIMIT, ClauseResult, ClauseStatus, Validation
from checks.clauses import RULE_PREFIX, Clause, Suite
from checks.engine import EXAMPLES, Answer, judge
from checks.plain_json import json_value, short

PLAIN: Final = frozenset({"not_null", "rule", "in_set", "between"})
"""Kinds of clause that are a yes or no for each row."""
ALL_HOLD: Final = "all that is plain"
"""Name of the question whether every plain clause holds."""


def validate(frame: pl.DataFrame, suite: Suite) -> Validation:
    """Runs a suite on a frame.

    The shape (rows, columns, types) is judged first; where it is wrong the other clauses are `not_run`. An empty table
    fails its row floor; one that the contract lets be empty is judged on its shape alone.

    Raises:
        EngineError: if the engine fails its own proof.
    """
    structural = [clause for clause in suite.clauses if clause.is_structural]
    others = [clause for clause in suite.clauses if not clause.is_structural]
    results = _shape_results(frame, suite, structural)
    if any(result.status != "pass" for result in results):
        results += [_silent(clause, "not_run", frame.height) for clause in others]
    elif not frame.height:
        results += [_silent(clause, "nothing", 0) for clause in others]
    else:
        results += _row_results(frame, suite, others)
    return Validation(suite.contract.name, frame.height, tuple(results))


def _silent(clause: Clause, status: ClauseStatus, rows: int, message: str = "") -> ClauseResult:
    return ClauseResult(
        clause.name, clause.kind, clause.sentence, clause.columns, status, rows=rows, message=short(message, TEXT_LIMIT)
    )


def _shape_results(frame: pl.DataFrame, suite: Suite, clauses: Sequence[Clause]) -> list[ClauseResult]:
    """Row floor and columns by the engine; types from the frame itself, since pandas blurs types and nulls."""
    asked = [clause for clause in clauses if clause.kind != "types"]
    answers = dict(zip((clause.name for clause in asked), judge(frame, asked), strict=True)) if asked else {}
    return [
        _shape_result(frame, clause, _types_answer(frame, suite) if clause.kind == "types" else answers[clause.name])
        for clause in clauses
    ]


def _types_answer(frame: pl.DataFrame, suite: Suite) -> Answer:
    wanted = suite.contract.polars_schema()
    wrong = {
        name: f"{frame.schema[name]} instead of {kind}"
        for name, kind in wanted.items()
        if name in frame.columns and frame.schema[name] != kind
    }
    return Answer(not wrong, observed="; ".join(f"{name} is {what}" for name, what in wrong.items()))


def _shape_result(frame: pl.DataFrame, clause: Clause, answer: Answer) -> ClauseResult:
    if answer.success is None:
        return _silent(clause, "errored", frame.height, answer.message)
    found = answer.observed
    if clause.kind == "columns" and not answer.success:
        missing = [name for name in clause.columns if name not in frame.columns]
        unknown = [name for name in frame.columns if name not in clause.columns]
        found = f"missing {missing}, unknown {unknown}" if missing or unknown else "the order differs"
    elif clause.kind == "row_count":
        found = f"{frame.height} rows"
    return ClauseResult(
        clause.name,
        clause.kind,
        clause.sentence,
        (),
        "pass" if answer.success else "fail",
        rows=frame.height,
        evaluated=1,
        failed=0 if answer.success else 1,
        message="" if answer.success else short(found, TEXT_LIMIT),
    )


def _row_results(frame: pl.DataFrame, suite: Suite, clauses: Sequence[Clause]) -> list[ClauseResult]:
    judged, crashed = frame, dict[str, str]()
    for clause in clauses:
        if clause.holds is None:
            continue
        column = clause.holds.cast(pl.Boolean).alias(RULE_PREFIX + clause.name)
        try:
            judged = judged.with_columns(column)
        except pl.exceptions.PolarsError as error:
            crashed[clause.name] = f"{type(error).__name__}: {error}"
    sound = [clause for clause in clauses if clause.name not in crashed]
    answers = _answers(judged, sound)
    return [
        _silent(clause, "errored", frame.height, crashed[clause.name])
        if clause.name in crashed
        else _row_result(frame, suite, clause, answers[clause.name])
        for clause in clauses
    ]


def _answers(frame: pl.DataFrame, clauses: Sequence[Clause]) -> dict[str, Answer]:
    """The engine's answer to each clause, by name.

    What is a plain yes or no for a row (a value is there, is one of the words, lies within its bounds, keeps a rule) is
    asked of all such clauses at once, since the engine takes its time for every question; only where that fails is
    each asked by itself.
    """
    plain = [clause for clause in clauses if clause.kind in PLAIN]
    others = [clause for clause in clauses if clause.kind not in PLAIN]
    if len(plain) < 2:
        return dict(zip((clause.name for clause in clauses), judge(frame, clauses), strict=True))
    holds = pl.all_horizontal(_holds(frame, clause) for clause in plain)
    together = Clause(ALL_HOLD, "rule", "each required value is stated, each value is lawful, and each rule holds")
    asked = frame.with_columns(holds.alias(RULE_PREFIX + ALL_HOLD))
    first, *rest = judge(asked, [together, *others])
    found = dict(zip((clause.name for clause in others), rest, strict=True))
    if not first.success or first.missing:
        return found | dict(zip((clause.name for clause in plain), judge(frame, plain), strict=True))
    silent = frame.select(_is_silent(frame, clause).sum().alias(clause.name) for clause in plain).row(0, named=True)
    return found | {clause.name: Answer(True, rows=first.rows, missing=silent[clause.name]) for clause in plain}


def _holds(frame: pl.DataFrame, clause: Clause) -> pl.Expr:
    """Whether a row keeps a clause: the value is there, or is lawful, or the rule holds; or the clause is silent."""
    if clause.kind == "not_null":
        return _is_stated(frame, clause.columns[0])
    if clause.kind == "rule":
        return pl.col(RULE_PREFIX + clause.name).fill_null(value=True)
    value = pl.col(clause.columns[0])
    if clause.kind == "in_set":
        lawful = value.is_in(clause.words)
    else:
        lawful = pl.lit(value=True) if clause.low is None else value >= clause.low
        lawful = lawful if clause.high is None else lawful & (value <= clause.high)
    return _is_silent(frame, clause) | lawful.fill_null(value=True)


def _is_silent(frame: pl.DataFrame, clause: Clause) -> pl.Expr:
    """Whether a clause does not speak of a row: there is no value, or the rule does not apply."""
    if clause.kind == "not_null":
        return pl.lit(value=False)
    if clause.kind == "rule":
        return pl.col(RULE_PREFIX + clause.name).is_null()
    return ~_is_stated(frame, clause.columns[0])


def _is_stated(frame: pl.DataFrame, column: str) -> pl.Expr:
    """Whether a value is there as the engine sees it: NaN is none."""
    there = pl.col(column).is_not_null()
    return there & pl.col(column).is_not_nan() if frame.schema[column].is_float() else there


def _row_result(frame: pl.DataFrame, suite: Suite, clause: Clause, answer: Answer) -> ClauseResult:
    if answer.success is None:
        return _silent(clause, "errored", frame.height, answer.message)
    evaluated = answer.rows - answer.missing
    if not answer.success:
        status: ClauseStatus = "fail"
    elif evaluated == 0:
        status = "nothing" if clause.may_be_vacuous else "fail"
    else:
        status = "pass"
    shown = tuple(dict.fromkeys((*suite.contract.key, *clause.columns)))
    examples = tuple(
        {"row": position, **{name: json_value(value) for name, value in row.items()}}
        for position in answer.at[:EXAMPLES]
        for row in (frame.select(shown).row(position, named=True),)
    )
    return ClauseResult(
        clause.name,
        clause.kind,
        clause.sentence,
        clause.columns,
        status,
        rows=answer.rows,
        evaluated=evaluated,
        failed=answer.unexpected,
        examples=examples,
        message="" if status == "pass" else answer.observed,
    )
