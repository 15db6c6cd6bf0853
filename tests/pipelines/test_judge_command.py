"""`scoretrail judge`: report, fit, evaluate, apply, risk on the bundled example; exit codes; the study in a release."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl
import pytest
import yaml
from small_homes import SmallWorld, build_world, call, day_frame, quiet_process

from resources.judge_policy_file import read_policy

WAREHOUSE = Path(__file__).resolve().parents[2] / "warehouse"
CASCADES = "out__judge_cascade"
EXAMPLE = (WAREHOUSE / "demo" / "judgments.csv", WAREHOUSE / "demo" / "judgments.yaml")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    return "--home", str(tmp_path_factory.mktemp("judges"))


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory, home: tuple[str, str]) -> Path:
    """A policy fitted on the example's selection items."""
    out = tmp_path_factory.mktemp("policy") / "policy.yaml"
    ran = call("judge", "fit", *EXAMPLE, "--judge", "small", "--fallback", "large", "--out", out, *home)
    assert ran.code == 0, ran.err
    assert "0.88  open" in ran.out
    return out


def test_the_report_says_what_a_judge_is_worth(home: tuple[str, str], tmp_path: Path) -> None:
    ran = call("judge", *EXAMPLE, "--fallback", "large", "--queue", tmp_path / "queue.csv", *home)
    assert ran.code == 0, ran.err
    for said in (
        "2,280 judgments of 1,100 items", "labelled twice: 220, alike 89.5%", "Accuracy by confidence: small",
        "[0.9,0.95)", "open at tau = 0.88 (rule bound)",
        "closed, everything escalates: q does not order the judge's errors",
        "pass: loses 0.00 points on 450 held-out items", "task type free-text", "it does not lift accuracy",
    ):  # fmt: skip
        assert said in ran.out, said
    with (tmp_path / "queue.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 55
    assert set(rows[0]) == {"item", "task_type", "shown_first", "gold", "adjudication_reason"}
    assert {row["shown_first"] for row in rows} == {"A", "B"}
    assert [row["item"] for row in rows] != sorted(row["item"] for row in rows)
    assert not Path(home[1], "evidence").exists(), "a report stores nothing"


def test_an_inconclusive_cascade_ends_with_4(home: tuple[str, str]) -> None:
    ran = call("judge", *EXAMPLE, "--fallback", "large", "--rule", "point", *home)
    assert ran.code == 4
    assert "inconclusive: loses 1.56 points" in ran.out
    assert "items would decide" in ran.out


def test_a_cascade_that_loses_too_much_ends_with_1(home: tuple[str, str], tmp_path: Path) -> None:
    """The small judge decides where it should not: what the selection items promised does not hold on the others."""
    lines = ["item,judge,split,gold,first_prob_ab,first_prob_ba"]
    for n in range(400):
        side = "selection" if n < 200 else "held_out"
        right = n % 20 != 0 if side == "selection" else n % 10 != 0
        q = 0.99 if right or side == "held_out" else 0.55
        ab = q if right else 1 - q
        lines += [f"i{n},cheap,{side},A,{ab},{1 - ab:.2f}", f"i{n},dear,,,1,0"]
    file = tmp_path / "j.csv"
    file.write_text("\n".join(lines) + "\n")
    ran = call("judge", file, "--fallback", "dear", *home)
    assert ran.code == 1, ran.out
    assert "fail: loses 10.00 points on 200 held-out items, against 2" in ran.out
    assert "fail: AUROC of q is low: below 0.7 no cascade" in ran.out


def test_json_holds_every_table(home: tuple[str, str]) -> None:
    found = call("judge", *EXAMPLE, "--fallback", "large", "--json", *home).json
    cascade = {row["task_type"]: row for row in found["out__judge_cascade"]}
    assert cascade["preference"]["tau"] == 0.88
    assert cascade["free-text"]["tau"] is None
    assert len(found["out__judge_curve"]) == 102
    assert found["evidence_sha256"] is None


def test_a_policy_is_evaluated_and_applied(home: tuple[str, str], policy: Path, tmp_path: Path) -> None:
    ran = call("judge", "evaluate", policy, *EXAMPLE, *home)
    assert ran.code == 0, ran.err
    assert "Cascade: small, else large, on preference" in ran.out
    found = call("judge", "evaluate", policy, *EXAMPLE, "--task-type", "preference", "--json", *home).json
    assert [(row["task_type"], row["held_out_items"]) for row in found["evaluations"]] == [("preference", 450)]
    ran = call("judge", "apply", policy, *EXAMPLE, "--out", tmp_path / "decided.csv", *home)
    assert ran.code == 0, ran.err
    with (tmp_path / "decided.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 1100
    assert {row["decided_by"] for row in rows} == {"judge", "fallback"}
    assert read_policy(policy).rule == "bound"


@pytest.mark.parametrize(("field", "value"), [("rubric", "helpfulness-v3")])
def test_another_key_is_refused(home: tuple[str, str], policy: Path, tmp_path: Path, field: str, value: str) -> None:
    about = yaml.safe_load(EXAMPLE[1].read_text())
    former = str(about["judges"]["small"][field])
    about["judges"]["small"][field] = value
    other = tmp_path / "about.yaml"
    other.write_text(yaml.safe_dump(about))
    for command in ("evaluate", "apply"):
        ran = call("judge", command, policy, EXAMPLE[0], other, *home)
        assert ran.code == 2
        assert f"not of this judge: small runs on another key; {field}: '{former}' against '{value}'" in ran.err


def test_what_it_was_chosen_on_does_not_judge_it(home: tuple[str, str], policy: Path, tmp_path: Path) -> None:
    turned = tmp_path / "turned.csv"
    text = EXAMPLE[0].read_text()
    turned.write_text(
        text.replace(",selection,", ",x,").replace(",held_out,", ",selection,").replace(",x,", ",held_out,")
    )
    ran = call("judge", "evaluate", policy, turned, EXAMPLE[1], *home)
    assert ran.code == 2
    assert "was part of the selection set" in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing.csv",), "nothing.csv: No such file"),
        ((*EXAMPLE, "--fallback", "medium"), "no judgments of medium; there are those of large, small"),
        ((*EXAMPLE, "--split", "2"), "--split 2: a share between 0 and 1"),
        ((*EXAMPLE, "--fallback", "large", "--split", "0.5"), "state a split themselves"),
        (("risk", "--items", "90000", "--draws", "90000"), "at most 20,000,000 items"),
        (("evaluate", "none.yaml", *EXAMPLE), "none.yaml: No such file"),
        (
            ("fit", *EXAMPLE, "--judge", "small", "--fallback", "large", "--out", EXAMPLE[0] / "p.yaml"),
            f"--out {EXAMPLE[0] / 'p.yaml'}: ",
        ),
    ],
)
def test_mistakes_are_sentences(home: tuple[str, str], arguments: tuple[object, ...], said: str) -> None:
    ran = call("judge", *map(str, arguments), *home)
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_without_a_file_the_help_is_shown(home: tuple[str, str]) -> None:
    ran = call("judge")
    assert "evaluate" in ran.out + ran.err
    assert "FILES" in call("judge", "report", "--help").out


