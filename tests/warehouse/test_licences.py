"""Which licence texts let bytes be passed on."""

from __future__ import annotations

import pytest

from warehouse.licences import is_redistributable


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("MIT", True), ("mit", True), ("MIT (BenchPress)", True), ("CC-BY-4.0 (Epoch AI)", True),
        ("none needed (single facts)", True), ("MIT OR none declared", True), ("MIT AND CC0-1.0", True),
        ("MIT AND none declared", False), ("none declared", False), ("CC-BY-NC-4.0", False), ("", False),
        ("proprietary (MIT)", False), ("MIT-like", False), ("ORACLE", False), (None, False),
    ],
)  # fmt: skip
def test_a_stated_licence(text: str | None, allowed: bool) -> None:
    assert is_redistributable(text) is allowed


def test_a_user_may_allow_more() -> None:
    assert is_redistributable("with permission of the board", {"with permission of the board"})
