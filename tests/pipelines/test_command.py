"""The front door: help, JSON for machines, mistakes in words with their exit codes, reading published releases."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_homes import CATALOG, Ran, SmallWorld, call

from pipelines.command import app
from warehouse.exit_codes import ExitCode
from warehouse.vocabulary import CATEGORIES


def commands() -> list[tuple[str, ...]]:
    """Every subcommand, groups opened."""
    import typer

    group = typer.main.get_command(app)
    found: list[tuple[str, ...]] = []
    for name, command in sorted(group.commands.items()):  # type: ignore[attr-defined]
        found.append((name,))
        found += [(name, below) for below in sorted(getattr(command, "commands", {}))]
    return found


@pytest.mark.parametrize("names", [(), *commands()], ids=" ".join)
def test_every_command_has_help(names: tuple[str, ...]) -> None:
    ran = call(*names, "--help")
    assert ran.code == 0
    assert "Usage: scoretrail" in ran.out
    assert len(ran.out) > 150
    assert "\x1b" not in ran.out


def test_every_command_takes_home_catalog_and_json() -> None:
    """DESIGN "The command"; a folder that is not there is a mistake of whoever asked, whatever the command reads."""
    import typer

    leaves, whole = {}, typer.main.get_command(app)
    for names in commands():
        command = whole
        for name in names:
            command = command.commands[name]  # type: ignore[attr-defined]
        if not hasattr(command, "commands"):
            leaves[" ".join(names)] = {option for one in command.params for option in one.opts}
    assert len(leaves) > 20
    assert {name: found for name, taken in leaves.items() if (found := {"--home", "--catalog", "--json"} - taken)} == {}


@pytest.mark.parametrize("names", [("scores",), ("verify", "current"), ("docs", "dictionary"), ("withdraw", "R")])
def test_a_catalog_folder_that_is_not_there_is_a_mistake(names: tuple[str, ...], tmp_path: Path) -> None:
    reason = ("--reason", "x") if names[0] == "withdraw" else ()
    ran = call(*names, *reason, "--home", tmp_path, "--catalog", tmp_path / "nowhere")
    assert ran.code == ExitCode.USAGE
    assert "nowhere: no such file or folder" in ran.err


@pytest.mark.parametrize(
    "names", [("run", "--nope"), ("nope",), ("explain", "gpt-4o"), ("run", "--as-of"), ("ui", "--port", "0")]
)
def test_a_mistake_on_the_command_line_is_a_sentence(names: tuple[str, ...]) -> None:
    ran = call(*names)
    assert ran.code == ExitCode.USAGE
    assert ran.err.startswith("error: ")
    assert "Traceback" not in ran.said


JSON_COMMANDS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("scores",), 0),
    (("scores", "--category", "math"), 0),
    (("status", "--max-age-hours", "1e9"), 0),
    (("status", "--max-age-hours", "0"), 1),
    (("catalog", "check"), 0),
    (("scores", "--category", "maths"), 2),
    (("scores", "--release", "2026-10-20-000000000000"), 2),
    (("scores", "--release", "../../../etc"), 2),
    (("explain", "gpt-4o-2024-08-06", "physics"), 2),
    (("explain", "no such model at all", "coding"), 2),
    (("verify", "2026-10-20-ffffffffffff"), 2),
    (("freeze", "--out", "OUT", "--as-of", "2020-01-01"), 2),
    (("freeze", "--out", "OUT", "--as-of", "soon"), 2),
    (("freeze", "--out", "OUT"), 0),
    (("sync", "no-such-board"), 2),
    (("run", "--as-of", "2026-13-01"), 2),
    (("run", "--mirror", "no/such/folder"), 2),
    (("run", "--source", "swebenhc"), 2),
    (("run", "--sources", "no/such/file.yaml"), 2),
)


@pytest.mark.parametrize(("arguments", "code"), JSON_COMMANDS, ids=[" ".join(a) for a, _ in JSON_COMMANDS])
def test_json_for_machines(demo: tuple[Path, Ran], tmp_path: Path, arguments: tuple[str, ...], code: int) -> None:
    """One strict JSON object on stdout, whatever happened; mistakes carry `error` and `exit_code`."""
    said = tuple(str(tmp_path / "out") if argument == "OUT" else argument for argument in arguments)
    ran = call(*said, "--home", demo[0], "--json")
    assert ran.code == code, ran.said
    value = ran.json
    assert "Traceback" not in ran.said
    if code == 2:
        assert value["exit_code"] == 2
        assert value["error"]


def test_the_json_of_a_run_names_what_stands(demo: tuple[Path, Ran]) -> None:
    said = demo[1].json
    assert said["exit_code"] == 0
    assert said["published"].startswith("2026-10-20-")
    assert len(said["sources"]) == 24
    assert {gate["verdict"] for gate in said["gates"] if gate["product"] == "scores"} == {"pass", "not_applicable"}
    assert said["product"] == {"product": "scores", "status": "published", "blocked_by": None}


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("explain", "model-aa", "coding"), "did you mean model-a"),
        (("run", "--source", "alpa"), "did you mean alpha"),
        (("sync", "betta"), "did you mean beta"),
        (("scores", "--category", "codign"), "coding"),
        (("scores", "--release", "2026-03-28-000000000000"), "the latest are 2026-03-28-"),
        (("explain", "model-a", "math"), "categories with evidence: coding"),
    ],
)
def test_a_name_that_is_not_there_brings_a_suggestion(
    template: SmallWorld, arguments: tuple[str, ...], hint: str
) -> None:
    catalog = ("--catalog", str(template.catalog)) if arguments[0] in {"run", "sync"} else ()
    ran = call(*arguments, "--home", template.home, *catalog)
    assert ran.code == 2
    assert hint in ran.err
    assert "Traceback" not in ran.said


@pytest.mark.parametrize(
    "arguments",
    [("scores",), ("explain", "gpt-4o", "coding"), ("freeze", "--out", "x"), ("rollback", "--reason", "r")],
)
def test_before_the_first_release_every_reader_says_so(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    home = tmp_path / "home"
    ran = call(*arguments, "--home", home)
    assert ran.code == 2, ran.said
    assert "no release" in ran.said or "no results" in ran.said or "no earlier release" in ran.said
    assert "Traceback" not in ran.said


def test_status_before_the_first_run_is_unhealthy(tmp_path: Path) -> None:
    ran = call("status", "--home", tmp_path / "home", "--json")
    assert ran.code == 1
    assert ran.json["reasons"] == ["no release yet"]


def test_withdraw_and_rollback_move_readers_and_delete_nothing(published_twice: SmallWorld) -> None:
    published = published_twice
    first, second = (record.release_id for record in published.releases.ledger().releases)
    assert published.ask("rollback", "--reason", "a wrong board").code == 0
    assert published.published() == published.current() == first
    assert published.ask("rollback", "--to", second, "--reason", "it was right").code == 0
    assert published.published() == second
    assert published.ask("withdraw", second, "--reason", "a typing error").code == 0
    assert published.published() == first
    again = published.ask("withdraw", second, "--reason", "twice")
    assert again.code == 2
    assert "was withdrawn before: a typing error" in again.err
    assert published.ask("withdraw", first, "--reason", "all of it").code == 0
    assert published.ask("scores").code == 2
    assert published.ask("verify", second).code == 0, "a withdrawn release can still be proved"
    assert (published.home / "releases" / second / "manifest.json").is_file()


def test_a_sync_alone_makes_no_table(fresh: SmallWorld) -> None:
    ran = call("sync", "alpha", "--home", fresh.home, "--catalog", fresh.catalog, "--json")
    assert ran.code == 0, ran.said
    assert [source["leaderboard"] for source in ran.json["sources"]] == ["alpha"]
    assert not (fresh.home / "tables").exists()
    assert call("sync", "--home", fresh.home, "--catalog", fresh.catalog).code == 0


def test_the_catalog_check_names_file_and_line(fresh: SmallWorld) -> None:
    path = fresh.catalog / "models.yaml"
    path.write_text(path.read_text() + "- {id: model-a, name: again}\n")
    ran = call("catalog", "check", "--home", fresh.home, "--catalog", fresh.catalog, "--json")
    assert ran.code == 2
    assert any(problem.startswith("models.yaml:") and "model-a" in problem for problem in ran.json["problems"])


def test_the_published_catalog_is_sound() -> None:
    ran = call("catalog", "check", "--catalog", CATALOG, "--json")
    assert ran.code == 0, ran.said
    assert ran.json["sound"] is True


def test_scores_as_text_and_as_json_tell_the_same(demo: tuple[Path, Ran]) -> None:
    rows = call("scores", "--home", demo[0], "--json").json["scores"]
    text = call("scores", "--home", demo[0]).out
    assert {row["category"] for row in rows} == set(CATEGORIES)
    for row in rows:
        assert row["model_name"] in text
        if row["status"] == "rated":
            assert row["rank_low"] <= row["rank"] <= row["rank_high"]
    assert {row["status"] for row in rows if row["score"] is None} == {"unrated"}
    assert all(row["rank"] is None for row in rows if row["status"] != "rated")
