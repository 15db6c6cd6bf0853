"""`scoretrail diff`: what changed between two releases and why, with parts that sum to the change (METHODS 7)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines import console, options
from pipelines.options import HomeOption, JsonOption, ReleasedCatalogOption, UsageError
from pipelines.release_commands import known_category
from warehouse.exit_codes import ExitCode


def diff(
    former: Annotated[str, typer.Argument(help="The former release: its id, `previous` or `current`.")],
    latter: Annotated[str, typer.Argument(help="The latter release: its id, `current` or `previous`.")],
    model: Annotated[str | None, typer.Argument(help="One model: id, exact name or alias. Needs CATEGORY.")] = None,
    category: Annotated[str | None, typer.Argument(help="One of the eight categories.")] = None,
    *,
    same_basis: Annotated[
        bool,
        typer.Option(
            "--same-basis", help="Refuse, with exit code 1, where catalog, methodology or code of the two differ."
        ),
    ] = False,
    home: HomeOption = None,
    catalog: ReleasedCatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """What changed between two releases and why: parts that sum to each change, both versions always stated.

    Scores of releases that differ in catalog, methodology or code are no repeated measurement; that is said first.
    """
    from methods.lineage.release_basis import differences, facts_json, warnings
    from methods.lineage.release_diff import compare, score_json, with_sentence
    from pipelines.diff_text import print_diff, print_score
    from resources.diff_sides import both_sides, diff_of, facts_of
    from resources.releases import ReleaseStore

    if (model is None) != (category is None):
        raise UsageError("name both MODEL and CATEGORY, or neither")
    category = None if category is None else known_category(category)
    store = ReleaseStore(options.open_settings(home, catalog).home)
    releases = store.open(former), store.open(latter)
    if same_basis:
        facts = facts_of(store, releases[0]), facts_of(store, releases[1])
        differing = differences(*facts)
        if differing:
            said = " ".join(warnings(*facts, differing))
            message = f"refused: {releases[0].release_id} and {releases[1].release_id} are {said}"
            if as_json:
                console.print_json({"error": message, "differs_in": list(differing), "exit_code": int(ExitCode.GATE)})
            else:
                console.error_line(message)
            return ExitCode.GATE
    if model is None or category is None:
        found = diff_of(store, *releases)
        if as_json:
            console.print_json(found.as_json())
        else:
            print_diff(console.stdout(), found)
        return ExitCode.OK
    sides = both_sides(store, *releases)
    comparison = compare(sides.former, sides.latter, sides.reread)
    place = (category, _model_id(store.home, releases[1].release_id, releases[0].release_id, model))
    if place not in comparison.places:
        raise UsageError(f"{place[1]} has no evidence in {category} in either release")
    score = with_sentence(comparison.change(place, by_metric=True))
    basis = differences(sides.former.facts, sides.latter.facts)
    said_first = [*warnings(sides.former.facts, sides.latter.facts, basis), *([sides.note] if sides.note else [])]
    if as_json:
        console.print_json(
            {
                "former": facts_json(sides.former.facts),
                "latter": facts_json(sides.latter.facts),
                "same_basis": not basis,
                "differs_in": list(basis),
                "warnings": said_first,
                "score": score_json(score),
            }
        )
    else:
        print_score(console.stdout(), sides.former.facts, sides.latter.facts, said_first, score)
    return ExitCode.OK


def _model_id(home: Path, latter: str, former: str, model: str) -> str:
    """The id of a model that the latter or, failing that, the former release's catalog knows."""
    from pipelines.release_reader import ReleaseReader

    try:
        return ReleaseReader(home, latter).model_id(model)
    except UsageError as unknown:
        try:
            return ReleaseReader(home, former).model_id(model)
        except UsageError:
            raise unknown from None
