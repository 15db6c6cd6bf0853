"""Small sources, settings, files and records for the tests of the inbound half."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from resources.settings import Settings
from resources.snapshot_index import SnapshotRecord
from resources.snapshots import snapshot_path
from warehouse.catalog_model import SourceSpec

NOW = datetime(2026, 10, 20, 3, 0, tzinfo=UTC)
ROW = {"benchmark": "B", "metric": "m", "unit": "score", "value": 50, "model": "Model A"}


def record_of(data: bytes, leaderboard: str = "board", **changes: Any) -> SnapshotRecord:
    """An index record of some bytes, fetched at NOW unless changed."""
    sha256 = hashlib.sha256(data).hexdigest()
    values: dict[str, Any] = {
        "leaderboard": leaderboard, "sha256": sha256, "path": snapshot_path(leaderboard, sha256, "a.json"),
        "source_url": "https://example.org/a.json", "fetched_at": NOW, "synced_at": NOW, "time_basis": "fetched",
        "bytes": len(data), "rows": 1, "connector": "native",
    }  # fmt: skip
    return SnapshotRecord(**(values | changes))


def source_of(url: str, leaderboard: str = "board", **changes: Any) -> SourceSpec:
    """A native source."""
    values = {"id": leaderboard, "title": "Board", "connector": "native", "url": url, "source_type": "official"}
    return SourceSpec(**(values | changes))


def native(rows: int = 1, leaderboard: str = "board", synced_at: str | None = None, value: object = 50) -> bytes:
    """A native file of some rows."""
    results = [ROW | {"model": f"Model {n}", "value": value} for n in range(rows)]
    envelope = {"schema": "scoretrail.leaderboard/1", "leaderboard": leaderboard, "results": results}
    return json.dumps(envelope | ({"synced_at": synced_at} if synced_at else {})).encode()


def settings_of(folder: Path, **environ: str) -> Settings:
    """Settings whose home is `folder`/home and whose catalog and sources stand in `folder`/catalog."""
    (folder / "catalog").mkdir(exist_ok=True)
    return Settings.from_env(home=folder / "home", catalog_dir=folder / "catalog", environ=environ)
