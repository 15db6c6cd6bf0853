"""The published registry against pairs of names that people have judged: no false merge; the recall is printed.

`model_pairs.csv` holds facts only: two names as boards or registries write them, whether they are one model, and why
in a word. `eval_card_registry` and `name_variants` say what those two lists hold of the pair (the second by a loose key
that over-merges); `judged` is `hand` wherever they disagree with one another or with the verdict, or where no rule can
tell. The verdicts follow the head of models.yaml: a dated snapshot, an effort, a thinking budget, a size, a number
format, further training and an agent are models of their own (or none); a vendor's prefix and a remark on the call
are not.
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from methods.names import normalize
from methods.names.registry import ModelRegistry
from methods.statistics.wilson import wilson_interval
from resources.catalog_files import load_catalog
from warehouse.catalog_model import Catalog

HERE = Path(__file__).resolve().parent
Z95 = 1.959963984540054
COLUMNS = ["name_a", "name_b", "verdict", "why", "eval_card_registry", "name_variants", "judged"]
TRAPS = {
    "agent", "effort", "floating latest", "plus sign", "product", "quantization", "size", "snapshot", "steps",
    "thinking", "thinking budget", "tuning", "version",
}  # fmt: skip
"""Each kind of difference that has fooled somebody's matcher stands in the set."""


@dataclass(frozen=True)
class Pair:
    name_a: str
    name_b: str
    verdict: str
    why: str
    eval_card_registry: str
    name_variants: str
    judged: str


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    with (HERE / "model_pairs.csv").open(encoding="utf-8", newline="") as file:
        return [Pair(**row) for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(HERE.parent.parent / "warehouse" / "catalog").catalog


@pytest.fixture(scope="module")
def registry(catalog: Catalog) -> ModelRegistry:
    return ModelRegistry(catalog.models)


def merged(registry: ModelRegistry, pair: Pair) -> bool:
    one, other = registry.resolve(pair.name_a).model_id, registry.resolve(pair.name_b).model_id
    return one is not None and one == other


def test_the_set_is_large_sound_and_holds_every_trap(pairs: list[Pair]) -> None:
    assert list(vars(pairs[0])) == COLUMNS
    assert len(pairs) >= 500
    assert len({frozenset((pair.name_a, pair.name_b)) for pair in pairs}) == len(pairs)
    assert {pair.verdict for pair in pairs} == {"same", "different"} and {pair.judged for pair in pairs} == {
        "hand", "rule",
    }  # fmt: skip
    kinds = Counter(pair.why for pair in pairs if pair.verdict == "different")
    assert set(kinds) >= TRAPS, TRAPS - set(kinds)
    assert all(pair.why for pair in pairs)


def test_where_the_lists_disagree_somebody_looked(pairs: list[Pair]) -> None:
    for pair in pairs:
        said = {pair.eval_card_registry, pair.name_variants} - {""}
        if len(said) == 2 or (pair.eval_card_registry and pair.eval_card_registry != pair.verdict):
            assert pair.judged == "hand", pair


def test_the_registry_merges_no_two_models(
    pairs: list[Pair], registry: ModelRegistry, capsys: pytest.CaptureFixture[str]
) -> None:
    apart = [pair for pair in pairs if pair.verdict == "different"]
    same = [pair for pair in pairs if pair.verdict == "same"]
    false_merges = [pair for pair in apart if merged(registry, pair)]
    tested = [
        pair for pair in apart if registry.resolve(pair.name_a).model_id and registry.resolve(pair.name_b).model_id
    ]
    found = sum(merged(registry, pair) for pair in same)
    bound, tight, recall = (
        wilson_interval(k, n, Z95)
        for k, n in ((len(false_merges), len(apart)), (len(false_merges), len(tested)), (found, len(same)))
    )
    assert bound is not None and tight is not None and recall is not None
    with capsys.disabled():
        print(
            f"\nmodel identity: {len(false_merges)} false merges of {len(apart)} pairs (95% Wilson upper bound "
            f"{bound.high:.2%}; of the {len(tested)} with both names known {tight.high:.2%}); recall {found} of "
            f"{len(same)} = {recall.share:.1%} [{recall.low:.1%}, {recall.high:.1%}]"
        )
    assert not false_merges, false_merges
    # The registry was grown on the pairs that are one model; the rest are ids kept apart until somebody merges them.
    assert recall.share >= 0.95


def test_an_agent_is_never_its_backend(catalog: Catalog, registry: ModelRegistry) -> None:
    """Built from the registry itself: `A w/ X`, `A + X`, `X | Y` resolve to nothing for every model X."""
    for model in catalog.models:
        for name in (f"Agent S w/ {model.name}", f"SWE-agent + {model.name}", f"{model.name} | Planner"):
            assert registry.resolve(name).model_id is None, name


@pytest.mark.parametrize(
    "more",
    [
        " thinking",
        "-thinking-64k",
        " (high)",
        "-low-effort",
        "-FP8",
        "-AWQ",
        "-GGUF",
        "-2099-01-31",
        "-latest",
        " w/o think",
    ],
)
def test_what_is_added_to_a_name_is_another_model_or_none(catalog: Catalog, registry: ModelRegistry, more: str) -> None:
    for model in catalog.models:
        found = registry.resolve(model.name + more).model_id
        assert found != model.id, model.name + more


def test_a_dot_fewer_is_another_model_or_none(catalog: Catalog, registry: ModelRegistry) -> None:
    """1.3b into 13b, 4.1 into 41: the digits close up, the normalized name stays. Month and day are one number."""
    tried = 0
    for model in catalog.models:
        left, dot, right = model.name.partition(".")
        if not dot or not left[-1:].isdigit() or not right[:1].isdigit() or left[-2:].isdigit():
            continue
        closed = left + right
        assert normalize(closed) == normalize(model.name)
        assert registry.resolve(closed).model_id != model.id, closed
        tried += 1
    assert tried > 300
