"""What every command that keeps evidence shares: the first day a run may use it is asked for and kept alike."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import click
import pytest
from small_homes import CATALOG, call
from test_decide_command import evidence, made
from test_protocol_command import losses

from pipelines import console
from pipelines.command import app
from pipelines.command_tree import tree
from resources.evidence_store import EvidenceStore
from warehouse.study_words import FREEZE_EVIDENCE

DEMO = CATALOG.parent / "demo"
DAY = date(2026, 3, 1)
STACK = "schema: scoretrail.inference-manifest/1\nrun: {{dtype: {dtype}, batch_size: 1}}\n"


def commands(group: click.Group, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command below a group, with its words."""
    for name, below in group.commands.items():
        if isinstance(below, click.Group):
            yield from commands(below, *path, name)
        else:
            yield (*path, name), below


def keeping(folder: Path) -> dict[str, list[str]]:
    """A call of each analysis that registers, by its name: each analysis alone, on small files that it reads."""
    contract = made(folder)
    for name in ("a", "b"):
        (folder / f"{name}.yaml").write_text(STACK.format(dtype="bf16" if name == "a" else "fp16"))
    agents = DEMO / "agents"
    panel = ["--panel", agents / "panel.yaml", "--map", agents / "repair-map.yaml", "--map", agents / "desk-map.yaml"]
    return {
        "protocol": ["protocol", losses(folder)],
        "judge report": ["judge", DEMO / "judgments.csv", DEMO / "judgments.yaml"],
        "harness": ["harness", agents / "attempts.csv", *panel],
        "manifest compare": ["manifest", "compare", folder / "a.yaml", folder / "b.yaml"],
        "decide": ["decide", contract, evidence(folder, contract)],
    }  # type: ignore[dict-item]  # paths, which `call` makes text


def test_every_analysis_that_registers_takes_the_first_day(tmp_path: Path) -> None:
    tried = keeping(tmp_path)
    whole = tree(app, None)
    assert isinstance(whole, click.Group)
    for words, command in commands(whole):
        taken = {option for param in command.params for option in param.opts}
        keeps = "--register" in taken or words[0] == "register" or words[-1] == "register"
        if keeps and FREEZE_EVIDENCE not in words:  # a freeze states its day itself
            assert "--known-since" in taken, " ".join(words)
            assert " ".join(words) in tried or "--register" not in taken, " ".join(words)


@pytest.mark.parametrize("width", [60, 160])
@pytest.mark.parametrize("name", ["protocol", "judge report", "harness", "manifest compare", "decide"])
def test_no_line_of_an_analysis_is_longer_than_the_console(
    name: str, width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prose is broken between words where the console ends, and says all that it says in one line."""
    words = keeping(tmp_path)[name]
    said = []
    for columns in (width, 100_000):
        out = io.StringIO()
        made = console.LiteralConsole(file=out, highlight=False, width=columns)
        monkeypatch.setattr(console, "stdout", lambda made=made: made)
        assert call(*words, "--home", tmp_path / "home").code in (0, 1, 4)
        said.append(out.getvalue())
    assert max(len(line) for line in said[0].splitlines()) <= width
    long = [line.strip() for line in said[1].splitlines() if len(line) > 160 and ". " in line]
    assert all(" ".join(line.split()) in " ".join(said[0].split()) for line in long)


@pytest.mark.parametrize("name", ["protocol", "judge report", "harness", "manifest compare", "decide"])
def test_the_first_day_is_kept(name: str, tmp_path: Path) -> None:
    words = keeping(tmp_path)[name]
    home = tmp_path / "home"
    ran = call(*words, "--register", "dated", "--known-since", DAY.isoformat(), "--home", home)
    assert ran.code in (0, 1, 4), ran.said
    ran_before = ran.code
    assert [one.usable_from for one in EvidenceStore(home).records()] == [DAY]
    ran = call(*words, "--register", "today", "--home", home)
    assert [one.known_since for one in EvidenceStore(home).records()] == [DAY, None]
    assert EvidenceStore(home).records()[1].usable_from == datetime.now(UTC).date()
    ran = call(*words, "--known-since", DAY.isoformat(), "--home", home)
    assert ran.code == 2 and "name the evidence: --register NAME" in ran.err
    assert call(*words, "--register", "later", "--known-since", "soon", "--home", home).code == 2
    assert call(*words, "--register", "dated", "--known-since", DAY.isoformat(), "--home", home).code == ran_before
    ran = call(*words, "--register", "today", "--known-since", DAY.isoformat(), "--home", home)
    assert ran.code == 2 and "today: is registered already" in ran.err and "choose another name" in ran.err
    assert len(EvidenceStore(home).records()) == 2


def test_what_is_said_of_files_in_vain_is_told_wherever_they_are_read(tmp_path: Path) -> None:
    """By the analysis, on stderr and for machines, and by whoever registers; the exit code is what it was."""
    contract = made(tmp_path)
    file = evidence(tmp_path, contract)
    note = tmp_path / "samples.yaml"
    note.write_text(note.read_text() + "systems: {odl: old}\n")
    about = (DEMO / "judgments.yaml").read_text() + "files: [{name: jugdments.csv, constants: {task_type: chat}}]\n"
    (tmp_path / "judgments.yaml").write_text(about)
    judged = [DEMO / "judgments.csv", tmp_path / "judgments.yaml"]
    (tmp_path / "kept").mkdir()
    kept = [tmp_path / "kept" / "contract.yaml", file, note]
    kept[0].write_bytes(contract.read_bytes())
    for analysis, kind, files, said in (
        (["decide", contract, file], "samples", kept, "samples.yaml, systems: no row is of a system odl"),
        (["judge", *judged], "judgments", judged, "files: none of the files read is called jugdments.csv"),
    ):
        home = ("--home", tmp_path / "home")
        ran = call(*analysis, *home)
        assert (ran.code, ran.err.count("note: "), said in ran.err) == (0, 1, True), ran.said
        assert said in call(*analysis, "--json", *home).json["notes"][0]
        ran = call("register", kind, f"in-vain-{kind}", *files, *home)
        assert ran.code == 0 and said in ran.err, ran.said
