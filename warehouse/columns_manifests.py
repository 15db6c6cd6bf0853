"""Column dictionary, reproductions: inference-stack manifests and precision audits (METHODS 9)."""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column

_STUDY = "methods.manifests.study:manifest_tables"
_COMPARED = "methods.manifests.comparison:compare_manifests"
_STANDING = "methods.manifests.comparison:run_standing"
_UNSTATED = "methods.manifests.comparison:missing_fields"
_AUDIT = "methods.manifests.divergence:precision_audit"
_FIRST = "methods.manifests.divergence:first_differences"
_PAIR, _MARGIN = "out__manifest_pair", "out__manifest_margin"
_SHARE = "0 to 1"
_PLACE = "tokens or characters, as audit_unit says"

MANIFESTS: Final[dict[str, Column]] = {
    "run": Column("text", "The run: the name that its files have in common.", _STUDY),
    "run_standing": Column("text", "Whether its manifest is whole, partial, or none.", _STANDING),
    "is_marked": Column("boolean", "Whether its result is marked: no whole manifest stands behind it.", _STANDING),
    "claim": Column("text", "What the run claims: to reproduce the study's reference, or nothing.", _STUDY),
    "unstated": Column("text_list", "Fields of a whole manifest that it does not state, in order.", _UNSTATED),
    "stack_sha256": Column("text", "Hash of everything that its manifest states; null where it has none.", _STUDY),
    "outputs": Column("integer", "Prompts whose outputs it brought; null for none brought.", _STUDY, "prompts"),
    "run_a": Column("text", "The run compared; the study's reference where it names one.", _STUDY),
    "run_b": Column("text", "The other run.", _STUDY),
    "is_claim": Column("boolean", "Whether the other run claims to reproduce the first.", _STUDY),
    "pair_standing": Column(
        "text", "matches, differs, unknown (nothing stated differs, something is not stated), no_manifest.", _COMPARED
    ),
    "first_difference": Column(
        "text", "First field, in order of comparison, that is not equal; missing is a difference.", _COMPARED
    ),
    "first_equal": Column("integer", "Of the fields that come first, those stated and equal.", _COMPARED, "fields"),
    "first_fields": Column("integer", "Fields that come first: dtype, batch size, kernels.", _COMPARED, "fields"),
    "equal_fields": Column("integer", "Fields stated on both sides and equal.", _COMPARED, "fields"),
    "different_fields": Column("integer", "Fields stated on both sides and different.", _COMPARED, "fields"),
    f"{_PAIR}.unstated_fields": Column("integer", "Fields not stated on one side or on both.", _COMPARED, "fields"),
    "audit_unit": Column("text", "What positions count: tokens, or characters where runs state text alone.", _AUDIT),
    f"{_PAIR}.prompts": Column("integer", "Prompts that both runs answered.", _AUDIT, "prompts"),
    "prompts_only_a": Column("integer", "Prompts of the first run alone.", _AUDIT, "prompts"),
    "prompts_only_b": Column("integer", "Prompts of the other run alone.", _AUDIT, "prompts"),
    "prompts_left_out": Column(
        "integer", "Prompts of both that a serving stack refused or failed at: no failure of the model.", _AUDIT,
        "prompts",
    ),
    "diverging": Column("integer", "Prompts whose outputs differ.", _AUDIT, "prompts"),
    "divergence_share": Column("number", "Their share.", _AUDIT, _SHARE),
    "divergence_low": Column("number", "Lower end of its 95% Wilson interval.", _AUDIT, _SHARE),
    "divergence_high": Column("number", "Upper end of that interval.", _AUDIT, _SHARE),
    "exact_agreement": Column("number", "Share of prompts whose outputs are exactly equal.", _AUDIT, _SHARE),
    "first_least": Column("number", "Of diverging prompts, the shortest beginning in common.", _FIRST, _PLACE),
    "first_lower_quartile": Column("number", "Lower quartile (type 7) of beginnings in common.", _FIRST, _PLACE),
    "first_median": Column("number", "Median of beginnings in common.", _FIRST, _PLACE),
    "first_upper_quartile": Column("number", "Upper quartile (type 7) of beginnings in common.", _FIRST, _PLACE),
    "first_most": Column("number", "The longest beginning in common.", _FIRST, _PLACE),
    "ended_early": Column("integer", "Diverging prompts of which one output begins the other.", _FIRST, "prompts"),
    f"{_PAIR}.flips": Column("integer", "Flips whose margin is known.", _AUDIT, "prompts"),
    f"{_PAIR}.reason_code": Column("text", "Why there is no audit.", _AUDIT),
    "out__manifest_field.place": Column("integer", "Place in the order of comparison, from 1.", _COMPARED),
    "field": Column("text", "Field of the manifests.", _COMPARED),
    "field_part": Column("text", "first; whole: makes a manifest whole; beside: stated by either.", _COMPARED),
    "value_a": Column("text", "What the first manifest states.", _COMPARED),
    "value_b": Column("text", "What the other manifest states.", _COMPARED),
    "field_state": Column("text", "equal, different, or on which side it is missing.", _COMPARED),
    f"{_MARGIN}.margin": Column(
        "number", "Distance of the two largest logits; the larger of both runs' at a flip.", _AUDIT, "logits"
    ),
    f"{_MARGIN}.flips": Column("integer", "Flips at that margin or under it.", _AUDIT, "prompts"),
    "steps_share": Column(
        "number", "Share of steps with such a margin: what re-computing below it would touch.", _AUDIT, _SHARE
    ),
    "agreement_if_recomputed": Column(
        "number", "Exact agreement if each such flip were repaired and none followed: an upper limit.", _AUDIT, _SHARE
    ),
}  # fmt: skip
