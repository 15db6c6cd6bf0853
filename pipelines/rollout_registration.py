"""`scoretrail shadow register` and `canary register`: the batches so far as evidence that a study can name."""

from __future__ import annotations

import json
import shutil
import tempfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from methods.rollout.stage_decision import BATCH
from pipelines.options import UsageError
from pipelines.register_command import register_files
from pipelines.rollout_reading import read
from resources.rollouts import RolloutStore
from resources.sample_evidence import CONTRACT_NAME
from resources.sample_notes import NOTE_NAME
from warehouse.decision_words import SAMPLES_EVIDENCE
from warehouse.rollout_words import RolloutStage

if TYPE_CHECKING:
    from resources.evidence_store import EvidenceRecord
    from warehouse.methodology import Methodology

ROWS_NAME = "batches.parquet"


def register_rollout(
    home: Path,
    stage: RolloutStage,
    name: str,
    given: str | None,
    methodology: Methodology,
    known_since: date | None = None,
) -> EvidenceRecord:
    """Keep the contract and all batches so far as samples, under a name.

    Args:
        home: the home.
        stage, name: which shadow or canary.
        given: the evidence's name; `<name>-<batches>` where None, so that later batches make another evidence.
        methodology: constants.
        known_since: the first day a run may use it, where it is not the day of registering.

    Raises:
        UsageError: before the first batch.
        EvidenceError, HomeLockedError: as `register_files`.
    """
    rollout = RolloutStore(home).open(stage, name)
    found = read(rollout, methodology)
    if not rollout.batches:
        raise UsageError(f"{stage} {name} has no batch yet; add one: scoretrail {stage} add {name} FILE")
    rows = found.monitoring.rows
    kept = rows.drop([column for column in rows.columns if column.startswith("_")])
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / one for one in (CONTRACT_NAME, ROWS_NAME, NOTE_NAME)]
        shutil.copyfile(rollout.contract_file, files[0])
        kept.with_columns(rows["_batch"].alias(BATCH)).write_parquet(files[1])
        note = {"contract_sha256": rollout.contract_sha256, "stage": stage}
        files[2].write_text(json.dumps(note) + "\n", encoding="utf-8")
        called = given or f"{name}-{len(rollout.batches)}"
        return register_files(home, SAMPLES_EVIDENCE, called, files, known_since)
