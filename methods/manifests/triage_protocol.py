"""The second step of triage: does the protocol move rankings as much as the two runs disagree?

Belongs here: the rankings of both runs side by side, the lawful variants that each brought, and the yardstick of
chance. What PSS and winner swap are is `methods.protocols`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import polars as pl

from methods.manifests.triage import TriageRun, TriageStep
from methods.protocols.panel import LossError
from methods.protocols.study import protocol_tables
from warehouse.methodology import Methodology
from warehouse.plain_text import counted
from warehouse.study_options import ProtocolOptions

Row = dict[str, Any]
_MEASURE: Final = "losses by site, coordinate, protocol and candidate, as scoretrail protocol reads them"


def protocol_step(a: TriageRun, b: TriageRun, methodology: Methodology) -> TriageStep:
    """Rankings of both runs: equal, apart by what lawful protocols give anyway, or apart beyond it."""
    absent = [run.stack.id for run in (a, b) if run.losses is None]
    if a.losses is None or b.losses is None:
        said = f"{' and '.join(absent)} brought no losses"
        return TriageStep("protocol", "unknown", said, next=f"bring {_MEASURE}: nothing is run again")
    of_a, of_b = _protocols(a.losses), _protocols(b.losses)
    shared = sorted(of_a & of_b)
    try:
        tables = protocol_tables(_together(a, b), "triage", ProtocolOptions(), methodology)
    except LossError as error:
        return TriageStep(
            "protocol", "unknown", f"the losses make no panel together: {error}", next=f"mend it: {_MEASURE}"
        )
    rows = tables["out__protocol_panel"].rows(named=True)
    apart = _apart(a, b, shared, rows)
    compared = (
        f"protocols {', '.join(sorted(of_a))} of {a.stack.id} and {', '.join(sorted(of_b))} of {b.stack.id}",
        *(_figures(row) for row in apart),
    )
    equal = tuple(f"protocol {name}" for name in shared)
    defined = [row for row in apart if row["mean_pss"] is not None]
    if not defined:
        said = "the two runs have no ranking in common: no site, coordinate and two candidates that both measured"
        return TriageStep(
            "protocol", "unknown", said, compared, equal, next="measure two candidates of one site in both"
        )
    worst = max(defined, key=lambda row: row["mean_pss"])
    if not worst["mean_pss"] and not worst["swapped_sites"]:
        said = "both runs rank the common candidates alike: a protocol that moved scores moved no ranking"
        return TriageStep("protocol", "ruled_out", said, compared, equal)
    if shared:
        return _same_protocol(a, b, rows, worst, compared, equal)
    return _other_protocol(rows, worst, compared)


def _same_protocol(
    a: TriageRun, b: TriageRun, rows: Sequence[Row], worst: Row, compared: tuple[str, ...], equal: tuple[str, ...]
) -> TriageStep:
    """Both say the same protocol: it explains what is beyond chance and no larger than what lawful variants give."""
    apart = worst["mean_pss"]
    chance = _largest([row for row in rows if row["comparison"] == "control"])
    if chance is not None and apart <= _upper(chance):
        compared = (*compared, f"by chance: {_figures(chance)}")
        said = f"the runs are apart by PSS {apart:.3f}, no more than one protocol drawn anew ({_upper(chance):.3f})"
        return TriageStep("protocol", "ruled_out", said, compared, equal)
    lawful = _largest([row for run in (a, b) for row in rows if _within_run(row, run)])
    if lawful is None:
        said = f"one protocol as stated, the runs apart by PSS {apart:.3f}, and no lawful variant of it was measured"
        ask = f"score {a.stack.id} again under a second lawful protocol or convention: no new outputs are needed"
        return TriageStep("protocol", "unknown", said, compared, equal, ("how far lawful variants move rankings",), ask)
    compared = (*compared, f"lawful variants within one run: {_figures(lawful)}")
    least = worst["pss_low"] if worst["pss_low"] is not None else apart
    if least <= lawful["mean_pss"]:
        said = f"the runs are apart by PSS {apart:.3f}, and lawful variants alone give {lawful['mean_pss']:.3f}"
        ask = "declare the lawful variants beforehand, and give every ranking with its stability under them"
        return TriageStep("protocol", "explains", said, compared, equal, next=ask)
    said = (
        f"the runs are apart by PSS {apart:.3f} (from {least:.3f}), lawful variants by at most {lawful['mean_pss']:.3f}"
    )
    return TriageStep("protocol", "ruled_out", said, compared, equal)


def _other_protocol(rows: Sequence[Row], worst: Row, compared: tuple[str, ...]) -> TriageStep:
    """Two protocols: they explain the disagreement if it is larger than what one of them gives within itself."""
    sides, apart = {worst["protocol_a"], worst["protocol_b"]}, worst["mean_pss"]
    within = _largest([row for row in rows if row["comparison"] != "across" and row["protocol_a"] in sides])
    if within is None:
        said = f"two protocols, apart by PSS {apart:.3f}, and no yardstick of chance within either"
        ask = "bring losses by unit (repeat, task): an A/A control needs no new run"
        return TriageStep("protocol", "unknown", said, compared, (), ("how far one protocol moves by chance",), ask)
    compared = (*compared, f"within one protocol: {_figures(within)}")
    if apart > _upper(within):
        said = f"two protocols move rankings by PSS {apart:.3f}; within one it is at most {_upper(within):.3f}"
        ask = f"score {worst['protocol_b'].partition(': ')[0]} under the other protocol too: no new outputs are needed"
        return TriageStep("protocol", "explains", said, compared, next=ask)
    said = f"the two protocols are apart by PSS {apart:.3f}, no more than one within itself ({_upper(within):.3f})"
    return TriageStep("protocol", "ruled_out", said, compared)


def _largest(rows: Sequence[Row]) -> Row | None:
    """Of the comparisons that have figures, the one whose interval reaches furthest."""
    return max((row for row in rows if row["mean_pss"] is not None), key=_upper, default=None)


def _upper(row: Row) -> float:
    return float(row["pss_high"] if row["pss_high"] is not None else row["mean_pss"])


def _together(a: TriageRun, b: TriageRun) -> pl.DataFrame:
    parts = []
    for run in (a, b):
        assert run.losses is not None
        parts.append(run.losses.with_columns(pl.concat_str(pl.lit(f"{run.stack.id}: "), "protocol").alias("protocol")))
    return pl.concat(parts)


def _protocols(losses: pl.DataFrame) -> set[str]:
    return set(losses["protocol"].unique().to_list())


def _apart(a: TriageRun, b: TriageRun, shared: Sequence[str], rows: Sequence[Row]) -> list[Row]:
    """The comparisons of run with run: of each protocol with itself where both have it, else of all."""
    wanted = {(f"{a.stack.id}: {name}", f"{b.stack.id}: {name}") for name in shared}
    found = []
    for row in rows:
        pair = (row["protocol_a"], row["protocol_b"])
        is_between = row["comparison"] == "across" and _run_of(pair[0], a) != _run_of(pair[1], a)
        if is_between and (not wanted or pair in wanted or pair[::-1] in wanted):
            found.append(row)
    return found


def _run_of(protocol: str, run: TriageRun) -> bool:
    return protocol.startswith(f"{run.stack.id}: ")


def _within_run(row: Row, run: TriageRun) -> bool:
    """Two protocols, or a protocol and a convention of it, of one run."""
    sides = _run_of(row["protocol_a"], run) and _run_of(row["protocol_b"], run)
    return sides and row["comparison"] in ("across", "within")


def _figures(row: Row) -> str:
    """Both figures, since neither is reported alone, with M and H."""
    names = (
        row["protocol_a"] if row["protocol_a"] == row["protocol_b"] else f"{row['protocol_a']} and {row['protocol_b']}"
    )
    kind = {"across": "", "within": f", convention {row['convention']}", "control": ", drawn anew"}[row["comparison"]]
    if row["mean_pss"] is None:
        return f"{names}{kind}: no ranking in common"
    ends = "" if row["pss_low"] is None else f" ({row['pss_low']:.3f} to {row['pss_high']:.3f})"
    swap = "not counted" if row["swap_share"] is None else f"{row['swap_share']:.1%}"
    size = f"M = {row['candidates']}, H = {row['coordinates']}, {counted(row['sites'], 'site')}"
    return f"{names}{kind}: PSS {row['mean_pss']:.3f}{ends}, winners swapped {swap} ({size})"
