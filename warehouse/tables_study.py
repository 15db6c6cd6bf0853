"""The contracts of a study of registered evidence: which evidence, and its pairs held against the decisions."""

from __future__ import annotations

from typing import Final

from warehouse import pairing_words, study_words
from warehouse.contracts import TableContract

RAW_EVIDENCE: Final = TableContract(
    name="raw__evidence",
    grain="One row per study of the catalog: the registered evidence it names, and whether that is proved.",
    key=("study",),
    columns=("study", "analysis", "kind", "name", "sha256", "rows", "problem"),
    nullable=frozenset({"sha256", "rows", "problem"}),
    unhashed=frozenset({"problem"}),
    bounds=(("rows", 0, None),),
    may_be_empty=True,
)

CORE_STUDY_PAIR: Final = TableContract(
    name="core__study_pair",
    grain="One row per pair of the study's freeze that was generated or decided, and whether both agree.",
    key=("pair_id",),
    columns=(
        "pair_id", "entry_id_a", "entry_id_b", "benchmark", "direction", "rules", "decision", "state",
        "blocking_fields", "to_record", "model_a", "model_b", "surface_difference_pp", "supports", "does_not_support",
    ),
    nullable=frozenset({
        "benchmark", "direction", "decision", "to_record", "model_a", "model_b", "surface_difference_pp", "supports",
        "does_not_support",
    }),
    allowed=(
        ("direction", pairing_words.SOURCE_DIRECTIONS),
        ("decision", pairing_words.PAIR_DECISIONS),
        ("state", study_words.STUDY_PAIR_STATES),
    ),
    bounds=(("surface_difference_pp", -100, 100),),
    may_be_empty=True,
)  # fmt: skip
