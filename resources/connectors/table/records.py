"""Rows of a file into records of the native format, by the source's mapping.

Belongs here: assembling a record, changed columns, rows left out by rule. Every row ends as a record or as a problem.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from resources.connectors.errors import ConnectorError
from resources.connectors.table.contacts import without_contacts
from resources.connectors.table.fields import ABSENT, Cell, Joined, applied, at_path, compiled, found, look_up
from resources.connectors.table.options import TableOptions, type_of
from resources.connectors.table.rows import ASIDE, RAW_LENGTH, SourceRow
from resources.connectors.table.rules import FieldRule, SkipRule
from resources.connectors.table.scalars import ScalarError, Type, token
from resources.connectors.table.source_rows import FileRows
from resources.connectors.table.targets import PROTOCOL_FIELDS, RESULT_FIELDS
from warehouse.received import LEFT_OUT, ReceivedRow

_SHOWN: Final = 12
_PROSE: Final = frozenset({"notes", "setting"})


class Mapping:
    """A source's mapping, ready to apply."""

    def __init__(self, options: TableOptions, joins: Joined) -> None:
        self.options = options
        self.joins = joins
        groups = (("", options.fields), ("protocol", options.protocol), ("extra", options.extra))
        parts = [
            _Part(group, name, rule, _kind_of(group, name, rule))
            for group, rules in groups
            for name, rule in rules.items()
        ]
        # What is fixed for all rows is made once; what says the same in every column of a wide table, once a row.
        fixed = [part for part in parts if part.rule.origin == "const" and not part.rule.alternatives]
        self.of_all = _Made()
        self.of_all.add(fixed, Cell(SourceRow("", None), ""))
        self.of_row = [part for part in parts if part not in fixed and not _looks_at_column(part.rule)]
        self.of_column = [part for part in parts if _looks_at_column(part.rule)]

    def rows(self, row: SourceRow, file: str, prefix: str) -> Iterator[ReceivedRow]:
        """The results of one row: one, or one a column; a row that cannot be read, or is left out, as its problem.

        Args:
            prefix: what stands before the locator where a snapshot has several files.
        """
        locator = prefix + row.locator
        if row.problem is not None:
            yield ReceivedRow(locator, None, row.problem, row.raw)
            return
        reason = self._left_out(row)
        if reason is not None:
            yield ReceivedRow(locator, None, f"{LEFT_OUT}{reason}", _shown(row.value))
            return
        shared = self.of_all.copy()
        shared.add(self.of_row, Cell(row, file, joins=self.joins))
        if self.options.each is None:
            yield shared.row(locator, {})
            return
        for name, column, fixed in self.options.each.read:
            # A key that is not there was not measured: there is no cell, hence no row. A null or '' is a cell.
            if look_up(row.value, column) is not ABSENT:
                made = shared.copy()
                made.add(self.of_column, Cell(row, file, column, name, self.joins))
                yield made.row(f"{locator}, {name}", fixed)

    def _left_out(self, row: SourceRow) -> str | None:
        for rule in self.options.skip:
            value = at_path(row, rule.at) if rule.at is not None else look_up(row.value, str(rule.field))
            if _holds(rule, value):
                return rule.reason
        return None


class _Part(NamedTuple):
    """One rule of a mapping: where it goes, and the type it converts to."""

    group: str
    name: str
    rule: FieldRule
    kind: Type


@dataclass(slots=True)
class _Made:
    """A result in the making: what its rules have given so far, and the first fault."""

    record: dict[str, Any] = field(default_factory=dict)
    protocol: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    problem: str | None = None
    raw: str | None = None

    def copy(self) -> _Made:
        """Another that begins with the same; what stands inside is shared and never changed."""
        return _Made(dict(self.record), dict(self.protocol), dict(self.extra), self.problem, self.raw)

    def add(self, parts: Sequence[_Part], cell: Cell) -> None:
        """What these rules find in a cell."""
        for part in parts:
            is_value = part.group == "" and part.name == "value"
            value, used, result, fault = _read(part, cell)
            if is_value:
                self.raw = None if value is ABSENT or value is None else token(value)[:RAW_LENGTH]
            if fault is not None and used.on_error == "row":
                self.problem = self.problem or f"{_target(part.group, part.name)}: {fault}"
            elif result is not None or is_value:
                is_prose = part.group == "extra" or part.name in _PROSE
                self._home(part.group)[part.name] = without_contacts(result) if is_prose else result

    def row(self, locator: str, fixed: dict[str, Any]) -> ReceivedRow:
        """The received row, with the values that are fixed for its column."""
        record = self.record | fixed
        protocol = self.protocol | {"extra": self.extra} if self.extra else self.protocol
        if protocol:
            record["protocol"] = protocol
        return ReceivedRow(locator, record, self.problem, self.raw)

    def _home(self, group: str) -> dict[str, Any]:
        return {"": self.record, "protocol": self.protocol, "extra": self.extra}[group]


