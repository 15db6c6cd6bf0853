"""Two inference stacks as text: what is equal, different, missing, what may be claimed, and how the outputs part."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from methods.manifests.comparison import FieldComparison, ManifestComparison
from methods.manifests.divergence import MarginPoint, PrecisionAudit, limits_of
from methods.manifests.sentences import REASONS, STANDINGS, audit_sentences
from methods.manifests.study import StackPair
from pipelines import console
from warehouse.methodology import Methodology
from warehouse.plain_text import counted

SHOWN_POINTS = 8
_STATE_STYLES = {"different": "bold red", "equal": "green"}


def print_pair(out: Console, pair: StackPair, methodology: Methodology) -> None:
    """Prints two runs held against each other."""
    line(out, f"{pair.a.id} and {pair.b.id}", "bold")
    print_fields(out, pair.comparison)
    line(out, STANDINGS[pair.comparison.standing], "bold")
    for said in what_next(pair.comparison):
        line(out, said)
    line(out, "")
    print_audit(out, pair, methodology)


def print_fields(out: Console, found: ManifestComparison) -> None:
    """The fields in order of comparison; equal ones beside the first are only counted."""
    shown = [one for one in found.fields if one.part == "first" or one.state != "equal"]
    rows = [
        (one.field, Text(state_words(one), _STATE_STYLES.get(one.state, "yellow")), _shown(one.a), _shown(one.b))
        for one in shown
    ]
    out.print(console.table("", [("field", "left"), ("state", "left"), ("a", "left"), ("b", "left")], rows))
    equal = len(found.fields) - len(shown)
    if equal:
        line(out, f"{counted(equal, 'more field')} stated and equal.", "dim")


def state_words(one: FieldComparison) -> str:
    """How a field stands, in words."""
    return {
        "missing_a": "not stated by a",
        "missing_b": "not stated by b",
        "missing_both": "not stated by either",
    }.get(one.state, one.state)


def what_next(found: ManifestComparison) -> list[str]:
    """What explains most for least, and what would decide."""
    said = []
    first = found.first_stated_difference
    if first is not None:
        said.append(f"Look first at {first.field}: {first.a} and {first.b}.")
    if found.missing:
        names = [one.field for one in found.missing]
        more = f" and {len(names) - 6} more" if len(names) > 6 else ""
        said.append(f"Still to state: {', '.join(names[:6])}{more}.")
    return said


def print_audit(out: Console, pair: StackPair, methodology: Methodology) -> None:
    """The precision audit in sentences, and its sweep as a table."""
    audit = pair.audit
    if audit.reason is not None:
        line(out, f"No precision audit. {REASONS[audit.reason]}")
        return
    for said in audit_sentences(audit):
        line(out, said)
    if audit.sweep:
        rows = [
            (f"{one.margin:.4g}", f"{one.flips:,} of {audit.flips:,}", f"{one.steps_share:.1%}", f"{one.agreement:.1%}")
            for one in _some(audit)
        ]
        columns = [("margin up to", "right"), ("flips", "right"), ("steps re-computed", "right")]
        out.print(console.table("", [*columns, ("agreement at most", "right")], rows))
    for said in limits(pair, methodology):
        line(out, said, "dim")


def limits(pair: StackPair, methodology: Methodology) -> list[str]:
    """What the audit does not say, given what the manifests state."""
    stated = [run.manifest.stated if run.manifest is not None else {} for run in (pair.a, pair.b)]
    batches = tuple(one.get("batch_size") for one in stated)
    dtypes = tuple(one.get(name) for one in stated for name in ("dtype", "quantization"))
    return limits_of(pair.audit, batches, dtypes, methodology.manifests.batch_limit)


def _some(audit: PrecisionAudit) -> list[MarginPoint]:
    points = list(audit.sweep)
    if len(points) <= SHOWN_POINTS:
        return points
    step = (len(points) - 1) / (SHOWN_POINTS - 1)
    return [points[round(step * place)] for place in range(SHOWN_POINTS)]


def _shown(value: str | None) -> str:
    return "—" if value is None else value


def line(out: Console, text: str, style: str = "") -> None:
    """One line of text, shown literally."""
    console.prose(out, text, style)
