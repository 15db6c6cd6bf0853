"""The words of component metrics: units of retrieval and citation, what a judge says of each, ablations (METHODS 13).

Belongs here: closed sets that readers, methods and contracts share. Does not belong here: any rule about them.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

RetrievalUnit = Literal["chunk", "passage", "document", "parent"]
RETRIEVAL_UNITS: Final[tuple[RetrievalUnit, ...]] = get_args(RetrievalUnit)
"""What one retrieved object is. Relevant sets of different units are never mixed."""

CitationUnit = Literal["link", "span", "claim_citation_pair"]
CITATION_UNITS: Final[tuple[CitationUnit, ...]] = get_args(CitationUnit)
"""What one citation is."""

SUPPORTED: Final = "supported"
UNJUDGED: Final = "unjudged"

CitationVerdict = Literal["supported", "conflicting", "broken", "merely_related", "unjudged"]
CITATION_VERDICTS: Final[tuple[CitationVerdict, ...]] = get_args(CitationVerdict)
"""What was found of a citation: it supports its claim, contradicts it, opens nowhere, only speaks of the same thing;
or nobody looked."""

ClaimVerdict = Literal["supported", "contradicted", "not_in_context", "unjudged"]
CLAIM_VERDICTS: Final[tuple[ClaimVerdict, ...]] = get_args(ClaimVerdict)
"""How a claim of the answer stands to the context it was given; or nobody looked."""

FULL: Final = "full"

Ablation = Literal[
    "full", "text_only", "occluded", "unrelated_image", "shuffled_order", "video_only", "video_audio", "video_subtitle"
]
ABLATIONS: Final[tuple[Ablation, ...]] = get_args(Ablation)
"""What of the input the system was given."""

FrameExpectation = Literal["none", "same", "reordered", "any"]
EXPECTED_FRAMES: Final[dict[str, FrameExpectation]] = {
    "text_only": "none",
    "occluded": "same",
    "unrelated_image": "any",
    "shuffled_order": "reordered",
    "video_only": "same",
    "video_audio": "same",
    "video_subtitle": "same",
}
"""How the frames of an ablation stand to those of the full input, where it was carried out as its name says."""

NoComponent = Literal["not_tracked", "no_relevant", "no_authorized_relevant", "none_judged", "none_needed", "no_claims"]
NO_COMPONENT_REASONS: Final[tuple[NoComponent, ...]] = get_args(NoComponent)
"""Why a component of a sample is null:

not_tracked: the samples do not say; no_relevant: a question without an answer in the corpus;
no_authorized_relevant: every relevant object is one that the asker may not see; none_judged: no citation was judged;
none_needed: no claim needs a citation; no_claims: no claim was judged.
"""
