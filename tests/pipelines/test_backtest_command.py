"""`scoretrail backtest`: text, JSON, a release or a mirror, forward in time, registries, mistakes and exit codes."""

from __future__ import annotations

import pytest
from small_homes import SmallWorld, call


def test_text_of_a_release(template: SmallWorld) -> None:
    found = call("backtest", "--home", str(template.home), "--quick")
    assert found.code == 0, found.said
    assert "single results withheld" in found.out
    assert "metric-median" in found.out
    assert "The linked score against each method" in found.out


def test_json_holds_everything(template: SmallWorld) -> None:
    found = call("backtest", "--home", str(template.home), "--split", "model-family", "--repetitions", "2", "--json")
    assert found.code == 0, found.said
    said = found.json
    assert [row["split"] for row in said["splits"]] == ["model-family"]
    assert said["splits"][0]["repetitions"] == 2
    methods = {row["method"] for row in said["backtest"]}
    assert {"3.0", "3.0-calibrated", "linked", "additive", "rank-2-logit", "logistic-2pl", "linked-letter"} <= methods
    assert said["registries"] is None
    again = call("backtest", "--home", str(template.home), "--split", "model-family", "--repetitions", "2", "--json")
    assert again.out == found.out  # keyed: the same numbers each time


def test_registries(template: SmallWorld) -> None:
    found = call("backtest", "--home", str(template.home), "--quick", "--identity", "--json")
    assert found.code == 0, found.said
    told = {row["registry"]: row for row in found.json["registries"]}
    assert list(told) == ["none", "exact", "full"]
    assert told["full"]["models"] == told["exact"]["models"] == 8  # every spelling of this world is listed
    shown = call("backtest", "--home", str(template.home), "--quick", "--identity")
    assert "How much the alias registry matters" in shown.out


def test_forward_over_releases(template: SmallWorld, second_day: SmallWorld) -> None:
    """Two releases with the same cells leave nothing to ask forward in time, which is said; one alone is a mistake."""
    alone = call("backtest", "--home", str(template.home), "--quick", "--forward")
    assert alone.code == 2
    assert "scoretrail backfill --from" in alone.err
    found = call("backtest", "--home", str(second_day.home), "--quick", "--forward", "--json")
    assert found.code == 0, found.said
    assert found.json["forward_days"] == [["2026-03-28", "2026-03-29"]]
    forward = next(row for row in found.json["splits"] if row["split"] == "forward")
    assert forward["predicted"] == forward["withheld"] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--split", "nights"], "splits are cells, model-family, family"),
        (["--mirror", "nowhere"], "no such folder"),
        (["--release", "2026-01-01-000000000000"], "2026-01-01-000000000000"),
    ],
)
def test_mistakes_are_said(template: SmallWorld, arguments: list[str], said: str) -> None:
    found = call("backtest", "--home", str(template.home), *arguments)
    assert found.code == 2
    assert said in found.err


def test_a_mirror_is_read_aside(fresh: SmallWorld) -> None:
    """From the folder of the boards' files; the home stays as it was: not there."""
    found = call(
        "backtest", "--mirror", str(fresh.catalog), "--home", str(fresh.home), "--catalog", str(fresh.catalog),
        "--quick", "--json",
    )  # fmt: skip
    assert found.code == 0, found.said
    assert found.json["results"] == 6 * 8  # every model on every metric, each once
    assert not fresh.home.exists()
