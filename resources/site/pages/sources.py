"""Source pages: how each leaderboard stands and how old it is, and every row of its snapshot with what became of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any

from resources.site import figures, links
from resources.site.facts import ROWS_ON_A_PAGE, Facts, SourceRow
from resources.site.page import Page, Plain
from warehouse.vocabulary import HEALTHY_SNAPSHOTS


def sources(facts: Facts) -> Iterator[Page | Plain]:
    """The health of all sources, and the rows of each."""
    health = [_health(facts, name, rows) for name, rows in facts.sources.items()]
    yield Page(
        "sources.html",
        "sources.html",
        "Sources",
        {
            "rows": health,
            "broken": facts.catalog.broken_sources,
            "figure": figures.fates([(row["leaderboard"], row["counted"], row["left_out"]) for row in health])
            if health
            else None,
        },
        section="sources.html",
    )
    for row in health:
        yield from _pages(facts, row)


def _pages(facts: Facts, health: dict[str, Any]) -> Iterator[Page]:
    rows = facts.sources[health["leaderboard"]]
    pages = max(1, math.ceil(len(rows) / ROWS_ON_A_PAGE))
    addresses = [links.numbered_page("sources", health["leaderboard"], number + 1) for number in range(pages)]
    for number, address in enumerate(addresses):
        yield Page(
            address,
            "source.html",
            health["title"] if number == 0 else f"{health['title']}, page {number + 1}",
            {
                **health,
                "lines": facts.lines.of_source(rows[number * ROWS_ON_A_PAGE : (number + 1) * ROWS_ON_A_PAGE]),
                "last": min((number + 1) * ROWS_ON_A_PAGE, len(rows)),
                "first": number * ROWS_ON_A_PAGE + 1,
                "number": number + 1,
                "addresses": addresses,
            },
            section="sources.html",
            found_as="source" if number == 0 else None,
        )


def _health(facts: Facts, leaderboard: str, rows: list[SourceRow]) -> dict[str, Any]:
    snapshot = next(row for row in facts.rows("raw__snapshot") if row["leaderboard"] == leaderboard)
    spec = facts.catalog.source_by_id.get(leaderboard)
    counted = sum(bool(row.evidence) for row in rows)
    return {
        "leaderboard": leaderboard,
        "title": spec.title if spec else leaderboard,
        "spec": spec,
        "snapshot": snapshot,
        "is_healthy": snapshot["status"] in HEALTHY_SNAPSHOTS,
        "age": _age(facts, snapshot["synced_at"]),
        "received": len(rows),
        "counted": counted,
        "left_out": len(rows) - counted,
    }


def _age(facts: Facts, synced_at: datetime | None) -> int | None:
    """Whole days between what a source asserts and the moment ages are judged at (DESIGN "Time, state and storage")."""
    if synced_at is None:
        return None
    end = datetime.combine(facts.manifest.as_of + timedelta(days=1), time.min, UTC)
    return max(0, (min(facts.manifest.decided_at, end) - synced_at).days)
