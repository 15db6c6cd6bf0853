"""From results of the native format to logs of schema 0.3, one log a model and run; the same each time."""

from __future__ import annotations

import copy
import hashlib
import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

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
    put,
)
from resources.connectors.every_eval_ever.reading import log_rows
from resources.connectors.every_eval_ever.written import DIRECTION, LOG_DEFAULTS, OTHER_SOURCE, RESULT_DEFAULTS

_THEIR_UNITS = {ours: theirs for theirs, ours in UNITS.items()}
_PLAIN = EveryEvalEverOptions()


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
        shell, result = _shell(record), _result(record, known)
        grouped[json.dumps(shell, sort_keys=True, ensure_ascii=True)].append((record, result))
    for key, members in grouped.items():
        log = json.loads(key)
        is_theirs = "evaluation_id" in log
        identity = hashlib.sha256(f"{leaderboard}\0{key}".encode()).hexdigest()
        if not is_theirs:
            log["retrieved_timestamp"] = f"{retrieved_at.timestamp():.0f}"
            log["evaluation_id"] = f"{leaderboard}/{log['model_info']['id']}/{identity[:12]}"
            log["source_metadata"] |= {"source_name": leaderboard, "source_organization_name": title or leaderboard}
        numbered = [(record, result) for record, result in members if _is_number(record.get("value")) or is_theirs]
        rest = [record for record, _ in members if not _is_number(record.get("value"))] if not is_theirs else []
        if rest:
            details = log["source_metadata"]["additional_details"]
            details[WITHOUT_VALUE] = json.dumps(rest, ensure_ascii=False, sort_keys=True)
        log["evaluation_results"] = [_extended(log, record, result) for record, result in numbered]
        yield WrittenLog(_path(leaderboard, log, identity), log)


def _kept(record: Json) -> Json:
    protocol = record.get("protocol") or {}
    kept = (protocol.get("extra") or {}).get(THEIRS)
    return kept if isinstance(kept, dict) else {}


def _shell(record: Json) -> Json:
    """The log around a result, without what is the same for all logs of one call."""
    kept = _kept(record).get("log")
    log: Json = (
        copy.deepcopy(kept) if isinstance(kept, dict) and "evaluation_id" in kept else copy.deepcopy(LOG_DEFAULTS)
    )
    if isinstance(kept, dict) and "evaluation_id" not in kept:
        _merge(log, copy.deepcopy(kept))
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


def _result(record: Json, directions: Mapping[tuple[str, str], str]) -> Json:
    """One result of a log, without our extension."""
    stored = _kept(record)
    kept = stored.get("result")
    is_theirs = "evaluation_id" in (stored.get("log") or {})
    result: Json = {} if is_theirs else copy.deepcopy(RESULT_DEFAULTS)
    if isinstance(kept, dict):
        _merge(result, copy.deepcopy(kept))
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


def _extended(log: Json, record: Json, result: Json) -> Json:
    """The result with our extension: every field that reading it back would not give."""
    lone = {**log, "evaluation_results": [result]}
    if WITHOUT_VALUE in (log["source_metadata"].get("additional_details") or {}):
        lone["source_metadata"] = copy.deepcopy(log["source_metadata"])
        del lone["source_metadata"]["additional_details"][WITHOUT_VALUE]
    [row] = log_rows(lone, "", _PLAIN)
    back = dict(row.record or {})
    if _kept(record).get("unit_by_option") == record.get("unit"):
        back["unit"] = record.get("unit")
    lost = _lost(record, back)
    if lost:
        put(result, ("score_details", "details", OURS), json.dumps(lost, ensure_ascii=False, sort_keys=True))
    return result


def _lost(record: Json, back: Json) -> Json:
    """What reading back lacks or has too much of; null for what must go."""
    wanted = {key: value for key, value in record.items() if value is not None}
    lost: Json = {
        key: wanted.get(key)
        for key in sorted({*wanted, *back} - {"protocol"})
        if wanted.get(key) != back.get(key) or type(wanted.get(key)) is not type(back.get(key))
    }
    mine, theirs = _protocol(wanted), _protocol(back)
    protocol = {key: mine.get(key) for key in sorted({*mine, *theirs}) if mine.get(key) != theirs.get(key)}
    if protocol:
        lost["protocol"] = protocol
    for key, value in lost.items():
        if isinstance(value, datetime):
            lost[key] = value.isoformat()
    return lost


def _protocol(record: Mapping[str, Any]) -> Json:
    """The protocol's stated fields, without what the other format keeps there."""
    protocol = {key: value for key, value in (record.get("protocol") or {}).items() if value is not None}
    extra = {key: value for key, value in (protocol.pop("extra", None) or {}).items() if key != THEIRS}
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
