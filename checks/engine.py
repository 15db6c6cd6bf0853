"""Great Expectations as the engine that runs clauses on a frame: the only place that knows it (C09, C10, STACK).

Belongs here: the shared context, clause → expectation, and reading the answer back. It is fed pandas frames of
default numpy types; it is imported once, when first needed, since the import costs two seconds; it draws no progress
bars, writes nothing, and talks to nobody. Before its first real work it must prove itself on a frame whose faults are
known, so that a changed engine cannot quietly pass everything. What the answers add up to is `checks.validation`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

import polars as pl

from checks.clauses import RULE_PREFIX, Clause
from checks.later_imports import import_later

EXAMPLES: Final = 20
"""How many rows at fault a validation result names per clause."""
NEVER_TOUCHED: Final = ("scipy.stats", "altair")
"""What the engine imports for expectations about distributions, which no clause asks for: 40% of its own import."""
_ROWS: Final = {"result_format": "SUMMARY", "partial_unexpected_count": EXAMPLES}


class EngineError(RuntimeError):
    """The engine does not behave as it is relied on to."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine says about one clause.

    Attributes:
        success: whether the clause held; None where it could not be judged.
        message: why it could not be judged; empty otherwise.
        rows: rows seen. missing: of these, null. unexpected: of the others, at fault.
        at: positions of the first rows at fault.
        observed: for a clause about the whole table, what was found.
    """

    success: bool | None
    message: str = ""
    rows: int = 0
    missing: int = 0
    unexpected: int = 0
    at: tuple[int, ...] = ()
    observed: str = ""


def judge(frame: pl.DataFrame, clauses: Sequence[Clause]) -> list[Answer]:
    """The engine's answer to each clause, in the same order.

    A rule is read from the boolean column `rule: <name>` of the frame. A clause whose evaluation raises is answered
    with success None and the message; the others are judged all the same.

    Raises:
        EngineError: if the engine fails its own proof.
    """
    _prove()
    return _run(frame, clauses)


def engine_version() -> str:
    """Name and version of the engine, for the record."""
    great_expectations = _engine()
    return f"great_expectations {great_expectations.__version__}"


def _run(frame: pl.DataFrame, clauses: Sequence[Clause]) -> list[Answer]:
    gx = _engine()
    expectations = [_expectation(clause, index) for index, clause in enumerate(clauses)]
    suite = gx.ExpectationSuite(name="clauses", expectations=expectations)
    batch = _batches().get_batch(batch_parameters={"dataframe": _looked_at(frame, clauses).to_pandas()})
    answers = [Answer(None, "the engine gave no answer")] * len(clauses)
    with _configurations_written_once():
        for result in batch.validate(suite, result_format=_ROWS).results:
            plain = result.to_json_dict()
            answers[plain["expectation_config"]["meta"]["clause"]] = _answer(plain, frame.height)
    return answers


def _engine() -> Any:
    """The engine's package, imported when first needed and without what no clause touches."""
    import_later(*NEVER_TOUCHED)
    return import_module("great_expectations")


@contextmanager
def _configurations_written_once() -> Iterator[None]:
    """For the length of the block an expectation writes out its configuration once and not a hundred times over.

    The engine asks for it anew at every key it looks up, which is half of its work on a frame. Expectations are not
    changed while they are validated. Where another version keeps it otherwise, its own way stays.
    """
    expectation = import_module("great_expectations.expectations.expectation").Expectation
    ordinary = vars(expectation).get("configuration")
    if not isinstance(ordinary, property):
        yield
        return
    written: dict[int, tuple[Any, Any]] = {}

    def configuration(self: Any) -> Any:
        # The expectation is kept beside it, so that no other can get its number meanwhile.
        if id(self) not in written:
            written[id(self)] = (self, ordinary.__get__(self))
        return written[id(self)][1]

    expectation.configuration = property(configuration)
    try:
        yield
    finally:
        expectation.configuration = ordinary


def _looked_at(frame: pl.DataFrame, clauses: Sequence[Clause]) -> pl.DataFrame:
    """The columns that the clauses look at, all of them where one is about the table: the engine's form takes room."""
    if any(clause.kind in {"row_count", "columns"} for clause in clauses):
        return frame
    wanted = {RULE_PREFIX + clause.name for clause in clauses if clause.kind == "rule"}
    wanted.update(name for clause in clauses if clause.kind != "rule" for name in clause.columns)
    return frame.select(name for name in frame.columns if name in wanted)


