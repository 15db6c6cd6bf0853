"""Identifiers: how an entry, an evidence item, a pair, a release and a verdict get their names (DESIGN).

Every identifier is a function of content alone, so that file order, machine and time never change it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from warehouse.canonical import Json, canonical_sha256, plain

SLUG = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
ENTRY_ID_DIGITS = 16
RELEASE_DIGITS = 12
RELEASE_ID = re.compile(r"\d{4}-\d{2}-\d{2}-[0-9a-f]{12}")

IDENTITY_FIELDS = (
    "leaderboard",
    "benchmark",
    "benchmark_version",
    "subset",
    "metric",
    "model",
    "source_type",
    "setting",
)
"""The as-received fields an entry id is made of, in order; the protocol and the rank follow."""


def stated_protocol(protocol: Mapping[str, object] | None) -> Json:
    """A protocol as identity sees it: without nulls and without an empty `extra`; stating nothing is absent."""
    if protocol is None:
        return None
    kept = {
        name: plain(value)
        for name, value in protocol.items()
        if value is not None and not (name == "extra" and value == {})
    }
    return kept or None


def identity_key(received: Mapping[str, object]) -> list[Json]:
    """The nine identity values of a received row, the protocol last; an absent field is null."""
    values = [plain(received.get(field)) for field in IDENTITY_FIELDS]
    protocol = received.get("protocol")
    return [*values, stated_protocol(protocol if isinstance(protocol, Mapping) else None)]


def entry_id(key: Sequence[Json], rank: int) -> str:
    """The entry id: 16 hex digits of the SHA-256 of the canonical JSON of the identity values and the rank.

    Args:
        key: as `identity_key` gives it.
        rank: 0-based place, by full row content, among the different rows that share the key.
    """
    return canonical_sha256([*key, rank])[:ENTRY_ID_DIGITS]


def evidence_id(entry: str, metric_id: str) -> str:
    """The id of one entry serving one metric."""
    return f"{entry}:{metric_id}"


def pair_id(entry_a: str, entry_b: str) -> str:
    """The id of an unordered pair of entries: the smaller id first."""
    first, second = sorted((entry_a, entry_b))
    return f"{first}~{second}"


def release_id(
    *,
    as_of: date,
    snapshots: Iterable[tuple[str, str]],
    evidence: Iterable[tuple[str, str, str]],
    baseline: str | None,
    catalog_sha256: str,
    methodology_version: str,
    code_version: str,
) -> str:
    """The release id: the day and 12 hex digits of the hash of everything the release rests on.

    Args:
        as_of: the day (UTC) the release speaks of.
        snapshots: (leaderboard, SHA-256) of every input snapshot.
        evidence: (kind, name, SHA-256) of every registered evidence file.
        baseline: the release it is compared with, if any.
        catalog_sha256, methodology_version, code_version: what it was computed with.
    """
    content = {
        "as_of": as_of.isoformat(),
        "snapshots": sorted([board, sha] for board, sha in snapshots),
        "evidence": sorted([kind, name, sha] for kind, name, sha in evidence),
        "baseline": baseline,
        "catalog": catalog_sha256,
        "methodology": methodology_version,
        "code": code_version,
    }
    return f"{as_of.isoformat()}-{canonical_sha256(content)[:RELEASE_DIGITS]}"


def verdict_key(
    gate_definition: Mapping[str, object],
    input_hashes: Mapping[str, str],
    catalog_sha256: str,
    baseline: str | None,
) -> str:
    """What a verdict is bound to: the gate's definition, the tables it judged, the catalog, the baseline.

    Any change of these voids the verdict, a tightened threshold included.
    """
    return canonical_sha256(
        {
            "gate": dict(gate_definition),
            "inputs": dict(input_hashes),
            "catalog": catalog_sha256,
            "baseline": baseline,
        }
    )


def is_slug(text: str) -> bool:
    """Whether a text may name a leaderboard, a metric or a model in paths and keys."""
    return SLUG.fullmatch(text) is not None
