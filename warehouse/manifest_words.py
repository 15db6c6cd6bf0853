"""The words of inference-stack manifests: fields, states of a field, standings, claims, limits (METHODS 9).

Belongs here: closed sets and their meaning. Which fields come first and which make a whole manifest is a named entry of
the methodology. The manifest of a release is another thing (`warehouse.manifest`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

import polars as pl

MANIFEST_SCHEMA: Final = "scoretrail.inference-manifest/1"

DTYPE_SPELLINGS: Final[Mapping[str, str]] = {
    "bf16": "bfloat16", "torch.bfloat16": "bfloat16", "fp16": "float16", "half": "float16", "f16": "float16",
    "torch.float16": "float16", "fp32": "float32", "float": "float32", "f32": "float32", "torch.float32": "float32",
    "fp8_e4m3": "float8_e4m3fn", "torch.float8_e4m3fn": "float8_e4m3fn", "fp8_e5m2": "float8_e5m2",
    "torch.float8_e5m2": "float8_e5m2",
}  # fmt: skip
"""Other spellings of one dtype. `auto` is none: it leaves open what was run."""

FieldState = Literal["equal", "different", "missing_a", "missing_b", "missing_both"]
FIELD_STATES: Final[tuple[FieldState, ...]] = get_args(FieldState)

FieldPart = Literal["first", "whole", "beside"]
FIELD_PARTS: Final[tuple[FieldPart, ...]] = get_args(FieldPart)
"""first: compared before all others; whole: with these a manifest is whole; beside: what either side states more."""

PairStanding = Literal["matches", "differs", "unknown", "no_manifest"]
PAIR_STANDINGS: Final[tuple[PairStanding, ...]] = get_args(PairStanding)
"""matches: every field is stated on both sides and equal; differs: a field is stated on both sides and different;
unknown: nothing stated differs, and something is not stated; no_manifest: a side has none."""

RunStanding = Literal["whole", "partial", "no_manifest"]
RUN_STANDINGS: Final[tuple[RunStanding, ...]] = get_args(RunStanding)
"""whole: states every field that makes a manifest whole; partial: not all; no_manifest: states nothing. A result of
either of the latter may be published, and is marked."""

Claim = Literal["none", "reproduction"]
CLAIMS: Final[tuple[Claim, ...]] = get_args(Claim)

OUTPUT_SCHEMA: Final = pl.Schema(
    {
        "prompt": pl.String(),
        "token_ids": pl.List(pl.Int64()),
        "text": pl.String(),
        "margins": pl.List(pl.Float64()),
        "status": pl.String(),
    }
)
"""What a run gave back, one row a prompt.

prompt: its id; token_ids, text: the output, at least one of the two; margins: distance of the two largest logits at
each token, where recorded; status: `ok`, or `refused` or `errored` where the serving stack gave no output, which is no
failure of the model.
"""
OutputStatus = Literal["ok", "refused", "errored"]
OUTPUT_STATUSES: Final[tuple[OutputStatus, ...]] = get_args(OutputStatus)

AuditUnit = Literal["token", "character"]
AUDIT_UNITS: Final[tuple[AuditUnit, ...]] = get_args(AuditUnit)

AuditReason = Literal["no_outputs", "no_common_prompt", "no_common_unit"]
AUDIT_REASONS: Final[tuple[AuditReason, ...]] = get_args(AuditReason)
"""Why two runs have no precision audit: a side brought no outputs; they answer no prompt in common; one states tokens
and the other text."""
