"""`scoretrail manifest` and `scoretrail triage`: what they say, how they end, and a study of manifests in a release."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
import yaml
from small_homes import SmallWorld, build_world, call, day_frame, quiet_process

WHOLE = (
    "batch_size=4", "kernels=flash-attn 2.7.4", "commit=9f3c1ab", "framework=vllm 0.11.2", "gpu=A10G",
    "decoding={strategy: greedy}", "seed=0", "chat_template=none", "driver=550.54", "quantization=none",
    "parallelism=none",
)  # fmt: skip


def stated(*more: str) -> list[str]:
    return [word for one in (*WHOLE, *more) for word in ("--set", one)]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs: a; b on another dtype, whose outputs part; c with a hole in its manifest."""
    folder = tmp_path_factory.mktemp("runs")
    for name, words in (("a", stated("dtype=bf16")), ("b", stated("dtype=fp16")), ("c", stated("dtype=bf16")[2:])):
        assert call("manifest", "capture", "--out", folder / name / "manifest.yaml", *words).code == 0
    for name, odd in (("a", 0), ("b", 3), ("c", 0)):
        rows = [{"prompt": f"p{at}", "token_ids": [1, 2 + (at < odd)], "margins": [4, 0.5]} for at in range(20)]
        (folder / name / "outputs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_capture_says_what_is_still_to_state(tmp_path: Path) -> None:
    ran = call("manifest", "capture", "--set", "dtype=bf16")
    assert ran.code == 0 and "  dtype: bf16\n" in ran.out and "state it" in ran.out
    assert "Still to state for a whole manifest: batch_size, kernels" in ran.err
    ran = call("manifest", "capture", "--out", tmp_path / "m.yaml", *stated("dtype=bf16"), "--json")
    assert ran.json["unstated"] == [] and ran.json["manifest"]["run"]["seed"] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--set", "dtipe=bf16"), "did you mean dtype"), (("--set", "dtype"), "field=value"),
     (("--set", "dtype=auto"), "leaves open"), (("--set", "seed=.nan"), "run.seed: .nan is no value"),
     (("--set", "decoding={temperature: -.inf}"), "-.inf is no value"), (("--set", "extra.x=NaN"), "NaN is no value"),
     (("--model", "nowhere"), "no such folder")],
)  # fmt: skip
def test_mistakes_of_capture(words: tuple[str, ...], said: str) -> None:
    ran = call("manifest", "capture", *words)
    assert ran.code == 2 and said in ran.err


def test_files_that_cannot_be_written_or_kept_are_named_as_asked(runs: Path, tmp_path: Path) -> None:
    ran = call("manifest", "capture", "--out", tmp_path)
    assert ran.code == 2 and f"--out {tmp_path}: Is a directory; name a file" in ran.err
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "manifest.yaml").write_bytes((runs / "b" / "manifest.yaml").read_bytes())
    ran = call("manifest", "compare", runs / "a", tmp_path / "a", "--register", "both", "--home", tmp_path / "home")
    assert ran.code == 2 and "both runs are called a; rename one" in ran.err


def test_compare(runs: Path) -> None:
    ran = call("manifest", "compare", runs / "a", runs / "b")
    assert ran.code == 1, ran.said
    assert ran.out.index("dtype") < ran.out.index("batch_size") < ran.out.index("kernels")
    for said in ("Look first at dtype: bfloat16 and float16", "3 of 20 prompts diverge: 15.0%", "upper limit"):
        assert said in ran.out
    assert call("manifest", "compare", runs / "a", runs / "a").code == 0
    ran = call("manifest", "compare", runs / "a", runs / "c", "--json")
    assert (ran.code, ran.json["standing"], ran.json["may_claim_reproduction"]) == (4, "unknown", False)
    assert ran.json["audit"]["exact_agreement"] == 1.0


def test_compare_of_files_with_outputs_beside(runs: Path) -> None:
    manifests = (runs / "a" / "manifest.yaml", runs / "b" / "manifest.yaml")
    given = ("--outputs", runs / "a" / "outputs.jsonl", "--outputs", runs / "b" / "outputs.jsonl")
    assert "15.0%" in call("manifest", "compare", *manifests, *given).out
    assert call("manifest", "compare", *manifests, *given[:2]).code == 2
    assert "No precision audit" in call("manifest", "compare", *manifests).out


def test_triage(runs: Path) -> None:
    ran = call("triage", runs / "a", runs / "b")
    assert ran.code == 0, ran.said
    assert "1 manifest: explains: dtype is bfloat16 in a and float16 in b" in ran.out
    assert "2 protocol: not reached" in ran.out
    assert "Cheapest next measurement: set dtype equal" in ran.out
    ran = call("triage", runs / "a", runs / "c", "--json")
    assert (ran.code, ran.json["explained_by"]) == (4, None)
    assert [step["outcome"] for step in ran.json["steps"]] == ["ruled_out", "unknown", "unknown"], (
        "all outputs are equal"
    )
    assert call("triage", runs / "a", runs / "none").code == 2


def test_a_study_of_manifests_goes_out(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What claims nothing is published, marked; a claim that does not hold is left out, saying why."""
    quiet_process(monkeypatch)
    world: SmallWorld = build_world(tmp_path / "world")
    assert call("manifest", "compare", runs / "a", runs / "b", "--register", "stacks", "--home", world.home).code == 1
    claim = {"reference": "a", "claims": ["b"]}
    studies = [
        {"id": "open", "kind": "reproduction", "evidence": "stacks", "publish": True},
        {"id": "claimed", "kind": "reproduction", "evidence": "stacks", "publish": True, "options": claim},
    ]
    (world.catalog / "studies.yaml").write_text(yaml.safe_dump({"studies": studies}))
    ran = world.run(day=None)
    assert ran.code == 0, ran.said
    made = day_frame(world, "out__manifest_pair", max(world.tables.days("out__manifest_pair")))
    assert made.select("study", "run_a", "run_b", "diverging").sort("study").rows() == [
        ("claimed", "a", "b", 3), ("open", "a", "b", 3),
    ]  # fmt: skip
    release = world.releases.current()
    assert release is not None
    out = {
        table: pl.read_parquet(release.folder / "tables" / f"{table}.parquet")
        for table in ("out__manifest_pair", "out__product")
    }
    assert out["out__manifest_pair"]["study"].to_list() == ["open"]
    products = {row["product"]: row for row in out["out__product"].rows(named=True)}
    assert products["open"]["status"] == "published"
    assert (products["claimed"]["status"], products["claimed"]["blocked_by"]) == ("blocked", "manifest-claims.claimed")
