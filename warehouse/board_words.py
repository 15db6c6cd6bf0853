"""The words of the board's own sensitivity: kinds of variants, and why a figure is missing (METHODS 8).

Belongs here: closed sets and their meaning. Does not belong here: what a variant does (`methods.sensitivity`).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

VariantKind = Literal["constant", "evidence", "family", "reference"]
VARIANT_KINDS: Final[tuple[VariantKind, ...]] = get_args(VariantKind)
"""constant: another lawful constant or formula of the methodology; evidence: another lawful choice of rows; family: one
benchmark family left out; reference: the same methodology on evidence drawn anew."""

SensitivityReason = Literal["no_defined_dimension"]
SENSITIVITY_REASONS: Final[tuple[SensitivityReason, ...]] = get_args(SensitivityReason)
"""no_defined_dimension: no dimension of the category leaves two models to compare, or one side ties them all."""
