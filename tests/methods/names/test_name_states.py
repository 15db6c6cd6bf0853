"""What a model's name states: told cases by hand, and names that look alike and state nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from methods.names.name_states import states_of

TOLD: list[tuple[str, dict[str, Any]]] = [
    ("Agent S2 w/ Claude 3.7 (50 steps)", {"steps": 50}),
    ("某智能体（100步）", {"steps": 100}),
    ("o4-mini (Med)", {"effort": "medium"}),
    ("GPT-5.6 Sol (xhigh reasoning)", {"effort": "xhigh", "thinking": "on"}),
    ("m@reasoning=high", {"effort": "high", "thinking": "on"}),
    ("gpt-5-2025-08-07_high", {"effort": "high"}),
    ("gpt-5.5-medium", {"effort": "medium"}),
    ("openai/gpt-oss-20b#low (zero-shot, val)", {"effort": "low", "shots": "0", "split": "val"}),
    ("gemini-2.5-flash-06-05-highthinking", {"effort": "high", "thinking": "on"}),
    (
        "claude-opus-4-5-20251101-thinking-64k-high-effort",
        {"effort": "high", "thinking": "on", "thinking_budget": "64k"},
    ),
    ("claude-sonnet-4-20250514 (32k thinking)", {"thinking": "on", "thinking_budget": "32k"}),
    ("Opus 4.5 (Thinking, 8K)", {"thinking": "on", "thinking_budget": "8k"}),
    ("claude-sonnet-4-5-20250929_32K", {"thinking_budget": "32k"}),
    ("Claude Opus 4 (no reasoning)", {"thinking": "off"}),
    ("gpt-5.2-2025-12-11-nothinking", {"thinking": "off"}),
    ("grok-4-1-fast-non-reasoning", {"thinking": "off"}),
    ("Claude Computer Use 3.7 (w/o thinking)", {"thinking": "off"}),
    ("GLM-4.6 (FC thinking)", {"thinking": "on", "action_interface": "FC"}),
    ("Phi-4 (Prompt)", {"action_interface": "Prompt"}),
    ("Qwen-Image [no PE]", {"prompt_enhancement": "none"}),
    ("Qwen-Image [official PE]", {"prompt_enhancement": "official"}),
    ("GLM-4.6 (T=1)", {"temperature": "1"}),
]
SILENT = [
    "Mistral Medium 3",
    "mistral-medium",
    "Magistral-Medium-2506",
    "phi-3-medium-4k-instruct",
    "phi-3-mini-128k-instruct",
    "Qwen3-Max",
    "qwen3.7-max",
    "gpt-5.1-codex-max",
    "gpt-5 (low verbosity/effort)",
    "R-MCTS w/ GPT-4o (max 60 tree nodes)",
    "Jedi-7B w/ GPT-4o",
    "Thinking Machines Inkling",
    "Highland-7B",
    "FC-Barcelona-7B",
    "m (beta)",
    "",
]


@pytest.mark.parametrize(("name", "states"), TOLD)
def test_told_names(name: str, states: dict[str, Any]) -> None:
    assert dict(states_of(name)) == states


@pytest.mark.parametrize("name", SILENT)
def test_names_that_state_nothing(name: str) -> None:
    assert not states_of(name)


def test_a_product_called_max_states_no_effort_but_thinks() -> None:
    assert dict(states_of("Qwen 3 Max Thinking")) == {"thinking": "on"}


def test_two_efforts_in_one_name_state_none() -> None:
    assert "effort" not in states_of("router (low) of gpt-x (high)")


def test_effort_variants_stay_two_configurations() -> None:
    """F12, A26: the name says which setting; "(beta)" is none, and unknown is not off (F11)."""
    assert states_of("m (high)") != states_of("m (low)")
    assert not states_of("m (beta)")
    assert "thinking" not in states_of("Qwen3-0.8B")


@given(st.text(max_size=40))
def test_any_name_is_read_without_error_and_alike_in_either_case(name: str) -> None:
    folded = name.casefold()
    if folded.casefold() == name.upper().casefold():
        assert states_of(name) == states_of(name.upper())
