"""The spreadsheet of a review: pairs out, decisions back in, every line checked.

Belongs here: the columns of the sheet, and reading back what a spreadsheet program saved. What may be decided is
`methods.pairing.decisions`; where decisions are kept is `resources.decision_file`.

Out it is guarded (`resources.guarded_csv`). Back in, only five columns are read, by name: pair_id, decision, reason,
reviewer, reviewed_at; a byte order mark, other line ends, semicolons and moved columns do no harm. A line without a
decision is one that nobody has decided yet.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import polars as pl
from pydantic import ValidationError

from methods.pairing.decisions import refused_decisions
from methods.pairing.walk import SIDE_COLUMNS, PairWalk, PairWalker
from resources.catalog_problems import validation_problems
from resources.decision_file import text_fault
from resources.guarded_csv import csv_bytes, unguard
from warehouse.catalog_model import Decision
from warehouse.columns import ColumnType, column
from warehouse.identity import pair_id

READ_BACK: Final = ("pair_id", "decision", "reason", "reviewer", "reviewed_at")
_ABOUT: Final[dict[str, ColumnType]] = {
    "first_seen": "date", "benchmark": "text", "direction": "text", "rules": "text", "suggested_decision": "text",
    "suggestion_reason": "text", "decided_so_far": "text", "blocking_fields": "text", "fields_to_record": "text",
    "surface_difference_pp": "number", "supports": "text", "does_not_support": "text",
}  # fmt: skip


class ReviewSheetError(ValueError):
    """A sheet that cannot be imported: `faults` holds every line at fault, with its number."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        more = f"\nand {len(faults) - 20} more" if len(faults) > 20 else ""
        super().__init__("nothing was written:\n" + "\n".join(faults[:20]) + more)


@dataclass(frozen=True, slots=True)
class SheetRows:
    """What a sheet brings: new decisions in order, and how many lines said nothing new."""

    new: tuple[Decision, ...]
    undecided: int
    repeated: int


def sheet_types() -> dict[str, ColumnType]:
    """The columns of an exported sheet and their types, in order."""
    sides: dict[str, ColumnType] = {
        f"{side}_{name}": column("core__result", name).type for name in SIDE_COLUMNS for side in "ab"
    }
    mine: dict[str, ColumnType] = dict.fromkeys(READ_BACK, "text")
    return mine | _ABOUT | sides


def sheet_bytes(walks: Iterable[PairWalk], seen: dict[str, date]) -> bytes:
    """The pairs as a guarded CSV: both rows side by side, the decision's own columns empty."""
    types = sheet_types()
    rows = [_line(walk, seen) for walk in walks]
    frame = {name: [row.get(name) for row in rows] for name in types}
    return csv_bytes(pl.DataFrame(frame, strict=False, infer_schema_length=None), types)


def _line(walk: PairWalk, seen: dict[str, date]) -> dict[str, Any]:
    recorded = walk.alignment.to_record
    sides = {f"{side}_{name}": row[name] for side, row in (("a", walk.a), ("b", walk.b)) for name in SIDE_COLUMNS}
    return sides | {
        "pair_id": walk.pair_id,
        "first_seen": seen.get(walk.pair_id),
        "benchmark": walk.pair["benchmark"],
        "direction": walk.pair["direction"],
        "rules": ", ".join(walk.pair["rules"]),
        "suggested_decision": walk.suggestion.decision,
        "suggestion_reason": walk.suggestion.reason,
        "decided_so_far": "; ".join(f"{row['reviewer']}: {row['decision']} ({row['state']})" for row in walk.history),
        "blocking_fields": ", ".join(walk.alignment.blocking),
        "fields_to_record": "none would mend it" if recorded is None else ", ".join(recorded),
        "surface_difference_pp": None if walk.scope.difference_pp is None else float(walk.scope.difference_pp),
        "supports": walk.scope.supports,
        "does_not_support": walk.scope.does_not_support,
    }


