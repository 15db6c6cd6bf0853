"""Tables on narrow terminals: nothing is broken within a word or a figure, nothing is lost."""

from __future__ import annotations

import io

from rich.console import Console

from pipelines.console import table

COLUMNS = [("harness", "left"), ("fit", "right"), ("95%", "right"), ("same when swapped", "right"), ("why", "left")]
ROWS = [
    ("planner", "0.921", "[0.866, 0.968]", "94.6%", "wins by much"),
    ("shell", "0.772", "[0.706, 0.834]", "100.0%", "no conventions declared"),
]


def printed(width: int, title: str = "Harnesses") -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width, color_system=None).print(table(title, COLUMNS, ROWS))
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_with_room_for_all_it_is_one_line_a_row() -> None:
    lines = printed(100)
    assert len(lines) == 4
    assert lines[2].split() == ["planner", "0.921", "[0.866,", "0.968]", "94.6%", "wins", "by", "much"]


def test_headings_and_texts_break_between_words_alone() -> None:
    lines = printed(50)
    assert all(len(line) <= 50 for line in lines)
    assert sum("[0.866, 0.968]" in line for line in lines) == 1
    assert {"swapped", "conventions", "declared"} <= set(" ".join(lines).split())


def test_columns_without_room_continue_below_under_the_first_one() -> None:
    lines = printed(34)
    assert all(len(line) <= 34 for line in lines)
    assert sum("planner" in line for line in lines) == 2
    assert "" in lines
    for figure in ("0.921", "[0.866, 0.968]", "[0.706, 0.834]", "94.6%", "100.0%"):
        assert sum(figure in line for line in lines) == 1


def test_a_title_wider_than_the_terminal_is_not_cut() -> None:
    title = "Attempts that were not clean, by stage, benchmarks weighing the same"
    assert title in " ".join(printed(40, title))
