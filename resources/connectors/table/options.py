"""The mapping language of the `table` connector, as typed values: upstream field → our field.

A source's `options` say how its file is read (`format`, `rows`, `columns`) and where each value goes (`fields`,
`protocol`, `extra`: our field on the left, where it comes from on the right).
Belongs here: what may be written. What it does to a row is `fields` and `records`.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from resources.connectors.table.scalars import Type
from resources.connectors.table.targets import PROTOCOL_FIELDS, REQUIRED, RESULT_FIELDS, Holds
from resources.connectors.table.tree_paths import TreePathError, parse_path
from resources.text_documents import Encoding

Format = Literal["json", "jsonl", "yaml", "csv", "tsv", "parquet"]
GRIDS: Final = frozenset({"csv", "tsv", "parquet"})
TREES: Final = frozenset({"json", "jsonl", "yaml"})
ORIGINS: Final = ("const", "field", "parent", "key", "file", "each")

_ALLOWED: Final[dict[Holds, frozenset[str]]] = {
    "text": frozenset({"text"}),
    "number": frozenset({"number", "percent_text"}),
    "integer": frozenset({"integer"}),
    "moment": frozenset({"date"}),
    "value": frozenset({"number", "percent_text"}),
}
_DEFAULT: Final[dict[Holds, Type]] = {
    "text": "text",
    "number": "number",
    "integer": "integer",
    "moment": "date",
    "value": "number",
}


def _expression(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error
    return text


Expression = Annotated[str, AfterValidator(_expression)]


class Rule(BaseModel):
    """Base: immutable, an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FieldRule(Rule):
    """Where one of our fields comes from, and what is done to it on the way. Steps apply in the order listed here.

    Exactly one origin: `const` (the same for every row), `field` (a key or column of the row; `a.b` steps inwards, `.`
    is the row itself), `parent` (a key of the element that encloses the row, `level` 1 the nearest), `key` (the key or
    index under which the row stands, 0 its own), `file` (its file's name, stem or folder), `each` (name or value of
    the column at hand).
    """

    const: str | int | float | bool | None = None
    field: str | None = None
    parent: str | None = None
    key: int | None = Field(default=None, ge=0)
    file: Literal["name", "stem", "folder"] | None = None
    each: Literal["name", "value"] | None = None

    aliases: tuple[str, ...] = Field(default=(), description="other names that upstream gives the same field")
    level: int = Field(default=1, ge=1)
    optional: bool = Field(default=False, description="rows, even all of them, may lack the field")
    first: bool = Field(default=False, description="of a list, its first item")
    pick: Expression | None = Field(default=None, description="of a list of texts, group 1 of the one that matches")
    null_if: tuple[str, ...] = Field(default=(), description="tokens that state nothing")
    map: dict[str, str | int | float | bool | None] | None = None
    otherwise: str | int | float | bool | None = None
    pattern: Expression | None = Field(default=None, description="group 1 of the whole text that must match")
    type: Type | None = None
    format: tuple[str, ...] = Field(default=(), description="how a date is written, as in strptime")
    zero_means: str | None = Field(default=None, description="what upstream means by 0, such as not_tracked")
    lower: bool = False
    template: str | None = Field(default=None, description="a text around the value, which stands for {}")
    on_error: Literal["row", "null"] = "row"

    @cached_property
    def origin(self) -> str:
        """Which of the six origins is used."""
        return next(name for name in ORIGINS if name in self.model_fields_set)

    @field_validator("format", mode="before")
    @classmethod
    def _one_format(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        given = [name for name in ORIGINS if name in self.model_fields_set]
        if len(given) != 1:
            raise ValueError(f"needs exactly one of {', '.join(ORIGINS)}; has {', '.join(given) or 'none'}")
        if self.map is None and "otherwise" in self.model_fields_set:
            raise ValueError("`otherwise` needs a `map`")
        if self.aliases and self.field is None:
            raise ValueError("`aliases` are other names of a `field`")
        if self.template is not None and self.template.count("{}") != 1:
            raise ValueError("`template` holds {} once, where the value goes")
        if self.format and self.type not in {None, "date"}:
            raise ValueError("`format` is for the type date")
        return self


def _shorthand(value: Any) -> Any:
    if isinstance(value, str):
        return {"field": value}
    if value is None or isinstance(value, int | float):
        raise ValueError("write {const: …} for a fixed value, a name for a field of the row")
    return value


AnyField = Annotated[FieldRule, BeforeValidator(_shorthand)]


class EachRule(Rule):
    """A wide table: one result per column. `columns` names them, with values fixed for single ones where needed."""

    columns: dict[str, dict[str, str | int | float | None]]

    @field_validator("columns", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        if isinstance(value, list):
            if len(set(map(str, value))) != len(value):
                raise ValueError("a column is listed twice")
            return {name: {} for name in value} if all(isinstance(name, str) for name in value) else value
        return (
            {name: {} if fixed is None else fixed for name, fixed in value.items()}
            if isinstance(value, dict)
            else value
        )

    @model_validator(mode="after")
    def _known(self) -> Self:
        if not self.columns:
            raise ValueError("names no column")
        for column, fixed in self.columns.items():
            for target, constant in fixed.items():
                if RESULT_FIELDS.get(target) != "text":
                    raise ValueError(f"{column}: {target} is no text field of a result")
                if constant is not None and not isinstance(constant, str):
                    raise ValueError(f"{column}.{target}: must be text: put it in quotes")
        return self


class SkipRule(Rule):
    """Rows that are no results, and why. They are counted and listed, never silently left out."""

    field: str
    equals: str | int | float | bool | None = None
    matches: Expression | None = None
    is_missing: bool = False
    reason: Annotated[str, Field(min_length=1)]

    @model_validator(mode="after")
    def _one_condition(self) -> Self:
        given = [name for name in ("equals", "matches", "is_missing") if name in self.model_fields_set]
        if len(given) != 1:
            raise ValueError("needs exactly one of equals, matches, is_missing")
        return self


class TableOptions(Rule):
    """All options of a `table` source."""

    format: Format
    encoding: Encoding = "utf-8"
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    rows: str | None = Field(default=None, description="path to the rows of a tree")
    columns: tuple[str, ...] = Field(default=(), description="all columns or keys that upstream is known to have")
    new_columns: Literal["error", "ignore"] = "error"
    max_rows: int = Field(default=1_000_000, ge=1)
    each: EachRule | None = None
    skip: tuple[SkipRule, ...] = ()
    fields: dict[str, AnyField]
    protocol: dict[str, AnyField] = Field(default_factory=dict)
    extra: dict[str, AnyField] = Field(default_factory=dict)

    @field_validator("extra", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            return {name: {"field": name, "optional": True} for name in value}
        return value

    @field_validator("rows")
    @classmethod
    def _readable(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                parse_path(value)
            except TreePathError as error:
                raise ValueError(str(error)) from error
        return value

    @field_validator("fields", "protocol")
    @classmethod
    def _known_targets(cls, value: dict[str, FieldRule], info: ValidationInfo) -> dict[str, FieldRule]:
        targets = RESULT_FIELDS if info.field_name == "fields" else PROTOCOL_FIELDS
        for name, rule in value.items():
            if name not in targets:
                raise ValueError(f"{name} is none of ours: {', '.join(targets)}")
            _check_type(name, targets[name], rule)
        return value

    @model_validator(mode="after")
    def _complete(self) -> Self:
        fixed = [set(cells) for cells in self.each.columns.values()] if self.each else [set()]
        for target in REQUIRED:
            if target not in self.fields and not all(target in cells for cells in fixed):
                raise ValueError(f"fields.{target} must be given")
        if self.rows is not None and self.format in GRIDS:
            raise ValueError(f"`rows` is a path in a tree; {self.format} is a table")
        if self.delimiter is not None and self.format not in {"csv", "tsv"}:
            raise ValueError("`delimiter` is for csv and tsv")
        for group in (self.fields, self.protocol, self.extra):
            for name, rule in group.items():
                self._check_origin(name, rule)
        return self

    def _check_origin(self, name: str, rule: FieldRule) -> None:
        if rule.origin == "each" and self.each is None:
            raise ValueError(f"{name}: `each` needs the columns to be named in `each`")
        if rule.origin in {"parent", "key"} and self.format in GRIDS:
            raise ValueError(f"{name}: a {self.format} row has no parent and no key")
        path = parse_path(self.rows_path)
        if rule.origin == "parent" and rule.level > path.depth:
            raise ValueError(f"{name}: level {rule.level}, but rows {path.text!r} have {path.depth} parents")
        if rule.key is not None and rule.key >= path.wildcards:
            raise ValueError(f"{name}: key {rule.key}, but rows {path.text!r} have {path.wildcards} keys")

    @property
    def rows_path(self) -> str:
        """The path to the rows: as given, else each item of the document, or for JSON lines each line."""
        return self.rows if self.rows is not None else "" if self.format == "jsonl" else "[*]"


def type_of(holds: Holds, rule: FieldRule) -> Type:
    """The type a rule converts to: as declared, else what its target holds."""
    return rule.type or _DEFAULT[holds]


def _check_type(name: str, holds: Holds, rule: FieldRule) -> None:
    if rule.type is not None and rule.type not in _ALLOWED[holds]:
        raise ValueError(f"{name} holds {' or '.join(sorted(_ALLOWED[holds]))}, not {rule.type}")
    if name == "value" and rule.type is None and rule.origin != "const":
        raise ValueError("value needs its type: number, or percent_text where upstream writes '77.47%'")
    if rule.origin == "const" and holds == "text" and rule.const is not None and not isinstance(rule.const, str):
        raise ValueError(f"{name}: const {rule.const!r} must be text: put it in quotes")
