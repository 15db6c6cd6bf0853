"""From results of the native format to logs of schema 0.3, one log a model and run; the same each time."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from resources.connectors.every_eval_ever.faults import log_fault, result_fault
from resources.connectors.every_eval_ever.options import EveryEvalEverOptions
from resources.connectors.every_eval_ever.places import (
    FIRST_PARTY,
    LOG_PLACES,
    OURS,
    RESULT_PLACES,
    THEIRS,
    UNITS,
    UNKNOWN,
    WITHOUT_VALUE,
    Json,
    copied,
    put,
)
from resources.connectors.every_eval_ever.reading import log_rows
from resources.connectors.every_eval_ever.written import DIRECTION, LOG_DEFAULTS, OTHER_SOURCE, RESULT_DEFAULTS

_THEIR_UNITS = {ours: theirs for theirs, ours in UNITS.items()}
_OBJECTS: Final[Json] = {
    "log": {
        "source_metadata": {"additional_details": {}},
        "model_info": {"additional_details": {}},
        "eval_library": {},
    },
    "result": {
        "source_data": {},
        "metric_config": {"additional_details": {}},
        "score_details": {"details": {}, "uncertainty": {"standard_error": {}}},
    },
}
"""The objects of a log that writing puts something into."""


@dataclass(frozen=True, slots=True)
class WrittenLog:
    """One log to write: its path below the tree's root, and the log."""

    path: str
    log: Json


def write_logs(
    leaderboard: str,
    title: str,
    retrieved_at: datetime,
    records: Iterable[Json],
    directions: Mapping[tuple[str, str], str] | None = None,
) -> Iterator[WrittenLog]:
    """The logs of one leaderboard's results, in order of first appearance; results keep their order within a log.

    A result that came from this format goes back into its own log, unchanged where nobody changed it. Reading the
    logs again gives the same results: what has no field of its own stands under `score_details.details.scoretrail`.

    Args:
        leaderboard: its id; first folder of the tree.
        title: names the source.
        retrieved_at: when the results were known; ISO time or the log's own stands where a log has one.
        records: results of the native format.
        directions: `higher` or `lower` by (benchmark, metric), as the catalog has it; any other is said to be unknown.
    """
    known = directions or {}
    grouped: defaultdict[str, list[tuple[Json, Json]]] = defaultdict(list)
    for record in records:
        shell, result = _written(record, known)
        grouped[json.dumps(shell, sort_keys=True, ensure_ascii=True)].append((record, result))
    for key, members in grouped.items():
        log = json.loads(key)
        identity = hashlib.sha256(f"{leaderboard}\0{key}".encode()).hexdigest()
        if "evaluation_id" not in log:
            log["retrieved_timestamp"] = f"{retrieved_at.timestamp():.0f}"
            log["evaluation_id"] = f"{leaderboard}/{log['model_info']['id']}/{identity[:12]}"
            log["source_metadata"] |= {"source_name": leaderboard, "source_organization_name": title or leaderboard}
        rest = [record for record, _ in members if not _is_number(record.get("value"))]
        if rest:
            details = log["source_metadata"]["additional_details"]
            details[WITHOUT_VALUE] = json.dumps(rest, ensure_ascii=False, sort_keys=True)
        log["evaluation_results"] = [result for record, result in members if _is_number(record.get("value"))]
        yield WrittenLog(_path(leaderboard, log, identity), log)


def _written(record: Json, directions: Mapping[tuple[str, str], str]) -> tuple[Json, Json]:
    """The log around a result, and the result; what we carry along of theirs in its own fields where it fits there.

    It does not where somebody filed something else under that key, which then stays with our extension.
    """
    stored = _kept(record)
    if stored and _fits(stored, _OBJECTS):
        shell, result = _shell(record, stored), _result(record, stored, directions)
        if _is_sound(record, stored, shell, result):
            return shell, _extended(record, stored, shell, result)
    shell, result = _shell(record, {}), _result(record, {}, directions)
    return shell, _extended(record, {}, shell, result)


def _is_sound(record: Json, stored: Json, shell: Json, result: Json) -> bool:
    """Whether the schema accepts both, and reading them gives again what is carried along."""
    if "evaluation_id" in shell and not _is_number(record.get("value")):
        return False
    lone = _lone(shell, result)
    if log_fault(lone) is not None or result_fault(lone["evaluation_results"][0]) is not None:
        return False
    return _kept(_read_back(lone, stored)) == stored


def _lone(shell: Json, result: Json) -> Json:
    """A log of one result, with what writing will make up; with some number where the result states none."""
    log = {"evaluation_id": UNKNOWN, "retrieved_timestamp": "0", **shell}
    log["source_metadata"] = {"source_organization_name": UNKNOWN, **shell["source_metadata"]}
    score = result["score_details"]
    if not _is_number(score["score"]):
        result = {**result, "score_details": {**score, "score": 0}}
    return {**log, "evaluation_results": [result]}


def _read_back(lone: Json, stored: Json) -> Json:
    """The result of a log as a source with the same options would read it."""
    unit = stored.get("unit_by_option")
    units = {} if unit is None else {str(lone["evaluation_results"][0]["metric_config"].get("metric_unit")): str(unit)}
    [row] = log_rows(lone, "", EveryEvalEverOptions(units=units, unit=None if unit is None else str(unit)))
    return dict(row.record or {})


