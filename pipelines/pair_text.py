"""A pair as text: what it is, its two rows, its fields, the decisions about it, what it supports, what to record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from methods.pairing.unlocking import Unlocking
from methods.pairing.walk import PairWalk
from pipelines import console
from warehouse.plain_text import one_line

SHOWN_SETS = 10


def print_walk(out: Console, label: str, walk: PairWalk) -> None:
    """Prints the walk for a pair."""
    _line(out, f"{walk.pair['benchmark']}: {walk.a['model']} and {walk.b['model']}", "bold")
    _line(out, f"pair {walk.pair_id} of {label}, {walk.pair['direction'].replace('_', ' ')}")
    _line(out, f"brought up by: {', '.join(walk.pair['rules'])}")
    for name, row in (("a", walk.a), ("b", walk.b)):
        _side(out, name, row)
    _line(out, "")
    _line(out, "Alignment, field by field:", "bold")
    rows = [(s.field, s.status.replace("_", " "), _shown(s.a), _shown(s.b)) for s in walk.alignment.fields]
    out.print(console.table("", [("field", "left"), ("state", "left"), ("a", "left"), ("b", "left")], rows))
    _line(out, "")
    _prose(out, f"This comparison supports {walk.scope.supports}; {walk.scope.does_not_support}.", "bold")
    needed = walk.alignment.to_record
    if needed is None:
        _prose(out, f"No recording makes it alignable: {', '.join(walk.alignment.having('differs'))} differ as stated.")
    elif needed:
        _prose(out, f"Smallest set to record on both sides, for it to be alignable if equal: {', '.join(needed)}.")
    else:
        _line(out, "Nothing is missing: every asked-for field is stated and equal.")
    _line(out, "")
    if not walk.history:
        _line(out, "Nobody has decided it.")
    for row in walk.history:
        _prose(out, f"{row['reviewed_at']} {row['reviewer']}: {row['decision']} ({row['state']}): {row['reason']}")
    _prose(out, f"Suggested by the rows alone, nobody's decision: {walk.suggestion.decision}: {walk.suggestion.reason}")


def print_unlocking(out: Console, label: str, found: Unlocking) -> None:
    """Prints what recording would bring, over all pairs."""
    _line(out, f"{found.pairs} candidate pairs of {label}", "bold")
    _line(out, f"{found.alignable} can be aligned as they are; {found.contradicted} state something differently.")
    rows = [(f.field, f"{f.alone:,}", f"{f.unstated:,}", f"{f.differs:,}") for f in found.fields]
    columns = [("field", "left"), ("unlocks alone", "right"), ("not stated on both sides", "right")]
    out.print(console.table("What each field stands against", [*columns, ("stated differently", "right")], rows))
    sets = [(f"{one.usable:,}", ", ".join(one.fields)) for one in found.sets[:SHOWN_SETS]]
    heads = [("pairs", "right"), ("recorded on both sides, and equal", "left")]
    _line(out, "")
    out.print(console.table("What recording would make how many pairs usable", heads, sets))
    if len(found.sets) > SHOWN_SETS:
        _line(out, f"and {len(found.sets) - SHOWN_SETS} more sets: --json lists them all")


def _side(out: Console, name: str, row: Mapping[str, Any]) -> None:
    value = "no value" if row["value"] is None else f"{row['value']:g} {row['unit']}"
    setting = f", {row['setting']}" if row["setting"] else ""
    _line(out, "")
    _line(out, f"{name}: {row['model']}: {value} ({row['source_type']} on {row['leaderboard']}{setting})", "bold")
    for key in ("model_id", "model_url", "source_url", "notes"):
        if row[key]:
            _line(out, f"   {key}: {row[key]}", "dim")
    _line(out, f"   snapshot {row['snapshot_sha256']} row {row['row_locator']}, entry {row['entry_id']}", "dim")


def _shown(value: str | None) -> str:
    return "—" if value is None else value


def _prose(out: Console, text: str, style: str = "") -> None:
    """A sentence, folded between words at the width of the console; the whole of it is in --json."""
    out.print(Text(one_line(text), style=style))


def _line(out: Console, text: str, style: str = "") -> None:
    out.print(Text(one_line(text), style=style), soft_wrap=True)
