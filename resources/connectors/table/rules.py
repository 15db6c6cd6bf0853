"""The rules of a mapping: where one of our fields comes from, which columns are results, which rows are none.

Belongs here: what a rule may say. What it does to a row is `fields` and `records`; a whole mapping is `options`.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from resources.connectors.table.scalars import Type
from resources.connectors.table.targets import RESULT_FIELDS

ORIGINS: Final = ("const", "field", "parent", "key", "file", "each", "at", "join", "span", "ratio")
COLUMN: Final = "column"
"""In `each.columns`: the upstream column, where our name for it differs."""


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


def _shorthand(value: Any) -> Any:
    if isinstance(value, str):
        return {"field": value}
    if value is None or isinstance(value, int | float):
        raise ValueError("write {const: …} for a fixed value, a name for a field of the row")
    if isinstance(value, list):
        if not value:
            raise ValueError("a list of rules is tried in order; this one is empty")
        first, *rest = (_shorthand(item) for item in value)
        return {**first, "alternatives": rest} if isinstance(first, dict) else value
    return value


AnyField = Annotated["FieldRule", BeforeValidator(_shorthand)]


class FieldRule(Rule):
    """Where one of our fields comes from, and what is done to it on the way. Steps apply in the order listed here.

    Exactly one origin: `const` (the same for every row), `field` (a key or column of the row; `a.b` steps inwards, `.`
    is the row itself), `parent` (a key of the element that encloses the row, `level` 1 the nearest), `key` (the key or
    index under which the row stands, 0 its own), `file` (its file's name, stem, folder or whole path), `each` (name,
    given name or value of the column at hand), `at` (a path from the document, in which {0} stands for key 0), `join`
    (a key `get` of the row of another file that `by` leads to), `span` (half the distance of two fields), `ratio` (the
    first of two fields divided by the second). A list of rules is tried in order: the first that states something.
    """

    const: str | int | float | bool | None = None
    field: str | None = None
    parent: str | None = None
    key: int | None = Field(default=None, ge=0)
    file: Literal["name", "stem", "folder", "path"] | None = None
    each: Literal["name", "value"] | None = None
    at: str | None = None
    join: str | None = None
    span: tuple[str, str] | None = None
    ratio: tuple[str, str] | None = None

    by: AnyField | None = Field(default=None, description="what a join looks up")
    get: str = Field(default=".", description="which key of the joined row")
    aliases: tuple[str, ...] = Field(default=(), description="other names that upstream gives the same field")
    level: int = Field(default=1, ge=1)
    optional: bool = Field(default=False, description="rows, even all of them, may lack the field")
    first: bool = Field(default=False, description="of a list, its first item")
    pick: Expression | None = Field(default=None, description="of a list of texts, group 1 of the one that matches")
    null_if: tuple[str, ...] = Field(default=(), description="tokens that state nothing")
    pattern: Expression | None = Field(default=None, description="group 1 of the whole text that must match")
    map: dict[str, str | int | float | bool | None] | None = None
    otherwise: str | int | float | bool | None = None
    type: Type | None = None
    format: tuple[str, ...] = Field(default=(), description="how a date is written, as in strptime; excel: its serial")
    zero_means: str | None = Field(default=None, description="what upstream means by 0, such as not_tracked")
    interval: float | None = Field(
        default=None, gt=0.5, lt=1, description="the number is half the width of such a normal interval"
    )
    lower: bool = False
    template: str | None = Field(default=None, description="a text around the value, which stands for {}")
    on_error: Literal["row", "null"] = "row"
    alternatives: tuple[FieldRule, ...] = ()

    @cached_property
    def origin(self) -> str:
        """Which of the origins is used."""
        return next(name for name in ORIGINS if name in self.model_fields_set)

    @cached_property
    def chain(self) -> tuple[FieldRule, ...]:
        """The rule and its alternatives, in the order they are tried."""
        return (self, *self.alternatives)

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
        if (self.join is None) != (self.by is None):
            raise ValueError("a `join` looks up what `by` says")
        if self.template is not None and self.template.count("{}") != 1:
            raise ValueError("`template` holds {} once, where the value goes")
        if self.format and self.type not in {None, "date"}:
            raise ValueError("`format` is for the type date")
        return self


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
                if target != COLUMN and RESULT_FIELDS.get(target) != "text":
                    raise ValueError(f"{column}: {target} is no text field of a result")
                if constant is not None and not isinstance(constant, str):
                    raise ValueError(f"{column}.{target}: must be text: put it in quotes")
        return self

    @cached_property
    def read(self) -> tuple[tuple[str, str, dict[str, Any]], ...]:
        """Each column as (our name, upstream's name, fixed values)."""
        return tuple(
            (name, str(fixed.get(COLUMN, name)), {key: text for key, text in fixed.items() if key != COLUMN})
            for name, fixed in self.columns.items()
        )


class SkipRule(Rule):
    """Rows that are no results, and why. They are counted and listed, never silently left out.

    The condition is on a `field` of the row, or on what stands `at` a path from the document, as in a field's rule.
    """

    field: str | None = None
    at: str | None = None
    equals: str | int | float | bool | None = None
    matches: Expression | None = None
    is_missing: bool = False
    reason: Annotated[str, Field(min_length=1)]

    @model_validator(mode="after")
    def _one_condition(self) -> Self:
        given = [name for name in ("equals", "matches", "is_missing") if name in self.model_fields_set]
        if len(given) != 1:
            raise ValueError("needs exactly one of equals, matches, is_missing")
        if (self.field is None) == (self.at is None):
            raise ValueError("looks at exactly one of `field` and `at`")
        return self


class TablePlace(Rule):
    """Which table of a page: the `number`-th below a heading, or of the page where no heading is named."""

    heading: str | None = None
    number: int = Field(default=1, ge=1)
