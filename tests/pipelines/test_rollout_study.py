"""The batches of a canary, registered as samples, are a study of a release decision with tables of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from rollout_worlds import csv, sealed_contract
from small_homes import build_world, call, day_frame, quiet_process

from resources.manifest import read_release
from resources.site.build import site_files
from resources.site.inputs import inputs_of_folder


def test_a_canary_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet_process(monkeypatch)
    world = build_world(tmp_path / "world")
    studies = [{"id": "assistant-canary", "kind": "release_decision", "evidence": "one-2", "publish": True}]
    (world.catalog / "studies.yaml").write_text(yaml.safe_dump({"studies": studies}))
    home = ("--home", str(world.home))
    assert call("canary", "start", "one", sealed_contract(tmp_path), *home).code == 0
    assert "has no batch yet" in call("canary", "register", "one", *home).err
    call("canary", "add", "one", csv(tmp_path, 1, 300), csv(tmp_path, 2, 300, error=0.4), *home)
    assert "Registered samples one-2" in call("canary", "register", "one", *home).out
    ran = world.run(day=None)
    assert ran.code == 0, ran.said
    day = max(world.tables.days("out__canary_look"))
    looks = day_frame(world, "out__canary_look", day)
    assert looks.select("study", "batch", "rule").rows() == [
        ("assistant-canary", 1, "errors"), ("assistant-canary", 1, "slow"), ("assistant-canary", 2, "errors"),
        ("assistant-canary", 2, "slow"),
    ]  # fmt: skip
    action = day_frame(world, "out__canary_action", day).row(0, named=True)
    assert (action["action"], action["batches"], action["rows"]) == ("rollback", 2, 600)
    assert day_frame(world, "out__release_decision", day)["verdict"].to_list() == ["block"]
    assert day_frame(world, "out__canary_exposure", day).height == 2
    assert day_frame(world, "out__canary_cohort", day)["cohort"].to_list() == ["all", "north", "south"]
    assert day_frame(world, "out__canary_model", day)["other_model"].to_list() == [0, 0]
    current = world.current()
    assert current is not None
    folder = world.releases.folder(current)
    site = dict(site_files(inputs_of_folder(folder, read_release(folder).manifest)))
    page, decision = site["canary/assistant-canary.html"], site["decisions/assistant-canary.html"]
    assert b"nothing more to the candidate, and back to the baseline" in page and b"Batch by batch" in page
    assert page.count(b"<svg") == 2 and b'href="../canary/assistant-canary.html"' in decision
