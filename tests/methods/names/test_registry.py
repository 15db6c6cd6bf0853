"""The registry: exact alias, else equal normalized name, else unidentified (METHODS 2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from methods.names import normalize
from methods.names.registry import ModelRegistry, alias_conflicts
from warehouse.catalog_model import ModelSpec

GPT4O = ModelSpec(id="gpt-4o", name="GPT-4o", developer="OpenAI", aliases=("openai/gpt-4o",))
GPT4 = ModelSpec(id="gpt-4", name="GPT-4", developer="OpenAI")
TINY = ModelSpec(id="granite4-tiny-h", name="granite4:tiny-h", developer="IBM")
SONAR_A = ModelSpec(id="a-sonar", name="Sonar", developer="A Labs")
SONAR_B = ModelSpec(id="b-sonar", name="SONAR!", developer="B")
NOBODY = ModelSpec(id="nobody-7b", name="Nobody 7B")
REGISTRY = ModelRegistry([GPT4O, GPT4, TINY, SONAR_A, SONAR_B, NOBODY])


@pytest.mark.parametrize(
    ("name", "developer", "model_id"),
    [
        ("GPT-4o", None, "gpt-4o"),
        ("gpt 4O", None, "gpt-4o"),
        ("gpt\u200b-4o", None, "gpt-4o"),
        ("openai/gpt-4o", None, "gpt-4o"),
        ("openai/gpt-4o", "someone else", "gpt-4o"),  # an exact alias needs no developer
        ("gpt-4o", "Open AI", "gpt-4o"),  # developers compare normalized
        ("gpt-4o", "someone else", None),
        ("nobody-7b", "anyone", "nobody-7b"),  # the registry states no developer
        ("gpt-4o", "-", "gpt-4o"),  # a developer without letters is not stated
        ("Sonar", None, "a-sonar"),  # exact
        ("sonar", None, None),  # two models
        ("sonar", "B", "b-sonar"),
        ("sonar", "C", None),
        ("---", None, None),
        ("", None, None),
    ],
)
def test_worked_examples(name: str, developer: str | None, model_id: str | None) -> None:
    assert REGISTRY.resolve(name, developer).model_id == model_id


def test_unidentified_names_the_hits() -> None:
    assert "a-sonar, b-sonar" in REGISTRY.resolve("sonar").detail
    assert "gpt-4o" in REGISTRY.resolve("gpt-4o", "someone else").detail
    assert "someone else" in REGISTRY.resolve("gpt-4o", "someone else").detail


@pytest.mark.parametrize(
    "name", ["gpt-4.1-mini", "gpt-4-turbo", "gpt-5-nano", "chatgpt-4o-latest", "gpt-4o-2024-08-06"]
)
def test_no_prefix_and_no_default(name: str) -> None:
    """F01, F02, F04, F06: no prefix matching, no default, "-latest" and dated names are their own."""
    assert REGISTRY.resolve(name).model_id is None


def test_only_registered_decorations_are_known() -> None:
    """F13: a context marker is stripped only by an alias that says so; another bracket stays meaningful."""
    registry = ModelRegistry([ModelSpec(id="m", name="m", aliases=("m[1M]",))])
    assert registry.resolve("m[1M]").model_id == "m"
    assert registry.resolve("m[beta]").model_id is None


def test_a_copied_hyphen_still_finds_the_model() -> None:
    """F14: U+2011 in a copied name."""
    assert REGISTRY.resolve("granite4:tiny\u2011h").model_id == "granite4-tiny-h"


def test_provider_prefix_before_and_after_an_upstream_change() -> None:
    """F16: both spellings resolve, since both are registered; F09: an unregistered route does not."""
    assert REGISTRY.resolve("openai/gpt-4o").model_id == REGISTRY.resolve("gpt-4o").model_id == "gpt-4o"
    assert REGISTRY.resolve("openrouter/openai/gpt-4o").model_id is None


def test_one_exact_spelling_of_two_models_is_a_conflict() -> None:
    models = [
        ModelSpec(id="x", name="X", aliases=("one", "two")),
        ModelSpec(id="y", name="Y", aliases=("two", "X", "Y")),
    ]
    conflicts = alias_conflicts(models)
    assert [(conflict.alias, conflict.model_ids) for conflict in conflicts] == [("X", ("x", "y")), ("two", ("x", "y"))]
    assert str(conflicts[0]) == "the exact spelling 'X' belongs to x and y"
    assert ModelRegistry(models).resolve("two").model_id is None
    assert alias_conflicts([GPT4O, GPT4, SONAR_A, SONAR_B]) == []


WORDS = st.sampled_from(["a", "A", "a-", "ab", "a b", "AB", "b", "-", "ａ"])
DEVELOPERS = st.sampled_from([None, "D", "d ", "E", "-"])


@given(
    st.lists(st.tuples(WORDS, DEVELOPERS, st.lists(WORDS, max_size=2)), max_size=5),
    st.lists(st.tuples(WORDS, DEVELOPERS), min_size=1, max_size=6),
)
def test_index_as_the_plain_definition(
    described: list[tuple[str, str | None, list[str]]], rows: list[tuple[str, str | None]]
) -> None:
    models = [
        ModelSpec(id=f"m{place}", name=name, developer=developer, aliases=tuple(aliases))
        for place, (name, developer, aliases) in enumerate(described)
    ]
    registry = ModelRegistry(models)
    for name, developer in rows:
        assert registry.resolve(name, developer).model_id == _plain(models, name, developer)


def _plain(models: list[ModelSpec], name: str, developer: str | None) -> str | None:
    exact = [model for model in models if name in (model.name, *model.aliases)]
    if exact:
        return exact[0].id if len(exact) == 1 else None

    def differ(model: ModelSpec) -> bool:
        known, stated = normalize(model.developer or ""), normalize(developer or "")
        return bool(known and stated) and known != stated

    hits = [
        model
        for model in models
        if normalize(name) != ""
        and any(normalize(name) == normalize(spelling) for spelling in (model.name, *model.aliases))
        and not differ(model)
    ]
    return hits[0].id if len(hits) == 1 else None
