"""Where a mapped value may go: the fields of the native result, what each holds, and which must be given.

Belongs here: the right-hand side of a mapping. It is derived from `warehouse.records`, so that both never differ.
"""

from __future__ import annotations

from typing import Final, Literal

from warehouse.records import NativeResult, Protocol
from warehouse.vocabulary import PROTOCOL_INTEGERS

Holds = Literal["text", "number", "integer", "moment", "value"]

REQUIRED: Final = ("benchmark", "metric", "unit", "value", "model")
_SPECIAL: Final[dict[str, Holds]] = {
    "value": "value",
    "stderr": "number",
    "confidence": "number",
    "n_samples": "integer",
    "updated_at": "moment",
}

RESULT_FIELDS: Final[dict[str, Holds]] = {
    name: _SPECIAL.get(name, "text") for name in NativeResult.model_fields if name != "protocol"
}
PROTOCOL_FIELDS: Final[dict[str, Holds]] = {
    name: "integer" if name in PROTOCOL_INTEGERS else "text" for name in Protocol.model_fields if name != "extra"
}
