"""`withdraw`, `rollback`, `affected` and what `status` says of them, through the front door."""

from __future__ import annotations

import zipfile
from datetime import timedelta
from pathlib import Path

import duckdb
import polars as pl
import pytest
import yaml
from small_homes import DAY, SmallWorld, call

from methods.release.ledger import fold
from resources.releases import ReleaseStore


@pytest.fixture
def world(published_twice: SmallWorld) -> SmallWorld:
    """The small world with two days."""
    return published_twice


def ids(world: SmallWorld) -> tuple[str, str]:
    first, second = (record.release_id for record in world.releases.ledger().releases)
    return first, second


def events(world: SmallWorld) -> list[tuple[str, str, str | None, str | None]]:
    with duckdb.connect(str(world.database), read_only=True) as connection:
        found = connection.execute("SELECT event, release_id, reason, replaced_by FROM out__release_event").fetchall()
    return [(str(a), str(b), c, d) for a, b, c, d in found]


def test_a_withdrawal_says_why_what_stands_instead_and_deletes_nothing(world: SmallWorld) -> None:
    """G08: an invalid release has a reason and a replacement; readers, DuckDB and status follow; nothing is deleted."""
    first, second = ids(world)
    files = {path: path.read_bytes() for path in world.releases.folder(first).rglob("*") if path.is_file()}
    ran = world.ask("withdraw", first, "--reason", "unit bug", "--replaced-by", second)
    assert ran.code == 0, ran.said
    assert f"{first} is withdrawn: unit bug" in ran.out and f"In its place stands {second}" in ran.out
    assert f"Their gates compared with it: {second}" in ran.out.replace("\n", " ")
    assert {path: path.read_bytes() for path in files} == files
    assert world.published() == second
    assert events(world)[-1] == ("withdrawn", first, "unit bug", second)
    status = world.ask("status", "--max-age-hours", "1e9", "--json").json
    assert status["standing"] == [f"{first} is withdrawn (unit bug); in its place stands {second}"]
    assert world.ask("verify", first, "--json").json["holds"] is True
    told = world.ask("diff", first, second, "--json").json["warnings"]
    assert any(f"{first} is withdrawn" in said for said in told)


