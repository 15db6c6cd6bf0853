"""Names are data: markup, terminal escapes, HTML, spreadsheet formulas and bidirectional controls inject nowhere."""

from __future__ import annotations

import csv
import json
import unicodedata
from pathlib import Path

import dagster as dg
import polars as pl
import pytest
import yaml
from small_homes import DAY, SmallWorld, board_rows, build_world, call, day_frame, quiet_process

from assets.recording import counts
from pipelines.graph import build_defs
from resources.catalog_files import load_catalog
from warehouse.plain_text import plain

HOSTILE = {
    "rich": "[bold red]urgent[/bold red] [link=https://evil.example]x[/link]",
    "html": "<script>alert('x')</script><img src=x onerror=alert(1)>",
    "markdown": "[click](https://evil.example) ![i](https://evil.example/p.png) | a | b |",
    "ansi": "red\x1b[31m\x1b[2J\x1b]0;title\x07\x1b]8;;https://evil.example\x1b\\link",
    "c1": "csi\x9b31m osc\x9d0;t\x9c",
    "lines": "two\r\nlines\rover\x08\x08back",
    "bidi": "gpt\u202e4-tpg\u202c\u2066x\u2069",
    "formula": "=HYPERLINK(\"https://evil.example\",\"x\")",
}  # fmt: skip


def controls(text: str) -> set[str]:
    """Characters that a terminal obeys instead of showing."""
    return {
        sign for sign in text if sign != "\n" and (unicodedata.category(sign) == "Cc" or sign in "\u202e\u2066\u2069")
    }


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> SmallWorld:
    """A published world in which a registered model, its maker, notes and links carry every hostile text."""
    world = build_world(tmp_path_factory.mktemp("hostile") / "world")
    path = world.catalog / "models.yaml"
    models = yaml.safe_load(path.read_text())["models"]
    for model, text in zip(models, HOSTILE.values(), strict=True):
        model |= {"name": text, "developer": f"maker {text}"}
    path.write_text(yaml.safe_dump({"models": models}))
    names = dict(zip([model["id"] for model in models], HOSTILE.values(), strict=True))
    for board in world.entries:
        rows = [
            entry
            | {"model": names[str(entry["model"])], "developer": None, "setting": names[str(entry["model"])],
               "notes": HOSTILE["ansi"], "source_url": "https://example.org/" + HOSTILE["html"]}
            for entry in board_rows(board)
        ]  # fmt: skip
        world.write_board(board, rows)
    world.entries["alpha"]["title"] = HOSTILE["html"] + HOSTILE["ansi"]
    world.write_sources()
    with pytest.MonkeyPatch.context() as patch:
        quiet_process(patch, with_site=True)
        ran = call("run", "--home", world.home, "--catalog", world.catalog, "--as-of", DAY.isoformat())
    assert ran.code == 0, ran.said
    assert not controls(ran.said), controls(ran.said)
    return world


def test_the_values_themselves_are_kept(hostile: SmallWorld) -> None:
    """Nothing is cleaned on the way in: the stored name is the received one."""
    assert set(day_frame(hostile, "core__result")["model"]) == set(HOSTILE.values())


def test_scores_show_names_literally(hostile: SmallWorld) -> None:
    ran = hostile.ask("scores", "--category", "coding")
    assert ran.code == 0
    assert not controls(ran.out)
    assert "[bold red]urgent[/bold red]" in "".join(ran.out.split("\n")).replace("  ", " ") or "[bold red]" in ran.out
    assert "<script>" in ran.out


@pytest.mark.parametrize("kind", HOSTILE)
def test_explanations_show_names_literally(hostile: SmallWorld, kind: str) -> None:
    model = f"model-{'abcdefgh'[list(HOSTILE).index(kind)]}"
    ran = hostile.ask("explain", model, "coding")
    assert ran.code == 0, ran.said
    assert not controls(ran.out), controls(ran.out)
    said = hostile.ask("explain", model, "coding", "--json")
    assert said.json["model_name"] == HOSTILE[kind]
    assert not controls(said.out), controls(said.out)


@pytest.mark.parametrize("kind", HOSTILE)
def test_mistaken_names_are_shown_literally(hostile: SmallWorld, kind: str) -> None:
    """What a person typed, or what resembles it, is no markup in the error either."""
    for arguments in (
        ("explain", f"nobody {HOSTILE[kind]}", "coding"),
        ("scores", "--category", HOSTILE[kind]),
        ("scores", "--release", HOSTILE[kind]),
        ("run", "--source", HOSTILE[kind], "--catalog", str(hostile.catalog)),
        ("run", "--as-of", HOSTILE[kind]),
    ):
        ran = hostile.ask(*arguments)
        assert ran.code == 2, ran.said
        assert not controls(ran.said), (arguments, controls(ran.said))


def test_a_withdrawal_shows_its_reason_literally(hostile: SmallWorld, tmp_path: Path) -> None:
    world = hostile.copy(tmp_path / "world")
    ran = world.ask("withdraw", str(world.current()), "--reason", HOSTILE["ansi"] + HOSTILE["rich"])
    assert ran.code == 0
    assert not controls(ran.out)
    assert "[bold red]urgent" in ran.out


def test_the_frozen_csv_starts_no_formula(hostile: SmallWorld, tmp_path: Path) -> None:
    assert hostile.ask("freeze", "--out", str(tmp_path / "frozen")).code == 0
    for path in (tmp_path / "frozen").glob("*.csv"):
        with path.open(newline="", encoding="utf-8") as stream:
            for line in csv.reader(stream):
                assert not [cell for cell in line if cell[:1] in {"=", "+", "@", "\t", "\r"}]


def test_the_site_of_the_release_holds_no_markup_of_theirs(hostile: SmallWorld) -> None:
    """Every page was made, and none of them holds a script, an image or a link that a name brought along."""
    release = hostile.releases.current()
    assert release is not None
    pages = list(release.folder.rglob("*.html"))
    assert len(pages) > 10
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "<script>alert" not in text, page
        assert "<img src=x" not in text, page
        assert 'href="https://evil.example' not in text, page


def test_dagster_metadata_holds_no_markup(hostile: SmallWorld) -> None:
    """Descriptions and metadata of the graph, and of a run's counts: an HTML tag or a link would be drawn."""
    catalog = load_catalog(hostile.catalog).catalog
    graph = build_defs(catalog, dg.ResourceDefinition.hardcoded_resource(None)).get_repository_def().asset_graph
    node = graph.get(dg.AssetKey(["source", "alpha"]))
    shown = f"{node.description} {json.dumps({k: str(v) for k, v in node.metadata.items()})}"
    assert "<script>" not in shown
    assert "<img" not in shown
    assert "\x1b" not in shown
    text = counts(pl.DataFrame({"model": list(HOSTILE.values())}), "model").value
    assert text is not None
    assert "<script>" not in text
    assert "](https" not in text
    assert "\x1b" not in text
    assert len(text.splitlines()) == 2 + len(HOSTILE)


def test_plain_text_survives_markdown_and_html() -> None:
    for text in HOSTILE.values():
        shown = plain(text)
        assert "<" not in shown
        assert not controls(shown)
