"""Shadow and canary in Dagster: when a batch is laid down, it is taken in and its action written.

Belongs here: when, and the run that does it. What is done is `pipelines.rollout_reading`. The run takes the lock of
that shadow or canary alone: a stop does not wait for a night that holds the home.
"""

import hashlib
from collections.abc import Callable
from typing import Any

import dagster as dg

from resources.atomic_files import JsonFileError
from resources.evidence_store import EvidenceError
from resources.rollouts import REFUSED_RULE, Rollout, RolloutStore
from resources.settings import Settings
from warehouse.rollout_words import ROLLOUT_STAGES

JOB = "rollout"
OP = "take_in_batches"


def rollout_job(settings: Callable[[], Settings]) -> dg.JobDefinition:
    """The job that takes in what was laid down for one shadow or canary, and decides again.

    Args:
        settings: which home and catalog, asked when a run begins.
    """

    @dg.op(
        name=OP,
        config_schema={"stage": str, "name": str},
        description="Takes in the batches laid down for one shadow or canary, and writes the action they ask for.",
    )
    def take_in_batches(context: dg.OpExecutionContext) -> None:
        from pipelines.rollout_reading import take_in_incoming
        from resources.catalog_files import load_methodology

        here = settings()
        methodology = load_methodology(here.catalog_dir)
        store = RolloutStore(here.home)
        stage, name = context.op_config["stage"], context.op_config["name"]
        with store.open(stage, name).lock():
            found = take_in_incoming(store, store.open(stage, name), methodology)
        for file, why in found.refused:
            context.log.warning(f"{file} is no batch and was set aside: {why}")
        for reason in found.reasons:
            context.log.info(f"{reason.action}: {reason.rule}: {reason.detail}")
        metadata = {"action": found.action, "batches": found.monitoring.batches, "refused": len(found.refused)}
        context.add_output_metadata(metadata)

    @dg.job(name=JOB, description="Takes in what was laid down for a shadow or canary, and decides again.")
    def job() -> None:
        take_in_batches()

    return job


def rollout_sensor(job: dg.JobDefinition, settings: Callable[[], Settings]) -> dg.SensorDefinition:
    """The sensor that asks for a run where files were laid down, or batches came that nothing was decided on.

    Args:
        job: as `rollout_job` gives it.
        settings: whose home is watched, asked at every tick.
    """

    @dg.sensor(
        name="batch_of_a_shadow_or_canary",
        job=job,
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="When a batch is laid into incoming/ of a shadow or canary: it is taken in and decided on.",
    )
    def batch_of_a_shadow_or_canary(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        store = RolloutStore(settings().home)
        requests, faults = [], []
        for stage in ROLLOUT_STAGES:
            for name in store.names(stage):
                try:
                    key = _waiting(store.open(stage, name))
                except (EvidenceError, JsonFileError, OSError) as error:
                    faults.append(f"{stage} {name}: {error}")
                    continue
                if key is not None:
                    requests.append(_request(stage, name, key))
        for fault in faults:
            context.log.warning(fault)
        said = "; ".join(faults)[:2000] or "no batch is waiting"
        return dg.SensorResult(run_requests=requests, skip_reason=None if requests else dg.SkipReason(said))

    return batch_of_a_shadow_or_canary


def _request(stage: str, name: str, key: str) -> dg.RunRequest:
    config: dict[str, Any] = {"ops": {OP: {"config": {"stage": stage, "name": name}}}}
    return dg.RunRequest(
        run_key=f"{stage}/{name}:{key}", run_config=config, tags={"scoretrail/rollout": f"{stage}/{name}"}
    )


def _waiting(rollout: Rollout) -> str | None:
    """A key of what is waiting, which changes with it; None where nothing is."""
    laid_down = [f"{path.name}:{path.stat().st_size}:{path.stat().st_mtime_ns}" for path in rollout.incoming()]
    action, refused = rollout.action, [name for name, _ in rollout.refused()]
    is_open = bool(rollout.batches) and not rollout.is_decided
    # A file that was set aside holds until somebody took it away; then it is decided anew.
    is_held = action is not None and any(reason["rule"] == REFUSED_RULE for reason in action["reasons"])
    if not laid_down and not is_open and not (is_held and not refused):
        return None
    return hashlib.sha256("\n".join([rollout.head, str(is_held), *refused, *laid_down]).encode()).hexdigest()[:16]
