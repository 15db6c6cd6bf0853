"""docs/adding-a-leaderboard.md, followed as a reader would: its files written, its entries added, its commands run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml
from shown_pages import CHECKOUT, Block, Reader, blocks

from warehouse.metric_model import Matcher, MetricSpec
from warehouse.source_model import SourceSpec
from warehouse.vocabulary import CATEGORIES

PAGE = "docs/adding-a-leaderboard.md"
_NEW_FILE = re.compile(r"as `([^`]+)`")
_ADDED = re.compile(r"under `(\w+:)` in\s+`([^`]+)`")
_LAST = re.compile(r"the end of an entry in\s+`([^`]+)`")


def test_the_worked_example_works_as_shown(reader: Reader) -> None:
    for block in blocks(PAGE):
        if block.language in {"csv", "yaml"}:
            _write(block, reader.folder)
        elif block.language == "text":
            _is_answered(block, reader.printed[-1])
        elif block.language != "json":
            reader.carry_out(block)


def test_the_page_lists_every_place_and_every_key_of_a_metric() -> None:
    """As the program holds them: who adds a metric chooses from these."""
    page = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    for category, dimensions in CATEGORIES.items():
        assert f"| `{category}` | {', '.join(f'`{name}`' for name in dimensions)} |" in page
    section = page.split("## An entry of `metrics.yaml`", 1)[1].split("\n## ", 1)[0]
    keys = {field.alias or name for model in (MetricSpec, Matcher) for name, field in model.model_fields.items()}
    assert [key for key in sorted(keys) if not re.search(rf"`{key}[`:]", section)] == []


def _write(block: Block, folder: Path) -> None:
    """Writes the file that the paragraph above names, or adds the block to it: under a key, or after the last entry."""
    if (last := _LAST.search(block.above)) is not None:
        _grows(folder / last[1], block.text)
        return
    added = _ADDED.search(block.above)
    if added is None:
        named = _NEW_FILE.search(block.above)
        assert named, f"{block.place}: the paragraph above does not say which file this is"
        (folder / named[1]).write_text(block.text, encoding="utf-8")
        return
    key, name = added.groups()
    head, entries = block.text.split("\n", 1)
    assert head == key, f"{block.place}: begins with {head}, not {key}"
    text = (folder / name).read_text(encoding="utf-8")
    assert text.count(f"\n{key}\n") == 1, f"{block.place}: {name} has no single {key}"
    (folder / name).write_text(text.replace(f"\n{key}\n", f"\n{key}\n{entries}"), encoding="utf-8")


def _grows(sources: Path, text: str) -> None:
    """The last entry of a list of sources, with one more key: it reads content of the former day as the key says."""
    (stated,) = yaml.safe_load(text).values()
    sources.write_text(sources.read_text(encoding="utf-8") + text, encoding="utf-8")
    entry: dict[str, Any] = yaml.safe_load(sources.read_text(encoding="utf-8"))["sources"][-1]
    spec = SourceSpec(**entry)
    for layout in stated:
        former = spec.at(layout["until"])
        assert former.min_rows == layout["min_rows"] != spec.min_rows
        assert former.options["columns"] == layout["options"]["columns"] != spec.options["columns"]
        assert former.options["fields"].keys() < spec.options["fields"].keys()


def _is_answered(block: Block, answer: str) -> None:
    """The shown answer, row by row; of a long cell a page may show a part."""
    shown, rows = block.text.splitlines(), answer.splitlines()
    assert len(shown) == len(rows), f"{block.place}: now the answer is\n{answer}"
    for line, row in zip(shown, rows, strict=True):
        missing = [part for part in re.split(r"  +", line.strip()) if part not in row]
        assert not missing, f"{block.place}: {missing} not in {row!r}"
