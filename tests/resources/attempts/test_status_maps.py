"""The six maps of the source, each on a fixture: which attempts are clean, and what they score (METHODS 11).

A fixture is a file of records that also says what to expect: `clean` is true, false or undecided, `counts` the score.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
import yaml

from methods.harness.grid import HarnessEvidence
from methods.statistics.fixed_point import SCALE
from resources.attempts.declarations import bundled_maps, read_map
from resources.attempts.evidence import attempts_of

FIXTURES = sorted((Path(__file__).resolve().parent / "maps").glob("*.csv"))


def wanted(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def read(path: Path, folder: Path) -> HarnessEvidence:
    """The fixture's records as a panel of one configuration, a task a row."""
    status_map = read_map(bundled_maps()[path.stem])
    rows = wanted(path)
    records = folder / "attempts.csv"
    with records.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        kept = [name for name in rows[0] if name not in {"what", "clean", "counts"}]
        writer.writerow(["model", "harness", "benchmark", "task", *kept])
        writer.writerows(["m", "h", "b", row["what"], *(row[name] for name in kept)] for row in rows)
    benchmark: dict[str, Any] = {"id": "b", "map": path.stem}
    if status_map.environments:
        names = status_map.environments
        benchmark["environments"] = [
            {"id": one, "tasks": [r["what"] for r in rows if r["environment"] == one]} for one in names
        ]
    else:
        benchmark["tasks"] = [row["what"] for row in rows]
    if status_map.conditions:
        benchmark |= {"conditions": list(status_map.conditions), "primary": status_map.conditions[0]}
    panel = folder / "panel.yaml"
    declared = {"schema": "scoretrail.panel/1", "title": "t", "models": ["m"], "harnesses": ["h"]}
    panel.write_text(yaml.safe_dump({**declared, "benchmarks": [benchmark]}), encoding="utf-8")
    return attempts_of([records], panel)


def test_every_map_of_the_source_has_a_fixture() -> None:
    assert {path.stem for path in FIXTURES} == set(bundled_maps()) - {"stated", "outcome-only"}


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_map(path: Path, tmp_path: Path) -> None:
    evidence = read(path, tmp_path)
    undecided = set(evidence.faults.filter(evidence.faults["fault"] == "field_missing")["task"])
    for row in wanted(path):
        [grid] = [g for g in evidence.grids if g.block.condition in {row.get("condition"), "standard"}]
        place = [task for _, task in grid.block.task_names].index(row["what"])
        assert grid.recorded[0, place, 0], row["what"]
        assert bool(grid.clean[0, place, 0]) == (row["clean"] == "true"), row["what"]
        assert (row["what"] in undecided) == (row["clean"] == "undecided"), row["what"]
        assert grid.score[0, place, 0] / SCALE == pytest.approx(float(row["counts"]), abs=1e-12), row["what"]


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("vitabench", "beyond the steps everyone has"),
        ("clawmark", "a turn longer than all have"),
        ("agentskillos", "out of time"),
    ],
)
def test_a_limit_that_everyone_has_is_held(name: str, task: str, tmp_path: Path) -> None:
    evidence = read(next(path for path in FIXTURES if path.stem == name), tmp_path)
    beyond = evidence.faults.filter(evidence.faults["fault"] == "over_limit")
    assert beyond["task"].to_list() == [task]


def test_scales_and_conditions_of_the_source() -> None:
    maps = {name: read_map(path) for name, path in bundled_maps().items()}
    assert (maps["agentskillos"].scale, maps["agentskillos"].conditions) == (100, ("skill_200", "skill_900"))
    assert (maps["clawmark"].scale, maps["clawmark"].report_scale, maps["clawmark"].outcome) == (1, 100, "continuous")
    assert len(maps["vitabench"].environments) == 4
    assert {name: maps[name].tasks for name in ("swe-bench-45", "terminal-bench-2", "loca-bench", "clawmark")} == {
        "swe-bench-45": 45, "terminal-bench-2": 89, "loca-bench": 75, "clawmark": 100,
    }  # fmt: skip
    assert maps["terminal-bench-2"].success == "full_marks"
