"""Our judgment of logs and samples against the publisher's own JSON schema: the same, both ways.

Documents are generated sound and then changed in one or several places: a field taken out, a value of another type or
from beyond its bounds put in, a field that nobody knows added. Where the publisher's schema is not at hand, only the
sound ones are judged.
"""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from every_eval_ever_logs import JSON, LOG, LOGS_IN_FULL, RECORD, SAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st
from inbound import source_of

from resources.connectors import SnapshotFile, parse
from resources.connectors.every_eval_ever.faults import log_fault, result_fault, sample_fault
from resources.connectors.every_eval_ever.writing import write_logs
from warehouse.records import NativeResult

AT = datetime(2026, 10, 20, tzinfo=UTC)
SCHEMAS = "every-eval-ever/every_eval_ever/schemas"
ODD = st.one_of(
    JSON, st.sampled_from([-1, 0, 0.5, 1.0, 2, True, "", [], [1], [""], {}, {"a": 1}, {"a": "b"}, "levels",
                           "continuous", "url", "hf_dataset", "other", "agentic", "Infinity", "NaN", 10**400])
)  # fmt: skip
"""What is put in place of a value."""


def faults(log: Any) -> list[str]:
    """What we find wrong with a log and its results."""
    if (fault := log_fault(log)) is not None:
        return [fault]
    return [fault for result in log["evaluation_results"] if (fault := result_fault(result)) is not None]


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value of a document but itself."""
    if isinstance(data, dict):
        inner = list(data.items())
    elif isinstance(data, list):
        inner = list(enumerate(data))
    else:
        return []
    return [path_ for key, value in inner for path_ in ((*path, key), *places(value, (*path, key)))]


def inside(data: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        data = data[part]
    return data


@st.composite
def changed(draw: st.DrawFn, sound: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """A document with up to three changes."""
    data = copy.deepcopy(draw(sound))
    for _ in range(draw(st.integers(0, 3))):
        path = draw(st.sampled_from(places(data)))
        around, kind = inside(data, path[:-1]), draw(st.sampled_from(["put", "put", "out", "add", "null"]))
        if kind == "out" and isinstance(around, dict):
            del around[path[-1]]
        elif kind == "add" and isinstance(around, dict):
            around[draw(st.sampled_from(["note", "metrics", "url", "score_type", "messages"]))] = copy.deepcopy(
                draw(ODD)
            )
        else:
            around[path[-1]] = None if kind == "null" else copy.deepcopy(draw(ODD))
        if not data:
            break
    return data


@pytest.mark.parametrize("strategy", [LOG, LOGS_IN_FULL])
def test_sound_logs_are_sound(strategy: st.SearchStrategy[dict[str, Any]]) -> None:
    @given(strategy)
    @settings(max_examples=40, deadline=None)
    def holds(log: dict[str, Any]) -> None:
        assert faults(log) == []

    holds()


@given(SAMPLES)
@settings(max_examples=40, deadline=None)
def test_sound_samples_are_sound(sample: dict[str, Any]) -> None:
    assert sample_fault(sample) is None


def judge_of(upstream_dir: Path, name: str) -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(json.loads((upstream_dir / SCHEMAS / name).read_bytes()))


def test_a_log_is_refused_exactly_where_the_publishers_schema_refuses_it(upstream_dir: Path) -> None:
    judge = judge_of(upstream_dir, "eval.schema.json")
    told: list[bool] = []

    @given(changed(st.one_of(LOGS_IN_FULL, LOG)))
    @settings(max_examples=120, deadline=None)
    def holds(log: dict[str, Any]) -> None:
        theirs = [error.json_path for error in judge.iter_errors(log)]
        assert bool(faults(log)) == bool(theirs), (faults(log), theirs, log)
        told.append(bool(theirs))

    holds()
    assert 0.2 < sum(told) / len(told) < 0.9, "most documents on one side: the test would say little"


def test_a_sample_is_refused_exactly_where_the_publishers_schema_refuses_it(upstream_dir: Path) -> None:
    judge = judge_of(upstream_dir, "instance_level_eval.schema.json")
    told: list[bool] = []

    @given(changed(SAMPLES))
    @settings(max_examples=120, deadline=None)
    def holds(sample: dict[str, Any]) -> None:
        theirs = [error.json_path for error in judge.iter_errors(sample)]
        assert (sample_fault(sample) is not None) == bool(theirs), (sample_fault(sample), theirs, sample)
        told.append(bool(theirs))

    holds()
    assert 0.2 < sum(told) / len(told) < 0.9, "most documents on one side: the test would say little"


CARRIED = RECORD.flatmap(
    lambda record: st.one_of(JSON, LOG.map(lambda log: {"log": log}), changed(LOG).map(lambda log: {"log": log}),
                             st.dictionaries(st.sampled_from(["log", "result", "metric_from", "unit_from"]), JSON)).map(
        lambda kept: record | {"protocol": {"extra": {"every_eval_ever": kept}}}
    )
)  # fmt: skip
"""A result that somebody filed with anything at all where we carry along what is theirs."""


def meaning(record: dict[str, Any]) -> dict[str, Any]:
    return NativeResult.model_validate(record).model_dump(exclude_none=True)


@given(st.lists(st.one_of(RECORD, CARRIED), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_whatever_is_carried_along_what_is_written_is_sound(records: list[dict[str, Any]]) -> None:
    logs = [one.log for one in write_logs("b", "Board", AT, records)]
    assert [fault for log in logs for fault in faults(log)] == []


def test_the_publishers_schema_accepts_whatever_is_written(upstream_dir: Path) -> None:
    judge = judge_of(upstream_dir, "eval.schema.json")

    @given(st.lists(st.one_of(RECORD, CARRIED), min_size=1, max_size=3))
    @settings(max_examples=40, deadline=None)
    def holds(records: list[dict[str, Any]]) -> None:
        for one in write_logs("b", "Board", AT, records):
            judge.validate(json.loads(json.dumps(one.log)))

    holds()


@given(CARRIED)
@settings(max_examples=60, deadline=None)
def test_what_is_carried_along_comes_back(record: dict[str, Any]) -> None:
    """Also where it is no log of theirs after all, so that it could not stand in the fields of one."""
    files = [SnapshotFile(one.path, json.dumps(one.log).encode()) for one in write_logs("b", "Board", AT, [record])]
    [row] = parse(source_of("b", connector="every-eval-ever"), files).rows
    assert row.record is not None, row.problem
    assert meaning(dict(row.record)) == meaning(record)
