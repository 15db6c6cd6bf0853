"""`scoretrail plan`: how many tasks a release decision needs, what a number of them can show, and the curve between."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, UsageError
from warehouse.exit_codes import ExitCode
from warehouse.plain_text import counted

if TYPE_CHECKING:
    from methods.decision.planning import Pilot, Plan
    from warehouse.methodology import Methodology
    from warehouse.release_contract import ReleaseContract

BAR = 30


def plan(
    contract: Annotated[Path | None, typer.Argument(help="A contract, sealed or not; or the options below.")] = None,
    *,
    pilot: Annotated[
        list[Path] | None, typer.Option("--pilot", help="Samples of both systems that rates are estimated from.")
    ] = None,
    baseline_rate: Annotated[float | None, typer.Option(min=0, max=1, help="Success rate of the baseline.")] = None,
    expected: Annotated[float | None, typer.Option("--expected-pp", help="True difference planned for.")] = None,
    margin: Annotated[
        float | None, typer.Option("--margin-pp", help="What the bound must exceed: 2, or -2 for a loss that is borne.")
    ] = None,
    alpha: Annotated[float | None, typer.Option(help="One-sided level. [default: the contract's]")] = None,
    pairing: Annotated[
        float | None, typer.Option(min=-1, max=1, help="Correlation of the two systems on one task.")
    ] = None,
    trials: Annotated[int | None, typer.Option(min=1, help="Trials of each task and system.")] = None,
    repeats: Annotated[float | None, typer.Option(min=0, max=1, help="Correlation of two trials of one task.")] = None,
    cluster_size: Annotated[float | None, typer.Option(min=1, help="Tasks of a cluster.")] = None,
    cluster: Annotated[
        float | None, typer.Option("--cluster-correlation", min=0, max=1, help="Within a cluster.")
    ] = None,
    tasks: Annotated[int | None, typer.Option(min=1, help="Tasks at hand. [default: the contract's minimum]")] = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Tasks that pass with the methodology's power, the effect that a number of tasks finds, and the power curve.

    What no option says is taken from the contract and estimated from the pilot. Ends with 4 where no planned number
    of tasks suffices.
    """
    from methods.decision.planning import Assumptions
    from methods.decision.planning import plan as planned
    from resources.catalog_files import load_catalog
    from resources.contract_files import read_contract

    settings = options.open_settings(home, catalog)
    methodology = load_catalog(settings.catalog_dir, settings.sources_file).catalog.methodology
    given = None if contract is None else read_contract(contract)
    seen = None if not pilot else _pilot(given, pilot)
    rate, paired, repeated, size, within = (None, None, None, 1.0, None)
    if seen is not None:
        rate, paired, repeated, size, within = (
            seen.baseline_rate, seen.pairing, seen.repeats, seen.cluster_size, seen.cluster,
        )  # fmt: skip
    objective = None if given is None else given.objective
    if objective is not None and given is not None:
        expected = objective.expected_pp if expected is None else expected
        margin = objective.margin_pp if margin is None else margin
        alpha = objective.alpha if alpha is None else alpha
        trials = given.sampling.minimum_trials if trials is None else trials
        tasks = given.sampling.minimum_tasks if tasks is None else tasks
    assumed = Assumptions(
        baseline_rate=_first("--baseline-rate", baseline_rate, rate),
        expected_pp=_first("--expected-pp", expected),
        pairing=_first("--pairing", pairing, paired),
        trials=1 if trials is None else trials,
        repeats=repeated if repeats is None else repeats,
        cluster_size=size if cluster_size is None else cluster_size,
        cluster=_first("--cluster-correlation", cluster, within, 0.0),
    )
    rules = methodology.decision
    level = rules.risks["medium"].alpha if alpha is None else alpha
    is_binary = given is None or given.outcome.kind == "binary"
    found = planned(assumed, _first("--margin-pp", margin), level, rules, is_binary=is_binary, tasks=tasks)
    code = ExitCode.OK if found.needed is not None else ExitCode.UNDECIDED
    if as_json:
        pilot_values = None if seen is None else asdict(seen)
        console.print_json({**asdict(found), "pilot": pilot_values, "exit_code": int(code)})
    else:
        _print(found, seen, methodology)
    return code


def _first(option: str, *values: float | None) -> float:
    found = next((value for value in values if value is not None), None)
    if found is None:
        raise UsageError(f"{option}: say it, or give a contract and a --pilot that tell")
    return found


def _pilot(contract: ReleaseContract | None, places: list[Path]) -> Pilot:
    """What the samples of a pilot say; the contract says how they are read, and need not be sealed for it."""
    from methods.decision.pilot import pilot_of
    from resources.sample_evidence import read_pilot

    if contract is None:
        raise UsageError("--pilot: a contract says how its samples are read; name one")
    return pilot_of(contract, read_pilot(places, contract))


def _print(found: Plan, seen: Pilot | None, methodology: Methodology) -> None:
    out = console.stdout()
    given = found.assumptions
    rests = f"Baseline rate {given.baseline_rate:.3f}, pairing correlation {given.pairing:.3f}, "
    rests += counted(given.trials, "trial")
    if given.trials > 1 and given.repeats is not None:
        rests += f", repeat correlation {given.repeats:.3f}"
    if given.cluster_size > 1:
        rests += f", clusters of {given.cluster_size:.1f} tasks, correlated {given.cluster:.3f}"
    lines = [
        f"Margin {found.margin_pp:+g} points, expected difference {given.expected_pp:+g}, one-sided alpha "
        f"{found.alpha:g}, power {found.power:g}",
        rests,
    ]
    if seen is not None:
        lines.append(f"Estimated from a pilot of {seen.tasks:,} paired tasks; a small pilot estimates roughly")
    lines.append(
        "No planned number of tasks suffices: the margin is too near the expected difference"
        if found.needed is None
        else f"Needed: {found.needed:,} tasks"
    )
    if found.at is not None:
        power, least = found.at.power, found.at.detectable_pp
        lines.append(f"{found.at.tasks:,} tasks: power {power:.2f}; they find {least:.2f} points beyond the margin")
    for line in lines:
        console.prose(out, line)
    step = max(1, len(found.curve) // 12)
    rows = [
        (f"{point.tasks:,}", f"{point.power:.3f}", f"{point.detectable_pp:.2f}", "█" * round(BAR * point.power))
        for point in found.curve[step - 1 :: step]
    ]
    columns = [("tasks", "right"), ("power", "right"), ("detects, points", "right"), ("", "left")]
    out.print(console.table(f"Power curve (methodology {methodology.version})", columns, rows))
