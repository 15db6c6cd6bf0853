"""Files that a user brings, of every kind: what is cut off, said twice or nested is refused by line and field.

One table of readers, so that a kind that comes to it is asked the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from test_sample_evidence import TEXT

from resources.attempts.record_files import record_batches
from resources.batch_files import read_batch
from resources.contract_files import contract_of, seal_contract
from resources.evidence_store import EvidenceError
from resources.judgment_files import judgments_of
from resources.loss_files import losses_of
from resources.manifest_files import read_outputs
from resources.regression_files import RegressionFileError, read_failures
from resources.sample_evidence import read_samples

RULER = {"scorer_type": "rule", "scorer_version": "1", "broke_red_line": "false", "latency_s": "1"}
ROWS: dict[str, list[dict[str, str]]] = {
    "losses": [
        {"site": "s", "coordinate": "h", "protocol": protocol, "candidate": candidate, "loss": "1.5"}
        for protocol in "pq" for candidate in "ab"
    ],
    "judgments": [{"item": f"{n}", "judge": "j", "verdict_ab": "A", "verdict_ba": "A", "gold": "A"} for n in range(4)],
    "attempts": [{"model": "m", "harness": "h", "task": f"{n}", "score": "1"} for n in range(4)],
    "samples": [{"system": s, "task": f"{n}", **RULER, "success": "true"} for s in ("old", "new") for n in range(2)],
    "batch": [{"system": s, "task": f"{n}", "user": "u", **RULER, "is_escalated": "false"} for s in ("old", "new")
              for n in range(2)],
    "outputs": [{"prompt": f"{n}", "status": "ok", "text": "said"} for n in range(4)],
    "failures": [{"id": f"{n}", "source": "canary", "input": "asked"} for n in range(4)],
}  # fmt: skip


def samples(path: Path) -> Any:
    contract = path.parent / "contract.yaml"
    contract.write_text(TEXT)
    sealed, _ = seal_contract(contract, datetime(2026, 10, 1, tzinfo=UTC))
    (path.parent / "samples.yaml").write_text(f"contract_sha256: {sealed.sha256}\n")
    return read_samples([path], sealed)


READERS: dict[str, Callable[[Path], Any]] = {
    "losses": lambda path: losses_of([path]),
    "judgments": lambda path: judgments_of([path]),
    "attempts": lambda path: list(record_batches(path, ())),
    "samples": samples,
    "batch": lambda path: read_batch(path, contract_of(TEXT.encode(), "contract.yaml")),
    "outputs": read_outputs,
    "failures": read_failures,
}
LINES = [kind for kind in READERS if kind != "losses"]
REFUSED = (EvidenceError, RegressionFileError)


def as_csv(path: Path, kind: str, change: Callable[[list[list[str]]], None] = lambda _: None, end: str = "\n") -> Path:
    table = [list(ROWS[kind][0]), *(list(row.values()) for row in ROWS[kind])]
    change(table)
    path.write_text("\n".join(",".join(cells) for cells in table) + end)
    return path


def as_lines(path: Path, kind: str, change: Callable[[list[str]], None] = lambda _: None) -> Path:
    lines = [json.dumps(row) for row in ROWS[kind]]
    change(lines)
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("kind", READERS)
def test_whole_files_are_read(kind: str, tmp_path: Path) -> None:
    READERS[kind](as_csv(tmp_path / "rows.csv", kind))
    if kind in LINES:
        READERS[kind](as_lines(tmp_path / "rows.jsonl", kind))


@pytest.mark.parametrize("row", [1, -1])
@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("kind", READERS)
def test_a_row_that_is_cut_off_is_no_empty_cell(kind: str, row: int, end: str, tmp_path: Path) -> None:
    def cut(table: list[list[str]]) -> None:
        table[row].pop()

    with pytest.raises(REFUSED, match=rf"rows\.csv.*(row|line) {2 if row == 1 else 5}|rows\.csv.*row {row % 5}"):
        READERS[kind](as_csv(tmp_path / "rows.csv", kind, cut, end))


@pytest.mark.parametrize("kind", LINES)
def test_a_key_that_stands_twice_is_refused(kind: str, tmp_path: Path) -> None:
    name = next(iter(ROWS[kind][0]))

    def twice(lines: list[str]) -> None:
        lines[2] = lines[2][:-1] + f', "{name}": "other"}}'

    with pytest.raises(REFUSED, match=rf"rows\.jsonl.*3.*{name}"):
        READERS[kind](as_lines(tmp_path / "rows.jsonl", kind, twice))


@pytest.mark.parametrize("kind", ["samples", "batch"])
def test_a_repeated_key_is_found_behind_an_escape_and_none_within_a_value(kind: str, tmp_path: Path) -> None:
    def hidden(lines: list[str]) -> None:
        lines[0] = lines[0][:-1] + ', "\\u0074ask": "other"}'

    with pytest.raises(EvidenceError, match=r"line 1.*task"):
        READERS[kind](as_lines(tmp_path / "rows.jsonl", kind, hidden))

    def within(lines: list[str]) -> None:
        lines[0] = json.dumps({**json.loads(lines[0]), "raw_verdict": 'said "task": once, "task": twice'})

    READERS[kind](as_lines(tmp_path / "rows.jsonl", kind, within))


@pytest.mark.parametrize("value", [{"a": 1}, [{"a": 1}]])
@pytest.mark.parametrize("kind", LINES)
def test_an_object_is_no_text(kind: str, value: object, tmp_path: Path) -> None:
    name = next(iter(ROWS[kind][0]))

    def nested(lines: list[str]) -> None:
        lines[2] = json.dumps({**json.loads(lines[2]), name: value})

    with pytest.raises(REFUSED, match=rf"rows\.jsonl.*3.*{name}"):
        READERS[kind](as_lines(tmp_path / "rows.jsonl", kind, nested))


@pytest.mark.parametrize("kind", ["losses", "judgments", "attempts", "samples", "batch", "outputs"])
def test_nor_in_parquet(kind: str, tmp_path: Path) -> None:
    name = next(iter(ROWS[kind][0]))
    frame = pl.DataFrame(ROWS[kind]).with_columns(pl.struct(a=pl.lit(1)).alias(name))
    frame.write_parquet(tmp_path / "rows.parquet")
    with pytest.raises(EvidenceError, match=rf"rows\.parquet.*{name}"):
        READERS[kind](tmp_path / "rows.parquet")
