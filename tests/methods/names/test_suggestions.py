"""Proposals for the registry: what each kind of evidence finds, what is never proposed, the stanza as valid YAML."""

from __future__ import annotations

import polars as pl
import pytest
import yaml

from methods.names.plain_parts import told_apart, without_remark, without_routes
from methods.names.proposals import Judged, Suggestion
from methods.names.stanzas import plain_text
from methods.names.suggestions import suggest
from methods.names.unresolved import unresolved_names
from warehouse.catalog_model import Catalog, ModelSpec
from warehouse.tables import TABLES

MODELS = (
    ModelSpec(id="gemini-2.5-flash", name="Gemini 2.5 Flash", developer="Google"),
    ModelSpec(id="claude-opus-4.1", name="Claude Opus 4.1", developer="Anthropic", aliases=("opus, four one",)),
    ModelSpec(id="llama-8b", name="llama-8b-instruct", developer="Meta", urls=("https://example.org/llama",)),
    ModelSpec(id="gpt-4o", name="GPT-4o", developer="OpenAI"),
    ModelSpec(id="gpt-4", name="GPT-4", developer="OpenAI"),
)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog.model_construct(models=MODELS, organization_prefixes=("openrouter/", "google/"))


def rows(*given: dict[str, object]) -> pl.DataFrame:
    schema = TABLES["core__result"].polars_schema()
    plain = {"leaderboard": "b", "benchmark": "B", "metric": "m", "unit": "score", "value": 1.0}
    filled = [{**plain, "entry_id": f"{n:016x}", **row} for n, row in enumerate(given)]
    return pl.DataFrame(filled, schema=schema, orient="row")


def only(results: pl.DataFrame, catalog: Catalog, *judged: Judged) -> Suggestion:
    [found] = suggest(results, catalog, judged)
    return found


@pytest.mark.parametrize(
    ("name", "kind", "model"),
    [
        ("openrouter/google/gemini-2.5-flash", "prefix", "gemini-2.5-flash"),  # F09
        ("someone--GPT-4o", "prefix", "gpt-4o"),
        ("GPT-4o (whole)", "remark", "gpt-4o"),
        ("gpt-4o@together", "remark", "gpt-4o"),
        ("claude-4.1-opus", "word order", "claude-opus-4.1"),
        ("https://huggingface.co/Meta/llama-8b-instruct", "prefix", "llama-8b"),
    ],
)
def test_evidence_in_the_name(catalog: Catalog, name: str, kind: str, model: str) -> None:
    found = only(rows({"model": name}, {"model": name}), catalog)
    assert (found.model_id, found.results, found.names, found.against) == (model, 2, (name,), ())
    assert kind in {item.kind for item in found.evidence}


def test_a_row_that_states_another_developer(catalog: Catalog) -> None:
    found = only(rows({"model": "gpt-4O", "developer": "Azure"}), catalog)
    assert (found.model_id, found.evidence[0].kind) == ("gpt-4o", "developer")
    assert "'Azure'" in found.evidence[0].detail


def test_evidence_in_rows(catalog: Catalog) -> None:
    same = [{"benchmark": f"B{n}", "value": n + 0.5} for n in range(3)]
    results = rows(
        {"model": "llama eight", "model_url": "http://www.example.org/llama/"},
        {"model": "omni", "model_id": "gpt-4o"},
        *({"model": "gpt four omni", **cell} for cell in same),
        *({"model": "GPT-4o", "leaderboard": "other", **cell} for cell in same),
    )
    found = {name: item for item in suggest(results, catalog) for name in item.names}
    assert [found["llama eight"].model_id, found["gpt four omni"].model_id] == ["llama-8b", "gpt-4o"]
    assert found["llama eight"].evidence[0].kind == "same link"
    assert "3 equal values" in found["gpt four omni"].evidence[0].detail
    assert found["gpt four omni"].against, "the numbers of the two names differ, and a person is told"
    assert "omni" not in found, "an id alone, under a name that shares no word, is no proposal"


