"""What the numbers of a release rest on, and whether those of two releases have one basis (METHODS 7).

Belongs here: which of methodology, catalog and code differ, down to the catalog's file, and what that means in words.
What moved between two releases is `methods.lineage.release_diff`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from typing import Any, Final

NO_SCORE_RESTS_ON: Final = frozenset(
    {"decisions.csv", "gates.yaml", "pair_aliases.csv", "studies.yaml", "waivers.yaml"}
)
"""Files of a catalog that decide what is judged and studied beside the scores, and move none of them."""


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """What a number of a release has to be quoted with.

    Attributes:
        release_id: its id; for a preview, words that say so.
        as_of, created_at: the day it speaks of; when it was made.
        status: current, superseded, withdrawn; or preview.
        catalog_version, catalog_sha256, methodology_version, code_version: what it was computed with.
        snapshots: SHA-256 of each leaderboard's bytes.
        catalog_files: SHA-256 of each file of its catalog; empty where they are not known.
    """

    release_id: str
    as_of: date
    created_at: datetime | None
    status: str
    catalog_version: str
    catalog_sha256: str
    methodology_version: str
    code_version: str
    snapshots: dict[str, str] = field(default_factory=dict)
    catalog_files: dict[str, str] = field(default_factory=dict)


def facts_json(facts: ReleaseFacts) -> dict[str, Any]:
    """Facts of a release as JSON values."""
    made = None if facts.created_at is None else facts.created_at.isoformat()
    return {**asdict(facts), "as_of": facts.as_of.isoformat(), "created_at": made}


def differences(former: ReleaseFacts, latter: ReleaseFacts) -> tuple[str, ...]:
    """Which of methodology, catalog and code differ between two releases.

    A catalog that differs only in files that no score rests on is no other basis; `warnings` names them.
    """
    compared = (
        ("methodology", former.methodology_version, latter.methodology_version),
        ("catalog", former.catalog_sha256, latter.catalog_sha256),
        ("code", former.code_version, latter.code_version),
    )
    files = changed_files(former, latter)
    beside = bool(files) and NO_SCORE_RESTS_ON.issuperset(files)
    return tuple(name for name, before, after in compared if before != after and not (name == "catalog" and beside))


def changed_files(former: ReleaseFacts, latter: ReleaseFacts) -> tuple[str, ...]:
    """Files of the catalog that differ, or that one side alone has; empty where a side's files are not known."""
    before, after = former.catalog_files, latter.catalog_files
    if not before or not after:
        return ()
    return tuple(sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name)))


def warnings(former: ReleaseFacts, latter: ReleaseFacts, differs: Sequence[str]) -> Iterable[str]:
    """What a reader must know before taking one number from the other."""
    shown = {
        "methodology": (former.methodology_version, latter.methodology_version),
        "catalog": (
            f"{former.catalog_version} ({former.catalog_sha256[:12]})",
            f"{latter.catalog_version} ({latter.catalog_sha256[:12]})",
        ),
        "code": (former.code_version[:12], latter.code_version[:12]),
    }
    files = ", ".join(changed_files(former, latter))
    if files and "catalog" in differs:
        shown["catalog"] = (shown["catalog"][0], f"{shown['catalog'][1]}, which differ in {files}")
    elif files and former.catalog_sha256 != latter.catalog_sha256:
        yield f"the catalogs differ in {files} alone, on which no score rests: the scores have one basis in them."
    if differs:
        pairs = "; ".join(f"{name} {shown[name][0]} -> {shown[name][1]}" for name in differs)
        yield (
            f"not one basis: {pairs}. A difference of two scores mixes evidence with rules here; "
            "quote it only with both versions, or quote the parts."
        )
    for side in (former, latter):
        if side.status == "withdrawn":
            yield f"{side.release_id} is withdrawn: its numbers are not to be used."
    if former.as_of > latter.as_of:
        yield f"{former.release_id} is the later one: changes read backwards in time."
