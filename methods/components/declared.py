"""What component metrics share: the declared unit that samples must keep to, and a share of nothing (METHODS 13)."""

from __future__ import annotations

import polars as pl


class ComponentError(ValueError):
    """Samples whose components cannot be read as declared: says which row and why."""


def share(part: int, whole: int) -> float | None:
    """A share; None of nothing."""
    return part / whole if whole else None


def check_unit(samples: pl.DataFrame, column: str, unit: str) -> None:
    """Refuses samples that state another unit than the declared one.

    Raises:
        ComponentError: naming the first row that does.
    """
    if column not in samples.columns:
        return
    strange = samples.with_row_index("row", offset=1).filter(pl.col(column).ne_missing(unit))
    if strange.height:
        row, stated = strange.select("row", column).row(0)
        raise ComponentError(
            f"row {row}, {column}: {stated!r}, but the unit declared is {unit!r}; figures of two units are never mixed"
        )
