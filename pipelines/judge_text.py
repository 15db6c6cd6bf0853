"""Judges as text: what each is worth, accuracy by confidence, cascades in sentences, policies, decisions, risks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl
from rich.console import Console

from methods.judging.judgments import Judgments
from methods.judging.risk import RuleRisk
from methods.judging.verdicts import cost_sentence, held_against, named, opened, order_verdict
from pipelines import console
from warehouse.judge_policy import PolicyFile
from warehouse.judge_words import ALL_SLICE, NO_FALLBACK, UNSTATED
from warehouse.methodology import Methodology
from warehouse.plain_text import counted

Row = Mapping[str, Any]
Tables = Mapping[str, pl.DataFrame]
LEFT, RIGHT = "left", "right"
SHOWN_DECISIONS = 20
VERDICT_STYLE = {"pass": "green", "fail": "bold red", "inconclusive": "yellow"}


def print_report(out: Console, judgments: Judgments, tables: Tables, methodology: Methodology) -> None:
    """Prints the report of a study of judges."""
    console.prose(out, f"{counted(judgments.height, 'judgment')} of {counted(judgments.items.height, 'item')}", "bold")
    for row in tables["out__judge_label"].filter(pl.col("slice") == ALL_SLICE).rows(named=True):
        _labels(out, row)
    _keys(out, judgments, tables["out__judge_stack"])
    summary = tables["out__judge_summary"]
    _apart(out, _worth(summary.filter(pl.col("slice") == ALL_SLICE).rows(named=True)))
    _apart(out, _failures(summary.filter(pl.col("slice") == ALL_SLICE).rows(named=True)))
    parts = summary.filter(pl.col("slice") != ALL_SLICE)
    if parts.height:
        _apart(out, _slices(parts.rows(named=True)))
    bins = tables["out__judge_bin"].filter(pl.col("slice") == ALL_SLICE)
    for (judge, fallback), rows in bins.group_by(["judge", "fallback"], maintain_order=True):
        _apart(out, _bins(str(judge), str(fallback), rows.rows(named=True)))
    waiting = tables["out__judge_queue"].height
    if waiting:
        console.prose(out, "")
        console.prose(out, f"{counted(waiting, 'item')} for people to look at: --queue FILE writes a blind sheet")
    print_cascades(out, tables["out__judge_cascade"].rows(named=True), methodology)
    _transfers(out, tables["out__judge_transfer"].rows(named=True))


def print_cascades(out: Console, rows: Sequence[Row], methodology: Methodology) -> None:
    """Prints cascades, each in a few sentences."""
    for row in rows:
        console.prose(out, "")
        console.prose(out, f"Cascade: {named(row)}", "bold")
        console.prose(out, f"  {opened(row)}")
        if row["held_out_items"] and row["tau"] is not None:
            console.prose(
                out,
                f"  accepts {row['acceptance']:.1%}; accuracy {row['cascade_accuracy']:.1%} against the fallback's "
                f"{row['fallback_accuracy']:.1%} (judge alone {row['judge_accuracy']:.1%}); as many escalated at "
                f"random {row['random_accuracy']:.1%}, by label {row['optimal_accuracy']:.1%}; gain captured "
                f"{console.number(row['gain_captured'], 2)}",
            )
            console.prose(out, f"  AUROC of q {console.number(row['held_out_auroc'], 3)}; {cost_sentence(row)}")
        if row["left_out_items"]:
            without = "without a gold label or a decision of the fallback"
            console.prose(out, f"  {counted(row['left_out_items'], 'held-out item')} left out, {without}")
        order = order_verdict(row, methodology.judging.auroc_least)
        if order != "pass":
            why = "is not defined, the judge being never wrong or never right" if order == "inconclusive" else "is low"
            _verdict(out, order, f"AUROC of q {why}: below {methodology.judging.auroc_least:g} no cascade")
        _verdict(out, *held_against(row, 100 * methodology.judging.tolerance, methodology.judging))
    if rows:
        console.prose(out, "A cascade saves money; it does not lift accuracy above the fallback's.", "dim")


def print_policy(out: Console, policy: PolicyFile) -> None:
    """Prints what was frozen."""
    console.prose(out, f"{policy.judge.name}, else {policy.fallback.name}; rule {policy.rule}", "bold")
    rows = [
        (
            UNSTATED if one.task_type is None else one.task_type,
            "closed" if one.tau is None else f"{one.tau:.2f}",
            one.state.replace("_", " "),
            f"{one.items:,}",
            f"{one.accepted:,}",
            _points(one.difference),
            _points(one.bound),
            console.number(one.auroc, 3),
        )
        for one in policy.thresholds
    ]
    columns = [("task type", LEFT), ("tau", RIGHT), ("state", LEFT), ("items", RIGHT), ("accepted", RIGHT)]
    more = [("cascade − fallback, points", RIGHT), ("at least, 95%", RIGHT), ("AUROC", RIGHT)]
    out.print(console.table("Chosen on the selection items", [*columns, *more], rows))
    console.prose(
        out, "Frozen. It is of this judge, this fallback and these task types alone; judge it on other items.", "dim"
    )


def print_decisions(out: Console, found: pl.DataFrame, *, shown: bool) -> None:
    """Prints what a policy decided: counts, and the first decisions where they are written nowhere."""
    by, why = Counter(found["decided_by"].to_list()), Counter(found["reason"].to_list())
    total = found.height
    console.prose(
        out, f"{counted(total, 'item')}: " + ", ".join(f"{n:,} by {name}" for name, n in sorted(by.items())), "bold"
    )
    console.prose(out, "why: " + ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in sorted(why.items())))
    if not shown:
        return
    rows = [
        (row["item"], row["task_type"], console.number(row["q"], 3), row["verdict"] or "—", row["decided_by"],
         row["reason"].replace("_", " "))
        for row in found.head(SHOWN_DECISIONS).rows(named=True)
    ]  # fmt: skip
    columns = [("item", LEFT), ("task type", LEFT), ("q", RIGHT), ("verdict", LEFT), ("by", LEFT), ("why", LEFT)]
    out.print(console.table(f"The first {len(rows)}; --out FILE writes all", columns, rows))


def print_risk(out: Console, rows: Iterable[tuple[str, RuleRisk]], methodology: Methodology) -> None:
    """Prints how often each rule breaks its tolerance."""
    cells = [
        (name, f"{one.items:,}", one.rule, f"{one.opened:.1%}", f"{one.broke:.1%}", f"{one.coverage:.1%}")
        for name, one in rows
    ]
    columns = [("simulated judge", LEFT), ("items", RIGHT), ("rule", LEFT), ("opens", RIGHT)]
    limit = f"loses more than {100 * methodology.judging.tolerance:g} points"
    out.print(
        console.table("Rules on selection sets drawn anew", [*columns, (limit, RIGHT), ("accepts", RIGHT)], cells)
    )


def _labels(out: Console, row: Row) -> None:
    said = f"gold labels: {row['labelled']:,} of {row['items']:,}"
    if row["gold_ties"]:
        said += f", {row['gold_ties']:,} of them ties"
    if row["double_labelled"]:
        said += f"; labelled twice: {row['double_labelled']:,}, alike {row['label_agreement']:.1%}"
        said += f" (kappa {console.number(row['label_kappa'], 3)})"
    if row["adjudicated"]:
        said += f"; adjudicated {row['adjudication_rate']:.1%}: {', '.join(row['adjudication_reasons'])}"
    console.prose(out, said)


def _keys(out: Console, judgments: Judgments, stacks: pl.DataFrame) -> None:
    for row in stacks.rows(named=True):
        if row["unstated_fields"]:
            said = ", ".join(row["unstated_fields"])
            console.prose(
                out, f"{row['judge']}: key not wholly stated ({said}); no policy of it can be frozen", "yellow"
            )
        if row["strange_labels"]:
            console.prose(
                out, f"{row['judge']}: unknown labels are parse failures: {', '.join(row['strange_labels'])}", "yellow"
            )
    for name in judgments.declared:
        console.prose(out, f"{name}: its key is stated, and there are no judgments of it", "yellow")


def _worth(rows: Sequence[Row]) -> Any:
    cells = [
        (
            row["judge"], f"{row['items']:,}", f"{row['valid']:,}", _share(row["accuracy"]),
            f"{_share(row['accuracy_worst'])}–{_share(row['accuracy_best'])}", console.number(row["auroc"], 3),
            console.number(row["calibration_error"], 3), _share(row["gold_agreement"]),
            console.number(row["gold_kappa"], 3),
            "one order" if row["is_one_order"] else _share(row["swap_consistency"]), _share(row["first_place_share"]),
            console.number(row["cost_per_1000"], 2),
        )
        for row in rows
    ]  # fmt: skip
    columns = [
        ("judge", LEFT),
        ("items", RIGHT),
        ("verdicts", RIGHT),
        ("accuracy", RIGHT),
        ("failures wrong–right", RIGHT),
    ]
    columns += [("AUROC", RIGHT), ("calibration error", RIGHT), ("agrees", RIGHT), ("kappa", RIGHT)]
    columns += [("same when swapped", RIGHT), ("first favoured", RIGHT), ("cost/1,000", RIGHT)]
    return console.table("What each judge is worth (ties count half)", columns, cells)


def _failures(rows: Sequence[Row]) -> Any:
    names = ("calls", "cannot_judge", "parse_failures", "refusals", "errored", "unrecorded", "not_run")
    cells = [
        (row["judge"], *(f"{row[name]:,}" for name in names), _count(row["discordant"]),
         _count(row["weakly_discordant"]),
         f"{_share(row['repeat_stability'])} of {row['repeated']:,}" if row["repeated"] else "—")
        for row in rows
    ]  # fmt: skip
    columns = [("judge", LEFT), *((name.replace("_", " "), RIGHT) for name in names)]
    columns += [("discordant", RIGHT), ("weakly", RIGHT), ("stable when repeated", RIGHT)]
    return console.table("How calls ended", columns, cells)


def _slices(rows: Sequence[Row]) -> Any:
    cells = [
        (row["judge"], f"{row['slice'].replace('_', ' ')}: {row['slice_value']}", f"{row['items']:,}",
         _share(row["accuracy"]), console.number(row["auroc"], 3), _count(row["discordant"]))
        for row in rows
    ]  # fmt: skip
    columns = [("judge", LEFT), ("slice", LEFT), ("items", RIGHT), ("accuracy", RIGHT), ("AUROC", RIGHT)]
    return console.table("By slice", [*columns, ("discordant", RIGHT)], cells)


def _bins(judge: str, fallback: str, rows: Sequence[Row]) -> Any:
    has_fallback = fallback != NO_FALLBACK
    cells = [
        (row["bin_label"], f"{row['n']:,}", _share(row["accuracy"]), _interval(row),
         *((_share(row["fallback_accuracy"]),) if has_fallback else ()))
        for row in rows
    ]  # fmt: skip
    columns = [("q", LEFT), ("items", RIGHT), ("accuracy", RIGHT), ("95%", RIGHT)]
    columns += [(f"{fallback} there", RIGHT)] if has_fallback else []
    return console.table(f"Accuracy by confidence: {judge}", columns, cells)


def _transfers(out: Console, rows: Sequence[Row]) -> None:
    if not rows:
        return
    cells = [
        (named(row), f"{row['transfer'].replace('_', ' ')} {row['transferred_to']}", f"{row['tau']:.2f}",
         f"{row['held_out_items']:,}", _share(row["acceptance"]), console.number(row["loss_pp"], 2),
         "—" if row["is_within_tolerance"] is None else "yes" if row["is_within_tolerance"] else "no",
         console.number(row["conservative_cost_ratio"], 3))
        for row in rows
    ]  # fmt: skip
    columns = [("cascade", LEFT), ("carried to", LEFT), ("tau", RIGHT), ("items", RIGHT), ("accepts", RIGHT)]
    columns += [("loss, points", RIGHT), ("within tolerance", LEFT), ("cost ratio", RIGHT)]
    console.prose(out, "")
    out.print(
        console.table("A threshold is of its own fallback and task type; carried elsewhere it would", columns, cells)
    )


def _verdict(out: Console, verdict: str, said: str) -> None:
    console.prose(out, f"  {verdict}: {said}", VERDICT_STYLE[verdict])


def _interval(row: Row) -> str:
    return "—" if row["accuracy_low"] is None else f"[{row['accuracy_low']:.1%}, {row['accuracy_high']:.1%}]"


def _share(value: float | None) -> str:
    return "—" if value is None else f"{value:.1%}"


def _count(value: int | None) -> str:
    return "—" if value is None else f"{value:,}"


def _points(value: float | None) -> str:
    return "—" if value is None else f"{100 * value:+.2f}"


def _apart(out: Console, table: Any) -> None:
    """A table after an empty line."""
    console.prose(out, "")
    out.print(table)
