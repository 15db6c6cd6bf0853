"""Waivers and corrections that are broken, aimless, or saved while a night runs: told, and never fatal to a night."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import yaml
from small_homes import NEXT, SmallWorld, day_frame, failing_gates, gate_row

from resources.catalog_files import load_catalog
from resources.catalog_problems import CatalogError
from resources.settled_catalog import LOOKS, settled_catalog
from warehouse.catalog_model import Waiver

WAIVER = {"gate": "degenerate-column", "reason": "r", "who": "Anna", "approved_by": "Berta"}
AHEAD, PAST = "2099-01-01T00:00:00Z", "2026-01-01T00:00:00Z"
CORRECTION = {"id": "typo", "reason": "r", "who": "Anna", "approved_by": "Berta", "when": "2026-03-28"}


def write(world: SmallWorld, key: str, *entries: dict[str, Any]) -> None:
    (world.catalog / f"{key}.yaml").write_text(yaml.safe_dump({key: [*entries]}), encoding="utf-8")


def spoil(world: SmallWorld) -> None:
    """A day that `degenerate-column` stops."""
    world.edit_gate("degenerate-column", threshold=2)
    rows = [
        {"benchmark": metric, "metric": "accuracy", "unit": "score", "value": 0, "model": f"model-{letter}"}
        for metric in ("gen-a", "repo-a", "debug-a")
        for letter in "abcdefgh"
    ]
    world.write_board("alpha", rows)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({**WAIVER, "until": AHEAD, "approved_by": " anna\u200b"}, "waivers[0]: `approved_by` must be someone other"),
        ({**WAIVER, "until": AHEAD, "gate": "degenerate-colum"}, "waiver of degenerate-colum until 2099"),
        ({**WAIVER, "until": PAST, "gate": "a-gate-of-last-year"}, None),
    ],
)
def test_a_waiver_that_waives_nothing_stops_no_day(fresh: SmallWorld, entry: dict[str, Any], told: str | None) -> None:
    write(fresh, "waivers", entry)
    ran = fresh.run()
    assert (ran.code, ran.json["published"] is not None) == (0 if told is None else 2, True), ran.said
    assert [told in fault for fault in ran.json["catalog_problems"]] == ([] if told is None else [True])
    check = fresh.ask("catalog", "check", "--catalog", str(fresh.catalog))
    assert check.code == ran.code
    assert told is None or (told in check.said and "1 problem." in check.said)
    assert fresh.ask("verify", "current").code == 0
    spoil(fresh)
    blocked = fresh.run()
    assert blocked.json["published"] is None, "it lets nothing pass"
    assert "degenerate-column" in failing_gates(fresh)


@pytest.mark.parametrize("broken", [{"expected": 1.0, "value": 2.0}, {"expected": 1.0, "value": 2.0, "entry_id": ""}])
def test_a_broken_correction_lets_a_day_be_made_and_not_published(fresh: SmallWorld, broken: dict[str, Any]) -> None:
    """Its value may be wrong: everything is fetched, made and judged, and the former release stays."""
    write(fresh, "corrections", {**CORRECTION, **broken})
    ran = fresh.run()
    assert (ran.code, ran.json["published"]) == (2, None), ran.said
    assert "corrections[0].entry_id" in ran.json["catalog_problems"][0]
    assert "typo" in gate_row(fresh, "corrections-met")["detail"]
    assert day_frame(fresh, "raw__snapshot")["sha256"].null_count() == 0
    synced = fresh.ask("sync", "--json", "--catalog", str(fresh.catalog))
    assert synced.code == 2 and len(synced.json["sources"]) == 4 and synced.json["catalog_problems"], synced.said


def test_a_correction_of_a_row_that_is_not_there_stops_the_day_and_says_which(fresh: SmallWorld) -> None:
    write(fresh, "corrections", {**CORRECTION, "entry_id": "0" * 16, "expected": 1.0, "exclude": True})
    ran = fresh.run()
    assert (ran.code, ran.json["published"]) == (1, None), ran.said
    assert "typo: no result has the entry id 0000000000000000" in gate_row(fresh, "corrections-met")["detail"]


@pytest.mark.parametrize("at", ["out__gate", "core__result"])
def test_what_is_saved_during_a_night_decides_the_next_one(
    fresh: SmallWorld, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    """A waiver saved in the middle: this release keeps the catalog that it was made with, and can be verified."""
    from resources.workspace import Workspace

    save = Workspace.save

    def saves(self: Workspace, table: str, *rest: Any, **more: Any) -> Any:
        if table == at:
            fresh.waive("rows-lost", AHEAD)
            fresh.write_sources({"id": "omega", "url": "x"})
        return save(self, table, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(Workspace, "save", saves)
        ran = fresh.run()
    assert ran.code == 0, ran.said
    release = fresh.releases.open(ran.json["published"])
    assert load_catalog(release.catalog_dir).catalog.sha256 == release.manifest.catalog_sha256
    assert release.manifest.waivers == ()
    assert fresh.ask("verify", "current").code == 0
    fresh.write_sources()
    following = fresh.run(day=NEXT)
    assert following.code == 0, following.said
    assert len(fresh.releases.open(following.json["published"]).manifest.waivers) == 1


def test_a_release_that_rests_on_a_waiver_of_a_former_form_is_told(
    fresh: SmallWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Left out as broken, it would look as if the release had never been allowed."""
    import resources.catalog_files

    spoil(fresh)
    fresh.waive("degenerate-column", AHEAD)
    assert fresh.run().code == 0

    class Tighter(Waiver):
        ticket: str

    monkeypatch.setattr(resources.catalog_files, "_LOADED", {})
    monkeypatch.setattr(resources.catalog_files, "Waiver", Tighter)
    ran = fresh.ask("verify", "current")
    assert (ran.code, "waivers[0].ticket: must be given" in ran.said) == (2, True), ran.said


def test_a_catalog_is_read_at_one_moment(fresh: SmallWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saved between its files' bytes and their meaning: it is read anew; saved without end: it is refused."""
    import resources.settled_catalog

    saved = 0

    def read_while_saving(times: int) -> Callable[..., Any]:
        def load(*arguments: Any) -> Any:
            nonlocal saved
            read = load_catalog(*arguments)
            if saved < times:
                saved += 1
                fresh.waive("rows-lost", f"2099-01-01T00:00:{saved:02}Z")
            return read

        return load

    monkeypatch.setattr(resources.settled_catalog, "load_catalog", read_while_saving(2))
    found = settled_catalog(fresh.catalog, fresh.catalog / "sources.yaml")
    assert f"00:{saved:02}Z".encode() in found.files["waivers.yaml"]
    assert found.load.catalog.waivers[0].until.second == saved == 2
    monkeypatch.setattr(resources.settled_catalog, "load_catalog", read_while_saving(2 + LOOKS))
    with pytest.raises(CatalogError, match="changed 5 times while they were read"):
        settled_catalog(fresh.catalog, fresh.catalog / "sources.yaml")
