"""Column dictionary, part two: evidence, exclusions, dimensions, categories, weights (METHODS 3, 4, 7)."""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column

_ADMIT = "methods.catalog.eligibility:admit"
_STANDARDIZE = "methods.scoring.standardize:standardize"
_DIMENSION = "methods.scoring.dimensions:score_dimensions"
_CATEGORY = "methods.scoring.categories:score_categories"
_WEIGHT = "methods.scoring.weights:score_weights"
_BOARD = "methods.scoring.board:build_board"

SCORED: Final[dict[str, Column]] = {
    "evidence_id": Column("text", "entry_id:metric_id.", "warehouse.identity:evidence_id"),
    "metric_id": Column("text", "Id of the metric in metrics.yaml.", _ADMIT),
    "model_id": Column("text", "Id of the model in models.yaml.", "methods.names.registry:ModelRegistry"),
    "category": Column("text", "One of the eight categories.", _ADMIT),
    "dimension": Column("text", "One of the category's four dimensions.", _ADMIT),
    "family": Column("text", "Canonical benchmark family.", _ADMIT),
    "protocol": Column("text", "Protocol label of the metric.", _ADMIT),
    "tier": Column("text", "Evidence tier: verified, official, reported or self_reported.", _ADMIT),
    "core__evidence.value": Column(
        "number",
        "The value read in its unit: a fraction for percentages, the rating itself otherwise.",
        "methods.scoring.logit:read_value",
    ),
    "x": Column(
        "number",
        "The value transformed so that higher is better: logit or rating.",
        _STANDARDIZE,
        "transformed",
    ),
    "z": Column(
        "number",
        "x standardized on its metric by median and robust scale, clamped.",
        _STANDARDIZE,
        "robust SD",
    ),
    "n_models": Column("integer", "Models on the metric after deduplication.", _STANDARDIZE, "models"),
    "n_developers": Column(
        "integer", "Distinct known developers on the metric; spellings of one count once.", _STANDARDIZE, "developers"
    ),
    "q": Column("number", "Evidence quality: model coverage times developer diversity.", _STANDARDIZE, "0 to 1"),
    "stderr_norm": Column(
        "number",
        "Stated standard error on the transformed scale over the robust scale; 0 where not stated.",
        _STANDARDIZE,
        "robust SD",
    ),
    "variance": Column(
        "number",
        "Larger of stated error and source floor, squared, over q.",
        _STANDARDIZE,
        "robust SD squared",
    ),
    "precision": Column(
        "number",
        "Precision after the family cap.",
        "methods.scoring.precision:capped_precision",
        "1/variance",
    ),
    "stage": Column("text", "Stage that excluded the row: parse, result, eligibility, dedup or standardize.", _ADMIT),
    "reason_code": Column("text", "Why, as a code of warehouse/reasons.py.", _ADMIT),
    "raw_value": Column("text", "The value exactly as received.", _ADMIT),
    "detail": Column("text", "The reason in words, with the figures that decided.", _ADMIT),
    "kept_entry_id": Column("text", "The entry that won or stands for this one.", "methods.dedup.priority:deduplicate"),
    "mu": Column("number", "Posterior mean of the ability.", _DIMENSION, "robust SD"),
    "sigma": Column("number", "Posterior standard deviation of the ability.", _DIMENSION, "robust SD"),
    "families": Column("integer", "Distinct benchmark families behind the number.", _DIMENSION, "families"),
    "observations": Column("integer", "Observations of the model in the dimension.", _DIMENSION, "observations"),
    "is_overlap_calibrated": Column(
        "boolean",
        "Whether the model's component of the model-family graph holds at least two families.",
        _DIMENSION,
    ),
    "release_id": Column("text", "Release the row belongs to.", "warehouse.identity:release_id"),
    "as_of": Column("date", "Day (UTC) the release speaks of.", _BOARD),
    "model_name": Column("text", "Model name of the registry.", _BOARD),
    "developer": Column("text", "Developer of the registry.", _BOARD),
    "status": Column("text", "rated, estimated or unrated.", _CATEGORY),
    "score": Column("number", "50 + 15 mu, clamped to 0 to 100; null where unrated.", _CATEGORY, "score points"),
    "low80": Column("number", "Lower end of the 80% interval, clamped for display.", _CATEGORY, "score points"),
    "high80": Column("number", "Upper end of the 80% interval, clamped for display.", _CATEGORY, "score points"),
    "out__category_score.mu": Column(
        "number", "Mean of the observed dimensions' posterior means.", _CATEGORY, "robust SD"
    ),
    "out__category_score.sigma": Column(
        "number",
        "Posterior SD of the category, missing dimensions included at prior variance.",
        _CATEGORY,
        "robust SD",
    ),
    "observed_dimensions": Column("integer", "Dimensions with evidence, of four.", _CATEGORY, "dimensions"),
    "overlap_dimensions": Column(
        "integer", "Observed dimensions that are overlap-calibrated.", _CATEGORY, "dimensions"
    ),
    "effective_coverage": Column(
        "number", "Sum over observed dimensions of (1 - sigma squared)/4.", _CATEGORY, "0 to 1"
    ),
    "rank": Column("integer", "Place among rated models; null otherwise.", _CATEGORY),
    "rank_low": Column("integer", "1 + the number of rated models surely better.", _CATEGORY),
    "rank_high": Column("integer", "n - the number of rated models surely worse.", _CATEGORY),
    "out__category_score.reason_code": Column(
        "text", "Why the score is null: too_few_dimensions or too_few_families.", _CATEGORY
    ),
    "catalog_version": Column("text", "Version stated in metrics.yaml.", _BOARD),
    "methodology_version": Column("text", "Version stated in methodology.yaml.", _BOARD),
    "role": Column(
        "text",
        "own: an observation of the model itself; cohort: the others' on that metric, summed.",
        _WEIGHT,
    ),
    "out__score_weight.evidence_id": Column("text", "The model's own observation; null for cohort rows.", _WEIGHT),
    "weight": Column(
        "number",
        "Derivative of the category mean by z, so 15 * weight is points per z; cohort rows: summed over the others.",
        _WEIGHT,
        "per robust SD",
    ),
    "out__score_weight.z": Column("number", "z of the own observation; null for cohort rows.", _WEIGHT, "robust SD"),
    "contribution": Column(
        "number",
        "What the row adds to the score; own rows 15 * weight * z. 50 plus all of them is the unclamped score.",
        _WEIGHT,
        "score points",
    ),
}
