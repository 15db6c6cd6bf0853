"""Two manifests: the first three first, missing is a difference, and a claim needs the whole."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from stack_runs import WHOLE, manifest

from methods.manifests.comparison import compare_manifests, missing_fields, run_standing
from warehouse.inference_manifest import InferenceManifest
from warehouse.manifest_rules import ManifestRules
from warehouse.methodology import Methodology


def test_dtype_batch_size_and_kernels_come_first(methodology: Methodology) -> None:
    found = compare_manifests(manifest(seed=1, kernels="sdpa"), manifest(seed=2), methodology.manifests)
    assert [one.field for one in found.fields[:3]] == ["dtype", "batch_size", "kernels"]
    assert [one.field for one in found.different] == ["kernels", "seed"]
    assert found.first_difference is not None and found.first_difference.field == "kernels"
    assert (found.standing, found.may_claim_reproduction) == ("differs", False)


def test_a_whole_equal_manifest_may_claim(methodology: Methodology) -> None:
    found = compare_manifests(manifest(), manifest(dtype="torch.bfloat16", batch_size=4.0), methodology.manifests)
    assert (found.standing, found.may_claim_reproduction) == ("matches", True), "two spellings of one dtype"
    assert found.first_difference is None


@pytest.mark.parametrize("field", list(WHOLE))
def test_missing_is_a_difference(methodology: Methodology, field: str) -> None:
    less = manifest(**{field: None})
    for a, b, state in ((less, manifest(), "missing_a"), (manifest(), less, "missing_b"), (less, less, "missing_both")):
        found = compare_manifests(a, b, methodology.manifests)
        assert (found.standing, found.may_claim_reproduction) == ("unknown", False)
        assert [(one.field, one.state) for one in found.missing] == [(field, state)]
        assert found.first_difference == found.missing[0] and not found.different
    assert missing_fields(less, methodology.manifests) == (field,)
    assert run_standing(less, methodology.manifests) == "partial"


def test_none_is_stated_and_null_is_not(methodology: Methodology) -> None:
    found = compare_manifests(manifest(quantization="none"), manifest(quantization=None), methodology.manifests)
    assert found.standing == "unknown"


def test_what_either_states_beside_is_compared_too(methodology: Methodology) -> None:
    found = compare_manifests(
        manifest({"torch": "2.9"}), manifest({"torch": "2.8", "vllm": "1"}), methodology.manifests
    )
    beside = {one.field: one.state for one in found.fields if one.part == "beside"}
    assert beside == {"packages.torch": "different", "packages.vllm": "missing_a"}
    assert found.standing == "differs"


def test_a_run_without_a_manifest(methodology: Methodology) -> None:
    rules = methodology.manifests
    found = compare_manifests(None, manifest(), rules)
    assert (found.standing, found.may_claim_reproduction) == ("no_manifest", False)
    assert [run_standing(one, rules) for one in (None, InferenceManifest(), manifest())] == [
        "no_manifest", "no_manifest", "whole",
    ]  # fmt: skip


def test_values_are_compared_whatever_their_layout(methodology: Methodology) -> None:
    one = manifest(decoding={"strategy": "sampling", "temperature": 1.0, "top_p": 0.9})
    other = manifest(decoding={"top_p": 0.9, "temperature": 1, "strategy": "sampling"}, seed="0")
    assert compare_manifests(one, other, methodology.manifests).standing == "matches"
    assert one.sha256 == other.sha256 != manifest().sha256


@pytest.mark.parametrize(
    ("data", "said"),
    [({"run": {"dtype": "auto"}}, "leaves open"), ({"run": {"dtyp": "bf16"}}, "Extra inputs"),
     ({"schema": "scoretrail.inference-manifest/2"}, "inference-manifest/1"),
     ({"run": {"seed": float("inf")}}, "finite")],
)  # fmt: skip
def test_what_a_manifest_may_not_say(data: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        InferenceManifest.model_validate(data)


def test_rules_name_fields_that_there_are() -> None:
    for first, whole, said in ((("dtipe",), ("seed",), "no field"), (("seed",), ("seed",), "twice")):
        with pytest.raises(ValidationError, match=said):
            ManifestRules(first=first, whole=whole, batch_limit=8, sweep_points=2)
