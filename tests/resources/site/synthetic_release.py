"""A release made in memory, through the methods themselves, of any size and with names as bad as names get.

Belongs here: the inputs of a site without a run. Values are drawn with a fixed seed, so that the same arguments give
the same release. With `hostile`, every text that comes from outside carries something that must not work on a page.
"""

from __future__ import annotations

import random
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polars as pl

from methods.catalog.received import receive
from methods.catalog.results import build_results
from methods.scoring.board import build_board
from methods.scoring.evidence import build_evidence
from resources.site.inputs import SiteInputs
from resources.yaml_documents import load_yaml
from warehouse.canonical import sha256_hex
from warehouse.catalog_model import Catalog
from warehouse.identity import release_id
from warehouse.manifest import Manifest
from warehouse.received import ReceivedRow
from warehouse.tables import OUT_GATE, OUT_PRODUCT, RAW_SNAPSHOT
from warehouse.vocabulary import CATEGORIES, SOURCE_TYPES

DAY = date(2026, 10, 20)
NOON = datetime(2026, 10, 20, 12, 0, tzinfo=UTC)
METHODOLOGY = Path(__file__).resolve().parents[3] / "warehouse" / "catalog" / "methodology.yaml"
SHA = sha256_hex(b"a snapshot")

HOSTILE = (
    "<script>window.broken=1</script><img src=x onerror=window.broken=1>",
    "</script></title></style></textarea><svg onload=window.broken=1>",
    "\" onmouseover=\"window.broken=1\" x='",
    "{{ 7 * 7 }}{% raw %}${window.broken=1}",
    "gpt\u202e4-tpg\u202c\u2066x\u2069 العربية עברית",
    "a" * 400 + " " + "long" * 100,
    "🙂👩‍👩‍👧‍👦 模型 “mini” é",
    "nul\x00bell\x07esc\x1b[31m del\x7f c1\x9b\u2028\u2029 two\r\nlines\ttab",
    "=HYPERLINK(\"https://evil.example\",\"x\")",
    "-->]]>&amp;&lt;b&gt;&#60;",
)  # fmt: skip
ADDRESSES = (
    "https://example.org/a?b=1&c=\"><script>window.broken=1</script>",
    "javascript:window.broken=1",
    "https://example.org/fine?x=1&y=2#z",
    "data:text/html,<script>window.broken=1</script>",
    "//evil.example/x",
    "http://user:secret@evil.example/",
    "https://evil.example/\x00\x1b",
    " javascript:alert(1)",
    "JaVaScRiPt:window.broken=1",
    None,
)  # fmt: skip


def synthetic(
    models: int = 12, *, metrics: int = 2, fill: float = 0.6, hostile: bool = False, categories: tuple[str, ...] = ()
) -> SiteInputs:
    """The inputs of a site.

    Args:
        models: how many there are, each on a share `fill` of all metrics.
        metrics: how many a dimension has, each with a family of its own.
        hostile: whether names, settings, addresses and values are bad.
        categories: those with evidence; all where none is named.
    """
    draw = random.Random(f"{models} {metrics} {fill}")
    wanted = categories or tuple(CATEGORIES)
    catalog = _catalog(models, metrics, hostile, wanted)
    raw_rows = pl.concat([_board(category, models, metrics, fill, hostile, draw) for category in wanted])
    results = build_results(raw_rows, catalog)
    tables = build_evidence(raw_rows, results, catalog)
    day_id = release_id(
        as_of=DAY, snapshots=[(f"board-{c}", SHA) for c in wanted], evidence=[], baseline=None,
        catalog_sha256=catalog.sha256, methodology_version=catalog.methodology.version, code_version=SHA,
    )  # fmt: skip
    board = build_board(tables.evidence, catalog, release_id=day_id, as_of=DAY)
    frames = {
        "raw__snapshot": _snapshots(raw_rows, wanted, hostile),
        "raw__row": raw_rows,
        "core__result": results,
        "core__evidence": tables.evidence,
        "core__exclusion": tables.exclusions,
        "out__dimension_score": board.dimension_scores,
        "out__category_score": board.category_scores,
        "out__score_weight": board.weights,
        "out__gate": _gates(hostile),
        "out__product": OUT_PRODUCT.conform(
            pl.DataFrame([("scores", "published", None)], schema=OUT_PRODUCT.polars_schema(), orient="row")
        ),
    }  # fmt: skip
    return SiteInputs(manifest=_manifest(day_id, catalog, frames, wanted), catalog=catalog, tables=frames)


def model_name(number: int, hostile: bool) -> str:
    """A model's registered name."""
    return f"{HOSTILE[number % len(HOSTILE)]} {number}" if hostile else f"Model {number:04d}"


