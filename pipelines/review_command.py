"""`scoretrail review`: candidate pairs to a spreadsheet and back, the queue, and the page that makes it quick."""

from __future__ import annotations

import sys
import webbrowser
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, SourcesOption, UsageError
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    from resources.candidate_pairs import ReviewedSet
    from resources.settings import Settings

app = typer.Typer(no_args_is_help=True, help="Candidate pairs: what awaits a person, and what people decided.")

FreezeOption = Annotated[
    str | None, typer.Option("--freeze", help="Pairs of this registered freeze. [default: the newest night's]")
]
AsOfOption = Annotated[str | None, typer.Option("--as-of", help="Pairs of this night. [default: the newest]")]
AllOption = Annotated[bool, typer.Option("--all", help="Decided pairs too, not only those that await a person.")]


def open_pairs(settings: Settings, freeze: str | None, as_of: str | None) -> ReviewedSet:
    """The pairs of a freeze, or of a night.

    Raises:
        UsageError: where both are named.
        EvidenceError, TableError: where there is no such freeze or night, or it is damaged.
    """
    from resources.candidate_pairs import frozen_pairs, newest_pairs
    from resources.catalog_files import load_catalog

    if freeze is not None and as_of is not None:
        raise UsageError("--freeze and --as-of: name one of them")
    catalog = load_catalog(settings.catalog_dir, settings.sources_file).catalog
    if freeze is not None:
        return frozen_pairs(settings.home, catalog, freeze)
    return newest_pairs(settings.home, catalog, options.parse_day(as_of))


