"""Each rule and pre-filter held against the text of METHODS 5, on pairs that hit it and pairs that just do not."""

from __future__ import annotations

from typing import Any

import pytest
from pairing_rows import catalog, frame, result

from methods.pairing.fast import candidate_pairs
from methods.pairing.rules import candidate_pairs_naive

Row = dict[str, Any]


def rules_of(a: Row, b: Row, aliased: bool = False) -> set[str]:
    """The rules that hit on two rows, the same from both generators."""
    rows = frame([a, b])
    ids = rows["entry_id"].to_list()
    book = catalog(aliases=[(ids[1], ids[0])] if aliased else [])
    naive = candidate_pairs_naive(rows, book)
    assert candidate_pairs(rows, book).pairs() == naive
    return {rule for pair in naive for rule in pair.rules}


def names(a: str, b: str) -> set[str]:
    return rules_of(result(a), result(b, "paper"))


@pytest.mark.parametrize(
    ("a", "b", "rule", "hits"),
    [
        ("GPT-4o", "gpt 4 O", "exact_normalized", True),
        ("ＧＰＴ－４ｏ", "gpt4o", "exact_normalized", True),
        ("gpt-4o", "gpt-4o thinking", "exact_normalized", False),
        ("⚡", "⚡", "exact_normalized", False),  # an empty normalized name equals nothing
        ("gpt-4.1-mini", "gpt-4", "exact_normalized", False),
        ("Kimi-VL (15 steps)", "Kimi-VL", "protocol_suffix_stripped", True),
        ("Kimi-VL （100 步）", "kimi vl [ 100 Step ]", "protocol_suffix_stripped", True),
        ("Qwen-Image [no PE]", "Qwen-Image [Official  PE]", "protocol_suffix_stripped", True),
        ("Flux2-Klein-9B", "Flux2-Klein-9B + trm-guided  RL", "protocol_suffix_stripped", True),
        ("Flux (15 steps) 9B", "Flux 9B", "protocol_suffix_stripped", True),  # anywhere in the name
        ("gpt-4o", "GPT-4o", "protocol_suffix_stripped", True),  # also where nothing was to remove
        ("Kimi-VL (15 rounds)", "Kimi-VL", "protocol_suffix_stripped", False),
        ("(15 steps)", "[50 steps]", "protocol_suffix_stripped", False),
        ("Agent S w/ a b c d", "agent-s w/ a b c e", "wrapper_head_and_token_similarity", True),  # J = 6/8
        ("Agent S w/ a b c", "agent-s w/ a b d", "wrapper_head_and_token_similarity", True),  # J = 5/7
        ("Agent S w/ a", "agent-s w/ b", "wrapper_head_and_token_similarity", False),  # J = 3/5
        ("Agent S w/ a b c d", "Agent S a b c d", "wrapper_head_and_token_similarity", False),
        ("llama 3 70b instruct", "llama 3 70b", "name_containment", True),  # J = 3/4
        ("kimi vl a3b b c", "kimi vl", "name_containment", False),  # 6 characters
        ("qwen image", "qwen image edit", "name_containment", True),  # J = 2/3
        ("qwen image", "qwen image edit plus", "name_containment", False),  # J = 1/2
        ("a b c d e f g h", "a b c d e f g i", "token_and_sequence_similarity", True),  # J = 7/9
        ("a b c d e f", "f e d c b a", "token_and_sequence_similarity", False),  # J = 1, another order
        ("a b c d", "a b c e", "token_similarity", True),  # J = 3/5 exactly
        ("a b c", "a b d", "token_similarity", False),  # J = 1/2
        ("a_b c", "a b c", "token_similarity", True),  # an underscore separates
        ("Sai w/ Claude Opus 5", "Claude Opus 5", "wrapper_backend_to_bare_model", True),
        ("Sai with Claude Opus 5", "Simular Claude-Opus-5 (max)", "wrapper_backend_to_bare_model", True),
        ("Sai w/ Claude Opus 5", "Claude Opus", "wrapper_backend_to_bare_model", False),  # contained, not containing
        ("Sai w/ Claude Opus 5", "Jedi w/ Claude Opus 5", "wrapper_backend_to_bare_model", False),
        ("Sai with tools", "tools", "wrapper_backend_to_bare_model", False),  # "tools" is no model word
        ("Sai w/ tools", "tools", "wrapper_backend_to_bare_model", True),  # the list binds " with " alone
        ("Sai w/o Claude Opus 5", "Claude Opus 5", "wrapper_backend_to_bare_model", False),
        ("A with tools w/ o3", "o3", "wrapper_backend_to_bare_model", True),
        ("A w/ o3 w/ o4", "o3 w/ o4", "wrapper_backend_to_bare_model", False),  # both wrapped: split at the first
        ("A w/ x y z t u v", "B w/ x y z t u v", "wrapper_shared_backend_different_head", True),  # J = 7/9
        ("A w/ x y z", "B w/ x y z", "wrapper_shared_backend_different_head", False),  # J = 4/6
        ("A w/ x y z t u v", "a w/ x y z t u v", "wrapper_shared_backend_different_head", False),
        ("Simular Agent S2", "agent s2 w/ gemini-2.5-pro", "organization_prefix_identity_head", True),
        ("Simular Research Agent S2", "Simular Agent S2", "organization_prefix_identity_head", True),
        ("Agent S2 w/ o3", "agent s2 w/ gemini-2.5-pro", "organization_prefix_identity_head", False),  # no prefix
        ("Simularity Agent", "ity Agent", "organization_prefix_identity_head", False),  # no word boundary
        ("openai/gpt-4o", "gpt-4o", "organization_prefix_identity_head", True),
        ("Simular Agent S2 (15 steps)", "agent s2", "organization_prefix_identity_head", False),  # keeps suffixes
        ("Simular", "w/ gpt-4o", "organization_prefix_identity_head", False),
    ],
)
def test_rules_of_names(a: str, b: str, rule: str, hits: bool) -> None:
    assert (rule in names(a, b)) is hits
    assert (rule in names(b, a)) is hits