def _expectation(clause: Clause, index: int) -> Any:
    gxe: Any = import_module("great_expectations.expectations")
    meta = {"clause": index}
    if clause.kind == "row_count":
        return gxe.ExpectTableRowCountToBeBetween(min_value=int(clause.low or 0), meta=meta)
    if clause.kind == "columns":
        return gxe.ExpectTableColumnsToMatchOrderedList(column_list=list(clause.columns), meta=meta)
    if clause.kind == "unique":
        return (
            gxe.ExpectCompoundColumnsToBeUnique(column_list=list(clause.columns), ignore_row_if="never", meta=meta)
            if len(clause.columns) > 1
            else gxe.ExpectColumnValuesToBeUnique(column=clause.columns[0], meta=meta)
        )
    if clause.kind == "rule":
        return gxe.ExpectColumnValuesToBeInSet(column=RULE_PREFIX + clause.name, value_set=[True], meta=meta)
    column = clause.columns[0]
    if clause.kind == "not_null":
        return gxe.ExpectColumnValuesToNotBeNull(column=column, meta=meta)
    if clause.kind == "some_value":
        return gxe.ExpectColumnProportionOfNonNullValuesToBeBetween(
            column=column, min_value=0, strict_min=True, meta=meta
        )
    if clause.kind == "in_set":
        return gxe.ExpectColumnValuesToBeInSet(column=column, value_set=list(clause.words), meta=meta)
    if clause.kind == "between":
        return gxe.ExpectColumnValuesToBeBetween(column=column, min_value=clause.low, max_value=clause.high, meta=meta)
    raise EngineError(f"the engine has no expectation for {clause.kind}")


def _answer(plain: dict[str, Any], rows: int) -> Answer:
    message = _exception(plain.get("exception_info") or {})
    if message:
        return Answer(None, message)
    result = plain.get("result") or {}
    at = tuple(int(index) for index in result.get("partial_unexpected_index_list") or ())
    return Answer(
        success=bool(plain["success"]),
        rows=int(result.get("element_count", rows)),
        missing=int(result.get("missing_count", 0) or 0),
        unexpected=int(result.get("unexpected_count", 0) or 0),
        at=at[:EXAMPLES],
        observed=str(result.get("observed_value", "")),
    )


def _exception(info: dict[str, Any]) -> str:
    """The message of an evaluation that raised: the engine nests it by metric, or gives it flat."""
    entries = [info] if "raised_exception" in info else [entry for entry in info.values() if isinstance(entry, dict)]
    raised = [entry for entry in entries if entry.get("raised_exception")]
    return str(raised[0].get("exception_message") or "the evaluation raised") if raised else ""


@lru_cache(maxsize=1)
def _batches() -> Any:
    gx = _engine()
    from great_expectations.data_context.types.base import (
        DataContextConfig,
        InMemoryStoreBackendDefaults,
        ProgressBarsConfig,
    )

    for name in ("great_expectations", "great_expectations.validator"):
        logging.getLogger(name).setLevel(logging.ERROR)
    config = DataContextConfig(
        store_backend_defaults=InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
        analytics_enabled=False,
        progress_bars=ProgressBarsConfig(globally=False, metric_calculations=False),
    )
    context = gx.get_context(mode="ephemeral", project_config=config)
    asset = context.data_sources.add_pandas("frames").add_dataframe_asset("frame")
    return asset.add_batch_definition_whole_dataframe("whole")


@lru_cache(maxsize=1)
def _prove() -> None:
    frame = pl.DataFrame({"word": ["a", "b", None], "number": [1.0, 2.0, None]})
    clauses = [
        Clause("holds", "not_null", "", columns=("word",)),
        Clause("stranger", "in_set", "", columns=("word",), words=("a",)),
        Clause("bounds", "between", "", columns=("number",), low=1, high=2),
        Clause("absent", "not_null", "", columns=("no such column",)),
        Clause("columns", "columns", "", columns=("word", "number")),
        Clause("floor", "row_count", "", low=4),
    ]
    found = [(answer.success, answer.missing, answer.unexpected) for answer in _run(frame, clauses)]
    wanted = [(False, 0, 1), (False, 1, 1), (True, 1, 0), (None, 0, 0), (True, 0, 0), (False, 0, 0)]
    if found != wanted:
        raise EngineError(f"{engine_version()} does not judge a known frame rightly: {found} instead of {wanted}")