def read_sheet(
    data: bytes,
    name: str,
    walker: PairWalker,
    standing: Sequence[Decision],
    *,
    reviewer: str | None,
    today: date,
) -> SheetRows:
    """The new decisions of a sheet.

    Args:
        data: the file's bytes.
        name: what to call it in a message.
        walker: the candidate pairs.
        standing: the decision table so far.
        reviewer: who stands for lines that name nobody.
        today: the day of lines that name none.

    Raises:
        ReviewSheetError: with every line at fault; then nothing of the sheet counts.
    """
    faults: list[str] = []
    found: list[tuple[int, Decision]] = []
    undecided = repeated = 0
    for number, cells in _lines(data, name):
        if not cells["decision"]:
            undecided += 1
            continue
        row = _decision(number, cells, name, reviewer, today, faults)
        if row is None:
            continue
        if _is_known(row, standing, dated=bool(cells["reviewed_at"])):
            repeated += 1
        else:
            found.append((number, row))
    refused = refused_decisions([row for _, row in found], standing, walker.alignments)
    faults += [f"{name}, line {found[item.index][0]}: {item.reason}" for item in refused]
    if faults:
        raise ReviewSheetError(faults)
    return SheetRows(tuple(row for _, row in found), undecided, repeated)


def checked_decision(values: dict[str, Any]) -> Decision | str:
    """A decision from its values by column, or what is wrong with them."""
    try:
        row = Decision.model_validate(values)
    except ValidationError as error:
        return "; ".join(f"{fault.path}: {fault.message}" for fault in validation_problems(error, "", 0))
    bad = [f"{field} {why}" for field in ("reason", "reviewer") if (why := text_fault(getattr(row, field)))]
    return "; ".join(bad) or row


def _decision(
    number: int, cells: dict[str, str], name: str, reviewer: str | None, today: date, faults: list[str]
) -> Decision | None:
    ids = cells["pair_id"].split("~")
    if len(ids) != 2:
        faults.append(f"{name}, line {number}: pair_id: {cells['pair_id']!r} is none")
        return None
    row = checked_decision(
        {
            "entry_id_a": ids[0],
            "entry_id_b": ids[1],
            "decision": cells["decision"],
            "reason": cells["reason"],
            "reviewer": cells["reviewer"] or reviewer or "",
            "reviewed_at": cells["reviewed_at"] or today,
        }
    )
    if isinstance(row, str):
        faults.append(f"{name}, line {number}: {row}")
        return None
    return row


def _is_known(row: Decision, standing: Sequence[Decision], *, dated: bool) -> bool:
    """Whether the line only says again what its reviewer said last."""
    pair = pair_id(row.entry_id_a, row.entry_id_b)
    own = [old for old in standing if old.reviewer == row.reviewer and pair_id(old.entry_id_a, old.entry_id_b) == pair]
    if not own:
        return False
    last = own[-1]
    same = (last.decision, last.reason) == (row.decision, row.reason)
    return same and (not dated or last.reviewed_at == row.reviewed_at)


def _lines(data: bytes, name: str) -> Iterable[tuple[int, dict[str, str]]]:
    """The lines that are not blank, each with its number and the columns read back, unguarded."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReviewSheetError([f"{name}: is not UTF-8 ({error}); save it as CSV UTF-8"]) from error
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";" if first.count(";") > first.count(",") else ",")
    header = [unguard(cell.strip()) for cell in next(reader, [])]
    missing = [wanted for wanted in READ_BACK if wanted not in header]
    if missing:
        raise ReviewSheetError([f"{name}, line 1: no column {', '.join(missing)}; export a sheet to see them all"])
    places = {wanted: header.index(wanted) for wanted in READ_BACK}
    start = reader.line_num + 1
    for cells in reader:
        number, start = start, reader.line_num + 1
        if any(cell.strip() for cell in cells):
            yield (
                number,
                {
                    wanted: unguard(cells[place].strip()) if place < len(cells) else ""
                    for wanted, place in places.items()
                },
            )
