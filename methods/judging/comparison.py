"""One judge beside one fallback on a set of items: what both earned, and what both cost.

Belongs here: the arrays that fitting, evaluation and curves start from. Does not belong here: how they are made from
judgments (`records`), what is computed from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.judging.auroc import auroc
from methods.judging.orders import Flags
from methods.judging.thresholds import Sweep, sweep
from methods.statistics.fixed_point import Integers

Credits = NDArray[np.int8]

UNKNOWN: Final = -1
"""A cost that was not recorded, or for which no reserve is stated: not tracked, never free."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What each item cost one judge, billionths of the currency.

    Attributes:
        recorded: (n) as used; `UNKNOWN` where the usage of any of its calls is missing.
        reserved: (n) missing usage charged at its reserve; `UNKNOWN` where no reserve is stated.
    """

    recorded: Integers
    reserved: Integers

    def of(self, mask: Flags | Integers) -> Costs:
        """The costs of some of the items."""
        return Costs(self.recorded[mask], self.reserved[mask])


@dataclass(frozen=True, slots=True)
class Comparison:
    """n items that have a gold label, a decision of the fallback, and were put to the judge.

    Attributes:
        q: (n) half-billionths where the judge may be accepted; negative where the item always escalates.
        judge: (n) twice the judge's credit; 0 where it reached no verdict.
        fallback: (n) twice the fallback's credit.
        judge_costs, fallback_costs: what each item costs each of them.
        left_out: items put to the judge that are no part: no gold label, or no decision of the fallback.
        ordered_q, ordered_right: confidence and rightness of the verdicts that AUROC is made of.
    """

    q: Integers
    judge: Credits
    fallback: Credits
    judge_costs: Costs
    fallback_costs: Costs
    left_out: int
    ordered_q: Integers
    ordered_right: Flags

    @property
    def n(self) -> int:
        """Items compared."""
        return self.q.size

    def sweep(self) -> Sweep:
        """Every threshold of these items."""
        return sweep(self.q, (self.judge - self.fallback).astype(np.int8))

    def auroc(self) -> float | None:
        """AUROC of q for correctness; None where the judge was never wrong, or never right."""
        return auroc(self.ordered_q, self.ordered_right)
