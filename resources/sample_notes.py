"""`samples.yaml`: what it states about the samples beside it, and which of that meets nothing.

Belongs here: its shape, reading it, and what it says in vain. Does not belong here: the samples (`sample_evidence`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, ValidationError

from resources.catalog_problems import validation_problems
from resources.evidence_store import EvidenceError
from resources.text_documents import DocumentError
from resources.yaml_documents import load_yaml
from warehouse.decision_words import EvidenceStage
from warehouse.plain_text import one_line
from warehouse.source_model import Entry

NOTE_NAME: Final = "samples.yaml"


class LogsNote(Entry):
    """How logs of another tool are read (`resources.logs`)."""

    format: Literal["inspect", "lm-eval", "every-eval-ever-instances", "swebench", "harbor"]
    scores: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()
    unscored: Literal["null", "infrastructure", "zero"] | None = None
    are_repeats: bool = False


class Original(Entry):
    """A log of which the samples beside were made: its name, the SHA-256 of its bytes, and its format."""

    name: str
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    format: str


class SamplesNote(Entry):
    """What samples.yaml says."""

    contract_sha256: str | None = None
    stage: EvidenceStage | None = None
    columns: dict[str, str] = Field(default_factory=dict)
    systems: dict[str, str] = Field(default_factory=dict)
    files: dict[str, str] = Field(default_factory=dict)
    state: dict[str, str] = Field(default_factory=dict)
    logs: LogsNote | None = None
    originals: tuple[Original, ...] = ()


@dataclass
class Met:
    """What of a note met something in the samples; filled while they are read.

    Attributes:
        files: names of files read.
        columns: columns found, under the contract's names.
        systems: systems of rows, as the files name them.
    """

    files: set[str] = field(default_factory=set)
    columns: set[str] = field(default_factory=set)
    systems: set[str] = field(default_factory=set)


def in_vain(note: SamplesNote, met: Met, wanted: Collection[str]) -> tuple[str, ...]:
    """What a note says and nothing heeds, a sentence each: a name written wrong is read over otherwise.

    Args:
        note: the note.
        met: what the samples hold.
        wanted: columns that the contract or a component metric reads.
    """
    return tuple(f"{NOTE_NAME}, {one_line(said)}" for said in _in_vain(note, met, wanted))


def _in_vain(note: SamplesNote, met: Met, wanted: Collection[str]) -> Iterable[str]:
    for name, own in note.columns.items():
        if name not in wanted:
            yield f"columns: nothing here reads a column {name}"
        elif name not in met.columns:
            yield f"columns: no file has a column {own}, which {name} would be read from"
    for name in note.state:
        if name not in wanted:
            yield f"state: nothing here reads a column {name}"
    for name in note.files:
        if name not in met.files:
            yield f"files: none of the files read is called {name}"
    for name in note.systems:
        if name not in met.systems:
            yield f"systems: no row is of a system {name}"


def read_note(places: Sequence[Path]) -> SamplesNote:
    """The note beside the samples, or among them; one that states nothing where there is none.

    Raises:
        EvidenceError: naming the line, and for two notes.
    """
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
