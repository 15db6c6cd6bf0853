"""What two runs of the same prompts gave: how many diverge, where first, and how the distance of logits bears on it.

Belongs here: the precision audit (METHODS 9). Outputs are compared as they are: nothing is trimmed, folded or decoded.
A request that the serving stack refused is no failure of the model: such prompts are left out and counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.statistics.quantiles import quantile
from methods.statistics.wilson import Proportion, wilson_interval
from warehouse.manifest_words import AuditReason, AuditUnit

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

_QUARTILES: Final = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1))


@dataclass(frozen=True, slots=True)
class MarginPoint:
    """The audit at one threshold of the margin.

    Attributes:
        margin: the threshold. flips: flips at it or under it.
        steps_share: share of all steps with a margin at it or under it: what re-computing would touch.
        agreement: exact agreement if every such flip were repaired and nothing followed it: an upper limit.
    """

    margin: float
    flips: int
    steps_share: float
    agreement: float


@dataclass(frozen=True, slots=True)
class PrecisionAudit:
    """The outputs of two runs, prompt by prompt.

    Attributes:
        reason: why there is none; None where there is one. All figures are None or 0 then.
        unit: what positions count.
        prompts: answered by both. only_a, only_b: asked of one run alone. left_out: not answered by a serving stack.
        diverging: prompts whose outputs differ. divergence: their share, with its interval.
        first: of the diverging, how many units agree before the first that does not: least, quartiles, most.
        ended_early: diverging prompts of which one output is the beginning of the other.
        flips: diverging prompts whose margin at the first difference is known. sweep: the audit by margin.
    """

    reason: AuditReason | None = None
    unit: AuditUnit | None = None
    prompts: int = 0
    only_a: int = 0
    only_b: int = 0
    left_out: int = 0
    diverging: int = 0
    divergence: Proportion | None = None
    first: tuple[float, ...] | None = None
    ended_early: int = 0
    flips: int = 0
    sweep: tuple[MarginPoint, ...] = ()

    @property
    def agreement(self) -> float | None:
        """Share of prompts whose outputs are exactly equal."""
        return None if self.divergence is None else (self.prompts - self.diverging) / self.prompts


def precision_audit(a: pl.DataFrame | None, b: pl.DataFrame | None, z: float, points: int) -> PrecisionAudit:
    """Holds the outputs of two runs against each other.

    Args:
        a, b: as `warehouse.manifest_words.OUTPUT_SCHEMA`, one row a prompt; None where a run brought none.
        z: normal quantile of the interval's level.
        points: thresholds of the sweep, at most: quantiles of the margins at which outputs part.
    """
    if a is None or b is None:
        return PrecisionAudit("no_outputs")
    both = a.join(b, on="prompt", how="inner", suffix="_b").sort("prompt")
    only_a, only_b = a.height - both.height, b.height - both.height
    answered = both.filter((pl.col("status") == "ok") & (pl.col("status_b") == "ok"))
    left_out = both.height - answered.height
    if not answered.height:
        return PrecisionAudit("no_common_prompt", only_a=only_a, only_b=only_b, left_out=left_out)
    unit = _unit(answered)
    if unit is None:
        return PrecisionAudit("no_common_unit", only_a=only_a, only_b=only_b, left_out=left_out)
    first, ended = first_differences(*_sequences(answered, unit))
    diverged = first >= 0
    places = np.sort(first[diverged]).astype(np.float64)
    margins = _Margins.of(answered, first, ended) if unit == "token" else None
    return PrecisionAudit(
        None, unit, answered.height, only_a, only_b, left_out, int(diverged.sum()),
        wilson_interval(int(diverged.sum()), answered.height, z),
        tuple(quantile(places, one) for one in _QUARTILES) if places.size else None, int(ended.sum()),
        0 if margins is None else len(margins.flips), () if margins is None else margins.sweep(points),
    )  # fmt: skip


def _unit(rows: pl.DataFrame) -> AuditUnit | None:
    """Tokens where every output of both runs has them, else characters where every one is text."""
    for name, unit in (("token_ids", "token"), ("text", "character")):
        if not rows[name].null_count() and not rows[f"{name}_b"].null_count():
            return "token" if unit == "token" else "character"
    return None


def _sequences(rows: pl.DataFrame, unit: AuditUnit) -> tuple[Integers, Integers, Integers, Integers]:
    left, right = ("token_ids", "token_ids_b") if unit == "token" else ("text", "text_b")
    read = _token_arrays if unit == "token" else _character_arrays
    return *read(rows[left]), *read(rows[right])


def _token_arrays(column: pl.Series) -> tuple[Integers, Integers]:
    """All tokens in a row, and where each output ends in it."""
    ends = np.cumsum(column.list.len().to_numpy(), dtype=np.int64)
    return column.explode(empty_as_null=False).to_numpy().astype(np.int64, copy=False), ends


def _character_arrays(column: pl.Series) -> tuple[Integers, Integers]:
    texts = column.to_list()
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.int64), ends


def first_differences(
    a: Integers, ends_a: Integers, b: Integers, ends_b: Integers
) -> tuple[Integers, NDArray[np.bool_]]:
    """For each output, how many units agree before the first that does not, and whether one output ended there.

    Args:
        a, b: the units of all outputs, one output after the other.
        ends_a, ends_b: (n) where each output ends.

    Returns:
        (n) units in common before the first difference, -1 where there is none; (n) whether one output is the
        beginning of the other, and shorter.
    """
    starts_a, starts_b = (np.concatenate(([0], ends[:-1])) for ends in (ends_a, ends_b))
    lengths_a, lengths_b = ends_a - starts_a, ends_b - starts_b
    common = np.minimum(lengths_a, lengths_b)
    offsets = np.concatenate(([0], np.cumsum(common)))
    step = np.arange(offsets[-1], dtype=np.int64) - np.repeat(offsets[:-1], common)
    unlike = a[np.repeat(starts_a, common) + step] != b[np.repeat(starts_b, common) + step]
    where = np.flatnonzero(unlike)
    found = np.searchsorted(where, offsets[:-1])
    has = found < np.searchsorted(where, offsets[1:])
    first = np.full(len(common), -1, dtype=np.int64)
    first[has] = step[where[found[has]]]
    ended = ~has & (lengths_a != lengths_b)
    first[ended] = common[ended]
    return first, ended


@dataclass(frozen=True, slots=True)
class _Margins:
    """Margins of two runs: where outputs part, and of all steps; how many prompts agree, and how many there are."""

    flips: Floats
    steps: Floats
    agreeing: int
    prompts: int

    @classmethod
    def of(cls, rows: pl.DataFrame, first: Integers, ended: NDArray[np.bool_]) -> _Margins:
        """The margin of a flip is the larger of the two stated: only below it would both runs be computed again."""
        is_flip = (first >= 0) & ~ended
        at = pl.Series("at", np.where(is_flip, first, -1))
        stated = rows.select(at=at, a="margins", b="margins_b").filter(pl.col("at") >= 0)
        flips = stated.select(
            pl.max_horizontal(*(pl.col(side).list.get(pl.col("at"), null_on_oob=True) for side in ("a", "b")))
        ).to_series()
        steps = [rows[name].drop_nulls().explode(empty_as_null=False).drop_nulls() for name in ("margins", "margins_b")]
        return cls(
            np.sort(flips.drop_nulls().to_numpy()), np.sort(np.concatenate([one.to_numpy() for one in steps])),
            int((first < 0).sum()), rows.height,
        )  # fmt: skip

    def sweep(self, points: int) -> tuple[MarginPoint, ...]:
        """At the quantiles of the flips' margins, so that no threshold is set beforehand."""
        if not self.flips.size:
            return ()
        shares = [Fraction(one, points - 1) for one in range(points)]
        thresholds = sorted({quantile(self.flips, share) for share in shares})
        return tuple(self._point(margin) for margin in thresholds)

    def _point(self, margin: float) -> MarginPoint:
        flips = int(np.searchsorted(self.flips, margin, side="right"))
        touched = int(np.searchsorted(self.steps, margin, side="right"))
        return MarginPoint(margin, flips, touched / self.steps.size, (self.agreeing + flips) / self.prompts)


