"""Who reads which kind of brought evidence: from a folder of proved files to what an analysis takes.

Belongs here: the list. Each reader stands in its own module, is imported when it is asked for, and raises
`resources.evidence_store.EvidenceError` naming file, row and field; what it returns has a `height`, its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from warehouse.study_words import REGRESSION_EVIDENCE


def _losses(folder: Path) -> Any:
    from resources.loss_files import read_losses

    return read_losses(folder)


def _judgments(folder: Path) -> Any:
    from resources.judgment_files import read_judgments

    return read_judgments(folder)


def _attempts(folder: Path) -> Any:
    from resources.attempts.evidence import read_attempts

    return read_attempts(folder)


def _manifests(folder: Path) -> Any:
    from resources.manifest_files import read_manifests

    return read_manifests(folder)


def _samples(folder: Path) -> Any:
    from resources.sample_evidence import read_decision_evidence

    return read_decision_evidence(folder)


def _regression(folder: Path) -> Any:
    from resources.regression_files import read_set

    return read_set(folder)


READERS: Mapping[str, Callable[[Path], Any]] = {
    "losses": _losses,
    "manifests": _manifests,
    "judgments": _judgments,
    "attempts": _attempts,
    "samples": _samples,
    REGRESSION_EVIDENCE: _regression,
}
"""Reader by kind of evidence: those that studies read (`warehouse.study_words.STUDY_EVIDENCE`), and regression sets."""
