"""Shared pieces of the tests of judging: the methodology, and comparisons made from lists."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from methods.judging.comparison import UNKNOWN, Comparison, Costs
from methods.judging.orders import WHOLE
from resources.catalog_files import load_catalog
from warehouse.methodology import Methodology

CATALOG = Path(__file__).resolve().parents[3] / "warehouse" / "catalog"
METHODOLOGY: Methodology = load_catalog(CATALOG, None).catalog.methodology
JUDGING = METHODOLOGY.judging


def comparison(
    q: Sequence[float],
    judge: Sequence[float],
    fallback: Sequence[float],
    *,
    costs: tuple[Sequence[float | None], Sequence[float | None]] | None = None,
    reserves: tuple[float | None, float | None] = (None, None),
) -> Comparison:
    """Items as lists: q (negative: always escalated), credits 0, 0.5 or 1, costs of judge and fallback."""
    doubled = [np.array([round(2 * one) for one in of], dtype=np.int8) for of in (judge, fallback)]
    confidence = np.array([-1 if one < 0 else round(one * WHOLE) for one in q], dtype=np.int64)
    ordered = (confidence >= 0) & (doubled[0] != 1)
    stated = costs or ([None] * len(q), [None] * len(q))
    return Comparison(
        confidence, doubled[0], doubled[1], *(
            _costs(of, reserve) for of, reserve in zip(stated, reserves, strict=True)
        ), 0, confidence[ordered], doubled[0][ordered] == 2,
    )  # fmt: skip


def _costs(stated: Sequence[float | None], reserve: float | None) -> Costs:
    recorded = [UNKNOWN if one is None else round(one * 1e9) for one in stated]
    charged = UNKNOWN if reserve is None else round(reserve * 1e9)
    reserved = [charged if one == UNKNOWN else one for one in recorded]
    return Costs(np.array(recorded, dtype=np.int64), np.array(reserved, dtype=np.int64))
