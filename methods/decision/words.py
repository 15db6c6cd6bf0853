"""A decision in words and short figures, the same in a terminal, a pull request and on a page.

Belongs here: wording alone.
"""

from __future__ import annotations

from typing import Final

from methods.decision.verdict import Instability
from warehouse.decision_words import DecisionVerdict, GateKind

VERDICT_WORDS: Final[dict[DecisionVerdict, str]] = {
    "block": "block: a gate said no",
    "insufficient_evidence": "insufficient evidence: no gate said no, and not every one can tell yet",
    "shadow_only": "shadow only: every gate passed; offline evidence alone never ships, the next stage is a shadow",
    "canary": "canary: every gate passed; the next stage is small real traffic",
    "ship": "ship: every gate passed on a canary",
}
_UNMEASURED: Final = {
    "one_trial": "every task has one trial, which cannot be drawn again",
    "not_a_mean": "a corpus metric has no trials to draw again",
    "no_pairs": "no task has both systems",
    "too_many_rows": "too many rows to draw again",
}
_WHOLE_FROM: Final = 1000.0
"""From here on a number is shown without decimals."""
_COUNTED: Final = {"trials": "trial", "rows": "row"}
"""The singular of units that count."""


def figure(value: float | None, unit: str | None = None) -> str:
    """A number for people with its unit; — for what is not there, which is never 0."""
    if value is None:
        return "—"
    is_whole = float(value).is_integer() or abs(value) >= _WHOLE_FROM
    shown = f"{value:,.0f}" if is_whole and abs(value) < 1e12 else f"{value:.4g}"
    if unit == "pp":
        shown = f"{value:.2f}"
    if value == 1 and unit in _COUNTED:
        unit = _COUNTED[unit]
    return f"{shown} {unit}" if unit else shown


def detects_words(kind: GateKind, detectable: float | None, unit: str | None) -> str:
    """The least effect that a gate would have found, with its unit.

    That of a red line is a rate, in percent of rows: what is held against its limit is a count.
    """
    if kind == "red_line":
        return "—" if detectable is None else f"{detectable:.2g}% of rows"
    return figure(detectable, unit)


def bounds_words(low: float | None, high: float | None, unit: str | None = None) -> str:
    """Both one-sided bounds; — where there is neither."""
    if low is None and high is None:
        return "—"
    digits = "pp" if unit == "pp" else None
    return f"[{figure(low, digits)}, {figure(high, digits)}]".replace(" pp", "")


def instability_words(measured: Instability | None) -> str:
    """How stable the verdict is, in a sentence."""
    if measured is None:
        return "Instability: not measured."
    if measured.flip_rate is None:
        why = _UNMEASURED.get(measured.reason or "", measured.reason)
        return f"Instability: not measured; {why}." if why else "Instability: not measured."
    return (
        f"Instability: objective and slices came out otherwise in {measured.flips} of {measured.redraws} redraws of "
        f"the trials ({100 * measured.flip_rate:.1f}%)."
    )
