"""Releases of a version of the program that wrote its catalog in another form: told, and read as far as they can be."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest
import yaml
from small_homes import DAY, SmallWorld

import resources.catalog_files
import resources.catalog_reader
from warehouse.catalog_model import SourceSpec
from warehouse.metric_model import MetricSpec


def tightened_metrics(patch: pytest.MonkeyPatch) -> None:
    """As after a version of the program that asks more of every metric."""

    class Tighter(MetricSpec):
        measured_by: str

    patch.setattr(resources.catalog_files, "MetricSpec", Tighter)


def tightened_sources(patch: pytest.MonkeyPatch) -> None:
    """As after a version that asks more of every source, whose fault is elsewhere that of its entry alone."""

    class Tighter(SourceSpec):
        contact: str

    patch.setattr(resources.catalog_reader, "SourceSpec", Tighter)


def correct_a_row(world: SmallWorld) -> None:
    """Writes a correction of a row that both releases count."""
    results = world.tables.read("core__result", DAY).filter(pl.col("leaderboard") == "beta")
    entry, value = results.select("entry_id", "value").row(0)
    typo = {
        "id": "typo", "entry_id": entry, "leaderboard": "beta", "reason": "misread", "expected": value,
        "exclude": True, "who": "one", "approved_by": "another", "when": "2026-03-30",
    }  # fmt: skip
    (world.catalog / "corrections.yaml").write_text(yaml.safe_dump({"corrections": [typo]}), encoding="utf-8")


@pytest.mark.parametrize(
    ("tighten", "missing"),
    [(tightened_metrics, "metrics[0].measured_by"), (tightened_sources, "sources[0].contact")],
)
def test_a_catalog_of_a_former_form_is_told_with_the_version_that_reads_it(
    published_twice: SmallWorld,
    monkeypatch: pytest.MonkeyPatch,
    tighten: Callable[[pytest.MonkeyPatch], None],
    missing: str,
) -> None:
    """Exit code 2: no difference, no bug. What needs no catalog goes on; a damaged release is still damaged."""
    world, release = published_twice, published_twice.releases.current()
    assert release is not None
    monkeypatch.setattr(resources.catalog_files, "_LOADED", {})
    tighten(monkeypatch)
    first = world.releases.ledger().releases[0].release_id
    asked = (
        ("verify", release.release_id),
        ("explain", "m1", "coding"),
        ("diff", first, release.release_id),
        ("export", release.release_id, "--format", "every-eval-ever", "--out", str(world.root / "out")),
    )
    for words in asked:
        ran = world.ask(*words, "--json")
        assert ran.code == 2, ran.said
        assert f"code {release.manifest.code_version[:12]}" in ran.json["error"]
        assert f"{missing}: must be given" in ran.json["error"]
        assert "docs/reproducing.md" in ran.json["error"]
    assert world.ask("scores").code == 0
    correct_a_row(world)
    affected = world.ask("affected", "--catalog", str(world.catalog), "--json")
    assert [one["corrections"] for one in affected.json["releases"]] == [["typo"], ["typo"]], affected.said
    assert world.ask("rollback", "--to", first, "--reason", "the day before").code == 0
    assert world.published() == first
    (world.releases.folder(first) / "catalog" / "metrics.yaml").write_text("metrics: 7\n")
    damaged = world.ask("verify", first)
    assert damaged.code == 1
    assert "metrics.yaml: was changed" in damaged.out
