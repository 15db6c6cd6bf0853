"""`scoretrail catalog check`: what is wrong with a catalog folder, with file and line, before it decides any score.

`catalog preview` stands in `preview_command`.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import typer

from pipelines import console, options, preview_command
from pipelines.options import CatalogOption, HomeOption, JsonOption, SourcesOption
from warehouse.exit_codes import ExitCode
from warehouse.plain_text import counted

if TYPE_CHECKING:
    from resources.catalog_files import CatalogLoad
    from resources.catalog_problems import Problem
    from warehouse.catalog_model import Catalog

app = typer.Typer(no_args_is_help=True, help="The catalog: what counts, as reviewed data.")
app.command("preview")(preview_command.preview)


@app.command("check")
def check(
    *,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    sources: SourcesOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Validate the catalog folder: shapes, unknown keys, names used twice, gates nothing judges, waivers of none."""
    from resources.catalog_files import load_catalog
    from resources.catalog_problems import CatalogError

    settings = options.open_settings(home, catalog, sources)
    try:
        loaded = load_catalog(settings.catalog_dir, settings.sources_file)
    except CatalogError as error:
        return _report(None, list(error.problems), [], as_json=as_json)
    return _report(loaded, list(loaded.problems), catalog_findings(loaded.catalog), as_json=as_json)


def catalog_findings(catalog: Catalog) -> list[str]:
    """What the entries of a catalog get wrong together, in words."""
    from checks.gates import definition_problems
    from methods.catalog.overlaps import overlaps
    from methods.names.registry import alias_conflicts
    from methods.release.publication import aimless_waivers

    found = definition_problems(catalog) + aimless_waivers(catalog, datetime.now(UTC))
    found += [f"models.yaml: {conflict}" for conflict in alias_conflicts(catalog.models)]
    found += [f"metrics.yaml: {overlap}" for overlap in overlaps(catalog.metrics)]
    places = Counter(metric.id for metric in catalog.metrics)
    return found + [f"metrics.yaml: {name} stands {n} times" for name, n in places.items() if n > 1]


def _report(loaded: CatalogLoad | None, problems: list[Problem], findings: list[str], *, as_json: bool) -> ExitCode:
    said = [*(str(problem) for problem in problems), *findings]
    summary = {} if loaded is None else _summary(loaded.catalog)
    if as_json:
        console.print_json({"sound": not said, "problems": said, **summary})
    else:
        for line in said:
            console.error_line(line)
        for name, value in summary.items():
            console.stdout().print(f"{name:12} {value}", markup=False)
        console.stdout().print(f"{counted(len(said), 'problem')}." if said else "The catalog is sound.", markup=False)
    return ExitCode.USAGE if said else ExitCode.OK


def _summary(catalog: Catalog) -> dict[str, object]:
    return {
        "version": catalog.version,
        "sha256": catalog.sha256,
        "sources": len(catalog.sources),
        "metrics": len(catalog.metrics),
        "scored": sum(metric.status == "scored" for metric in catalog.metrics),
        "dimensions": len({(metric.category, metric.dimension) for metric in catalog.metrics}),
        "models": len(catalog.models),
        "gates": len(catalog.gates),
    }
