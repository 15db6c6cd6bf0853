"""Review through the command: queue with age, sheet out and in, refusals by line, disagreement, the walk for a pair."""

from __future__ import annotations

import csv
import io
import json
import shutil
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from small_homes import DAY, Ran, SmallWorld, call

from resources.candidate_pairs import first_seen

HEADER = "entry_id_a,entry_id_b,decision,reason,reviewer,reviewed_at\n"


def review(world: SmallWorld, *arguments: str | Path) -> Ran:
    return call("review", *arguments, "--home", world.home, "--catalog", world.catalog)


def sheet(world: SmallWorld, *more: str) -> list[dict[str, str]]:
    path = world.root / "pairs.csv"
    ran = review(world, "export", "--out", path, *more)
    assert ran.code == 0, ran.said
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def bring(
    world: SmallWorld, rows: list[dict[str, str]], *more: str, encoding: str = "utf-8", delimiter: str = ","
) -> Ran:
    path = world.root / "filled.csv"
    with path.open("w", encoding=encoding, newline="") as stream:
        write = csv.DictWriter(stream, list(rows[0]), delimiter=delimiter)
        write.writeheader()
        write.writerows(rows)
    return review(world, "import", path, *more)


def decisions(world: SmallWorld) -> str:
    path = world.catalog / "decisions.csv"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def test_the_queue_shows_what_awaits_a_person_with_its_age(published: SmallWorld) -> None:
    ran = review(published, "queue", "--json")
    assert ran.code == 0, ran.said
    found = ran.json
    assert found["pairs"] == len(found["awaiting"]) > 10
    age = (datetime.now(UTC).date() - DAY).days
    assert {row["first_seen"] for row in found["awaiting"]} == {DAY.isoformat()}
    assert all(abs(row["age_days"] - age) <= 1 for row in found["awaiting"])
    assert "await a person" in review(published, "queue", "-n", "3").out


def test_a_pair_is_as_old_as_the_first_day_that_held_it(published: SmallWorld) -> None:
    path = published.tables.path("core__candidate_pair", DAY)
    shutil.copyfile(path, path.with_name("2026-03-26.parquet"))
    assert set(first_seen(published.home).values()) == {date(2026, 3, 26)}


def test_a_sheet_goes_out_and_comes_back(published: SmallWorld) -> None:
    """Only filled lines count; what stood in decisions.csv stays byte for byte; the same sheet again adds nothing."""
    before = f'{HEADER}{"0" * 16},{"1" * 16},unsure,"of old, quoted",R0,2026-01-01\n'
    (published.catalog / "decisions.csv").write_text(before, encoding="utf-8")
    rows = sheet(published)
    assert all(row["decision"] == row["reason"] == row["reviewer"] == "" for row in rows)
    assert all(row["suggested_decision"] and row["a_model"] and row["b_model"] and row["supports"] for row in rows)
    rows[0] |= {"decision": "protocol_mismatch", "reason": "harness, not recorded", "reviewed_at": "2026-03-29"}
    rows[1] |= {"decision": "unsure", "reason": "who knows"}
    ran = bring(published, rows, "--reviewer", "R1", "--json")
    assert ran.code == 0, ran.said
    assert (ran.json["added"], ran.json["undecided"], ran.json["orphaned"]) == (
        2,
        len(rows) - 2,
        [f"{'0' * 16}~{'1' * 16}"],
    )
    assert ran.json["awaiting"] == len(rows) - 2
    after = decisions(published)
    assert after.startswith(before)
    assert '"harness, not recorded",R1,2026-03-29\n' in after
    again = bring(published, rows, "--reviewer", "R1", "--json")
    assert (again.json["added"], again.json["repeated"]) == (0, 2)
    assert decisions(published) == after
    assert len(sheet(published)) == len(rows) - 2
    assert len(sheet(published, "--all")) == len(rows)


def test_what_a_spreadsheet_program_saves_is_read(published: SmallWorld) -> None:
    """Byte order mark, semicolons and moved columns do no harm."""
    rows = [dict(reversed(row.items())) for row in sheet(published)]
    rows[2] |= {"decision": "unsure", "reason": "seen", "reviewer": "R1"}
    ran = bring(published, rows, "--json", encoding="utf-8-sig", delimiter=";")
    assert ran.code == 0, ran.said
    assert ran.json["added"] == 1


