"""What a log says that is written from our results, where ours says nothing: the format demands these fields.

`without_defaults` is the way back: a log of ours is read as if they were not there.
"""

from __future__ import annotations

from typing import Any, Final

from resources.connectors.every_eval_ever.places import MARK, MARK_VALUE, SCHEMA_VERSION, UNKNOWN, Json

LOG_DEFAULTS: Final[Json] = {
    "schema_version": SCHEMA_VERSION,
    "source_metadata": {
        "source_type": "documentation",
        "evaluator_relationship": "third_party",
        "additional_details": {MARK: MARK_VALUE},
    },
    "eval_library": {"version": UNKNOWN},
    "model_info": {"additional_details": {"deployment_type": UNKNOWN, "model_availability": UNKNOWN}},
}
RESULT_DEFAULTS: Final[Json] = {"source_data": {"source_type": "url"}}
DIRECTION: Final = "scoretrail.direction"
"""Key in `metric_config.additional_details` where no direction is known: the format demands one."""
OTHER_SOURCE: Final = "other"
MADE: Final = frozenset({
    "evaluation_id", "retrieved_timestamp", "source_name", "source_organization_name", "evaluation_result_id",
    "lower_is_better", DIRECTION,
})  # fmt: skip
"""Fields that writing makes up from the leaderboard, the place and the catalog; no result of ours states them."""


def without_defaults(data: Json) -> Json:
    """A log or a result of ours without what writing made up; what anybody added since stays."""
    left = _left(data, LOG_DEFAULTS if "source_metadata" in data or "model_info" in data else RESULT_DEFAULTS)
    source = left.get("source_data")
    if isinstance(source, dict) and source.get("source_type") == OTHER_SOURCE:
        del source["source_type"]
    return {key: value for key, value in left.items() if value != {}}


def _left(data: Json, defaults: Json) -> Json:
    left: dict[str, Any] = {}
    for key, value in data.items():
        default = defaults.get(key)
        if key in MADE or (default is not None and value == default):
            continue
        if isinstance(value, dict):
            inner = _left(value, default if isinstance(default, dict) else {})
            if inner or (not value and default is None):
                left[key] = inner
            continue
        left[key] = value
    return left
