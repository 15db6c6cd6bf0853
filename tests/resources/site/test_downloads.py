"""Downloads: the same values in three forms, nothing a spreadsheet would run."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from resources.guarded_csv import contract_types, read_csv
from resources.site.facts import Facts
from resources.site.inputs import SiteInputs
from resources.site.page import Page, Plain
from resources.site.pages.data import downloads
from warehouse.canonical import sha256_hex
from warehouse.tables import TABLES


@pytest.fixture(scope="module")
def published(hostile_inputs: SiteInputs) -> list[str]:
    return [name for name in hostile_inputs.tables if name.startswith("out__")]


def test_json_and_csv_hold_the_values_of_the_table(
    hostile: dict[str, bytes], hostile_inputs: SiteInputs, published: list[str]
) -> None:
    assert len(published) == 5
    for name in published:
        frame = hostile_inputs.tables[name]
        value = json.loads(hostile[f"data/{name}.json"])
        assert value["table"] == name
        assert value["columns"] == list(TABLES[name].columns)
        assert len(value["rows"]) == frame.height
        for column, entry in contract_types(TABLES[name]).items():
            if entry in {"number", "integer", "text"}:
                place = value["columns"].index(column)
                assert [row[place] for row in value["rows"]] == frame[column].to_list()
        columns = read_csv(hostile[f"data/{name}.csv"], contract_types(TABLES[name]), name)
        assert columns == {column: frame[column].to_list() for column in TABLES[name].columns}


def test_no_cell_is_a_formula(hostile: dict[str, bytes], hostile_inputs: SiteInputs) -> None:
    cells = pl.read_csv(io.BytesIO(hostile["data/out__category_score.csv"]), infer_schema=False)
    names = cells["model_name"].to_list()
    assert any(name.startswith("'=HYPERLINK") for name in names)
    assert not any(name.startswith(("=", "+", "-", "@")) for name in names)
    assert any(name.startswith("=HYPERLINK") for name in hostile_inputs.tables["out__category_score"]["model_name"])


def test_parquet_is_the_release_s_own_file(hostile_inputs: SiteInputs, tmp_path: Path) -> None:
    path = tmp_path / "out__product.parquet"
    path.write_bytes(b"PAR1 bytes PAR1")
    made = list(downloads(Facts(replace(hostile_inputs, parquet={"out__product": path}))))
    files = {item.path: item.data for item in made if isinstance(item, Plain)}
    assert files["data/out__product.parquet"] == path.read_bytes()
    assert "data/out__gate.parquet" not in files
    (page,) = [item for item in made if item.path == "downloads.html"]
    assert isinstance(page, Page)
    listed = {file["path"]: file["sha256"] for table in page.values["tables"] for file in table["files"]}
    assert listed["data/out__product.parquet"] == sha256_hex(path.read_bytes())
    assert listed.keys() == files.keys()


def test_the_dictionary_explains_every_column(hostile: dict[str, bytes], hostile_inputs: SiteInputs) -> None:
    page = hostile["dictionary.html"].decode()
    for name in hostile_inputs.tables:
        assert f'id="{name}"' in page
        for column in TABLES[name].columns:
            assert f"<code>{column}</code>" in page