def test_a_sheet_at_fault_is_refused_whole_with_line_numbers(published: SmallWorld) -> None:
    """An `aligned` that cannot be confirmed is refused and its fields are named; nothing of the sheet is written."""
    rows = sheet(published)
    rows[0] |= {"decision": "aligned", "reason": "the same", "reviewer": "R1"}
    rows[1] |= {"decision": "perhaps", "reason": "x", "reviewer": "R1"}
    rows[2] |= {"decision": "unsure", "reason": "", "reviewer": "R1"}
    rows[3] |= {"decision": "unsure", "reason": "y"}
    rows[4] |= {"decision": "unsure", "reason": "=cmd()", "reviewer": "R1"}
    rows[5] |= {"decision": "unsure", "reason": "z", "reviewer": "R1", "pair_id": f"{'a' * 16}~{'b' * 16}"}
    rows[6] |= {"decision": "unsure", "reason": "z", "reviewer": "R1", "reviewed_at": "29.3.2026"}
    rows[7] |= {"decision": "unsure", "reason": "sound", "reviewer": "R1"}
    ran = bring(published, rows)
    assert ran.code == 2
    said = ran.said
    for line, word in ((3, "decision"), (4, "reason"), (5, "reviewer"), (6, "'='"), (8, "reviewed_at")):
        assert any(f"line {line}:" in one and word in one for one in said.splitlines()), (line, said)
    assert decisions(published) in {"", HEADER}
    for row in rows[1:]:
        row["decision"] = ""
    ran = bring(published, rows)
    assert ran.code == 2
    assert "line 2" in ran.said
    for name in ("model_version", "harness", "runs"):
        assert name in ran.said


def test_reviewers_who_disagree_are_seen_and_the_pair_waits_again(published: SmallWorld) -> None:
    rows = sheet(published)
    rows[0] |= {"decision": "unsure", "reason": "who knows", "reviewer": "R1"}
    assert bring(published, rows).code == 0
    rows[0] |= {"decision": "version_mismatch", "reason": "I know", "reviewer": "R2"}
    ran = bring(published, rows)
    assert ran.code == 0
    assert f"reviewers disagree on {rows[0]['pair_id']}" in ran.said
    queue = review(published, "queue", "--json").json
    assert queue["disputed"] == [rows[0]["pair_id"]]
    assert rows[0]["pair_id"] in {row["pair_id"] for row in queue["awaiting"]}
    assert "R1: unsure (disputed); R2: version_mismatch (disputed)" in sheet(published)[0]["decided_so_far"]


def test_a_hostile_name_leaves_the_sheet_guarded(published: SmallWorld) -> None:
    board = published.board_file("alpha")
    text = json.loads(board.read_text(encoding="utf-8"))
    for one in text["results"]:
        one["notes"] = "=HYPERLINK(1)"
    published.write_board("alpha", text["results"])
    assert published.run().code == 0
    assert any(row[f"{side}_notes"] == "'=HYPERLINK(1)" for row in sheet(published) for side in "ab")


def test_the_walk_for_a_pair_leads_to_snapshot_and_row(published: SmallWorld) -> None:
    rows = sheet(published)
    one = rows[0]["pair_id"]
    ran = published.ask("pair", one, "--json")
    assert ran.code == 0, ran.said
    found = ran.json
    for side in ("a", "b"):
        row = found[side]
        assert (published.home / "snapshots" / row["leaderboard"] / f"{row['snapshot_sha256']}.json").is_file()
        assert row["row_locator"]
    assert {field["field"] for field in found["fields"]} >= {"model_version", "harness", "steps"}
    assert found["to_record"] == found["blocking_fields"]
    text = published.ask("pair", "~".join(reversed(one.split("~")))).out
    for part in (
        "no claim about the source",
        "Smallest set to record",
        found["a"]["snapshot_sha256"],
        "Nobody has decided",
    ):
        assert part in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 160, "prose is folded between words"
    assert published.ask("pair", "nothing").code == 2


def test_over_all_pairs_it_says_what_to_record(published: SmallWorld) -> None:
    found = published.ask("pair", "--json").json
    assert found["pairs"] > 10
    assert found["alignable"] == 0
    assert {row["field"] for row in found["fields"]} >= {"harness", "model_version"}
    assert found["sets"][0]["usable"] == found["pairs"]
    shown = published.ask("pair").out
    assert f"{found['pairs']}  {', '.join(found['sets'][0]['fields'])}" in shown
    assert max(map(len, shown.splitlines())) <= 160


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("review", "queue", "--freeze", "never"), "is not registered"),
        (("review", "queue", "--freeze", "a", "--as-of", "2026-03-28"), "name one of them"),
        (("review", "import", "/nowhere.csv"), "no such file"),
        (("review", "serve", "--reviewer", "=x"), "must not begin"),
        (("register", "freeze", "Bad Name", "."), "a name is lower case"),
    ],
)
def test_mistakes_are_said_plainly(published: SmallWorld, arguments: tuple[str, ...], told: str) -> None:
    ran = call(*arguments, "--home", published.home)
    assert ran.code == 2
    assert told in ran.said
