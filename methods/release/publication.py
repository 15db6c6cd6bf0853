"""Whether a product may be published: every reason why not, from persisted hashes and verdicts alone.

Belongs here: the rule of DESIGN "Time, state and storage". It trusts neither the run it is called from nor any check
of that run: only what stands on disk now. Reading that is `resources`; judging tables is `checks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

import polars as pl

from methods.catalog.released_tables import released_tables
from methods.catalog.study_gates import brought_studies
from methods.pairing.source_study import source_study
from warehouse.catalog_model import Catalog, GateSpec, Waiver
from warehouse.identity import verdict_key
from warehouse.stamps import TableStamp
from warehouse.study_words import PRODUCT_TABLES, SOURCE_STUDY_PRODUCT, STUDY_TABLES
from warehouse.tables import INPUTS
from warehouse.verdicts import StoredVerdict
from warehouse.vocabulary import BOARD_PRODUCT

SHORT = 12


def expected_verdict_key(
    gate: GateSpec, input_hashes: Mapping[str, str], catalog_sha256: str, baseline_release_id: str | None
) -> str:
    """The key a verdict of this gate must have: its definition, the judged tables, the catalog, the baseline.

    A gate that compares with no baseline is not bound to one.
    """
    baseline = baseline_release_id if gate.baseline else None
    return verdict_key(gate.model_dump(mode="json"), input_hashes, catalog_sha256, baseline)


def valid_waiver(waivers: Iterable[Waiver], gate: str, at: datetime) -> Waiver | None:
    """The waiver of a gate that is in force at a moment, the longest if several; None where there is none."""
    in_force = [waiver for waiver in waivers if waiver.gate == gate and at <= waiver.until]
    return max(in_force, key=lambda waiver: waiver.until, default=None)


def aimless_waivers(catalog: Catalog, at: datetime) -> list[str]:
    """Waivers in force at a moment that no gate answers to, in words: they let nothing pass, and were meant to.

    One that has ended names what it once let pass; its gate may be gone since.
    """
    return [
        f"waivers.yaml: waiver of {waiver.gate} until {waiver.until.isoformat()}: gates.yaml has no such gate, so it "
        "lets nothing pass; name the gate that is meant"
        for waiver in catalog.waivers
        if waiver.gate not in catalog.gate_by_id and at <= waiver.until
    ]


def refusals(
    as_of: date,
    catalog: Catalog,
    stamps: Mapping[str, TableStamp],
    actual_hashes: Mapping[str, str],
    verdicts: Mapping[str, StoredVerdict],
    baseline_release_id: str | None,
    product: str = BOARD_PRODUCT,
    *,
    code_version: str,
    release_id: str,
    decided_at: datetime,
) -> list[str]:
    """Every reason why a product of a day may not be published; none where it may.

    Args:
        as_of: the day.
        catalog: the catalog in force now.
        stamps: the stamp of each stored table of the day, by name.
        actual_hashes: the table hash computed now from each table's bytes, by name.
        verdicts: the persisted verdicts of the day, by gate.
        baseline_release_id: the release the day is compared with now; None for a first one.
        product: the product to publish.
        code_version: the version of the running program.
        release_id: the id that the release would have.
        decided_at: the moment the release is decided at; a waiver must be in force then and when its gate was judged.

    Returns:
        One sentence a reason, tables that the catalog asks for in the order of a row's journey, then gates in the
        catalog's order.
    """
    reasons: list[str] = []
    made = tuple(name for name in released_tables(catalog) if name in INPUTS)
    for name in (*made, *sorted(set(stamps) - set(made))):
        if name not in stamps or name not in actual_hashes:
            reasons.append(f"{name}: was not made for {as_of}; run the whole graph for that day")
            continue
        reasons += _stamp_faults(name, stamps[name], as_of, catalog, code_version, release_id)
        reasons += _hash_faults(name, stamps[name], actual_hashes)
    return reasons + gate_refusals(
        as_of, catalog, actual_hashes, verdicts, baseline_release_id, product, decided_at=decided_at
    )


def gate_refusals(
    as_of: date,
    catalog: Catalog,
    actual_hashes: Mapping[str, str],
    verdicts: Mapping[str, StoredVerdict],
    baseline_release_id: str | None,
    product: str,
    *,
    decided_at: datetime,
) -> list[str]:
    """Every reason of a product's gates against publishing it, as `refusals`."""
    required = [gate for gate in catalog.gates if gate.product == product and gate.required]
    if not required:
        return [f"the catalog requires no gate of {product}; nothing is published that no gate guards"]
    reasons: list[str] = []
    for gate in required:
        verdict = verdicts.get(gate.id)
        if verdict is None:
            reasons.append(f"gate {gate.id}: gave no verdict for {as_of}; run the checks")
            continue
        reasons += _binding_faults(gate, verdict, actual_hashes, catalog.sha256, baseline_release_id)
        reasons += _verdict_faults(gate, verdict, catalog.waivers, baseline_release_id, decided_at)
    return reasons


def held_back(
    as_of: date,
    catalog: Catalog,
    actual_hashes: Mapping[str, str],
    verdicts: Mapping[str, StoredVerdict],
    baseline_release_id: str | None,
    *,
    decided_at: datetime,
) -> dict[str, list[str]]:
    """The products beside the board whose rows do not go out, each with the reasons; as `refusals`.

    A study that the catalog does not name, or keeps unpublished, is held back for that reason.
    """
    study = source_study(catalog)
    brought = {item.id: item for item in brought_studies(catalog)}
    held: dict[str, list[str]] = {}
    for product in (*PRODUCT_TABLES, *brought):
        if product in brought and not brought[product].publish:
            held[product] = ["studies.yaml says publish: false"]
            continue
        if product == SOURCE_STUDY_PRODUCT and (study is None or not study.publish):
            held[product] = [f"studies.yaml publishes no study of {product}"]
            continue
        reasons = gate_refusals(
            as_of, catalog, actual_hashes, verdicts, baseline_release_id, product, decided_at=decided_at
        )
        if reasons:
            held[product] = reasons
    return held


