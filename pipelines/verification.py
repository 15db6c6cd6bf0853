"""`scoretrail verify`: makes a release again from its own snapshots and catalog, and compares every table and page.

Belongs here: setting up the run and holding the three sides together: manifest, stored Parquet, recomputation. What
counts as equal is `methods.lineage.compare`; pages are rendered again by `resources.site.proof`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl
from rich.console import Console
from rich.text import Text

from methods.catalog.released_tables import released_tables, tables_not_asked_for
from methods.lineage.compare import TableDifference, compare_tables
from pipelines.graph import build_defs
from pipelines.instance import passing_instance
from pipelines.interruption import interruptible
from pipelines.jobs import DAY
from pipelines.running import QUIET
from resources.catalog_problems import CatalogError
from resources.code_version import code_version
from resources.evidence_store import EVIDENCE_FOLDER
from resources.kernel_cache import use_kernel_cache
from resources.manifest import DamagedReleaseError, Release, release_faults
from resources.publication import withheld_of
from resources.release_catalog import release_catalog
from resources.releases import ReleaseStore
from resources.settings import Settings
from resources.site.proof import SiteProof, prove_site
from resources.table_files import TableError
from resources.workspace import PinnedRun, StepProblem, Workspace
from warehouse.tables import RELEASED, TABLES

SHOWN = 20
"""Files of the site that are told by name."""


@dataclass(frozen=True)
class Verification:
    """What came of a verification.

    Attributes:
        faults: files of the release that are not as its manifest says.
        differences: tables whose values differ between manifest, stored Parquet and recomputation.
        problems: exceptions that the recomputation ended with.
        code_differs: whether the program that recomputed is another than the one that published.
        site: what came of rendering its site again; None where that was not asked for, or not reached.
        withdrawn: why the release was withdrawn; None where it was not. Its numbers may hold all the same.
    """

    release: Release
    faults: tuple[str, ...]
    differences: tuple[TableDifference, ...]
    problems: tuple[StepProblem, ...]
    code_differs: bool
    site: SiteProof | None = None
    withdrawn: str | None = None

    @property
    def holds(self) -> bool:
        """Whether recomputed = manifest = stored for every table, and rendered = manifest for every page."""
        return not (self.faults or self.differences or self.problems) and (self.site is None or self.site.holds)

    def as_json(self) -> dict[str, Any]:
        """The verification as JSON values."""
        manifest = self.release.manifest
        return {
            "release_id": self.release.release_id,
            "holds": self.holds,
            "withdrawn": self.withdrawn,
            "exactness": manifest.exactness,
            "code_version": manifest.code_version,
            "code_differs": self.code_differs,
            "tables": manifest.table_hashes,
            "faults": list(self.faults),
            "differences": [difference.text for difference in self.differences],
            "problems": [f"{problem.step}: {problem.error}" for problem in self.problems],
            "site": None if self.site is None else _site_json(self.site),
        }

    def show(self, out: Console) -> None:
        """Prints the verification for people."""
        manifest = self.release.manifest
        for name, entry in manifest.tables.items():
            bad = any(difference.table == name for difference in self.differences)
            mark = Text("differs" if bad else "same   ", "bold red" if bad else "green")
            out.print(Text.assemble(mark, f"  {entry.hash}  {name} ({entry.rows:,} rows)"), soft_wrap=True)
        for line in (
            *self.faults,
            *(d.text for d in self.differences),
            *(f"{p.step}: {p.error}" for p in self.problems),
        ):
            out.print(Text(line, "red"), soft_wrap=True)
        if self.code_differs:
            words = f"Recomputed with other code than the release's ({manifest.code_version[:12]})."
            out.print(Text(words, "yellow"), soft_wrap=True)
        pages = "" if self.site is None else _show_site(self.site, out)
        if self.holds:
            said = f"{len(manifest.tables)} tables{pages}"
            out.print(f"{self.release.release_id} holds: recomputed = manifest = stored, {said}.")
        else:
            out.print(f"{self.release.release_id} does not hold.")
        if self.withdrawn is not None:
            out.print(Text(f"It is withdrawn: {self.withdrawn}", "bold red"), soft_wrap=True)


def _site_json(site: SiteProof) -> dict[str, Any]:
    return {
        "files": site.files,
        "holds": site.holds,
        "same_program": site.is_of_this_program,
        "differences": list(site.differences),
        "notes": list(site.notes),
    }


def _show_site(site: SiteProof, out: Console) -> str:
    """Prints what differs of the site; returns how its pages are told in the closing line."""
    style = "red" if site.is_of_this_program else "yellow"
    for line in site.differences[:SHOWN]:
        out.print(Text(line, style), soft_wrap=True)
    if len(site.differences) > SHOWN:
        out.print(Text(f"and {len(site.differences) - SHOWN:,} more files of the site", style), soft_wrap=True)
    if site.differences and not site.is_of_this_program:
        out.print(Text("The site was rendered by other code or packages; its tables hold all the same.", "yellow"))
    for line in site.notes:
        out.print(Text(line, "yellow"), soft_wrap=True)
    return f"; {site.files:,} files of the site, rendered again" if site.files and not site.differences else ""


def verify_release(
    settings: Settings,
    named: str,
    *,
    with_site: bool = True,
    progress: Callable[[str], None] | None = None,
) -> Verification:
    """Recompute a release, named by its id, `current` or `previous`, in a folder of its own.

    Its site is rendered again once the tables hold, `with_site`.

    Raises:
        ReleaseError: for one that there is none of.
        FormerCatalogError: for a whole release whose catalog only another version of the program reads.
        DamagedReleaseError: for a release whose folder or manifest is missing or was changed.
    """
    store = ReleaseStore(settings.home)
    release = store.open(named)
    faults = tuple(release_faults(release))
    if not faults:
        release_catalog(release)  # a whole release of another form is no fault: it is said who can verify it
    differs = code_version() != release.manifest.code_version
    withdrawn = store.ledger().withdrawn.get(release.release_id)
    with tempfile.TemporaryDirectory(prefix="scoretrail-verify-") as folder:
        try:
            workspace = _recompute(settings, release, Path(folder))
        except (CatalogError, DamagedReleaseError) as error:
            # Its own catalog or baseline is too damaged to recompute anything from.
            problem = StepProblem("recomputation", error)
            return Verification(release, faults, (), (problem,), differs, withdrawn=withdrawn)
        recomputed = _frames(workspace, release)
    differences = compare_tables(
        release.manifest.table_hashes,
        _stored(release),
        recomputed,
        frozenset(RELEASED) if release.manifest.exactness == "tolerance" else frozenset(),
    )
    tables = Verification(release, faults, tuple(differences), tuple(workspace.problems), differs, None, withdrawn)
    if not (with_site and tables.holds):
        return tables
    return replace(tables, site=prove_site(store, release, code_version(), progress))


def _recompute(settings: Settings, release: Release, folder: Path) -> Workspace:
    """Runs the day again in a fresh home that shares snapshots and evidence, pinned to what the manifest states."""
    manifest = release.manifest
    for name in ("snapshots", EVIDENCE_FOLDER):
        (folder / name).symlink_to(settings.home / name, target_is_directory=True)
    pinned = PinnedRun(
        release_id=manifest.release_id,
        as_of=manifest.as_of,
        decided_at=manifest.decided_at,
        code_version=manifest.code_version,
        snapshots={entry.leaderboard: entry.sha256 for entry in manifest.snapshots if entry.sha256 is not None},
        baseline_release_id=manifest.baseline_release_id,
        baseline=release.baseline(),
        evidence={(entry.kind, entry.name): entry.sha256 for entry in manifest.evidence},
    )
    own = Settings.from_env(
        home=folder, catalog_dir=release.catalog_dir, sources_file=release.catalog_dir / "sources.yaml"
    )
    use_kernel_cache(settings.home)
    workspace = Workspace.open(own, pinned=pinned)
    job = build_defs(workspace.catalog, workspace).resolve_job_def(DAY)
    with passing_instance() as instance, interruptible():
        job.execute_in_process(
            instance=instance,
            partition_key=manifest.as_of.isoformat(),
            raise_on_error=False,
            run_config=QUIET,
            asset_selection=[dg.AssetKey(name) for name in released_tables(workspace.catalog)],
        )
    return workspace


def _frames(workspace: Workspace, release: Release) -> dict[str, pl.DataFrame]:
    """The recomputed tables as they go out; a table of studies nobody asked for, which releases once held, is empty."""
    day = release.manifest.as_of
    held = withheld_of(workspace, day)
    made = released_tables(workspace.catalog)
    not_asked = set(tables_not_asked_for(workspace.catalog)).intersection(release.manifest.tables)
    return {name: TABLES[name].empty() for name in not_asked} | {
        name: held.released(name, workspace.frame(name, day)) for name in made if workspace.tables.exists(name, day)
    }


def _stored(release: Release) -> dict[str, pl.DataFrame]:
    found = {}
    for name in release.manifest.tables:
        try:
            found[name] = release.read(name)
        except TableError:
            continue  # a damaged file is among the faults already, and stays missing here
    return found
