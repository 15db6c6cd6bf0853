"""`scoretrail catalog preview`: which scores, ranks and statuses an edited catalog would move, before it is merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, ReleaseOption, SourcesOption, UsageError
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    from methods.lineage.preview import Preview


def preview(
    *,
    release: ReleaseOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    sources: SourcesOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Which scores, ranks and statuses the catalog in --catalog would move against a release. Writes nothing.

    The release's own snapshots are scored under the edited catalog, read again where its sources map them otherwise.
    """
    from methods.catalog.matching import CatalogConflict
    from methods.lineage.preview import preview as preview_catalog
    from resources.catalog_files import load_catalog
    from resources.code_version import code_version
    from resources.diff_sides import side_of
    from resources.release_rows import reread_rows
    from resources.releases import ReleaseStore
    from resources.snapshots import SnapshotStore

    settings = options.open_settings(home, catalog, sources)
    store = ReleaseStore(settings.home)
    found = store.open(release) if release else store.current()
    if found is None:
        raise UsageError(f"{settings.home} holds no release yet; make one with: scoretrail run --home {settings.home}")
    loaded = load_catalog(settings.catalog_dir, settings.sources_file)
    side = side_of(store, found)
    read_again = reread_rows(SnapshotStore(settings.home), found, side.catalog, loaded.catalog)
    rows = side.raw_rows if read_again.equals(side.raw_rows) else read_again
    evidence, exclusions = found.read("core__evidence"), found.read("core__exclusion")
    try:
        tried = preview_catalog(side, evidence, exclusions, loaded.catalog, rows, code_version())
    except CatalogConflict as error:
        raise UsageError(f"{settings.catalog_dir}: {error}") from error
    if as_json:
        problems = [str(problem) for problem in loaded.problems]
        console.print_json({**tried.as_json(), "broken_sources": problems, "catalog": str(settings.catalog_dir)})
    else:
        for problem in loaded.problems:
            console.error_line(f"{problem} (this entry is left out of the preview)")
        print_preview(console.stdout(), tried)
    return ExitCode.OK


def print_preview(out: Console, tried: Preview) -> None:
    """Prints a preview: what the catalog changes in the evidence, then what that would move."""
    from pipelines.diff_text import print_diff

    _line(out, f"Preview on {tried.diff.former.release_id}: nothing is written, nothing is published.", "bold")
    if tried.absent_sources:
        names = ", ".join(tried.absent_sources)
        _line(
            out,
            f"warning this catalog lacks {names}: their rows would be gone (--sources names another file)",
            "yellow",
        )
    if tried.unread_sources:
        _line(out, f"not read: the release has no bytes of {', '.join(tried.unread_sources)}; a run would sync them")
    for item in tried.unmet:
        _line(out, f"correction {item.correction_id} would not apply: {item.message}", "yellow")
    for metric in tried.metrics:
        _line(out, f"metric {metric.metric_id}: {metric.former} -> {metric.latter} rows of evidence")
    for code, (former, latter) in tried.reasons.items():
        if former != latter:
            _line(out, f"left out as {code}: {former} -> {latter}")
    if tried.moves_nothing:
        _line(out, "No published score, status or rank would move.", "green")
    print_diff(out, tried.diff)


def _line(out: Console, text: str, style: str = "") -> None:
    out.print(Text(text, style=style), soft_wrap=True)
