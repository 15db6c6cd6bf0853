"""A shadow or canary as text: what is asked for and why, every rule, exposure, who answered, cohorts; and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from rich.console import Console

from methods.rollout.monitor import StopLook
from pipelines import console
from pipelines.rollout_reading import RolloutReading, document
from warehouse.plain_text import counted
from warehouse.rollout_words import ACTION_SAID, RolloutAction

STYLES: dict[RolloutAction, str] = {
    "continue": "bold green", "hold": "bold yellow", "stop": "bold red", "rollback": "bold red",
}  # fmt: skip
SHOWN_PAIRS = 5


def print_reading(out: Console, found: RolloutReading) -> None:
    """Prints what a shadow or canary says."""
    rollout, told = found.rollout, found.monitoring
    console.prose(
        out, f"{rollout.stage} {rollout.name}: {found.action}: {ACTION_SAID[found.action]}", STYLES[found.action]
    )
    for reason in found.reasons:
        since = "" if reason.batch is None else f", since batch {reason.batch}"
        console.prose(out, f"  {reason.action}: {reason.rule}{since}: {reason.detail}")
    for name, why in found.refused:
        console.prose(out, f"  hold: {name} could not be taken in: {why}")
    for title, proxies in (("Stop rules on outcomes", False), ("Stop rules on proxies", True)):
        looks = [look for look in told.last_stops if look.rule.is_proxy == proxies]
        if looks:
            console.prose(out, "")
            out.print(_rules(title, looks))
    _exposure(out, found)
    _answered(out, found)
    _cohorts(out, found)
    console.prose(out, "")
    batches = "1 batch" if told.batches == 1 else f"{told.batches:,} batches"
    under = f"contract {found.contract.id} {rollout.contract_sha256[:12]}"
    console.prose(out, f"{batches} of {counted(told.rows.height, 'row')} together, {under}")
    if told.repeated_units:
        console.prose(
            out,
            f"{counted(told.repeated_units, 'unit')} of the candidate came again; each counts once, as it first came.",
        )


def _rules(title: str, looks: Iterable[StopLook]) -> Any:
    rows = [
        (
            look.rule.id, f"{look.rule.column} <= {look.rule.at_most:g}", look.state.replace("_", " "),
            str(look.units), console.number(look.mean, 4), f"{look.low:.4f} to {look.high:.4f}",
            console.number(look.baseline_mean, 4),
        )
        for look in looks
    ]  # fmt: skip
    columns = [("rule", "left"), ("limit", "left"), ("state", "left"), ("units", "right"), ("mean", "right")]
    return console.table(title, [*columns, ("surely", "left"), ("baseline", "right")], rows)


def _exposure(out: Console, found: RolloutReading) -> None:
    looks = found.monitoring.exposures
    if not looks:
        return
    now = looks[-1].exposure
    share = "—" if now.observed is None else f"{100 * now.observed:.2f}%"
    assigned = "assigned at random" if found.contract.stages.canary.is_randomized else "not assigned at random"
    console.prose(out, "")
    console.prose(out, "Exposure", "bold")
    units = f"{now.candidate:,} units of the candidate, {now.baseline:,} of the baseline, {assigned}"
    console.prose(out, f"  {share}, planned {100 * now.planned:.2f}%: {units}")
    single = "—" if now.p_single is None else f"{now.p_single:.3g}"
    console.prose(out, f"  p {now.p_always:.3g} at any look; {single} by chi-squared, for a single look")


def _answered(out: Console, found: RolloutReading) -> None:
    if not found.monitoring.rows.height:
        return
    console.prose(out, "")
    console.prose(out, "Requested against returned model", "bold")
    for one in found.models:
        console.prose(out, f"  {one.system}: {one.same:,} of {one.rows:,} rows as asked, {one.other:,} by another, "
                   f"{one.unstated:,} not stated")  # fmt: skip
        for asked, got, rows in one.pairs[:SHOWN_PAIRS]:
            console.prose(out, f"    {asked} answered by {got}: {rows:,}")


def _cohorts(out: Console, found: RolloutReading) -> None:
    if found.cohorts.is_empty():
        return
    console.prose(out, "")
    rows = [
        (
            row["cohort_column"], row["cohort"], f"{row['candidate_units']:,}", f"{row['baseline_units']:,}",
            console.number(row["composition_difference_pp"], 1), console.number(row["candidate_mean"], 4),
            console.number(row["baseline_mean"], 4), _effect(row),
        )
        for row in found.cohorts.rows(named=True)
    ]  # fmt: skip
    columns = [("by", "left"), ("cohort", "left"), ("candidate", "right"), ("baseline", "right")]
    more = [("share apart, pp", "right"), ("outcome", "right"), ("of baseline", "right"), ("effect, pp", "left")]
    out.print(console.table("Cohorts, in units", [*columns, *more], rows))
    if not found.contract.stages.canary.is_randomized:
        console.prose(out, "Units were not assigned at random: an operational reading, no effect is claimed.")


def _effect(row: dict[str, Any]) -> str:
    if row["effect_pp"] is None:
        return "—"
    return f"{row['effect_pp']:+.2f}, surely {row['effect_low_pp']:+.2f} to {row['effect_high_pp']:+.2f}"


def as_json(found: RolloutReading) -> dict[str, Any]:
    """What is printed, for machines: the action's document, every look, who answered, cohorts."""
    looks = [{**asdict(look), "rule": look.rule.id, "is_proxy": look.rule.is_proxy} for look in found.monitoring.stops]
    return {
        **document(found),
        "looks": looks,
        "exposures": [
            {"batch": one.batch, **asdict(one.exposure), "in_both_groups": one.crossed}
            for one in found.monitoring.exposures
        ],
        "gates": [{"gate": gate.id, "outcome": gate.outcome, "detail": gate.detail} for gate in found.gates],
        "models": [asdict(one) for one in found.models],
        "cohorts": found.cohorts.to_dicts(),
        "repeated_units": found.monitoring.repeated_units,
    }
