"""Which models met which harnesses on which benchmarks: whether all did, and the largest sub-panel in which all did.

Belongs here: balance, the missing cells by name, the search. Does not belong here: any figure of a crossing.

The largest sub-panel has at least two models and two harnesses, and the most cells; among equals the most benchmarks,
then models, then harnesses, then the first by name. For every set of benchmarks the harness sets that can be best are
intersections of what single models met; all of these are walked. Should a panel have more of them than the methodology
allows, the search stops there and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import combinations

from methods.harness.plan import Plan

Cell3 = tuple[str, str, str]
"""(benchmark, model, harness)."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """A full crossing: every model under every harness on every benchmark; names sorted, benchmarks as declared."""

    benchmarks: tuple[str, ...]
    models: tuple[str, ...]
    harnesses: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many cells it has."""
        return len(self.benchmarks) * len(self.models) * len(self.harnesses)

    @property
    def is_two_by_two(self) -> bool:
        """Whether at least two models meet at least two harnesses, so that either can be told from the other."""
        return len(self.models) > 1 and len(self.harnesses) > 1

    def cells(self) -> Iterator[Cell3]:
        """Every cell."""
        for benchmark in self.benchmarks:
            for model in self.models:
                for harness in self.harnesses:
                    yield benchmark, model, harness


@dataclass(frozen=True, slots=True)
class Balance:
    """How far a declared panel is a crossing.

    Attributes:
        declared: all its models, harnesses and benchmarks.
        planned: its cells, references aside, sorted.
        missing: cells of that crossing that are not planned, sorted.
        balanced: the largest sub-panel that is a crossing; None where no two models meet two harnesses, and where
            nothing is missing.
        left_out: planned cells outside it, sorted.
        is_exhaustive: whether the search went to its end.
    """

    declared: Crossing
    planned: tuple[Cell3, ...]
    missing: tuple[Cell3, ...]
    balanced: Crossing | None
    left_out: tuple[Cell3, ...]
    is_exhaustive: bool

    @property
    def is_balanced(self) -> bool:
        """Whether every model meets every harness on every benchmark."""
        return not self.missing


def balance_of(plan: Plan, search_limit: int) -> Balance:
    """The balance of a plan's primary conditions, references aside.

    Args:
        plan: the panel.
        search_limit: sets of harnesses that are tried for one set of benchmarks.
    """
    references = plan.spec.reference_pairs
    planned = {
        (block.benchmark, *pair) for block in plan.primary for pair in block.configurations if pair not in references
    }
    declared = Crossing(
        tuple(one.id for one in plan.spec.benchmarks), tuple(sorted(plan.spec.models)),
        tuple(sorted(plan.spec.harnesses)),
    )  # fmt: skip
    missing = tuple(sorted(set(declared.cells()) - planned))
    if not missing:
        return Balance(declared, tuple(sorted(planned)), (), None, (), is_exhaustive=True)
    balanced, is_exhaustive = largest_crossing(planned, declared.benchmarks, search_limit)
    inside = set(balanced.cells()) if balanced else set()
    return Balance(declared, tuple(sorted(planned)), missing, balanced, tuple(sorted(planned - inside)), is_exhaustive)


def largest_crossing(
    planned: Set[Cell3], benchmarks: tuple[str, ...], search_limit: int
) -> tuple[Crossing | None, bool]:
    """The largest crossing within the planned cells, and whether the search went to its end.

    Args:
        planned: cells that are there.
        benchmarks: all benchmarks, in declared order.
        search_limit: sets of harnesses that are tried for one set of benchmarks, and sets of benchmarks tried.
    """
    best: Crossing | None = None
    is_exhaustive = True
    for tried, chosen in enumerate(_subsets(benchmarks)):
        if tried >= search_limit:
            return best, False
        met = _met(planned, chosen)
        if best is not None and _at_most(met) * len(chosen) < best.size:
            continue
        harness_sets, is_whole = _intersections(met.values(), search_limit)
        is_exhaustive &= is_whole
        for harnesses in harness_sets:
            models = tuple(sorted(model for model, own in met.items() if harnesses <= own))
            if len(models) > 1 and len(harnesses) > 1:
                found = Crossing(chosen, models, tuple(sorted(harnesses)))
                best = found if best is None or _rank(found) < _rank(best) else best
    return best, is_exhaustive


def _rank(crossing: Crossing) -> tuple[int, int, int, int, Crossing | tuple[tuple[str, ...], ...]]:
    names = (crossing.benchmarks, crossing.models, crossing.harnesses)
    return -crossing.size, -len(crossing.benchmarks), -len(crossing.models), -len(crossing.harnesses), names


def _subsets(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every set of benchmarks but the empty one, large ones first."""
    for size in range(len(names), 0, -1):
        yield from combinations(names, size)


def _met(planned: Set[Cell3], benchmarks: tuple[str, ...]) -> dict[str, frozenset[str]]:
    """By model, the harnesses it met on all of the benchmarks."""
    times: dict[tuple[str, str], int] = {}
    for benchmark, model, harness in planned:
        if benchmark in benchmarks:
            times[model, harness] = times.get((model, harness), 0) + 1
    met: dict[str, set[str]] = {}
    for (model, harness), count in times.items():
        if count == len(benchmarks):
            met.setdefault(model, set()).add(harness)
    return {model: frozenset(own) for model, own in sorted(met.items()) if len(own) > 1}


def _at_most(met: Mapping[str, frozenset[str]]) -> int:
    """More cells than this no crossing of one benchmark has."""
    return sum(len(own) for own in met.values())


def _intersections(sets: Iterable[frozenset[str]], limit: int) -> tuple[list[frozenset[str]], bool]:
    """Every intersection of the given sets that has two members, in a fixed order; and whether all were found."""
    distinct = sorted(set(sets), key=sorted)
    found: dict[frozenset[str], None] = {}
    for own in distinct:
        further = [own, *(own & other for other in found)]
        for one in further:
            if len(one) > 1:
                found.setdefault(one)
        if len(found) > limit:
            return list(found), False
    return list(found), True
