"""What is registered of a decision's evidence: files of samples as they are, logs of other tools as samples.

Belongs here: the files of one registration. A log is kept as the samples that were decided on, beside the SHA-256 of
its own bytes, so that a study needs neither the tool nor its format, and the original can be held against what was
registered. Does not belong here: reading samples (`sample_evidence`), keeping files (`evidence_store`).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from methods.decision.samples import Samples
from resources.manifest import file_sha256
from resources.sample_evidence import CONTRACT_NAME, evidence_files
from resources.sample_notes import NOTE_NAME, SamplesNote, read_note

ROWS_NAME: Final = "samples.parquet"


def files_to_register(contract: Path, places: Sequence[Path], samples: Samples, folder: Path) -> list[Path]:
    """The files to keep, those that are made here in a folder.

    Args:
        contract: the sealed contract.
        places: files and folders of samples or logs, as given.
        samples: what was read of them.
        folder: an empty folder, for what is copied or made.

    Raises:
        EvidenceError: as `read_samples`.
    """
    copied = folder / CONTRACT_NAME
    shutil.copyfile(contract, copied)
    note = read_note(places)
    if note.logs is None:
        return [copied, *evidence_files(places)]
    samples.rows.write_parquet(folder / ROWS_NAME)
    said: dict[str, Any] = {
        "contract_sha256": samples.contract_sha256, "stage": samples.stage, "originals": [*_originals(places, note)],
    }  # fmt: skip
    (folder / NOTE_NAME).write_text(yaml.safe_dump(said, sort_keys=False), encoding="utf-8")
    return [copied, folder / ROWS_NAME, folder / NOTE_NAME]


def _originals(places: Sequence[Path], note: SamplesNote) -> Iterator[dict[str, str]]:
    """Every file of the logs, by its path below the place given, with its hash."""
    form = "" if note.logs is None else note.logs.format
    for place in places:
        if place.is_file():
            below = [] if place.name == NOTE_NAME else [(place.name, place)]
        else:
            inside = sorted(path for path in place.rglob("*") if path.is_file() and path.name != NOTE_NAME)
            below = [(f"{place.name}/{path.relative_to(place).as_posix()}", path) for path in inside]
        for name, path in below:
            yield {"name": name, "sha256": file_sha256(path), "format": form}
