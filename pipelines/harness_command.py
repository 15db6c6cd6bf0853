"""`scoretrail harness`: who is to blame when an agent fails, from attempts and a declared panel (METHODS 11).

Belongs here: the command. What it prints is `harness_text`. Nothing is stored but what `--register` asks for.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, KnownSinceOption, UsageError
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    import polars as pl

    from warehouse.catalog_model import Catalog

FilesArgument = Annotated[
    list[Path] | None,
    typer.Argument(
        help="Attempts: CSV, JSON Lines or Parquet, one row an attempt, as `scoretrail import` writes them."
    ),
]
PanelOption = Annotated[
    Path | None, typer.Option("--panel", help="The declared panel: models, harnesses, benchmarks, tasks (YAML).")
]


def harness(
    files: FilesArgument = None,
    *,
    panel: PanelOption = None,
    maps: Annotated[list[Path] | None, typer.Option("--map", help="Status map of your own (YAML); repeatable.")] = None,
    show_map: Annotated[
        str | None, typer.Option("--show-map", help="Print a bundled status map, to copy and edit, and end.")
    ] = None,
    register: Annotated[str | None, typer.Option("--register", help="Keep it all as evidence of this name.")] = None,
    known_since: KnownSinceOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Who is to blame when an agent fails: model, harness, or how the two go together.

    Every planned attempt counts; one without a record scores 0 and is not clean. Ends with 1 where records are at fault
    (duplicates, attempts nobody planned, impossible scores, unknown statuses), with 4 where nobody can be blamed: no
    two models meet two harnesses, or too many planned attempts of a configuration have no record (`harness-planned`).
    """
    from methods.harness.study import harness_tables
    from resources.attempts.evidence import attempts_of, files_to_register
    from resources.catalog_files import load_catalog

    if show_map is not None:
        return _shown(show_map, as_json=as_json)
    if not files or panel is None:
        raise UsageError("name files of attempts, and the panel that was planned: --panel PANEL.yaml")
    settings, since = options.open_settings(home, catalog), options.first_day(known_since, register)
    evidence = attempts_of(files, panel, maps or ())
    book = load_catalog(settings.catalog_dir).catalog
    tables = harness_tables(evidence, "", book.methodology.harness, book.methodology.seed)
    kept = None
    if register is not None:
        from pipelines.register_command import register_files

        copied = files_to_register(files, panel, maps or ())
        kept = register_files(settings.home, "attempts", register, copied, since)
    missing = unrecorded(tables, recording_limit(book))
    code = exit_code(tables, missing)
    if as_json:
        said: dict[str, Any] = {name: frame.drop("study").rows(named=True) for name, frame in tables.items()}
        sha256 = kept.sha256 if kept else None
        console.print_json({**said, "unrecorded": missing, "evidence_sha256": sha256, "exit_code": int(code)})
        return code
    from pipelines.harness_text import print_report

    print_report(console.stdout(), evidence, tables, missing)
    if kept is not None:
        from pipelines.register_command import registered_line

        console.stdout().print(registered_line(kept), markup=False, soft_wrap=True)
    return code


def unrecorded(tables: dict[str, pl.DataFrame], limit: float) -> dict[str, str]:
    """Benchmarks of which too many planned attempts of a configuration have no record, and how many of how many."""
    import polars as pl

    from warehouse.harness_words import ALL

    whole = tables["out__harness_cell"].filter(pl.col("environment") == ALL)
    by_benchmark = whole.group_by("benchmark", maintain_order=True).agg(
        pl.col("planned").sum(),
        pl.col("recorded").sum(),
        is_over=(pl.col("planned") - pl.col("recorded") > limit * pl.col("planned")).any(),
    )
    return {
        row["benchmark"]: f"{row['planned'] - row['recorded']:,} of {row['planned']:,} planned attempts have no record"
        for row in by_benchmark.rows(named=True)
        if row["is_over"]
    }


def recording_limit(catalog: Catalog) -> float:
    """The share of a configuration's planned attempts that may be without a record, by `harness-planned`; 1 where the
    catalog has no such gate."""
    from checks.gate_inputs import threshold_of

    gates = (gate for gate in (*catalog.gates, *catalog.study_gates) if gate.id == "harness-planned")
    return next((threshold_of(gate) for gate in gates), 1.0)


def exit_code(tables: dict[str, pl.DataFrame], missing: Mapping[str, str]) -> ExitCode:
    """1 where records are at fault, 4 where nobody can be blamed (`missing` as `unrecorded` says), else 0."""
    from warehouse.harness_words import GATING_FAULTS

    gating = {*GATING_FAULTS, "status_unknown", "field_missing"}
    if set(tables["out__harness_fault"]["fault"]) & gating:
        return ExitCode.GATE
    is_open = bool(missing) or (tables["out__harness_panel"]["reason_code"] == "no_crossing").any()
    return ExitCode.UNDECIDED if is_open else ExitCode.OK


def _shown(name: str, *, as_json: bool) -> ExitCode:
    from resources.attempts.declarations import bundled_maps
    from resources.yaml_documents import load_yaml

    known = bundled_maps()
    if name not in known:
        near = console.suggestion(name, known)
        raise UsageError(f"no bundled status map {name}{near or '; there are ' + ', '.join(known)}")
    text = known[name].read_text(encoding="utf-8")
    if as_json:
        console.print_json({"map": name, "declares": load_yaml(text.encode(), f"{name}.yaml").data, "yaml": text})
    else:
        sys.stdout.write(text)
    return ExitCode.OK
