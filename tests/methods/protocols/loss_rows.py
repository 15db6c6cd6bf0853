"""Losses to test with: written by hand, and drawn from models whose truth is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from resources.yaml_documents import load_yaml
from warehouse.methodology import Methodology
from warehouse.protocol_words import LOSS_SCHEMA

_CATALOG = Path(__file__).resolve().parents[3] / "warehouse" / "catalog"
METHODOLOGY = Methodology.model_validate(
    load_yaml((_CATALOG / "methodology.yaml").read_bytes(), "methodology.yaml").data
)


def with_rules(**changes: float) -> Methodology:
    """The methodology with other constants of protocol sensitivity."""
    return METHODOLOGY.model_copy(update={"protocols": METHODOLOGY.protocols.model_copy(update=changes)})


def losses(rows: Sequence[Mapping[str, object]]) -> pl.DataFrame:
    """Loss rows from what matters to a test; the rest is null."""
    empty = dict.fromkeys(LOSS_SCHEMA)
    return pl.DataFrame([{**empty, **row} for row in rows], schema=LOSS_SCHEMA)


def written(sides: Mapping[str, Mapping[tuple[str, str], Sequence[float | None]]]) -> pl.DataFrame:
    """Losses by protocol and (site, coordinate): one a candidate, who are called a, b, c, ...

    A protocol's name may hold a convention: `static/other targets`.
    """
    return losses(
        [
            {
                "site": site,
                "coordinate": coordinate,
                "protocol": name.split("/")[0],
                "convention": name.partition("/")[2] or None,
                "candidate": chr(ord("a") + place),
                "loss": loss,
            }
            for name, places in sides.items()
            for (site, coordinate), values in places.items()
            for place, loss in enumerate(values)
        ]
    )


def drawn(sides: Mapping[str, np.ndarray], names: Sequence[str] | None = None) -> pl.DataFrame:
    """Losses by protocol from arrays of (sites, coordinates, candidates), or with a fourth axis of units."""
    frames = []
    for name, values in sides.items():
        by_unit = values.ndim == 4
        places = np.indices(values.shape)
        candidates = names or [f"c{k:02d}" for k in range(values.shape[2])]
        frames.append(
            pl.DataFrame(
                {
                    "site": [f"s{n:04d}" for n in places[0].ravel()],
                    "coordinate": [f"h{n}" for n in places[1].ravel()],
                    "protocol": name.split("/")[0],
                    "convention": pl.Series([name.partition("/")[2] or None] * values.size, dtype=pl.String),
                    "candidate": [candidates[n] for n in places[2].ravel()],
                    "unit": pl.Series(
                        [f"u{n:03d}" for n in places[3].ravel()] if by_unit else [None] * values.size, dtype=pl.String
                    ),
                    "loss": values.ravel(),
                    "weight": pl.Series([None] * values.size, dtype=pl.Float64),
                },
                schema=LOSS_SCHEMA,
            )
        )
    return pl.concat(frames)
