"""Which place of a log each field of ours stands in, and the words that both sides use for the same thing.

A place is a path into one result of a log (`RESULT_PLACES`) or into the log around it (`LOG_PLACES`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

SCHEMA_VERSION: Final = "0.3.0"
OURS: Final = "scoretrail"
"""Key of ours in `score_details.details` (JSON of what the format has no field for)."""
THEIRS: Final = "every_eval_ever"
"""Key of theirs in `protocol.extra` (what our format has no field for)."""
MARK: Final = "scoretrail.log"
"""Key in `source_metadata.additional_details` of a log that was written from our results."""
MARK_VALUE: Final = "scoretrail.every-eval-ever/1"
WITHOUT_VALUE: Final = "scoretrail.without_value"
"""Key there: results that state no number, as JSON; the format demands one, and null is not zero."""
UNSTATED_UNIT: Final = "unstated"
UNKNOWN: Final = "unknown"

UNITS: Final[Mapping[str, str]] = MappingProxyType({"proportion": "score_fraction", "percent": "score"})
"""Their words for our units. Any other word stays itself, marked where it would pass for one of ours."""
OUR_UNITS: Final = frozenset({"score", "score_fraction", "rating"})
FIRST_PARTY: Final = "first_party"

RESULT_PLACES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "stderr": ("score_details", "uncertainty", "standard_error", "value"),
    "n_samples": ("score_details", "uncertainty", "num_samples"),
})  # fmt: skip
LOG_PLACES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "model": ("model_info", "name"),
    "model_id": ("model_info", "id"),
    "developer": ("model_info", "developer"),
})  # fmt: skip

Json = dict[str, Any]


def taken(data: Json, path: tuple[str, ...]) -> Any:
    """What stands at a path, taken out with every object that it leaves empty; None where nothing stands there."""
    head, *rest = path
    if not rest:
        return data.pop(head, None)
    inner = data.get(head)
    if not isinstance(inner, dict):
        return None
    found = taken(inner, tuple(rest))
    if found is not None and not inner:
        del data[head]
    return found


def put(data: Json, path: tuple[str, ...], value: Any) -> None:
    """Sets what stands at a path, objects on the way made where they lack."""
    for name in path[:-1]:
        inner = data.get(name)
        data = inner if isinstance(inner, dict) else data.setdefault(name, {})
    data[path[-1]] = value


def copied(data: Any) -> Any:
    """JSON data as objects and lists of its own: what is taken out of them is taken out of nothing else."""
    if isinstance(data, dict):
        return {key: copied(value) if isinstance(value, dict | list) else value for key, value in data.items()}
    if isinstance(data, list):
        return [copied(value) if isinstance(value, dict | list) else value for value in data]
    return data
