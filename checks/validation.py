"""Running a suite on a frame: pass, fail, errored and evaluated nothing are four different things (C03, C04, C06).

Belongs here: what the engine's answers add up to, and the strict, short JSON record of them. A gate's verdict on top
of it, waivers included, is `checks.gates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import polars as pl

from checks.clauses import RULE_PREFIX, Clause, Suite
from checks.engine import EXAMPLES, Answer, engine_version, judge
from checks.plain_json import json_value, short
from warehouse.canonical import Json

ClauseStatus = Literal["pass", "fail", "errored", "nothing", "not_run"]
SuiteVerdict = Literal["pass", "fail", "error"]
PLAIN: Final = frozenset({"not_null", "rule", "in_set", "between"})
"""Kinds of clause that are a yes or no for each row."""
ALL_HOLD: Final = "all that is plain"
"""Name of the question whether every plain clause holds."""
TEXT_LIMIT: Final = 300


@dataclass(frozen=True, slots=True)
class ClauseResult:
    """What one clause found.

    Attributes:
        name, kind, sentence, columns: of the clause.
        status: `nothing` where no row was looked at; `not_run` where the table's shape was already wrong.
        rows: rows of the table. evaluated: rows looked at (not null, or the rule speaks of them).
        failed: of these, at fault.
        examples: the first rows at fault: position, key and the clause's columns.
        message: why it errored, or what was found instead.
    """

    name: str
    kind: str
    sentence: str
    columns: tuple[str, ...]
    status: ClauseStatus
    rows: int = 0
    evaluated: int = 0
    failed: int = 0
    examples: tuple[dict[str, Json], ...] = ()
    message: str = ""

    def to_json(self) -> dict[str, Json]:
        """The result as strict JSON values, with both denominators written out (C06)."""
        return {
            "clause": self.name,
            "kind": self.kind,
            "sentence": short(self.sentence, TEXT_LIMIT),
            "columns": list(self.columns),
            "status": self.status,
            "of_evaluated": f"{self.failed}/{self.evaluated}",
            "of_rows": f"{self.failed}/{self.rows}",
            "examples": list(self.examples),
            "message": short(self.message, TEXT_LIMIT),
        }


@dataclass(frozen=True, slots=True)
class Validation:
    """What a whole suite found on one table."""

    table: str
    rows: int
    results: tuple[ClauseResult, ...]

    def of_status(self, *statuses: ClauseStatus) -> tuple[ClauseResult, ...]:
        """The results that have one of these statuses."""
        return tuple(result for result in self.results if result.status in statuses)

    @property
    def evaluated(self) -> int:
        """Clauses that were judged on something."""
        return len(self.of_status("pass", "fail"))

    @property
    def failed(self) -> int:
        """Clauses that failed or could not be judged."""
        return len(self.of_status("fail", "errored"))

    @property
    def verdict(self) -> SuiteVerdict:
        """error if any clause crashed; fail if any failed or nothing at all was judged; else pass."""
        if self.of_status("errored"):
            return "error"
        if self.of_status("fail", "not_run") or not self.evaluated:
            return "fail"
        return "pass"

    def to_json(self) -> dict[str, Json]:
        """The validation result as strict JSON values: what is kept beside the verdict."""
        statuses: tuple[ClauseStatus, ...] = ("pass", "fail", "errored", "nothing", "not_run")
        return {
            "table": self.table,
            "engine": engine_version(),
            "verdict": self.verdict,
            "rows": self.rows,
            "clauses": {status: len(self.of_status(status)) for status in statuses},
            "results": [result.to_json() for result in self.results],
        }

    def detail(self) -> str:
        """The outcome in words: how many clauses, and the first that failed."""
        bad = self.of_status("errored", "fail")
        if not bad:
            silent = len(self.of_status("nothing"))
            aside = f"; {silent} had nothing to judge" if silent else ""
            return f"{self.evaluated} clauses hold on {self.rows} rows{aside}"
        told = "; ".join(_told(result) for result in bad[:3])
        more = f"; and {len(bad) - 3} more" if len(bad) > 3 else ""
        skipped = len(self.of_status("not_run"))
        unread = f"; {skipped} clauses not judged on a table of the wrong shape" if skipped else ""
        return f"{len(bad)} of {len(self.results)} clauses fail on {self.rows} rows: {told}{more}{unread}"


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


def _told(result: ClauseResult) -> str:
    if result.status == "errored":
        return f"{result.name} could not be judged ({short(result.message, 120)})"
    if result.examples:
        values = ", ".join(f"{name} {short(str(value), 40)}" for name, value in result.examples[0].items())
        return f"{result.sentence}: {result.failed}/{result.evaluated} rows do not, first {values}"
    return f"not so that {result.sentence} ({short(result.message, 120)})" if result.message else result.sentence