@dataclass(frozen=True, slots=True)
class Withheld:
    """What of a day's tables does not go out: whole tables, and rows of studies; by name, with why."""

    tables: Mapping[str, str] = field(default_factory=dict)
    studies: Mapping[str, str] = field(default_factory=dict)

    def touches(self, table: str) -> bool:
        """Whether a table may go out otherwise than it was made."""
        return table in self.tables or (bool(self.studies) and table in _STUDY_TABLES)

    def released(self, table: str, frame: pl.DataFrame) -> pl.DataFrame:
        """A table as it goes out."""
        if table in self.tables:
            return frame.clear()
        if self.studies and table in _STUDY_TABLES:
            return frame.filter(~pl.col("study").is_in([*self.studies]))
        return frame


_STUDY_TABLES: Final = frozenset(table for tables in STUDY_TABLES.values() for table in tables)


def withheld(held: Mapping[str, list[str]]) -> Withheld:
    """What does not go out, from the products that are held back (`held_back`)."""
    tables = {
        table: f"{product}: {held[product][0]}" for product in PRODUCT_TABLES if product in held
        for table in PRODUCT_TABLES[product]
    }  # fmt: skip
    return Withheld(tables, {name: why[0] for name, why in held.items() if name not in PRODUCT_TABLES})


def _stamp_faults(
    name: str, stamp: TableStamp, as_of: date, catalog: Catalog, code_version: str, release_id: str
) -> list[str]:
    """Whether a table was made for this day, with this catalog, methodology and code, for this release."""
    compared: tuple[tuple[str, object, object], ...] = (
        ("is stamped as table", stamp.table, name),
        ("is stamped for day", stamp.as_of, as_of),
        ("was computed with catalog", stamp.catalog_sha256, catalog.sha256),
        ("was computed with methodology", stamp.methodology_version, catalog.methodology.version),
        ("was computed by code", stamp.code_version, code_version),
        ("was made for release", stamp.release_id or release_id, release_id),
    )
    return [
        f"{name}: {what} {_short(found)}, now it is {_short(wanted)}; run the whole graph again"
        for what, found, wanted in compared
        if found != wanted
    ]


def _hash_faults(name: str, stamp: TableStamp, actual: Mapping[str, str]) -> list[str]:
    """Whether a table still holds its values, and was computed from the inputs that stand now."""
    faults = []
    if stamp.table_hash != actual[name]:
        faults.append(
            f"{name}: holds values that hash to {_short(actual[name])}, its stamp says {_short(stamp.table_hash)}; "
            "it was changed after it was made"
        )
    for given in sorted({*INPUTS.get(name, ()), *stamp.inputs}):
        used, stands = stamp.inputs.get(given), actual.get(given)
        if used is None:
            faults.append(f"{name}: does not say which {given} it was computed from")
        elif used != stands:
            faults.append(
                f"{name}: was computed from {given} {_short(used)}, now {_short(stands)} stands; make {name} again"
            )
    return faults


def _binding_faults(
    gate: GateSpec,
    verdict: StoredVerdict,
    actual: Mapping[str, str],
    catalog_sha256: str,
    baseline_release_id: str | None,
) -> list[str]:
    """Whether a verdict is about the tables, the definition, the catalog and the baseline of now."""
    head = f"gate {gate.id}:"
    if verdict.gate != gate.id:
        return [f"{head} its verdict is that of gate {verdict.gate}"]
    if gate.table not in verdict.inputs:
        return [f"{head} its verdict does not say which {gate.table} it judged"]
    moved = [
        f"{head} judged {table} {_short(judged)}, now {_short(actual.get(table))} stands; run the checks again"
        for table, judged in verdict.inputs.items()
        if judged != actual.get(table)
    ]
    if moved:
        return moved
    compared = baseline_release_id if gate.baseline else verdict.baseline_release_id
    if verdict.baseline_release_id != compared:
        return [f"{head} compared with release {verdict.baseline_release_id}, the baseline is {compared} now"]
    if verdict.verdict_key != expected_verdict_key(gate, verdict.inputs, catalog_sha256, baseline_release_id):
        return [f"{head} its verdict was given under another threshold, definition, catalog or baseline; run it again"]
    return []


def _verdict_faults(
    gate: GateSpec,
    verdict: StoredVerdict,
    waivers: Iterable[Waiver],
    baseline_release_id: str | None,
    decided_at: datetime,
) -> list[str]:
    """Whether a verdict lets a required gate stand: pass, waived, or not applicable for want of a baseline."""
    head = f"gate {gate.id}:"
    result = verdict.result
    if result.verdict == "pass":
        return [] if result.evaluated > 0 else [f"{head} passed without looking at anything; that is no pass"]
    if result.verdict == "not_applicable":
        if not gate.baseline:
            return [f"{head} says not_applicable, but it needs no baseline"]
        if baseline_release_id is not None:
            return [f"{head} says not_applicable, but release {baseline_release_id} is there to compare with"]
        return []
    if result.verdict == "waived":
        lapsed = [at for at in (verdict.decided_at, decided_at) if valid_waiver(waivers, gate.id, at) is None]
        if lapsed:
            return [f"{head} says waived, but no waiver was in force at {lapsed[0].isoformat()}"]
        return []
    return [f"{head} {result.verdict}: {result.detail}"]


def _short(value: object) -> str:
    text = "nothing" if value is None else str(value)
    return text[:SHORT] if len(text) == 64 else text
