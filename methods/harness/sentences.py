"""Who is to blame, in a plain sentence a benchmark, with intervals (METHODS 11).

Belongs here: the wording. Does not belong here: the figures (`blame`, `cells`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from methods.harness.blame import Division, PartOfDifference
from methods.harness.losses import Losses
from methods.statistics.bootstrap import Interval

_NAMES = {"model": "the model", "harness": "the harness", "interaction": "how the two go together"}


def verdict_sentence(division: Division, models: int, harnesses: int, losses: Losses | None, level: float) -> str:
    """All that can be said of one benchmark.

    Args:
        division: of its differences.
        models, harnesses: of the crossing.
        losses: of its attempts; None where records do not say how attempts ended.
        level: of the intervals.
    """
    said = [_division(division, models, harnesses, level), _verdict(division)]
    said += ["The records do not say how attempts ended."] if losses is None else _losses(losses)
    return " ".join(part for part in said if part)


def _division(division: Division, models: int, harnesses: int, level: float) -> str:
    across = f"{models} models under {harnesses} harnesses"
    if division.verdict == "nothing":
        return f"{division.benchmark}: {across} all score the same."
    parts = division.parts
    if all(part.freed is None for part in parts):
        if parts[0].chance is None:
            shares = ", ".join(f"{_NAMES[part.part]} for {_percent(part.share)}" for part in parts)
            return f"{division.benchmark}: of the differences between {across}, {shares}; one task gives no interval."
        return f"{division.benchmark}: the differences between {across} are no more than the choice of tasks explains."
    first = True
    shares_said = []
    for part in parts:
        shares_said.append(_part(part, level, is_first=first))
        first = False
    return (
        f"{division.benchmark}: of the differences between {across} beyond chance, {', '.join(shares_said[:-1])} and "
        f"{shares_said[-1]}."
    )


def _part(part: PartOfDifference, level: float, *, is_first: bool) -> str:
    verb = " accounts" if is_first else ""
    ends = f" ({_ends(part.freed_interval, level, is_first=is_first)})" if part.freed_interval else ""
    return f"{_NAMES[part.part]}{verb} for {_percent(part.freed)}{ends}"


def _verdict(division: Division) -> str:
    if division.verdict == "nothing" or all(part.freed is None for part in division.parts):
        return ""
    if division.verdict == "undecided":
        return "Which of them is the largest these tasks do not decide."
    return f"Surely the largest is {_NAMES[division.verdict]}."


def _losses(losses: Losses) -> list[str]:
    lost = losses.unclean + losses.clean
    said = [
        f"Of {_points(lost)} points lost on average, {_points(losses.unclean)} were lost by attempts that did not end "
        f"cleanly, {_points(losses.clean)} by clean ones that were wrong."
    ]
    if losses.unclean and losses.if_clean is not None:
        said.append(
            f"Had every attempt ended cleanly, the mean of {_points(losses.score)} might have been "
            f"{_points(losses.if_clean)}, at the very most {_points(losses.at_most)}; {_leaders(losses)}."
        )
    return said


def _leaders(losses: Losses) -> str:
    now, then = _listed(losses.leaders), _listed(losses.leaders_if_clean or ())
    if losses.leaders_if_clean == losses.leaders:
        return f"{now} would still lead"
    return f"{then} would lead in place of {now}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _ends(interval: Interval, level: float, *, is_first: bool) -> str:
    said = f"{_percent(interval.low)} to {_percent(interval.high)}"
    return f"{_percent(level)} interval {said}" if is_first else said


def _percent(value: Fraction | float | None) -> str:
    return "—" if value is None else f"{float(100 * value):.0f}%"


def _points(value: Fraction) -> str:
    return f"{float(100 * value):.1f}"
