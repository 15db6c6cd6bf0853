"""The bundled demonstration snapshot: its form, its size, and the cases that the cross-source study tells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from methods.names.registry import ModelRegistry
from warehouse.catalog_model import Catalog
from warehouse.records import NativeResult
from warehouse.vocabulary import NATIVE_SCHEMA, SOURCE_TYPES

Row = Mapping[str, Any]
Boards = dict[str, dict[str, Any]]
Rows = list[tuple[str, dict[str, Any]]]


def test_every_file_obeys_the_native_format(demo_boards: Boards, demo_catalog: Catalog) -> None:
    assert {source.id for source in demo_catalog.sources} == set(demo_boards)
    for name, board in demo_boards.items():
        assert set(board) == {"schema", "leaderboard", "title", "url", "synced_at", "results"}
        assert board["schema"] == NATIVE_SCHEMA
        assert board["leaderboard"] == name
        assert board["synced_at"] == "2026-10-20T00:00:00Z"
        assert board["url"].startswith("https://")
        for row in board["results"]:
            NativeResult.model_validate(row)
            assert row["source_type"] in SOURCE_TYPES


def test_enough_leaderboards_and_results(demo_boards: Boards, demo_rows: Rows) -> None:
    assert len(demo_boards) >= 12
    assert len(demo_rows) >= 600


def test_nearly_every_row_links_to_where_it_was_published(demo_rows: Rows) -> None:
    without = [(board, row["model"]) for board, row in demo_rows if not row.get("source_url")]
    assert {board for board, _ in without} <= {"dpg-bench", "geneval", "gedit-bench", "imgedit"}
    assert all(row["source_url"].startswith("https://") for _, row in demo_rows if row.get("source_url"))


def test_models_are_seen_by_all_four_source_types(demo_rows: Rows, demo_catalog: Catalog) -> None:
    registry = ModelRegistry(demo_catalog.models)
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for _, row in demo_rows:
        model = registry.resolve(row["model"], row.get("developer")).model_id
        if model:
            seen[model].add(row["source_type"])
    assert sum(len(types) == 4 for types in seen.values()) >= 3
    assert sum(len(types) >= 3 for types in seen.values()) >= 10


def test_what_a_demonstration_must_show(demo_rows: Rows) -> None:
    rows = [row for _, row in demo_rows]
    assert any(row["value"] == 0 and row.get("stderr") is not None for row in rows), "a true zero"
    assert any(row["unit"] == "rating" for row in rows)
    assert any(row["unit"] == "score_fraction" for row in rows)
    assert sum(row.get("stderr") is not None for row in rows) >= 50
    assert sum(row.get("n_samples") is not None for row in rows) >= 50
    assert sum(bool(row.get("copied_from")) for row in rows) >= 50
    assert any("推理" in (row.get("setting") or "") for row in rows), "an effort in a setting"
    assert {row.get("kind", "measured") for row in rows} >= {"measured", "aggregate", "estimated"}


# ------------------------------------------------------------------------------------------------ the study's cases


def _value(demo_boards: Boards, board: str, **wanted: object) -> Decimal:
    found = [row for row in demo_boards[board]["results"] if all(_field(row, k) == v for k, v in wanted.items())]
    assert len(found) == 1, (board, wanted, len(found))
    return Decimal(str(found[0]["value"]))


def _field(row: Row, key: str) -> object:
    return row.get("protocol", {}).get("steps") if key == "steps" else row.get(key)


@pytest.mark.parametrize(("steps", "difference"), [(15, "4.06"), (50, "1.98"), (100, "2.26")])
def test_jedi_official_minus_self_reported(demo_boards: Boards, steps: int, difference: str) -> None:
    official = _value(demo_boards, "osworld", model="Jedi-7B w/ gpt-4o", source_type="official", steps=steps)
    stated = _value(demo_boards, "osworld", model=f"Jedi-7B w/ GPT-4o ({steps} steps)", source_type="self_reported")
    assert official - stated == Decimal(difference)


def test_agent_s2_official_minus_self_reported(demo_boards: Boards) -> None:
    official = _value(demo_boards, "osworld", model="agent s2 w/ gemini-2.5-pro", steps=15)
    assert official - _value(demo_boards, "osworld", model="Simular Agent S2") == Decimal("7.64")


@pytest.mark.parametrize(
    ("board", "before", "after", "difference"),
    [
        ("dpg-bench", "paper", "reproduced", "-1.12"),
        ("geneval", "paper", "reproduced", "4.00"),
        ("gedit-bench", "reproduced", "self_reported", "1.80"),
        ("imgedit", "reproduced", "self_reported", "1.60"),
    ],
)
def test_image_differences(demo_boards: Boards, board: str, before: str, after: str, difference: str) -> None:
    one, other = _value(demo_boards, board, source_type=after), _value(demo_boards, board, source_type=before)
    assert one - other == Decimal(difference)


def test_the_other_cases_are_told_with_their_protocol(demo_boards: Boards) -> None:
    osworld = demo_boards["osworld"]["results"]
    link = "https://arxiv.org/abs/2504.07491"
    assert {row["model"] for row in osworld if row.get("model_url") == link} == {"Kimi-VL", "kimi-vl-a3b"}
    models = {row["model"] for row in osworld}
    assert models >= {"UI-TARS-1.5 (100 steps)", "uitars-1.5-7b", "OpenAI CUA 4o (15 steps)", "computer-use-preview"}
    sai, opus = demo_boards["osworld-2"]["results"]
    assert sai["model"] == "Sai w/ Claude Opus 5"
    assert "规划模型" in sai["notes"]
    assert opus["model_id"] == "claude-opus-5"
    assert all(row["value"] is None and "推理 max" in row["setting"] for row in (sai, opus))
    assert all(row["protocol"]["steps"] == 500 for row in (sai, opus))
