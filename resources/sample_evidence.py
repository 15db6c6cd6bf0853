"""The evidence of a release decision: files of samples, and what `samples.yaml` beside them states about them.

Belongs here: which files are read, the hash and the stage they name, other names of columns and systems. Does not
belong here: one file (`sample_files`), what samples mean (`methods.decision`).

The evidence names the contract's hash in `samples.yaml` or in a column `contract_sha256`, the same in every row; its
stage likewise (`stage`, offline where nobody says). `samples.yaml`::

    contract_sha256: 64 hex digits
    stage: offline | shadow | canary
    columns: {column of the contract: name in the files}
    systems: {name in the files: system of the contract}
    files: {name of a file: system of all its rows}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

import polars as pl
from pydantic import Field, ValidationError

from methods.decision.samples import SampleError, Samples
from methods.decision.typed_columns import typed, wanted_types
from resources.catalog_problems import validation_problems
from resources.contract_files import ContractFileError, contract_of
from resources.evidence_store import EvidenceError
from resources.sample_files import SUFFIXES, read_rows
from resources.text_documents import DocumentError
from resources.yaml_documents import load_yaml
from warehouse.decision_words import EvidenceStage
from warehouse.release_contract import ReleaseContract
from warehouse.source_model import Entry

NOTE_NAME: Final = "samples.yaml"
CONTRACT_NAME: Final = "contract.yaml"
_STATED: Final = ("contract_sha256", "stage")
STORE_NAMES: Final = frozenset({NOTE_NAME, CONTRACT_NAME, "evidence.json"})


class SamplesNote(Entry):
    """What samples.yaml says."""

    contract_sha256: str | None = None
    stage: EvidenceStage | None = None
    columns: dict[str, str] = Field(default_factory=dict)
    systems: dict[str, str] = Field(default_factory=dict)
    files: dict[str, str] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DecisionEvidence:
    """A sealed contract and its samples, as they are registered together."""

    contract: ReleaseContract
    samples: Samples

    @property
    def height(self) -> int:
        """Rows of the samples."""
        return self.samples.height


def read_decision_evidence(folder: Path) -> DecisionEvidence:
    """A folder that holds `contract.yaml` and files of samples.

    Raises:
        EvidenceError: naming file, row and column.
    """
    try:
        contract = contract_of((folder / CONTRACT_NAME).read_bytes(), CONTRACT_NAME)
    except OSError as error:
        raise EvidenceError(f"{CONTRACT_NAME}: is not there; samples are registered with their contract") from error
    except ContractFileError as error:
        raise EvidenceError(str(error)) from error
    return DecisionEvidence(contract, read_samples([folder], contract))


def read_samples(places: Sequence[Path], contract: ReleaseContract) -> Samples:
    """The samples in files and folders, in the order given.

    Args:
        places: files, or folders of which every file of samples is read, by name; a samples.yaml is read as what it is.
        contract: says which columns are needed.

    Raises:
        EvidenceError: naming file, row and column.
    """
    files, note = _files(places), _note(places)
    frames = [_read(path, contract, note) for path in files]
    rows = pl.concat(frames, how="diagonal_relaxed") if len(frames) > 1 else frames[0]
    named = _one(rows, "contract_sha256", note.contract_sha256)
    stage: Any = _one(rows, "stage", note.stage) or "offline"
    if stage not in get_args(EvidenceStage):
        raise EvidenceError(f"stage {stage!r}: offline, shadow or canary")
    if not named:
        raise EvidenceError(
            f"the evidence names no contract: state contract_sha256 in {NOTE_NAME} beside it, or in a column"
        )
    return Samples(rows.drop([name for name in _STATED if name in rows.columns]), named, stage)


def _files(places: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for place in places:
        if place.is_dir():
            inside = sorted(path for path in place.iterdir() if path.name not in STORE_NAMES and path.is_file())
            found += [path for path in inside if path.suffix in SUFFIXES]
        elif place.name != NOTE_NAME:
            found.append(place)
    missing = next((path for path in found if not path.is_file()), None)
    if missing is not None:
        raise EvidenceError(f"{missing}: no such file")
    strange = next((path for path in found if path.suffix not in SUFFIXES), None)
    if strange is not None:
        raise EvidenceError(f"{strange.name}: samples are {', '.join(SUFFIXES)} files")
    if not found:
        raise EvidenceError(f"{', '.join(map(str, places))}: no file of samples ({', '.join(SUFFIXES)})")
    return found


def _note(places: Sequence[Path]) -> SamplesNote:
    paths = [place / NOTE_NAME if place.is_dir() else place for place in places]
    paths += [place.parent / NOTE_NAME for place in places if place.is_file()]
    standing = list(dict.fromkeys(path for path in paths if path.name == NOTE_NAME and path.is_file()))
    if not standing:
        return SamplesNote()
    if len(standing) > 1:
        raise EvidenceError(f"{standing[0]} and {standing[1]}: one {NOTE_NAME} speaks for an evidence")
    try:
        document = load_yaml(standing[0].read_bytes(), NOTE_NAME)
        return SamplesNote.model_validate(document.data or {})
    except DocumentError as error:
        raise EvidenceError(str(error)) from error
    except ValidationError as error:
        problems = validation_problems(error, NOTE_NAME, document.line_of)
        raise EvidenceError("\n".join(str(problem) for problem in problems)) from error


def _read(path: Path, contract: ReleaseContract, note: SamplesNote) -> pl.DataFrame:
    wanted = [*wanted_types(contract), *_STATED]
    frame = read_rows(path, wanted, note.columns)
    if path.name in note.files:
        frame = frame.with_columns(system=pl.lit(note.files[path.name]))
    stated = frame.select(name for name in _STATED if name in frame.columns)
    if note.systems and "system" in frame.columns:
        frame = frame.with_columns(pl.col("system").cast(pl.String).replace(note.systems))
    try:
        rows = typed(contract, frame)
    except SampleError as error:
        raise EvidenceError(f"{path.name}: {error}") from error
    return rows.with_columns(stated.get_columns())


def _one(rows: pl.DataFrame, column: str, noted: str | None) -> str | None:
    """What the note and every row say alike."""
    said = {noted} if noted is not None else set()
    if column in rows.columns:
        said |= set(rows[column].unique().to_list())
    if len(said) > 1:
        raise EvidenceError(f"{column}: {', '.join(sorted(map(str, said)))}: an evidence names one")
    found = next(iter(said), None)
    return None if found is None else str(found)
