"""Jobs of Harbor and of Terminal-Bench before it: one row a trial.

Belongs here: `result.json` of a trial (Harbor) and `results.json` of a trial (Terminal-Bench), and what their job says
of model, agent and plan. Their exceptions and failure modes are kept word for word as the status; which of them are the
machinery's is listed here, and what is in neither list is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from resources.logs import values
from resources.logs.documents import LogFileError, document, log_files
from resources.logs.options import Findings, LogOptions
from resources.logs.rows import InfrastructureStatus, LogRow

COMPLETED: Final = "completed"
REWARD: Final = "reward"
_OF_THE_SYSTEM: Final = frozenset({
    "AgentTimeoutError", "NonZeroAgentExitCodeError", "agent_timeout", "context_length_exceeded",
    "output_length_exceeded", "fatal_llm_parse_error",
})  # fmt: skip
_OF_THE_MACHINERY: Final = frozenset({
    "AgentSetupTimeoutError", "EnvironmentStartTimeoutError", "EnvironmentBuildTimeoutError", "VerifierTimeoutError",
    "RewardFileNotFoundError", "RewardFileEmptyError", "AddTestsDirError", "VerifierOutputParseError",
    "DownloadVerifierDirError", "HealthcheckError", "CancelledError", "KeyboardInterrupt",
    "agent_installation_failed", "parse_error",
})  # fmt: skip
_FINE_MODES: Final = frozenset({"unset", "none"})


def read_harbor(root: Path, options: LogOptions, found: Findings) -> Iterator[LogRow]:
    """The trials of a job, or of every job below a folder. `scores` name a reward where a verifier gives several.

    A trial's number is its place among the trials of its system and task, by when it started, then by name.

    Raises:
        LogFileError: where no trial is there, or which reward is meant is not clear.
    """
    trials: list[tuple[LogRow, str]] = []
    documents = log_files(root, "result.json", "results.json", "run_metadata.json")
    read: list[tuple[str, Any]] = []
    for name, path in documents:
        try:
            read.append((name, document(path, name)))
        except LogFileError as error:
            found.problems.append(str(error))
    runs = {_folder(name): data for name, data in read if PurePosixPath(name).name == "run_metadata.json"}
    for name, data in read:
        if values.part(data, "task_name") is not None or values.part(data, "step_results") is not None:
            trials.append(_harbor(name, data, options))
        elif values.part(data, "task_id") is not None and "is_resolved" in data:
            trials.append(_terminal_bench(name, data, _nearest(runs, name)))
    _check_plans(read, trials, found)
    if not trials:
        raise LogFileError(str(root), "holds no trial of Harbor (result.json) or Terminal-Bench (results.json)")
    met: dict[tuple[object, ...], int] = {}
    for row, _ in sorted(trials, key=lambda one: (one[0].started_at or "", one[1], one[0].file)):
        key = (row.model, row.harness, row.benchmark, row.task)
        met[key] = met.get(key, 0) + 1
        yield replace(row, trial=met[key])


def _folder(name: str) -> str:
    return PurePosixPath(name).parent.as_posix()


def _nearest(runs: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The metadata of the run that a file lies below."""
    for folder in PurePosixPath(name).parents:
        if folder.as_posix() in runs:
            return values.mapping(runs[folder.as_posix()])
    return {}


def _check_plans(read: list[tuple[str, Any]], trials: list[tuple[LogRow, str]], found: Findings) -> None:
    """A job that planned more trials than it left behind says so: the missing ones cannot be named from its files."""
    for name, data in read:
        planned = values.count(values.part(data, "n_total_trials"))
        if planned is None:
            continue
        folder = _folder(name)
        below = sum(folder == "." or row.file.startswith(folder + "/") for row, _ in trials)
        if below < planned:
            found.problems.append(f"{name}: {planned} trials planned, {below} found; the others have no result.json")


