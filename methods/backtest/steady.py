"""The logistic function with the same bits everywhere: sums, products and powers of two alone.

numpy's own exponential differs by vector unit. Belongs here: this one function. Accurate to a few units in the last
place for arguments up to 700 in size, which logits and ratings over their scale never reach.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from methods.linked.cells import Floats

_LOG2_HIGH: Final = 0.693147180369123816490
_LOG2_LOW: Final = 1.90821492927058770002e-10
_TERMS: Final = 16
_LARGEST: Final = 700.0


def exponential(values: Floats) -> Floats:
    """e to the power of each value; values beyond plus or minus 700 count as that."""
    bounded = np.minimum(np.maximum(values, -_LARGEST), _LARGEST)
    halvings = np.rint(bounded / (_LOG2_HIGH + _LOG2_LOW))
    rest = (bounded - halvings * _LOG2_HIGH) - halvings * _LOG2_LOW
    total = np.ones_like(rest)
    for term in range(_TERMS, 0, -1):
        total = 1.0 + (rest * total) / term
    return np.ldexp(total, halvings.astype(np.int64))


def logistic(values: Floats) -> Floats:
    """1 / (1 + e^-value)."""
    return 1.0 / (1.0 + exponential(-values))
