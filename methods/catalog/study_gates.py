"""Gates of kinds of study: one line of gates.yaml stands for every study of its kind.

Belongs here: from a line to the gates it stands for. Does not belong here: judging one (`checks`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from warehouse.catalog_model import Catalog, GateSpec, StudySpec
from warehouse.study_words import EVERY_STUDY, PRODUCT_TABLES, STUDY_EVIDENCE
from warehouse.vocabulary import BOARD_PRODUCT

RESERVED_STUDY_IDS: Final = frozenset({BOARD_PRODUCT, EVERY_STUDY, *PRODUCT_TABLES, *STUDY_EVIDENCE})
"""Words that name a product or a kind already, so that no study may be called so."""


def split_gates(
    gates: Iterable[GateSpec], studies: Sequence[StudySpec]
) -> tuple[tuple[GateSpec, ...], tuple[GateSpec, ...]]:
    """Gates as they are judged, and the lines that stand for gates of studies.

    Args:
        gates: the entries of gates.yaml.
        studies: the entries of studies.yaml.

    Returns:
        (gates, lines): every other gate as it is, then `<gate>.<study>` with the study's id as product for each study
        that a line stands for, in the order of lines and studies; and those lines.
    """
    plain: list[GateSpec] = []
    lines: list[GateSpec] = []
    for gate in gates:
        (lines if gate.product == EVERY_STUDY or gate.product in STUDY_EVIDENCE else plain).append(gate)
    made = [_gate_of(line, study) for line in lines for study in studies if _covers(line, study)]
    return (*plain, *made), tuple(lines)


def brought_studies(catalog: Catalog) -> tuple[StudySpec, ...]:
    """The studies of what a user brings; not the one of a freeze of the leaderboards themselves."""
    return tuple(study for study in catalog.studies if study.kind in STUDY_EVIDENCE)


def _covers(line: GateSpec, study: StudySpec) -> bool:
    return study.kind in STUDY_EVIDENCE and line.product in {EVERY_STUDY, study.kind}


def _gate_of(line: GateSpec, study: StudySpec) -> GateSpec:
    return line.model_copy(update={"id": f"{line.id}.{study.id}", "product": study.id, "study": study.id})
