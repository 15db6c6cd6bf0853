"""Simulated judgments of judges whose calibration is known, and the bundled example made of them.

    python tests/methods/judging/simulated_judgments.py

writes warehouse/demo/judgments.csv. The draws are keyed, so that the file is the same wherever it is made.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from methods.judging.columns import FILE, ROW
from methods.statistics.keyed_random import WORD_STEP, mix, resample_keys

Row = dict[str, Any]
REPOSITORY = Path(__file__).resolve().parents[3]
EXAMPLE = REPOSITORY / "warehouse" / "demo" / "judgments.csv"
HEADER = (
    "item", "task_type", "cluster", "split", "gold", "label_1", "label_2", "adjudication_reason", "judge", "repeat",
    "first_prob_ab", "first_prob_ba", "status_ab", "status_ba", "cost_ab", "cost_ba", "cost_reserve_ab",
    "cost_reserve_ba",
)  # fmt: skip


def uniforms(seed: int, stream: int, n: int) -> np.ndarray:
    """n numbers from 0 to 1, the same everywhere."""
    key = resample_keys(seed, stream, stream + 1)
    with np.errstate(over="ignore"):
        words = mix(key[:, None] + np.arange(1, n + 1, dtype=np.uint64) * WORD_STEP)[0]
    return (words >> np.uint64(11)) * 2.0**-53


@dataclass(frozen=True)
class Judge:
    """A simulated judge: how sure it is (from a uniform), and how often it is right at a confidence."""

    name: str
    confidence: Callable[[np.ndarray], np.ndarray]
    right: Callable[[np.ndarray], np.ndarray]
    favours_first: float = 0.0


def judged(
    judge: Judge, gold_is_a: np.ndarray, seed: int, stream: int, is_right: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(first_prob_ab, first_prob_ba, is right) of n items: a side by calibration, then a shift towards the first.

    Probabilities have two decimals. Where it is given who is right, calibration says nothing.
    """
    n = gold_is_a.size
    q = np.round(judge.confidence(uniforms(seed, stream, n)), 2)
    right = uniforms(seed, stream + 1, n) < judge.right(q) if is_right is None else is_right
    of_a = np.where(gold_is_a == right, q, 1 - q)
    shift = np.round(judge.favours_first * uniforms(seed, stream + 2, n), 2)
    shift = np.minimum(shift, np.round(np.minimum(1 - of_a, of_a), 2))  # both orders stay within 0 to 1
    return np.round(of_a + shift, 2), np.round(1 - of_a + shift, 2), right


def frame(rows: list[Row]) -> pl.DataFrame:
    """Rows as a reader hands them on: texts, with file and row."""
    texts = [{name: None if value is None else str(value) for name, value in row.items()} for row in rows]
    found = pl.DataFrame(texts, schema=dict.fromkeys(dict.fromkeys(name for row in rows for name in row), pl.String))
    return found.with_columns(pl.lit("j.csv").alias(FILE), pl.int_range(1, len(rows) + 1, dtype=pl.Int64).alias(ROW))


def example_rows() -> list[Row]:
    """The bundled example: a small and a large judge on preferences, where the small one knows what it knows, and on
    free text, where it does not; with failed calls, missing usage, repeats and double labels.

    The large one is right in 98.5% of what the small one gets right, and in 70% of the rest.
    """
    seed = 20261020
    small = Judge("small", lambda u: 0.5 + 0.5 * u**0.35, lambda q: np.where(q >= 0.9, 0.985, q - 0.02), 0.3)
    blind = Judge("small", lambda u: 0.5 + 0.5 * u**0.35, lambda q: np.full(q.size, 0.66), 0.3)
    large = Judge("large", lambda u: 0.6 + 0.4 * u**0.3, lambda q: q, 0.04)
    rows: list[Row] = []
    for place, (task, n, judge) in enumerate((("preference", 900, small), ("free-text", 200, blind))):
        stream = 100 * place
        gold = uniforms(seed, stream, n) < 0.5
        cheap = judged(judge, gold, seed, stream + 1)
        beside = uniforms(seed, stream + 22, n) < np.where(cheap[2], 0.985, 0.7)
        dear = judged(large, gold, seed, stream + 10, beside)
        second, trouble, again = (uniforms(seed, stream + 20 + k, n) for k in (0, 1, 3))
        for i in range(n):
            facts = _facts(task, i, gold[i], second[i])
            name = {"item": facts["item"]}
            rows.append(facts | _call("small", (cheap[0][i], cheap[1][i]), 0.0002, trouble[i]))
            rows.append(name | _call("large", (dear[0][i], dear[1][i]), 0.006, 1 - trouble[i] + 0.02))
            if i < 40:  # asked again: a doubtful verdict may turn
                turns = again[i] < 0.5 and abs(cheap[0][i] - cheap[1][i]) < 0.4
                ab, ba = (1 - cheap[0][i], 1 - cheap[1][i]) if turns else (cheap[0][i], cheap[1][i])
                rows.append(name | _call("small", (ab, ba), 0.0002, 1.0) | {"repeat": 2})
    return rows


def _facts(task: str, i: int, gold_is_a: bool, second: float) -> Row:
    """What is true of an item: its label, every fifth labelled by two people."""
    label, other = ("A", "B") if gold_is_a else ("B", "A")
    is_double = i % 5 == 0
    is_disputed = is_double and second > 0.9
    return {
        "item": f"{task}-{i + 1:03d}",
        "task_type": task,
        "cluster": f"{task}-prompt-{i // 2 + 1:03d}",
        "split": "selection" if (i // 2) % 2 == 0 else "held_out",
        "gold": label,
        "label_1": label if is_double else "",
        "label_2": (other if is_disputed else label) if is_double else "",
        "adjudication_reason": "both defensible" if is_disputed else "",
    }


def _call(name: str, firsts: tuple[float, float], cost: float, trouble: float) -> Row:
    """One judgment: with little trouble a failed call, with some more a usage that nobody recorded."""
    row: Row = {
        "judge": name, "repeat": 1, "first_prob_ab": f"{firsts[0]:.2f}", "first_prob_ba": f"{firsts[1]:.2f}",
        "cost_ab": cost, "cost_ba": cost,
    }  # fmt: skip
    if trouble < 0.008:
        row |= {"first_prob_ba": "", "status_ba": "parse_failure"}
    elif trouble < 0.012:
        row |= {"first_prob_ab": "", "status_ab": "refusal"}
    elif trouble < 0.02:
        row |= {"first_prob_ab": "", "status_ab": "cannot_judge"}
    elif trouble < 0.05:
        row |= {"cost_ba": "", "cost_reserve_ba": 2 * cost}
    return row


def example_csv() -> bytes:
    """The bundled example as CSV."""
    out = io.StringIO()
    writer = csv.DictWriter(out, HEADER, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(example_rows())
    return out.getvalue().encode()


if __name__ == "__main__":
    EXAMPLE.write_bytes(example_csv())
    sys.stdout.write(f"{EXAMPLE}\n")
