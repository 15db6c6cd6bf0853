"""`scores`, `explain`, `verify`, `freeze`: what a published release says, and whether it holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, ReleasedCatalogOption, ReleaseOption, UsageError
from warehouse.exit_codes import ExitCode
from warehouse.vocabulary import CATEGORIES

if TYPE_CHECKING:
    from methods.lineage.explanation import Explanation
    from methods.lineage.linked_explanation import LinkedExplanation
    from pipelines.release_reader import ReleaseReader


def scores(
    *,
    category: Annotated[str | None, typer.Option("--category", "-c", help="One category; all if none.")] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Rows shown per category; all if none.")
    ] = None,
    release: ReleaseOption = None,
    home: HomeOption = None,
    catalog: ReleasedCatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """The published board. A rank range, not the rank, says what the evidence separates."""
    from pipelines.release_reader import ReleaseReader

    category = None if category is None else known_category(category)
    reader = ReleaseReader(options.open_settings(home, catalog).home, release)
    table = reader.table("out__category_score")
    wanted = [category] if category else table["category"].unique().sort().to_list()
    if as_json:
        rows = table.filter(table["category"].is_in(wanted)).rows(named=True)
        release_id, withdrawn = reader.release.release_id, reader.withdrawn
        console.print_json({"release_id": release_id, "withdrawn": withdrawn, "scores": rows})
        return ExitCode.OK
    out = console.stdout()
    manifest = reader.release.manifest
    out.print(
        f"Release {manifest.release_id} as of {manifest.as_of}, catalog {manifest.catalog_version}, "
        f"methodology {manifest.methodology_version}. Ability relative to this run's models; no success rate.",
        markup=False,
    )
    if reader.withdrawn is not None:
        out.print(f"WITHDRAWN: {reader.withdrawn}", style="bold red", markup=False)
    for name in wanted:
        out.print()
        out.print(console.board_table(table, name, limit))
    return ExitCode.OK


def explain(
    model: Annotated[str, typer.Argument(help="Model id, or its exact name or alias.")],
    category: Annotated[str, typer.Argument(help="One of the eight categories.")],
    *,
    linked: Annotated[
        bool, typer.Option("--linked", help="The linked score instead of the methodology's own.")
    ] = False,
    release: ReleaseOption = None,
    home: HomeOption = None,
    catalog: ReleasedCatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Why a score is what it is: every contribution, down to snapshot hash and row; they sum to the score."""
    from methods.lineage.explain import UnknownScoreError
    from pipelines.explanation_parts import check_sum
    from pipelines.release_reader import ReleaseReader

    category = known_category(category)
    reader = ReleaseReader(options.open_settings(home, catalog).home, release)
    model_id = reader.model_id(model)
    try:
        item, show = _taken_apart(reader, model_id, category, linked=linked)
    except UnknownScoreError as error:
        scored = reader.table("out__linked_score" if linked else "out__category_score")
        where = ", ".join(scored.filter(scored["model_id"] == model_id)["category"].sort()) or "none"
        raise UsageError(f"{error}; categories with evidence: {where}") from error
    check_sum(item)
    if as_json:
        console.print_json({"withdrawn": reader.withdrawn, **item.as_json()})
    else:
        if reader.withdrawn is not None:
            console.stdout().print(f"WITHDRAWN: {reader.withdrawn}", style="bold red", markup=False)
        show()
    return ExitCode.OK


def _taken_apart(
    reader: ReleaseReader, model_id: str, category: str, *, linked: bool
) -> tuple[Explanation | LinkedExplanation, Callable[[], None]]:
    """The explanation, and how it is printed."""
    if linked:
        from methods.lineage.explain_linked import NEEDED_LINKED, explain_linked
        from pipelines.linked_explanation_text import print_linked_explanation

        tables = {name: reader.table(name) for name in NEEDED_LINKED}
        score = explain_linked(model_id, category, tables, reader.catalog)
        return score, lambda: print_linked_explanation(console.stdout(), score)
    from methods.lineage.explain import NEEDED
    from methods.lineage.explain import explain as explain_score
    from pipelines.explanation_text import print_explanation

    item = explain_score(model_id, category, {name: reader.table(name) for name in NEEDED}, reader.catalog)
    return item, lambda: print_explanation(console.stdout(), item)


