"""`scoretrail protocol`: text, JSON, page, exit codes, mistakes; a study of registered losses from run to verify."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
import yaml
from small_homes import DAY, SmallWorld, build_world, call

HEAD = "site,coordinate,protocol,convention,candidate,unit,loss"


def losses(folder: Path, *, moved: bool = False, sites: int = 60, name: str = "losses.csv") -> Path:
    """Losses of three candidates at some sites, by unit; `moved`: the second protocol turns the first two round."""
    rows = [HEAD]
    for site in range(sites):
        for horizon in range(3):
            for protocol in ("static", "rolling"):
                for place, candidate in enumerate("abc"):
                    turned = {0: 1, 1: 0, 2: 2}[place] if moved and protocol == "rolling" else place
                    rows += [
                        f"s{site:02},h{horizon},{protocol},,{candidate},u{unit},{turned + (unit * 7 + site) % 5 / 50}"
                        for unit in range(4)
                    ]
    path = folder / name
    path.write_text("\n".join(rows) + "\n")
    return path


def test_a_stable_ranking_ends_with_0_and_a_moved_one_with_1(tmp_path: Path) -> None:
    home = ["--home", str(tmp_path / "home")]
    stable = call("protocol", str(losses(tmp_path)), *home)
    assert stable.code == 0, stable.said
    assert "mean PSS 0.000, 0.0% of sites change winner" in stable.out
    moved = call("protocol", str(losses(tmp_path, moved=True)), "--candidates", "a,b,c", *home)
    assert moved.code == 1
    assert "protocol-candidates: pass" in moved.out
    assert "protocol-winner-swap: fail" in moved.out


def test_too_few_sites_end_with_4_and_say_how_many_would_decide(tmp_path: Path) -> None:
    found = call("protocol", str(losses(tmp_path, sites=8)), "--home", str(tmp_path / "home"), "--json")
    assert found.code == 4
    said = {one["gate"]: one for one in found.json["verdicts"]}
    assert said["protocol-pss"]["verdict"] == "pass"
    assert said["protocol-winner-swap"]["verdict"] == "inconclusive"
    assert "sites would decide" in said["protocol-winner-swap"]["detail"]
    assert {row["comparison"] for row in found.json["panel"]} == {"across", "within", "control"}
    assert found.json["exit_code"] == 4


def test_another_candidate_set_than_declared_ends_with_4(tmp_path: Path) -> None:
    found = call("protocol", str(losses(tmp_path)), "--candidates", "a,b", "--home", str(tmp_path / "home"))
    assert found.code == 4
    assert "not declared: c" in found.out


def test_the_page_is_one_file_that_loads_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    hostile = losses(tmp_path).read_text().replace(",a,", ",<script>alert(1)</script>,")
    (tmp_path / "bad.csv").write_text(hostile)
    found = call("protocol", str(tmp_path / "bad.csv"), "--page", str(page), "--home", str(tmp_path / "home"))
    assert found.code == 0, found.said
    text = page.read_text()
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert text.count("<figure>") == 3
    again = tmp_path / "again.html"
    call("protocol", str(tmp_path / "bad.csv"), "--page", str(again), "--home", str(tmp_path / "home"))
    assert again.read_bytes() == page.read_bytes()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--reference", "nobody"], "reference 'nobody' is no protocol of the losses; they are rolling, static"),
        (["--growth", "a,z"], "growth order: 'z' is no candidate"),
        (["--candidates", "a,a"], "candidates names a twice"),
    ],
)
def test_a_mistake_ends_with_2_and_one_sentence(tmp_path: Path, more: list[str], said: str) -> None:
    found = call("protocol", str(losses(tmp_path)), *more, "--home", str(tmp_path / "home"))
    assert found.code == 2
    assert said in found.err
    assert "Traceback" not in found.said


def test_a_bad_file_ends_with_2_naming_file_row_and_field(tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text(f"{HEAD}\ns,h,p,,a,u,much\n")
    found = call("protocol", str(bad), "--home", str(tmp_path / "home"))
    assert found.code == 2
    assert "bad.csv, row 1, loss: 'much' is no number" in found.err


def test_register_keeps_the_files(tmp_path: Path) -> None:
    home = tmp_path / "home"
    found = call("protocol", str(losses(tmp_path)), "--register", "stations-1", "--json", "--home", str(home))
    assert found.code == 0, found.said
    sha256 = found.json["evidence_sha256"]
    assert (home / "evidence" / "losses" / "stations-1" / sha256 / "losses.csv").is_file()


def with_study(world: SmallWorld, file: Path, **options: object) -> None:
    """Registers losses in the world's home and names a study of them."""
    register = ("register", "losses", "stations-1", str(file), "--known-since", "2026-03-01")
    assert call(*register, "--home", world.home).code == 0
    study = {
        "id": "stations", "kind": "protocol_sensitivity", "evidence": "stations-1", "publish": True, "options": options,
    }  # fmt: skip
    (world.catalog / "studies.yaml").write_text(yaml.safe_dump({"studies": [study]}))


def published(world: SmallWorld, table: str) -> pl.DataFrame:
    """A table of the current release."""
    return pl.read_parquet(world.home / "releases" / str(world.current()) / "tables" / f"{table}.parquet")


def test_a_study_from_registered_losses_to_verify(tmp_path: Path) -> None:
    world = build_world(tmp_path / "world")
    with_study(world, losses(tmp_path, moved=True, sites=12), candidates=["a", "b", "c"])
    ran = world.run()
    assert ran.code == 0, ran.said
    panel = published(world, "out__protocol_panel")
    assert panel["study"].unique().to_list() == ["stations"]
    assert panel.filter(comparison="across")["swap_share"].to_list() == [1.0]
    said = dict(published(world, "out__gate").filter(product="stations").select("gate", "verdict").rows())
    assert said["protocol-candidates.stations"] == "pass"
    assert said["protocol-winner-swap.stations"] == "fail"
    assert world.tables.read("out__board_sensitivity", DAY).filter(variant_kind="reference").height == 1
    checked = world.ask("verify", str(world.current()))
    assert checked.code == 0, checked.said
