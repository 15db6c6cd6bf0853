"""Scores of Inspect: which a sample holds, and a value as a number by Inspect's own reading of letters and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from resources.logs import values

NO_ANSWER: Final = "N"
LETTERS: Final[Mapping[str, float]] = {"C": 1.0, "I": 0.0, "P": 0.5, NO_ANSWER: 0.0}
"""Inspect's own numbers for the letters its scorers give: correct, incorrect, partial, no answer."""
WORDS: Final[Mapping[str, float]] = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def score_names(sample: Mapping[str, Any]) -> Iterator[str]:
    """The scores of a sample: `scorer`, and `scorer.key` where the value is an object."""
    for name, score in values.mapping(sample.get("scores")).items():
        value = values.part(score, "value")
        if isinstance(value, dict):
            yield from (f"{name}.{key}" for key in value)
        else:
            yield name


def score_of(value: object) -> float | None:
    """A score of Inspect as a number, by Inspect's own reading of letters and words; None for what is none."""
    if not isinstance(value, str):
        return values.number(value)
    if value in LETTERS:
        return LETTERS[value]
    if value.lower() in WORDS:
        return WORDS[value.lower()]
    try:
        return values.number(float(value))
    except ValueError:
        return None


def chosen_value(sample: Mapping[str, Any], chosen: str | None) -> Any:
    """The value of a score of a sample; None where it has none."""
    scores = values.mapping(sample.get("scores"))
    if chosen is None:
        return None
    if chosen in scores:
        return values.part(scores[chosen], "value")
    scorer, _, key = chosen.partition(".")
    return values.part(scores.get(scorer), "value", key)
