"""`scoretrail pair`: the walk for a pair, and over all pairs what to record so that more become usable."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, ReleaseOption, SourcesOption, UsageError
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    from methods.pairing.walk import PairWalker
    from pipelines.release_reader import ReleaseReader


def pair(
    pair_id: Annotated[str | None, typer.Argument(help="Pair id; all pairs together where none is named.")] = None,
    *,
    freeze: Annotated[
        str | None, typer.Option("--freeze", help="A pair of this registered freeze, not of a release.")
    ] = None,
    release: ReleaseOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    sources: SourcesOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Why two rows may be subtracted or not: both rows to snapshot and row, rules, fields, what to record.

    Without a pair: which field, and which smallest set of fields, would make how many pairs usable.
    """
    from methods.pairing.unlocking import unlock_counts
    from methods.pairing.walk import UnknownPairError
    from pipelines.pair_text import print_unlocking, print_walk
    from pipelines.release_reader import ReleaseReader
    from pipelines.review_command import open_pairs

    settings = options.open_settings(home, catalog, sources)
    if freeze is not None:
        if release is not None:
            raise UsageError("--freeze and --release: name one of them")
        chosen = open_pairs(settings, freeze, None)
        label, walker = chosen.label, chosen.walker
    else:
        reader = ReleaseReader(settings.home, release)
        label, walker = f"release {reader.release.release_id}", released_walker(reader)
    out = console.stdout()
    if pair_id is None:
        found = unlock_counts(walker.alignments.values())
        if as_json:
            sets = [{**asdict(one), "sentence": one.sentence} for one in found.sets]
            console.print_json({"of": label, **asdict(found), "sets": sets})
        else:
            print_unlocking(out, label, found)
        return ExitCode.OK
    try:
        walk = walker.walk(pair_id if pair_id in walker.pair_ids else "~".join(sorted(pair_id.split("~"))))
    except UnknownPairError as error:
        hint = console.suggestion(pair_id, walker.pair_ids)
        raise UsageError(f"{error} of {label}{hint or '; scoretrail review queue lists them'}") from error
    if as_json:
        console.print_json({"of": label, **walk.as_json()})
    else:
        print_walk(out, label, walk)
    return ExitCode.OK


def released_walker(reader: ReleaseReader) -> PairWalker:
    """The pairs of a release, with its own catalog and decisions.

    Where its table of pairs went out empty, since its gates said no, they are generated again from its results.
    """
    from methods.pairing.fast import candidate_pairs
    from methods.pairing.walk import PairWalker

    results, pairs = reader.table("core__result"), reader.table("core__candidate_pair")
    return PairWalker(
        pairs if pairs.height else candidate_pairs(results, reader.catalog).frame, results, reader.catalog
    )
