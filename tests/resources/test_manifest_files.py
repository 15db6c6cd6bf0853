"""Manifests and outputs that a user brings: what is read, and what is refused with file, row or line, and field."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from resources.evidence_store import EvidenceError
from resources.manifest_files import read_manifest, read_manifests, read_outputs, runs_of
from resources.run_folders import read_run

YAML = """\
schema: scoretrail.inference-manifest/1
run:
  commit: 9f3c1ab
  framework: vllm 0.11.2
  dtype: bf16              # and not fp16
  kernels: flash-attn 2.7.4
  batch_size: 4
  gpu: A10G
  decoding: {strategy: greedy, temperature: 0.0}
  seed: 0
"""


NO_MARGINS = ("a", "0.5", True, None, {}, [1], 10**400, float("inf"), float("nan"))
NO_TOKENS = ("1", True, None, {}, 10**30)


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def lines(path: Path, *rows: object) -> Path:
    return written(path, "".join(json.dumps(row) + "\n" for row in rows))


def test_a_manifest_as_yaml_and_as_json(tmp_path: Path) -> None:
    one = read_manifest(written(tmp_path / "a.yaml", YAML))
    assert one.stated["dtype"] == "bfloat16" and one.stated["batch_size"] == "4" and one.stated["commit"] == "9f3c1ab"
    assert one.stated["decoding"] == '{"strategy":"greedy","temperature":0}'
    other = read_manifest(written(tmp_path / "a.json", json.dumps(one.model_dump(mode="json", by_alias=True))))
    assert other.sha256 == one.sha256


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (YAML.replace("seed: 0", "sead: 0"), r"a\.yaml:10: run\.sead: unknown key"),
        (YAML.replace("bf16 ", "auto "), "run.dtype: `auto` leaves open"),
        (YAML.replace("/1", "/9"), "schema"),
        ("- a\n", "an object that begins with `schema`"),
        (YAML + "run: {}\n", "repeats|twice|duplicate"),
        ("run: [", "a.yaml"),
    ],
)
def test_a_manifest_that_is_none(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(EvidenceError, match=said):
        read_manifest(written(tmp_path / "a.yaml", text))


def test_outputs_in_every_form(tmp_path: Path) -> None:
    rows = [
        {"prompt": "p1", "token_ids": [1, 2], "margins": [0.5, 3], "text": "ab"},
        {"prompt": "p2", "token_ids": [], "margins": []},
        {"prompt": "p3", "status": "refused"},
    ]
    found = read_outputs(lines(tmp_path / "r.outputs.jsonl", *rows))
    assert found["status"].to_list() == ["ok", "ok", "refused"]
    assert found["margins"].to_list() == [[0.5, 3.0], [], None]
    found.write_parquet(tmp_path / "r.outputs.parquet")
    assert read_outputs(tmp_path / "r.outputs.parquet").equals(found)
    cells = read_outputs(written(tmp_path / "r.outputs.csv", 'prompt,text,status\np1,"a, b",\np2,,refused\n'))
    assert cells.select("prompt", "text", "status").rows() == [("p1", "a, b", "ok"), ("p2", None, "refused")]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"prompt": "p", "token_ids": [1.5]}], "row 1, token_ids"),
        ([{"prompt": "p", "token_ids": [1], "margins": [0.1, 0.2]}], "row 1, margins: must be one for each"),
        ([{"prompt": "p", "text": "a", "margins": [0.1]}], "row 1, margins: must be one for each"),
        ([{"prompt": "p", "token_ids": [1], "margins": [-1]}], "margins: must be a list of numbers"),
        *(([{"prompt": "p", "token_ids": [1], "margins": [one]}], "row 1, margins: must be") for one in NO_MARGINS),
        *(([{"prompt": "p", "token_ids": [one]}], "row 1, token_ids: must be") for one in NO_TOKENS),
        ([{"prompt": "p", "text": "a"}, {"prompt": "p", "text": "b"}], "row 1, prompt: stands twice"),
        ([{"prompt": "p", "text": "a"}, {"text": "b"}], "row 2, prompt: must be given"),
        ([{"prompt": "p"}], "row 1, text: neither"),
        ([{"prompt": "p", "text": "a", "status": "fine"}], "row 1, status: must be ok"),
        ([{"prompt": "p", "texts": "a"}], "row 1, texts: is no field"),
        ([[1]], "row 1: must be an object"),
        ([], "holds no output"),
    ],
)
def test_outputs_that_are_none(tmp_path: Path, rows: list[object], said: str) -> None:
    with pytest.raises(EvidenceError, match=said):
        read_outputs(lines(tmp_path / "r.outputs.jsonl", *rows))


def test_other_faults_of_outputs(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match="line 2"):
        read_outputs(written(tmp_path / "r.outputs.jsonl", '{"prompt": "p", "text": "a"}\n{\n'))
    with pytest.raises(EvidenceError, match=r"none\.jsonl: no such file of outputs"):
        read_outputs(tmp_path / "none.jsonl")
    with pytest.raises(EvidenceError, match="prompt and text"):
        read_outputs(written(tmp_path / "r.outputs.csv", "id,text\n1,2\n"))
    pl.DataFrame({"prompt": ["p"], "tokens": [1]}).write_parquet(tmp_path / "r.outputs.parquet")
    with pytest.raises(EvidenceError, match="column tokens"):
        read_outputs(tmp_path / "r.outputs.parquet")
    written(tmp_path / "r.outputs.parquet", "no")
    with pytest.raises(EvidenceError, match="no readable Parquet"):
        read_outputs(tmp_path / "r.outputs.parquet")


def test_files_make_runs_by_their_names(tmp_path: Path) -> None:
    written(tmp_path / "ours.yaml", YAML)
    lines(tmp_path / "ours.outputs.jsonl", {"prompt": "p", "text": "a"})
    lines(tmp_path / "bare.outputs.jsonl", {"prompt": "p", "text": "b"}, {"prompt": "q", "text": "b"})
    written(tmp_path / "evidence.json", "{}")
    found = read_manifests(tmp_path)
    assert [(run.id, run.manifest is not None, run.outputs is not None) for run in found.runs] == [
        ("bare", False, True), ("ours", True, True),
    ]  # fmt: skip
    assert found.height == 5
    for path, said in (
        (written(tmp_path / "x" / "notes.txt", ""), "by its name"),
        (written(tmp_path / "x" / "ours.yml", YAML), "such a file already"),
    ):
        with pytest.raises(EvidenceError, match=said):
            runs_of([tmp_path / "ours.yaml", path])
    with pytest.raises(EvidenceError, match="no manifest and no outputs"):
        runs_of([])


def test_a_run_as_a_folder(tmp_path: Path) -> None:
    written(tmp_path / "a" / "manifest.yaml", YAML)
    written(tmp_path / "a" / "losses.csv", "site,coordinate,protocol,candidate,loss\ns,c,p,m,1\n")
    found = read_run(tmp_path / "a")
    assert (found.stack.id, found.stack.outputs, found.judgments) == ("a", None, None)
    assert found.losses is not None and found.losses.height == 1
    assert read_run(tmp_path / "a" / "manifest.yaml").stack.manifest is not None
    (tmp_path / "empty").mkdir()
    written(tmp_path / "a" / "manifest.json", "{}")
    for folder, said in (("empty", "holds none of"), ("a", "keep one of them"), ("none", "no such file")):
        with pytest.raises(EvidenceError, match=said):
            read_run(tmp_path / folder)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("manifest.yaml", "schema: other/1\n"),
        ("outputs.jsonl", "{}\n"),
        ("losses.csv", "site\n"),
        ("judgments.csv", "item,judge,verdict_ab,gold\n1,a,A,Q\n"),
        ("judgments.csv", "item,verdict_ab\n1,A\n"),
    ],
)
def test_a_fault_in_a_folder_names_the_run(tmp_path: Path, file: str, text: str) -> None:
    """Files of two runs bear the same names: the name of the file alone would not say whose it is."""
    written(tmp_path / "ours" / file, text)
    with pytest.raises(EvidenceError, match=r"run .*ours: "):
        read_run(tmp_path / "ours")