def limits_of(
    audit: PrecisionAudit, batch_sizes: tuple[Any, ...], dtypes: tuple[Any, ...], batch_limit: int
) -> list[str]:
    """What an audit's sweep does not say, given what the manifests state.

    Args:
        audit: the audit.
        batch_sizes, dtypes: as the two manifests state them (dtypes with quantizations), as text; None where not.
        batch_limit: the batch size from which re-computing close calls is known to bring nothing.
    """
    if not audit.sweep:
        return ["No margins at the flips: which threshold would have helped is not known."] if audit.diverging else []
    known = [int(one) for one in batch_sizes if one is not None and str(one).isdigit()]
    said = [
        "The agreement is an upper limit: what follows a repaired flip was not observed.",
        "It holds where the head decides: where errors of the body dominate, re-computing the head brings nothing.",
        "More of the stack in 32 bits can lower agreement; measure before relying on it.",
    ]
    if any(one >= batch_limit for one in known):
        said.append(f"A batch size of {batch_limit} or more is stated: re-computing is known to bring nothing there.")
    elif len(known) < len(batch_sizes):
        said.append(f"A batch size is not stated as a number: from {batch_limit} on, re-computing brings nothing.")
    if any(word in str(one).casefold() for one in dtypes if one is not None for word in ("float8", "fp8")):
        said.append("FP8 is stated: with FP8 end to end, re-computing is known to bring nothing.")
    return said
