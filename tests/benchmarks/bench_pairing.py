"""Candidate pairs against the naive generator and against the tight loop a user would write; prints ratios.

    python tests/benchmarks/bench_pairing.py [--million]

All give the pairs of the same rows. The naive generator records every rule of every pair (METHODS 5); the loop, over
Python sets with every form computed beforehand, only says which pairs have one (which spares it RapidFuzz: whatever
rule 5 brings up has reached rule 6). Both are timed on 2,000
rows and extrapolated to 10,000, since their cost grows with the square. They run in turns; each one's figure is its
least processor time. Ratios travel between machines, times do not. `--million` adds a million rows of one benchmark,
in a process of its own, with its peak memory.
"""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "methods" / "pairing"))

from pairing_rows import catalog
from simulated_names import simulated_results

from methods.pairing.facts import RowFacts, RowReader
from methods.pairing.fast import candidate_pairs
from methods.pairing.rules import candidate_pairs_naive
from warehouse.catalog_model import Catalog

PROVED, LARGE, MILLION = 2_000, 10_000, 1_000_000
TURNS = 3


@dataclass(frozen=True)
class Comparison:
    """Processor seconds at `large` rows: ours measured, the others extrapolated from `proved`; whether all agreed."""

    large: int
    proved: int
    naive_seconds: float
    loop_seconds: float
    ours_seconds: float
    compiled_seconds: float
    pairs: int
    agree: bool


def tight_loop(results: pl.DataFrame, book: Catalog) -> set[tuple[str, str]]:
    """Pairs of entry ids that any rule brings up, cheapest question first, no rule recorded; bounds of METHODS 5."""
    rows = [row for row in RowReader.of(book).rows(results) if not row.is_copy]
    found = set()
    for i, a in enumerate(rows):
        words, kind, steps, effort = a.name.tokens, a.source_type, a.steps, a.effort
        for b in rows[i + 1 :]:
            if b.source_type == kind:
                continue
            if steps is not None and b.steps is not None and steps != b.steps:
                continue
            if effort is not None and b.effort is not None and effort != b.effort:
                continue
            other = b.name
            shared = len(words & other.tokens)
            is_similar = shared and 5 * shared >= 3 * (len(words) + len(other.tokens) - shared)
            if is_similar or _hits_otherwise(a, b):
                found.add((a.entry_id, b.entry_id))
    return found


def _hits_otherwise(a: RowFacts, b: RowFacts) -> bool:
    one, other = a.name, b.name
    if (
        one.stripped_normal == other.stripped_normal
        or one.normal == other.normal
        or (a.model_id and a.model_id == b.model_id)
        or (a.url and a.url == b.url)
    ):
        return True
    if one.plain_head == other.plain_head and (one.had_prefix or other.had_prefix):
        return True
    if one.is_wrapped != other.is_wrapped:
        backend, bare, model_id = (
            (one.backend, other.plain_head, b.model_id_plain)
            if one.is_wrapped
            else (other.backend, one.plain_head, a.model_id_plain)
        )
        if backend in bare or backend in model_id:
            return True
    if a.planners and (b.model_id_normal in a.planners or (not other.is_wrapped and other.normal in a.planners)):
        return True
    return bool(b.planners) and (a.model_id_normal in b.planners or (not one.is_wrapped and one.normal in b.planners))


def compare(proved: int = PROVED, large: int = LARGE, turns: int = TURNS) -> Comparison:
    """All in turns, ours twice: as it runs by itself (interpreted at this size), and compiled before the first turn."""
    book = catalog()
    small, great = simulated_results(proved, 11), simulated_results(large, 11)
    ours = candidate_pairs(small, book).pairs()
    looped = {tuple(sorted(pair)) for pair in tight_loop(small, book)}
    agree = ours == candidate_pairs_naive(small, book) and looped == {(one.entry_id_a, one.entry_id_b) for one in ours}
    pairs = len(candidate_pairs(great, book, compile_above=0).mask)
    least = dict.fromkeys(("naive", "loop", "ours", "compiled"), float("inf"))
    for _ in range(turns):
        least["naive"] = min(least["naive"], _seconds(lambda: candidate_pairs_naive(small, book)))
        least["loop"] = min(least["loop"], _seconds(lambda: tight_loop(small, book)))
        least["ours"] = min(least["ours"], _seconds(lambda: candidate_pairs(great, book)))
        least["compiled"] = min(least["compiled"], _seconds(lambda: candidate_pairs(great, book, compile_above=0)))
    square = (large / proved) ** 2
    return Comparison(
        large, proved, least["naive"] * square, least["loop"] * square, least["ours"], least["compiled"], pairs, agree
    )


def line(one: Comparison) -> str:
    """A comparison in words."""
    return (
        f"{one.large:,} rows, {one.pairs:,} pairs: {one.naive_seconds / one.ours_seconds:,.0f} times less processor "
        f"time than the naive generator ({one.naive_seconds / one.compiled_seconds:,.0f} once compiled), "
        f"{one.loop_seconds / one.ours_seconds:,.0f} times less than a tight loop over sets "
        f"({one.loop_seconds / one.compiled_seconds:,.0f}); both extrapolated from {one.proved:,} rows; same pairs: "
        f"{one.agree}"
    )


def million() -> str:
    """One benchmark of a million rows: processor seconds, pairs, peak memory of the process."""
    book = catalog()
    candidate_pairs(simulated_results(300, 1), book, compile_above=0)
    rows = simulated_results(MILLION, 11)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start, wall = time.process_time(), time.perf_counter()
    index = candidate_pairs(rows, book)
    spent, waited = time.process_time() - start, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"1,000,000 rows of one benchmark: {spent:.1f} s processor, {waited:.1f} s wall, {len(index.mask):,} pairs, "
        f"peak {peak:,.0f} MB (of which {before:,.0f} MB before the call)"
    )


def _seconds(call: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    call()
    return time.process_time() - start


if __name__ == "__main__":
    if "--only-million" in sys.argv:
        sys.stdout.write(million() + "\n")
    else:
        sys.stdout.write(line(compare()) + "\n")
        if "--million" in sys.argv:
            subprocess.run([sys.executable, __file__, "--only-million"], check=True)
