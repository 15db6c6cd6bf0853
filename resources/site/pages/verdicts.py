"""What was left out and what was judged: exclusions by reason, gates with their figures, waivers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from resources.site import figures, links
from resources.site.facts import ROWS_ON_A_PAGE, Facts, Row
from resources.site.page import Page, Plain
from resources.site.rendering import words
from warehouse.gate_words import verdicts_said
from warehouse.reasons import EXCLUSIONS, Reason

RESTS_ON: Final = ("raw__snapshot", "raw__row", "core__result", "core__exclusion")


def exclusions(facts: Facts) -> Iterator[Page | Plain]:
    """Exclusions by reason, and the rows of each reason."""
    found = facts.exclusion_counts
    reasons = [reason for reason in EXCLUSIONS if reason.code in found]
    yield Page(
        "exclusions.html",
        "exclusions.html",
        "Exclusions",
        {"totals": facts.manifest.counts},
        section="exclusions.html",
        rests_on=RESTS_ON,
        content=partial(_by_reason, found, reasons),
    )
    for reason in reasons:
        pages = math.ceil(sum(found[reason.code].values()) / ROWS_ON_A_PAGE)
        addresses = [links.numbered_page("exclusions", reason.code, number + 1) for number in range(pages)]
        for number, address in enumerate(addresses):
            yield Page(
                address,
                "exclusion.html",
                words(reason.code).capitalize() + (f", page {number + 1}" if number else ""),
                section="exclusions.html",
                found_as="exclusion reason" if number == 0 else None,
                rests_on=RESTS_ON,
                content=partial(_rows, facts, reason, number, addresses),
            )


def _by_reason(found: dict[str, dict[str, int]], reasons: list[Reason]) -> dict[str, Any]:
    counts = {reason.code: sum(found[reason.code].values()) for reason in reasons}
    return {
        "reasons": reasons,
        "counts": counts,
        "boards": {reason.code: sorted(found[reason.code].items()) for reason in reasons},
        "figure": figures.reasons({words(code): n for code, n in counts.items()}) if counts else None,
    }


def _rows(facts: Facts, reason: Reason, number: int, addresses: list[str]) -> dict[str, Any]:
    rows = facts.excluded_by_reason[reason.code]
    return {
        "reason": reason,
        "total": len(rows),
        "lines": facts.lines.of_exclusion(rows[number * ROWS_ON_A_PAGE : (number + 1) * ROWS_ON_A_PAGE]),
        "number": number + 1,
        "addresses": addresses,
    }


def gates(facts: Facts) -> Iterator[Page | Plain]:
    """Every gate with its figure and limit, products, and waivers."""
    order = {name: place for place, name in enumerate(("error", "fail", "inconclusive", "waived", "pass"))}
    rows = sorted(facts.rows("out__gate"), key=lambda row: (order.get(row["verdict"], len(order)), row["gate"]))
    values = {
        "rows": rows,
        "said": verdicts_said(row["verdict"] for row in rows),
        "counts": Counter(row["verdict"] for row in rows),
        "products": facts.rows("out__product"),
        "waivers": facts.manifest.waivers,
        "specs": facts.catalog.gate_by_id,
    }
    yield Page("gates.html", "gates.html", "Gates", values, section="gates.html")


def verdicts_on(facts: Facts, gates: Sequence[str]) -> list[Row]:
    """The release's verdicts of some gates, in the order named; a gate that the release did not ask is left out."""
    verdicts = {row["gate"]: row for row in facts.rows("out__gate")}
    return [verdicts[gate] for gate in gates if gate in verdicts]
