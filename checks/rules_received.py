"""Hand-made rules of what is received: raw__snapshot, raw__row, core__result (METHODS 1, DESIGN "The native format").

Belongs here: what holds within one of these tables.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from checks.clauses import Clause, rule
from warehouse.catalog_model import Catalog
from warehouse.identity import ENTRY_ID_DIGITS

_SHA256 = r"^[0-9a-f]{64}$"
_ENTRY_ID = rf"^[0-9a-f]{{{ENTRY_ID_DIGITS}}}$"


def matches(column: str, pattern: str) -> pl.Expr:
    """Whether a text column matches; null where it is null."""
    return pl.col(column).str.contains(pattern)


def some_value(column: str, why: str) -> Clause:
    """A column may hold nulls, but a column of nothing else is a defect (C04)."""
    return Clause(f"{column}-some-value", "some_value", f"{column} is not null throughout: {why}", columns=(column,))


def snapshot_rules(catalog: Catalog) -> Iterator[Clause]:
    """A snapshot is whole or absent, its address shows no secret, and its leaderboard is in the catalog."""
    yield some_value("sha256", "at least one leaderboard was received")
    yield rule("sha256-form", "sha256 is 64 hex digits", matches("sha256", _SHA256))
    parts = ("path", "synced_at", "bytes", "rows")
    yield rule(
        "whole-or-absent",
        "path, synced_at, bytes and rows are known exactly where sha256 is",
        pl.all_horizontal(pl.col(name).is_null() == pl.col("sha256").is_null() for name in parts),
        columns=("sha256", *parts),
    )
    yield rule(
        "path-inside-home",
        "path is relative and does not climb",
        ~matches("path", r"^(/|[A-Za-z]:|\\)|(^|/)\.\.(/|$)"),
    )
    yield rule(
        "no-secret-in-address",
        "source_url has neither query nor credentials",
        ~matches("source_url", r"\?|^[A-Za-z][A-Za-z0-9+.-]*://[^/]*@"),
    )
    yield rule(
        "rows-where-bytes",
        "a snapshot that was received has bytes and rows",
        (pl.col("bytes") > 0) & (pl.col("rows") > 0),
    )
    boards = sorted(source.id for source in catalog.sources)
    yield rule("known-leaderboard", "leaderboard is in sources.yaml", pl.col("leaderboard").is_in(boards))


def row_rules(_catalog: Catalog) -> Iterator[Clause]:
    """A row was either read, and has an identity, or was not, and says why."""
    yield some_value("entry_id", "at least one row could be read")
    yield rule("sha256-form", "snapshot_sha256 is 64 hex digits", matches("snapshot_sha256", _SHA256))
    yield rule("entry-id-form", f"entry_id is {ENTRY_ID_DIGITS} hex digits", matches("entry_id", _ENTRY_ID))
    yield rule(
        "read-or-explained",
        "a row has either an entry_id or a problem",
        pl.col("entry_id").is_null() != pl.col("problem").is_null(),
    )
    yield rule(
        "read-has-record",
        "a row with an entry_id has the record it was read from",
        pl.when(pl.col("entry_id").is_not_null()).then(pl.col("record").is_not_null()),
    )
    yield rule(
        "duplicate-of-something",
        "a duplicate has the entry_id it repeats",
        pl.when(pl.col("is_duplicate")).then(pl.col("entry_id").is_not_null()),
    )
    first = ~pl.col("is_duplicate") & pl.col("entry_id").is_not_null()
    yield rule(
        "one-original",
        "of the rows that share an entry_id exactly one is no duplicate",
        pl.when(pl.col("entry_id").is_not_null()).then(first.sum().over("entry_id") == 1),
        columns=("entry_id", "is_duplicate"),
    )


def result_rules(catalog: Catalog) -> Iterator[Clause]:
    """A result has a well-formed identity and names what it measures."""
    yield some_value("value", "at least one result is a number")
    yield rule("entry-id-form", f"entry_id is {ENTRY_ID_DIGITS} hex digits", matches("entry_id", _ENTRY_ID))
    yield rule("sha256-form", "snapshot_sha256 is 64 hex digits", matches("snapshot_sha256", _SHA256))
    for name in ("model", "benchmark", "metric", "unit"):
        yield rule(f"{name}-not-empty", f"{name} is no empty text", pl.col(name).str.len_bytes() > 0)
    yield rule(
        "one-snapshot",
        "the results of a leaderboard come from one snapshot",
        pl.col("snapshot_sha256").n_unique().over("leaderboard") == 1,
        columns=("leaderboard", "snapshot_sha256"),
    )
    boards = sorted(source.id for source in catalog.sources)
    yield rule("known-leaderboard", "leaderboard is in sources.yaml", pl.col("leaderboard").is_in(boards))
