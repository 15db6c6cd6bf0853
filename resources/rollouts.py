"""Shadows and canaries of a home: `evidence/<stage>/<name>/`, with its contract and further and further batches.

Belongs here: keeping a contract and its batches, proving them, and writing what was decided. Does not belong here: what
batches say (`methods.rollout`), reading a batch as samples (`resources.sample_reader`).

In the folder of one: `contract.yaml`, the bytes of the sealed contract, and `rollout.json`, which says what they hash
to; `<sha256>/<file>`, a batch each, never written again; `batches.jsonl`, one line a batch, each with the hash of the
line before, so that none can be taken out, changed or moved; `incoming/`, where files may be laid to be taken in, and
`refused/`, where those go that are none, each with a text that says why; `action.json`, what a deploy tool reads, and
`actions.jsonl`, every action there was. Each has a lock of its own: a stop does not wait for a night.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from resources.atomic_files import (
    append_json_line,
    line_bytes,
    make_folder,
    read_json,
    read_json_lines,
    write_bytes,
    write_json,
)
from resources.evidence_store import EVIDENCE_FOLDER, EvidenceError
from resources.home_lock import HomeLock
from resources.manifest import file_sha256
from resources.verdicts import moment_text
from warehouse.canonical import Json, sha256_hex
from warehouse.identity import is_slug
from warehouse.rollout_words import ROLLOUT_STAGES, RolloutStage

ROLLOUT_SCHEMA: Final = "scoretrail.rollout/1"
CONTRACT_NAME: Final = "contract.yaml"
ABOUT_NAME: Final = "rollout.json"
BATCHES_NAME: Final = "batches.jsonl"
ACTION_NAME: Final = "action.json"
ACTIONS_NAME: Final = "actions.jsonl"
INCOMING: Final = "incoming"
REFUSED: Final = "refused"
LOCK_WAIT_S: Final = 60.0
NO_BATCH: Final = "0" * 64
"""What stands before the first batch."""
WHY: Final = ".why.txt"
REFUSED_RULE: Final = "batch"
"""The rule under which a file that could not be taken in holds, while it lies aside."""
UNFINISHED: Final = (".tmp", ".part", ".partial", ".crdownload")
"""Endings of files that are still being written; a name that begins with a full stop is one too."""


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch: its number from 1, the SHA-256 of its file, rows, when it was taken in, and where it lies."""

    number: int
    sha256: str
    rows: int
    registered_at: str
    path: Path


@dataclass(frozen=True, slots=True)
class Rollout:
    """One shadow or canary.

    Attributes:
        stage, name: which.
        contract_sha256: the hash of its sealed contract.
        folder: where it lies.
        batches: every batch, in order.
        head: hash of the last line of the list of batches: it stands for all of them.
    """

    stage: RolloutStage
    name: str
    contract_sha256: str
    folder: Path
    batches: tuple[Batch, ...]
    head: str

    @property
    def contract_file(self) -> Path:
        """The contract as it was given."""
        return self.folder / CONTRACT_NAME

    @property
    def action(self) -> dict[str, Any] | None:
        """The newest action written; None before the first (JsonFileError where it is damaged)."""
        path = self.folder / ACTION_NAME
        return read_json(path) if path.is_file() else None

    @property
    def is_decided(self) -> bool:
        """Whether the newest action rests on every batch."""
        action = self.action
        return action is not None and action["evidence"]["sha256"] == self.head

    def incoming(self) -> list[Path]:
        """Files laid down to be taken in, by name; those still being written are passed over."""
        folder = self.folder / INCOMING
        found = sorted(folder.iterdir()) if folder.is_dir() else []
        return [path for path in found if path.is_file() and not _unfinished(path.name)]

    def refused(self) -> list[tuple[str, str]]:
        """Files that were set aside and lie there still, by name, each with what is wrong with it."""
        folder = self.folder / REFUSED
        found = sorted(folder.iterdir()) if folder.is_dir() else []
        files = [
            path for path in found if path.is_file() and not path.name.endswith(WHY) and not _unfinished(path.name)
        ]
        return [(path.name, _why(path)) for path in files]

    def lock(self) -> HomeLock:
        """The lock of this one."""
        return HomeLock(self.folder, timeout_s=LOCK_WAIT_S)


