"""From logs to results of the native format, one row a result; a log or a result that is broken hides no other."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from resources.connectors.errors import ConnectorError
from resources.connectors.every_eval_ever.faults import log_fault, result_fault
from resources.connectors.every_eval_ever.options import EveryEvalEverOptions
from resources.connectors.every_eval_ever.places import (
    FIRST_PARTY,
    LOG_PLACES,
    MARK,
    MARK_VALUE,
    OUR_UNITS,
    OURS,
    RESULT_PLACES,
    SCHEMA_VERSION,
    THEIRS,
    UNITS,
    UNKNOWN,
    UNSTATED_UNIT,
    WITHOUT_VALUE,
    Json,
    copied,
    taken,
)
from resources.connectors.every_eval_ever.written import without_defaults
from resources.connectors.files import SnapshotFile
from resources.connectors.native import token
from resources.json_documents import as_floats, load_json
from resources.text_documents import DocumentError
from warehouse.catalog_model import SourceSpec
from warehouse.received import ReceivedRow, ReceivedSnapshot
from warehouse.records import moment

SAMPLES_SUFFIX = ".jsonl"
SUPPORTED = "0.3."


def parse_every_eval_ever(source: SourceSpec, files: Sequence[SnapshotFile]) -> ReceivedSnapshot:
    """The results of a tree of logs, in order of file and place.

    Instance-level files (`.jsonl`) are no results and give no rows; their bytes stay in the snapshot. The latest
    `retrieved_timestamp` is the time from which the logs say they are known.

    Raises:
        ConnectorError: where not one file is a log.
    """
    options = EveryEvalEverOptions.model_validate(source.options)
    rows: list[ReceivedRow] = []
    times: list[datetime] = []
    broken = 0
    logs = [file for file in files if not file.name.endswith(SAMPLES_SUFFIX)]
    known_parts: dict[str, Any] = {}
    for file in logs:
        found, known, is_log = file_rows(file, options, known_parts)
        rows.extend(found)
        broken += not is_log
        if known is not None:
            times.append(known)
    if broken == len(logs):
        raise ConnectorError(source.id, rows[0].problem or "" if rows else "no log, only instance-level files")
    return ReceivedSnapshot(tuple(rows), max(times, default=None), None)


def file_rows(
    file: SnapshotFile, options: EveryEvalEverOptions, known_parts: dict[str, Any]
) -> tuple[list[ReceivedRow], datetime | None, bool]:
    """The rows of one file, when it was known, and whether it is a log; where it is none, one row says why."""
    try:
        log = as_floats(load_json(file.data, file.name))
        return list(log_rows(log, file.name, options, known_parts)), log_time(log), True
    except DocumentError as error:
        return [ReceivedRow(f"{file.name}#", None, error.message)], None, False


def log_time(log: Json) -> datetime | None:
    """When a log was retrieved: seconds of the Unix epoch, or a time in words; None where it states neither."""
    stated = log.get("retrieved_timestamp")
    try:
        return datetime.fromtimestamp(float(stated), UTC) if stated is not None else None
    except (TypeError, ValueError, OverflowError, OSError):
        pass
    try:
        return moment(stated)
    except ValueError:
        return None


def log_rows(
    log: Any, name: str, options: EveryEvalEverOptions, known_parts: dict[str, Any] | None = None
) -> Iterator[ReceivedRow]:
    """The rows of one log.

    Args:
        log: as parsed.
        name: its file.
        options: the source's.
        known_parts: what was carried along before, by its JSON: equal parts are one object, since thousands of logs
            repeat the same configuration. Filled on the way.

    Raises:
        DocumentError: where it is no log of schema 0.3.
    """
    results = log.get("evaluation_results") if isinstance(log, dict) else None
    if not isinstance(log, dict) or not isinstance(results, list):
        raise DocumentError(name, "no log: evaluation_results must be a list")
    version = log.get("schema_version")
    if not isinstance(version, str) or not version.startswith(SUPPORTED):
        raise DocumentError(name, f"schema_version {version!r}; {SCHEMA_VERSION} is read")
    if (fault := log_fault(log)) is not None:
        raise DocumentError(name, fault)
    frame = _Log(log, options, {} if known_parts is None else known_parts)
    for index, result in enumerate(results):
        locator = f"{name}#evaluation_results[{index}]"
        if (fault := result_fault(result)) is not None:
            yield ReceivedRow(locator, None, fault, _score_token(result))
            continue
        try:
            record = frame.record(result)
        except ValueError as error:
            yield ReceivedRow(locator, None, str(error))
            continue
        yield ReceivedRow(locator, record, None, token(record.get("value")))
    for index, record in enumerate(frame.without_value):
        yield ReceivedRow(f"{name}#without_value[{index}]", record, None, token(record.get("value")))


class _Log:
    """What the results of one log share."""

    def __init__(self, log: Json, options: EveryEvalEverOptions, known_parts: dict[str, Any]) -> None:
        self.options = options
        self._known_parts = known_parts
        rest = copied({key: value for key, value in log.items() if key != "evaluation_results"})
        details = rest["source_metadata"].get("additional_details")
        details = details if isinstance(details, dict) else {}
        self.is_ours = details.get(MARK) == MARK_VALUE
        self.without_value: list[Json] = json.loads(details.pop(WITHOUT_VALUE, "[]")) if self.is_ours else []
        self.shared: Json = {
            field: found for field, path in LOG_PLACES.items() if (found := taken(rest, path)) is not None
        }
        if rest["source_metadata"].get("evaluator_relationship") == FIRST_PARTY:
            self.shared["source_type"] = "self_reported"
            del rest["source_metadata"]["evaluator_relationship"]
        library = rest.get("eval_library", {}).pop("name", UNKNOWN)
        self.harness = None if library == UNKNOWN else library
        self.rest = self._shared(without_defaults(rest) if self.is_ours else rest)

    def record(self, result: Json) -> Json:
        """One result of the log, sound by the schema, in the native format.

        Raises:
            ValueError: where our extension is no object.
        """
        rest = copied(result)
        source, config, score = (rest[part] for part in ("source_data", "metric_config", "score_details"))
        record: Json = dict(self.shared)
        record["benchmark"] = source.pop("dataset_name", None)
        name = rest.pop("evaluation_name", None)
        if name != record["benchmark"]:
            record["subset"] = name
        record["metric"], came_from = _metric(config)
        stated = config.get("metric_unit")
        record["unit"] = self._unit(config)
        record["value"] = score.pop("score")
        for field, path in RESULT_PLACES.items():
            found = taken(rest, path)
            if found is not None:
                record[field] = found
        links = source.get("url")
        if isinstance(links, list) and len(links) == 1:
            record["source_url"] = links[0]
            del source["url"]
        if _is_moment(rest.get("evaluation_timestamp")):
            record["updated_at"] = rest.pop("evaluation_timestamp")
        ours = score.get("details", {}).pop(OURS, None) if isinstance(score.get("details"), dict) else None
        if ours is not None and not score["details"]:
            del score["details"]
        kept = without_defaults(rest) if self.is_ours else rest
        protocol: Json = {} if self.harness is None else {"harness": self.harness}
        return _completed(record, protocol, ours, self._kept(kept, came_from, stated, record["unit"]))

    def _kept(self, result: Json, came_from: str | None, stated: object, unit: str) -> Json:
        kept: Json = {"log": self.rest} if self.rest else {}
        if result:
            kept["result"] = self._shared(result)
        if came_from is not None and not self.is_ours:
            kept["metric_from"] = came_from
        if not stated and not self.is_ours:
            kept["unit_from"] = "none"
        if unit != UNSTATED_UNIT and (not stated or stated in self.options.units):
            kept["unit_by_option"] = unit
        return kept

    def _shared(self, parts: Json) -> Json:
        """The same parts, each one object with every equal one."""
        return {
            sys.intern(key): self._known_parts.setdefault(json.dumps(part, sort_keys=True), part)
            if isinstance(part, dict)
            else part
            for key, part in parts.items()
        }

    def _unit(self, config: Json) -> str:
        stated = config.get("metric_unit")
        if not isinstance(stated, str) or not stated:
            return self.options.unit or UNSTATED_UNIT
        if stated in self.options.units:
            return self.options.units[stated]
        if stated in OUR_UNITS and not self.is_ours:
            return f"{stated} (as stated)"
        del config["metric_unit"]
        return UNITS.get(stated, stated)


def _score_token(result: Any) -> str | None:
    """What stands where the score should; the whole, where it is no object."""
    if not isinstance(result, dict):
        return token(result)
    details = result.get("score_details")
    return token(details.get("score")) if isinstance(details, dict) else None


def _metric(config: Json) -> tuple[Any, str | None]:
    """The metric's id, and None; else its name or description, and which of these (they stay where they are)."""
    if config.get("metric_id"):
        return config.pop("metric_id"), None
    for field in ("metric_name", "metric_kind", "evaluation_description"):
        if config.get(field):
            return config[field], field
    return "score", "none"


def _is_moment(stated: object) -> bool:
    try:
        return isinstance(stated, str) and moment(stated) is not None
    except ValueError:
        return False


def _completed(record: Json, protocol: Json, ours: Any, kept: Json) -> Json:
    """The record with what our extension and theirs add; a null in our extension takes a field away."""
    added = json.loads(ours) if isinstance(ours, str) else {}
    if not isinstance(added, dict):
        raise ValueError(f"score_details.details.{OURS}: must be an object written as JSON")
    more = added.pop("protocol", None)
    record |= added
    protocol |= more if isinstance(more, Mapping) else {}
    if kept:
        extra = protocol.get("extra")
        protocol["extra"] = {**(extra if isinstance(extra, dict) else {}), THEIRS: kept}
    if protocol:
        record["protocol"] = {key: value for key, value in protocol.items() if value is not None}
    return {key: value for key, value in record.items() if value is not None}
