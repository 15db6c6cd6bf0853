"""What the pages show works as shown: every command, query and example is carried out, every excerpt is printed."""

from __future__ import annotations

import json

import pytest
import yaml
from shown_pages import CHECKOUT, ELSEWHERE, PAGES, RELEASE_ID, Block, Reader, blocks

from resources.connectors import SnapshotFile, parse
from warehouse.catalog_model import Correction, SourceSpec, StudySpec, Waiver

EXAMPLES = "docs/adding-a-leaderboard.md"
"""This page is followed file by file in `test_worked_example`."""


@pytest.mark.parametrize("page", [page for page in PAGES if page != EXAMPLES and blocks(page)])
def test_a_page_works_as_shown(page: str, reader: Reader) -> None:
    for block in blocks(page):
        if block.language == "text":
            _is_printed(block, reader)
        elif block.language == "yaml":
            _is_sound_data(block)
        else:
            reader.carry_out(block)


def test_native_format_example_is_read(reader: Reader) -> None:
    block = next(block for block in blocks(EXAMPLES) if block.language == "json")
    source = SourceSpec(id="crossword-50", title="x", connector="native", url="x.json", source_type="official")
    found = parse(source, [SnapshotFile("crossword-50.json", block.text.encode())])
    assert [row.problem for row in found.rows] == [None, None]
    assert json.loads(block.text)["leaderboard"] == "crossword-50"


def test_what_is_not_carried_out_here_is_covered_where_it_says() -> None:
    shown = [line for page in PAGES for block in blocks(page) for line in block.commands]
    for name, covered_by in ELSEWHERE.items():
        assert any(line.startswith(name) for line in shown), f"{name} is shown nowhere: take it off the list"
        assert (CHECKOUT / covered_by).is_file(), covered_by


def test_every_block_says_what_it_is() -> None:
    known = {"console", "sh", "sql", "python", "text", "yaml", "json", "csv"}
    wrong = [block.place for page in PAGES for block in blocks(page) if block.language not in known]
    assert not wrong, f"blocks of no known language are not tested: {wrong}"


def _is_printed(block: Block, reader: Reader) -> None:
    """An excerpt is the beginning of what a command above it printed, release ids aside."""
    wanted = _comparable(block.text)
    printed = [_comparable(text)[: len(wanted)] for text in reader.printed]
    near = max(printed, key=lambda lines: sum(a == b for a, b in zip(lines, wanted, strict=False)), default=[])
    assert wanted in printed, f"{block.place} shows what is no longer printed; now it is:\n" + "\n".join(near)


def _comparable(text: str) -> list[str]:
    return [RELEASE_ID.sub("RELEASE", line).rstrip() for line in text.rstrip().splitlines()]


def _is_sound_data(block: Block) -> None:
    [(kind, entries)] = yaml.safe_load(block.text).items()
    shape = {"corrections": Correction, "waivers": Waiver, "studies": StudySpec}[kind]
    assert [shape.model_validate(entry) for entry in entries], block.place
