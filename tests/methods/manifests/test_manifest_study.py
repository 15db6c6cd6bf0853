"""The study as tables under their contracts: pairs, a reference, claims, and rows in any order."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from stack_runs import manifest, outputs, run

from methods.manifests.study import ManifestError, StackRuns, analyse, manifest_tables
from warehouse.catalog_model import Catalog, StudySpec
from warehouse.methodology import Methodology
from warehouse.study_options import ReproductionOptions
from warehouse.tables import TABLES

RUNS = StackRuns((
    run("bare", None, outputs([[1], [2]])),
    run("ours", manifest(), outputs([[1], [2]])),
    run("theirs", manifest(dtype="fp16"), outputs([[1], [3]], [[0.5], [0.25]])),
))  # fmt: skip


def test_every_two_runs(catalog: Catalog) -> None:
    spec = StudySpec(id="s", kind="reproduction", evidence="e")
    tables = {name: TABLES[name].conform(frame) for name, frame in analyse(RUNS, spec, catalog).items()}
    pairs = tables["out__manifest_pair"]
    assert pairs.select("run_a", "run_b", "pair_standing", "diverging", "first_difference").rows() == [
        ("bare", "ours", "no_manifest", 0, "dtype"), ("bare", "theirs", "no_manifest", 1, "dtype"),
        ("ours", "theirs", "differs", 1, "dtype"),
    ]  # fmt: skip
    assert tables["out__manifest_run"].select("run", "run_standing", "is_marked", "claim").rows() == [
        ("bare", "no_manifest", True, "none"), ("ours", "whole", False, "none"), ("theirs", "whole", False, "none"),
    ]  # fmt: skip
    assert tables["out__manifest_field"].height == 3 * 12
    assert tables["out__manifest_margin"]["agreement_if_recomputed"].to_list() == [1.0, 1.0]


def test_a_reference_and_claims(methodology: Methodology) -> None:
    asked = ReproductionOptions(reference="ours", claims=("theirs",))
    tables = manifest_tables(RUNS, "s", asked, methodology)
    assert tables["out__manifest_pair"].select("run_a", "run_b", "is_claim").rows() == [
        ("ours", "bare", False), ("ours", "theirs", True),
    ]  # fmt: skip
    assert tables["out__manifest_run"].filter(claim="reproduction")["run"].to_list() == ["theirs"]
    with pytest.raises(ManifestError, match=r"name the run strange; the evidence has bare, ours, theirs"):
        manifest_tables(RUNS, "s", ReproductionOptions(reference="strange"), methodology)


@pytest.mark.parametrize(
    ("options", "said"), [({"claims": ["a"]}, "reference"), ({"claims": ["a"], "reference": "a"}, "itself")]
)
def test_a_claim_is_of_something(options: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        StudySpec(id="s", kind="reproduction", evidence="e", options=options)
