"""Every help teaches by examples, and they work: carried out on a page, or here after the demonstration."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
import pytest
from shown_pages import CHECKOUT, ELSEWHERE, PAGES, Block, Reader, blocks

from pipelines import command
from pipelines.command_examples import EXAMPLES
from pipelines.command_tree import tree
from warehouse.release_stages import ENTRY_FLAGS

TRIED = {
    "run --demo": "tests/docs/conftest.py",
    "backfill --from mirror": "tests/pipelines/test_backfill.py",
    "backfill --from git": "tests/pipelines/test_backfill.py",
    **{line.removeprefix("scoretrail "): where for line, where in ELSEWHERE.items() if line.startswith("scoretrail ")},
}
"""Examples that read a history, do not end, or came before: where each is tried."""

CONTRACT = "--modality text --scorer rule --objective non_inferiority --risk low --baseline old --candidate new"
SAMPLES = """\
import random
from pathlib import Path

draw = random.Random(3)
head = "system,task,user,success,is_escalated,latency_s,broke_red_line,scorer_type,scorer_version"
for name in ("samples", "copied"):
    rows = [
        f"{system},t{n},u{n},{n % 5 > 0},False,{draw.uniform(0.5, 3):.2f},False,rule,1,{system},{system}"
        for n in range(300) for system in ("old", "new")
    ]
    Path(f"{name}.csv").write_text("\\n".join([f"{head},requested_model,returned_model", *rows]) + "\\n")
sealed = Path("contract.yaml").read_text().rpartition("sha256: ")[2].split()[0].rstrip(",}")
Path("samples.yaml").write_text(f"contract_sha256: {sealed}\\n")
"""
BEFORE: dict[str, tuple[str, ...]] = {
    "register freeze oct-2026 frozen": ("freeze --out frozen",),
    "register manifests stacks ours.yaml theirs.yaml": (
        "manifest capture --set dtype=bfloat16 --out ours.yaml",
        "manifest capture --set dtype=float16 --out theirs.yaml",
    ),
    "register samples assistant contract.yaml samples.csv samples.yaml": (
        f"contract new contract.yaml {CONTRACT}", "contract seal contract.yaml", SAMPLES,
    ),
    "shadow start assistant assistant.yaml": (
        f"contract new assistant.yaml {CONTRACT} {' '.join(f'--made-sure {flag}' for flag in ENTRY_FLAGS)}",
        "contract seal assistant.yaml",
    ),
}  # fmt: skip
"""What a reader does before an example: subcommands, or Python that writes files."""


def leaves(group: click.Group, *path: str) -> Iterator[tuple[str, click.Command]]:
    """Every subcommand by its words."""
    for name, below in group.commands.items():
        if isinstance(below, click.Group):
            yield from leaves(below, *path, name)
        else:
            yield " ".join((*path, name)), below


@pytest.fixture(scope="module")
def whole() -> click.Group:
    built = tree(command.app, None)
    assert isinstance(built, click.Group)
    return built


def test_every_help_ends_with_examples(whole: click.Group) -> None:
    for words, below in leaves(whole):
        with click.Context(below, info_name=f"scoretrail {words}") as context:
            said = below.get_help(context)
        taught = re.sub(r" \\\n\s+", " ", said.partition("\n  Example")[2])
        for example in EXAMPLES[words]:
            assert f"    scoretrail {example}" in taught, words
        assert all(len(line) <= 80 for line in said.partition("\n  Example")[2].splitlines()), words
    assert set(EXAMPLES) == {words for words, _ in leaves(whole)} | {"judge"}


@pytest.mark.parametrize(("words", "example"), [(words, one) for words, shown in EXAMPLES.items() for one in shown])
def test_an_example_is_one_of_its_command(words: str, example: str, whole: click.Group) -> None:
    """Its options are there, and what they take is what they take."""
    below: click.Command = whole
    asked, context = shlex.split(example), None
    for word in words.split():
        assert asked.pop(0) == word and isinstance(below, click.Group)
        below = below.commands[word]
    if not isinstance(below, click.Group):
        context = below.make_context(words, asked)
    assert context is None or not context.args


def test_examples_work(reader: Reader) -> None:
    """Those that no page shows are carried out here, in the order of the list."""
    on_pages = {
        re.sub(r"\s*# ends with \d$", "", line) for page in PAGES for block in blocks(page) for line in block.commands
    }
    for example in (one for shown in EXAMPLES.values() for one in shown):
        place = next((where for start, where in TRIED.items() if example.startswith(start)), None)
        if place is not None:
            assert (CHECKOUT / place).is_file()
        elif f"scoretrail {example}" not in on_pages:
            for line in BEFORE.get(example, ()):
                reader.carry_out(_block(line))
            reader.carry_out(_block(example))


def _block(text: str) -> Block:
    if "\n" in text:
        return Block("--help", 0, "python", text, "")
    return Block("--help", 0, "console", f"$ scoretrail {text}\n", "")
