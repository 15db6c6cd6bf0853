"""Every variant against the board's own chain run anew on what the variant says, and the board itself unchanged."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from day_tables import Day, day

from methods.catalog.eligibility import admit
from methods.dedup.priority import deduplicate
from methods.scoring.dimensions import score_dimensions
from methods.scoring.standardize import standardize_rows
from methods.sensitivity.abilities import ability_means
from methods.sensitivity.cells import board_cells
from methods.sensitivity.variants import Restated, declared_variants, family_variant, own
from warehouse.methodology import Methodology

Means = dict[tuple[str, str, str], float]


@pytest.fixture(scope="module", params=[1, 2])
def a_day(request: pytest.FixtureRequest) -> Day:
    return day(request.param)


def means_of(a_day: Day, restated: Restated) -> Means:
    """Abilities by (category, dimension, model), by the way that serves all variants at once."""
    cells = board_cells(a_day.evidence, a_day.exclusions, a_day.results, a_day.catalog)
    found: Means = {}
    for place, (category, dimension) in enumerate(cells.places):
        here = np.flatnonzero(cells.place == place)
        names, model = np.unique(cells.rows["model_id"].to_numpy()[here], return_inverse=True)
        _, metric = np.unique(cells.metric[here], return_inverse=True)
        means = ability_means(
            model, metric, restated.precision[here][:, None], restated.z[here][:, None],
            np.array([restated.cohort_variance]), a_day.catalog.methodology.latent,
        )  # fmt: skip
        known = zip(names, means[:, 0], strict=True)
        found |= {(category, dimension, name): float(mean) for name, mean in known if not np.isnan(mean)}
    return found


def chain(a_day: Day, methodology: Methodology, change: Callable[[pl.DataFrame], pl.DataFrame], *, late: bool) -> Means:
    """Abilities by the board's own chain, with candidates (or kept rows, `late`) changed on the way."""
    candidates = admit(a_day.raw, a_day.results, a_day.catalog).candidates
    kept = deduplicate(candidates if late else change(candidates)).kept
    evidence = standardize_rows(change(kept) if late else kept, methodology).evidence
    return {
        (fit.category, fit.dimension, model): float(fit.posterior.mean[row])
        for fit in score_dimensions(evidence, methodology)
        for model, row in fit.row_of.items()
    }


def with_constant(methodology: Methodology, group: str, **changes: float) -> Methodology:
    return methodology.model_copy(update={group: getattr(methodology, group).model_copy(update=changes)})


def newest_first(candidates: pl.DataFrame) -> pl.DataFrame:
    """Candidates whose tier no longer decides: the date in its place, tier after it, as a confidence nobody stated."""
    ranked = candidates.with_columns(is_copy=pl.col("copied_from").fill_null("") != "").sort(
        "model_id", "metric_id", "is_copy", "updated_at",
        pl.col("tier").replace_strict({"verified": 0, "official": 1, "reported": 2, "self_reported": 3}), "confidence",
        "entry_id", descending=[False, False, False, True, False, True, False], nulls_last=True,
    )  # fmt: skip
    return ranked.filter(pl.struct("model_id", "metric_id").is_first_distinct()).select(candidates.columns)


def same(rows: pl.DataFrame) -> pl.DataFrame:
    return rows


CASES: dict[str, tuple[Callable[[Methodology], Methodology], Callable[[pl.DataFrame], pl.DataFrame], bool]] = {
    "epsilon-0.001": (lambda m: with_constant(m, "standardization", epsilon=0.001), same, False),
    "epsilon-0.02": (lambda m: with_constant(m, "standardization", epsilon=0.02), same, False),
    "identity": (lambda m: m, lambda kept: kept.with_columns(transform=pl.lit("identity")), True),
    "family-cap-0.5": (lambda m: with_constant(m, "standardization", family_precision_cap=0.5), same, False),
    "family-cap-2": (lambda m: with_constant(m, "standardization", family_precision_cap=2), same, False),
    "cohort-variance-1": (lambda m: with_constant(m, "latent", cohort_variance=1), same, False),
    "cohort-variance-100": (lambda m: with_constant(m, "latent", cohort_variance=100), same, False),
    "minimum-models-5": (lambda m: with_constant(m, "standardization", minimum_models=5), same, False),
    "official-only": (lambda m: m, lambda rows: rows.filter(pl.col("tier").is_in(["official", "verified"])), False),
    "newest-first": (lambda m: m, newest_first, False),
}


@pytest.mark.parametrize("name", CASES)
def test_a_variant_is_the_chain_run_anew(a_day: Day, name: str) -> None:
    cells = board_cells(a_day.evidence, a_day.exclusions, a_day.results, a_day.catalog)
    methodology = a_day.catalog.methodology
    variants = {variant.id: variant for variant in declared_variants(cells, methodology)}
    change_methodology, change, late = CASES[name]
    expected = chain(a_day, change_methodology(methodology), change, late=late)
    found = means_of(a_day, variants[name].restate())
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, abs=1e-9)
    assert found != pytest.approx(means_of(a_day, own(cells, methodology)), abs=1e-6) or name == "minimum-models-5"


def test_without_a_family_is_the_chain_without_its_rows(a_day: Day) -> None:
    cells = board_cells(a_day.evidence, a_day.exclusions, a_day.results, a_day.catalog)
    now = own(cells, a_day.catalog.methodology)
    for family in ("family-0", "family-3"):
        variant = family_variant(cells, family, now)
        expected = chain(
            a_day, a_day.catalog.methodology, lambda rows, f=family: rows.filter(pl.col("family") != f), late=True
        )
        assert means_of(a_day, variant.restate()) == pytest.approx(expected, abs=1e-9)


def test_quartiles_in_place_of_the_deviation(a_day: Day) -> None:
    cells = board_cells(a_day.evidence, a_day.exclusions, a_day.results, a_day.catalog)
    variants = {variant.id: variant for variant in declared_variants(cells, a_day.catalog.methodology)}
    found = variants["scale-iqr"].restate()
    for metric, rows in a_day.evidence.sort("category", "dimension", "model_id", "metric_id").group_by("metric_id"):
        x = rows["x"].to_numpy()
        low, middle, high = np.quantile(x, [0.25, 0.5, 0.75])
        expected = np.clip((x - middle) / ((high - low) / 1.349), -3, 3)
        here = (cells.rows["metric_id"] == str(metric[0])).to_numpy()
        by_model = dict(zip(cells.rows["model_id"].to_numpy()[here], found.z[here], strict=True))
        assert [by_model[m] for m in rows["model_id"]] == pytest.approx(expected, abs=1e-9)


def test_the_board_itself_stands_unchanged(a_day: Day) -> None:
    cells = board_cells(a_day.evidence, a_day.exclusions, a_day.results, a_day.catalog)
    expected = chain(a_day, a_day.catalog.methodology, same, late=False)
    assert means_of(a_day, own(cells, a_day.catalog.methodology)) == pytest.approx(expected, abs=1e-12)


def test_every_declared_variant_has_a_case() -> None:
    made = day(3)
    cells = board_cells(made.evidence, made.exclusions, made.results, made.catalog)
    names = {variant.id for variant in declared_variants(cells, made.catalog.methodology)}
    assert names == {*CASES, "scale-iqr"}
