"""Parquet tables: exact round trips, explicit schemas, stamps that notice every change."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_release import CATALOG, CODE, DAY, LATER, METHODOLOGY, fill_tables, frame_of

import resources.table_files as module
from resources.table_files import TableError, TableMissingError, TableTamperedError, read_stamp_file, read_table_columns
from resources.tables import TableStore
from warehouse.contracts import ContractError, TableContract
from warehouse.hashing import table_hash
from warehouse.stamps import TableStamp
from warehouse.tables import TABLES

WITH = {"catalog_sha256": CATALOG, "methodology_version": METHODOLOGY, "code_version": CODE}


def write(store: TableStore, name: str, frame: pl.DataFrame, as_of: date = DAY) -> TableStamp:
    return store.write(name, as_of, frame, inputs={}, **WITH)


@pytest.mark.parametrize("name", list(TABLES))
def test_every_table_comes_back_exactly(tmp_path: Path, name: str) -> None:
    """D08, D11, D12, D15, D20: all-null columns keep their type, names and long ids stay text, timestamps stay UTC."""
    store, frame = TableStore(tmp_path), frame_of(TABLES[name], rows=7)
    stamp = write(store, name, frame)
    back = store.read(name, DAY)
    assert back.equals(frame, null_equal=True)
    assert back.schema == TABLES[name].polars_schema()
    assert stamp == store.stamp(name, DAY) == store.verify(name, DAY)
    assert stamp.table_hash == table_hash(frame, TABLES[name]) == store.actual_hash(name, DAY)
    assert stamp.rows == frame.height


@pytest.mark.parametrize("name", list(TABLES))
def test_columns_read_by_themselves_are_those_of_the_whole(tmp_path: Path, name: str) -> None:
    """In key order too, whatever the order of the file, and without the key where it was not asked for."""
    store, contract = TableStore(tmp_path), TABLES[name]
    write(store, name, frame_of(contract, rows=7))
    path = store.path(name, DAY)
    rewrite(path, pq.read_table(path)[::-1])
    whole = store.read(name, DAY)
    for columns in (contract.columns[-1:], contract.key, contract.columns[::-1]):
        assert read_table_columns(path, name, columns).equals(whole.select(columns), null_equal=True)


@pytest.mark.parametrize("fault", ["a null", "a stranger", "a key twice"])
def test_columns_read_by_themselves_stand_under_the_contract(tmp_path: Path, fault: str) -> None:
    store, column = TableStore(tmp_path), "category" if fault == "a stranger" else "status"
    write(store, "out__category_score", frame_of(TABLES["out__category_score"], rows=7))
    path = store.path("out__category_score", DAY)
    table = pq.read_table(path)
    if fault == "a key twice":
        rewrite(path, pa.concat_tables([table, table]))
    else:
        values = pa.array([None if fault == "a null" else "stranger"] * table.num_rows, table.field(column).type)
        rewrite(path, table.set_column(table.schema.get_field_index(column), column, values))
    with pytest.raises(TableError, match="out__category_score"):
        read_table_columns(path, "out__category_score", ("status",))


@pytest.mark.parametrize("name", list(TABLES))
def test_an_empty_table_comes_back_empty(tmp_path: Path, name: str) -> None:
    store = TableStore(tmp_path)
    assert write(store, name, TABLES[name].empty()).rows == 0
    assert store.read(name, DAY).equals(TABLES[name].empty())
    store.verify(name, DAY)


def test_the_same_values_give_the_same_bytes_whatever_the_row_order(tmp_path: Path) -> None:
    store, frame = TableStore(tmp_path), frame_of(TABLES["core__result"], rows=7)
    write(store, "core__result", frame)
    first = store.path("core__result", DAY).read_bytes()
    write(store, "core__result", pl.concat([frame[4:], frame[:4]], rechunk=False))
    assert store.path("core__result", DAY).read_bytes() == first


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.text(max_size=12),
            st.none() | st.text(max_size=5),
            st.floats(allow_nan=False, allow_infinity=False),
            st.none() | st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2200, 1, 1)),  # noqa: DTZ001
            st.none() | st.integers(0, 2**63 - 1),
        ),
        max_size=6,
        unique_by=lambda row: row[0],
    )
)
def test_any_value_comes_back_exactly(rows: list[tuple[object, ...]]) -> None:
    import tempfile

    contract = TABLES["core__result"]
    base = frame_of(contract, rows=1).row(0, named=True)
    records = [
        base | {"entry_id": key, "notes": notes, "value": value, "n_samples": count,
                "updated_at": None if at is None else at.replace(tzinfo=UTC)}
        for key, notes, value, at, count in rows
    ]  # fmt: skip
    frame = contract.conform(pl.DataFrame(records, schema=contract.polars_schema()))
    with tempfile.TemporaryDirectory() as folder:
        store = TableStore(Path(folder))
        write(store, "core__result", frame)
        assert store.read("core__result", DAY).equals(frame, null_equal=True)
        store.verify("core__result", DAY)


def test_naive_timestamps_never_become_utc_by_label(tmp_path: Path) -> None:
    """D15: what is stored is one type, aware UTC, whatever zone the frame came in."""
    store, contract = TableStore(tmp_path), TABLES["raw__snapshot"]
    moment = datetime(2026, 3, 29, 23, 30, tzinfo=UTC)
    zoned = frame_of(contract, rows=1).with_columns(
        pl.lit(moment).dt.convert_time_zone("Europe/Berlin").alias("fetched_at")
    )
    write(store, "raw__snapshot", zoned)
    assert store.read("raw__snapshot", DAY)["fetched_at"][0] == moment
    assert pq.read_schema(store.path("raw__snapshot", DAY)).field("fetched_at").type == pa.timestamp("us", tz="UTC")


def rewrite(path: Path, table: pa.Table) -> None:
    """Write a table over a file, keeping the stamp as it was."""
    pq.write_table(table.replace_schema_metadata(pq.read_schema(path).metadata), path)


def test_another_type_names_file_and_column(tmp_path: Path) -> None:
    """D07, D21: a column of another type is never cast, it is named with its file."""
    store = TableStore(tmp_path)
    write(store, "core__evidence", frame_of(TABLES["core__evidence"]))
    path = store.path("core__evidence", DAY)
    table = pq.read_table(path)
    at = table.schema.names.index("value")
    rewrite(path, table.set_column(at, "value", pa.array([1] * table.num_rows, pa.int64())))
    with pytest.raises(TableError, match=r"2026-10-20\.parquet: column value is int64, must be double"):
        store.read("core__evidence", DAY)


def test_a_missing_or_unknown_column_is_named(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    write(store, "core__evidence", frame_of(TABLES["core__evidence"]))
    path = store.path("core__evidence", DAY)
    table = pq.read_table(path)
    rewrite(path, table.drop_columns(["precision"]))
    with pytest.raises(TableError, match="column precision is missing and may not be null"):
        store.read("core__evidence", DAY)
    rewrite(path, table.append_column("bonus", pa.array([0.0] * table.num_rows)))
    with pytest.raises(TableError, match="column bonus is not in the contract"):
        store.read("core__evidence", DAY)


def test_a_column_the_contract_gained_later_reads_as_nulls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B19, D09: day one has no such column, day two has; day one reads nulls and still proves itself."""
    new = TABLES["core__result"]
    old = TableContract(**{**_fields(new), "columns": tuple(name for name in new.columns if name != "stderr"),
                           "bounds": tuple(bound for bound in new.bounds if bound[0] != "stderr")})  # fmt: skip
    store = TableStore(tmp_path)
    monkeypatch.setitem(module.TABLES, "core__result", old)
    write(store, "core__result", frame_of(new, rows=3).drop("stderr"))
    monkeypatch.setitem(module.TABLES, "core__result", new)
    write(store, "core__result", frame_of(new, rows=3), LATER)
    assert store.read("core__result", DAY)["stderr"].to_list() == [None] * 3
    assert store.read("core__result", DAY).schema == new.polars_schema()
    store.verify("core__result", DAY)
    store.verify("core__result", LATER)


