"""The study of a named freeze through the pipeline: told cases; published, blocked, not run, crashed, verified."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from small_homes import DAY, Ran, SmallWorld, call, gate_row, row
from study_worlds import (
    PAIR_SUITES,
    STUDY_SUITES,
    decide,
    decide_as_suggested,
    demo_results,
    name_study,
    register,
    rows_results,
    study_world,
    walks_of,
)

import assets.pairs
from warehouse.pairing_words import SOURCE_DIRECTIONS
from warehouse.tables_statistics import OUT_SOURCE_DIFFERENCE

NUMBERS = [name for name in OUT_SOURCE_DIFFERENCE.columns if name in OUT_SOURCE_DIFFERENCE.nullable]

TOLD = [
    # benchmark, one of the two models, the rule that recalls it, decision, difference in the pair's own direction:
    # the text states most of these the other way round (official minus self-reported)
    ("OSWorld", "Jedi-7B w/ GPT-4o (15 steps)", "wrapper_head_and_token_similarity", "protocol_mismatch", -4.06),
    ("OSWorld", "Jedi-7B w/ GPT-4o (50 steps)", "wrapper_head_and_token_similarity", "protocol_mismatch", -1.98),
    ("OSWorld", "Jedi-7B w/ GPT-4o (100 steps)", "wrapper_head_and_token_similarity", "protocol_mismatch", -2.26),
    ("OSWorld", "Simular Agent S2", "organization_prefix_identity_head", "version_mismatch", -7.64),
    ("OSWorld", "Kimi-VL", "same_model_url", "version_mismatch", None),
    ("OSWorld", "UI-TARS-1.5 (100 steps)", "same_model_url", None, None),
    ("OSWorld", "OpenAI CUA 4o (15 steps)", "same_model_url", None, None),
    ("DPG-Bench", "Qwen-Image [no PE]", "protocol_suffix_stripped", "protocol_mismatch", -1.12),
    ("GenEval", "Qwen-Image [no PE]", "protocol_suffix_stripped", "protocol_mismatch", 4.0),
    ("GEdit-Bench", "Flux2-Klein-9B + TRM-guided RL", "protocol_suffix_stripped", "version_mismatch", -1.8),
    ("ImgEdit", "Flux2-Klein-9B + TRM-guided RL", "protocol_suffix_stripped", "version_mismatch", -1.6),
]


def products(world: SmallWorld) -> dict[str, tuple[str, str | None]]:
    found = world.tables.read("out__product", DAY)
    return {name: (status, by) for name, status, by in found.iter_rows()}


def released(world: SmallWorld, table: str) -> pl.DataFrame:
    release = world.releases.current()
    assert release is not None
    return release.read(table)


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> tuple[SmallWorld, Ran]:
    """A world whose study reads the demonstration's results, every pair decided as suggested; run once, read only."""
    world = study_world(tmp_path_factory.mktemp("studied") / "world", suites=STUDY_SUITES | PAIR_SUITES)
    results, snapshots = demo_results()
    register(world, results, snapshots)
    name_study(world)
    decide_as_suggested(world, results)
    with pytest.MonkeyPatch.context() as patch:
        from small_homes import quiet_process

        quiet_process(patch)
        ran = world.run()
    assert ran.code == 0, ran.said
    return world, ran


def test_the_study_is_published_and_says_that_nothing_can_be_subtracted(studied: tuple[SmallWorld, Ran]) -> None:
    """As in the sources' own study: candidates, all excluded; n = 0 gives nulls with the reason, never 0."""
    world, _ = studied
    assert products(world) == {
        "scores": ("published", None), "source_pairs": ("published", None),
        "source_study": ("published", None), "sources-test": ("published", None),
        "linked_score": ("published", None), "board_sensitivity": ("blocked", "no required gate"),
    }  # fmt: skip
    pairs, differences = released(world, "core__study_pair"), released(world, "out__source_difference")
    assert pairs.height > 300
    assert set(pairs["state"]) == {"agreed"}
    assert set(differences["direction"]) == set(SOURCE_DIRECTIONS)
    assert set(differences["reason_code"]) == {"no_aligned_pairs"}
    assert differences["n"].to_list() == [0] * 6
    assert not any(differences["is_bias_readable"])
    for name in set(NUMBERS) - {"reason_code"}:
        assert differences[name].null_count() == 6, name
    boards = demo_results()[0]["leaderboard"].n_unique()
    assert all(text.startswith(f"Freeze frozen-1: {boards} boards, 1706 results") for text in differences["scope"])


