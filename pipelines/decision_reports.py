"""A decision for machines and pull requests: values for JSON, JUnit XML, Markdown.

Belongs here: the three forms. In JUnit a gate that said no is a failure and one that cannot tell an error, so that no
build is green on missing evidence; the figures stand in the case's output.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from xml.etree import ElementTree

from methods.decision.verdict import Decision, Gate
from methods.decision.words import VERDICT_WORDS, bounds_words, detects_words, figure, instability_words
from warehouse.plain_text import one_line, visible
from warehouse.release_contract import ReleaseContract

SIGNS = {"pass": "✅", "fail": "❌", "inconclusive": "❔"}


def as_values(found: Decision) -> dict[str, Any]:
    """The decision as JSON values; `detects` says the detectable effect with its unit."""
    values = asdict(found)
    for gate, shown in zip(found.gates, values["gates"], strict=True):
        shown["detects"] = detects_words(gate.kind, gate.detectable, gate.unit)
    return values


def junit_xml(found: Decision) -> str:
    """JUnit XML, one test case a gate."""
    failed = [gate for gate in found.gates if gate.outcome == "fail"]
    unclear = [gate for gate in found.gates if gate.outcome == "inconclusive"]
    counts = {"tests": len(found.gates), "failures": len(failed), "errors": len(unclear)}
    suite = ElementTree.Element(
        "testsuite", {"name": f"release decision {found.contract_id}", **{k: str(v) for k, v in counts.items()}}
    )
    listed = ElementTree.SubElement(suite, "properties")
    for name in ("verdict", "stage", "contract_sha256"):
        ElementTree.SubElement(listed, "property", {"name": name, "value": str(getattr(found, name))})
    for gate in found.gates:
        case = ElementTree.SubElement(suite, "testcase", {"classname": f"release.{gate.kind}", "name": gate.id})
        if gate.outcome != "pass":
            tag = "failure" if gate.outcome == "fail" else "error"
            wrong = ElementTree.SubElement(case, tag, {"message": _xml(gate.detail), "type": gate.outcome})
            wrong.text = _xml(_figures(gate))
        ElementTree.SubElement(case, "system-out").text = _xml(f"{gate.detail}\n{_figures(gate)}")
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def markdown_text(found: Decision, contract: ReleaseContract) -> str:
    """Markdown for a pull request: the verdict, what is not passed, every gate in a table."""
    objective = contract.objective
    lines = [
        f"## {_cell(contract.title)}: {VERDICT_WORDS[found.verdict]}",
        "",
        f"Contract `{found.contract_id}` `{found.contract_sha256[:12]}` · {found.stage} evidence · "
        f"{objective.kind.replace('_', '-')}, margin {objective.margin_pp:+g} points, alpha {objective.alpha:g}",
        "",
    ]
    open_ = [gate for gate in found.gates if gate.outcome != "pass"]
    lines += [f"- {SIGNS[gate.outcome]} **{_cell(gate.id)}**: {_cell(gate.detail)}" for gate in open_]
    lines += [""] if open_ else []
    lines += [
        "| gate | outcome | estimate | bounds | limit | tasks | detects | tasks to decide |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [_row(gate) for gate in found.gates]
    return "\n".join([*lines, "", instability_words(found.instability), ""])


def _row(gate: Gate) -> str:
    cells = (
        gate.id, f"{SIGNS[gate.outcome]} {gate.outcome}", figure(gate.estimate, gate.unit),
        bounds_words(gate.low, gate.high, gate.unit), figure(gate.threshold, gate.unit), figure(gate.tasks or None),
        detects_words(gate.kind, gate.detectable, gate.unit), figure(gate.needed_tasks),
    )  # fmt: skip
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _figures(gate: Gate) -> str:
    parts = {
        "estimate": figure(gate.estimate, gate.unit), "bounds": bounds_words(gate.low, gate.high, gate.unit),
        "limit": figure(gate.threshold, gate.unit), "tasks": str(gate.tasks),
        "detects": detects_words(gate.kind, gate.detectable, gate.unit),
        "tasks to decide": figure(gate.needed_tasks), "method": gate.method or "—",
    }  # fmt: skip
    return "; ".join(f"{name} {value}" for name, value in parts.items())


def _xml(text: str) -> str:
    """Text without the control characters that XML cannot hold."""
    return "\n".join(visible(line) for line in text.split("\n"))


def _cell(text: str) -> str:
    """Text that is nothing but text in Markdown: no table cell ends, no markup, no link begins."""
    shown = one_line(text).replace("\\", "\\\\")
    for sign in "|`*_[]<>#@":
        shown = shown.replace(sign, f"\\{sign}")
    return shown
