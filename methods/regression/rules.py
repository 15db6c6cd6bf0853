"""What keeps a failure out of a regression set (METHODS 12).

Belongs here: the rules, over all failures of a set together. Does not belong here: similarity
(`methods.regression.near_duplicates`), reading files. A failure is kept only if it says where it comes from, why it was
taken, who agreed, under which licence, who answers for it and until when; if nobody can be recognized in it and a
person confirmed it. Splits leak through what their failures have in common: near-duplicates, a session, an entity, a
template, a document in two splits are refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from methods.regression.near_duplicates import comparable, near_pairs
from warehouse.regression_words import (
    LINKS,
    REGRESSION_RULES,
    REQUIRED_FIELDS,
    SPLITS,
    USABLE_CONSENTS,
    RegressionRule,
)
from warehouse.rollout_rules import RegressionRules

Failure = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class RegressionFinding:
    """Something that keeps failures out: the rule, the rows (from 1) and ids it speaks of, and what to do."""

    rule: RegressionRule
    rows: tuple[int, ...]
    ids: tuple[str, ...]
    detail: str


def regression_findings(
    failures: Sequence[Failure], rules: RegressionRules, today: date
) -> tuple[RegressionFinding, ...]:
    """Everything that is wrong with a set, in order of the rules and rows; none where all of it may be kept.

    Args:
        failures: fields by name (`warehouse.regression_words.FIELDS`), as text; null or empty is not stated.
        rules: from which similarity on two inputs are one.
        today: the day that expiry is held against.
    """
    found = [finding for row, failure in enumerate(failures, start=1) for finding in _alone(row, failure, today)]
    found += _repeated(failures)
    found += _near(failures, rules.near_duplicate)
    found += _linked(failures)
    return tuple(sorted(found, key=lambda one: (REGRESSION_RULES.index(one.rule), one.rows)))


def _alone(row: int, failure: Failure, today: date) -> list[RegressionFinding]:
    """What a failure lacks by itself."""

    def wrong(rule: RegressionRule, detail: str) -> RegressionFinding:
        return RegressionFinding(rule, (row,), (failure.get("id") or "",), detail)

    missing = [name for name in REQUIRED_FIELDS if not failure.get(name)]
    found = [wrong("field_missing", f"states no {', '.join(missing)}")] if missing else []
    split, consent, expires = failure.get("split"), failure.get("consent"), failure.get("expires")
    if split and split not in SPLITS:
        found.append(wrong("split_unknown", f"split {split!r} is none of {', '.join(SPLITS)}"))
    if consent and consent not in USABLE_CONSENTS:
        found.append(wrong("consent_missing", f"consent {consent!r}: only {' or '.join(USABLE_CONSENTS)} may be kept"))
    hidden = failure.get("is_deidentified")
    if hidden and hidden != "true":
        found.append(
            wrong("not_deidentified", f"is_deidentified {hidden!r}: take out what tells who it was, then true")
        )
    if expires:
        try:
            last = date.fromisoformat(expires)
        except ValueError:
            found.append(wrong("expiry_unreadable", f"expires {expires!r}: a day looks like 2026-10-20"))
        else:
            if last < today:
                found.append(wrong("expired", f"could be kept until {last}: take it out"))
    return found


def _repeated(failures: Sequence[Failure]) -> list[RegressionFinding]:
    """Ids that stand twice, and inputs that do."""
    found: list[RegressionFinding] = []
    for rule, field in (("id_repeats", "id"), ("exact_duplicate", "input")):
        for rows in _shared(failures, field, compared=field == "input").values():
            detail = "one id for several failures" if rule == "id_repeats" else "one input several times"
            found.append(_of(rule, rows, failures, detail))  # type: ignore[arg-type]
    return found


def _near(failures: Sequence[Failure], least: float) -> list[RegressionFinding]:
    places = [n for n, one in enumerate(failures) if one.get("input") and one.get("split") in SPLITS]
    texts = [comparable(failures[n]["input"] or "") for n in places]
    pairs = near_pairs(texts, [failures[n]["split"] or "" for n in places], least)
    return [
        _of(
            "near_duplicate",
            (places[pair.first] + 1, places[pair.second] + 1),
            failures,
            f"similar to {pair.similarity:.3f} (limit {least:g}), in {failures[places[pair.first]]['split']} and "
            f"{failures[places[pair.second]]['split']}: keep both in one split, or one",
        )
        for pair in pairs
        if texts[pair.first] != texts[pair.second]  # one input twice has a rule of its own
    ]


def _linked(failures: Sequence[Failure]) -> list[RegressionFinding]:
    found: list[RegressionFinding] = []
    for link in LINKS:
        for value, rows in _shared(failures, link).items():
            splits = sorted({failures[row - 1].get("split") or "" for row in rows} & set(SPLITS))
            if len(splits) > 1:
                detail = f"{link} {value!r} stands in {' and '.join(splits)}: keep it in one"
                found.append(_of(f"{link}_in_two_splits", rows, failures, detail))  # type: ignore[arg-type]
    return found


def _shared(failures: Sequence[Failure], field: str, *, compared: bool = False) -> dict[str, tuple[int, ...]]:
    """Rows (from 1) that state one value of a field, where there are several; not stated is not equal."""
    rows: dict[str, list[int]] = {}
    for row, failure in enumerate(failures, start=1):
        value = failure.get(field)
        if value:
            rows.setdefault(comparable(value) if compared else value, []).append(row)
    return {value: tuple(found) for value, found in rows.items() if len(found) > 1}


def _of(rule: RegressionRule, rows: tuple[int, ...], failures: Sequence[Failure], detail: str) -> RegressionFinding:
    return RegressionFinding(rule, rows, tuple(failures[row - 1].get("id") or "" for row in rows), detail)
