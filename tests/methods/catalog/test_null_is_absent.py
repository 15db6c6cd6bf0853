"""Every key of the native format but five may be absent, and null is absent (DESIGN "The native format")."""

from __future__ import annotations

import pytest

from methods.catalog.received import receive
from warehouse.received import ReceivedRow
from warehouse.records import NativeResult, Protocol

REQUIRED = {"benchmark": "B", "metric": "m", "unit": "score", "value": 1.0, "model": "M"}
OPTIONAL = [name for name in NativeResult.model_fields if name not in REQUIRED]


def entry(record: dict[str, object]) -> tuple[object, ...]:
    frame = receive("board", "0" * 64, [ReceivedRow("results[0]", record)])
    return frame.select("problem", "entry_id").row(0)


@pytest.mark.parametrize("name", OPTIONAL)
def test_a_null_key_reads_as_an_absent_one(name: str) -> None:
    assert entry({**REQUIRED, name: None}) == entry(REQUIRED)
    assert entry(REQUIRED)[0] is None


@pytest.mark.parametrize("name", Protocol.model_fields)
def test_a_null_protocol_field_reads_as_an_absent_one(name: str) -> None:
    assert entry({**REQUIRED, "protocol": {name: None}}) == entry(REQUIRED)
