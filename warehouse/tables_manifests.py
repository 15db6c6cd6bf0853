"""The contracts of reproductions: runs, every two manifests, their fields, the audit by margin (METHODS 9)."""

from __future__ import annotations

from typing import Final

from warehouse import manifest_words
from warehouse.contracts import TableContract

_PAIR: Final = ("study", "run_a", "run_b")

OUT_MANIFEST_RUN: Final = TableContract(
    name="out__manifest_run",
    grain="One row per run of a study: what its inference-stack manifest states, and what it claims.",
    key=("study", "run"),
    columns=("study", "run", "run_standing", "is_marked", "claim", "unstated", "stack_sha256", "outputs"),
    nullable=frozenset({"stack_sha256", "outputs"}),
    allowed=(("run_standing", manifest_words.RUN_STANDINGS), ("claim", manifest_words.CLAIMS)),
    bounds=(("outputs", 0, None),),
    may_be_empty=True,
)

OUT_MANIFEST_PAIR: Final = TableContract(
    name="out__manifest_pair",
    grain="One row per two runs: how their manifests stand to each other, and the precision audit of their outputs.",
    key=_PAIR,
    columns=(
        *_PAIR, "is_claim", "pair_standing", "first_difference", "first_equal", "first_fields", "equal_fields",
        "different_fields", "unstated_fields", "audit_unit", "prompts", "prompts_only_a", "prompts_only_b",
        "prompts_left_out", "diverging", "divergence_share", "divergence_low", "divergence_high", "exact_agreement",
        "first_least", "first_lower_quartile", "first_median", "first_upper_quartile", "first_most", "ended_early",
        "flips", "reason_code",
    ),
    nullable=frozenset({
        "first_difference", "audit_unit", "diverging", "divergence_share", "divergence_low", "divergence_high",
        "exact_agreement", "first_least", "first_lower_quartile", "first_median", "first_upper_quartile", "first_most",
        "ended_early", "flips", "reason_code",
    }),
    allowed=(
        ("pair_standing", manifest_words.PAIR_STANDINGS), ("audit_unit", manifest_words.AUDIT_UNITS),
        ("reason_code", manifest_words.AUDIT_REASONS),
    ),
    bounds=(
        ("first_equal", 0, None), ("first_fields", 1, None), ("equal_fields", 0, None), ("different_fields", 0, None),
        ("unstated_fields", 0, None), ("prompts", 0, None), ("prompts_only_a", 0, None), ("prompts_only_b", 0, None),
        ("prompts_left_out", 0, None), ("diverging", 0, None), ("divergence_share", 0, 1), ("divergence_low", 0, 1),
        ("divergence_high", 0, 1), ("exact_agreement", 0, 1), ("first_least", 0, None), ("first_most", 0, None),
        ("ended_early", 0, None), ("flips", 0, None),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_MANIFEST_FIELD: Final = TableContract(
    name="out__manifest_field",
    grain="One row per two runs and field of their manifests, in order of comparison.",
    key=(*_PAIR, "place"),
    columns=(*_PAIR, "place", "field", "field_part", "value_a", "value_b", "field_state"),
    nullable=frozenset({"value_a", "value_b"}),
    allowed=(("field_part", manifest_words.FIELD_PARTS), ("field_state", manifest_words.FIELD_STATES)),
    bounds=(("place", 1, None),),
    may_be_empty=True,
)

OUT_MANIFEST_MARGIN: Final = TableContract(
    name="out__manifest_margin",
    grain="One row per two runs and threshold of the margin: flips under it, and what re-computing below would give.",
    key=(*_PAIR, "margin"),
    columns=(*_PAIR, "margin", "flips", "steps_share", "agreement_if_recomputed"),
    bounds=(("margin", 0, None), ("flips", 1, None), ("steps_share", 0, 1), ("agreement_if_recomputed", 0, 1)),
    may_be_empty=True,
)

MANIFEST_TABLES: Final = (OUT_MANIFEST_RUN, OUT_MANIFEST_PAIR, OUT_MANIFEST_FIELD, OUT_MANIFEST_MARGIN)
"""The tables of a study of reproductions."""