def test_risk_says_how_often_each_rule_breaks_its_tolerance(home: tuple[str, str]) -> None:
    ran = call("judge", "risk", "--items", "100", "--draws", "200", "--json", *home)
    found = {(row["judge"], row["rule"]): row["broke"] for row in ran.json["risks"]}
    assert found["calibrated", "point"] > 0.4
    assert found["calibrated", "bound"] < 0.15
    assert "loses more than 2 points" in call("judge", "risk", "--items", "100", "--draws", "50", *home).out


def test_a_study_of_judges_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Registered by the report; one study passes, one is inconclusive, and both go out with their verdicts."""
    quiet_process(monkeypatch)
    world: SmallWorld = build_world(tmp_path / "world")
    studies = [
        {"id": "sure", "kind": "judge", "evidence": "example", "options": {"fallbacks": ["large"]}, "publish": True},
        {"id": "unsure", "kind": "judge", "evidence": "example", "options": {"fallbacks": ["large"], "rule": "point"},
         "publish": True},
    ]  # fmt: skip
    (world.catalog / "studies.yaml").write_text(yaml.safe_dump({"studies": studies}))
    ran = call("judge", *EXAMPLE, "--register", "example", "--home", world.home)
    assert ran.code == 0, ran.err
    assert "Registered judgments example" in ran.err
    ran = world.run(day=None)
    assert ran.code == 0, ran.said
    day = max(world.tables.days("out__judge_cascade"))
    made = day_frame(world, "out__judge_cascade", day)
    assert sorted(made["study"].unique()) == ["sure", "unsure"]
    release = world.releases.current()
    assert release is not None
    out = {
        table: pl.read_parquet(release.folder / "tables" / f"{table}.parquet") for table in (CASCADES, "out__product")
    }
    assert sorted(out[CASCADES]["study"].unique()) == ["sure", "unsure"]
    products = {row["product"]: row["status"] for row in out["out__product"].rows(named=True)}
    assert (products["sure"], products["unsure"]) == ("published", "published")
    gates = {row["gate"]: row for row in day_frame(world, "out__gate", day).rows(named=True)}
    assert gates["judge-loss.sure"]["verdict"] == "pass"
    assert gates["judge-loss.unsure"]["verdict"] == "inconclusive"
    assert "would decide" in gates["judge-loss.unsure"]["detail"]