def _harbor(name: str, data: Mapping[str, Any], options: LogOptions) -> tuple[LogRow, str]:
    agent, result = values.mapping(data.get("agent_info")), values.mapping(data.get("agent_result"))
    configured = values.mapping(values.part(data, "config", "agent"))
    exception = values.mapping(data.get("exception_info"))
    row = LogRow(name, "trial", values.text(data.get("task_name")) or "task", values.text(data.get("source")))
    row.model = _model(agent, configured)
    row.harness = values.text(agent.get("name")) or values.text(configured.get("name"))
    version = values.text(agent.get("version"))
    if row.harness is not None and version not in (None, "unknown"):
        row.harness = f"{row.harness} {version}"
    _score(row, data, options)
    kind = values.text(exception.get("exception_type")) or values.text(exception.get("type"))
    if kind is None and exception:
        kind = "exception"
    row.status = kind or COMPLETED
    row.error = values.text(exception.get("exception_message")) or kind
    row.is_normal_termination = kind is None
    row.infrastructure_status = _infrastructure(kind)
    if row.score is None:
        row.score_status = "errored" if kind else "undefined"
    row.input_tokens = values.tokens(result.get("n_input_tokens"))
    row.output_tokens = values.tokens(result.get("n_output_tokens"))
    if row.input_tokens is not None and row.output_tokens is not None:
        row.total_tokens = row.input_tokens + row.output_tokens
    row.cost_usd, row.cost_status = values.cost(result.get("cost_usd"))
    row.steps = values.count(values.part(result, "metadata", "n_episodes"))
    _times(row, data, "agent_execution", "started_at", "finished_at")
    row.trajectory = values.text(data.get("trial_uri"))
    row.sample_hash = values.text(data.get("task_checksum"))
    return row, values.text(data.get("trial_name")) or name


def _model(agent: Mapping[str, Any], configured: Mapping[str, Any]) -> str | None:
    info = values.mapping(agent.get("model_info"))
    named = "/".join(one for key in ("provider", "name") if (one := values.text(info.get(key))) is not None)
    return named or values.text(configured.get("model_name"))


def _score(row: LogRow, data: Mapping[str, Any], options: LogOptions) -> None:
    rewards = values.mapping(values.part(data, "verifier_result", "rewards"))
    old = values.part(data, "verifier_result", REWARD)
    if not rewards and old is not None:
        rewards = {REWARD: old}
    row.is_valid_handoff = bool(rewards)
    if not rewards:
        return
    own = REWARD if REWARD in rewards else next(iter(rewards)) if len(rewards) == 1 else None
    name = next((one for one in options.scores if one in rewards), None) if options.scores else own
    if name is None:
        raise LogFileError(row.file, f"{options.asked}; name one with --score: {', '.join(sorted(rewards))}")
    value = rewards[name]
    row.scorer, row.raw_score, row.score = name, values.raw(value), values.number(value)
    row.score_status = "undefined" if row.score is None else "scored"


def _infrastructure(kind: str | None) -> InfrastructureStatus:
    if kind is None or kind in _OF_THE_SYSTEM:
        return "ok"
    return "failed" if kind in _OF_THE_MACHINERY else "not_tracked"


def _times(row: LogRow, data: Mapping[str, Any], phase: str, start: str, end: str) -> None:
    """Seconds of the agent's own work where they are stated, else of the whole trial."""
    timing = values.mapping(data.get(phase))
    row.started_at, row.finished_at = values.text(data.get(start)), values.text(data.get(end))
    own = values.seconds_between(timing.get("started_at"), timing.get("finished_at"))
    row.seconds = values.seconds_between(row.started_at, row.finished_at) if own is None else own


def _terminal_bench(name: str, data: Mapping[str, Any], run: Mapping[str, Any]) -> tuple[LogRow, str]:
    mode = values.text(data.get("failure_mode")) or "unset"
    is_fine = mode in _FINE_MODES
    resolved = data.get("is_resolved")
    dataset, version = values.text(run.get("dataset_name")), values.text(run.get("dataset_version"))
    row = LogRow(
        name, "trial", values.text(data.get("task_id")) or "task",
        f"{dataset} {version}" if dataset and version else dataset,
        model=values.text(run.get("model_name")), harness=values.text(run.get("agent_name")),
        scorer="is_resolved", raw_score=values.raw(resolved), status=COMPLETED if is_fine else mode,
        score=float(resolved) if isinstance(resolved, bool) else None,
        score_status="scored" if isinstance(resolved, bool) else "undefined" if is_fine else "errored",
        is_normal_termination=is_fine, is_valid_handoff=isinstance(resolved, bool),
        infrastructure_status=_infrastructure(None if is_fine else mode), error=None if is_fine else mode,
        input_tokens=values.tokens(data.get("total_input_tokens")),
        output_tokens=values.tokens(data.get("total_output_tokens")),
        trajectory=values.text(data.get("recording_path")), steps=values.count(data.get("n_commands")),
    )  # fmt: skip
    if row.input_tokens is not None and row.output_tokens is not None:
        row.total_tokens = row.input_tokens + row.output_tokens
    _times(row, data, "", "trial_started_at", "trial_ended_at")
    own = values.seconds_between(data.get("agent_started_at"), data.get("agent_ended_at"))
    row.seconds = row.seconds if own is None else own
    return row, values.text(data.get("trial_name")) or name
