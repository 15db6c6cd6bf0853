"""How to read the site, what its numbers cannot say, and how to cite and recompute them."""

from __future__ import annotations

from collections.abc import Iterator

from resources.site.facts import Facts
from resources.site.page import Page, Plain
from warehouse.vocabulary import TIERS


def reading(facts: Facts) -> Iterator[Page | Plain]:
    """The two pages of prose, with the constants of the release's own methodology in them."""
    methodology = facts.catalog.methodology
    values = {
        "scale": methodology.category,
        "standard": methodology.standardization,
        "latent": methodology.latent,
        "tiers": TIERS,
    }
    yield Page("reading.html", "reading.html", "How to read", values, section="reading.html", found_as="page")
    yield Page("cite.html", "cite.html", "Cite and recompute", section="cite.html", found_as="page")
