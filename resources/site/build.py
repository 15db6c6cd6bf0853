"""Builds the site of a release: every page and file, one after the other, the same bytes for the same release.

Belongs here: the list of makers and the order of the files. Writing them into a folder is `writing`, and into a release
`resources.release_folder`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from resources.memory import give_back
from resources.site import links
from resources.site.facts import Facts
from resources.site.former_site import PLACE, FormerSite, with_content
from resources.site.inputs import SiteInputs, in_order, inputs_of_folder
from resources.site.page import Maker, Page
from resources.site.pages.agents import agents
from resources.site.pages.boards import boards, overview
from resources.site.pages.canary import canary
from resources.site.pages.changes import changes
from resources.site.pages.data import downloads, search_index
from resources.site.pages.decisions import decisions
from resources.site.pages.judges import judges
from resources.site.pages.linked import linked
from resources.site.pages.manifests import manifests
from resources.site.pages.metrics import metrics
from resources.site.pages.models import models
from resources.site.pages.pairs import TABLES, pairs
from resources.site.pages.protocols import protocols
from resources.site.pages.reading import reading
from resources.site.pages.sensitivity import sensitivity
from resources.site.pages.sources import sources
from resources.site.pages.studies import studies
from resources.site.pages.study import study
from resources.site.pages.verdicts import exclusions, gates
from resources.site.rendering import render
from warehouse.manifest import Manifest
from warehouse.vocabulary import CATEGORIES

MAKERS: Final[tuple[Maker, ...]] = (
    overview, boards, linked, sensitivity, models, metrics, sources, pairs, study, studies, protocols, manifests,
    judges, agents, decisions, canary, exclusions, gates, changes, downloads, reading,
)  # fmt: skip
STUDIES_AFTER: Final = "sources.html"
ASSETS: Final = Path(__file__).resolve().parent / "assets"


def site_of_folder(folder: Path, manifest: Manifest, former: FormerSite | None = None) -> Iterator[tuple[str, bytes]]:
    """The site of a release folder (errors as `inputs_of_folder`), as `site_files`."""
    return site_files(inputs_of_folder(folder, manifest), former)


def site_files(inputs: SiteInputs, former: FormerSite | None = None) -> Iterator[tuple[str, bytes]]:
    """(path on the site, bytes) of every file of a site, one at a time, so that a large one never lies in memory.

    Args:
        inputs: what it is made from.
        former: the site of the release before, where what still holds may be taken from it: the same bytes, sooner.
    """
    facts = Facts(inputs, former)
    shared = shared_values(inputs)
    found: list[tuple[str, str, str]] = []
    for maker in MAKERS:
        for item in maker(facts):
            if isinstance(item, Page):
                values = {**shared, **item.values, "page": item, "root": item.root}
                kept = former.content(item) if former is not None else None
                if kept is None:
                    yield item.path, render(item.template, values | item.content())
                else:
                    yield item.path, with_content(render(item.template, values | {"kept": PLACE}), kept)
                if item.found_as:
                    found.append((item.found_as, item.title, item.path))
            else:
                yield item.path, item.data
        give_back()
    index = search_index(found)
    yield index.path, index.data
    for path in sorted(ASSETS.iterdir()):
        yield f"assets/{path.name}", path.read_bytes()


def navigation(inputs: SiteInputs) -> list[tuple[str, str]]:
    """The pages of the main navigation: analyses and one entry for all studies, where the release has any."""
    found: list[tuple[str, str]] = []
    for path, name in links.PAGES:
        found.append((path, name))
        if path == STUDIES_AFTER:
            found += [(page, title) for page, title, table in links.ANALYSIS_PAGES if _has_rows(inputs, table)]
            if any(_has_rows(inputs, table) for _, _, table, _ in links.STUDY_PAGES):
                found.append((links.STUDIES_PAGE, "Studies"))
    return found


def _has_rows(inputs: SiteInputs, table: str) -> bool:
    return table in inputs.tables and inputs.tables[table].height > 0


def _navigation_of(inputs: SiteInputs) -> Callable[[Page], Markup]:
    """What leads from a page to the others: the same text on most pages, and so written once for each way it looks."""
    entries = navigation(inputs)
    named = {path for path, _ in entries} | {links.board_page(category) for category in CATEGORIES}

    @cache
    def written(root: str, section: str, path: str) -> Markup:
        values = {"root": root, "section": section, "path_of_page": path, "entries": entries}
        text = render("navigation.html", {**values, "boards_in_order": tuple(CATEGORIES)}).decode()
        return Markup(text.removesuffix("\n"))  # noqa: S704 - a template of ours, which escapes every value

    studies_of = {page: links.STUDIES_PAGE for page, *_ in links.STUDY_PAGES}
    return lambda page: written(
        page.root, studies_of.get(page.section, page.section), page.path if page.path in named else ""
    )


def shared_values(inputs: SiteInputs) -> dict[str, Any]:
    """What every page can show: the release, its boards, the navigation."""
    return {
        "manifest": inputs.manifest,
        "table_entries": [(name, inputs.manifest.tables[name]) for name in in_order(inputs.manifest.tables)],
        "navigation": navigation(inputs),
        "navigation_of": _navigation_of(inputs),
        "boards_in_order": tuple(CATEGORIES),
        "has_pairs": any(name in inputs.tables for name in TABLES),
    }
