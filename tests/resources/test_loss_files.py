"""Losses from files: what is read, and what is refused with file, row, field and what to do."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from resources.evidence_store import EvidenceError
from resources.loss_files import losses_of, read_losses
from warehouse.protocol_words import LOSS_SCHEMA

HEAD = "site,coordinate,protocol,candidate,loss"
SOUND = f"{HEAD}\ns,h1,p,a,1.5\ns,h1,p,b,\ns,h1,q,a,-2e-3\ns,h1,q,b,3\n"


def csv(folder: Path, text: str, name: str = "losses.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_csv_with_what_is_missing_left_empty(tmp_path: Path) -> None:
    rows = losses_of([csv(tmp_path, SOUND)])
    assert rows.schema == LOSS_SCHEMA
    assert rows["loss"].to_list() == [1.5, None, -0.002, 3.0]
    assert rows["convention"].null_count() == rows["unit"].null_count() == rows["weight"].null_count() == 4


def test_names_stay_text_and_keep_their_form(tmp_path: Path) -> None:
    text = f"{HEAD},weight\n007,2024-11-20,p,1e3,1,2\n007,2024-11-20,p,模型,2,2\n"
    rows = losses_of([csv(tmp_path, text)])
    assert rows.row(0)[:5] == ("007", "2024-11-20", "p", None, "1e3")


def test_parquet_with_whole_numbers_as_names(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "site": ["s", "s"], "coordinate": [1, 1], "protocol": ["p", "p"], "candidate": ["a", "b"],
            "loss": pl.Series([1, 2], dtype=pl.Int32), "unit": [3, 3],
        }
    )  # fmt: skip
    path = tmp_path / "losses.parquet"
    frame.write_parquet(path)
    rows = losses_of([path])
    assert rows.row(0)[1] == "1"
    assert rows["unit"].to_list() == ["3", "3"]


def test_several_files_are_one(tmp_path: Path) -> None:
    half = SOUND.splitlines()
    one = csv(tmp_path, "\n".join(half[:3]) + "\n", "p.csv")
    other = csv(tmp_path, "\n".join([half[0], *half[3:]]) + "\n", "q.csv")
    assert losses_of([one, other]).equals(losses_of([csv(tmp_path, SOUND)]))
    (tmp_path / "losses.csv").unlink()
    (tmp_path / "evidence.json").write_text("{}")
    assert read_losses(tmp_path).height == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("site,coordinate,protocol,candidate\n", "has no column 'loss'"),
        ("site,coordinate,protocol,candidate,Loss\n", r"has no column 'loss' \(is 'Loss' meant\?\)"),
        (f"{HEAD},wieght\ns,h,p,a,1,1\n", r"column 'wieght' is none of losses \(is 'weight' meant\?\)"),
        (f"{HEAD},loss\ns,h,p,a,1,1\n", "column 'loss' stands twice; keep one"),
        (f"site,{HEAD}\ns,s,h,p,a,1\n", "column 'site' stands twice; keep one"),
        (f"{HEAD}\n", "holds no row"),
        ("", "is no readable csv file"),
        (f"{HEAD}\ns,h,p,a,1\ns,h,p,b,1.5%\n", "losses.csv, row 2, loss: '1.5%' is no number; write it like 0.25"),
        (f"{HEAD}\ns,h,p,a,nan\n", "row 1, loss: 'nan' is not finite; leave it empty"),
        (f"{HEAD}\ns,h,p,a,-inf\n", "row 1, loss: '-inf' is not finite"),
        (f"{HEAD}\ns,h,p,a,1\ns, ,p,b,1\n", "row 2, coordinate: is empty"),
        (f"{HEAD},weight\ns,h,p,a,1,0\n", "row 1, weight: '0.0' is no weight"),
        (f"{HEAD},weight\ns,h,p,a,1,1\ns,h,p,b,1,2\n", "states weights 1 and 2"),
        (f"{HEAD}\ns,h,p,a,1\ns,h,p,b,1\ns,h,p,a,2\n", "row 1: .* stands again in losses.csv, row 3; .* column `unit`"),
        (f"{HEAD},unit\ns,h,p,a,1,u\ns,h,p,a,2,u\n", "row 1: .* stands again in losses.csv, row 2$"),
        (f"{HEAD},convention\ns,h,p,a,1,other\n", "no rows of its own"),
        (f"{HEAD}\ns,h,p,a,1,2,3\n", r"line 2 \(row 1\): 7 cells, and the heading has 5"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(EvidenceError, match=said):
        losses_of([csv(tmp_path, text)])


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match=r"read from \.csv and \.parquet files"):
        losses_of([csv(tmp_path, SOUND, "losses.txt")])
    with pytest.raises(EvidenceError, match="No such file"):
        losses_of([tmp_path / "absent.csv"])
    packed = tmp_path / "packed.csv"
    packed.write_bytes(b"\x1f\x8b\x08\x00")
    with pytest.raises(EvidenceError, match="is compressed; unpack it first"):
        losses_of([packed])
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 no parquet")
    with pytest.raises(EvidenceError, match="is no readable parquet file"):
        losses_of([tmp_path / "broken.parquet"])
    with pytest.raises(EvidenceError, match="no file of losses"):
        losses_of([])


def test_parquet_of_other_types_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    sound = {"site": ["s"], "coordinate": ["h"], "protocol": ["p"], "candidate": ["a"], "loss": [1.0]}
    pl.DataFrame({**sound, "site": [1.5]}).write_parquet(path)
    with pytest.raises(EvidenceError, match="column 'site' holds Float64"):
        losses_of([path])
    pl.DataFrame({**sound, "loss": [True]}).write_parquet(path)
    with pytest.raises(EvidenceError, match="column 'loss' holds Boolean"):
        losses_of([path])


def test_a_hostile_name_is_written_out_in_a_message(tmp_path: Path) -> None:
    text = f"{HEAD}\ns\x1b[31m,h,p,a,1\ns\x1b[31m,h,p,a,2\n"
    with pytest.raises(EvidenceError) as caught:
        losses_of([csv(tmp_path, text)])
    assert "\x1b" not in str(caught.value)
