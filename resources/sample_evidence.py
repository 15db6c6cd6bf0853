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
    state: {column: text that holds for every row, such as scorer_version}
    logs: {format: inspect, scores: [..], slices: [..], unscored: null | infrastructure | zero, are_repeats: false}
    originals: [{name: .., sha256: .., format: inspect}], written by `decide --register` of logs it kept as samples

With `logs` the files are logs of another tool, which need not be imported first; a `.eval` file is one of Inspect's
without a word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, get_args

import polars as pl

from methods.components.columns import LIST_COLUMNS
from methods.decision.samples import SampleError, Samples
from methods.decision.typed_columns import typed, wanted_types
from resources.contract_files import ContractFileError, contract_of
from resources.evidence_store import EvidenceError
from resources.list_cells import ListCellError, with_lists
from resources.sample_files import SUFFIXES, read_rows
from resources.sample_notes import NOTE_NAME, LogsNote, Met, SamplesNote, in_vain, read_note
from warehouse.decision_words import EvidenceStage
from warehouse.release_contract import ReleaseContract

CONTRACT_NAME: Final = "contract.yaml"
_STATED: Final = ("contract_sha256", "stage")
COMPONENT_INPUTS: Final = (
    *LIST_COLUMNS, "retrieval_unit", "citation_unit", "refused", "claims_needing_citation", "claims_with_citation",
)  # fmt: skip
"""Columns that component metrics are made of (`methods.components`)."""
FEW_TEXTS: Final = ("system", "scorer_type", "scorer_version")
"""Columns of few different texts."""
STORE_NAMES: Final = frozenset({NOTE_NAME, CONTRACT_NAME, "evidence.json"})


Opened = Callable[[Path, SamplesNote, Sequence[str]], pl.DataFrame]
"""Reads the wanted columns of one place."""


@dataclass(frozen=True, slots=True)
class DecisionEvidence:
    """A sealed contract and its samples, as they are registered together."""

    contract: ReleaseContract
    samples: Samples

    @property
    def height(self) -> int:
        """Rows of the samples."""
        return self.samples.height

    @property
    def notes(self) -> tuple[str, ...]:
        """What was said about the samples in vain."""
        return self.samples.notes


def read_decision_evidence(folder: Path) -> DecisionEvidence:
    """A folder that holds `contract.yaml` and files of samples.

    Raises:
        EvidenceError: naming file, row and column.
    """
    try:
        contract = contract_of((folder / CONTRACT_NAME).read_bytes(), CONTRACT_NAME)
    except OSError as error:
        raise EvidenceError(
            f"{CONTRACT_NAME}: is not among the files; name the sealed contract so, or let "
            "`scoretrail decide CONTRACT EVIDENCE… --register NAME` keep both"
        ) from error
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
    note = read_note(places)
    rows, notes = _rows(places, contract, note)
    named = _one(rows, "contract_sha256", note.contract_sha256)
    stage: Any = _one(rows, "stage", note.stage) or "offline"
    if stage not in get_args(EvidenceStage):
        raise EvidenceError(f"stage {stage!r}: offline, shadow or canary")
    if not named:
        raise EvidenceError(
            f"the evidence names no contract: state contract_sha256 in {NOTE_NAME} beside it, or in a column"
        )
    return Samples(rows.drop([name for name in _STATED if name in rows.columns]), named, stage, notes)


def read_pilot(places: Sequence[Path], contract: ReleaseContract) -> pl.DataFrame:
    """The samples of a pilot, which names no contract.

    Raises:
        EvidenceError: as `read_samples`.
    """
    return _rows(places, contract, read_note(places))[0]


