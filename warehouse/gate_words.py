"""Verdicts of gates in words, the same on pages and in terminals, each kind counted apart.

Belongs here: how many gates said what. A gate that cannot decide did not fail, and one that was waived did; so no
sentence adds them up to "did not pass".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

NOT_PASSED: Final = ("error", "fail", "inconclusive", "waived")
"""Verdicts that a reader is told first, the worst before the others."""
_SAID: Final = {
    "error": "crashed", "fail": "failed", "inconclusive": "cannot decide", "waived": "waived", "pass": "passed",
    "not_applicable": "not applicable",
}  # fmt: skip


def verdicts_said(verdicts: Iterable[str]) -> str:
    """How many gates said what, the worst first: 1 gate failed, 3 cannot decide; empty for none."""
    found = Counter(verdicts)
    order = [*_SAID, *sorted(found.keys() - _SAID.keys())]
    counts = [(found[verdict], _SAID.get(verdict, verdict)) for verdict in order if found[verdict]]
    return ", ".join(
        f"{n:,} {'' if place else 'gate ' if n == 1 else 'gates '}{said}" for place, (n, said) in enumerate(counts)
    )
