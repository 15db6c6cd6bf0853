"""What is withheld: keyed draws that depend on the seed, the split, the repetition and the thing itself alone.

A result is drawn by its entry, so that two metrics read from one entry are withheld together; a block by model and
family; a family by its name. Adding or removing other results moves no draw. Belongs here: the draws.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from methods.backtest.training import Flags, Results
from warehouse.linked_words import Split

_HEX_DIGITS = 13
"""Of the hash: 52 bits, which a float holds exactly."""


def keyed_share(seed: int, name: str, repetition: int, key: str) -> float:
    """A number in [0, 1): the first 52 bits of the SHA-256 of `seed:name:repetition:key`."""
    digest = hashlib.sha256(f"{seed}:{name}:{repetition}:{key}".encode()).hexdigest()
    return int(digest[:_HEX_DIGITS], 16) / 16.0**_HEX_DIGITS


def withheld(results: Results, split: Split, repetition: int, share: float, seed: int) -> Flags:
    """(results,) which are withheld.

    Args:
        results: all of them. split: cells, model-family or family. repetition: from 0. share: expected, 0 to 1.
        seed: the methodology's.

    Raises:
        ValueError: for a split that is not drawn.
    """
    frame = results.frame
    if split == "cells":
        keys: Iterable[str] = frame["entry_id"]
    elif split == "model-family":
        keys = (f"{model}|{family}" for model, family in frame.select("model_id", "family").rows())
    elif split == "family":
        keys = frame["family"]
    else:
        raise ValueError(f"the split {split} is not drawn")
    return _drawn(keys, split, repetition, share, seed)


def inner(results: Results, share: float, seed: int) -> Flags:
    """(results,) which of the training results are withheld once more, to choose and to calibrate."""
    return _drawn(results.frame["entry_id"], "inner", 0, share, seed)


def _drawn(keys: Iterable[str], name: str, repetition: int, share: float, seed: int) -> Flags:
    known: dict[str, bool] = {}
    drawn = []
    for key in keys:
        if key not in known:
            known[key] = keyed_share(seed, name, repetition, key) < share
        drawn.append(known[key])
    return np.array(drawn, dtype=bool)
