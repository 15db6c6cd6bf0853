"""Source pages: how each leaderboard stands and how old it is, and every row of its snapshot with what became of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any, Final

from resources.site import figures, links
from resources.site.facts import ROWS_ON_A_PAGE, Facts, Row
from resources.site.page import Page, Plain
from warehouse.vocabulary import HEALTHY_SNAPSHOTS

RESTS_ON: Final = ("raw__snapshot", "raw__row", "core__result", "core__evidence", "core__exclusion")


def sources(facts: Facts) -> Iterator[Page | Plain]:
    """The health of all sources, and the rows of each."""
    health = [_health(facts, snapshot) for snapshot in facts.rows("raw__snapshot")]
    yield Page(
        "sources.html",
        "sources.html",
        "Sources",
        {"rows": health, "broken": facts.catalog.broken_sources},
        section="sources.html",
        rests_on=RESTS_ON,
        content=partial(_fates, health),
    )
    for row in health:
        yield from _pages(facts, row)


def _fates(health: list[dict[str, Any]]) -> dict[str, Any]:
    counts = [(row["leaderboard"], row["counted"], row["left_out"]) for row in health]
    return {"figure": figures.fates(counts) if counts else None}


def _pages(facts: Facts, health: dict[str, Any]) -> Iterator[Page]:
    pages = max(1, math.ceil(health["received"] / ROWS_ON_A_PAGE))
    addresses = [links.numbered_page("sources", health["leaderboard"], number + 1) for number in range(pages)]
    for number, address in enumerate(addresses):
        yield Page(
            address,
            "source.html",
            health["title"] if number == 0 else f"{health['title']}, page {number + 1}",
            health,
            section="sources.html",
            found_as="source" if number == 0 else None,
            rests_on=RESTS_ON,
            content=partial(_rows, facts, health["leaderboard"], number, addresses),
        )


def _rows(facts: Facts, leaderboard: str, number: int, addresses: list[str]) -> dict[str, Any]:
    first, end = number * ROWS_ON_A_PAGE, min((number + 1) * ROWS_ON_A_PAGE, facts.row_counts[leaderboard][0])
    return {
        "lines": facts.lines.of_source(facts.source_rows(leaderboard, first, end)),
        "first": first + 1,
        "last": end,
        "number": number + 1,
        "addresses": addresses,
    }


def _health(facts: Facts, snapshot: Row) -> dict[str, Any]:
    leaderboard = snapshot["leaderboard"]
    spec = facts.catalog.source_by_id.get(leaderboard)
    received, counted = facts.row_counts[leaderboard]
    return {
        "leaderboard": leaderboard,
        "title": spec.title if spec else leaderboard,
        "spec": spec,
        "snapshot": snapshot,
        "is_healthy": snapshot["status"] in HEALTHY_SNAPSHOTS,
        "age": _age(facts, snapshot["synced_at"]),
        "received": received,
        "counted": counted,
        "left_out": received - counted,
    }


def _age(facts: Facts, synced_at: datetime | None) -> int | None:
    """Whole days between what a source asserts and the moment ages are judged at (DESIGN "Time, state and storage")."""
    if synced_at is None:
        return None
    end = datetime.combine(facts.manifest.as_of + timedelta(days=1), time.min, UTC)
    return max(0, (min(facts.manifest.decided_at, end) - synced_at).days)