def test_a_replacement_must_be_another_standing_release(world: SmallWorld) -> None:
    first, second = ids(world)
    for replacement in (first, "2026-01-01-000000000000"):
        ran = world.ask("withdraw", first, "--reason", "x", "--replaced-by", replacement)
        assert ran.code == 2 and "must be another release" in ran.said
    assert world.ask("withdraw", second, "--reason", "x").code == 0
    ran = world.ask("withdraw", first, "--reason", "x", "--replaced-by", second, "--json")
    assert ran.code == 2 and "is withdrawn itself: x" in ran.json["error"]
    last = world.ask("withdraw", first, "--reason", "x", "--json").json
    assert last["current"] is None and world.published is not None
    with duckdb.connect(str(world.database), read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM out__category_score").fetchone() == (0,)


def test_a_rollback_names_what_is_out_of_sight(world: SmallWorld) -> None:
    first, second = ids(world)
    ran = world.ask("rollback", "--reason", "score jump")
    assert ran.code == 0 and f"Readers now get {first}" in ran.out and second in ran.out
    assert world.published() == first
    [said] = world.ask("status", "--max-age-hours", "1e9", "--json").json["standing"]
    assert said.startswith(f"rolled back to {first} (score jump)") and second in said
    assert events(world)[-1] == ("rolled_back", first, "score jump", None)
    assert world.ask("rollback", "--to", second, "--reason", " ").code == 2
    assert world.ask("rollback", "--to", second, "--reason", "it was right", "--json").json["hidden"] == []
    assert world.ask("status", "--max-age-hours", "1e9", "--json").json["standing"] == []


def test_a_withdrawn_release_is_not_said_to_come_back(world: SmallWorld) -> None:
    """A rollback holds until a newer release is made; a withdrawal holds for ever, whichever came first."""
    first, second = ids(world)
    assert world.ask("rollback", "--reason", "score jump").code == 0
    assert world.ask("withdraw", second, "--reason", "taken back").code == 0
    standing = world.ask("status", "--max-age-hours", "1e9", "--json").json["standing"]
    assert standing == [f"{second} is withdrawn (taken back)"]
    assert world.current() == world.published() == first


def test_releases_with_a_row_corrected_since_are_listed_and_keep_their_numbers(world: SmallWorld) -> None:
    """G08, E02: a fix never reaches what was published; it lists what it would have reached."""
    first, second = ids(world)
    results = world.tables.read("core__result", DAY)
    entry, value = (
        results.filter((pl.col("leaderboard") == "beta") & (pl.col("model") == "model-c")).select("entry_id", "value")
    ).row(0)
    assert world.ask("affected", "--catalog", str(world.catalog)).out.startswith("None of 2 releases")
    correction = {
        "id": "beta-typo", "entry_id": entry, "leaderboard": "beta", "reason": "typo", "expected": value,
        "exclude": True, "who": "one", "approved_by": "another", "when": "2026-03-30",
    }  # fmt: skip
    (world.catalog / "corrections.yaml").write_text(yaml.safe_dump({"corrections": [correction]}), encoding="utf-8")
    before = world.ask("scores", "--release", first, "--json").out
    for asked in ((), ("beta-typo",), (entry,)):
        found = world.ask("affected", *asked, "--catalog", str(world.catalog), "--json").json["releases"]
        assert [release["release_id"] for release in found] == [first, second]
        [row] = found[0]["rows"]
        assert (row["model_id"], row["entry_id"], row["others"]) == ("model-c", entry, 7)
        explained = world.ask("explain", "model-c", "coding", "--release", first, "--json").json
        own = [item for part in explained["dimensions"] for item in part["own"]]
        assert row["points"] == next(o["contribution"] for o in own if o["evidence_id"] == row["evidence_id"])
    ran = world.run(day=DAY + timedelta(days=2))
    assert ran.code == 0, ran.said
    found = world.ask("affected", "beta-typo", "--catalog", str(world.catalog), "--json").json["releases"]
    assert [release["release_id"] for release in found] == [first, second]
    assert world.ask("scores", "--release", first, "--json").out == before
    text = world.ask("affected", "--catalog", str(world.catalog)).out
    assert "2 of 3 releases are affected" in text and "without correction beta-typo" in text


def test_releases_of_a_code_version_are_listed(world: SmallWorld) -> None:
    """E02: release R1 was computed by code v1, the fix is in v2: R1 is found by v1."""
    first, second = ids(world)
    code = world.releases.open(first).manifest.code_version
    found = world.ask("affected", "--code", code[:12], "--json").json["releases"]
    assert [release["release_id"] for release in found] == [first, second]
    assert world.ask("affected", "--code", "f" * 64).out.startswith("None of 2")
    assert world.ask("affected", "--code", "zz").code == 2
    assert world.ask("affected", "x", "--code", code).code == 2
    assert world.ask("affected", "nothing-such", "--catalog", str(world.catalog)).code == 2


def test_a_ledger_written_before_replacements_reads_as_ever() -> None:
    assert fold([]).replaced_by == {} and fold([]).standing_rollback is None


def test_a_withdrawn_release_says_so_wherever_it_is_shown_or_passed_on(world: SmallWorld, tmp_path: Path) -> None:
    """Text, JSON, pages that leave the release, the archive and what is unpacked of it; its own pages stay."""
    first, second = ids(world)
    reason = "unit <b>bug</b>"
    kept = (world.releases.folder(first) / "site" / "index.html").read_bytes()
    assert world.ask("scores", "--release", first, "--json").json["withdrawn"] is None
    for name in (first, second):
        assert world.ask("withdraw", name, "--reason", reason).code == 0
    scores = world.ask("scores", "--release", first)
    assert f"WITHDRAWN: {reason}" in scores.out and f"{first} is withdrawn: {reason}" in scores.said
    assert world.ask("scores", "--release", first, "--json").json["withdrawn"] == reason
    row = world.ask("scores", "--release", first, "--json").json["scores"][0]
    ran = world.ask("explain", row["model_id"], row["category"], "--release", first)
    assert ran.out.startswith(f"WITHDRAWN: {reason}")
    told = world.ask("explain", row["model_id"], row["category"], "--release", first, "--json").json
    assert told["withdrawn"] == reason
    assert world.ask("verify", first, "--no-site", "--json").json["withdrawn"] == reason

    assert world.ask("site", "--release", first, "--out", str(tmp_path / "site")).code == 0
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert pages
    said = "withdrawn:</strong> <bdi>unit &lt;b&gt;bug&lt;/b&gt;"
    assert [page for page in pages if said not in page.read_text()] == []
    assert (world.releases.folder(first) / "site" / "index.html").read_bytes() == kept

    packed = tmp_path / "a.zip"
    assert f"{first} is withdrawn" in world.ask("export", first, "--archive", str(packed)).said
    verified = world.ask("verify", str(packed), "--no-site")
    assert verified.code == 0 and f"It is withdrawn: {reason}" in verified.out
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(tmp_path / "home")
    store = ReleaseStore(tmp_path / "home")
    assert store.current() is None and store.ledger().withdrawn == {first: reason}
    empty = world.ask("scores")
    assert empty.code == 2 and "every release of" in empty.said and first in empty.said


def test_a_release_is_named_by_the_same_words_everywhere(published_twice: SmallWorld, tmp_path: Path) -> None:
    first, second = (record.release_id for record in published_twice.releases.ledger().releases)
    for word, release_id in (("current", second), ("previous", first)):
        archive, site = tmp_path / f"{word}.zip", tmp_path / word
        for asked in (
            ("scores", "--release", word), ("explain", "model-a", "coding", "--release", word),
            ("export", word, "--archive", str(archive)), ("site", "--release", word, "--out", str(site)),
            ("pair", "--release", word), ("verify", word, "--no-site"),
        ):  # fmt: skip
            ran = published_twice.ask(*asked)
            assert ran.code == 0, ran.said
            assert release_id in ran.out, asked
    assert published_twice.ask("diff", "current", "previous", "--json").json["former"]["release_id"] == second
    assert published_twice.ask("rollback", "--to", "previous", "--reason", "x", "--json").json["current"] == first
    ran = published_twice.ask("withdraw", "current", "--replaced-by", second, "--reason", "y", "--json")
    assert (ran.json["release_id"], ran.json["replaced_by"]) == (first, second)


@pytest.mark.parametrize(
    "asked",
    [
        ("scores", "--release"), ("export", "--archive", "x.zip"), ("diff", "current"), ("verify",),
        ("withdraw", "--reason", "x"), ("rollback", "--reason", "x", "--to"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("named", ["newest", "2026-03-28-000000000000"])
def test_an_unknown_release_is_answered_with_those_there_are(
    second_day: SmallWorld, asked: tuple[str, ...], named: str
) -> None:
    ran = second_day.ask(*asked, named)
    assert ran.code == 2
    assert named in ran.err
    for record in second_day.releases.ledger().releases:
        assert record.release_id in ran.err


def test_a_word_that_stands_for_no_release_says_so(template: SmallWorld, tmp_path: Path) -> None:
    assert "holds no previous release" in template.ask("scores", "--release", "previous").err
    assert "holds no release yet" in call("export", "previous", "--archive", "x.zip", "--home", tmp_path).err
