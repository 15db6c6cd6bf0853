"""What was left out and what was judged: exclusions by reason, gates with their figures, waivers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from resources.site import figures, links
from resources.site.facts import ROWS_ON_A_PAGE, Facts
from resources.site.page import Page, Plain
from resources.site.rendering import words
from warehouse.reasons import EXCLUSIONS


def exclusions(facts: Facts) -> Iterator[Page | Plain]:
    """Exclusions by reason, and the rows of each reason."""
    found = facts.excluded_by_reason
    reasons = [reason for reason in EXCLUSIONS if reason.code in found]
    counts = {reason.code: len(found[reason.code]) for reason in reasons}
    boards = {reason.code: sorted(Counter(row.leaderboard for row in found[reason.code]).items()) for reason in reasons}
    yield Page(
        "exclusions.html",
        "exclusions.html",
        "Exclusions",
        {
            "reasons": reasons,
            "counts": counts,
            "boards": boards,
            "figure": figures.reasons({words(code): n for code, n in counts.items()}) if counts else None,
            "totals": facts.manifest.counts,
        },
        section="exclusions.html",
    )
    for reason in reasons:
        rows = found[reason.code]
        pages = math.ceil(len(rows) / ROWS_ON_A_PAGE)
        addresses = [links.numbered_page("exclusions", reason.code, number + 1) for number in range(pages)]
        for number, address in enumerate(addresses):
            yield Page(
                address,
                "exclusion.html",
                words(reason.code).capitalize() + (f", page {number + 1}" if number else ""),
                {
                    "reason": reason,
                    "total": len(rows),
                    "lines": facts.lines.of_exclusion(rows[number * ROWS_ON_A_PAGE : (number + 1) * ROWS_ON_A_PAGE]),
                    "number": number + 1,
                    "addresses": addresses,
                },
                section="exclusions.html",
                found_as="exclusion reason" if number == 0 else None,
            )


def gates(facts: Facts) -> Iterator[Page | Plain]:
    """Every gate with its figure and limit, products, and waivers."""
    order = {name: place for place, name in enumerate(("error", "fail", "inconclusive", "waived", "pass"))}
    rows = sorted(facts.rows("out__gate"), key=lambda row: (order.get(row["verdict"], len(order)), row["gate"]))
    values = {
        "rows": rows,
        "counts": Counter(row["verdict"] for row in rows),
        "products": facts.rows("out__product"),
        "waivers": facts.manifest.waivers,
        "specs": facts.catalog.gate_by_id,
    }
    yield Page("gates.html", "gates.html", "Gates", values, section="gates.html")