@pytest.mark.parametrize("name", ["Agent S w/ GPT-4o", "SWE-agent + GPT-4o", "GPT-4o | Planner", "me with GPT-4o"])
def test_an_agent_is_never_proposed(catalog: Catalog, name: str) -> None:
    assert suggest(rows({"model": name, "model_id": "GPT-4o"}), catalog) == []


@pytest.mark.parametrize(
    "name",
    ["GPT-4o (high)", "GPT-4o (thinking)", "GPT-4o (2024-11-20)", "GPT-4o (Sept)", "GPT-4o@mini", "gpt-4o-latest",
     "GPT-4o (FP8)", "GPT-4o (8B)"],
)  # fmt: skip
def test_what_tells_models_apart_is_no_remark(catalog: Catalog, name: str) -> None:
    found = only(rows({"model": name}), catalog)
    assert found.model_id is None, "a new model, if any"


def test_judged_pairs_propose_and_veto(catalog: Catalog) -> None:
    results = rows({"model": "omni four"})
    same, different = Judged("omni four", "GPT-4o", True), Judged("GPT-4", "openai/gpt-4", False)
    assert only(results, catalog, same).model_id == "gpt-4o"
    assert suggest(rows({"model": "openai/gpt-4"}), catalog, [different]) == []


def test_ranked_by_results_doubtful_last_and_grouped(catalog: Catalog) -> None:
    results = rows(
        {"model": "x/GPT-4o"}, {"model": "y/gpt-4o"}, {"model": "openrouter/gpt-4"},
        *({"model": "GPT-4o mini", "model_id": "gpt-4o"},) * 5, {"model": "Brand New"}, {"model": "brand-new"},
    )  # fmt: skip
    found = suggest(results, catalog)
    assert [(item.model_id, item.results) for item in found] == [
        (None, 2), ("gpt-4o", 2), ("gpt-4", 1), ("gpt-4o", 5),
    ]  # fmt: skip
    assert found[-1].against == ("GPT-4o mini: product or mode: mini / none",)
    assert yaml.safe_load(found[0].stanza) == [{"id": "brand-new", "name": "Brand New", "aliases": ["brand-new"]}]


def test_a_stanza_is_the_whole_entry(catalog: Catalog) -> None:
    found = only(rows({"model": "z/Claude Opus 4.1"}), catalog)
    [entry] = yaml.safe_load(found.stanza)
    assert ModelSpec.model_validate(entry) == MODELS[1].model_copy(
        update={"aliases": ("opus, four one", "z/Claude Opus 4.1")}
    )


@pytest.mark.parametrize(
    "text", ["a", "no", "1.5", "a: b", "x#y", '"', "é", "- a", "a, b", "[x]", "null", "a\n b", "x "]
)
def test_any_text_survives_yaml(text: str) -> None:
    assert yaml.safe_load(f"{{a: [{plain_text(text)}]}}") == {"a": [text]}


def test_unresolved_names_are_counted_where_they_are_unresolved(catalog: Catalog) -> None:
    results = rows(
        {"model": "gpt-4O"},
        {"model": "gpt-4O", "developer": "Azure"},
        {"model": "?"},
        {"model": "?", "leaderboard": "c"},
    )
    found = unresolved_names(results, catalog)
    assert [(name.name, name.results, name.leaderboards) for name in found] == [
        ("?", 2, ("b", "c")),
        ("gpt-4O", 1, ("b",)),
    ]
    assert "no letter" in found[0].why and "Azure" in found[1].why


def test_parts() -> None:
    assert without_routes("a/b/c", ()) == [("b/c", "a/"), ("c", "a/b/")]
    assert without_routes("plain", ("pl",)) == [("ain", "pl")]
    assert without_remark("x (whole)") == ("x", "(whole)")
    assert without_remark("(whole)") is None
    assert told_apart("m", "m") == []
    assert told_apart("m-7b (high)", "m-13b") == [
        "size: 7b / 13b", "product or mode: high / none", "effort: high / not stated", "numbers: 7 / 13",
    ]  # fmt: skip
