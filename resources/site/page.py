"""A page of the site, and what every page shares.

Belongs here: the shape that each maker of pages returns. A later analysis joins by adding a maker to
`resources.site.build.MAKERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from resources.site.facts import Facts


@dataclass(frozen=True, slots=True)
class Page:
    """One page before it is rendered.

    Attributes:
        path: its path on the site, at the root or one folder below.
        template: the template's name.
        title: its heading; also the window's title and, for `found_as`, what the search shows.
        values: what the template is filled with.
        section: the entry of the main navigation it belongs to.
        found_as: kind of thing under which the search finds it; None where it does not.
        rests_on: the tables that its content block is made from, where that says nothing else (the catalog aside):
            with these unchanged the content of the release before still holds. None: it is always written anew.
        content: what the content block alone is filled with, asked for only where it is written.
    """

    path: str
    template: str
    title: str
    values: dict[str, Any] = field(default_factory=dict)
    section: str = ""
    found_as: str | None = None
    rests_on: tuple[str, ...] | None = None
    content: Callable[[], dict[str, Any]] = dict

    @property
    def root(self) -> str:
        """What leads from this page to the root of the site."""
        return "../" * self.path.count("/")


@dataclass(frozen=True, slots=True)
class Plain:
    """A file that is not rendered: a download, a feed, a style sheet."""

    path: str
    data: bytes


Maker = Callable[["Facts"], Iterator[Page | Plain]]
