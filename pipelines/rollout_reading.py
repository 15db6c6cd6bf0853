"""A shadow or canary read whole, taken further by files, and its action written: for the command and for Dagster alike.

Belongs here: which steps, in which order, under which lock. Does not belong here: what batches say (`methods.rollout`),
how they are kept (`resources.rollouts`), what is printed (`pipelines.rollout_text`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from methods.decision.samples import SampleError
from methods.rollout.action import Reason, action_document, asked_for, reasons
from methods.rollout.cohorts import cohort_table
from methods.rollout.monitor import Monitoring, monitor
from methods.rollout.returned_models import ReturnedModels, returned_models
from methods.rollout.stage_gates import stage_gates
from methods.rollout.units import RolloutError
from resources.batch_files import read_batch
from resources.contract_files import contract_of
from resources.evidence_store import EvidenceError
from resources.manifest import file_sha256
from resources.rollouts import CONTRACT_NAME, REFUSED_RULE, Rollout, RolloutStore, proved_file, set_aside
from resources.verdicts import moment_text
from warehouse.canonical import Json
from warehouse.release_contract import ReleaseContract
from warehouse.rollout_words import RolloutAction, RolloutStage

if TYPE_CHECKING:
    from methods.decision.verdict import Gate
    from warehouse.methodology import Methodology


@dataclass(frozen=True)
class RolloutReading:
    """Everything a shadow or canary says after its last batch.

    Attributes:
        rollout, contract: which, and what was asked of it beforehand.
        monitoring: every look.
        gates: of the stage.
        reasons: to do other than continue.
        models: who answered, candidate and baseline.
        cohorts: candidate and baseline side by side; empty without a batch, and in shadow.
        refused: files that were laid down, were no batch, and lie aside still, with what is wrong: while one does,
            nobody knows what it says.
    """

    rollout: Rollout
    contract: ReleaseContract
    monitoring: Monitoring
    gates: tuple[Gate, ...]
    reasons: tuple[Reason, ...]
    models: tuple[ReturnedModels, ...]
    cohorts: pl.DataFrame
    refused: tuple[tuple[str, str], ...] = ()

    @property
    def action(self) -> RolloutAction:
        """The strongest action asked for; hold where a file could not be taken in: nobody knows what it says."""
        asked = asked_for(self.reasons)
        return "hold" if self.refused and asked == "continue" else asked


def start(store: RolloutStore, stage: RolloutStage, name: str, contract_file: Path) -> tuple[Rollout, ReleaseContract]:
    """Begin one under a sealed contract.

    Raises:
        ContractFileError: for a file that is no contract.
        EvidenceError: for one that is not sealed or was changed since, and as `RolloutStore.start`.
    """
    from methods.decision.decide import check_seal

    data = contract_file.read_bytes()
    contract = contract_of(data, contract_file.name)
    try:
        check_seal(contract, contract.sha256)
    except SampleError as error:
        raise EvidenceError(str(error)) from error
    return store.start(stage, name, data, contract.sha256, datetime.now(UTC)), contract


def read(rollout: Rollout, methodology: Methodology, more: Sequence[pl.DataFrame] = ()) -> RolloutReading:
    """Everything the batches say, and what further ones would.

    Raises:
        EvidenceError: where a batch is not what was kept.
        RolloutError: for batches that the contract cannot be applied to.
    """
    contract = contract_of(rollout.contract_file.read_bytes(), CONTRACT_NAME)
    frames = [read_batch(proved_file(rollout, batch), contract) for batch in rollout.batches]
    found = monitor(contract, rollout.stage, [*frames, *more], methodology.rollout)
    gates = stage_gates(contract, found, methodology.rollout)
    is_canary = rollout.stage == "canary" and not found.rows.is_empty()
    return RolloutReading(
        rollout=rollout,
        contract=contract,
        monitoring=found,
        gates=gates,
        reasons=reasons(contract, found, gates),
        models=returned_models(found.rows, (contract.systems.candidate, contract.systems.baseline)),
        cohorts=cohort_table(found.rows, contract, methodology.rollout, found.batches) if is_canary else pl.DataFrame(),
        refused=tuple(rollout.refused()),
    )


def take_in(store: RolloutStore, rollout: Rollout, files: Sequence[Path], methodology: Methodology) -> RolloutReading:
    """Add files as batches, all of them or none, and write the action they ask for. The caller holds its lock.

    Raises:
        EvidenceError, RolloutError: for a file that is no batch of this one; nothing is added.
    """
    contract = contract_of(rollout.contract_file.read_bytes(), CONTRACT_NAME)
    for file in files:
        if not file.is_file():
            raise EvidenceError(f"{file}: no such file")
    known = {batch.sha256 for batch in rollout.batches}
    new = [file for file in files if file_sha256(file) not in known]
    frames = [read_batch(file, contract) for file in new]
    read(rollout, methodology, frames)
    at = datetime.now(UTC)
    for file, frame in zip(new, frames, strict=True):
        rollout = store.append(rollout, file, frame.height, at)
    return decided(store, read(rollout, methodology))


def take_in_incoming(store: RolloutStore, rollout: Rollout, methodology: Methodology) -> RolloutReading:
    """Take in what was laid down, file by file; what is no batch is set aside and holds. The caller holds its lock."""
    for file in rollout.incoming():
        try:
            contract = contract_of(rollout.contract_file.read_bytes(), CONTRACT_NAME)
            frame = read_batch(file, contract)
            read(rollout, methodology, [frame])
        except (EvidenceError, RolloutError) as error:
            set_aside(rollout, file, str(error))
            continue
        rollout = store.append(rollout, file, frame.height, datetime.now(UTC))
        file.unlink()
    return decided(store, read(rollout, methodology))


def decided(store: RolloutStore, found: RolloutReading) -> RolloutReading:
    """Write the action that a reading asks for, where it is not written already."""
    written = found.rollout.action
    told = [] if written is None else [reason["detail"] for reason in written["reasons"]]
    if found.rollout.is_decided and told == [reason["detail"] for reason in _reasons(found)]:
        return found
    store.write_action(found.rollout, document(found))
    return found


def document(found: RolloutReading) -> dict[str, Json]:
    """The object that a deploy tool reads."""
    whole = action_document(
        found.contract, found.monitoring, found.reasons, name=found.rollout.name, evidence_sha256=found.rollout.head,
        decided_at=moment_text(datetime.now(UTC)),
    )  # fmt: skip
    return whole | {"action": found.action, "reasons": list(_reasons(found))}


def _reasons(found: RolloutReading) -> list[dict[str, Json]]:
    """Every reason to do other than continue, files that could not be taken in last."""
    told: list[dict[str, Json]] = [
        {"rule": one.rule, "action": one.action, "detail": one.detail, "batch": one.batch} for one in found.reasons
    ]
    for name, why in found.refused:
        detail = f"{name} could not be taken in: {why}"
        told.append({"rule": REFUSED_RULE, "action": "hold", "detail": detail, "batch": None})
    return told