def _fields(contract: TableContract) -> dict[str, object]:
    return {name: getattr(contract, name) for name in contract.__dataclass_fields__}


def test_a_changed_value_is_noticed(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    write(store, "core__evidence", frame_of(TABLES["core__evidence"]))
    path = store.path("core__evidence", DAY)
    table = pq.read_table(path)
    at = table.schema.names.index("value")
    values = table["value"].to_pylist()
    values[2] = math.nextafter(values[2], math.inf)
    rewrite(path, table.set_column(at, table.schema.field(at), pa.array(values, pa.float64())))
    with pytest.raises(TableTamperedError, match="its stamp says"):
        store.verify("core__evidence", DAY)


def test_a_dropped_nullable_column_is_noticed(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    write(store, "core__result", frame_of(TABLES["core__result"]))
    path = store.path("core__result", DAY)
    rewrite(path, pq.read_table(path).drop_columns(["notes"]))
    with pytest.raises(TableTamperedError):
        store.verify("core__result", DAY)


def test_flipped_bytes_never_read_as_values(tmp_path: Path) -> None:
    """Every page carries a checksum: a flipped byte is an error or changes nothing that is read."""
    store, frame = TableStore(tmp_path), frame_of(TABLES["core__evidence"], rows=40)
    write(store, "core__evidence", frame)
    path = store.path("core__evidence", DAY)
    good = path.read_bytes()
    caught = 0
    for at in range(4, len(good), 97):
        path.write_bytes(good[:at] + bytes([good[at] ^ 0x55]) + good[at + 1 :])
        try:
            store.verify("core__evidence", DAY)
            assert store.read("core__evidence", DAY).equals(frame)
        except TableError as error:
            assert str(path) in str(error)
            caught += 1
    assert caught > 20


def test_a_file_under_another_name_or_day_is_noticed(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    write(store, "core__evidence", frame_of(TABLES["core__evidence"]))
    path = store.path("core__evidence", LATER)
    path.write_bytes(store.path("core__evidence", DAY).read_bytes())
    with pytest.raises(TableTamperedError, match="stamped for 2026-10-20, not 2026-10-21"):
        store.verify("core__evidence", LATER)
    other = store.path("core__exclusion", DAY)
    other.parent.mkdir()
    other.write_bytes(path.read_bytes())
    with pytest.raises(TableTamperedError, match="stamped as core__evidence"):
        store.verify("core__exclusion", DAY)


def test_what_is_no_table_of_ours_is_refused(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    with pytest.raises(TableMissingError):
        store.read("core__evidence", DAY)
    with pytest.raises(TableError, match="is no table"):
        store.path("../../etc/passwd", DAY)
    path = store.path("core__evidence", DAY)
    path.parent.mkdir(parents=True)
    for content in (b"", b"<!doctype html>", b"PAR1"):
        path.write_bytes(content)
        with pytest.raises(TableError, match="not readable as Parquet"):
            store.read("core__evidence", DAY)
    pq.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(TableError, match="carries no scoretrail stamp"):
        store.stamp("core__evidence", DAY)
    pq.write_table(pa.table({"a": [1]}).replace_schema_metadata({"scoretrail": "[1]"}), path)
    with pytest.raises(TableError, match="stamp cannot be read"):
        read_stamp_file(path)


def test_a_bad_day_leaves_the_other_days_as_they_are(tmp_path: Path) -> None:
    """B21: 100 days present, day 100 rewritten with a bad type: an error, and all 100 days intact."""
    store = TableStore(tmp_path)
    days = [DAY + timedelta(days=n) for n in range(100)]
    frame = frame_of(TABLES["out__product"], rows=2)
    for day in days:
        write(store, "out__product", frame, day)
    before = {day: store.path("out__product", day).read_bytes() for day in days}
    with pytest.raises(ContractError):
        write(store, "out__product", frame.with_columns(status=pl.lit("perhaps")), days[-1])
    with pytest.raises(ContractError):
        write(store, "out__product", frame.drop("status"), days[-1])
    assert store.days("out__product") == days
    assert {day: store.path("out__product", day).read_bytes() for day in days} == before


def test_days_made_with_another_catalog_are_stale(tmp_path: Path) -> None:
    """B22: the catalog changes, every affected day is listed."""
    store = TableStore(tmp_path)
    frame = frame_of(TABLES["out__product"])
    for day in (DAY, LATER):
        write(store, "out__product", frame, day)
    assert store.stale_days("out__product", **WITH) == []
    new = WITH | {"catalog_sha256": "0" * 64}
    assert store.stale_days("out__product", **new) == [DAY, LATER]
    store.write("out__product", LATER, frame, inputs={}, **new)
    assert store.stale_days("out__product", **new) == [DAY]


def test_a_half_written_file_is_no_day(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    fill_tables(tmp_path, names=("raw__snapshot",))
    (tmp_path / "tables" / "raw__snapshot" / ".2026-10-21.parquet.ab.tmp").write_bytes(b"")
    assert store.days("raw__snapshot") == [DAY]
    assert store.exists("raw__snapshot", DAY)
    assert not store.exists("raw__snapshot", LATER)
    assert store.days("core__result") == []


def test_a_stamp_round_trips_and_travels_in_the_file(tmp_path: Path) -> None:
    """G15: the Parquet file itself says where it comes from."""
    stamps = fill_tables(tmp_path)
    for name, stamp in stamps.items():
        metadata = pq.read_schema(TableStore(tmp_path).path(name, DAY)).metadata
        assert TableStamp.from_json(module.parse_json(metadata[b"scoretrail"], name)) == stamp