def _rows(places: Sequence[Path], contract: ReleaseContract, note: SamplesNote) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The rows of all places, and what the note says in vain."""
    sources: list[tuple[Path, Opened]] = _log_sources(places) if note.logs else [(p, _opened) for p in _files(places)]
    met = Met(files={path.name for path, _ in sources})
    if all(path.suffix == ".parquet" for path, _ in sources):
        few = (*FEW_TEXTS, *(one.column for one in contract.slices))
        sources = [(path, partial(_parquet, few)) for path, _ in sources]
    frames = [_read(path, contract, note, opened, met) for path, opened in sources]
    rows = pl.concat(frames, how="diagonal_relaxed") if len(frames) > 1 else frames[0]
    return rows, in_vain(note, met, _wanted(contract))


def evidence_files(places: Sequence[Path]) -> list[Path]:
    """The files that make an evidence, its note last: what is registered with the contract.

    Raises:
        EvidenceError: as `read_samples`.
    """
    notes = [place / NOTE_NAME if place.is_dir() else place.parent / NOTE_NAME for place in places]
    return [*_files(places), *dict.fromkeys(note for note in notes if note.is_file())]


def _files(places: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for place in places:
        if place.is_dir():
            inside = sorted(path for path in place.iterdir() if path.name not in STORE_NAMES and path.is_file())
            found += [path for path in inside if path.suffix in (*SUFFIXES, ".eval")]
        elif place.name != NOTE_NAME:
            found.append(place)
    missing = next((path for path in found if not path.is_file()), None)
    if missing is not None:
        raise EvidenceError(f"{missing}: no such file")
    strange = next((path for path in found if path.suffix not in (*SUFFIXES, ".eval")), None)
    if strange is not None:
        raise EvidenceError(
            f"{strange.name}: samples are {', '.join(SUFFIXES)} or .eval files; of other logs {NOTE_NAME} says "
            "`logs: {format: ..}`"
        )
    if not found:
        raise EvidenceError(f"{', '.join(map(str, places))}: no file of samples ({', '.join(SUFFIXES)})")
    return found


def _log_sources(places: Sequence[Path]) -> list[tuple[Path, Opened]]:
    """Each place given as logs of the format that the note states."""
    found = [place for place in places if place.name != NOTE_NAME]
    missing = next((place for place in found if not place.exists()), None)
    if missing is not None or not found:
        raise EvidenceError(f"{missing or NOTE_NAME}: no such log")
    return [(place, _log) for place in found]


def _opened(path: Path, note: SamplesNote, wanted: Sequence[str]) -> pl.DataFrame:
    if path.suffix == ".eval":
        return _log(path, note, wanted)
    return read_rows(path, wanted, note.columns, COMPONENT_INPUTS)


def _parquet(few: Sequence[str], path: Path, note: SamplesNote, wanted: Sequence[str]) -> pl.DataFrame:
    """Parquet, which may be large: texts that repeat in nearly every row are kept once each."""
    return read_rows(path, wanted, note.columns, COMPONENT_INPUTS, few)


def _log(path: Path, note: SamplesNote, wanted: Sequence[str]) -> pl.DataFrame:
    """A log of another tool as rows, its columns under the contract's names."""
    from resources.logs.documents import LogFileError
    from resources.logs.options import LogOptions
    from resources.logs.reading import read_logs
    from resources.logs.shapes import as_samples

    how = note.logs or LogsNote(format="inspect")
    try:
        table = read_logs(how.format, path, LogOptions(how.scores, slices=how.slices, are_repeats=how.are_repeats))
    except (LogFileError, OSError) as error:
        raise EvidenceError(str(error)) from error
    if table.problems:
        more = f"; and {len(table.problems) - 1} more" if len(table.problems) > 1 else ""
        raise EvidenceError(f"{table.problems[0]}{more}; nothing is decided on a log that could not be read whole")
    rows = as_samples(table.frame, how.unscored or "null")
    chosen = {name: note.columns.get(name, name) for name in wanted}
    return rows.select(pl.col(own).alias(name) for name, own in chosen.items() if own in rows.columns)


def _read(path: Path, contract: ReleaseContract, note: SamplesNote, opened: Opened, met: Met) -> pl.DataFrame:
    frame = opened(path, note, _wanted(contract))
    met.columns |= set(frame.columns)
    if path.name in note.files:
        frame = frame.with_columns(system=pl.lit(note.files[path.name]))
    twice = sorted(set(note.state) & set(frame.columns))
    if twice:
        raise EvidenceError(f"{path.name}: {twice[0]} stands in the file and under `state` of {NOTE_NAME}")
    frame = frame.with_columns(pl.lit(text).alias(name) for name, text in note.state.items())
    if note.systems and "system" in frame.columns:
        met.systems |= set(frame["system"].cast(pl.String).drop_nulls().unique())
        frame = frame.with_columns(pl.col("system").cast(pl.String).replace(note.systems))
    try:
        kept = with_lists(frame.select(n for n in (*_STATED, *COMPONENT_INPUTS) if n in frame.columns), LIST_COLUMNS)
        return typed(contract, frame).with_columns(kept.get_columns())
    except (SampleError, ListCellError) as error:
        others = {note.contract_sha256} if note.contract_sha256 else _stated(frame, "contract_sha256")
        if others and contract.sha256 not in others:
            raise EvidenceError(
                f"{path.name}: is evidence of another contract, {min(others)[:12]}; {contract.id} is "
                f"{contract.sha256[:12]}, and does not take it: {error}"
            ) from error
        raise EvidenceError(f"{path.name}: {error} (contract {contract.id})") from error


def _stated(frame: pl.DataFrame, column: str) -> set[str]:
    """The texts of a column; none where it is not there."""
    return set(frame[column].cast(pl.String).drop_nulls().unique()) if column in frame.columns else set()


def _wanted(contract: ReleaseContract) -> list[str]:
    """Every column that is read of samples, where they have it."""
    return list(dict.fromkeys([*wanted_types(contract), *_STATED, *COMPONENT_INPUTS]))


def _one(rows: pl.DataFrame, column: str, noted: str | None) -> str | None:
    """What the note and every row say alike."""
    said = {noted} if noted is not None else set()
    if column in rows.columns:
        said |= set(rows[column].unique().to_list())
    if len(said) > 1:
        raise EvidenceError(f"{column}: {', '.join(sorted(map(str, said)))}: an evidence names one")
    found = next(iter(said), None)
    return None if found is None else str(found)
