"""What two inference stacks are to each other, in words that the command and the site share.

Belongs here: sentences. The figures are `comparison` and `divergence`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from methods.manifests.divergence import PrecisionAudit
from warehouse.manifest_words import AuditReason, PairStanding
from warehouse.plain_text import counted

STANDINGS: Final[Mapping[PairStanding, str]] = {
    "matches": "The whole manifests match: a result of one may be called a reproduction of the other.",
    "differs": "The stacks differ: no reproduction may be claimed.",
    "unknown": "Nothing stated differs, and not everything is stated: no reproduction may be claimed yet.",
    "no_manifest": "A run has no manifest: its result may be published, marked; no reproduction may be claimed.",
}
REASONS: Final[Mapping[AuditReason, str]] = {
    "no_outputs": "No outputs of both runs were brought.",
    "no_common_prompt": "The runs answered no prompt in common.",
    "no_common_unit": "One run states token ids and the other text: nothing can be compared.",
}


def audit_sentences(audit: PrecisionAudit) -> list[str]:
    """What the outputs say."""
    found = audit.divergence
    assert found is not None
    said = [
        f"{audit.diverging:,} of {counted(audit.prompts, 'prompt')} diverge: {found.share:.1%} "
        f"(95% {found.low:.1%} to {found.high:.1%}); {audit.agreement or 0.0:.1%} agree exactly."
    ]
    if audit.first is not None:
        unit = f"{audit.unit}s"
        said.append(
            f"Of these, half agree for {audit.first[2]:g} {unit} or more; the least is {audit.first[0]:g}, the most "
            f"{audit.first[4]:g}; {audit.ended_early:,} differ only in where they end."
        )
    alone = audit.only_a + audit.only_b
    if alone or audit.left_out:
        said.append(
            f"Left out: {counted(alone, 'prompt')} of one run alone, {audit.left_out:,} that a serving stack refused "
            "or failed at, which is no failure of the model."
        )
    return said
