"""`scoretrail models`: unresolved names and proposals from the last day of a home; nothing is applied."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from small_homes import Ran, SmallWorld, board_rows, quiet_process, row

from warehouse.catalog_model import ModelSpec


@pytest.fixture(scope="module")
def world(template: SmallWorld, tmp_path_factory: pytest.TempPathFactory) -> SmallWorld:
    """A published day with names that the registry does not know."""
    world = template.copy(tmp_path_factory.mktemp("models") / "world")
    more = [
        row("gen-a", name, 50.0 + n) for n, name in enumerate(["openrouter/x/model-a", "me w/ model-a", "[b]model-z"])
    ]
    world.write_board("alpha", board_rows("alpha") + more)
    with pytest.MonkeyPatch.context() as patch:
        quiet_process(patch)
        assert world.run().code == 0
    return world


def asked(world: SmallWorld, *arguments: str) -> Ran:
    """The command on this world's home and catalog."""
    return world.ask(*arguments, "--catalog", str(world.catalog))


def test_unresolved_names_are_listed_and_counted(world: SmallWorld) -> None:
    found = asked(world, "models", "unresolved", "--json").json
    assert [(name["name"], name["results"]) for name in found["names"]] == [
        ("[b]model-z", 1), ("me w/ model-a", 1), ("openrouter/x/model-a", 1),
    ]  # fmt: skip
    assert found["unresolved_results"] == 3 and found["results"] > 90
    shown = asked(world, "models", "unresolved", "--limit", "1")
    assert (
        "results stand under 3 names not identified" in shown.out
        and "[b]model-z" in shown.out
        and "2 more" in shown.err
    )


def test_proposals_are_entries_to_paste(world: SmallWorld) -> None:
    before = (world.catalog / "models.yaml").read_bytes()
    found = asked(world, "models", "suggest", "--json").json["suggestions"]
    assert [(item["model_id"], item["names"]) for item in found] == [
        (None, ["[b]model-z"]), ("model-a", ["openrouter/x/model-a"]),
    ]  # fmt: skip
    [entry] = yaml.safe_load(found[1]["stanza"])
    assert ModelSpec.model_validate(entry).aliases == ("openrouter/x/model-a",)
    shown = asked(world, "models", "suggest").out
    assert asked(world, "models", "suggest", "--json").json["without_proposal"] == ["me w/ model-a"]
    assert "1 further name without a proposal" in shown and "models unresolved" in shown
    assert "Nothing was changed" in shown and "aliases: [openrouter/x/model-a]" in shown
    assert (world.catalog / "models.yaml").read_bytes() == before


def test_judged_pairs_veto(world: SmallWorld, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("name_a,name_b,verdict\nopenrouter/x/model-a,model-a,different\n", encoding="utf-8")
    found = asked(world, "models", "suggest", "--pairs", str(pairs), "--json").json["suggestions"]
    assert [item["names"] for item in found] == [["[b]model-z"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", "lacks name_a"),
        ("name_a,name_b,verdict\nx,y,maybe\n", "line 2: verdict 'maybe'"),
        (None, "cannot be read"),
    ],
)
def test_pairs_that_make_no_sense(world: SmallWorld, tmp_path: Path, text: str | None, said: str) -> None:
    path = tmp_path / "pairs.csv"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    ran = asked(world, "models", "suggest", "--pairs", str(path))
    assert ran.code == 2 and said in ran.err


def test_a_home_without_results_says_what_to_do(fresh: SmallWorld) -> None:
    ran = fresh.ask("models", "unresolved")
    assert ran.code == 2 and "scoretrail run" in ran.err
