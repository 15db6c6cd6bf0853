"""every-eval-ever 0.3: what goes where, the way there and back, and the publisher's own schema as judge."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from every_eval_ever_logs import LOG, RECORD
from hypothesis import given, settings
from hypothesis import strategies as st
from inbound import source_of

from methods.catalog.received import receive
from resources.connectors import ConnectorError, SnapshotFile, option_problems, parse
from resources.connectors.every_eval_ever.samples import read_samples, write_samples
from resources.connectors.every_eval_ever.writing import write_logs
from warehouse.records import NativeResult

AT = datetime(2026, 10, 20, tzinfo=UTC)
SCHEMAS = "every-eval-ever/every_eval_ever/schemas"
RESULT = {
    "evaluation_name": "algebra",
    "source_data": {"source_type": "url", "dataset_name": "MATH", "url": ["https://example.org/math"]},
    "metric_config": {"metric_id": "accuracy", "metric_unit": "proportion", "lower_is_better": False, "max_score": 1},
    "score_details": {"score": 0.5, "uncertainty": {"standard_error": {"value": 0.01}, "num_samples": 40}},
    "evaluation_timestamp": "2026-10-01",
}
LOG_ONE: dict[str, Any] = {
    "schema_version": "0.3.0", "evaluation_id": "MATH/m/1", "retrieved_timestamp": "1760918400",
    "source_metadata": {
        "source_type": "evaluation_run", "source_organization_name": "Org", "evaluator_relationship": "first_party"
    },
    "model_info": {
        "name": "M 1", "id": "maker/m-1", "developer": "Maker",
        "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
    },
    "eval_library": {"name": "harness-x", "version": "1.2"},
    "evaluation_results": [RESULT],
}  # fmt: skip


def tree(*logs: dict[str, Any]) -> list[SnapshotFile]:
    return [SnapshotFile(f"data/{n:05}.json", json.dumps(log).encode()) for n, log in enumerate(logs)]


def read(*logs: dict[str, Any], **options: Any) -> list[dict[str, Any]]:
    source = source_of("b", connector="every-eval-ever", options=options)
    return [dict(row.record or {"problem": row.problem}) for row in parse(source, tree(*logs)).rows]


def written(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one.log for one in write_logs("b", "Board", AT, records)]


def meaning(record: dict[str, Any]) -> dict[str, Any]:
    """A record without what means the same as its absence."""
    stated = NativeResult.model_validate(record).model_dump(exclude_none=True)
    protocol = {key: value for key, value in stated.pop("protocol", {}).items() if value != {}}
    return stated | ({"protocol": protocol} if protocol else {})


def canonical(values: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(value, sort_keys=True, default=str) for value in values)


def test_each_field_in_its_place() -> None:
    [record] = read(LOG_ONE)
    kept = record["protocol"]["extra"]["every_eval_ever"]
    assert {key: value for key, value in record.items() if key != "protocol"} == {
        "benchmark": "MATH", "subset": "algebra", "metric": "accuracy", "unit": "score_fraction", "value": 0.5,
        "stderr": 0.01, "n_samples": 40, "model": "M 1", "model_id": "maker/m-1", "developer": "Maker",
        "source_type": "self_reported", "source_url": "https://example.org/math", "updated_at": "2026-10-01",
    }  # fmt: skip
    assert record["protocol"]["harness"] == "harness-x"
    assert kept["log"]["eval_library"] == {"version": "1.2"}
    assert kept["result"]["metric_config"] == {"lower_is_better": False, "max_score": 1}


def test_bounds_are_claims_and_no_unit_follows_from_them() -> None:
    """A44: a dollar balance of 4967 with a claimed maximum of 1 stays 4967, unscored; the claim is kept."""
    result = {**RESULT, "metric_config": {"lower_is_better": False, "min_score": 0, "max_score": 1},
              "score_details": {"score": 4967}}  # fmt: skip
    [record] = read({**LOG_ONE, "evaluation_results": [result]})
    assert (record["value"], record["unit"], record["metric"]) == (4967, "unstated", "score")
    assert record["protocol"]["extra"]["every_eval_ever"]["result"]["metric_config"]["max_score"] == 1
    log = {**LOG_ONE, "evaluation_results": [result]}
    in_dollars = read(log, unit="usd")
    assert in_dollars[0]["unit"] == "usd" and written(in_dollars) == [log]


@pytest.mark.parametrize(
    ("stated", "ours"), [("percent", "score"), ("proportion", "score_fraction"), ("elo", "rating"), ("ms", "ms"),
                         ("score", "score (as stated)")],
)  # fmt: skip
def test_units(stated: str, ours: str) -> None:
    config = {"metric_id": "x", "lower_is_better": True, "metric_unit": stated}
    log = {**LOG_ONE, "evaluation_results": [{**RESULT, "metric_config": config}]}
    records = read(log, units={"elo": "rating"})
    assert records[0]["unit"] == ours
    assert written(records) == [log]


def test_one_broken_log_or_result_hides_no_other() -> None:
    broken = {**LOG_ONE, "evaluation_results": [RESULT, {"evaluation_name": "x"}, "text"]}
    source = source_of("b", connector="every-eval-ever")
    files = [*tree(broken, {"schema_version": "9", "evaluation_results": []}), SnapshotFile("z.json", b"{"),
             SnapshotFile("data/s_samples.jsonl", b"{}")]  # fmt: skip
    found = parse(source, files)
    assert [row.problem is None for row in found.rows] == [True, False, False, False, False]
    assert "source_data" in (found.rows[1].problem or "") and "schema_version '9'" in (found.rows[3].problem or "")
    assert found.synced_at == datetime.fromtimestamp(1760918400, UTC)
    assert receive("b", "0" * 64, found.rows)["entry_id"].drop_nulls().len() == 1
    with pytest.raises(ConnectorError, match="schema_version"):
        parse(source, tree({"schema_version": "9", "evaluation_results": []}))


def test_options_are_checked() -> None:
    [(path, _)] = option_problems(source_of("b", connector="every-eval-ever", options={"unti": "x"}))
    assert path == ("options", "unti")


def test_a_result_without_a_number_is_carried_along_and_never_zero() -> None:
    record = {"benchmark": "B", "metric": "m", "unit": "score", "value": None, "model": "M", "notes": "timeout"}
    [log] = written([record])
    assert log["evaluation_results"] == []
    assert canonical([meaning(read(log)[0])]) == canonical([meaning({**record})])


def test_the_direction_is_the_catalogs_or_said_to_be_unknown() -> None:
    rows = [{"benchmark": "B", "metric": metric, "unit": "score", "value": 1, "model": "M"} for metric in ("wer", "?")]
    [log] = [one.log for one in write_logs("b", "Board", AT, rows, {("B", "wer"): "lower"})]
    known, unknown = (result["metric_config"] for result in log["evaluation_results"])
    assert known == {"metric_id": "wer", "metric_unit": "percent", "lower_is_better": True}
    assert unknown["additional_details"] == {"scoretrail.direction": "unknown"}
    assert canonical([meaning(row) for row in read(log)]) == canonical([meaning(row) for row in rows])


@given(st.lists(RECORD, min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_our_results_come_back_unchanged(records: list[dict[str, Any]]) -> None:
    logs = written(records)
    assert canonical([meaning(record) for record in read(*logs)]) == canonical([meaning(record) for record in records])


@given(st.lists(LOG, min_size=1, max_size=3, unique_by=lambda log: log["evaluation_id"]))
@settings(max_examples=150, deadline=None)
def test_their_logs_come_back_unchanged(logs: list[dict[str, Any]]) -> None:
    assert canonical(written(read(*logs))) == canonical(logs)


@pytest.fixture(scope="module")
def judge(upstream_dir: Path) -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(json.loads((upstream_dir / SCHEMAS / "eval.schema.json").read_bytes()))


def test_the_publishers_schema_accepts_what_is_written(judge: jsonschema.Draft7Validator) -> None:
    @given(st.lists(RECORD, min_size=1, max_size=3))
    @settings(max_examples=60, deadline=None)
    def holds(records: list[dict[str, Any]]) -> None:
        for log in written(records):
            judge.validate(log)

    holds()
    judge.validate(LOG_ONE)


def test_the_strategy_writes_logs_that_the_publishers_schema_accepts(judge: jsonschema.Draft7Validator) -> None:
    @given(LOG)
    @settings(max_examples=60, deadline=None)
    def holds(log: dict[str, Any]) -> None:
        judge.validate(log)

    holds()


SAMPLE = {
    "schema_version": "0.3.0", "evaluation_id": "e", "model_id": "m", "evaluation_name": "n", "sample_id": "s1",
    "interaction_type": "single_turn", "input": {"raw": "2+2?", "reference": ["4"]}, "output": {"raw": ["4"]},
    "answer_attribution": [], "evaluation": {"score": 1, "is_correct": True}, "token_usage": {
        "input_tokens": 3, "output_tokens": 1, "total_tokens": 4}, "performance": {"latency_ms": 12.5}, "error": None,
}  # fmt: skip


def test_samples_come_back_line_by_line() -> None:
    data = b"\n".join(
        json.dumps(SAMPLE | {"sample_id": str(n), "metadata": {"a": "\u00e9"}}).encode() for n in range(3)
    )
    table = read_samples([SnapshotFile("data/x_samples.jsonl", data + b"\n\n")])
    assert table.select("score", "is_correct", "total_tokens", "latency_ms", "error").row(0) == (
        1.0,
        True,
        4,
        12.5,
        None,
    )
    [(name, written_lines)] = write_samples(table)
    assert name == "data/x_samples.jsonl"
    assert [json.loads(line) for line in written_lines.splitlines()] == [json.loads(line) for line in data.splitlines()]


@pytest.mark.parametrize(
    ("line", "said"), [(b"{", "line 2"), (b'{"schema_version": "0.3.0"}', "evaluation_id: must be given"),
                       (b"[]", "no sample"), (json.dumps(SAMPLE | {"sample_id": 5}).encode(), "sample_id")],
)  # fmt: skip
def test_a_line_that_is_no_sample_is_named(line: bytes, said: str) -> None:
    with pytest.raises(ConnectorError, match=said):
        read_samples([SnapshotFile("x.jsonl", json.dumps(SAMPLE).encode() + b"\n" + line)])


def test_the_publishers_schema_accepts_the_sample(upstream_dir: Path) -> None:
    schema = json.loads((upstream_dir / SCHEMAS / "instance_level_eval.schema.json").read_bytes())
    jsonschema.Draft7Validator(schema).validate(SAMPLE)