@app.command("queue")
def queue(
    *,
    freeze: FreezeOption = None,
    as_of: AsOfOption = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Pairs shown.")] = 20,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    sources: SourcesOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Pairs that await a person, the longest waiting first, with their age; decisions that no pair answers to."""
    from resources.candidate_pairs import first_seen

    settings = options.open_settings(home, catalog, sources)
    chosen = open_pairs(settings, freeze, as_of)
    seen = first_seen(settings.home)
    today = datetime.now(UTC).date()
    walker = chosen.walker
    walks = [walk for walk in map(walker.walk, walker.pair_ids) if walk.is_awaiting]
    walks.sort(key=lambda walk: (seen.get(walk.pair_id, today), walk.pair["benchmark"], walk.pair_id))
    ages = {walk.pair_id: (today - seen.get(walk.pair_id, today)).days for walk in walks}
    review = walker.review
    if as_json:
        rows = [
            {
                "pair_id": walk.pair_id,
                "benchmark": walk.pair["benchmark"],
                "models": [walk.a["model"], walk.b["model"]],
                "first_seen": seen.get(walk.pair_id),
                "age_days": ages[walk.pair_id],
                "suggested": walk.suggestion.decision,
                "disputed": walk.pair_id in review.disputed,
            }
            for walk in walks
        ]
        orphans = {"orphaned": list(review.orphaned), "disputed": list(review.disputed)}
        console.print_json({"of": chosen.label, "pairs": len(walker.pair_ids), "awaiting": rows, **orphans})
        return ExitCode.OK
    shown = [
        (
            walk.pair_id, walk.pair["benchmark"], f"{walk.a['model']} | {walk.b['model']}", str(ages[walk.pair_id]),
            walk.suggestion.decision, "reviewers disagree" if walk.pair_id in review.disputed else "",
        )
        for walk in walks[:limit]
    ]  # fmt: skip
    columns = [("pair", "left"), ("benchmark", "left"), ("models", "left"), ("days", "right"), ("suggested", "left")]
    title = f"{len(walks)} of {len(walker.pair_ids)} pairs of {chosen.label} await a person"
    out = console.stdout()
    out.print(console.table(title, [*columns, ("", "left")], shown))
    if len(walks) > limit:
        out.print(f"and {len(walks) - limit} more: --limit, or scoretrail review serve", markup=False)
    for pair in review.orphaned:
        out.print(f"orphaned decision: {pair} is no candidate pair of {chosen.label}", markup=False, soft_wrap=True)
    return ExitCode.OK


@app.command("export")
def export(
    *,
    out: Annotated[Path, typer.Option("--out", help="CSV file to write.")],
    freeze: FreezeOption = None,
    as_of: AsOfOption = None,
    everything: AllOption = False,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    sources: SourcesOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Pairs for a spreadsheet: both rows side by side, links, rules, and a suggestion that nobody took yet.

    Fill decision, reason, reviewer and reviewed_at, and bring the file back with `review import`.
    """
    from resources.atomic_files import write_bytes
    from resources.candidate_pairs import first_seen
    from resources.review_sheet import sheet_bytes

    settings = options.open_settings(home, catalog, sources)
    chosen = open_pairs(settings, freeze, as_of)
    walks = [chosen.walker.walk(pair) for pair in chosen.walker.pair_ids]
    walks = [walk for walk in walks if everything or walk.is_awaiting]
    if out.is_dir():
        raise UsageError(f"--out {out}: is a folder; name a file, for example {out / 'pairs.csv'}")
    write_bytes(out, sheet_bytes(walks, first_seen(settings.home)))
    if as_json:
        console.print_json({"file": str(out), "of": chosen.label, "pairs": len(walks)})
    else:
        said = f"Wrote {len(walks)} of {len(chosen.walker.pair_ids)} pairs of {chosen.label} to {out}"
        console.stdout().print(said, markup=False, soft_wrap=True)
    return ExitCode.OK


@app.command("import")
def import_sheet(
    sheet: Annotated[Path, typer.Argument(help="CSV file that `review export` wrote and a person filled.")],
    *,
    reviewer: Annotated[str | None, typer.Option("--reviewer", help="Who decided, for lines that name nobody.")] = None,
    freeze: FreezeOption = None,
    as_of: AsOfOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    sources: SourcesOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Decisions back in: every line is checked, then all are appended to decisions.csv, or none.

    An `aligned` that the program cannot confirm is refused with the fields named. A line without a decision is passed
    over; one that only says again what its reviewer said last adds nothing.
    """
    from resources.decision_file import append_decisions
    from resources.review_sheet import SheetRows, read_sheet
    from warehouse.catalog_model import Decision

    settings = options.open_settings(home, catalog, sources)
    if not sheet.is_file():
        raise UsageError(f"{sheet}: no such file")
    chosen = open_pairs(settings, freeze, as_of)
    data, today = sheet.read_bytes(), datetime.now(UTC).date()
    read: list[SheetRows] = []

    def checked(standing: tuple[Decision, ...]) -> tuple[Decision, ...]:
        read.append(read_sheet(data, sheet.name, chosen.walker, standing, reviewer=reviewer, today=today))
        return read[-1].new

    chosen.walker.decide(append_decisions(settings.catalog_dir, checked))
    _tell_shipped(settings)
    rows, review = read[-1], chosen.walker.review
    waiting = sum(chosen.walker.walk(pair).is_awaiting for pair in chosen.walker.pair_ids)
    if as_json:
        console.print_json(
            {
                "added": len(rows.new), "undecided": rows.undecided, "repeated": rows.repeated, "awaiting": waiting,
                "disputed": list(review.disputed), "orphaned": list(review.orphaned),
            }
        )  # fmt: skip
        return ExitCode.OK
    out = console.stdout()
    out.print(
        f"Added {len(rows.new)} decisions to {settings.catalog_dir / 'decisions.csv'}; {rows.undecided} lines were not "
        f"decided, {rows.repeated} said nothing new; {waiting} pairs of {chosen.label} await a person.",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    for pair in review.disputed:
        out.print(f"  reviewers disagree on {pair}", markup=False, soft_wrap=True)
    return ExitCode.OK


@app.command("serve")
def serve(
    *,
    reviewer: Annotated[str, typer.Option("--reviewer", help="Who decides; stands beside every decision.")],
    freeze: FreezeOption = None,
    as_of: AsOfOption = None,
    everything: AllOption = False,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; any free one where none is named.")] = 0,
    browse: Annotated[bool, typer.Option("--browse", help="Open it in the browser of this machine.")] = False,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    sources: SourcesOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """The review page: one pair at a time, by keys, on this machine alone. Ctrl-C ends it; what was saved stays."""
    from resources.candidate_pairs import first_seen
    from resources.decision_file import text_fault
    from resources.review import Review
    from resources.review_server import ReviewServer

    settings = options.open_settings(home, catalog, sources)
    if not reviewer.strip() or text_fault(reviewer):
        raise UsageError(f"--reviewer {reviewer!r}: {text_fault(reviewer) or 'must be a name'}")
    seen: dict[str, date] = first_seen(settings.home)
    _tell_shipped(settings)
    review = Review(settings.catalog_dir, open_pairs(settings, freeze, as_of), reviewer.strip(), seen, everything)
    with ReviewServer(review, port) as server:
        if as_json:
            console.print_json({"review": review.chosen.label, "address": server.address})
        else:
            console.stdout().print(f"Review of {review.chosen.label}: {server.address}", soft_wrap=True, markup=False)
        sys.stdout.flush()
        console.progress_line("only this machine can reach it; Ctrl-C ends it")
        if browse:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            console.progress_line("ended")
    return ExitCode.OK


def _tell_shipped(settings: Settings) -> None:
    """Says so where decisions go into the catalog that came with the checkout."""
    hint = options.shipped_catalog_hint(settings)
    if hint is not None:
        console.progress_line(hint)
