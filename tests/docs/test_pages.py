"""The pages hold together: links resolve, named files are there, the data dictionary is the code's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import click
import pytest
import typer
from shown_pages import CHECKOUT

from pipelines.command import app
from resources.connectors import CONNECTORS
from resources.connectors.every_eval_ever.options import EveryEvalEverOptions
from resources.connectors.table.options import Format, JoinRule, SourceOptions, TableOptions
from resources.connectors.table.rules import FieldRule, SkipRule, TablePlace
from resources.connectors.table.scalars import Type
from warehouse.data_dictionary import data_dictionary
from warehouse.exit_codes import ExitCode
from warehouse.records import NativeResult, Protocol
from warehouse.source_model import GitPlace, SourceSpec, TreePlace

MARKDOWN = sorted([*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/*.md")])
ROOMS = ("warehouse", "methods", "resources", "checks", "assets", "pipelines", "tests", "docs")
_LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
_NAMED_FILE = re.compile(rf"`((?:{'|'.join(ROOMS)})/[\w./*-]*)`")


def page_name(page: Path) -> str:
    return page.relative_to(CHECKOUT).as_posix()


@pytest.mark.parametrize("page", MARKDOWN, ids=page_name)
def test_links_resolve(page: Path) -> None:
    for target in _LINK.findall(page.read_text(encoding="utf-8")):
        if target.startswith("https://"):
            continue
        name, _, section = target.partition("#")
        file = page.parent / name if name else page
        assert file.exists(), f"{page_name(page)}: {target}"
        if section:
            assert section in _sections(file), f"{page_name(page)}: no section {target}"


@pytest.mark.parametrize("page", MARKDOWN, ids=page_name)
def test_files_that_a_page_names_are_there(page: Path) -> None:
    named = _NAMED_FILE.findall(page.read_text(encoding="utf-8"))
    gone = [name for name in named if not list(CHECKOUT.glob(name))]
    assert not gone, f"{page_name(page)} names {gone}"


def test_every_page_is_reached_from_the_readme() -> None:
    linked = set(_LINK.findall((CHECKOUT / "README.md").read_text(encoding="utf-8")))
    assert {page_name(page) for page in MARKDOWN} - {"README.md"} <= linked


def test_the_page_of_commands_names_every_one() -> None:
    page = (CHECKOUT / "docs" / "commands.md").read_text(encoding="utf-8")
    found = command_names()
    assert "run" in found
    assert "catalog check" in found
    unnamed = [name for name in found if f"`scoretrail {name}" not in page]
    assert not unnamed, f"docs/commands.md does not name {unnamed}"


def test_the_page_of_commands_states_every_exit_code() -> None:
    page = (CHECKOUT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [code for code in ExitCode if f"\n| {int(code)} | " not in page] == []


def test_every_option_of_a_source_is_explained() -> None:
    page = (CHECKOUT / "docs" / "adding-a-leaderboard.md").read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    said = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", prose))))
    shapes = (SourceSpec, GitPlace, TreePlace, SourceOptions, TableOptions, JoinRule, FieldRule, SkipRule, TablePlace,
              EveryEvalEverOptions)  # fmt: skip
    options = {name for shape in shapes for name in shape.model_fields} - {"alternatives"}
    assert options - said == set(), "options that the page does not name"
    assert {*get_args(Format), *get_args(Type)} - said == set()
    assert {name for name in CONNECTORS if f"`{name}`" not in prose} == set()


def test_every_key_of_the_native_format_is_explained() -> None:
    page = (CHECKOUT / "docs" / "adding-a-leaderboard.md").read_text(encoding="utf-8")
    said = set(re.findall(r"\w+", page.partition("## The native format")[2]))
    assert {*NativeResult.model_fields, *Protocol.model_fields} - said == set()


def test_the_data_dictionary_is_the_codes_own() -> None:
    page = (CHECKOUT / "docs" / "data-dictionary.md").read_text(encoding="utf-8")
    assert page == data_dictionary(), "make it again: scoretrail docs dictionary > docs/data-dictionary.md"


@pytest.mark.parametrize("page", MARKDOWN, ids=page_name)
def test_paragraphs_are_folded(page: Path) -> None:
    """Prose stays readable in a terminal; tables and code may be wide."""
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        fenced ^= line.startswith("```")
        assert fenced or line.startswith("|") or len(line) <= 120, f"{page_name(page)}:{number} has {len(line)} signs"


def command_names() -> list[str]:
    """Every command, those of a group with the group's name."""
    tree = typer.main.get_command(app)
    assert isinstance(tree, click.Group)
    names = []
    for name, entry in tree.commands.items():
        names += [f"{name} {inner}" for inner in entry.commands] if isinstance(entry, click.Group) else [name]
    return names


def _sections(file: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
