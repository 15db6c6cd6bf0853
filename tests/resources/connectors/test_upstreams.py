"""The sources of the catalog: handmade files of their shapes everywhere, the real files where they lie beside."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from methods.catalog.received import receive
from resources.catalog_files import load_catalog
from resources.connectors import ConnectorError, SnapshotFile, parse
from warehouse.catalog_model import SourceSpec
from warehouse.received import ReceivedRow


@pytest.fixture(scope="module")
def sources(repository: Path) -> dict[str, SourceSpec]:
    return load_catalog(repository / "warehouse" / "catalog").catalog.source_by_id


def record(row: ReceivedRow) -> dict[str, object]:
    assert row.problem is None, row.problem
    return dict(row.record or {})


def received(source: SourceSpec, rows: tuple[ReceivedRow, ...]) -> pl.DataFrame:
    return receive(source.id, "0" * 64, rows)


def real(source: SourceSpec, upstream_dir: Path) -> tuple[ReceivedRow, ...]:
    path = upstream_dir / str(source.path)
    return parse(source, [SnapshotFile(path.name, path.read_bytes())]).rows


# ---- handmade


def test_swebench_shape(sources: dict[str, SourceSpec]) -> None:
    entry = {
        "name": "Model X",
        "resolved": 0.0,
        "date": "2026-02-03",
        "checked": True,
        "tags": ["Model: x-1", "Org: O"],
        "mini-swe-agent_version": "1.10",
        "site": ["https://a.example", "https://b.example"],
        "cost": 0,
        "folder": "f",
    }
    document = {
        "leaderboards": [
            {"name": "bash-only", "results": [entry]},
            {
                "name": "Verified",
                "results": [
                    {
                        "name": "Agent + Model X",
                        "resolved": 70,
                        "date": "2026-02-03",
                        "checked": "false (see README)",
                        "tags": [],
                        "site": None,
                        "folder": "g",
                    },
                    {
                        "name": "Agent Y",
                        "resolved": None,
                        "date": "soon",
                        "checked": None,
                        "tags": ["Model: a", "Model: b"],
                    },
                ],
            },
        ]
    }
    rows = parse(sources["swebench"], [SnapshotFile("l.json", json.dumps(document).encode())]).rows
    assert record(rows[0]) == {
        "benchmark": "SWE-bench", "subset": "bash-only", "metric": "resolved", "unit": "score", "value": 0.0,
        "model": "Model X", "model_id": "x-1", "tier": "verified", "source_url": "https://a.example",
        "updated_at": "2026-02-03",
        "protocol": {"harness": "mini-SWE-agent 1.10",
                     "extra": {"entry": "f", "checked": True, "tags": ["Model: x-1", "Org: O"],
                               "total_cost_usd": "not_tracked"}},
    }  # fmt: skip
    second = record(rows[1])
    assert (second["subset"], second["value"], second.get("tier"), second.get("model_id")) == (
        "verified",
        70,
        None,
        None,
    )
    assert rows[2].problem == "updated_at: 'soon' is no ISO date such as 2026-10-20"


def test_aider_shape(sources: dict[str, SourceSpec]) -> None:
    text = b"""
- dirname: 2026-01-02-run
  test_cases: 225
  model: 2024-11-20
  edit_format: diff
  commit_hash: 0282574
  pass_rate_1: 0.0
  pass_rate_2: 64.10
  percent_cases_well_formed: 99.1
  command: "aider --model x # via y"
  date: 2026-01-02
  versions: 0.80
  seconds_per_case: 10.5
  total_cost: 0 # not the true cost
  reasoning_effort: high
  thinking_tokens: 32000
"""
    rows = parse(sources["aider"], [SnapshotFile("p.yml", text)]).rows
    assert [(record(row)["metric"], record(row)["value"]) for row in rows] == [
        ("pass_rate_1", 0.0),
        ("pass_rate_2", 64.1),
    ]
    assert rows[1].raw == "64.10"
    first = record(rows[0])
    assert (first["model"], first["n_samples"], first["updated_at"]) == ("2024-11-20", 225, "2026-01-02")
    assert first["protocol"] == {
        "harness": "aider 0.80", "commit": "0282574", "effort": "high",
        "extra": {"edit_format": "diff", "thinking_tokens": 32000, "command": "aider --model x # via y",
                  "run": "2026-01-02-run", "well_formed_percent": 99.1, "seconds_per_case": 10.5,
                  "total_cost_usd": "not_tracked"},
    }  # fmt: skip


def test_livebench_shape(sources: dict[str, SourceSpec]) -> None:
    columns = sources["livebench"].options["columns"]
    cells = ["m-thinking-64k", *["0.0"] * (len(columns) - 2), ""]
    rows = parse(
        sources["livebench"], [SnapshotFile("t.csv", f"{','.join(columns)}\n{','.join(cells)}\n".encode())]
    ).rows
    assert len(rows) == len(columns) - 1
    assert record(rows[0]) == {
        "benchmark": "LiveBench", "benchmark_version": "2026-01-08", "subset": "AMPS_Hard", "metric": "score",
        "unit": "score", "value": 0.0, "model": "m-thinking-64k",
    }  # fmt: skip
    assert record(rows[-1])["value"] == ""
    renamed = ",".join(columns).replace("olympiad", "olympiads")
    with pytest.raises(ConnectorError, match="missing: 'olympiad'; new: 'olympiads'"):
        parse(sources["livebench"], [SnapshotFile("t.csv", f"{renamed}\n{','.join(cells)}\n".encode())])


# ---- real


def test_real_swebench(sources: dict[str, SourceSpec], upstream_dir: Path) -> None:
    rows = real(sources["swebench"], upstream_dir)
    table = received(sources["swebench"], rows)
    assert table.height == 322
    assert table["problem"].null_count() == 322
    assert table["entry_id"].n_unique() == 322
    boards = Counter(record(row)["subset"] for row in rows)
    assert boards == {"verified": 162, "lite": 84, "bash-only": 31, "test": 23, "multimodal": 22}
    tiers = Counter((record(row)["subset"], record(row).get("tier")) for row in rows)
    assert tiers["bash-only", "verified"] == 29
    harness = [record(row) for row in rows if record(row)["subset"] == "bash-only"]
    assert all(str(entry["protocol"]["harness"]).startswith("mini-SWE-agent ") for entry in harness)  # type: ignore[index]


def test_real_aider(sources: dict[str, SourceSpec], upstream_dir: Path) -> None:
    rows = real(sources["aider"], upstream_dir)
    table = received(sources["aider"], rows)
    assert table.height == 2 * 69
    assert table["problem"].null_count() == 138
    extras = [record(row)["protocol"]["extra"] for row in rows]  # type: ignore[index]
    assert not any(extra.get("total_cost_usd") == 0 for extra in extras)
    assert sum(extra.get("total_cost_usd") == "not_tracked" for extra in extras) == 2 * 17
    commits = {record(row)["protocol"]["commit"] for row in rows}  # type: ignore[index]
    assert {"0282574", "5318380"} <= commits


def test_real_livebench(sources: dict[str, SourceSpec], upstream_dir: Path) -> None:
    rows = real(sources["livebench"], upstream_dir)
    table = received(sources["livebench"], rows)
    assert table.height == 126 * 23 + 1
    assert [(row.row_locator, row.problem) for row in rows if row.problem] == [
        ("line 110", "21 cells where the header has 24")
    ]
    assert sum(record(row)["value"] == 0 for row in rows if not row.problem) > 0
