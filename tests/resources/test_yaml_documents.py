"""YAML: what stays text, what is refused, and on which line."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from resources.text_documents import DocumentError
from resources.yaml_documents import load_yaml


def test_core_scalars_are_those_of_yaml_1_2_without_surprises() -> None:
    text = "[1, -2, 0.5, 1e3, true, False, null, ~, '', no, on, 2024-11-20, 12:30:45, 010, 0x1F, 1_000, .inf, .nan, +1]"
    assert load_yaml(text, "t").data == [
        1, -2, 0.5, 1000.0, True, False, None, None, "", "no", "on", "2024-11-20", "12:30:45", "010", "0x1F", "1_000",
        ".inf", ".nan", 1,
    ]  # fmt: skip


def test_text_mode_keeps_every_scalar_as_written() -> None:
    """D11, D12: a model named like a date, a version 1.10, a hash of digits."""
    text = "- {model: 2024-11-20, version: 1.10, commit: 0282574, flag: no, cost: 0.0000, big: 14000000000000000001}"
    assert load_yaml(text, "t", scalars="text").data == [
        {"model": "2024-11-20", "version": "1.10", "commit": "0282574", "flag": "no", "cost": "0.0000",
         "big": "14000000000000000001"}
    ]  # fmt: skip


def test_quoted_scalars_are_text_and_keys_always_are() -> None:
    assert load_yaml("{'1': \"1\", 2: 2, null: '~'}", "t").data == {"1": "1", "2": 2, "null": "~"}


def test_lines_are_known_by_path() -> None:
    document = load_yaml("sources:\n  - id: a\n    url: x\n  - id: b\n", "s.yaml")
    assert document.line_of(("sources", 1, "id")) == 4
    assert document.line_of(("sources", 1, "missing")) == 4
    assert document.line_of(("sources", 0, "url")) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: &x 1\nb: *x", "anchor"),
        ("a: *x", "alias|undefined"),
        ("a: !!python/object:os.system x", "tag"),
        ("a: !custom x", "tag"),
        ("base: {a: 1}\nx:\n  <<: {b: 2}", "merge key"),
        ("a: 1\nb: 2\na: 3", r"t:3: key 'a' repeats \(first on line 1\)"),
        ("---\na: 1\n---\nb: 2", "second YAML document"),
        ("? [a, b]\n: 1", "key must be a plain text"),
        ("a: [1, 2", "not YAML"),
        ("a: b: c", "not YAML"),
        ("\tx: 1", "not YAML"),
        ("[" * 65 + "]" * 65, "nested more than 64"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        load_yaml(text, "t")


@pytest.mark.parametrize("sign", ["\x85", "\u2028", "\u2029"])
def test_line_breaks_that_only_yaml_1_1_knows_are_refused_raw_and_read_escaped(sign: str) -> None:
    with pytest.raises(DocumentError, match=f"t:2: character U[+]{ord(sign):04X}"):
        load_yaml(f"a: 1\nb: 'x{sign}y'", "t")
    assert load_yaml(f'b: "x\\u{ord(sign):04x}y"', "t").data == {"b": f"x{sign}y"}


def test_an_alias_bomb_ends_at_its_first_anchor() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
    )
    with pytest.raises(DocumentError, match="anchor"):
        load_yaml(bomb, "t")


def test_deep_nesting_is_an_error_not_a_crash() -> None:
    with pytest.raises(DocumentError):
        load_yaml("[" * 100_000, "t")


def test_size_is_limited() -> None:
    with pytest.raises(DocumentError, match="at most 10"):
        load_yaml("x" * 11, "t", max_bytes=10)


TEXTS = st.text(st.characters(exclude_characters="\x85\u2028\u2029", exclude_categories=["Cs"]), max_size=8)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**15), 10**15) | TEXTS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=8,
    )
)
def test_what_pyyaml_writes_is_read_back(data: object) -> None:
    text = yaml.safe_dump(data, allow_unicode=True, default_flow_style=False)
    assert load_yaml(text, "t").data == data