@pytest.mark.parametrize(
    ("a", "b", "rule", "hits"),
    [
        (result("x"), result("y", "paper", model_url="https://x"), "same_model_url", False),
        (result("x", model_id="m"), result("y", "paper", model_id="m"), "same_model_id", True),
        (result("x", model_id=""), result("y", "paper", model_id=""), "same_model_id", False),
        (result("x", model_id="m"), result("y", "paper", model_id="M"), "same_model_id", False),
        (result("Sai w/ o3"), result("y", "paper", model_id="openai/o3"), "wrapper_backend_to_bare_model", True),
        (
            result("Sai", notes="规划模型：claude-opus-5。"),
            result("Claude Opus 5", "paper"),
            "planner_model_in_notes",
            True,
        ),
        (result("Sai", notes="Planner Model o3"), result("y", "paper", model_id="o3"), "planner_model_in_notes", True),
        (result("Sai", notes="planner model: o3"), result("A w/ o3", "paper"), "planner_model_in_notes", False),
        (result("Sai", notes="planner model: o3"), result("o3 pro", "paper"), "planner_model_in_notes", False),
        (result("Sai", notes="a planner: o3"), result("o3", "paper"), "planner_model_in_notes", False),
    ],
)
def test_rules_of_links_ids_and_notes(a: Row, b: Row, rule: str, hits: bool) -> None:
    assert (rule in rules_of(a, b)) is hits


def test_a_pair_carries_every_rule_that_hits() -> None:
    rows = frame([result("Kimi-VL-A3B", model_id="k"), result("kimi vl a3b", "self_reported", model_id="k")])
    (pair,) = candidate_pairs_naive(rows, catalog())
    assert pair.rules == (
        "exact_normalized", "protocol_suffix_stripped", "name_containment", "token_and_sequence_similarity",
        "token_similarity", "same_model_id",
    )  # fmt: skip
    assert pair.entry_id_a < pair.entry_id_b
    assert pair.pair_id == f"{pair.entry_id_a}~{pair.entry_id_b}"
    assert pair.direction == "self_reported_minus_official"


def test_a_manual_alias_pairs_names_that_nothing_else_brings_up() -> None:
    assert rules_of(result("CUA"), result("computer-use-preview", "paper"), aliased=True) == {"manual_alias"}
    assert rules_of(result("CUA"), result("computer-use-preview", "official"), aliased=True) == set()
    assert rules_of(result("CUA", steps=15), result("cup", "paper", steps=50), aliased=True) == set()
    assert rules_of(result("CUA"), result("cup", "paper", copied_from="a board"), aliased=True) == set()


@pytest.mark.parametrize(
    ("a", "b", "pairs"),
    [
        ({"steps": 15}, {"steps": 50}, False),
        ({"steps": 15}, {"steps": 15}, True),
        ({"steps": 15}, {}, True),
        ({"setting": "15 steps"}, {"model": "gpt-4o (50 steps)"}, False),
        ({"steps": 50, "setting": "15 steps"}, {"model": "gpt-4o (50步)"}, True),  # the field speaks first
        ({"effort": "high"}, {"effort": "max"}, False),
        ({"setting": "推理 high"}, {"setting": "reasoning max, 15 steps"}, False),
        ({"setting": "推理high"}, {"setting": "Reasoning high"}, True),
        ({"effort": "8k tokens"}, {"effort": "max"}, True),  # none of the five levels: states none
        ({"setting": "推理 high"}, {}, True),
        ({"effort": "", "setting": "推理 high"}, {"effort": "max"}, False),  # an empty field states nothing
        ({"steps": -1, "setting": "15 steps"}, {"steps": 50}, False),  # no budget is negative
        ({"steps": -5}, {"steps": 50}, True),
        ({"benchmark": "OSWorld 2"}, {}, False),
        ({"source_type": "paper"}, {}, False),
        ({"copied_from": "another board"}, {}, False),
        ({"copied_from": " "}, {}, True),
    ],
)
def test_pre_filters(a: dict[str, Any], b: dict[str, Any], pairs: bool) -> None:
    left = result(**{"model": "gpt-4o", "source_type": "official"} | a)
    right = result(**{"model": "gpt-4o", "source_type": "paper"} | b)
    assert bool(rules_of(left, right)) is pairs


def test_copies_are_counted_and_agree_with_nobody() -> None:
    """METHODS 1: a copy is no second measurement."""
    rows = frame([result("o3"), result("o3", "paper", copied_from="board"), result("o3", "reproduced")])
    index = candidate_pairs(rows, catalog())
    assert (index.copies, len(index.pairs())) == (1, 1)


def test_versions_sizes_and_prefix_relatives_are_not_merged() -> None:
    """F01, F02, F04: a family prefix or a floating alias is no identity; only similarity may bring the pair up."""
    for a, b in (("gpt-4.1-mini", "gpt-4"), ("gpt-5-nano", "gpt-5"), ("chatgpt-4o-latest", "gpt-4o-2024-11-20")):
        assert not names(a, b) & {"exact_normalized", "protocol_suffix_stripped", "organization_prefix_identity_head"}
