"""What a judge is worth on a slice of items: accuracy, order of errors, agreement, failures, cost (METHODS 10).

Belongs here: the figures of one judge alone. Does not belong here: cascades (`fitting`, `evaluation`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from methods.judging.agreement import agreement
from methods.judging.auroc import auroc
from methods.judging.bins import Bin, bins, calibration_error
from methods.judging.comparison import UNKNOWN
from methods.judging.judgments import Judgments
from methods.judging.orders import Flags, Signs
from methods.judging.records import Gold, JudgeRecord, repeat_records
from methods.statistics.fixed_point import SCALE, Integers
from warehouse.judge_words import CALL_STATES
from warehouse.methodology import Methodology


@dataclass(frozen=True, slots=True)
class Repeats:
    """Repeated items of a judge: places of those with two valid verdicts or more, and whether all of them agree."""

    places: Integers
    stable: Flags


def repeats_of(judgments: Judgments, record: JudgeRecord) -> Repeats:
    """The repeated items of a judge, those with at least two valid verdicts."""
    places, sides = repeat_records(judgments, record.judge, record.orders)
    grouped = (
        pl.DataFrame({"place": places, "side": sides})
        .group_by("place")
        .agg(n=pl.len(), kinds=pl.col("side").n_unique())
        .filter(pl.col("n") > 1)
        .sort("place")
    )
    return Repeats(grouped["place"].to_numpy(), (grouped["kinds"] == 1).to_numpy())


def summarize(
    record: JudgeRecord, gold: Gold, repeats: Repeats, mask: Flags, methodology: Methodology
) -> dict[str, Any]:
    """The figures of a judge on a slice, by column name of out__judge_summary.

    Args:
        record, gold: over all items.
        repeats: of the same judge.
        mask: the items of the slice.
        methodology: bins, level of intervals.
    """
    put = record.asked & mask
    valid = put & record.decided.valid
    scored = valid & gold.known
    labelled = int((put & gold.known).sum())
    sides = record.decided.sides[valid]
    earned, n = int(record.credit[scored].sum()), int(scored.sum())
    ordered = scored & (record.credit != 1)
    agreed = agreement(record.decided.sides[scored], gold.sides[scored])
    return {
        "items": int(put.sum()),
        "labelled": labelled,
        "valid": int(valid.sum()),
        "verdicts_a": int((sides > 0).sum()),
        "verdicts_b": int((sides < 0).sum()),
        "ties": int((sides == 0).sum()),
        "accuracy": earned / (2 * n) if n else None,
        "accuracy_worst": earned / (2 * labelled) if labelled else None,
        "accuracy_best": (earned + 2 * (labelled - n)) / (2 * labelled) if labelled else None,
        "auroc": auroc(record.decided.q[ordered], record.credit[ordered] == 2),
        "calibration_error": calibration_error(judge_bins(record, None, gold, mask, methodology)),
        "gold_agreement": agreed.raw,
        "gold_kappa": agreed.kappa,
        **_orders(record, valid),
        **_states(record, put),
        **_stability(repeats, mask),
        **_cost(record, put),
    }  # fmt: skip


def judge_bins(
    record: JudgeRecord, fallback: JudgeRecord | None, gold: Gold, mask: Flags, methodology: Methodology
) -> list[Bin]:
    """The bins of q of a judge on a slice, with the fallback's accuracy on the same items where there is one."""
    scored = record.asked & record.decided.valid & gold.known & mask
    if fallback is None:
        theirs, known = record.credit[scored], np.zeros(int(scored.sum()), dtype=np.bool_)
    else:
        theirs, known = fallback.credit[scored], fallback.decided.valid[scored]
    level_z = methodology.source_statistics.level_z
    edges = methodology.judging.bins
    return bins(record.decided.q[scored], record.credit[scored], theirs, known, edges, level_z)


