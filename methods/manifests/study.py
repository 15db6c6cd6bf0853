"""A study of reproductions as tables: runs, every two manifests, their fields, the precision audit by margin.

Belongs here: which runs are held against which, and what goes into which table (METHODS 9).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import polars as pl

from methods.manifests.comparison import ManifestComparison, compare_manifests, missing_fields, run_standing
from methods.manifests.divergence import PrecisionAudit, precision_audit
from warehouse.catalog_model import Catalog, StudySpec
from warehouse.inference_manifest import InferenceManifest
from warehouse.methodology import Methodology
from warehouse.study_options import ReproductionOptions
from warehouse.tables_manifests import MANIFEST_TABLES

Row = dict[str, Any]


class ManifestError(ValueError):
    """Runs that make no study: says which run, and what was expected."""


@dataclass(frozen=True)
class StackRun:
    """One run: its manifest and its outputs, each None where it brought none."""

    id: str
    manifest: InferenceManifest | None = None
    outputs: pl.DataFrame | None = None


@dataclass(frozen=True)
class StackRuns:
    """The evidence of a study: its runs, sorted by id."""

    runs: tuple[StackRun, ...]

    @property
    def height(self) -> int:
        """Manifests and outputs, counted."""
        return sum(1 + (one.outputs.height if one.outputs is not None else 0) for one in self.runs)


@dataclass(frozen=True)
class StackPair:
    """Two runs held against each other."""

    a: StackRun
    b: StackRun
    is_claim: bool
    comparison: ManifestComparison
    audit: PrecisionAudit


def compare_runs(a: StackRun, b: StackRun, methodology: Methodology, *, is_claim: bool = False) -> StackPair:
    """Both manifests and, where both brought outputs, both outputs."""
    rules = methodology.manifests
    audit = precision_audit(a.outputs, b.outputs, methodology.source_statistics.level_z, rules.sweep_points)
    return StackPair(a, b, is_claim, compare_manifests(a.manifest, b.manifest, rules), audit)


def analyse(evidence: StackRuns, study: StudySpec, catalog: Catalog) -> dict[str, pl.DataFrame]:
    """The tables of a study of the catalog (errors as `manifest_tables`)."""
    options = ReproductionOptions.model_validate(study.options)
    return manifest_tables(evidence, study.id, options, catalog.methodology)


def manifest_tables(
    evidence: StackRuns, study: str, options: ReproductionOptions, methodology: Methodology
) -> dict[str, pl.DataFrame]:
    """Every run, and every two of them or all with one reference, as tables by name (METHODS 9).

    Args:
        evidence: the runs.
        study: id of the study.
        options: the reference, and which runs claim to reproduce it.
        methodology: constants.

    Raises:
        ManifestError: if an option names no run of the evidence.
    """
    known = {run.id: run for run in evidence.runs}
    for name in (*options.claims, *([options.reference] if options.reference else [])):
        if name not in known:
            raise ManifestError(f"options name the run {name}; the evidence has {', '.join(sorted(known))}")
    pairs = [
        compare_runs(a, b, methodology, is_claim=b.id in options.claims)
        for a, b in _pairs(evidence.runs, known, options.reference)
    ]
    rows: Mapping[str, Sequence[Row]] = {
        "out__manifest_run": [_run_row(run, options, methodology) for run in evidence.runs],
        "out__manifest_pair": [_pair_row(pair) for pair in pairs],
        "out__manifest_field": [row for pair in pairs for row in _field_rows(pair)],
        "out__manifest_margin": [row for pair in pairs for row in _margin_rows(pair)],
    }
    return {
        contract.name: pl.DataFrame(
            [{"study": study, **row} for row in rows[contract.name]], schema=contract.polars_schema(), orient="row"
        )
        for contract in MANIFEST_TABLES
    }


def _pairs(
    runs: tuple[StackRun, ...], known: Mapping[str, StackRun], reference: str | None
) -> Iterator[tuple[StackRun, StackRun]]:
    if reference is None:
        yield from combinations(runs, 2)
    else:
        yield from ((known[reference], run) for run in runs if run.id != reference)


def _run_row(run: StackRun, options: ReproductionOptions, methodology: Methodology) -> Row:
    standing = run_standing(run.manifest, methodology.manifests)
    return {
        "run": run.id,
        "run_standing": standing,
        "is_marked": standing != "whole",
        "claim": "reproduction" if run.id in options.claims else "none",
        "unstated": list(missing_fields(run.manifest, methodology.manifests)),
        "stack_sha256": None if run.manifest is None else run.manifest.sha256,
        "outputs": None if run.outputs is None else run.outputs.height,
    }


def _pair_row(pair: StackPair) -> Row:
    found, audit = pair.comparison, pair.audit
    first = [one for one in found.fields if one.part == "first"]
    quartiles = audit.first or (None,) * 5
    return {
        "run_a": pair.a.id,
        "run_b": pair.b.id,
        "is_claim": pair.is_claim,
        "pair_standing": found.standing,
        "first_difference": None if found.first_difference is None else found.first_difference.field,
        "first_equal": sum(one.state == "equal" for one in first),
        "first_fields": len(first),
        "equal_fields": len(found.having("equal")),
        "different_fields": len(found.different),
        "unstated_fields": len(found.missing),
        "audit_unit": audit.unit,
        "prompts": audit.prompts,
        "prompts_only_a": audit.only_a,
        "prompts_only_b": audit.only_b,
        "prompts_left_out": audit.left_out,
        "diverging": audit.diverging if audit.reason is None else None,
        "divergence_share": audit.divergence.share if audit.divergence else None,
        "divergence_low": audit.divergence.low if audit.divergence else None,
        "divergence_high": audit.divergence.high if audit.divergence else None,
        "exact_agreement": audit.agreement,
        "first_least": quartiles[0],
        "first_lower_quartile": quartiles[1],
        "first_median": quartiles[2],
        "first_upper_quartile": quartiles[3],
        "first_most": quartiles[4],
        "ended_early": audit.ended_early if audit.reason is None else None,
        "flips": audit.flips if audit.reason is None else None,
        "reason_code": audit.reason,
    }


def _field_rows(pair: StackPair) -> Iterator[Row]:
    for place, one in enumerate(pair.comparison.fields, start=1):
        yield {
            "run_a": pair.a.id,
            "run_b": pair.b.id,
            "place": place,
            "field": one.field,
            "field_part": one.part,
            "value_a": one.a,
            "value_b": one.b,
            "field_state": one.state,
        }


def _margin_rows(pair: StackPair) -> Iterator[Row]:
    for point in pair.audit.sweep:
        yield {
            "run_a": pair.a.id,
            "run_b": pair.b.id,
            "margin": point.margin,
            "flips": point.flips,
            "steps_share": point.steps_share,
            "agreement_if_recomputed": point.agreement,
        }
