"""The words of regression sets: what a failure must state, splits, consent, and what is found wrong (METHODS 12).

Belongs here: fields and closed sets. Does not belong here: the rules (`methods.regression`), files
(`resources.regression_files`).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

Split = Literal["train", "tune", "test"]
SPLITS: Final[tuple[Split, ...]] = get_args(Split)

Consent = Literal["granted", "not_required", "withdrawn", "unknown"]
USABLE_CONSENTS: Final[tuple[Consent, ...]] = ("granted", "not_required")

REQUIRED_FIELDS: Final = (
    "id", "input", "source", "selection_reason", "consent", "licence", "owner", "expires", "split", "is_deidentified",
    "confirmed_by",
)  # fmt: skip
"""Each failure states: its id; the input that failed; where it comes from; why it was taken; whether those it speaks of
agreed; under which licence it may be used; who answers for it; until when it may be kept (YYYY-MM-DD); its split; that
nobody can be recognized in it (true or false); and the person who confirmed that it is a failure."""
LINKS: Final = ("session", "entity", "template", "document")
"""What failures may have in common, where stated: none may stand in two splits. Not stated is not equal."""
FURTHER_FIELDS: Final = ("expected", "sensitivity", "added_at", "notes")
FIELDS: Final = (*REQUIRED_FIELDS, *LINKS, *FURTHER_FIELDS)

RegressionRule = Literal[
    "field_missing", "split_unknown", "consent_missing", "not_deidentified", "expired", "expiry_unreadable",
    "id_repeats", "exact_duplicate", "near_duplicate", "session_in_two_splits", "entity_in_two_splits",
    "template_in_two_splits", "document_in_two_splits",
]  # fmt: skip
REGRESSION_RULES: Final[tuple[RegressionRule, ...]] = get_args(RegressionRule)
"""exact_duplicate: one input twice, whatever the split; near_duplicate: two that resemble each other, in two splits."""
