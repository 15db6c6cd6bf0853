"""`withdraw`, `rollback`, `affected`: which releases stand, and which rest on what was corrected since.

Nothing here deletes or changes a release: a withdrawal and a rollback are events of the ledger, with their reason.
"""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, ReleasedCatalogOption, UsageError
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    from methods.lineage.affected import AffectedRelease
    from resources.releases import ReleaseStore
    from warehouse.catalog_model import Correction

ENTRY_ID = re.compile(r"[0-9a-f]{16}")


def withdraw(
    release: Annotated[str, typer.Argument(help="Release id, `current` or `previous`.")],
    *,
    reason: Annotated[str, typer.Option("--reason", help="Why, in a sentence readers will see.")],
    replaced_by: Annotated[
        str | None, typer.Option("--replaced-by", help="The release that stands in its place.")
    ] = None,
    home: HomeOption = None,
    catalog: ReleasedCatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Mark a release withdrawn, with a reason. Nothing is deleted; readers get the release before it."""
    from resources.home_lock import HomeLock
    from resources.publisher import publish_current
    from resources.releases import ReleaseStore

    settings = options.open_settings(home, catalog)
    store = ReleaseStore(settings.home)
    store.id_of(release)  # before the home is locked, which makes it where there is none
    with HomeLock(settings.home):
        release, replaced_by = store.id_of(release), None if replaced_by is None else store.id_of(replaced_by)
        store.withdraw(release, reason, datetime.now(UTC), replaced_by)
        publish_current(settings.home)
        ledger = store.ledger()
    current = ledger.current.release_id if ledger.current else None
    compared = ledger.compared_with(release)
    if as_json:
        console.print_json(
            {
                "release_id": release, "status": "withdrawn", "reason": reason, "replaced_by": replaced_by,
                "current": current, "compared_with_it": list(compared),
            }
        )  # fmt: skip
        return ExitCode.OK
    lines = [f"{release} is withdrawn: {reason}"]
    if replaced_by:
        lines.append(f"In its place stands {replaced_by}.")
    if current:
        lines.append(f"Readers now get {current}; scoretrail.duckdb holds it.")
    else:
        lines.append("No release is left for readers; the tables of scoretrail.duckdb stand empty.")
    if compared:
        lines.append(f"Their gates compared with it: {', '.join(compared)}; run those days again to judge them anew.")
    lines.append(f"Nothing was deleted: scoretrail verify {release} still recomputes it.")
    _say(lines)
    return ExitCode.OK


def rollback(
    *,
    to: Annotated[
        str | None, typer.Option("--to", help="Release to point at; the one before the current if none.")
    ] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why, in a sentence readers will see.")],
    home: HomeOption = None,
    catalog: ReleasedCatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Point readers at an earlier release until a newer one is made. Nothing is deleted."""
    from resources.home_lock import HomeLock
    from resources.publisher import publish_current
    from resources.releases import ReleaseStore

    settings = options.open_settings(home, catalog)
    store = ReleaseStore(settings.home)
    if to is not None:
        store.id_of(to)
    elif store.ledger().previous is None:
        raise UsageError("there is no earlier release")
    with HomeLock(settings.home):
        before = store.ledger().current
        target = store.roll_back(None if to is None else store.id_of(to), reason, datetime.now(UTC))
        publish_current(settings.home)
        hidden = sorted(store.ledger().hidden)
    if as_json:
        former = before.release_id if before else None
        console.print_json({"current": target.release_id, "former": former, "reason": reason, "hidden": hidden})
        return ExitCode.OK
    lines = [f"Readers now get {target.release_id} as of {target.as_of}: {reason}"]
    if hidden:
        lines.append(f"Out of sight until a newer release is made: {', '.join(hidden)}. They are not withdrawn.")
    _say(lines)
    return ExitCode.OK


def affected(
    what: Annotated[
        str | None, typer.Argument(help="Entry id or correction id; every correction of the catalog if none.")
    ] = None,
    *,
    code: Annotated[
        str | None, typer.Option("--code", help="Code version, or how it begins: releases computed by it.")
    ] = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Releases whose numbers rest on a row corrected since, or on a version of the program. They keep their numbers."""
    from resources.catalog_files import load_corrections
    from resources.releases import ReleaseStore

    settings = options.open_settings(home, catalog)
    store = ReleaseStore(settings.home)
    if code is not None:
        if what is not None:
            raise UsageError("ask for an entry or correction, or for --code, not for both")
        found = computed_by(store, code)
    else:
        found = _asked(store, what, load_corrections(settings.catalog_dir))
    if as_json:
        console.print_json({"asked": what or code, "releases": [asdict(release) for release in found]})
        return ExitCode.OK
    total = len(store.ledger().releases)
    lines = [f"{len(found)} of {total} releases are affected." if found else f"None of {total} releases is affected."]
    for release in found:
        because = f", without correction {', '.join(release.corrections)}" if release.corrections else ""
        lines.append(f"{release.release_id} as of {release.as_of}, {release.status}{because}")
        lines += [
            f"    {row.model_id} in {row.category} ({row.dimension}): {row.metric_id} counted as {row.value:g}, "
            f"{row.points:+.3f} points of its score; {row.others} other models on that dimension; entry {row.entry_id}"
            for row in release.rows
        ]
    if found:
        lines.append("They keep their numbers. `scoretrail withdraw RELEASE --reason WHY` takes one back.")
    _say(lines)
    return ExitCode.OK


def _asked(store: ReleaseStore, what: str | None, corrections: tuple[Correction, ...]) -> list[AffectedRelease]:
    """The releases affected by an entry, by a correction, or by any correction of the catalog."""
    if what is None:
        return superseded_in(store, corrections)
    named = tuple(correction for correction in corrections if correction.id == what)
    if named:
        return superseded_in(store, named)
    if ENTRY_ID.fullmatch(what):
        return holding(store, what)
    known = [correction.id for correction in corrections]
    hint = console.suggestion(what, known) or f"; corrections are {', '.join(known) or 'none'}"
    raise UsageError(f"{what!r} is no entry id (16 hex digits) and no correction of the catalog{hint}")


def superseded_in(store: ReleaseStore, corrections: tuple[Correction, ...]) -> list[AffectedRelease]:
    """Every release that counts an entry which a correction supersedes that the release's own catalog lacks."""
    from methods.lineage.affected import not_corrected
    from resources.release_catalog import release_corrections

    found = []
    for release in _holding(store, {correction.entry_id for correction in corrections}):
        own = release_corrections(store.open(release.release_id))
        held = {row.entry_id for row in release.rows}
        missing = [item for item in not_corrected(corrections, own) if item.entry_id in held]
        entries = {item.entry_id for item in missing}
        if missing:
            rows = tuple(row for row in release.rows if row.entry_id in entries)
            found.append(replace(release, corrections=tuple(item.id for item in missing), rows=rows))
    return found


def holding(store: ReleaseStore, entry_id: str) -> list[AffectedRelease]:
    """Every release that counts an entry."""
    return _holding(store, {entry_id})


def computed_by(store: ReleaseStore, code: str) -> list[AffectedRelease]:
    """Every release that a version of the program computed."""
    from methods.lineage.affected import AffectedRelease

    if not re.fullmatch(r"[0-9a-f]{6,64}", code):
        raise UsageError(f"--code {code}: a code version is 64 hex digits; at least its first six are needed")
    ledger = store.ledger()
    return [
        AffectedRelease(record.release_id, record.as_of, ledger.status(record.release_id), record.code_version, (), ())
        for record in ledger.releases
        if record.code_version.startswith(code)
    ]


def _holding(store: ReleaseStore, entry_ids: set[str]) -> list[AffectedRelease]:
    from methods.lineage.affected import AffectedRelease, held_rows

    found = []
    ledger = store.ledger()
    for record in ledger.releases:
        release = store.open(record.release_id)
        rows = held_rows(entry_ids, release.read("core__evidence"), release.read("out__score_weight"))
        if rows:
            status = ledger.status(record.release_id)
            found.append(AffectedRelease(record.release_id, record.as_of, status, record.code_version, (), rows))
    return found


def _say(lines: list[str]) -> None:
    for line in lines:
        console.stdout().print(line, markup=False, soft_wrap=True)
