"""The tables of a study of judges, from judgments and options (METHODS 10).

Belongs here: putting the parts together, for a study of the catalog and for the command alike. Does not belong here:
any figure of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from methods.judging.cascades import Cascade, World, cascade, world_of
from methods.judging.columns import JudgmentsError
from methods.judging.curves import curve
from methods.judging.judgments import Judgments
from methods.judging.records import JudgeRecord, slices
from methods.judging.separation import Sides, drawn_sides, stated_sides
from methods.judging.summary import judge_bins, label_figures, queue_reasons, repeats_of, summarize
from methods.judging.transfer import transfers
from methods.statistics.fixed_point import SCALE
from warehouse.catalog_model import Catalog, StudySpec
from warehouse.contracts import TableContract
from warehouse.judge_words import CALL_STATES, NO_FALLBACK, STACK_FIELDS, UNSTATED
from warehouse.methodology import Methodology
from warehouse.plain_text import one_line
from warehouse.study_options import JudgeOptions
from warehouse.tables_judging import (
    JUDGE_TABLES,
    OUT_JUDGE_BIN,
    OUT_JUDGE_CASCADE,
    OUT_JUDGE_CURVE,
    OUT_JUDGE_LABEL,
    OUT_JUDGE_QUEUE,
    OUT_JUDGE_STACK,
    OUT_JUDGE_SUMMARY,
    OUT_JUDGE_TRANSFER,
)

Row = dict[str, Any]
_OK: Final = CALL_STATES.index("ok")


@dataclass(frozen=True)
class JudgeStudy:
    """A study of judges made ready.

    Attributes:
        world: judgments, records, split.
        judges, fallbacks: by name.
        cascades: one a judge, fallback and task type; none without fallback or split.
    """

    world: World
    judges: tuple[str, ...]
    fallbacks: tuple[str, ...]
    cascades: tuple[Cascade, ...]


def analyse(evidence: Judgments, study: StudySpec, catalog: Catalog) -> dict[str, pl.DataFrame]:
    """Every table of a study of the catalog (errors as `judge_study`)."""
    options = JudgeOptions.model_validate(study.options)
    return judge_tables(study.id, judge_study(evidence, options, catalog.methodology), catalog.methodology)


def judge_study(judgments: Judgments, options: JudgeOptions, methodology: Methodology) -> JudgeStudy:
    """The judges, and their cascades where a fallback and a split are at hand.

    Raises:
        JudgmentsError: for a judge or fallback that is not there, a fallback without a split, a split that lets a
            cluster lie on both sides.
    """
    for name in (*options.judges, *options.fallbacks):
        judgments.stack(name)
    judges = options.judges or tuple(name for name in judgments.judges if name not in options.fallbacks)
    if not judges:
        raise JudgmentsError("no judge is left to study: every one is a fallback")
    sides = split_of(judgments, options.split, methodology.seed)
    if options.fallbacks and all(judge == other for judge in judges for other in options.fallbacks):
        raise JudgmentsError(f"{one_line(judges[0])} cannot be its own fallback: name another of the two")
    if options.fallbacks and sides is None:
        raise JudgmentsError(
            "a cascade needs items to choose its threshold on and others to judge it on: state split (selection, "
            "held_out) for the items, or have it drawn by cluster with the option split, for example 0.5"
        )
    names = tuple(dict.fromkeys((*judges, *options.fallbacks)))
    world = world_of(judgments, names, sides, single=options.one_order)
    found = [
        cascade(world, judge, fallback, task_type, options.rule, methodology.judging)
        for judge in judges
        for fallback in options.fallbacks
        if fallback != judge
        for task_type in _tasks_of(world, judge)
    ]
    return JudgeStudy(world, judges, options.fallbacks, tuple(found))


def split_of(judgments: Judgments, share: float | None, seed: int) -> Sides | None:
    """The split as the judgments state it, else as drawn; None for neither.

    Raises:
        JudgmentsError: where both are asked for, or a cluster lies on both sides.
    """
    stated = stated_sides(judgments.items)
    if share is None:
        return stated
    if stated is not None:
        raise JudgmentsError("the judgments state a split themselves: leave out the option split")
    return drawn_sides(judgments.items, share, seed)


def judge_tables(study: str, found: JudgeStudy, methodology: Methodology) -> dict[str, pl.DataFrame]:
    """Every table of a study, by name.

    Args:
        study: its id, the first column of every row.
        found: the study.
        methodology: bins, grid, tolerance, levels.
    """
    judging = methodology.judging
    world = found.world
    rows: Mapping[TableContract, Iterable[Row]] = {
        OUT_JUDGE_STACK: _stacks(found),
        OUT_JUDGE_SUMMARY: _summaries(found, methodology),
        OUT_JUDGE_BIN: _bins(found, methodology),
        OUT_JUDGE_CASCADE: [one.row(judging) for one in found.cascades],
        OUT_JUDGE_CURVE: [
            {**{name: one.key[name] for name in ("judge", "fallback", "task_type")}, **row}
            for one in found.cascades
            for row in curve(one.held_out, judging)
        ],
        OUT_JUDGE_TRANSFER: transfers(world, found.cascades, found.fallbacks, judging) if found.cascades else [],
        OUT_JUDGE_LABEL: [
            {"slice": name, "slice_value": value, **label_figures(world.judgments.items, mask)}
            for name, value, mask in slices(world.judgments.items)
        ],
        OUT_JUDGE_QUEUE: [row for name in found.judges for row in queue(world, world.records[name])],
    }
    assert set(rows) == set(JUDGE_TABLES)
    return {
        contract.name: contract.conform(
            pl.DataFrame([{"study": study, **row} for row in made], schema=contract.polars_schema(), orient="row")
        )
        for contract, made in rows.items()
    }


def queue(world: World, record: JudgeRecord) -> list[Row]:
    """What a person should look at, by column name of out__judge_queue: discordant first where both apply."""
    discordant, unable = queue_reasons(record)
    items = world.judgments.items
    rows = []
    for place in (discordant | unable).nonzero()[0].tolist():
        item = items.row(place, named=True)
        rows.append(
            {
                "judge": record.judge,
                "item": item["item"],
                "task_type": UNSTATED if item["task_type"] is None else item["task_type"],
                "queue_reason": "position_discordant" if discordant[place] else "cannot_judge",
                "prob_a_shown_first": _probability(record, "ab", place),
                "prob_a_shown_second": _probability(record, "ba", place),
            }
        )
    return rows


def _probability(record: JudgeRecord, order: str, place: int) -> float | None:
    """That A is better, as one order says; None where it gave no answer."""
    if order not in record.orders or record.states[order][place] != _OK:
        return None
    first = int(record.firsts[order][place])
    return (first if order == "ab" else SCALE - first) / SCALE


def _tasks_of(world: World, judge: str) -> list[str | None]:
    """The task types of the items put to a judge."""
    asked = world.judgments.items.filter(pl.Series(world.records[judge].asked))
    return sorted(asked["task_type"].unique().to_list(), key=lambda name: (name is None, name or ""))


def _stacks(found: JudgeStudy) -> list[Row]:
    judgments = found.world.judgments
    rows = []
    for name in found.world.records:
        stack = judgments.stack(name)
        strange = judgments.strange_labels.filter(pl.col("judge") == name)
        rows.append(
            {
                "judge": name,
                **{field: stack.fields.get(field) for field in STACK_FIELDS},
                "key_sha256": stack.sha256,
                "unstated_fields": list(stack.unstated),
                "strange_labels": [f"{one_line(row['label'])}: {row['n']}" for row in strange.rows(named=True)],
            }
        )
    return rows


def _summaries(found: JudgeStudy, methodology: Methodology) -> list[Row]:
    world, rows = found.world, []
    for name, record in world.records.items():
        repeats = repeats_of(world.judgments, record)
        for slice_name, value, mask in slices(world.judgments.items):
            if (record.asked & mask).any():
                figures = summarize(record, world.gold, repeats, mask, methodology)
                rows.append({"judge": name, "slice": slice_name, "slice_value": value, **figures})
    return rows


def _bins(found: JudgeStudy, methodology: Methodology) -> list[Row]:
    world, rows = found.world, []
    for name in found.judges:
        record = world.records[name]
        others: list[str | None] = [other for other in found.fallbacks if other != name]
        for fallback in others or [None]:
            beside = None if fallback is None else world.records[fallback]
            for slice_name, value, mask in slices(world.judgments.items):
                if not (record.asked & mask).any():
                    continue
                made = judge_bins(record, beside, world.gold, mask, methodology)
                head = {"judge": name, "fallback": fallback or NO_FALLBACK, "slice": slice_name, "slice_value": value}
                rows += [
                    {
                        **head, "bin": number, "bin_label": one.label, "q_low": one.low, "q_high": one.high, "n": one.n,
                        "mean_q": one.mean_q, "accuracy": one.accuracy, "accuracy_low": one.accuracy_low,
                        "accuracy_high": one.accuracy_high, "fallback_n": one.fallback_n,
                        "fallback_accuracy": one.fallback,
                    }
                    for number, one in enumerate(made, start=1)
                ]  # fmt: skip
    return rows
