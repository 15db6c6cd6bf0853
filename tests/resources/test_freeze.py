"""A freeze: the same bytes every time, exact on the way back, harmless in a spreadsheet."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_release import DAY, NOON, frame_of

from resources.atomic_files import read_json
from resources.freeze import FreezeError, freeze, read_freeze
from resources.guarded_csv import (
    FORMULA_STARTS,
    GuardedCsvError,
    contract_types,
    csv_bytes,
    guard,
    read_csv,
    unguard,
)
from warehouse.canonical import sha256_hex
from warehouse.columns import ColumnType
from warehouse.tables import CORE_RESULT, RAW_SNAPSHOT

SHA = sha256_hex(b"x")
TYPES: dict[str, ColumnType] = {
    "t": "text", "n": "number", "i": "integer", "b": "boolean", "at": "timestamp", "d": "date", "l": "text_list",
}  # fmt: skip


@pytest.fixture
def results() -> pl.DataFrame:
    frame = frame_of(CORE_RESULT, rows=8)
    return CORE_RESULT.conform(frame.with_columns(leaderboard=pl.lit("osworld"), snapshot_sha256=pl.lit(SHA)))


@pytest.fixture
def snapshots() -> pl.DataFrame:
    rows = [
        {"leaderboard": "osworld", "sha256": SHA, "path": f"snapshots/osworld/{SHA}.json", "source_url": "https://a/b",
         "fetched_at": NOON, "synced_at": NOON, "bytes": 1, "rows": 9, "etag": "e", "connector": "native",
         "status": "fresh"},
        {"leaderboard": "never", "sha256": None, "path": None, "source_url": None, "fetched_at": None,
         "synced_at": None, "bytes": None, "rows": None, "etag": None, "connector": "table", "status": "failed"},
    ]  # fmt: skip
    return RAW_SNAPSHOT.conform(pl.DataFrame(rows, schema=RAW_SNAPSHOT.polars_schema()))


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_freeze_is_the_same_bytes_wherever_and_whenever(
    tmp_path: Path, results: pl.DataFrame, snapshots: pl.DataFrame
) -> None:
    freeze(results, snapshots, tmp_path / "a", as_of=DAY)
    later = snapshots.with_columns(fetched_at=pl.lit(datetime(2027, 1, 1, tzinfo=UTC)), etag=pl.lit("other"))
    freeze(results.reverse(), later, tmp_path / "deep" / "b", as_of=DAY)
    assert files_of(tmp_path / "a") == files_of(tmp_path / "deep" / "b")
    freeze(results, snapshots, tmp_path / "a", as_of=DAY)
    assert files_of(tmp_path / "a") == files_of(tmp_path / "deep" / "b")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "deep"]


def test_a_freeze_comes_back_exactly(tmp_path: Path, results: pl.DataFrame, snapshots: pl.DataFrame) -> None:
    freeze(results, snapshots, tmp_path / "a", as_of=DAY)
    frozen = read_freeze(tmp_path / "a")
    assert frozen.results.equals(results, null_equal=True)
    assert frozen.manifest["rows"] == 8


def test_the_manifest_says_where_every_row_came_from(
    tmp_path: Path, results: pl.DataFrame, snapshots: pl.DataFrame
) -> None:
    manifest = freeze(results, snapshots, tmp_path / "a", as_of=DAY)
    assert read_json(tmp_path / "a" / "manifest.json") == manifest
    never, osworld = manifest["leaderboards"]  # type: ignore[misc]
    assert osworld == {
        "leaderboard": "osworld", "path": f"snapshots/osworld/{SHA}.json", "source_url": "https://a/b", "sha256": SHA,
        "synced_at": "2026-10-20T12:30:15.123456Z", "bytes": 1, "rows_received": 9, "rows": 8,
    }  # fmt: skip
    assert never["rows"] == 0  # type: ignore[index, call-overload]
    for entry in manifest["files"]:  # type: ignore[union-attr]
        body = (tmp_path / "a" / entry["path"]).read_bytes()  # type: ignore[index, call-overload, operator]
        assert sha256_hex(body) == entry["sha256"]  # type: ignore[index, call-overload]
    links = (tmp_path / "a" / "links.csv").read_text().splitlines()
    assert links[0] == '"entry_id","model_url","source_url"'
    assert len(links) == 9


def test_any_other_csv_reader_finds_the_same_cells(
    tmp_path: Path, results: pl.DataFrame, snapshots: pl.DataFrame
) -> None:
    freeze(results, snapshots, tmp_path / "a")
    with (tmp_path / "a" / "results.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [unguard(row["model"]) for row in rows] == results["model"].to_list()
    assert "'=1+1" in [row["model"] for row in rows]
    numbers = [None if row["value"] == "" else float(row["value"]) for row in rows]
    assert numbers == results["value"].to_list()


@pytest.mark.parametrize("content", ["notes.txt", "manifest.json", ".hidden"])
def test_a_folder_with_something_else_in_it_is_left_alone(
    tmp_path: Path, results: pl.DataFrame, snapshots: pl.DataFrame, content: str
) -> None:
    (tmp_path / content).write_text('{"schema": "scoretrail.release/1"}')
    before = files_of(tmp_path)
    with pytest.raises(FreezeError, match="not a freeze"):
        freeze(results, snapshots, tmp_path)
    with pytest.raises(FreezeError, match="not a freeze"):
        freeze(results, snapshots, tmp_path / content)
    assert files_of(tmp_path) == before


def test_an_empty_folder_takes_a_freeze(tmp_path: Path, results: pl.DataFrame, snapshots: pl.DataFrame) -> None:
    (tmp_path / "a").mkdir()
    freeze(results, snapshots, tmp_path / "a")
    read_freeze(tmp_path / "a")


def test_a_changed_or_missing_file_is_noticed(tmp_path: Path, results: pl.DataFrame, snapshots: pl.DataFrame) -> None:
    folder = tmp_path / "a"
    freeze(results, snapshots, folder)
    for name in ("results.csv", "links.csv"):
        good = (folder / name).read_bytes()
        (folder / name).write_bytes(good.replace(b"official", b"paper", 1) + b"\n")
        with pytest.raises(FreezeError, match=f"{name}: was changed"):
            read_freeze(folder)
        (folder / name).unlink()
        with pytest.raises(FreezeError, match=f"{name}: cannot be read"):
            read_freeze(folder)
        (folder / name).write_bytes(good)
    with pytest.raises(FreezeError, match="is no freeze"):
        read_freeze(tmp_path)
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"links.csv"', '"../links.csv"'))
    with pytest.raises(FreezeError, match="outside the folder"):
        read_freeze(folder)


def test_a_result_of_another_days_snapshot_is_not_frozen(
    tmp_path: Path, results: pl.DataFrame, snapshots: pl.DataFrame
) -> None:
    with pytest.raises(FreezeError, match="which is not the day's"):
        freeze(results.with_columns(snapshot_sha256=pl.lit("f" * 64)), snapshots, tmp_path / "a")
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("start", [*FORMULA_STARTS, "'"])
def test_text_that_a_spreadsheet_might_run_is_guarded(start: str) -> None:
    assert guard(start + "1+1") == "'" + start + "1+1"
    assert unguard(guard(start)) == start


def test_numbers_are_never_touched() -> None:
    frame = pl.DataFrame({"t": ["-1", "x-1"], "n": [-1.5, 1e16], "i": [-3, None]})
    assert csv_bytes(frame, {"t": "text", "n": "number", "i": "integer"}).decode() == (
        '"t","n","i"\n"\'-1",-1.5,-3\n"x-1",1e+16,\n'
    )


TEXT = st.text(alphabet=st.sampled_from("=+-@'\"\t\r\n, aé模🙂\x00") | st.characters(codec="utf-8"), max_size=6)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.none() | TEXT,
            st.none() | st.floats(allow_nan=False, allow_infinity=False),
            st.none() | st.integers(-(2**63), 2**63 - 1),
            st.none() | st.booleans(),
            st.none() | st.datetimes(timezones=st.just(UTC)),
            st.none() | st.dates(),
            st.none() | st.lists(TEXT, max_size=3),
        ),
        max_size=5,
    )
)
def test_any_value_comes_back_from_csv_exactly(rows: list[tuple[object, ...]]) -> None:
    columns = {name: [row[at] for row in rows] for at, name in enumerate(TYPES)}
    dtypes = {"t": pl.String(), "n": pl.Float64(), "i": pl.Int64(), "b": pl.Boolean(),
              "at": pl.Datetime("us", "UTC"), "d": pl.Date(), "l": pl.List(pl.String())}  # fmt: skip
    data = csv_bytes(pl.DataFrame(columns, schema=dtypes), TYPES)
    assert read_csv(data, TYPES, "x.csv") == columns
    plain = list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))
    assert [len(row) for row in plain] == [len(TYPES)] * (len(rows) + 1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('"a","b"\n"x",1\n', "its columns are"),
        ('"t","n"\n"x","y"\n', "row 1, column n: 'y' is no number"),
        ('"t","n"\n"x",1,2\n', r"line 2 \(row 1\): 3 cells, and the heading has 2"),
        ("", "not readable as CSV"),
    ],
)
def test_a_csv_of_another_form_is_named(text: str, says: str) -> None:
    with pytest.raises(GuardedCsvError, match=says):
        read_csv(text.encode(), {"t": "text", "n": "number"}, "x.csv")


def test_the_columns_are_those_of_the_contract() -> None:
    assert list(contract_types(CORE_RESULT)) == list(CORE_RESULT.columns)
