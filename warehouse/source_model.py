"""A leaderboard's entry of sources.yaml: where its files are, what they are worth, and how far they may move.

Belongs here: the shape of one entry and what it may say. How files are read is `resources`, what a mapping in
`options` means is the connector's own, what is done about a limit is `checks.named`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Final, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from warehouse.identity import is_slug
from warehouse.vocabulary import SourceType, Tier

GIT_SCHEMES: Final = ("git+https://", "git+file://")
OPTION_GROUPS: Final = frozenset({"common", "each", "columns", "fields", "protocol", "extra", "joins", "ignore"})
"""Keys of `options` under which a former layout changes single entries."""
_INSIDE: Final = r"^(?![/-])(?!.*(^|/)\.\.(/|$))[^\x00-\x1f\\:]+$"
_REF: Final = r"^[A-Za-z0-9](?!.*(\.\.|//|@\{|\.lock$))[A-Za-z0-9._/-]*$"


def _slug(text: str) -> str:
    if not is_slug(text):
        raise ValueError("must be lower-case letters, digits, '.', '_' or '-', at most 80, beginning with no sign")
    return text


def is_inside_path(name: str) -> bool:
    """Whether a name leads below where it starts, and can be no option, address or control sequence."""
    return re.match(_INSIDE, name) is not None


Slug = Annotated[str, AfterValidator(_slug)]
Stated = Annotated[str, Field(min_length=1)]
InsidePath = Annotated[str, Field(pattern=_INSIDE)]
Share = Annotated[float, Field(ge=0, le=1)]


class Entry(BaseModel):
    """Base of every catalog entry: immutable, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, regex_engine="python-re")


class GitPlace(Entry):
    """Where in a git repository a source lies: a file, a folder or a glob, on a branch or tag."""

    path: InsidePath
    ref: str = Field(default="HEAD", pattern=_REF)


class TreePlace(Entry):
    """The files below a `url` that ends in `/`: named here, or listed by an index that is fetched first.

    `index` is the address of a JSON listing; `names` the path to the names in it, and `pattern` which of them count
    (a regular expression with one group: the name below `url`). `version` is the path to what pins the listing, such
    as a commit; `{version}` in `url` stands for it.
    """

    files: tuple[InsidePath, ...] = ()
    index: Stated | None = None
    names: Stated | None = None
    pattern: Stated | None = None
    version: Stated | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.files) == (self.index is not None):
            raise ValueError("a tree gives either its `files` or an `index`")
        if (self.index is None) != (self.names is None):
            raise ValueError("an `index` needs `names`, the path to the file names in it")
        if self.index is None and (self.version or self.pattern):
            raise ValueError("`version` and `pattern` belong to an `index`")
        return self


class FormerLayout(Entry):
    """How an entry differed for content that was current up to and including a day.

    `options` are merged into the entry's own: within the groups that a mapping has (`fields`, `extra`, `joins`, ...)
    key by key; a rule, list or word stands in place of the former one, and null takes a key away. `edition` names the
    edition of the board that ended on the day, where its publisher then replaced it by the one that the entry names.
    """

    until: date
    edition: Stated | None = None
    path: str | None = None
    min_rows: int | None = Field(default=None, ge=1)
    options: dict[str, Any] = Field(default_factory=dict)


class SourceSpec(Entry):
    """One leaderboard of sources.yaml.

    `url` is https, `file://`, `git+https://`, `git+file://` or a path relative to the file; `path` is its place in a
    mirror. `max_age` is the age in days beyond which a snapshot is stale. The other limits belong to the gates that
    compare with the last release or look at a day alone, and override what gates.yaml says for all leaderboards:
    `max_drop` share of rows lost (rows-lost, evidence-lost); `max_gone` share of models gone (board-models-gone);
    `max_jump` share of values moved by more than one robust SD (value-jump); `max_scale` powers of ten of a common
    factor (scale-change); `max_same` rows from which a column of one value is a fault (degenerate-column);
    `max_duplicates` share of repeated rows (duplicate-share); `max_unreadable` share of rows that cannot be read
    (unreadable-rows); `max_drift` share of rows that stop stating a field (schema-drift). `former` says how the entry
    reads older content, which had other columns, files or fewer rows. `edition` is what its publisher calls the
    board as it is: against a release of another edition, what is gone with that one is no loss
    (`checks.named.editions`).
    """

    id: Slug
    title: Stated
    connector: Stated
    url: Stated
    path: str | None = None
    git: GitPlace | None = None
    tree: TreePlace | None = None
    source_type: SourceType
    tier: Tier | None = None
    license: str | None = None
    edition: Stated | None = None
    min_rows: int = Field(default=1, ge=1)
    max_drop: Share = 0.2
    max_gone: Share | None = None
    max_jump: Share | None = None
    max_scale: float | None = Field(default=None, gt=0)
    max_same: int | None = Field(default=None, ge=2)
    max_duplicates: Share | None = None
    max_unreadable: Share | None = None
    max_drift: Share | None = None
    max_age: int | None = Field(default=None, ge=1, description="days")
    allow_private: bool = False
    secret_env: str | None = Field(default=None, pattern=r"^SCORETRAIL_SECRET_[A-Z0-9_]+$")
    options: dict[str, Any] = Field(default_factory=dict)
    former: tuple[FormerLayout, ...] = ()

    def at(self, day: date) -> Self:
        """The entry as it reads content that was current on a day: changed by the first layout that reaches it."""
        layout = next((item for item in self.former if day <= item.until), None)
        return self if layout is None else self.under(layout)

    def under(self, layout: FormerLayout) -> Self:
        """The entry changed by a layout."""
        changed: dict[str, Any] = {"options": _merged(self.options, layout.options), "former": ()}
        own = {name: getattr(layout, name) for name in ("path", "min_rows", "edition")}
        changed |= {name: value for name, value in own.items() if value is not None}
        return self.model_copy(update=changed)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        days = [item.until for item in self.former]
        if days != sorted(set(days)):
            raise ValueError("`former` lists layouts in ascending order of `until`, each day once")
        if self.edition is None and any(item.edition is not None for item in self.former):
            raise ValueError("an edition in `former` ended: `edition` of the entry names the one that replaced it")
        return self

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.git is not None) != self.url.startswith(GIT_SCHEMES):
            raise ValueError("`git: {path: ...}` goes with a url that begins with git+https:// or git+file://")
        if self.tree is not None and (self.git is not None or not self.url.endswith("/")):
            raise ValueError("`tree` goes with a url that ends in '/'")
        return self


def _merged(options: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    made = {key: value for key, value in options.items() if key not in changes or changes[key] is not None}
    for key, value in changes.items():
        if value is None:
            continue
        held = made.get(key) if key in OPTION_GROUPS else None
        made[key] = _merged(held, value) if isinstance(held, Mapping) and isinstance(value, Mapping) else value
    return made
