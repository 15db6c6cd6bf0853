"""From a sealed contract and its samples to a decision (METHODS 12): one pure function.

Belongs here: which gates there are, in which order. Does not belong here: how one is judged.
"""

from __future__ import annotations

from methods.decision.samples import Samples
from methods.decision.verdict import Decision
from warehouse.methodology import Methodology
from warehouse.release_contract import ReleaseContract


def decide(contract: ReleaseContract, samples: Samples, methodology: Methodology) -> Decision:
    """Every gate of the contract judged on the samples, and the verdict.

    Args:
        contract: sealed, unchanged since.
        samples: its evidence; names the contract's hash.
        methodology: constants and the seed of resampling.

    Raises:
        SampleError: for samples that the contract cannot be applied to, or that name another contract.
    """
    raise NotImplementedError
