"""Identifiers depend on content alone (field reports A26, G01), and the table hash on values alone (D05, D06)."""

from __future__ import annotations

import struct
from datetime import date

import polars as pl
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from warehouse.canonical import canonical_json, canonical_sha256, plain
from warehouse.exit_codes import ExitCode, strongest
from warehouse.hashing import _arrow, _hash, _text_parts, conformed_hash, table_hash
from warehouse.identity import entry_id, identity_key, is_slug, pair_id, release_id, verdict_key
from warehouse.tables import OUT_DIMENSION_SCORE, OUT_GATE, TABLES

ROW = {"leaderboard": "osworld", "benchmark": "OSWorld", "metric": "success", "model": "Jedi-7B w/ GPT-4o"}


def test_entry_id_is_the_first_sixteen_digits_of_the_canonical_array() -> None:
    key = identity_key({**ROW, "source_type": "official", "protocol": {"steps": 15, "seed": None, "extra": {}}})
    assert key == ["osworld", "OSWorld", None, None, "success", "Jedi-7B w/ GPT-4o", "official", None, {"steps": 15}]
    text = b'["osworld","OSWorld",null,null,"success","Jedi-7B w/ GPT-4o","official",null,{"steps":15},0]'
    assert canonical_json([*key, 0]) == text
    assert entry_id(key, 0) == canonical_sha256([*key, 0])[:16] == "f2b3aa4cc901a841"


def test_entry_id_ignores_key_order_and_tells_settings_apart() -> None:
    """G01: keys reordered, same id; k=1 and k=5, other ids. A26: null and "none" are different settings."""
    one = identity_key({**ROW, "protocol": {"samples": 1, "effort": "high"}})
    assert one == identity_key({"protocol": {"effort": "high", "samples": 1}, **dict(reversed(ROW.items()))})
    assert entry_id(one, 0) != entry_id(identity_key({**ROW, "protocol": {"samples": 5, "effort": "high"}}), 0)
    stated = identity_key({**ROW, "protocol": {"effort": "none"}})
    assert entry_id(stated, 0) != entry_id(identity_key({**ROW, "protocol": {"effort": None}}), 0)


def test_a_protocol_that_states_nothing_is_absent() -> None:
    assert identity_key({**ROW, "protocol": {"steps": None, "extra": {}}}) == identity_key(ROW)


def test_integers_beyond_double_precision_keep_their_digits() -> None:
    """D20: 14000000000000000001 stays itself."""
    assert canonical_json({"id": 14000000000000000001}) == b'{"id":"14000000000000000001"}'


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_canonical_json_refuses_what_json_cannot_say(bad: float) -> None:
    with pytest.raises(ValueError, match="no canonical JSON form"):
        canonical_json([bad])


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=8),
    st.sampled_from([-0.0, 1e15, 1e16, 1e21, 1e22, 9.5e-5, 1e-4, 1e-7, 2.0**53, 5e-324, "\x7f\u2028\ud7ff\U0001f600"]),
    st.decimals(allow_nan=False, allow_infinity=False, places=3),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_the_swift_way_and_the_library_write_the_same_bytes(value: object) -> None:
    try:
        expected = rfc8785.dumps(plain(value))
    except (ValueError, rfc8785.CanonicalizationError):
        with pytest.raises((ValueError, rfc8785.CanonicalizationError)):
            canonical_json(value)
    else:
        assert canonical_json(value) == expected


def test_pair_id_is_unordered() -> None:
    assert pair_id("b", "a") == pair_id("a", "b") == "a~b"


BASE = {
    "as_of": date(2026, 10, 20),
    "snapshots": [("a", "1"), ("b", "2")],
    "evidence": [],
    "baseline": None,
    "catalog_sha256": "c",
    "methodology_version": "3.0",
    "code_version": "v",
}


def test_release_id_ignores_order_and_moves_with_every_input() -> None:
    first = release_id(**BASE)
    assert first.startswith("2026-10-20-")
    assert len(first) == len("2026-10-20-") + 12
    assert release_id(**{**BASE, "snapshots": [("b", "2"), ("a", "1")]}) == first
    changed = [
        {"as_of": date(2026, 10, 21)},
        {"snapshots": [("a", "1")]},
        {"evidence": [("attempts", "x", "1")]},
        {"baseline": "2026-10-19-000000000000"},
        {"catalog_sha256": "d"},
        {"methodology_version": "3.1"},
        {"code_version": "w"},
    ]
    assert len({release_id(**{**BASE, **change}) for change in changed} | {first}) == len(changed) + 1