class RolloutStore:
    """The shadows and canaries of one home."""

    def __init__(self, home: Path) -> None:
        self.root = Path(home) / EVIDENCE_FOLDER

    def every(self) -> Iterator[Rollout]:
        """All of them, by stage and name (EvidenceError, JsonFileError where one is damaged)."""
        for stage in ROLLOUT_STAGES:
            for about in sorted((self.root / stage).glob(f"*/{ABOUT_NAME}")):
                yield self.open(stage, about.parent.name)

    def names(self, stage: RolloutStage) -> list[str]:
        """The names of a stage."""
        return sorted(path.parent.name for path in (self.root / stage).glob(f"*/{ABOUT_NAME}"))

    def start(self, stage: RolloutStage, name: str, contract: bytes, contract_sha256: str, at: datetime) -> Rollout:
        """Keep a sealed contract under a name, before there is any batch.

        Args:
            stage, name: which; a name is given once in a stage.
            contract: the file's bytes.
            contract_sha256: the hash of what it says.
            at: the moment.

        Raises:
            EvidenceError: for a name that is none, or that stands for another contract.
            OSError: as the disk says.
        """
        if not is_slug(name):
            raise EvidenceError(f"{name!r}: a name is lower case, digits, '.', '_' and '-', at most 80 signs")
        folder = self.root / stage / name
        if (folder / ABOUT_NAME).is_file():
            standing = self.open(stage, name)
            if standing.contract_sha256 == contract_sha256:
                return standing
            raise EvidenceError(
                f"{stage} {name} has another contract ({standing.contract_sha256[:12]}, not {contract_sha256[:12]}): a "
                "changed contract is another one; choose another name"
            )
        make_folder(folder / INCOMING)
        write_bytes(folder / CONTRACT_NAME, contract)
        about: dict[str, Json] = {
            "schema": ROLLOUT_SCHEMA, "stage": stage, "name": name, "contract_sha256": contract_sha256,
            "contract_file_sha256": sha256_hex(contract), "started_at": moment_text(at),
        }  # fmt: skip
        write_json(folder / ABOUT_NAME, about)
        return self.open(stage, name)

    def open(self, stage: RolloutStage, name: str) -> Rollout:
        """One of them, its contract and list of batches proved.

        Raises:
            EvidenceError: for an unknown name, or where contract, list or a batch is not what was kept.
            JsonFileError: for a damaged list.
        """
        folder = self.root / stage / name
        if not is_slug(name) or not (folder / ABOUT_NAME).is_file():
            known = ", ".join(self.names(stage)) or "none yet"
            raise EvidenceError(f"no {stage} {name!r} in this home ({known}); begin one: scoretrail {stage} start")
        about = read_json(folder / ABOUT_NAME)
        if file_sha256(folder / CONTRACT_NAME) != about["contract_file_sha256"]:
            raise EvidenceError(f"{stage} {name}: {folder / CONTRACT_NAME} was changed after it began")
        batches, head = [], NO_BATCH
        for number, line in enumerate(read_json_lines(folder / BATCHES_NAME), start=1):
            if line["batch"] != number or line["previous"] != head:
                raise EvidenceError(f"{stage} {name}: the list of batches was changed at line {number} ({folder})")
            path = folder / line["sha256"] / line["file"]
            batches.append(Batch(number, line["sha256"], line["rows"], line["registered_at"], path))
            head = sha256_hex(line_bytes(line))
        return Rollout(stage, name, about["contract_sha256"], folder, tuple(batches), head)

    def append(self, rollout: Rollout, file: Path, rows: int, at: datetime) -> Rollout:
        """Keep one more batch. The caller holds the lock and has read the file; the same file again is no news.

        Raises:
            OSError: as the disk says; nothing is appended.
        """
        sha256 = file_sha256(file)
        if any(batch.sha256 == sha256 for batch in rollout.batches):
            return rollout
        write_bytes(rollout.folder / sha256 / file.name, file.read_bytes())
        line: dict[str, Json] = {
            "batch": len(rollout.batches) + 1, "sha256": sha256, "file": file.name, "rows": rows,
            "registered_at": moment_text(at), "previous": rollout.head,
        }  # fmt: skip
        append_json_line(rollout.folder / BATCHES_NAME, line)
        return self.open(rollout.stage, rollout.name)

    def write_action(self, rollout: Rollout, action: dict[str, Json]) -> None:
        """Put an action where the deploy tool reads it, and keep it for good.

        The history comes first: what was acted on always stands in it.
        """
        append_json_line(rollout.folder / ACTIONS_NAME, action)
        write_json(rollout.folder / ACTION_NAME, action)


def proved_file(rollout: Rollout, batch: Batch) -> Path:
    """The file of a batch, after proving that it is what was kept.

    Raises:
        EvidenceError: where it is gone or was changed.
    """
    try:
        if file_sha256(batch.path) == batch.sha256:
            return batch.path
    except OSError as error:
        raise EvidenceError(f"{rollout.stage} {rollout.name}, batch {batch.number}: {error}") from error
    raise EvidenceError(f"{rollout.stage} {rollout.name}, batch {batch.number}: {batch.path} was changed")


def set_aside(rollout: Rollout, file: Path, why: str) -> Path:
    """Move a laid-down file that is no batch out of the way, with a text beside it that says why."""
    target = rollout.folder / REFUSED / file.name
    make_folder(target.parent)
    number = 1
    while target.exists():
        target = rollout.folder / REFUSED / f"{file.stem}.{number}{file.suffix}"
        number += 1
    write_bytes(target.with_name(f"{target.name}{WHY}"), f"{why}\n".encode())
    shutil.move(file, target)
    return target


def _why(path: Path) -> str:
    beside = path.with_name(f"{path.name}{WHY}")
    return beside.read_text(encoding="utf-8").strip() if beside.is_file() else "set aside"


def _unfinished(name: str) -> bool:
    return name.startswith(".") or name.endswith(UNFINISHED)
