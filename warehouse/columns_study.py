"""Column dictionary, studies: the evidence a study names, and its pairs (DESIGN, METHODS 5)."""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column

_EVIDENCE = "resources.study_evidence:evidence_rows"
_PAIRS = "methods.pairing.source_study:study_pairs"
_SCOPE = "methods.pairing.scope:pair_scope"

STUDY: Final[dict[str, Column]] = {
    "study": Column("text", "Id of the study in studies.yaml.", _EVIDENCE),
    "analysis": Column("text", "Which analysis the study runs: its kind in studies.yaml.", _EVIDENCE),
    "raw__evidence.kind": Column("text", "Kind of evidence the analysis reads.", _EVIDENCE),
    "name": Column("text", "Name the evidence was registered under.", _EVIDENCE),
    "raw__evidence.sha256": Column(
        "text",
        "SHA-256 of the evidence's manifest; null where none was registered, known by the day, or proved.",
        "resources.evidence_store:EvidenceStore",
    ),
    "raw__evidence.rows": Column("integer", "Rows of the evidence; null where it is not proved.", _EVIDENCE, "rows"),
    "raw__evidence.problem": Column("text", "Why the evidence cannot be used; null where it can.", _EVIDENCE),
    "core__study_pair.entry_id_a": Column("text", "The smaller of the pair's two entry ids.", _PAIRS),
    "core__study_pair.entry_id_b": Column("text", "The greater of the pair's two entry ids.", _PAIRS),
    "core__study_pair.benchmark": Column(
        "text", "Benchmark of the pair; null where no such pair is generated.", _PAIRS
    ),
    "core__study_pair.decision": Column(
        "text",
        "The decision that holds; `unsure` while reviewers disagree; null where none does.",
        "methods.pairing.decisions:effective_decision",
    ),
    "core__study_pair.state": Column(
        "text", "agreed, or how the decision table and the generated set differ in this pair.", _PAIRS
    ),
    "to_record": Column(
        "text_list",
        "Smallest set of fields whose recording would make the pair alignable; null where none would.",
        "methods.pairing.alignment:Alignment",
    ),
    "model_a": Column("text", "Model as the row of the first entry id names it.", _PAIRS),
    "model_b": Column("text", "Model as the row of the second entry id names it.", _PAIRS),
    "surface_difference_pp": Column(
        "number",
        "Difference of the values as published, in the pair's direction, neither flipped nor aligned.",
        "methods.pairing.scope:surface_difference_pp",
        "percentage points",
    ),
    "supports": Column("text", "What a comparison of the two rows says.", _SCOPE),
    "does_not_support": Column("text", "What it does not say.", _SCOPE),
}
