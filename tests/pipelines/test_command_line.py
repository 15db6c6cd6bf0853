"""What newcomers type first: nothing, a group alone, a slip of the fingers, a home that can be none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from small_homes import SmallWorld, call

from pipelines import options
from pipelines.command import app
from pipelines.command_tree import names, told_once, tree
from resources.code_version import code_version
from resources.package_versions import own_version
from resources.settings import CHECKOUT, Settings
from warehouse.exit_codes import ExitCode


@pytest.mark.parametrize(
    ("asked", "shown"), [((), "Commands:\n  run "), (("review",), "queue"), (("canary",), "start")]
)
def test_nothing_asked_is_help_and_no_error(asked: tuple[str, ...], shown: str) -> None:
    ran = call(*asked)
    assert ran.code == ExitCode.USAGE
    assert ran.out.startswith("Usage: scoretrail")
    assert shown in ran.out
    assert ran.err == ""


@pytest.mark.parametrize("asked", [("statsu",), ("review", "quee"), ("status", "--hom", "x")])
def test_a_guess_is_made_once(asked: tuple[str, ...]) -> None:
    ran = call(*asked)
    assert ran.code == ExitCode.USAGE
    assert ran.err.count("Did you mean") == 1


def test_a_message_with_two_guesses_keeps_both() -> None:
    assert (
        told_once("No such x. Did you mean 'a'? Did you mean 'b'?") == "No such x. Did you mean 'a'? Did you mean 'b'?"
    )
    assert told_once("No such x.") == "No such x."


def test_a_subcommand_built_alone_is_the_one_of_the_whole() -> None:
    """Help and parameters are the same; only building the others is saved."""
    whole = tree(app, None)
    for name in names(app):
        part = tree(app, name)
        assert list(part.commands) == [name]  # type: ignore[attr-defined]
        mine, theirs = part.commands[name], whole.commands[name]  # type: ignore[attr-defined]
        assert [one.name for one in mine.params] == [one.name for one in theirs.params]
        assert list(getattr(mine, "commands", ())) == list(getattr(theirs, "commands", ()))


@pytest.mark.parametrize(
    ("command", "said"),
    [(("pair",), "Pair id; all pairs together"), (("canary", "add"), "Batches: CSV, JSON lines or Parquet")],
)
def test_help_says_what_an_argument_is(command: tuple[str, ...], said: str) -> None:
    assert said in " ".join(call(*command, "--help").out.split())


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), click.exceptions.Abort()])
@pytest.mark.parametrize("words", [("status",), ("judge", "risk"), ("contract", "check", "x.yaml")])
def test_who_is_interrupted_hears_it_in_the_form_asked_for(
    words: tuple[str, ...], stop: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One object for machines, one line for people, and no offer of help; the exit code is the same."""

    def stopped(*_ignored: object) -> None:
        raise stop

    monkeypatch.setattr(options, "open_settings", stopped)
    ran = call(*words, "--json")  # neither is a success: typer makes a number of the one, and lets the other through
    assert ran.code == ExitCode.USAGE and ran.err == ""
    assert ran.json == {"error": "interrupted; nothing half-done was published", "exit_code": 2}
    ran = call(*words)
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert ran.err == "error: interrupted; nothing half-done was published\n"


@pytest.mark.parametrize("command", [("status",), ("run", "--demo"), ("sync",), ("canary", "status")])
def test_a_home_that_can_be_none_is_said_so(command: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for home, said in (
        (file, "a file stands there; a home is a folder"),
        (file / "below", f"a file stands there ({file})"),
        (tmp_path / ("a" * 300), "File name too long"),
        ("", "is empty; name a folder"),
    ):
        ran = call(*command, "--home", home)
        assert (ran.code, said in ran.err) == (ExitCode.USAGE, True), ran.said
        assert "Errno" not in ran.err
    assert list(tmp_path.iterdir()) == [file]


def test_the_demonstrations_home_with_the_networks_sources_is_told() -> None:
    here = Settings.from_env(home=options.DEMO_HOME, environ={})
    assert "run --demo" in (options.demonstration_hint(here) or "")
    assert (
        options.demonstration_hint(
            Settings.from_env(home=options.DEMO_HOME, sources_file=options.DEMO_SOURCES, environ={})
        )
        is None
    )
    assert options.demonstration_hint(Settings.from_env(home=CHECKOUT / "data", environ={})) is None


def test_writing_into_the_checkouts_catalog_is_told(published: SmallWorld) -> None:
    assert "copy it and name --catalog" in (options.shipped_catalog_hint(Settings.from_env(environ={})) or "")
    assert options.shipped_catalog_hint(Settings.from_env(catalog_dir=published.catalog, environ={})) is None


def every_command(command: click.Command, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Each command below one, with the words that name it."""
    yield words, command
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from every_command(below, *words, name)


def test_no_option_takes_a_number_that_is_none() -> None:
    """`nan` passes every comparison with a bound unseen: each option of each command that takes a number refuses it."""
    numbers = [
        (words, param)
        for words, command in every_command(tree(app, None))
        for param in command.params
        if "float" in param.type.name
    ]
    assert {words[0] for words, _ in numbers} >= {"status", "plan", "judge"}
    for words, param in numbers:
        for text in ("nan", "inf", "-inf", "1e999"):
            with pytest.raises(click.BadParameter):
                param.type.convert(text, param, None)
                pytest.fail(f"{words} takes {param.name} {text}")


@pytest.mark.parametrize("hours", ["nan", "inf", "-1"])
def test_an_age_that_is_none_is_refused(hours: str, tmp_path: Path) -> None:
    ran = call("status", "--max-age-hours", hours, "--home", tmp_path)
    assert ran.code == ExitCode.USAGE
    assert "--max-age-hours" in ran.err


@pytest.mark.parametrize(
    ("asked", "help_of"),
    [
        (("models", "suggest", "--limit", "0"), "models suggest"),
        (("models", "sugest"), "models"),
        (("canary", "add", "x", "--hom", "y"), "canary add"),
        (("status", "review"), "status"),
        (("statsu",), ""),
    ],
)
def test_the_help_that_is_named_is_that_of_what_was_asked(asked: tuple[str, ...], help_of: str) -> None:
    assert f"help: scoretrail {help_of} --help".replace("  ", " ") in call(*asked).err


def test_the_version_is_the_one_that_releases_state() -> None:
    ran = call("--version")
    assert (ran.code, ran.out) == (0, f"scoretrail {own_version()}, code {code_version()}\n")
    assert "--version" in call("--help").out


def test_a_category_is_known_in_any_case(published: SmallWorld) -> None:
    shown = published.ask("scores", "--category", "Coding")
    assert shown.out == published.ask("scores", "--category", "coding").out
    assert published.ask("explain", "MODEL-A", "CODING").code == 0
    assert "there are" in published.ask("scores", "--category", "Kodieren").err
