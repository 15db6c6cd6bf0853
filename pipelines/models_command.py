"""`scoretrail models`: names that the registry does not know, and proposals for it. Nothing is ever applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, UsageError
from warehouse.exit_codes import ExitCode
from warehouse.plain_text import counted

if TYPE_CHECKING:
    import polars as pl

    from methods.names.additions import Addition
    from methods.names.proposals import Judged, Suggestion
    from resources.settings import Settings
    from warehouse.catalog_model import Catalog

app = typer.Typer(no_args_is_help=True, help="The model registry: which names it does not know, and what they may be.")
LimitOption = Annotated[int, typer.Option("--limit", min=1, help="How many to show; --json gives all.")]
SHOWN_EVIDENCE = 3


@app.command("unresolved")
def unresolved(
    *, limit: LimitOption = 20, home: HomeOption = None, catalog: CatalogOption = None, as_json: JsonOption = False
) -> ExitCode:
    """Received names that belong to no model of the registry, those with most results first. They are never guessed."""
    from methods.names.unresolved import unresolved_names

    results, registry = _results_and_catalog(options.open_settings(home, catalog))
    names = unresolved_names(results, registry)
    waiting = sum(name.results for name in names)
    if as_json:
        listed = [asdict(name) for name in names]
        console.print_json({"results": results.height, "unresolved_results": waiting, "names": listed})
        return ExitCode.OK
    rows = [(f"{name.results:,}", name.name, ", ".join(name.leaderboards), name.why) for name in names[:limit]]
    title = f"{waiting:,} of {results.height:,} results stand under {counted(len(names), 'name')} not identified"
    columns = [("results", "right"), ("name", "left"), ("leaderboards", "left"), ("why", "left")]
    console.stdout().print(console.table(title, columns, rows))
    _more(len(names), limit)
    return ExitCode.OK


@app.command("suggest")
def suggest(
    *,
    pairs: Annotated[
        Path | None,
        typer.Option("--pairs", help="CSV of judged pairs: name_a, name_b, verdict (same or different)."),
    ] = None,
    limit: LimitOption = 20,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Aliases and models to add, with evidence, as entries of models.yaml to read and paste. Nothing is applied.

    Those that would rate a model, or add most results that count, come first; doubtful ones last.
    """
    from methods.names.additions import additions, ranked
    from methods.names.suggestions import suggest as suggestions_for
    from methods.names.unresolved import unresolved_names

    settings = options.open_settings(home, catalog)
    results, registry = _results_and_catalog(settings)
    proposed = suggestions_for(results, registry, _judged(pairs) if pairs else ())
    exclusions, evidence = _last_day(settings, "core__exclusion"), _last_day(settings, "core__evidence")
    adds = additions(proposed, results, exclusions, evidence, registry)
    found = ranked(zip(proposed, adds, strict=True))
    told = {name for item in proposed for name in item.names}
    rest = [name.name for name in unresolved_names(results, registry) if name.name not in told]
    if as_json:
        listed = [{**asdict(item), "adds": asdict(added)} for item, added in found]
        console.print_json({"suggestions": listed, "without_proposal": rest})
        return ExitCode.OK
    aliases = [pair for pair in found if pair[0].model_id is not None]
    new = [pair for pair in found if pair[0].model_id is None]
    _show(f"{len(aliases):,} proposals for models of the registry", aliases[:limit])
    _more(len(aliases), limit)
    _show(f"{len(new):,} names that lead to no model: new entries, if they are models", new[:limit])
    _more(len(new), limit)
    if rest:
        line = f"{counted(len(rest), 'further name')} without a proposal, with what speaks against a guess: "
        console.stdout().print(f"{line}scoretrail models unresolved", markup=False, soft_wrap=True)
    console.stdout().print("Nothing was changed. Paste what is right into models.yaml, in place of the entry's line.")
    return ExitCode.OK


def _show(title: str, items: Sequence[tuple[Suggestion, Addition]]) -> None:
    out = console.stdout()
    out.print(title, style="bold", markup=False)
    for item, added in items:
        boards = ", ".join(item.leaderboards)
        out.print(
            f"\n  # {counted(item.results, 'result')} of {boards}; {added.sentence}", markup=False, soft_wrap=True
        )
        for evidence in item.evidence[:SHOWN_EVIDENCE]:
            out.print(f"  # {evidence.kind}: {evidence.detail}", markup=False, soft_wrap=True)
        if len(item.evidence) > SHOWN_EVIDENCE:
            out.print(f"  # and {len(item.evidence) - SHOWN_EVIDENCE} more", markup=False)
        for reason in item.against:
            out.print(f"  # AGAINST {reason}", markup=False, soft_wrap=True)
        out.print(item.stanza.rstrip(), markup=False, soft_wrap=True)


def _more(count: int, limit: int) -> None:
    if count > limit:
        console.progress_line(f"{count - limit:,} more: --limit {count}, or --json")


def _results_and_catalog(settings: Settings) -> tuple[pl.DataFrame, Catalog]:
    """`core__result` of the home's last day, and the catalog in force.

    Raises:
        UsageError: where the home has computed no day.
    """
    from resources.catalog_files import load_catalog
    from resources.tables import TableStore

    tables = TableStore(settings.home)
    days = tables.days("core__result") if settings.home.is_dir() else []
    if not days:
        raise UsageError(f"{settings.home} holds no results yet; make some with: scoretrail run --home {settings.home}")
    return tables.read("core__result", max(days)), load_catalog(settings.catalog_dir, settings.sources_file).catalog


def _last_day(settings: Settings, table: str) -> pl.DataFrame:
    """A table of the home's last day that has one; without rows where no day has."""
    from resources.tables import TableStore
    from warehouse.tables import TABLES

    tables = TableStore(settings.home)
    days = tables.days(table)
    return tables.read(table, max(days)) if days else TABLES[table].empty()


def _judged(path: Path) -> list[Judged]:
    """Judged pairs of a CSV file.

    Raises:
        UsageError: where it cannot be read, lacks a column, or a verdict is neither same nor different.
    """
    import polars as pl

    from methods.names.proposals import Judged
    from resources.csv_records import ragged_record

    wanted = ("name_a", "name_b", "verdict")
    try:
        with path.open("rb") as stream:
            ragged = ragged_record(stream)
        if ragged is not None:
            raise UsageError(f"--pairs {path}, {ragged}")
        frame = pl.read_csv(path, infer_schema=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise UsageError(f"--pairs {path}: cannot be read: {error}") from error
    absent = [name for name in wanted if name not in frame.columns]
    if absent:
        raise UsageError(f"--pairs {path}: lacks {', '.join(absent)}; it has {', '.join(frame.columns)}")
    wrong = frame.with_row_index("line", offset=2).filter(~pl.col("verdict").is_in(["same", "different"]))
    if wrong.height:
        line, verdict = wrong.select("line", "verdict").row(0)
        raise UsageError(f"--pairs {path}, line {line}: verdict {verdict!r} is neither same nor different")
    return [Judged(a, b, verdict == "same") for a, b, verdict in frame.select(wanted).rows()]
