"""A decision as text: the verdict, both systems, every gate with its figures, what would decide."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from methods.decision.verdict import Decision, Gate, SystemLevel
from methods.decision.words import VERDICT_WORDS, bounds_words, detects_words, figure, instability_words
from pipelines import console
from warehouse.release_contract import ReleaseContract

STYLES = {"pass": "green", "fail": "bold red", "inconclusive": "yellow"}
VERDICT_STYLES = {"block": "bold red", "insufficient_evidence": "bold yellow"}


def print_decision(out: Console, found: Decision, contract: ReleaseContract) -> None:
    """Prints the whole decision."""
    console.prose(
        out, f"{contract.title}: {VERDICT_WORDS[found.verdict]}", VERDICT_STYLES.get(found.verdict, "bold green")
    )
    kind = contract.objective.kind.replace("_", "-")
    console.prose(
        out,
        f"contract {found.contract_id} {found.contract_sha256[:12]}, {found.stage} evidence; {kind} with a margin of "
        f"{contract.objective.margin_pp:+g} points, one-sided alpha {contract.objective.alpha:g}",
        "dim",
    )
    console.prose(out, "")
    out.print(levels_table(found.levels))
    console.prose(out, "")
    out.print(gates_table(found.gates))
    console.prose(out, "")
    for gate in found.gates:
        if gate.outcome != "pass":
            console.prose(out, f"{gate.id}: {gate.detail}", STYLES[gate.outcome])
    needed = [gate.needed_tasks for gate in found.gates if gate.needed_tasks is not None]
    if found.verdict == "insufficient_evidence" and needed:
        console.prose(out, f"What would decide: {max(needed):,} tasks for the gate that needs most.", "bold")
    console.prose(out, instability_words(found.instability))
    if found.holm and len(found.holm) > 1:
        claims = ", ".join(f"{name.removeprefix('slice.')} {p:.3g}" for name, p in sorted(found.holm.items()))
        console.prose(out, f"p by Holm, for a claim about a single slice only: {claims}", "dim")


def levels_table(levels: Sequence[SystemLevel]) -> object:
    """Each system by itself; unparsed answers as failures and left out, where there are any."""
    rows = []
    for level in levels:
        if level.parse_view == "left_out" and not any(one.parse_failures for one in levels):
            continue
        share = "—" if level.share is None else f"{100 * level.share:.1f}%"
        if level.low is not None and level.high is not None:
            share += f" [{100 * level.low:.1f}, {100 * level.high:.1f}]"
        counts = (
            f"{level.tasks:,}",
            f"{level.rows:,}",
            f"{level.parse_failures:,}",
            f"{level.infrastructure_failures:,}",
        )
        view = level.parse_view.replace("_", " ")
        rows.append((level.system, level.role, view, share, *counts, f"{level.voided:,}"))
    columns = [("system", "left"), ("role", "left"), ("unparsed answers", "left"), ("level, Wilson 95%", "right")]
    columns += [(name, "right") for name in ("tasks", "rows", "unparsed", "infrastructure", "voided successes")]
    return console.table("Each system by itself", columns, rows)


def gates_table(gates: Sequence[Gate]) -> object:
    """Every gate with its figures."""
    rows = [
        (
            gate.id,
            Text(gate.outcome, STYLES[gate.outcome]),
            figure(gate.estimate, gate.unit),
            bounds_words(gate.low, gate.high, gate.unit),
            figure(gate.threshold, gate.unit),
            f"{gate.tasks:,}" if gate.tasks else "—",
            detects_words(gate.kind, gate.detectable, gate.unit),
            "—" if gate.needed_tasks is None else f"{gate.needed_tasks:,}",
        )
        for gate in gates
    ]
    columns = [("gate", "left"), ("outcome", "left"), ("estimate", "right"), ("one-sided bounds", "right")]
    columns += [("limit", "right"), ("tasks", "right"), ("detects", "right"), ("tasks to decide", "right")]
    return console.table("Gates", columns, rows)
