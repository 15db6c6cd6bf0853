"""The page that leads to every study of the release, by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from resources.site import links
from resources.site.facts import Facts
from resources.site.page import Page, Plain

PAGE_OF: Final[dict[str, Callable[[str], str]]] = {
    links.PROTOCOLS_PAGE: links.protocol_page, links.STACKS_PAGE: links.stack_page, links.JUDGES_PAGE: links.judge_page,
    links.AGENTS_PAGE: links.agents_page, links.DECISIONS_PAGE: links.decision_page,
    links.CANARY_PAGE: links.canary_page,
}  # fmt: skip
"""By the page of a kind of studies, the page of one study of it."""


def studies(facts: Facts) -> Iterator[Page | Plain]:
    """The page of all studies; none where the release holds none."""
    kinds = []
    for page, title, table, answers in links.STUDY_PAGES:
        names = sorted({row["study"] for row in facts.rows(table)})
        if names:
            own = [(name, PAGE_OF[page](name)) for name in names]
            kinds.append({"page": page, "title": title, "answers": answers, "studies": own})
    if kinds:
        yield Page(
            links.STUDIES_PAGE, "studies.html", "Studies", {"kinds": kinds}, section=links.STUDIES_PAGE,
            found_as="page",
        )  # fmt: skip