def _catalog(models: int, metrics: int, hostile: bool, categories: tuple[str, ...]) -> Catalog:
    bad = HOSTILE[0] if hostile else ""
    listed = [
        {
            "id": f"model-{number:04d}", "name": model_name(number, hostile),
            "developer": f"Maker {number % 7} {HOSTILE[number % len(HOSTILE)] if hostile else ''}".strip(),
            "urls": [address for address in ADDRESSES if address] if hostile else [],
        }
        for number in range(models)
    ]  # fmt: skip
    registered = [
        {
            "id": _metric_id(category, dimension, n), "category": category, "dimension": dimension,
            "family": f"family {dimension} {n} {bad}".strip(), "protocol": f"as stated {bad}".strip(),
            "direction": "higher", "transform": "logit", "status": "scored",
            "from": [{"benchmark": f"{dimension} {n}", "metric": f"accuracy {bad}".strip()}],
        }
        for category in categories for dimension in CATEGORIES[category] for n in range(metrics)
    ]  # fmt: skip
    sources = [
        {
            "id": f"board-{category}", "title": f"Board of {category} {bad}".strip(), "connector": "native",
            "url": "https://example.org/x.json", "source_type": SOURCE_TYPES[n % 4], "license": f"CC0 {bad}".strip(),
            "max_age": 30,
        }
        for n, category in enumerate(categories)
    ]  # fmt: skip
    gates = [{"id": "rows", "product": "scores", "table": "core__result"}]
    methodology = load_yaml(METHODOLOGY.read_bytes(), "methodology.yaml").data
    return Catalog.model_validate(
        {
            "version": "2026.10", "sources": sources, "metrics": registered, "models": listed,
            "methodology": methodology, "gates": gates,
        }
    )  # fmt: skip


def _metric_id(category: str, dimension: str, number: int) -> str:
    return f"{category}.{dimension}.{number}"


def _board(category: str, models: int, metrics: int, fill: float, hostile: bool, draw: random.Random) -> pl.DataFrame:
    rows: list[dict[str, Any]] = []
    for dimension in CATEGORIES[category]:
        for n in range(metrics):
            rows += [
                _record(f"{dimension} {n}", number, round(20 + 60 * draw.random(), 2), hostile)
                for number in range(models)
                if draw.random() < fill
            ]
    rows.append(_record(f"{CATEGORIES[category][0]} 0", 0, 55.5, hostile) | {"setting": "a duplicate that loses"})
    rows.append(_record("nobody registered this", 1, 50, hostile))
    rows.append(_record(f"{CATEGORIES[category][0]} 0", 1, "n/a", hostile))
    rows.append(dict(rows[0]))
    received = [ReceivedRow(f"results[{place}]", row) for place, row in enumerate(rows)]
    received.append(ReceivedRow("results[last]", None, f"no object {HOSTILE[7] if hostile else ''}", "<b>?</b>"))
    return receive(f"board-{category}", SHA, received)


def _record(benchmark: str, number: int, value: object, hostile: bool) -> dict[str, Any]:
    bad = HOSTILE[number % len(HOSTILE)] if hostile else None
    return {
        "benchmark": benchmark, "metric": f"accuracy {HOSTILE[0]}" if hostile else "accuracy", "unit": "score",
        "value": f"{value} {bad}" if hostile and isinstance(value, str) else value,
        "model": model_name(number, hostile), "setting": bad, "notes": bad,
        "source_url": ADDRESSES[number % len(ADDRESSES)] if hostile else f"https://example.org/r/{number}",
    }  # fmt: skip


def _snapshots(raw_rows: pl.DataFrame, categories: tuple[str, ...], hostile: bool) -> pl.DataFrame:
    statuses = ("fresh", "stale", "failed", "asserted")
    rows = [
        {
            "leaderboard": f"board-{category}", "sha256": SHA, "path": f"snapshots/board-{category}/{SHA}.json",
            "source_url": ADDRESSES[n] if hostile else "https://example.org/x.json", "fetched_at": NOON,
            "synced_at": NOON, "bytes": 1000, "rows": raw_rows.filter(leaderboard=f"board-{category}").height,
            "etag": None, "connector": "native", "status": statuses[n % 4],
        }
        for n, category in enumerate(categories)
    ]  # fmt: skip
    return RAW_SNAPSHOT.conform(pl.DataFrame(rows, schema=RAW_SNAPSHOT.polars_schema()))


def _gates(hostile: bool) -> pl.DataFrame:
    row = {
        "product": "scores", "table": "core__result", "severity": "blocking", "figure": 0.31, "threshold": 0.2,
        "evaluated": 322, "failed": 100, "verdict_key": SHA, "decided_at": NOON,
        "detail": f"rows lost 31% > 20% allowed: swebench 322 → 222 {HOSTILE[0] if hostile else ''}",
    }  # fmt: skip
    rows = [row | {"gate": "rows", "verdict": "fail"}, row | {"gate": "shape", "verdict": "pass", "figure": None}]
    return OUT_GATE.conform(pl.DataFrame(rows, schema=OUT_GATE.polars_schema()))


def _manifest(day_id: str, catalog: Catalog, frames: dict[str, pl.DataFrame], categories: tuple[str, ...]) -> Manifest:
    return Manifest.model_validate(
        {
            "release_id": day_id, "as_of": DAY, "created_at": NOON, "decided_at": NOON,
            "catalog_version": catalog.version, "catalog_sha256": catalog.sha256,
            "methodology_version": catalog.methodology.version, "code_version": SHA,
            "snapshots": [
                {"leaderboard": f"board-{c}", "sha256": SHA, "status": "fresh", "license": "CC0", "bytes": 1000}
                for c in categories
            ],
            "packages": {"polars": "2.1.0"},
            "tables": {name: {"hash": SHA, "rows": frame.height, "file_sha256": SHA} for name, frame in frames.items()},
        }
    )  # fmt: skip
