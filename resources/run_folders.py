"""A run as a folder, or as its manifest alone: manifest, outputs, losses, judgments, each as far as it is there.

Belongs here: which file of the folder is what. Each is read by the reader of its kind.

`manifest.yaml` (`.yml`, `.json`) · `outputs.jsonl` (`.csv`, `.parquet`) · `losses.csv` (`.parquet`) · `judgments.csv`
(`.jsonl`, `.json`, `.parquet`, each also with `.gz`), with `judgments.yaml` about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl

from methods.judging.columns import JudgmentsError
from methods.manifests.study import StackRun
from resources.evidence_store import EvidenceError
from resources.manifest_files import MANIFEST_SUFFIXES, read_manifest, read_outputs

_OUTPUTS: Final = (".jsonl", ".csv", ".parquet")
_LOSSES: Final = (".csv", ".parquet")
_JUDGMENTS: Final = tuple(f"{one}{packed}" for one in (".csv", ".jsonl", ".json", ".parquet") for packed in ("", ".gz"))


@dataclass(frozen=True)
class RunFolder:
    """One run.

    Attributes:
        stack: its name, manifest and outputs.
        losses: tidy losses; judgments: files of judgments. None where it has none.
        stack_files: manifest and outputs, as far as there are such.
    """

    stack: StackRun
    losses: pl.DataFrame | None = None
    judgments: Any = None
    stack_files: tuple[Path, ...] = ()


def read_run(path: Path, name: str | None = None) -> RunFolder:
    """A run.

    Args:
        path: its folder, or its manifest alone.
        name: what to call it; the folder's or the file's name where None.

    Raises:
        EvidenceError: where nothing is there, or a file is not what its name says.
    """
    if path.is_file():
        return RunFolder(StackRun(name or path.stem, read_manifest(path)), stack_files=(path,))
    if not path.is_dir():
        raise EvidenceError(f"{path}: no such file or folder")
    manifest = _one(path, "manifest", MANIFEST_SUFFIXES)
    outputs = _one(path, "outputs", _OUTPUTS)
    losses = _one(path, "losses", _LOSSES)
    judgments = _one(path, "judgments", _JUDGMENTS)
    if not any((manifest, outputs, losses, judgments)):
        raise EvidenceError(
            f"{path}: holds none of manifest, outputs, losses, judgments (see scoretrail triage --help)"
        )
    files = tuple(one for one in (manifest, outputs) if one is not None)
    try:
        stack = StackRun(
            name or path.name,
            read_manifest(manifest) if manifest is not None else None,
            read_outputs(outputs) if outputs is not None else None,
        )
        return RunFolder(stack, _losses(losses), _judgments(path, judgments), files)
    except (EvidenceError, JudgmentsError) as error:
        # files of two runs bear the same names
        raise EvidenceError(f"run {path}: {error}") from error


def _one(folder: Path, stem: str, suffixes: Sequence[str]) -> Path | None:
    there = [folder / f"{stem}{suffix}" for suffix in suffixes if (folder / f"{stem}{suffix}").is_file()]
    if len(there) > 1:
        raise EvidenceError(f"{folder}: {there[0].name} and {there[1].name}: keep one of them")
    return there[0] if there else None


def _losses(path: Path | None) -> pl.DataFrame | None:
    from resources.loss_files import losses_of

    return losses_of([path]) if path is not None else None


def _judgments(folder: Path, path: Path | None) -> Any:
    from resources.judgment_files import judgments_of

    if path is None:
        return None
    about = [one for one in (folder / "judgments.yaml", folder / "judgments.yml") if one.is_file()]
    return judgments_of([path, *about])
