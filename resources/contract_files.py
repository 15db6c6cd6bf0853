"""Release contracts on disk: read with every fault and its line, sealed by one block at the end of the file.

Belongs here: the file. Does not belong here: what a contract may say (`warehouse.release_contract`), the text of a new
one (`resources.contract_template`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from resources.atomic_files import write_bytes
from resources.catalog_problems import Problem, validation_problems
from resources.text_documents import DocumentError
from resources.yaml_documents import load_yaml
from warehouse.release_contract import ReleaseContract, Seal

MAX_BYTES = 1_000_000


class ContractFileError(ValueError):
    """A contract file that cannot be used: every problem found, with its line."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def read_contract(path: Path) -> ReleaseContract:
    """Reads a contract.

    Raises:
        ContractFileError: with every problem, for a file that is none.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ContractFileError([Problem(str(path), None, "", f"cannot be read: {error.strerror or error}")]) from error
    return contract_of(data, path.name)


def contract_of(data: bytes, name: str) -> ReleaseContract:
    """A contract from its bytes.

    Raises:
        ContractFileError: as `read_contract`.
    """
    try:
        document = load_yaml(data, name, max_bytes=MAX_BYTES)
    except DocumentError as error:
        raise ContractFileError([Problem(name, error.line, "", error.message)]) from error
    if not isinstance(document.data, dict):
        raise ContractFileError([Problem(name, 1, "", "must be a mapping; `scoretrail contract new` writes one")])
    try:
        return ReleaseContract.model_validate(document.data)
    except ValidationError as error:
        raise ContractFileError(validation_problems(error, name, document.line_of)) from error


def seal_contract(path: Path, now: datetime) -> tuple[ReleaseContract, bool]:
    """Seals a contract file by a block at its end; one that is sealed and unchanged stays as it is.

    Args:
        path: the file.
        now: the moment of sealing.

    Returns:
        The sealed contract, and whether it was sealed just now.

    Raises:
        ContractFileError: for a file that is no contract, or one that was changed after it was sealed.
    """
    contract = read_contract(path)
    if contract.seal is not None:
        if contract.seal.sha256 == contract.sha256:
            return contract, False
        message = (
            f"was changed after it was sealed: {contract.sha256} in place of {contract.seal.sha256}; a changed "
            "contract is a new one: give it another id, remove `seal`, and gather new evidence"
        )
        raise ContractFileError([Problem(path.name, None, "seal", message)])
    sealed = Seal(sha256=contract.sha256, sealed_at=now.astimezone(UTC).replace(microsecond=0))
    text = path.read_text(encoding="utf-8").rstrip("\n")
    moment = sealed.sealed_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    note = "# Fixed before there was evidence. The evidence names this hash; a change above voids it."
    text += f'\n\n{note}\nseal: {{sha256: {sealed.sha256}, sealed_at: "{moment}"}}\n'
    checked = contract_of(text.encode(), path.name)
    assert checked.seal is not None and checked.seal.sha256 == checked.sha256
    write_bytes(path, text.encode())
    return checked, True
