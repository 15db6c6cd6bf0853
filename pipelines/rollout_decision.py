"""`scoretrail shadow decide` and `scoretrail canary decide`: the release decision on what has come in so far."""

from __future__ import annotations

from pathlib import Path

from methods.rollout.stage_decision import decide_stage
from pipelines import console
from pipelines.decide_command import code_of
from pipelines.decision_reports import as_values, junit_xml, markdown_text
from pipelines.decision_text import print_decision
from pipelines.options import UsageError
from pipelines.rollout_reading import read
from resources.atomic_files import write_bytes
from resources.rollouts import RolloutStore
from resources.settings import Settings
from warehouse.exit_codes import ExitCode
from warehouse.methodology import Methodology
from warehouse.rollout_words import RolloutStage


def decide_rollout(
    stage: RolloutStage,
    name: str,
    settings: Settings,
    methodology: Methodology,
    *,
    junit: Path | None,
    markdown: Path | None,
    as_json: bool,
) -> ExitCode:
    """Decide on all batches of a shadow or canary, and print or write it as `scoretrail decide` does.

    Raises:
        UsageError: before the first batch.
        EvidenceError, RolloutError, SampleError: as reading and deciding say.
    """
    found = read(RolloutStore(settings.home).open(stage, name), methodology)
    if not found.monitoring.batches:
        raise UsageError(f"{stage} {name} has no batch yet; add one: scoretrail {stage} add {name} FILE")
    decision = decide_stage(found.contract, found.monitoring, found.gates, methodology)
    if junit is not None:
        write_bytes(junit, junit_xml(decision).encode())
    if markdown is not None:
        write_bytes(markdown, markdown_text(decision, found.contract).encode())
    if as_json:
        console.print_json({**as_values(decision), "exit_code": int(code_of(decision))})
    else:
        print_decision(console.stdout(), decision, found.contract)
    return code_of(decision)