@pytest.mark.parametrize(("benchmark", "model", "rule", "decision", "points"), TOLD)
def test_a_told_pair_is_recalled_excluded_and_says_what_it_supports(
    studied: tuple[SmallWorld, Ran], benchmark: str, model: str, rule: str, decision: str | None, points: float | None
) -> None:
    pairs = released(studied[0], "core__study_pair").filter(
        (pl.col("benchmark") == benchmark) & ((pl.col("model_a") == model) | (pl.col("model_b") == model))
    )
    hit = pairs.filter(pl.col("rules").list.contains(rule))
    assert hit.height, pairs
    for pair in hit.rows(named=True):
        assert pair["decision"] != "aligned"
        assert pair["blocking_fields"]
        assert pair["does_not_support"] == "no claim about the source"
        if decision is not None:
            assert pair["decision"] == decision
        if points is not None:
            assert pair["surface_difference_pp"] == pytest.approx(points, abs=1e-9)
            assert f"a surface difference of {points:+.2f}".rstrip("0") in pair["supports"]


def test_the_evidence_is_part_of_the_release_and_it_verifies(studied: tuple[SmallWorld, Ran]) -> None:
    world, _ = studied
    release = world.releases.current()
    assert release is not None
    (entry,) = release.manifest.evidence
    assert (entry.kind, entry.name) == ("freeze", "frozen-1")
    assert released(world, "raw__evidence")["sha256"].to_list() == [entry.sha256]
    assert (world.home / "evidence" / "freeze" / "frozen-1" / entry.sha256 / "results.csv").is_file()
    ran = world.ask("verify", "current", "--json")
    assert ran.code == 0, ran.said


def test_an_archive_with_the_evidence_recomputes_the_study_elsewhere(
    studied: tuple[SmallWorld, Ran], tmp_path: Path
) -> None:
    world, _ = studied
    archive = tmp_path / "release.zip"
    packed = world.ask("export", "current", "--archive", str(archive), "--with-evidence")
    assert packed.code == 0, packed.said
    ran = call("verify", archive, "--json", "--home", tmp_path / "nothing")
    assert ran.code == 0, ran.said
    assert ran.json["complete"] is True


ALIGNED: dict[str, Any] = {
    "benchmark_version": "1", "subset": "all", "n_samples": 400,
    "protocol": {"model_version": "v1", "post_training": "none", "steps": 5, "samples": 1, "harness": "H 1",
                 "prompt_enhancement": "none", "observation": "text", "action_interface": "api", "runs": 1},
}  # fmt: skip


def pair_boards(reported: float = 63.0) -> dict[str, tuple[str, list[dict[str, Any]]]]:
    """Two boards that state everything about two models on one metric of the small catalog."""
    values = {"model-a": 60.0, "model-b": 70.0}
    official = [{**row("gen-a", name, value), **ALIGNED} for name, value in values.items()]
    mine = [{**row("gen-a", "model-a", reported), **ALIGNED}, {**row("gen-a", "model-b", 71.0), **ALIGNED}]
    return {"alpha": ("official", official), "gamma": ("self_reported", mine)}


@pytest.fixture
def small(tmp_path: Any) -> SmallWorld:
    """A world whose study has two pairs that can be aligned."""
    world = study_world(tmp_path / "world", suites=())
    results, snapshots = rows_results(pair_boards(), world)
    register(world, results, snapshots)
    name_study(world)
    decide(world, [(walk.pair_id, "aligned", "alike in everything") for walk in walks_of(world, results)])
    return world


def test_aligned_pairs_are_subtracted_and_a_small_n_is_no_bias(small: SmallWorld) -> None:
    ran = small.run()
    assert ran.code == 0, ran.said
    assert products(small)["source_study"] == ("published", None)
    found = released(small, "out__source_difference").filter(pl.col("direction") == "self_reported_minus_official")
    (line,) = found.rows(named=True)
    assert (line["n"], line["n_models"], line["mean_pp"], line["median_pp"]) == (2, 2, 2.0, 2.0)
    assert (line["reason_code"], line["is_bias_readable"]) == ("too_few_models", False)
    assert gate_row(small, "differences-follow")["verdict"] == "pass"


def pairs_now(world: SmallWorld) -> list[str]:
    text = (world.catalog / "decisions.csv").read_text(encoding="utf-8")
    return text.splitlines(keepends=True)


