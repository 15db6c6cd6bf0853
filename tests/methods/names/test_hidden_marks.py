"""Signs that the normalized name drops although they tell models apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from methods.names import normalize
from methods.names.hidden_marks import hidden_marks
from methods.names.registry import ModelRegistry
from warehouse.catalog_model import ModelSpec

SAME = [
    ("qwen3.5-plus", "qwen3-5-plus"),  # F05
    ("gpt-4o-2024-11-20", "gpt-4o-20241120"),
    ("DeepSeek R1 (05/28)", "DeepSeek-R1-0528"),
    ("Codestral 25.01", "codestral-2501"),
    ("Grok 2 12-12", "grok-2-1212"),
    ("GPT\u20114.1", "gpt-4.1"),  # F14
    ("A + B", "A B"),
]
OTHER = [
    ("qwen3.5-plus", "qwen35-plus"),  # F05
    ("deepseek-coder-1.3b", "deepseek-coder-13b"),
    ("opt-1.3b", "opt-13b"),
    ("Command R (08-24)", "Command R+ (08-24)"),
    ("command-r", "Command-R+"),
    ("gpt-4.1", "gpt-41"),
]


@pytest.mark.parametrize(("name", "other"), SAME)
def test_spellings_of_one_model_agree(name: str, other: str) -> None:
    assert normalize(name) == normalize(other)
    assert hidden_marks(name)[0] == hidden_marks(other)[0]
    registry = ModelRegistry([ModelSpec(id="m", name=name)])
    assert registry.resolve(other).model_id == "m"


@pytest.mark.parametrize(("name", "other"), OTHER)
def test_names_that_only_a_sign_tells_apart_stay_apart(name: str, other: str) -> None:
    assert normalize(name) == normalize(other)
    for mine, theirs in ((name, other), (other, name)):
        found = ModelRegistry([ModelSpec(id="m", name=mine)]).resolve(theirs)
        assert found.model_id is None
        assert "m" in found.detail


@given(st.text(max_size=20))
def test_a_name_agrees_with_itself_in_any_case(name: str) -> None:
    assert hidden_marks(name) == hidden_marks(name.casefold())
