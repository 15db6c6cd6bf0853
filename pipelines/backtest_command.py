"""`scoretrail backtest`: error and coverage of 3.0, of the linked score and of baselines on withheld results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, ReleaseOption, SourcesOption, UsageError
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    from methods.backtest.proof import Plan, Proof
    from pipelines.evidence_sources import Given
    from warehouse.methodology import Methodology


def backtest(
    *,
    split: Annotated[
        list[str] | None,
        typer.Option("--split", help="cells, model-family or family; may be repeated. [default: all three]"),
    ] = None,
    repetitions: Annotated[
        int | None, typer.Option("--repetitions", min=1, help="How often each split is drawn anew. [default: 5]")
    ] = None,
    forward: Annotated[
        bool, typer.Option("--forward", help="Also predict each next release (or day of a mirror) from the former.")
    ] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Only what a release proves of itself every night.")] = False,
    identity: Annotated[
        bool, typer.Option("--identity", help="Also how error and rated models change with the alias registry.")
    ] = False,
    mirror: Annotated[
        Path | None, typer.Option("--mirror", help="Read every source from this folder instead of from a release.")
    ] = None,
    release: ReleaseOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    sources: SourcesOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """How far off scores are on results they have not seen, and how often their intervals hold. Stores nothing.

    Results are withheld by a key, everything is fitted on the rest, and 3.0, the linked score and baselines predict
    them. Penalties and calibration are chosen on a second, inner split, never on the withheld results. Ends with 0, or
    with 4 where nothing that was withheld could be predicted.
    """
    from methods.backtest.proof import nightly_plan, prove
    from pipelines.backtest_text import print_proof, proof_json
    from pipelines.evidence_sources import check_given, of_mirror, of_release
    from pipelines.run_commands import check_mirror

    settings = options.open_settings(home, catalog, sources)
    tell = (lambda _: None) if as_json else console.progress_line
    folder = check_mirror(mirror)
    if folder is not None and release is not None:
        raise UsageError("--mirror and --release: name one of them")
    if folder is None:
        given = of_release(settings, release, forward=forward)
    else:
        given = of_mirror(settings, folder, forward=forward, tell=tell)
    check_given(given)
    if forward and not given.later:
        raise UsageError(
            f"--forward: {given.label} has no two days to compare; make some with: scoretrail backfill --from DIR"
        )
    methodology = given.catalog.methodology
    plan = nightly_plan(methodology) if quick else _plan(methodology, split, repetitions)
    proof = prove(given.evidence, given.catalog, plan, given.later, tell)
    registries = _identity(given) if identity else None
    if as_json:
        console.print_json(proof_json(given, proof, registries))
    else:
        print_proof(console.stdout(), given, proof, registries)
    return ExitCode.OK if _has_answers(proof) else ExitCode.UNDECIDED


def _plan(methodology: Methodology, splits: list[str] | None, repetitions: int | None) -> Plan:
    from methods.backtest.proof import whole_plan

    whole = whole_plan(methodology, repetitions)
    if not splits:
        return whole
    known = [name for name, _ in whole.splits]
    unknown = [name for name in splits if name not in known]
    if unknown:
        raise UsageError(f"--split {unknown[0]}: splits are {', '.join(known)}; forward in time is --forward")
    return replace(whole, splits=tuple(one for one in whole.splits if one[0] in splits))


def _has_answers(proof: Proof) -> bool:
    return proof.backtest.height > 0


def _identity(given: Given) -> list[dict[str, object]]:
    from methods.backtest.registries import registry_report

    return registry_report(given.raw_rows, given.catalog)
