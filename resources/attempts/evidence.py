"""From files of attempts, a panel and its maps to the evidence that the analysis of harnesses takes (METHODS 11).

Belongs here: which file is what, counting tasks where the panel only counts them, and columns that are missing. Does
not belong here: a file's form (`record_files`, `declarations`), what a record means (`methods.harness`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from methods.harness.grid import GridBuilder, HarnessEvidence
from methods.harness.plan import PanelError, TaskKey, counted_environments, plan_of
from methods.harness.records import OPTIONAL_KEYS, Batch
from methods.statistics.fixed_point import FixedPointError
from resources.attempts.declarations import YAML_SUFFIXES, declared_schema, maps_for, read_map, read_panel
from resources.attempts.record_files import record_batches
from resources.evidence_store import FILES_MANIFEST, EvidenceError
from warehouse.harness_panel import MAP_SCHEMA, PANEL_SCHEMA, Alternatives, PanelSpec, StatusMap

LARGEST_PLAN: Final = 20_000_000
"""Planned attempts that are held at once, in about 2 GB; more belong to several studies."""
BYTES_EACH: Final = 100
"""Memory that a planned attempt takes, by measurement: what is kept of it, and what is computed at once."""
_TASK_COLUMNS: Final = ("benchmark", "environment", "task", "score_status")


def read_attempts(folder: Path) -> HarnessEvidence:
    """The attempts of a folder of registered evidence: one panel, its maps, and files of records.

    Raises:
        EvidenceError: naming file, row and field, and what to do.
    """
    files = sorted(path for path in folder.iterdir() if path.name != FILES_MANIFEST)
    declared = [path for path in files if path.suffix.lower() in YAML_SUFFIXES]
    by_schema: dict[str | None, list[Path]] = {}
    for path in declared:
        by_schema.setdefault(declared_schema(path), []).append(path)
    panels, maps = by_schema.pop(PANEL_SCHEMA, []), by_schema.pop(MAP_SCHEMA, [])
    if by_schema:
        stranger = next(iter(by_schema.values()))[0]
        raise EvidenceError(f"{stranger.name}: `schema` must be {PANEL_SCHEMA} or {MAP_SCHEMA}")
    if len(panels) != 1:
        raise EvidenceError(
            f"{len(panels)} files declare a panel (schema: {PANEL_SCHEMA}), and evidence of attempts has exactly one; "
            "register it with: scoretrail harness FILE --panel PANEL --register NAME"
        )
    own = {read_map(path).id for path in maps}
    for benchmark in read_panel(panels[0]).benchmarks:
        if benchmark.map not in own:
            raise EvidenceError(
                f"{panels[0].name}: the status map {benchmark.map} is not among the files; evidence is whole in "
                "itself: scoretrail harness FILE --panel PANEL --register NAME keeps the maps with it"
            )
    return attempts_of([path for path in files if path not in declared], panels[0], maps)


def attempts_of(files: Sequence[Path], panel: Path, maps: Iterable[Path] = ()) -> HarnessEvidence:
    """The attempts of files of records under a declared panel.

    Args:
        files: of records.
        panel: the declaration.
        maps: status maps of the user's own.

    Raises:
        EvidenceError: naming file, row and field, and what to do.
    """
    if not files:
        raise EvidenceError("no file of attempts was named")
    for path in (*files, panel):
        if not path.is_file():
            raise EvidenceError(f"{path}: no such file")
    spec = read_panel(panel)
    known = {name: read_map(path) for name, path in maps_for(spec, maps).items()}
    used = sorted({field for status_map in known.values() for field in status_map.fields} - {"score", "seconds"})
    try:
        _check_size(spec)
        plan = plan_of(spec, known, _found_tasks(files, spec))
        builder = GridBuilder(plan)
        for path in files:
            for batch in record_batches(path, used):
                _check_columns(batch, spec, known)
                builder.add(batch)
    except (PanelError, FixedPointError) as error:
        raise EvidenceError(f"{panel.name}: {error}") from error
    if not builder.rows:
        raise EvidenceError(f"{', '.join(path.name for path in files)}: no record was found")
    return builder.finish()


def files_to_register(files: Sequence[Path], panel: Path, maps: Iterable[Path] = ()) -> list[Path]:
    """Everything that evidence holds: the records, the panel and every map it names, so that it is whole in itself."""
    return [*files, panel, *maps_for(read_panel(panel), maps).values()]


def _check_size(spec: PanelSpec) -> None:
    """Refuses a panel too large to hold, before anything is made of it."""
    planned = sum(
        len(spec.configurations_of(one)) * len(one.conditions) * len(one.repetition_names)
        * sum(own.count for own in one.planned_environments)
        for one in spec.benchmarks
    )  # fmt: skip
    if planned > LARGEST_PLAN:
        raise PanelError(
            f"plans {planned:,} attempts, which would take about {planned * BYTES_EACH / 1e9:.0f} GB of memory, and "
            f"{LARGEST_PLAN:,} is the most; make several panels of it, one a benchmark, or with fewer repetitions"
        )


def _found_tasks(files: Sequence[Path], spec: PanelSpec) -> dict[TaskKey, set[str]]:
    """The tasks that records name in environments of which the panel says only how many tasks there are."""
    wanted = counted_environments(spec)
    found: dict[TaskKey, set[str]] = {key: set() for key in wanted}
    if not wanted:
        return found
    alone = {name: own[0] for name, own in _environments(spec).items() if len(own) == 1}
    only = spec.benchmarks[0].id if len(spec.benchmarks) == 1 else None
    for path in files:
        for batch in record_batches(path, (), _TASK_COLUMNS):
            for benchmark, environment, task in _distinct_tasks(batch):
                name = benchmark or only or ""
                key = (name, environment or alone.get(name, ""))
                if key in found and task is not None:
                    found[key].add(task)
    return found


def _environments(spec: PanelSpec) -> dict[str, list[str]]:
    return {one.id: [own.id for own in one.planned_environments] for one in spec.benchmarks}


def _distinct_tasks(batch: Batch) -> Iterable[tuple[str | None, str | None, str | None]]:
    columns = [batch.column(name) for name in ("benchmark", "environment", "task")]
    code = np.zeros(batch.size, dtype=np.int64)
    for column in columns:
        code = code * (len(column.values) + 1) + column.codes + 1
    _, rows = np.unique(code, return_index=True)
    for row in rows.tolist():
        benchmark, environment, task = (column.text(row) for column in columns)
        yield benchmark, environment, task


def _check_columns(batch: Batch, spec: PanelSpec, maps: Mapping[str, StatusMap]) -> None:
    """Refuses a file without a column that all its records need."""
    several = ["benchmark"] if len(spec.benchmarks) > 1 else []
    for name in ("model", "harness", "task", *several):
        if name not in batch.columns:
            raise EvidenceError(
                f"{batch.file}: has no column {name}; a record states model, harness, benchmark, task and score, and "
                f"{', '.join(OPTIONAL_KEYS)} where there are several"
            )
    named = set(batch.column("benchmark").values) or {one.id for one in spec.benchmarks}
    for benchmark in spec.benchmarks:
        if benchmark.id in named:
            status_map = maps[benchmark.map]
            for what, rules in (("normal termination", status_map.normal_termination),
                                ("a valid handoff", status_map.valid_handoff)):  # fmt: skip
                _check_rules(batch, rules, f"the map {status_map.id} of benchmark {benchmark.id} asks for {what}")


def _check_rules(batch: Batch, rules: Alternatives | None, asked: str) -> None:
    """At least one alternative must be decidable from the columns there are."""
    if rules is None:
        return
    gaps = [[name for name in one if name != "score" and name not in batch.columns] for one in rules]
    if all(gaps):
        raise EvidenceError(
            f"{batch.file}: has no column {' and '.join(sorted(gaps, key=len)[0])}, where {asked}; add it, or name "
            "another map in the panel: `stated` reads normal_termination and valid_handoff, `outcome-only` neither"
        )