def verify(
    release: Annotated[str, typer.Argument(help="A release: id, `current`, `previous`; or an exported archive.")],
    *,
    site: Annotated[bool, typer.Option("--site/--no-site", help="Render its site again too, byte for byte.")] = True,
    home: HomeOption = None,
    catalog: ReleasedCatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Recompute a release from its own snapshots and catalog and compare every table hash, and every page's bytes.

    Ends with 0 where recomputed = manifest = stored, 1 where they differ, naming the first table and rows that do, or
    the pages of the site. Pages that another version of the program rendered otherwise are told, and are no fault. An
    archive is recomputed as far as the inputs in it allow; what is missing is named.
    """
    from pipelines.archive_verification import ArchiveVerification, verify_archive
    from pipelines.verification import Verification, verify_release
    from resources.manifest import DamagedReleaseError

    settings = options.open_settings(home, catalog)
    progress = None if as_json else console.progress_line
    try:
        report: Verification | ArchiveVerification = (
            verify_archive(Path(release), with_site=site, progress=progress)
            if Path(release).is_file()
            else verify_release(settings, _no_path(release), with_site=site, progress=progress)
        )
    except DamagedReleaseError as error:
        if as_json:
            console.print_json({"release_id": release, "holds": False, "faults": [str(error)]})
        else:
            console.error_line(f"{release} does not hold: {error}")
        return ExitCode.GATE
    if as_json:
        console.print_json(report.as_json())
    else:
        report.show(console.stdout())
    return ExitCode.OK if report.holds else ExitCode.GATE


def _no_path(named: str) -> str:
    """What names a release, since it is no path of an archive.

    Raises:
        UsageError: for what can only have been meant as one.
    """
    if "/" in named or named.lower().endswith(".zip"):
        is_folder = Path(named).is_dir()
        raise UsageError(
            f"{named}: {'is a folder' if is_folder else 'no such file'}; name an archive that `scoretrail export` "
            "wrote, or a release: its id, `current` or `previous`"
        )
    return named


def known_category(category: str) -> str:
    """A category as it is written, however its case was typed.

    Raises:
        UsageError: for one that does not exist, naming the eight there are.
    """
    if category.lower() not in CATEGORIES:
        raise UsageError(f"no category {category!r}; there are {', '.join(CATEGORIES)}")
    return category.lower()


def freeze(
    *,
    out: Annotated[Path, typer.Option("--out", help="Folder to write; empty, or a former freeze.")],
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="Day to freeze. [default: the newest day there is]")
    ] = None,
    register: Annotated[
        str | None, typer.Option("--register", help="Keep it as evidence of the home, under this name.")
    ] = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """A frozen CSV of all results with their links, and a manifest of hashes: the same bytes on every call."""
    from pipelines.register_command import register_freeze, registered_line
    from resources.freeze import freeze as freeze_results
    from resources.tables import TableStore

    settings = options.open_settings(home, catalog)
    tables = TableStore(settings.home)
    days = tables.days("core__result")
    if not days:
        raise UsageError(f"{settings.home} holds no results yet; make some with: scoretrail run --home {settings.home}")
    day = options.parse_day(as_of) or max(days)
    if day not in days:
        raise UsageError(f"no results as of {day} in {settings.home}; there are {', '.join(map(str, days[-5:]))}")
    for name in ("core__result", "raw__snapshot"):
        tables.verify(name, day)
    results = tables.read("core__result", day)
    manifest = freeze_results(results, tables.read("raw__snapshot", day), out, as_of=day)
    record = None if register is None else register_freeze(settings.home, register, out)
    if as_json:
        registered = None if record is None else {"name": record.name, "sha256": record.sha256}
        console.print_json({"folder": str(out), "manifest": manifest, "registered": registered})
        return ExitCode.OK
    console.stdout().print(f"Froze {results.height:,} results as of {day} into {out}: manifest.json has the hashes")
    if record is not None:
        console.stdout().print(registered_line(record), markup=False, soft_wrap=True)
    return ExitCode.OK