def _read(part: _Part, cell: Cell) -> tuple[Any, FieldRule, Any, str | None]:
    """The value as received, the rule that found it, what became of it, and its fault."""
    try:
        value, used = found(part.rule, cell)
    except ScalarError as error:
        return None, part.rule, None, str(error)
    kind = part.kind if used is part.rule else _kind_of(part.group, part.name, used)
    result, fault = (_value if part.group == "" and part.name == "value" else _other)(used, value, kind)
    return value, used, result, fault


def _looks_at_column(rule: FieldRule) -> bool:
    return any(one.each is not None or (one.by is not None and _looks_at_column(one.by)) for one in rule.chain)


def _kind_of(group: str, name: str, rule: FieldRule) -> Type:
    """The type a rule converts to."""
    if group == "extra":
        return rule.type or "as_received"
    return type_of((PROTOCOL_FIELDS if group else RESULT_FIELDS)[name], rule)


def _value(rule: FieldRule, value: Any, kind: Type) -> tuple[Any, str | None]:
    """The value, or the token as received where it is no number: judging it is not a connector's."""
    if value is ABSENT:
        return None, None if rule.optional else f"the row has no {_origin(rule)}"
    try:
        return applied(rule, value, kind), None
    except ScalarError:
        return value if isinstance(value, str | bool | dict | list) else token(value), None


def _other(rule: FieldRule, value: Any, kind: Type) -> tuple[Any, str | None]:
    if value is ABSENT:
        return None, None if rule.optional else f"the row has no {_origin(rule)}"
    if value == "" and not rule.map:
        # An empty cell of a table states nothing; for a name that must be there, the record's own check says so.
        return None, None
    try:
        return applied(rule, value, kind), None
    except ScalarError as error:
        return None, str(error)


def check_columns(found_rows: FileRows, options: TableOptions, file: str) -> None:
    """Compares the columns that came with those the mapping knows (A16): a renamed one must not pass as missing values.

    Raises:
        ConnectorError: naming the columns that are gone and, where `columns` are listed, those that are new.
    """
    tables: list[Any] = [row.value for row in found_rows.rows if row.problem is None and isinstance(row.value, dict)]
    if found_rows.columns is not None:
        tables = [dict.fromkeys(found_rows.columns)]
    if not tables:
        return
    seen: dict[str, None] = {}
    for table in tables:
        seen |= dict.fromkeys(table)
    gone = [name for name in options.columns if name not in seen]
    rules = [rule for group in (options.fields, options.protocol, options.extra) for rule in group.values()]
    wanted = [
        (rule.field.partition(ASIDE)[0] if found_rows.columns is not None else rule.field, *rule.aliases)
        for rule in rules
        if rule.field is not None and not rule.optional and not any(other.optional for other in rule.alternatives)
    ]
    wanted += [(column,) for _, column, _ in options.each.read] if options.each else []
    gone += [
        names[0]
        for names in wanted
        if not any(look_up(table, name) is not ABSENT for name in names for table in tables)
    ]
    gone = list(dict.fromkeys(gone))
    new = [name for name in seen if options.columns and options.new_columns == "error" and name not in options.columns]
    if gone or new:
        parts = [
            f"{label}: {', '.join(map(repr, names[:_SHOWN]))}"
            for label, names in (("missing", gone), ("new", new))
            if names
        ]
        raise ConnectorError(file, f"the columns changed; {'; '.join(parts)}", field=(gone or new)[0])
    listed = [name for name in found_rows.columns or () if name in options.columns]
    moved = next((pair for pair in zip(listed, options.columns, strict=False) if pair[0] != pair[1]), None)
    if moved is not None:
        # Cells are read by name; but where a table was rearranged, a header and its cells may have come apart.
        raise ConnectorError(
            file, f"the columns stand in another order: {moved[0]!r} where {moved[1]!r} was", field=moved[0]
        )


def _holds(rule: SkipRule, value: Any) -> bool:
    if rule.is_missing:
        return value is ABSENT or value is None or value == ""
    if value is ABSENT:
        return False
    if rule.matches is not None:
        return value is not None and compiled(rule.matches).search(token(value)) is not None
    return token(value) == token(rule.equals)


def _target(group: str, name: str) -> str:
    return {"": name, "protocol": f"protocol.{name}", "extra": f"protocol.extra.{name}"}[group]


def _origin(rule: FieldRule) -> str:
    name = rule.field if rule.field is not None else rule.parent if rule.parent is not None else rule.each
    return f"{rule.origin} {name!r}"


def _shown(value: Any) -> str:
    text: str = without_contacts(str(value))
    return text[:RAW_LENGTH]
