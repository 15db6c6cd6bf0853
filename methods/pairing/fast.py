"""The fast generator of candidate pairs: the same pairs and rules as the naive one, joined instead of tried.

Belongs here: which join finds which rule. Rules 3 to 6 and 8 all ask for similar token sets, so one join over distinct
token sets finds their pairs and exact checks tell them apart; the other rules are equalities and containments of codes.
Rows that agree in everything rules 1 to 12 read are one *profile*: rules are decided between profiles, pre-filters
between their rows. Does not belong here: what a rule means (`methods.pairing.rules`; a test holds the two together).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from methods.pairing.coded import CodedRows, code_rows
from methods.pairing.compiled import COMPILE_ABOVE, Ints, Runner, as_ints
from methods.pairing.facts import RowReader
from methods.pairing.loops import EXTRA_BITS, EXTRA_MASK, FIRST_SHIFT, MEMBER_MASK, row_pairs
from methods.pairing.profiles import Profiles, group_starts, merged_pairs
from methods.pairing.rules import CandidatePair
from methods.pairing.token_sets import similar_profiles
from warehouse.catalog_model import Catalog
from warehouse.pairing_words import PAIR_RULES, direction_of
from warehouse.vocabulary import SOURCE_TYPES

PAIR_SCHEMA = pl.Schema(
    {
        "pair_id": pl.String(),
        "entry_id_a": pl.String(),
        "entry_id_b": pl.String(),
        "benchmark": pl.String(),
        "direction": pl.String(),
        "rules": pl.List(pl.String()),
    }
)


@dataclass(frozen=True)
class PairIndex:
    """Candidate pairs as row numbers and rule masks: small, also where there are millions.

    Attributes:
        rows: the rows the numbers speak of.
        first, second: row numbers, first < second.
        mask: bit k set where rule k + 1 hits.
    """

    rows: CodedRows
    first: Ints
    second: Ints
    mask: Ints

    @property
    def copies(self) -> int:
        """How many rows took no part because they only repeat another's number."""
        return self.rows.copies

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The pairs as a frame in order of pair id, by `PAIR_SCHEMA`."""
        if not len(self.mask):
            return pl.DataFrame(schema=PAIR_SCHEMA)
        ids, source = self.rows.entry_ids, self.rows.source
        sides = pl.DataFrame({"u": ids.gather(self.first), "v": ids.gather(self.second)})
        low, high = (
            np.minimum(source[self.first], source[self.second]),
            np.maximum(source[self.first], source[self.second]),
        )
        rule_lists, rule_numbers = np.unique(self.mask, return_inverse=True)
        hits = [[name for k, name in enumerate(PAIR_RULES) if mask >> k & 1] for mask in rule_lists.tolist()]
        kinds = range(len(SOURCE_TYPES))
        directions = pl.Series(
            [direction_of(SOURCE_TYPES[a], SOURCE_TYPES[b]) if a != b else "" for a in kinds for b in kinds]
        )
        return (
            sides.select(
                entry_id_a=pl.min_horizontal("u", "v"),
                entry_id_b=pl.max_horizontal("u", "v"),
                benchmark=pl.Series(self.rows.benchmarks).gather(self.rows.benchmark[self.first]),
                direction=directions.gather(low * len(SOURCE_TYPES) + high),
                rules=pl.Series(hits, dtype=pl.List(pl.String)).gather(rule_numbers),
            )
            .with_columns(pair_id=pl.concat_str("entry_id_a", pl.lit("~"), "entry_id_b"))
            .select(PAIR_SCHEMA.names())
            .sort("pair_id")
        )

    def pairs(self) -> list[CandidatePair]:
        """The pairs as values, in order of pair id."""
        return [CandidatePair(**{**row, "rules": tuple(row["rules"])}) for row in self.frame.iter_rows(named=True)]


def candidate_pairs(results: pl.DataFrame, catalog: Catalog, *, compile_above: int = COMPILE_ABOVE) -> PairIndex:
    """Every candidate pair of a `core__result` frame with every rule that hits (METHODS 5).

    Args:
        results: core__result, any order.
        catalog: its methodology's pairing rules, organization prefixes and hand-registered pairs.
        compile_above: rows of one benchmark from which loops are compiled; it moves time only.

    Raises:
        OverflowError: for a benchmark with more than 16.7 million rows.
    """
    levels = catalog.methodology.names.effort_levels
    rows = code_rows(results, RowReader.of(catalog), levels)
    aliases = _alias_rows(rows, catalog)
    order = np.argsort(rows.benchmark, kind="stable")
    bounds = group_starts(rows.benchmark[order], len(rows.benchmarks))
    parts = [
        _benchmark_pairs(rows, order[bounds[k] : bounds[k + 1]], aliases.get(k, []), catalog, compile_above)
        for k in range(len(rows.benchmarks))
    ]
    first, second, mask = (np.concatenate([part[k] for part in parts] or [as_ints([])]) for k in range(3))
    return PairIndex(rows, first, second, mask)


def _benchmark_pairs(
    rows: CodedRows, members: Ints, aliases: list[tuple[int, int]], catalog: Catalog, compile_above: int
) -> tuple[Ints, Ints, Ints]:
    """Candidate pairs among the rows `members` of one benchmark: first row, second row, rule mask."""
    if len(members) > MEMBER_MASK:
        raise OverflowError(f"{len(members)} rows of one benchmark; at most {MEMBER_MASK} can be paired")
    if len(np.unique(rows.source[members])) < 2:
        return as_ints([]), as_ints([]), as_ints([])
    run = Runner(is_compiled=len(members) > compile_above)
    profiles = Profiles.of(rows, members)
    found = [*profiles.code_rules(run), similar_profiles(profiles, catalog.methodology.pairing, run)]
    pairs = merged_pairs(found)
    filters = (rows.source[members], rows.steps[members], rows.effort[members])
    candidates = [run(row_pairs, pairs, profiles.row_starts, profiles.rows, *filters)]
    if aliases:
        place = {row: k for k, row in enumerate(members.tolist())}
        candidates.append(_alias_pairs([(place[a], place[b]) for a, b in aliases], filters))
    packed = merged_pairs(candidates)
    return members[packed >> FIRST_SHIFT], members[packed >> EXTRA_BITS & MEMBER_MASK], packed & EXTRA_MASK


def _alias_rows(rows: CodedRows, catalog: Catalog) -> dict[int, list[tuple[int, int]]]:
    """The hand-registered pairs as row numbers, by benchmark; a pair that no benchmark holds is none."""
    if not catalog.pair_aliases:
        return {}
    place = {entry: k for k, entry in enumerate(rows.entry_ids.to_list())}
    found: dict[int, list[tuple[int, int]]] = {}
    for alias in catalog.pair_aliases:
        a, b = place.get(alias.entry_id_a), place.get(alias.entry_id_b)
        if a is not None and b is not None and rows.benchmark[a] == rows.benchmark[b]:
            found.setdefault(int(rows.benchmark[a]), []).append((a, b))
    return found


def _alias_pairs(aliases: list[tuple[int, int]], filters: tuple[Ints, Ints, Ints]) -> Ints:
    """Rule 13 on hand-registered pairs of rows, which the pre-filters bind as every other."""
    bit = 1 << PAIR_RULES.index("manual_alias")
    source, steps, effort = filters

    def passes(a: int, b: int) -> bool:
        differs = any(stated[a] >= 0 and stated[b] >= 0 and stated[a] != stated[b] for stated in (steps, effort))
        return source[a] != source[b] and not differs

    return as_ints([min(p) << FIRST_SHIFT | max(p) << EXTRA_BITS | bit for p in aliases if passes(*p)])
