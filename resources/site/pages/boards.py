"""Boards: one page a category, every model with evidence, its interval on an axis that all rows share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from resources.site import figures, links
from resources.site.drawing import axis_over
from resources.site.facts import Facts, Row
from resources.site.page import Page, Plain
from resources.site.pages import linked
from resources.site.rendering import title
from warehouse.gate_words import NOT_PASSED, verdicts_said
from warehouse.vocabulary import CATEGORIES, SCORE_STATUSES

SHOWN_AT_ONCE: Final = 200
"""Rows that stand in the page itself; more wait in a template, so that thousands of rows open at once."""
LEADERS: Final = 5
RESTS_ON: Final = ("out__category_score",)


def status_counts(rows: list[Row]) -> dict[str, int]:
    """Models of a board by status."""
    return {status: sum(row["status"] == status for row in rows) for status in SCORE_STATUSES}


def boards(facts: Facts) -> Iterator[Page | Plain]:
    """The board of every category, also of one without evidence, which says so."""
    for category, rows in facts.boards.items():
        yield Page(
            links.board_page(category),
            "board.html",
            title(category),
            section="boards",
            found_as="board",
            rests_on=linked.RESTS_ON,
            content=partial(_board, facts, category, rows),
        )


def _board(facts: Facts, category: str, rows: list[Row]) -> dict[str, Any]:
    scored = [row for row in rows if row["score"] is not None]
    return {
        "category": category,
        "dimensions": CATEGORIES[category],
        "counts": status_counts(rows),
        "rows": rows[:SHOWN_AT_ONCE],
        "waiting": rows[SHOWN_AT_ONCE:],
        "axis": axis_over([row[end] for row in scored for end in ("low80", "high80")]),
        "leader": next((row for row in scored if row["rank"] is not None), None),
        "figure": figures.coverage(category, scored) if scored else None,
        **linked.proof_of_board(facts, category),
    }


def overview(facts: Facts) -> Iterator[Page | Plain]:
    """The first page: what release this is, and the leaders of every category with their intervals."""
    told = [row for row in facts.rows("out__gate") if row["verdict"] in NOT_PASSED]
    known = facts.catalog.gate_by_id
    yield Page(
        "index.html",
        "index.html",
        "Overview",
        {
            "models": len(facts.models),
            "gates_said": verdicts_said(row["verdict"] for row in told),
            "gates_told": len(told),
            "gates_required": sum(row["gate"] not in known or known[row["gate"]].required for row in told),
        },
        section="index.html",
        rests_on=RESTS_ON,
        content=partial(_overview, facts),
    )


def _overview(facts: Facts) -> dict[str, Any]:
    leaders = {
        category: [row for row in rows if row["rank"] is not None][:LEADERS] for category, rows in facts.boards.items()
    }
    drawn = [row[end] for rows in leaders.values() for row in rows for end in ("low80", "high80")]
    counts = {category: status_counts(rows) for category, rows in facts.boards.items()}
    return {
        "leaders": leaders,
        "counts": counts,
        "axis": axis_over(drawn),
        "scale": facts.catalog.methodology.category,
        "figure": figures.statuses(counts) if facts.models else None,
    }
