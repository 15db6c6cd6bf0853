"""What counts as a night and what `status` makes of it: mistakes, nights that brought nothing, sources of the past."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from small_homes import SmallWorld, call

import pipelines.beginning
from resources.night_signals import keep_night
from resources.sync_outcomes import keep_outcome

TODAY = datetime.now(UTC).date()


@pytest.mark.parametrize(
    "mistake",
    [
        ("run", "--mirror", "/nowhere"), ("run", "--source", "nope"), ("run", "--as-of", "2999-01-01"),
        ("run", "--sources", "/nowhere/sources.yaml"), ("sync", "nope"), ("sync", "--mirror", "/nowhere"),
        ("backfill", "--from", "/nowhere"), ("backfill", "--from", ".", "--source", "nope"),
        ("register", "losses", "name", "/nowhere.csv"), ("withdraw", "--reason", "x", "newest"),
        ("rollback", "--reason", "x", "--to", "newest"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_mistake_in_what_was_asked_is_no_night(
    fresh: SmallWorld, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mistake: tuple[str, ...]
) -> None:
    """No signal, no alert, no folder."""

    def told(*_ignored: object, **_more: object) -> None:
        pytest.fail("a night was ended")

    monkeypatch.setattr(pipelines.beginning, "end_night", told)
    home = tmp_path / "none" / "home"
    ran = call(*mistake, "--home", home, "--catalog", fresh.catalog)
    assert ran.code == 2
    assert mistake[-1] in ran.err
    assert not home.parent.exists()


@pytest.mark.parametrize("code", [1, 2, 70])
def test_a_night_that_published_nothing_is_not_healthy(published: SmallWorld, code: int) -> None:
    """Until somebody made a release after it; a night is judged by what came of it, not by its code."""

    def reasons() -> list[str]:
        ran = published.ask("status", "--json", "--catalog", str(published.catalog))
        assert ran.json["healthy"] is (ran.json["reasons"] == []) is (ran.code == 0)
        found: list[str] = ran.json["reasons"]
        return found

    assert reasons() == []
    keep_night(published.home, TODAY.isoformat(), datetime.now(UTC), code, None)
    assert reasons() == [f"the last night ended 0.0 hours ago with {code} and published nothing"]
    assert published.ask("status").out.startswith("NOT healthy\n  the last night ended")
    current = published.releases.current()
    assert current is not None
    keep_night(published.home, TODAY.isoformat(), current.manifest.created_at - timedelta(minutes=1), code, None)
    assert reasons() == []


def test_a_source_of_another_sources_file_says_nothing_about_health(published: SmallWorld) -> None:
    """The last day was made without it; one that was synced after that day is new, and counts."""
    asked = ("status", "--catalog", str(published.catalog))
    keep_outcome(published.home, "omega", "failed", "gone", datetime(2026, 1, 1, tzinfo=UTC))
    status = published.ask(*asked, "--json")
    assert (status.code, status.json["former_sources"]) == (0, ["omega"])
    assert [source["leaderboard"] for source in status.json["sources"]] == ["alpha", "beta", "delta", "gamma"]
    assert "No longer asked, and not judged: omega" in published.ask(*asked).out
    keep_outcome(published.home, "omega", "failed", "gone", datetime.now(UTC))
    status = published.ask(*asked, "--json")
    assert (status.code, status.json["former_sources"]) == (1, [])
    assert status.json["reasons"] == ["sources that failed: omega"]
