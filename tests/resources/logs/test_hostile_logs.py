"""Whatever JSON a log holds: rows, or an error that names the file; never a crash."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_logs import harbor_trial, inspect_header, inspect_sample, lm_eval_line, write_eval, write_json, write_lm_eval

from resources.logs.documents import LogFileError
from resources.logs.reading import read_logs

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=4)),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=4), inner, max_size=2)),
    max_leaves=4,
)


def odd(base: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    """The object with one value replaced, wherever that key stands in it."""
    return {
        name: value if name == key else odd(held, key, value) if isinstance(held, dict) else held
        for name, held in base.items()
    }


def keys(base: dict[str, Any]) -> list[str]:
    found = list(base)
    for held in base.values():
        found += keys(held) if isinstance(held, dict) else []
    return sorted(set(found))


SAMPLE, HEADER = inspect_sample("one", 1, "C"), inspect_header(["one"])
LINE, TRIAL = lm_eval_line(0, {"acc": 1.0}), harbor_trial("t", "t__a", 1.0)
RESULTS = {"config": {"model_args": {"pretrained": "m"}}, "configs": {"t": {"filter_list": []}}, "higher_is_better": {}}
REPORT = {"resolved_ids": ["a"], "unresolved_ids": ["b"], "total_instances": 2, "submitted_ids": ["a"]}
INSTANCE = {"a": {"resolved": True, "cost": 0.5, "api_calls": 3, "patch_exists": True}}
BOARDS = {"leaderboards": [{"name": "b", "results": [{"name": "m", "per_instance_details": INSTANCE}]}]}


def inspect(folder: Path, key: str, value: Any) -> None:
    write_eval(folder / "a.eval", odd(HEADER, key, value), [odd(SAMPLE, key, value) | {"id": "one", "epoch": 1}])
    write_json(folder / "b.json", odd(HEADER | {"samples": [odd(SAMPLE, key, value)]}, key, value))


def lm_eval(folder: Path, key: str, value: Any) -> None:
    write_lm_eval(folder, "t", [odd(LINE, key, value)], **odd(RESULTS, key, value))


def harbor(folder: Path, key: str, value: Any) -> None:
    write_json(folder / "t" / "result.json", odd(TRIAL, key, value))
    write_json(folder / "result.json", odd({"n_total_trials": 3}, key, value))


def swebench(folder: Path, key: str, value: Any) -> None:
    for place, data in enumerate((REPORT, INSTANCE, BOARDS)):
        write_json(folder / f"{place}.json", odd(data, key, value))


@pytest.mark.parametrize(
    ("form", "write", "base"),
    [
        ("inspect", inspect, HEADER | SAMPLE),
        ("lm-eval", lm_eval, RESULTS | LINE),
        ("harbor", harbor, TRIAL | {"n_total_trials": 1}),
        ("swebench", swebench, REPORT | INSTANCE | BOARDS),
    ],
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_odd_values_are_rows_or_errors(
    tmp_path_factory: pytest.TempPathFactory, form: str, write: Callable[[Path, str, Any], None], base: dict[str, Any],
    data: st.DataObject,
) -> None:  # fmt: skip
    folder = tmp_path_factory.mktemp("odd")
    write(folder, data.draw(st.sampled_from(keys(base))), data.draw(JSON))
    try:
        table = read_logs(form, folder)
    except LogFileError as error:
        assert str(error)
    else:
        assert table.frame.height
        missing = table.frame.filter(table.frame["score"].is_null())
        assert "scored" not in missing["score_status"].to_list(), "nothing missing is a score"
        assert json.loads(table.frame.write_json())
