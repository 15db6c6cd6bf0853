"""The mapping language of the `table` connector, as typed values: upstream field → our field.

A source's `options` say how its file is read (`format`, `rows`, `columns`) and where each value goes (`fields`,
`protocol`, `extra`: our field on the left, where it comes from on the right). A source of several kinds of files has
`parts`, each a mapping for its own `files`; what they share stands in `common`.
Belongs here: what may be written as a whole. Single rules are `rules`; what a mapping does to a row is `records`.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from resources.connectors.table.rules import AnyField, EachRule, FieldRule, Rule, SkipRule, TablePlace
from resources.connectors.table.scalars import Type
from resources.connectors.table.targets import PROTOCOL_FIELDS, REQUIRED, RESULT_FIELDS, Holds
from resources.connectors.table.tree_paths import TreePathError, parse_path
from resources.text_documents import Encoding

Format = Literal["json", "jsonl", "yaml", "csv", "tsv", "parquet", "markdown", "html", "xlsx"]
GRIDS: Final = frozenset({"csv", "tsv", "parquet", "markdown", "html", "xlsx"})
TREES: Final = frozenset({"json", "jsonl", "yaml"})
PAGES: Final = frozenset({"markdown", "html"})
_MERGED: Final = ("fields", "protocol", "extra", "joins")

_ALLOWED: Final[dict[Holds, frozenset[str]]] = {
    "text": frozenset({"text"}),
    "number": frozenset({"number", "percent_text", "ratio_text"}),
    "integer": frozenset({"integer"}),
    "moment": frozenset({"date"}),
    "value": frozenset({"number", "percent_text", "ratio_text", "money_text"}),
}
_DEFAULT: Final[dict[Holds, Type]] = {
    "text": "text",
    "number": "number",
    "integer": "integer",
    "moment": "date",
    "value": "number",
}


class Layout(Rule):
    """How files are read into rows, before any mapping."""

    format: Format
    encoding: Encoding = "utf-8"
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    rows: str | None = Field(default=None, description="path to the rows of a tree")
    header_row: int = Field(default=1, ge=1, description="which line of a table holds the columns' names")
    cells: Literal["text", "html"] = Field(default="text", description="what the cells of a csv or tsv are written in")
    table: TablePlace = Field(default=TablePlace(), description="which table of a page")
    sheet: str | None = Field(default=None, description="which sheet of a workbook; the first where None")
    assigned_to: str | None = Field(default=None, description="the JSON is assigned to this name, as in JavaScript")
    max_rows: int = Field(default=1_000_000, ge=1)

    @field_validator("rows")
    @classmethod
    def _readable(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                parse_path(value)
            except TreePathError as error:
                raise ValueError(str(error)) from error
        return value

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.rows is not None and self.format in GRIDS:
            raise ValueError(f"`rows` is a path in a tree; {self.format} is a table")
        for name, formats in (
            ("delimiter", {"csv", "tsv"}),
            ("header_row", {"csv", "tsv", "xlsx"}),
            ("cells", {"csv", "tsv"}),
            ("table", PAGES),
            ("sheet", {"xlsx"}),
            ("assigned_to", {"json"}),
        ):
            if getattr(self, name) != type(self).model_fields[name].default and self.format not in formats:
                raise ValueError(f"`{name}` is for {' and '.join(sorted(formats))}")
        return self

    @property
    def rows_path(self) -> str:
        """The path to the rows: as given, else each item of the document, or for JSON lines each line."""
        return self.rows if self.rows is not None else "" if self.format == "jsonl" else "[*]"


class JoinRule(Rule):
    """Rows of other files of the snapshot, or values written here, that a rule may look into by a key."""

    files: str | None = None
    format: Format | None = None
    rows: str | None = None
    key: AnyField | None = None
    repeated: Literal["error", "agreed"] = Field(
        default="error", description="a key that several rows have: an error, or known is what all of them agree on"
    )
    values: dict[str, dict[str, str | int | float | bool | None]] | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.values is None) == (self.files is None):
            raise ValueError("a join gives either `files`, with their `format` and `key`, or `values`")
        if self.files is not None:
            if self.format is None or self.key is None:
                raise ValueError("`files` of a join need their `format` and `key`")
            _ = self.layout
        return self

    @property
    def layout(self) -> Layout:
        """How its files are read."""
        assert self.format is not None
        return Layout(format=self.format, rows=self.rows)


class TableOptions(Layout):
    """One mapping: all options of a `table` source of one kind of file, or one of its parts."""

    name: str | None = Field(default=None, description="of a part, where two read one file: stands in the locators")
    files: tuple[str, ...] = Field(default=("**",), description="globs of the files it reads")
    columns: tuple[str, ...] = Field(default=(), description="all columns or keys that upstream is known to have")
    new_columns: Literal["error", "ignore"] = "error"
    is_sparse: bool = Field(default=False, description="a null in the place of a row is no row: most of a matrix")
    each: EachRule | None = None
    skip: tuple[SkipRule, ...] = ()
    joins: dict[str, JoinRule] = Field(default_factory=dict)
    fields: dict[str, AnyField]
    protocol: dict[str, AnyField] = Field(default_factory=dict)
    extra: dict[str, AnyField] = Field(default_factory=dict)

    @field_validator("files", mode="before")
    @classmethod
    def _one_glob(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @field_validator("extra", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            return {name: {"field": name, "optional": True} for name in value}
        return value

    @field_validator("fields", "protocol")
    @classmethod
    def _known_targets(cls, value: dict[str, FieldRule], info: ValidationInfo) -> dict[str, FieldRule]:
        targets = RESULT_FIELDS if info.field_name == "fields" else PROTOCOL_FIELDS
        for name, rule in value.items():
            if name not in targets:
                raise ValueError(f"{name} is none of ours: {', '.join(targets)}")
            for one in rule.chain:
                _check_type(name, targets[name], one)
        return value

    @model_validator(mode="after")
    def _complete(self) -> Self:
        fixed = [set(cells) for cells in self.each.columns.values()] if self.each else [set()]
        for target in REQUIRED:
            if target not in self.fields and not all(target in cells for cells in fixed):
                raise ValueError(f"fields.{target} must be given")
        if self.format in GRIDS and any(rule.at is not None for rule in self.skip):
            raise ValueError(f"skip: a {self.format} row has no document")
        for group in (self.fields, self.protocol, self.extra):
            for name, rule in group.items():
                for one in rule.chain:
                    self._check_origin(name, one)
        return self

    def _check_origin(self, name: str, rule: FieldRule) -> None:
        if rule.origin == "each" and self.each is None:
            raise ValueError(f"{name}: `each` needs the columns to be named in `each`")
        if rule.origin in {"parent", "key", "at"} and self.format in GRIDS:
            raise ValueError(f"{name}: a {self.format} row has no parent, no key and no document")
        path = parse_path(self.rows_path)
        if rule.origin == "parent" and rule.level > path.depth:
            raise ValueError(f"{name}: level {rule.level}, but rows {path.text!r} have {path.depth} parents")
        if rule.key is not None and rule.key >= path.wildcards:
            raise ValueError(f"{name}: key {rule.key}, but rows {path.text!r} have {path.wildcards} keys")
        if rule.join is not None and rule.join not in self.joins:
            raise ValueError(f"{name}: no join is named {rule.join!r}")
        if rule.by is not None:
            for one in rule.by.chain:
                self._check_origin(f"{name}.by", one)


class SourceOptions(Rule):
    """All options of a `table` source: its mappings, and the files that hold no results, each with the reason."""

    parts: tuple[TableOptions, ...]
    ignore: dict[str, Annotated[str, Field(min_length=1)]] = Field(default_factory=dict)

    @field_validator("parts")
    @classmethod
    def _some(cls, value: tuple[TableOptions, ...]) -> tuple[TableOptions, ...]:
        if not value:
            raise ValueError("names no part")
        return value

    @model_validator(mode="before")
    @classmethod
    def _shared(cls, value: Any) -> Any:
        """One mapping alone is a source of one part; what parts share stands in `common` and is theirs to override."""
        if not isinstance(value, dict) or "parts" not in value:
            ignore = value.get("ignore", {}) if isinstance(value, dict) else {}
            alone = {key: item for key, item in value.items() if key != "ignore"} if isinstance(value, dict) else value
            return {"parts": [alone], "ignore": ignore}
        common, parts = value.get("common", {}), value["parts"]
        rest = {key: item for key, item in value.items() if key not in {"common", "parts"}}
        return {**rest, "parts": [_merged(common, part) for part in parts]}


def _merged(common: dict[str, Any], part: Any) -> Any:
    """A part over what all share; of fields, protocol, extra and joins, key by key (null takes one away)."""
    if not isinstance(part, dict):
        return part
    merged = {**common, **part}
    for group in _MERGED:
        shared, own = common.get(group), part.get(group)
        if isinstance(shared, dict) and isinstance(own, dict):
            merged[group] = {key: rule for key, rule in {**shared, **own}.items() if rule is not None}
    return merged


def type_of(holds: Holds, rule: FieldRule) -> Type:
    """The type a rule converts to: as declared, else what its target holds."""
    return rule.type or _DEFAULT[holds]


def _check_type(name: str, holds: Holds, rule: FieldRule) -> None:
    if rule.type is not None and rule.type not in _ALLOWED[holds]:
        raise ValueError(f"{name} holds {' or '.join(sorted(_ALLOWED[holds]))}, not {rule.type}")
    if name == "value" and rule.type is None and rule.origin not in {"const", "ratio"}:
        raise ValueError("value needs its type: number, or percent_text where upstream writes '77.47%'")
    if rule.origin == "const" and holds == "text" and rule.const is not None and not isinstance(rule.const, str):
        raise ValueError(f"{name}: const {rule.const!r} must be text: put it in quotes")
