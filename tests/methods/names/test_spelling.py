"""Normalized names and tokens: METHODS 2 to the letter, and nothing more."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from methods.names import normalize, tokens


@pytest.mark.parametrize(
    ("name", "normal"),
    [
        ("GPT-4o", "gpt4o"),
        ("  Qwen2.5-72B_Instruct ", "qwen2572binstruct"),
        ("Claude Opus 5 (thinking) [official PE]", "claudeopus5thinkingofficialpe"),
        ("Jedi-7B w/ GPT-4o", "jedi7bwgpt4o"),
        ("ＧＰＴ－４", "gpt4"),  # full width
        ("STRASSE", normalize("straße")),
        ("通义千问-Max", "通义千问max"),
        ("x²", "x2"),
        ("2024-11-20", "20241120"),
        ("🦙 --- \u200b", ""),
    ],
)
def test_worked_examples(name: str, normal: str) -> None:
    assert normalize(name) == normal


def test_versions_sizes_and_modes_are_kept_apart() -> None:
    """F01: gpt-4.1-mini is not gpt-4. F13: m[beta] is not m. F06: a dated name is not the undated one."""
    assert normalize("gpt-4.1-mini") != normalize("gpt-4")
    assert normalize("m[beta]") != normalize("m")
    assert normalize("claude-opus-4-6-20251101") != normalize("claude-opus-4-6")
    assert len({normalize(name) for name in ("Qwen3-8B", "Qwen3-8B-Instruct", "Qwen3-8B RL", "Qwen3-8B PE")}) == 4


def test_separators_do_not_count_in_comparison() -> None:
    """F05: dot and dash spellings compare equal, and the shown name is untouched. Tokens still tell 3.5 from 35."""
    name = "qwen3.5-plus"
    assert normalize(name) == normalize("qwen3-5-plus")
    assert name == "qwen3.5-plus"
    assert tokens("qwen3.5-plus") == tokens("qwen3-5-plus") == {"qwen3", "5", "plus"}
    assert tokens("qwen35-plus") == {"qwen35", "plus"}


@pytest.mark.parametrize("hyphen", ["\u2011", "\u2010", "\u2013", "\u2212", "-"])
def test_every_dash_is_deleted(hyphen: str) -> None:
    """F14: NFKC turns U+2011 into U+2010 and leaves others; normalization deletes them all."""
    assert normalize(f"granite4:tiny{hyphen}h") == normalize("granite4:tiny-h") == "granite4tinyh"
    assert tokens(f"granite4:tiny{hyphen}h") == {"granite4", "tiny", "h"}


def test_zero_width_characters_vanish_and_look_alikes_stay_different() -> None:
    assert normalize("gpt\u200b-4o\ufeff") == "gpt4o"
    assert normalize("gрt-4o") != "gpt4o"  # a Cyrillic р


def test_an_underscore_separates_tokens() -> None:
    assert tokens("a_b  A-c") == {"a", "b", "c"}
    assert tokens("--_--") == frozenset()


@given(st.text())
def test_normalize_as_the_plain_definition(name: str) -> None:
    folded = unicodedata.normalize("NFKC", name).casefold()
    assert normalize(name) == "".join([letter for letter in folded if letter.isalnum()])


@given(st.text())
def test_tokens_as_the_plain_definition(name: str) -> None:
    runs, run = set(), ""
    for letter in unicodedata.normalize("NFKC", name).casefold() + " ":
        if letter.isalnum():
            run += letter
        elif run:
            runs.add(run)
            run = ""
    assert tokens(name) == runs
