"""Publication: re-reads what is persisted, refuses unless all of it stands, then makes the release and the copy.

Belongs here: gathering what `methods.release.publication` decides on, and writing what it allows. It trusts nothing of
the run it is called from (DESIGN "Time, state and storage").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from methods.catalog.released_tables import released_tables
from methods.catalog.study_gates import brought_studies
from methods.release.publication import Withheld, held_back, refusals, withheld
from resources.atomic_files import line_bytes
from resources.former_day import FormerDay
from resources.manifest import TABLES_FOLDER, Release
from resources.memory import give_back
from resources.package_versions import package_versions
from resources.publisher import publish_current
from resources.release_changes import CHANGES_NAME, changes_since_baseline
from resources.release_folder import ReleaseDraft
from resources.releases import ReleaseStore
from resources.site.kept import SITE_FOLDER
from resources.snapshot_index import SnapshotError
from resources.table_files import TableMissingError
from resources.workspace import Workspace
from warehouse.manifest import Manifest, ReleaseHeader
from warehouse.stamps import TableStamp
from warehouse.study_words import PRODUCT_TABLES
from warehouse.vocabulary import BOARD_PRODUCT


class PublicationRefusedError(RuntimeError):
    """Publication was refused; `reasons` holds every reason."""

    def __init__(self, reasons: list[str]) -> None:
        self.reasons = reasons
        more = f" (and {len(reasons) - 3} more)" if len(reasons) > 3 else ""
        super().__init__(f"not published: {'; '.join(reasons[:3])}{more}")


@dataclass(frozen=True, slots=True)
class Published:
    """A release that stands: its id, its folder relative to the home, whether this call made it."""

    release_id: str
    folder: str
    is_new: bool


def publish(workspace: Workspace, as_of: date) -> Published:
    """Publish the day: release folder, ledger, DuckDB copy.

    Raises:
        PublicationRefusedError: if a table, a hash, a chain or a required verdict does not stand.
        ReleaseConflictError: if the release id stands with other numbers.
    """
    reasons = publication_refusals(workspace, as_of)
    if reasons:
        raise PublicationRefusedError(reasons)
    release_id = workspace.release_id(as_of)
    standing = workspace.releases.existing(release_id)
    draft = _draft(workspace, as_of, release_id)
    workspace.forget_frames()
    release = workspace.releases.create(draft, workspace.tables)
    give_back(with_cycles=True)  # all that the site was made from
    publish_current(workspace.home)
    return Published(release_id, str(release.folder.relative_to(workspace.home)), is_new=standing is None)


def publication_refusals(workspace: Workspace, as_of: date) -> list[str]:
    """Every reason why the day may not be published now; empty where it may."""
    if not workspace.tables.exists("raw__snapshot", as_of):
        # Without the day's snapshots there is not even a release id to hold the other tables against.
        return [f"raw__snapshot: was not made for {as_of}; run the whole graph for that day"]
    stamps: dict[str, TableStamp] = {}
    actual: dict[str, str] = {}
    for name in released_tables(workspace.catalog):
        try:
            stamps[name] = workspace.tables.stamp(name, as_of)
            actual[name] = workspace.tables.actual_hash(name, as_of)
        except TableMissingError:
            continue
    release_id = workspace.release_id(as_of)
    why = workspace.releases.ledger().withdrawn.get(release_id)
    withdrawn = [] if why is None else [f"{release_id} was withdrawn ({why}); the same inputs make the same release"]
    return (
        withdrawn
        + _snapshot_faults(workspace, as_of)
        + _gate_faults(workspace, as_of)
        + _product_faults(workspace, as_of)
        + refusals(
            as_of=as_of,
            catalog=workspace.catalog,
            code_version=workspace.code_version,
            stamps=stamps,
            actual_hashes=actual,
            verdicts=workspace.verdicts.all(as_of),
            baseline_release_id=workspace.baseline_release_id(as_of),
            release_id=release_id,
            decided_at=workspace.decided_at,
        )
    )


def withheld_of(workspace: Workspace, as_of: date) -> Withheld:
    """What of a day does not go out: its product beside the board does not stand now."""
    kept = workspace.verdicts.all(as_of)
    verdicts = {gate: verdict for gate, verdict in kept.items() if verdict.product != BOARD_PRODUCT}
    read = {name for verdict in verdicts.values() for name in verdict.inputs if workspace.tables.exists(name, as_of)}
    return withheld(
        held_back(
            as_of,
            workspace.catalog,
            {name: workspace.tables.actual_hash(name, as_of) for name in read},
            verdicts,
            workspace.baseline_release_id(as_of),
            decided_at=workspace.decided_at,
        )
    )


def _snapshot_faults(workspace: Workspace, as_of: date) -> list[str]:
    """Snapshots of the day whose bytes are gone or are not what was received: nobody could verify the release."""
    faults = []
    for leaderboard, sha256 in workspace.frame("raw__snapshot", as_of).select("leaderboard", "sha256").rows():
        if sha256 is None:
            continue
        record = workspace.snapshots.find(leaderboard, sha256)
        if record is None:
            faults.append(f"raw__snapshot: snapshot {sha256[:12]} of {leaderboard} was never kept in this home")
            continue
        try:
            workspace.snapshots.read(record)
        except SnapshotError as error:
            faults.append(f"raw__snapshot: {error}")
    return faults


def _gate_faults(workspace: Workspace, as_of: date) -> list[str]:
    """Where out__gate says otherwise of a gate than its verdict that stands now."""
    if not workspace.tables.exists("out__gate", as_of):
        return []  # named among the missing tables
    verdicts = workspace.verdicts.all(as_of)
    said = workspace.frame("out__gate", as_of).select("gate", "verdict", "verdict_key").rows()
    return [
        f"out__gate: says that {gate} is {verdict}, its verdict file says {kept.result.verdict} now; make it again"
        for gate, verdict, key in said
        if (kept := verdicts.get(gate)) is not None
        and key
        and (kept.result.verdict, kept.verdict_key) != (verdict, key)
    ]


def _product_faults(workspace: Workspace, as_of: date) -> list[str]:
    """Where out__product says otherwise than the verdicts that stand now."""
    if not workspace.tables.exists("out__product", as_of):
        return []  # named among the missing tables
    said = {row["product"]: row["status"] for row in workspace.frame("out__product", as_of).rows(named=True)}
    held = withheld_of(workspace, as_of)
    out = {product: tables[0] not in held.tables for product, tables in PRODUCT_TABLES.items()}
    out |= {study.id: study.id not in held.studies for study in brought_studies(workspace.catalog)}
    return [
        f"out__product: says that {product} is {said.get(product)}, its gates say otherwise now; make it again"
        for product, stands in out.items()
        if product in said and (said[product] == "published") != stands
    ]


def _draft(workspace: Workspace, as_of: date, release_id: str) -> ReleaseDraft:
    catalog = workspace.catalog
    verdicts = workspace.verdicts.all(as_of)
    baseline = workspace.baseline(as_of)
    gates = workspace.frame("out__gate", as_of)
    header = ReleaseHeader.model_validate(
        {
            "release_id": release_id,
            "as_of": as_of,
            "created_at": workspace.opened_at,
            "decided_at": max((verdict.decided_at for verdict in verdicts.values()), default=workspace.decided_at),
            "baseline_release_id": workspace.baseline_release_id(as_of),
            "catalog_version": catalog.version,
            "catalog_sha256": catalog.sha256,
            "methodology_version": catalog.methodology.version,
            "code_version": workspace.code_version,
            "exactness": "tolerance" if _has_tolerance(workspace, as_of) else "hash",
            "snapshots": _snapshots(workspace, as_of),
            "evidence": [
                {"kind": kind, "name": name, "sha256": sha256} for kind, name, sha256 in workspace.evidence_used(as_of)
            ],
            "counts": _counts(workspace, as_of),
            "gates": gates.rows(named=True),
            "waivers": [waiver.model_dump() for waiver in catalog.waivers],
            "packages": package_versions(),
        }
    )
    return ReleaseDraft(
        header=header,
        catalog_files=workspace.catalog_files,
        validations={
            gate: dict(verdict.result.validation)
            for gate, verdict in verdicts.items()
            if verdict.result.validation is not None
        },
        baseline=baseline,
        tables=released_tables(catalog),
        withheld=withheld_of(workspace, as_of),
        made_from_folder=partial(_made_from_folder, workspace.releases, workspace.former_day(as_of)),
    )


def _made_from_folder(
    store: ReleaseStore, former: FormerDay | None, folder: Path, manifest: Manifest
) -> Iterator[tuple[str, bytes]]:
    """The changes since the baseline, then the site, which shows them."""
    from resources.site.build import site_of_folder
    from resources.site.former_site import FormerSite

    unchanged = frozenset[str]() if former is None else former.unchanged(folder / TABLES_FOLDER, manifest)
    changes = changes_since_baseline(store, folder, manifest, unchanged)
    if changes is not None:
        yield CHANGES_NAME, line_bytes(changes)
    site = None if former is None else FormerSite(former.release, unchanged)
    for name, data in site_of_folder(folder, manifest, site):
        yield f"{SITE_FOLDER}/{name}", data


def _has_tolerance(workspace: Workspace, as_of: date) -> bool:
    made = released_tables(workspace.catalog)
    return any(workspace.tables.stamp(name, as_of).exactness == "tolerance" for name in made)


def _snapshots(workspace: Workspace, as_of: date) -> list[dict[str, Any]]:
    columns = ("leaderboard", "sha256", "bytes", "rows", "synced_at", "fetched_at", "source_url", "status", "connector")
    licences = {source.id: source.license for source in workspace.catalog.sources}
    return [
        {name: row[name] for name in columns} | {"file": row["path"], "license": licences.get(row["leaderboard"])}
        for row in workspace.frame("raw__snapshot", as_of).rows(named=True)
    ]


def _counts(workspace: Workspace, as_of: date) -> dict[str, Any]:
    """How many rows went where: received, results, evidence, and exclusions by reason."""
    exclusions = workspace.frame("core__exclusion", as_of)
    reasons = exclusions.group_by("reason_code").len().sort("reason_code")
    statuses = workspace.frame("out__category_score", as_of).group_by("category", "status").len()
    return {
        "received": workspace.frame("raw__row", as_of).height,
        "results": workspace.frame("core__result", as_of).height,
        "evidence": workspace.frame("core__evidence", as_of).height,
        "exclusions": dict(reasons.rows()),
        "scores": {f"{category}/{status}": n for category, status, n in statuses.sort(pl.all()).rows()},
    }


def release_of(workspace: Workspace, release_id: str | None) -> Release | None:
    """A release by id, or the current one; None where there is none yet."""
    return workspace.releases.open(release_id) if release_id else workspace.releases.current()