def label_figures(items: pl.DataFrame, mask: Flags) -> dict[str, Any]:
    """The labels of a slice of items, by column name of out__judge_label: double labels, adjudications with reasons."""
    chosen = items.filter(pl.Series(mask))
    both = chosen.filter(pl.col("label_1").is_not_null() & pl.col("label_2").is_not_null())
    found = agreement(both["label_1"].to_numpy(), both["label_2"].to_numpy())
    labelled = int(chosen["gold"].is_not_null().sum())
    reasons = Counter(chosen["adjudication_reason"].drop_nulls().to_list())
    listed = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    adjudicated = sum(reasons.values())
    return {
        "items": chosen.height,
        "labelled": labelled,
        "gold_ties": int((chosen["gold"] == "tie").sum()),
        "double_labelled": found.n,
        "label_agreement": found.raw,
        "label_kappa": found.kappa,
        "adjudicated": adjudicated,
        "adjudication_rate": adjudicated / labelled if labelled else None,
        "adjudication_reasons": [f"{reason}: {n}" for reason, n in listed],
    }


def _orders(record: JudgeRecord, valid: Flags) -> dict[str, Any]:
    """Discordance, and which place is favoured; unknown where one order alone was asked."""
    n = int(valid.sum())
    if record.is_one_order:
        names = ("discordant", "weakly_discordant", "swap_consistency", "first_place_share")
        return {"is_one_order": True, **dict.fromkeys(names)}
    against, weak = int(record.decided.discordant[valid].sum()), int(record.decided.weak[valid].sum())
    first = second = 0
    for order in record.orders:
        shown = np.sign(2 * record.firsts[order][valid] - SCALE)
        first, second = first + int((shown > 0).sum()), second + int((shown < 0).sum())
    return {
        "is_one_order": False,
        "discordant": against,
        "weakly_discordant": weak,
        "swap_consistency": (n - against - weak) / n if n else None,
        "first_place_share": first / (first + second) if first + second else None,
    }


def _states(record: JudgeRecord, put: Flags) -> dict[str, int]:
    """How the calls ended, over the orders that the mode asks for."""
    tally: Counter[int] = Counter()
    for order in record.orders:
        codes, counts = np.unique(record.states[order][put], return_counts=True)
        tally.update(dict(zip(codes.tolist(), counts.tolist(), strict=True)))
    named = {state: tally[code] for code, state in enumerate(CALL_STATES)}
    return {
        "calls": sum(tally.values()), "cannot_judge": named["cannot_judge"], "parse_failures": named["parse_failure"],
        "refusals": named["refusal"], "errored": named["errored"], "unrecorded": named["missing"],
        "not_run": named["not_run"],
    }  # fmt: skip


def _stability(repeats: Repeats, mask: Flags) -> dict[str, Any]:
    inside = mask[repeats.places]
    n = int(inside.sum())
    return {"repeated": n, "repeat_stability": int(repeats.stable[inside].sum()) / n if n else None}


def _cost(record: JudgeRecord, put: Flags) -> dict[str, Any]:
    costs = record.costs.recorded[put]
    known = costs[costs != UNKNOWN]
    n = int(known.size)
    return {"cost_items": n, "cost_per_1000": int(known.sum()) * 1000 / (n * SCALE) if n else None}


def queue_reasons(record: JudgeRecord) -> tuple[Flags, Flags]:
    """(discordant, cannot judge) over all items: what a person should look at."""
    unable = np.zeros(record.asked.size, dtype=np.bool_)
    for order in record.orders:
        unable |= record.states[order] == CALL_STATES.index("cannot_judge")
    return record.asked & record.decided.discordant, record.asked & unable


def sides_text(sides: Signs, valid: Flags) -> list[str | None]:
    """Verdicts as words; None where there is none."""
    names = {1: "A", -1: "B", 0: "tie"}
    return [names[int(side)] if is_valid else None for side, is_valid in zip(sides, valid, strict=True)]