@pytest.mark.parametrize("fault", ["missing", "too many"])
def test_a_table_that_does_not_equal_the_generated_set_blocks_the_study_alone(small: SmallWorld, fault: str) -> None:
    """One missing or one too many fails; the board goes out, the study's tables are empty, out__product says why."""
    path = small.catalog / "decisions.csv"
    lines = pairs_now(small)
    if fault == "missing":
        lines.pop()
    else:
        lines.append(f"{'0' * 16},{'1' * 16},unsure,nobody knows,R1,2026-03-02\n")
    path.write_text("".join(lines), encoding="utf-8")
    ran = small.run()
    assert ran.code == 0, ran.said
    assert products(small)["scores"] == ("published", None)
    assert products(small)["source_study"] == ("blocked", "pairs-decided")
    assert ("1 missing" if fault == "missing" else "1 orphaned") in gate_row(small, "pairs-decided")["detail"]
    assert small.tables.read("core__study_pair", DAY).height >= 2
    for table in ("core__study_pair", "out__source_difference"):
        assert released(small, table).height == 0
    assert released(small, "core__candidate_pair").height == 0  # no suite of the pairs in this world: nothing guards it
    assert products(small)["source_pairs"] == ("blocked", "no required gate")
    if fault == "missing":
        assert small.ask("verify", "current").code == 0


def test_decisions_of_later_days_do_not_disturb_a_study_that_says_until_when(small: SmallWorld) -> None:
    with (small.catalog / "decisions.csv").open("a", encoding="utf-8") as stream:
        stream.write(f"{'0' * 16},{'1' * 16},unsure,of a later night,R1,2026-03-09\n")
    name_study(small, options={"decisions_until": "2026-03-05"})
    assert small.run().code == 0
    assert products(small)["source_study"] == ("published", None)


def test_a_freeze_that_is_missing_or_changed_blocks_the_study_alone(small: SmallWorld) -> None:
    results = next((small.home / "evidence").rglob("results.csv"))
    results.write_bytes(results.read_bytes().replace(b"63.0", b"99.0"))
    ran = small.run()
    assert ran.code == 0, ran.said
    status, by = products(small)["source_study"]
    assert status == "blocked"
    assert "evidence-proved" in str(by)
    assert "was changed" in gate_row(small, "evidence-proved")["detail"]
    release = small.releases.current()
    assert release is not None
    assert release.manifest.evidence == ()
    standing = small.ask("status", "--max-age-hours", "1e9", "--json").json["standing"]
    [told] = [said for said in standing if said.startswith("source_study ")]
    assert told.startswith(f"source_study is left out of {release.release_id}: ") and "evidence-proved" in told
    assert told.split(": ", 1)[1] == str(by).replace(",", ", ")
    name_study(small, evidence="never-registered")
    assert small.run().code == 0
    assert "is not registered" in gate_row(small, "evidence-proved")["detail"]


def test_no_study_is_not_run_and_one_kept_back_says_so(small: SmallWorld) -> None:
    name_study(small, publish=False)
    assert small.run().code == 0
    assert products(small)["source_study"] == ("not_run", "studies.yaml says publish: false")
    assert released(small, "out__source_difference").height == 0
    (small.catalog / "studies.yaml").unlink()
    assert small.run().code == 0
    assert products(small)["source_study"] == ("not_run", None)
    assert gate_row(small, "pairs-decided")["verdict"] == "not_applicable"


def test_a_crash_of_the_study_is_a_bug_and_the_board_goes_out(
    small: SmallWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    def explode(*_: object) -> pl.DataFrame:
        raise OverflowError("too many pairs")

    monkeypatch.setattr(assets.pairs, "study_pairs", explode)
    ran = small.run()
    assert ran.code == 70, ran.said
    assert products(small)["scores"] == ("published", None)
    assert gate_row(small, "pairs-decided")["verdict"] == "error"
    assert released(small, "out__source_difference").height == 0


def test_a_name_stands_for_one_freeze_and_two_studies_are_one_too_many(small: SmallWorld) -> None:
    other, snapshots = rows_results(pair_boards(64.0), small)
    with pytest.raises(AssertionError, match="a name is given once"):
        register(small, other, snapshots)
    one = {"id": "a", "kind": "source_difference", "evidence": "frozen-1"}
    text = f"studies: [{one}, {one | {'id': 'b'}}]"
    (small.catalog / "studies.yaml").write_text(text, encoding="utf-8")
    ran = call("catalog", "check", "--catalog", small.catalog)
    assert ran.code == 2
    assert "at most one study" in ran.said
