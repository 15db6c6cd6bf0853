"""Contact addresses are not ours to spread: they are taken out of prose before it is kept as a result.

Belongs here: finding mail addresses in text. The bytes as received stay in the snapshot, which is not published.
"""

from __future__ import annotations

import re
from typing import Any, Final

_ADDRESS: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b")
REMOVED: Final = "(address removed)"


def without_contacts(value: Any) -> Any:
    """A value with every mail address in its texts replaced; other values as they are."""
    if isinstance(value, str):
        return _ADDRESS.sub(REMOVED, value) if "@" in value else value
    if isinstance(value, list):
        return [without_contacts(item) for item in value]
    if isinstance(value, dict):
        return {key: without_contacts(item) for key, item in value.items()}
    return value