def _kept(record: Json) -> Json:
    protocol = record.get("protocol") or {}
    kept = (protocol.get("extra") or {}).get(THEIRS)
    return kept if isinstance(kept, dict) else {}


def _fits(value: object, objects: Json) -> bool:
    """Whether what stands where a log has objects are objects."""
    return isinstance(value, dict) and all(_fits(value[key], inner) for key, inner in objects.items() if key in value)


def _shell(record: Json, stored: Json) -> Json:
    """The log around a result, without what is the same for all logs of one call."""
    kept = stored.get("log")
    log: Json = copied(kept) if isinstance(kept, dict) and "evaluation_id" in kept else copied(LOG_DEFAULTS)
    if isinstance(kept, dict) and "evaluation_id" not in kept:
        _merge(log, copied(kept))
    for field, path in LOG_PLACES.items():
        value = record.get(field)
        if value is not None:
            put(log, path, value)
    for part in ("source_metadata", "eval_library", "model_info"):
        log.setdefault(part, {})
    if "evaluation_id" not in log:
        log["model_info"].setdefault("id", record.get("model"))
    if record.get("source_type") == "self_reported":
        log["source_metadata"]["evaluator_relationship"] = FIRST_PARTY
    log["eval_library"]["name"] = (record.get("protocol") or {}).get("harness") or UNKNOWN
    return log


def _result(record: Json, stored: Json, directions: Mapping[tuple[str, str], str]) -> Json:
    """One result of a log, without our extension."""
    kept = stored.get("result")
    is_theirs = "evaluation_id" in (stored.get("log") or {})
    result: Json = {} if is_theirs else copied(RESULT_DEFAULTS)
    if isinstance(kept, dict):
        _merge(result, copied(kept))
    source, config, score = (result.setdefault(part, {}) for part in ("source_data", "metric_config", "score_details"))
    source["dataset_name"] = record.get("benchmark")
    result["evaluation_name"] = record.get("subset") if record.get("subset") is not None else record.get("benchmark")
    if not is_theirs:
        direction = directions.get((str(record.get("benchmark")), str(record.get("metric"))))
        config["lower_is_better"] = direction == "lower"
        if direction not in {"higher", "lower"}:
            put(config, ("additional_details", DIRECTION), UNKNOWN)
    if "metric_from" not in stored:
        config["metric_id"] = record.get("metric")
    unit = record.get("unit")
    if "metric_unit" not in config and "unit_from" not in stored:
        config["metric_unit"] = _THEIR_UNITS.get(str(unit), unit)
    score["score"] = record.get("value")
    for field, path in RESULT_PLACES.items():
        if record.get(field) is not None:
            put(result, path, record[field])
    if record.get("source_url") is not None:
        source["url"] = [record["source_url"]]
    elif not is_theirs and "url" not in source:
        source["source_type"] = OTHER_SOURCE
    stated = record.get("updated_at")
    if stated is not None:
        result["evaluation_timestamp"] = stated.isoformat() if isinstance(stated, datetime) else stated
    return result


def _extended(record: Json, stored: Json, shell: Json, result: Json) -> Json:
    """The result with our extension: every field that reading it back would not give."""
    lost = _lost(record, _read_back(_lone(shell, result), stored), carried=bool(stored))
    if lost:
        put(result, ("score_details", "details", OURS), json.dumps(lost, ensure_ascii=False, sort_keys=True))
    return result


def _lost(record: Json, back: Json, *, carried: bool) -> Json:
    """What reading back lacks or has too much of; null for what must go. `carried`: what is theirs has its place."""
    wanted = {key: value for key, value in record.items() if value is not None}
    lost: Json = {
        key: wanted.get(key)
        for key in sorted(
            {*wanted, *back} - ({"protocol"} if _is_number(record.get("value")) else {"protocol", "value"})
        )
        if wanted.get(key) != back.get(key) or type(wanted.get(key)) is not type(back.get(key))
    }
    mine, theirs = _protocol(wanted, without=carried), _protocol(back, without=True)
    protocol = {key: mine.get(key) for key in sorted({*mine, *theirs}) if mine.get(key) != theirs.get(key)}
    if protocol:
        lost["protocol"] = protocol
    for key, value in lost.items():
        if isinstance(value, datetime):
            lost[key] = value.isoformat()
    return lost


def _protocol(record: Mapping[str, Any], *, without: bool) -> Json:
    """The protocol's stated fields; `without` what the other format keeps there."""
    protocol = {key: value for key, value in (record.get("protocol") or {}).items() if value is not None}
    extra = {key: value for key, value in (protocol.pop("extra", None) or {}).items() if not without or key != THEIRS}
    return protocol | ({"extra": extra} if extra else {})


def _merge(into: Json, more: Json) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _path(leaderboard: str, log: Json, identity: str) -> str:
    """data/<leaderboard>/<developer>/<model>/<id in the form of a UUID>.json, as the format's own repository has it."""
    model = log["model_info"]
    parts = [leaderboard, model.get("developer") or UNKNOWN, model.get("id") or model.get("name") or UNKNOWN]
    folders = "/".join(re.sub(r"[^A-Za-z0-9._-]+", "_", str(part)).strip("._-")[:80] or UNKNOWN for part in parts)
    i = identity
    return f"data/{folders}/{i[:8]}-{i[8:12]}-4{i[13:16]}-a{i[17:20]}-{i[20:32]}.json"