def test_verdict_key_moves_with_threshold_table_catalog_and_baseline() -> None:
    gate = {"id": "rows-lost", "threshold": 0.2}
    keys = {
        verdict_key(gate, {"t": "h"}, "c", None),
        verdict_key({**gate, "threshold": 0.1}, {"t": "h"}, "c", None),
        verdict_key(gate, {"t": "other"}, "c", None),
        verdict_key(gate, {"t": "h"}, "d", None),
        verdict_key(gate, {"t": "h"}, "c", "r"),
    }
    assert len(keys) == 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [("swebench", True), ("a.b-c_1", True), ("../etc", False), ("", False), ("A", False), ("-x", False)],
)
def test_slugs(text: str, expected: bool) -> None:
    assert is_slug(text) is expected


def test_exit_codes_by_precedence() -> None:
    assert strongest([]) is ExitCode.OK
    assert strongest([ExitCode.SOURCE, ExitCode.GATE]) is ExitCode.GATE
    assert strongest([ExitCode.SOURCE, ExitCode.UNDECIDED]) is ExitCode.UNDECIDED
    assert strongest(ExitCode) is ExitCode.BUG


def frame(mus: list[float]) -> pl.DataFrame:
    n = len(mus)
    return pl.DataFrame(
        {
            "category": ["math"] * n,
            "dimension": ["basic"] * n,
            "model_id": [f"m{i:03}" for i in range(n)],
            "mu": mus,
            "sigma": [0.5] * n,
            "families": [1] * n,
            "observations": [1] * n,
            "is_overlap_calibrated": [True] * n,
        }
    )


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_table_hash_ignores_row_order(mus: list[float], random: object) -> None:
    table = frame(mus)
    order = list(range(len(mus)))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert table_hash(table[order], OUT_DIMENSION_SCORE) == table_hash(table, OUT_DIMENSION_SCORE)


def test_table_hash_sees_the_last_bit_and_not_the_sign_of_zero() -> None:
    value = 0.1
    after = struct.unpack("<d", struct.pack("<Q", struct.unpack("<Q", struct.pack("<d", value))[0] + 1))[0]
    assert table_hash(frame([value]), OUT_DIMENSION_SCORE) != table_hash(frame([after]), OUT_DIMENSION_SCORE)
    assert table_hash(frame([0.0]), OUT_DIMENSION_SCORE) == table_hash(frame([-0.0]), OUT_DIMENSION_SCORE)


def test_table_hash_tells_null_from_zero_and_leaves_unhashed_columns_out() -> None:
    row = {
        "gate": ["g"],
        "product": ["scores"],
        "table": ["core__result"],
        "severity": ["blocking"],
        "verdict": ["pass"],
        "figure": [None],
        "threshold": [0.2],
        "evaluated": [1],
        "failed": [0],
        "verdict_key": ["k"],
        "decided_at": [None],
        "detail": ["fine"],
    }
    base = pl.DataFrame(row).with_columns(decided_at=pl.lit("2026-10-20T00:00:00Z").str.to_datetime(time_zone="UTC"))
    assert table_hash(base, OUT_GATE) == table_hash(base.with_columns(detail=pl.lit("other words")), OUT_GATE)
    assert table_hash(base, OUT_GATE) != table_hash(base.with_columns(figure=pl.lit(0.0)), OUT_GATE)


@given(st.lists(st.one_of(st.none(), st.text(max_size=12)), min_size=1, max_size=12), st.integers(0, 3))
def test_table_hash_reads_texts_as_the_form_is_written_out(texts: list[str | None], start: int) -> None:
    """Lengths in bytes, then the UTF-8 bytes, of a column that is a slice of a larger one as well (naive and fast)."""
    whole = pl.Series([f"{n}" for n in range(start)] + texts, dtype=pl.String)
    values = whole[start:].drop_nulls()
    encoded = [text.encode() for text in texts if text is not None]
    lengths, joined = _text_parts(_arrow(values))
    assert bytes(lengths) == b"".join(struct.pack("<q", len(part)) for part in encoded)
    assert bytes(joined) == b"".join(encoded)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_the_hash_of_an_empty_table_is_that_of_its_form(name: str) -> None:
    """It is written down without a frame; the form, column by column, gives the same."""
    contract = TABLES[name]
    assert conformed_hash(contract.empty(), contract) == _hash(contract.empty(), contract)
