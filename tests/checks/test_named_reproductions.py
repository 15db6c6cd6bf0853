"""Gates of reproductions: claims need whole, equal manifests; what is not stated decides nothing, and is asked for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import polars as pl
import pytest

from checks.gates import GateInputs, evaluate
from checks.handmade import handmade_clauses
from methods.manifests.study import StackRun, StackRuns, manifest_tables
from warehouse.catalog_model import Catalog, GateSpec, StudySpec
from warehouse.inference_manifest import InferenceManifest
from warehouse.manifest_words import OUTPUT_SCHEMA
from warehouse.study_options import ReproductionOptions
from warehouse.tables import TABLES
from warehouse.verdicts import GateResult

NOW = datetime(2026, 10, 20, 12, 0, tzinfo=UTC)
WHOLE = {
    "dtype": "bf16", "batch_size": 4, "kernels": "k", "commit": "c", "framework": "f", "gpu": "g", "decoding": "greedy",
    "seed": 0, "chat_template": "none", "driver": "d", "quantization": "none", "parallelism": "none",
}  # fmt: skip


def run(name: str, diverging: int | None = None, prompts: int = 400, **changes: Any) -> StackRun:
    """A run of a whole manifest with changes; `bare=True` for none. Outputs where `diverging` says how many differ."""
    bare = changes.pop("bare", False)
    manifest = None if bare else InferenceManifest.model_validate({"run": WHOLE | changes})
    if diverging is None:
        return StackRun(name, manifest)
    rows = [[f"p{at}", [1 if at >= diverging else 2], None, None, "ok"] for at in range(prompts)]
    return StackRun(name, manifest, pl.DataFrame(rows, schema=OUTPUT_SCHEMA, orient="row"))


def judged(catalog: Catalog, gate: str, *runs: StackRun, **options: Any) -> GateResult:
    study = StudySpec(id="s", kind="reproduction", evidence="e", options=options)
    tables = manifest_tables(StackRuns(runs), "s", ReproductionOptions.model_validate(options), catalog.methodology)
    return on_tables(catalog, gate, tables, study)


def on_tables(
    catalog: Catalog, gate: str, tables: dict[str, pl.DataFrame], study: StudySpec | None = None
) -> GateResult:
    spec = spec_of(catalog, gate)
    of = catalog if study is None else catalog.model_copy(update={"studies": (study,)})
    return evaluate(spec, GateInputs(tables, of, None, NOW, NOW.date()))


def spec_of(catalog: Catalog, gate: str) -> GateSpec:
    line = next(one for one in catalog.study_gates if one.id == gate)
    return line.model_copy(update={"id": f"{gate}.s", "product": "s", "study": "s"})


@pytest.mark.parametrize(
    ("other", "verdict", "said"),
    [
        (run("b"), "pass", "whole manifests match"),
        (run("b", dtype="fp16"), "fail", "dtype bfloat16 and float16"),
        (run("b", seed=None), "inconclusive", "seed not stated on both sides"),
        (run("b", bare=True), "inconclusive", "would decide"),
    ],
)
def test_a_claim_needs_the_whole(catalog: Catalog, other: StackRun, verdict: str, said: str) -> None:
    found = judged(catalog, "manifest-claims", run("a"), other, reference="a", claims=["b"])
    assert found.verdict == verdict and said in found.detail
    without = judged(catalog, "manifest-claims", run("a"), other)
    assert (without.verdict, without.evaluated) == ("pass", 2), "what claims nothing may be published"


def test_a_run_without_a_whole_manifest_is_marked(catalog: Catalog) -> None:
    found = judged(catalog, "manifest-stated", run("a"), run("b", seed=None), run("c", bare=True))
    assert (found.verdict, found.failed) == ("fail", 2)
    assert "published and marked: b does not state seed" in found.detail
    assert judged(catalog, "manifest-stated", run("a")).verdict == "pass"
    assert not spec_of(catalog, "manifest-stated").required and spec_of(catalog, "manifest-claims").required


@pytest.mark.parametrize(
    ("runs", "verdict", "said"),
    [
        ((run("a"), run("b", seed=3)), "pass", "equal in what comes first"),
        ((run("a"), run("b", batch_size=8)), "fail", "batch_size 4 and 8"),
        ((run("a"), run("b", kernels=None)), "inconclusive", "kernels not stated on both sides"),
        ((run("a"),), "inconclusive", "a second"),
    ],
)
def test_the_first_three(catalog: Catalog, runs: tuple[StackRun, ...], verdict: str, said: str) -> None:
    found = judged(catalog, "manifest-first", *runs)
    assert found.verdict == verdict and said in found.detail


@pytest.mark.parametrize(
    ("a", "b", "verdict", "said"),
    [
        (run("a", 0), run("b", 4), "pass", "4 of 400 prompts diverge"),
        (run("a", 0), run("b", 100), "fail", "100 of 400"),
        (run("a", 0), run("b", 18), "inconclusive", "prompts would decide"),
        (run("a", 0, 10), run("b", 0, 10), "inconclusive", "prompts would decide"),
        (run("a", 0), run("b"), "inconclusive", "outputs of the same prompts"),
        (run("a", 0), run("b", 400, dtype="fp16"), "inconclusive", "no two runs of one stack"),
    ],
)
def test_divergence_by_its_interval(catalog: Catalog, a: StackRun, b: StackRun, verdict: str, said: str) -> None:
    found = judged(catalog, "manifest-divergence", a, b)
    assert found.verdict == verdict and said in found.detail, found.detail


@pytest.mark.parametrize("gate", ["manifest-claims", "manifest-stated", "manifest-first", "manifest-divergence"])
def test_empty_tables_do_not_pass_and_a_missing_one_is_an_error(catalog: Catalog, gate: str) -> None:
    empty = {name: TABLES[name].empty() for name in TABLES if name.startswith("out__manifest_")}
    assert on_tables(catalog, gate, empty).verdict in ("fail", "inconclusive")
    assert on_tables(catalog, gate, {}).verdict == "error"


def test_the_rules_find_what_contradicts_itself(catalog: Catalog) -> None:
    runs = StackRuns((run("a", 0), run("b", 3, dtype="fp16"), run("c", bare=True)))
    tables = manifest_tables(runs, "s", ReproductionOptions(), catalog.methodology)

    def broken(table: str, **change: pl.Expr) -> set[str]:
        frame = tables[table].with_columns(**change)
        clauses = handmade_clauses(table, catalog)
        return {one.name for one in clauses if one.holds is not None and not frame.select(one.holds.all()).item()}

    for table, rule, change in (
        ("out__manifest_run", "marked-unless-whole", {"is_marked": ~pl.col("is_marked")}),
        ("out__manifest_pair", "standing-from-fields", {"pair_standing": pl.lit("matches")}),
        ("out__manifest_pair", "divergence-counted", {"divergence_share": pl.col("divergence_share") + 0.5}),
        ("out__manifest_pair", "interval-holds-share", {"divergence_low": pl.lit(1.0)}),
        ("out__manifest_pair", "first-difference-named", {"first_difference": pl.lit(None, pl.String)}),
        ("out__manifest_pair", "audit-or-reason", {"reason_code": pl.lit("no_outputs")}),
        ("out__manifest_pair", "flips-among-diverging", {"ended_early": pl.lit(9)}),
        ("out__manifest_field", "state-from-values", {"field_state": pl.lit("equal")}),
    ):
        assert broken(table) == set()
        assert rule in broken(table, **change), rule
