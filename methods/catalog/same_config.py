"""Two rows published as different settings of one model whose token counts say that the setting did nothing.

Belongs here: finding such rows from what sources state about tokens (field report A61). Nothing is excluded for it: the
rows stay, and a gate tells that they are no independent evidence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import polars as pl

from methods.names.name_states import states_of
from methods.names.spelling import normalize

_COLUMN: Final = ("leaderboard", "benchmark", "benchmark_version", "subset", "metric", "protocol_harness")
_BRACKETED: Final = re.compile(r"[(\[][^()\[\]]*[)\]]")
_EFFORT_WORDS: Final = re.compile(
    r"(?i)(?<![a-z0-9])(?:none|minimal|low|medium|med|high|xhigh|max|effort|reasoning)(?![a-z])"
)
TOKEN_FIELDS: Final = ("completion_tokens", "output_tokens", "tokens")
"""Keys of `protocol_extra` that count what a run wrote, the first that is stated."""


@dataclass(frozen=True, slots=True)
class SameConfig:
    """Two rows of one column whose stated efforts differ and whose tokens do not."""

    leaderboard: str
    model_a: str
    model_b: str
    effort_a: str
    effort_b: str
    tokens_a: float
    tokens_b: float

    @property
    def difference(self) -> float:
        """Difference of the tokens, as a share of the larger count."""
        return abs(self.tokens_a - self.tokens_b) / max(self.tokens_a, self.tokens_b)


def compared_efforts(results: pl.DataFrame) -> Iterator[SameConfig]:
    """Every two rows of one leaderboard, benchmark, subset, metric, harness and model with different stated efforts.

    Args:
        results: `core__result`; rows without a token count above 0, or without a stated effort, take no part.
    """
    told = results.filter(pl.col("protocol_extra").str.contains('tokens":', literal=True))
    groups: dict[tuple[Any, ...], dict[tuple[str, float], str]] = {}
    for row in told.sort("entry_id").select(*_COLUMN, "model", "protocol_effort", "protocol_extra").rows(named=True):
        extra = json.loads(row["protocol_extra"])
        tokens = next((extra[key] for key in TOKEN_FIELDS if extra.get(key)), None)
        effort = row["protocol_effort"] or states_of(row["model"]).get("effort")
        if effort is None or not isinstance(tokens, int | float) or isinstance(tokens, bool) or tokens <= 0:
            continue
        key = (*(row[name] for name in _COLUMN), _base(row["model"]))
        groups.setdefault(key, {}).setdefault((str(effort), float(tokens)), row["model"])
    for key, rows in groups.items():
        for (one, model_a), (other, model_b) in combinations(rows.items(), 2):
            if one[0] != other[0]:
                yield SameConfig(key[0], model_a, model_b, one[0], other[0], one[1], other[1])


def _base(name: str) -> str:
    """A model's name without brackets and words of effort."""
    return normalize(_EFFORT_WORDS.sub(" ", _BRACKETED.sub(" ", name)))
