"""Release folders and their manifest."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import polars as pl
import pytest
from pydantic import ValidationError
from small_release import CATALOG, CODE, DAY, HELD, LATER, METHODOLOGY, NOON, draft_of, fill_tables, frame_of

from methods.lineage.baseline import BaselineFigures
from resources.atomic_files import read_json
from resources.manifest import ReleaseError, file_sha256, read_release, release_faults
from resources.release_folder import read_folder
from resources.releases import ReleaseConflictError, ReleaseStore
from resources.table_files import TableMissingError, TableTamperedError
from resources.tables import TableStore
from warehouse.canonical import sha256_hex
from warehouse.manifest import Manifest
from warehouse.tables import TABLES


@pytest.fixture
def home(tmp_path: Path) -> Path:
    fill_tables(tmp_path)
    return tmp_path


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_release_holds_everything_it_rests_on(home: Path) -> None:
    release = ReleaseStore(home).create(draft_of(), TableStore(home))
    held = files_of(release.folder)
    assert set(held) == {
        "manifest.json", "catalog/metrics.yaml", "catalog/decisions.csv", "validation/shape.json",
        *(f"tables/{name}.parquet" for name in HELD),
    }  # fmt: skip
    for name in HELD:
        assert held[f"tables/{name}.parquet"] == TableStore(home).path(name, DAY).read_bytes()
        assert release.manifest.tables[name].file_sha256 == file_sha256(release.table_path(name))
        assert release.read(name).equals(TableStore(home).read(name, DAY), null_equal=True)
    manifest = read_json(release.folder / "manifest.json")
    assert manifest["schema"] == "scoretrail.release/1"
    assert manifest["snapshots"][0]["sha256"] == sha256_hex(b"bytes")
    assert manifest["snapshots"][0]["synced_at"] == "2026-10-20T12:30:15.123456Z"
    assert release.manifest_sha256 == sha256_hex(held["manifest.json"])
    assert release_faults(release) == []
    assert [path.name for path in ReleaseStore(home).root.iterdir()] == [release.release_id]


def test_the_same_release_again_is_a_no_op(home: Path) -> None:
    """Idempotent: even made an hour later, the first manifest stands; the ledger has one line."""
    store, tables = ReleaseStore(home), TableStore(home)
    first = store.create(draft_of(), tables)
    before = files_of(home)
    later = draft_of()
    later = replace(later, header=later.header.model_copy(update={"created_at": NOON + timedelta(hours=1)}))
    assert store.create(later, tables) == first
    assert files_of(home) == before


def test_the_same_id_with_other_values_is_a_bug(home: Path) -> None:
    store, tables = ReleaseStore(home), TableStore(home)
    store.create(draft_of(), tables)
    before = files_of(home / "releases")
    fill_tables(home, shift=1)
    with pytest.raises(ReleaseConflictError, match="core__evidence"):
        store.create(draft_of(), tables)
    assert files_of(home / "releases") == before
    assert len(store.ledger().releases) == 1


def test_a_missing_or_changed_table_makes_no_release(home: Path) -> None:
    store, tables = ReleaseStore(home), TableStore(home)
    path = tables.path("core__evidence", DAY)
    good = path.read_bytes()
    path.unlink()
    with pytest.raises(TableMissingError):
        store.create(draft_of(), tables)
    other = TableStore(home / "other")
    other.write("core__evidence", DAY, frame_of(TABLES["core__evidence"], shift=1), inputs={},
                catalog_sha256=CATALOG, methodology_version=METHODOLOGY, code_version=CODE)  # fmt: skip
    forged = pl.read_parquet(other.path("core__evidence", DAY)).to_arrow(compat_level=pl.CompatLevel.oldest())
    import pyarrow.parquet as pq

    path.write_bytes(good)
    forged = forged.cast(TABLES["core__evidence"].arrow_schema())
    pq.write_table(forged.replace_schema_metadata(pq.read_schema(path).metadata), path)
    with pytest.raises(TableTamperedError):
        store.create(draft_of(), tables)
    assert not store.root.exists() or list(store.root.iterdir()) == []
    assert store.ledger().releases == ()


def test_a_table_of_another_release_makes_none(home: Path) -> None:
    tables = TableStore(home)
    tables.write("out__product", DAY, frame_of(TABLES["out__product"]), inputs={}, release_id="2026-10-20-000000000000",
                 catalog_sha256=CATALOG, methodology_version=METHODOLOGY, code_version=CODE)  # fmt: skip
    with pytest.raises(ReleaseError, match="names release 2026-10-20-000000000000"):
        ReleaseStore(home).create(draft_of(), tables)


def test_a_release_id_follows_from_what_is_listed() -> None:
    header = draft_of().header
    with pytest.raises(ValidationError, match="does not follow from the inputs listed"):
        header.model_validate({**header.model_dump(by_alias=True), "code_version": "0" * 64})


def test_the_baseline_travels_with_the_release(home: Path) -> None:
    store, tables = ReleaseStore(home), TableStore(home)
    first = store.create(draft_of(), tables)
    assert first.baseline() is None
    fill_tables(home, LATER, shift=1)
    figures = store.figures(first.release_id)
    assert figures.release_id == first.release_id
    draft = replace(draft_of(LATER, baseline=first.release_id), baseline=figures)
    second = store.create(draft, tables)
    assert second.baseline() == figures
    assert store.baseline_for(LATER) == first.release_id
    assert store.baseline_for(DAY) is None
    (second.folder / "baseline.json").write_text("{}")
    with pytest.raises(ReleaseError, match=r"baseline\.json"):
        second.baseline()


def test_another_releases_baseline_is_refused(home: Path) -> None:
    stranger = BaselineFigures("2026-10-19-000000000000", {}, {}, {}, {}, {})
    with pytest.raises(ReleaseError, match="names baseline None"):
        ReleaseStore(home).create(replace(draft_of(), baseline=stranger), TableStore(home))


@pytest.mark.parametrize("name", ["../../../escape", "/etc/x", "a/../b", "", "a//b"])
def test_a_catalog_file_never_leaves_the_folder(home: Path, name: str) -> None:
    store = ReleaseStore(home)
    for draft in (
        replace(draft_of(), catalog_files={name: b""}),
        replace(draft_of(), validations={f"{name}/../../../x": True}),
    ):
        with pytest.raises(ReleaseError, match="may not stand in a release folder"):
            store.create(draft, TableStore(home))
    assert not (home / "escape").exists()
    assert list(store.root.iterdir()) == []


def test_every_change_of_a_release_folder_is_a_fault(home: Path) -> None:
    release = ReleaseStore(home).create(draft_of(), TableStore(home))
    good = files_of(release.folder)
    for name in good:
        if name == "manifest.json":
            continue
        path = release.folder / name
        path.write_bytes(good[name] + b" ")
        assert any(name in fault and "was changed" in fault for fault in release_faults(release)), name
        path.unlink()
        assert any(name in fault and "missing" in fault for fault in release_faults(release)), name
        path.write_bytes(good[name])
    (release.folder / "extra.txt").write_text("")
    assert any("extra.txt: is not listed" in fault for fault in release_faults(release))


def test_a_changed_manifest_is_noticed(home: Path) -> None:
    store = ReleaseStore(home)
    release = store.create(draft_of(), TableStore(home))
    path = release.folder / "manifest.json"
    text = path.read_text()
    path.write_text(text.replace('"2026.10"', '"2026.11"'))
    with pytest.raises(ReleaseError, match="was changed: its SHA-256"):
        store.open(release.release_id)
    for broken in ("{}", "{", text.replace('"schema"', '"scheme"')):
        path.write_text(broken)
        with pytest.raises(ReleaseError, match="is no manifest"):
            read_release(release.folder)
    path.unlink()
    with pytest.raises(ReleaseError, match="cannot be read"):
        store.open(release.release_id)


def test_a_manifest_round_trips(home: Path) -> None:
    release = ReleaseStore(home).create(draft_of(), TableStore(home))
    assert Manifest.model_validate(release.manifest.to_json()) == release.manifest


def test_unknown_releases_are_said_to_be_unknown(home: Path) -> None:
    store = ReleaseStore(home)
    with pytest.raises(ReleaseError, match="no release id"):
        store.open("../../etc")
    with pytest.raises(ReleaseError, match="the latest are none"):
        store.open("2026-10-20-000000000000")
    release = store.create(draft_of(), TableStore(home))
    with pytest.raises(ReleaseError, match=release.release_id):
        store.open("2026-10-20-000000000000")
    with pytest.raises(ReleaseError, match="holds no table out__release"):
        release.read("out__release")


def test_reading_a_folder_leaves_hidden_files_out(tmp_path: Path) -> None:
    for name in ("b.yaml", "sub/a.csv", ".git/config", ".b.yaml.swp"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    assert read_folder(tmp_path) == {"b.yaml": b"b.yaml", "sub/a.csv": b"sub/a.csv"}
