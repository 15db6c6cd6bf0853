"""Step budgets and efforts as rows state them: field, else setting, else name (METHODS 3 and 5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from methods.names.state_budget import effort_of, steps_of

LEVELS = ("max", "xhigh", "high", "medium", "low")


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("15 steps", 15),
        ("Jedi-7B w/ GPT-4o (100 steps)", 100),
        ("GTA1  w/ o3 (100步)", 100),
        ("共50步", 50),
        ("[ 15  STEPS ]", 15),
        ("（５０ steps）", 50),  # full width
        ("50-step", 50),
        ("1 step", 1),
        ("1,000 steps", 1000),
        ("15 steps, 15步", 15),
        ("15 steps and 50 steps", None),  # two budgets state none
        ("steps", None),
        ("300k steps", None),
        ("2.5 steps", None),
        ("10 000 steps", None),
        ("gpt4steps", None),
        ("3 stepsize", None),
        ("3步骤", None),
        ("", None),
    ],
)
def test_steps_in_a_text(text: str, steps: int | None) -> None:
    assert steps_of(None, text, None) == steps
    assert steps_of(None, None, text) == steps


def test_the_first_place_that_states_a_budget_decides() -> None:
    assert steps_of(15, "50 steps", "m (100 steps)") == 15
    assert steps_of(None, "50 steps", "m (100 steps)") == 50
    assert steps_of(None, "default", "m (100 steps)") == 100
    assert steps_of(0, "50 steps", None) == 0
    assert steps_of(None, None, None) is None


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("推理 max", "max"),
        ("推理max档", "max"),
        ("reasoning high", "high"),
        ("Reasoning XHIGH, 500 steps", "xhigh"),
        ("reasoninglow", "low"),
        ("推理ｍｅｄｉｕｍ", "medium"),
        ("reasoning highest", "high"),  # whatever follows
        ("reasoning high, reasoning low", None),
        ("high reasoning", None),
        ("m (high)", None),
        ("reasoning none", None),
    ],
)
def test_effort_in_a_text(text: str, level: str | None) -> None:
    assert effort_of(None, text, None, LEVELS) == level
    assert effort_of(None, None, text, LEVELS) == level


def test_a_stated_effort_field_decides() -> None:
    """A26: "none" is a stated effort, null is not."""
    assert effort_of("High", "reasoning low", None, LEVELS) == "high"
    assert effort_of("none", "reasoning low", None, LEVELS) is None
    for nothing in (None, "", " ", "\u3000"):
        assert effort_of(nothing, "reasoning low", None, LEVELS) == "low"


@given(st.integers(1, 10**8), st.sampled_from(["", " ", "  "]), st.sampled_from(["step", "steps", "STEPS", "步"]))
def test_any_budget_is_read_back(steps: int, space: str, word: str) -> None:
    assert steps_of(None, f"(max {steps}{space}{word})", "9 steps") == steps


@given(st.text())
def test_no_text_breaks_the_readers(text: str) -> None:
    found = steps_of(None, text, text)
    assert found is None or found >= 0
    assert effort_of(None, text, text, LEVELS) in {None, *LEVELS}
