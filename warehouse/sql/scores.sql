-- Scores: what a published number is, and what adds up to it (METHODS 7).

CREATE VIEW v_score AS
SELECT s.*, c.center + c.slope * s.mu AS unclamped
FROM out__category_score AS s CROSS JOIN catalog__scale AS c;
COMMENT ON VIEW v_score IS
  'One row per (category, model): the published score, and before it is clamped: center + slope * mu, also where unrated.';

CREATE VIEW v_score_evidence AS
SELECT
  w.category, w.dimension, w.model_id, w.metric_id, w.role, w.weight, w.z, w.contribution AS points,
  w.evidence_id, e.entry_id, e.family, e.protocol, e.tier, e.value, e.x, e.n_models, e.q, e.variance, e.precision,
  r.value AS raw_value, r.unit, r.leaderboard, r.model AS received_model, r.benchmark, r.subset, r.metric, r.setting,
  r.source_type, r.source_url, r.snapshot_sha256, n.path AS snapshot_path, r.row_locator
FROM out__score_weight AS w
LEFT JOIN core__evidence AS e ON e.evidence_id = w.evidence_id
LEFT JOIN core__result AS r ON r.entry_id = e.entry_id
LEFT JOIN raw__snapshot AS n ON n.leaderboard = r.leaderboard AND n.sha256 = r.snapshot_sha256;
COMMENT ON VIEW v_score_evidence IS
  'From a score to its bytes: one row per own observation (value, z, weight, points, link, snapshot, row), and one per metric for what the others add (role cohort). catalog__scale.center plus all points is the unclamped score.';

CREATE VIEW v_interval AS
SELECT
  d.category, d.model_id, d.dimension, d.mu, d.sigma, d.families, d.observations, d.is_overlap_calibrated,
  d.sigma * d.sigma / (s.observed_dimensions * s.observed_dimensions) AS variance_share
FROM out__dimension_score AS d JOIN out__category_score AS s USING (category, model_id)
UNION ALL
SELECT
  s.category, s.model_id, NULL, NULL, NULL, NULL, NULL, NULL,
  c.ability_variance * (c.dimensions - s.observed_dimensions) / (c.dimensions * c.dimensions)
FROM out__category_score AS s CROSS JOIN catalog__scale AS c
WHERE s.observed_dimensions < c.dimensions;
COMMENT ON VIEW v_interval IS
  'What a score''s variance is made of: one row per observed dimension, and one with dimension null for those not measured. The shares sum to sigma squared.';

CREATE MACRO explain_score(of_model, in_category) AS TABLE
SELECT
  step, dimension, metric_id, role, points, raw_value, unit, z, weight, precision, tier, n_models, q, leaderboard,
  received_model, source_url, snapshot_sha256, row_locator, entry_id
FROM (
  SELECT
    0 AS step, NULL AS dimension, NULL AS metric_id, 'center' AS role, c.center AS points, NULL AS raw_value,
    NULL AS unit, NULL AS z, NULL AS weight, NULL AS precision, NULL AS tier, NULL AS n_models, NULL AS q,
    NULL AS leaderboard, NULL AS received_model, NULL AS source_url, NULL AS snapshot_sha256, NULL AS row_locator,
    NULL AS entry_id
  FROM catalog__scale AS c
  WHERE EXISTS (
    SELECT 1 FROM out__category_score AS s
    WHERE s.category = in_category AND (s.model_id = of_model OR s.model_name = of_model))
  UNION ALL
  SELECT
    CASE v.role WHEN 'own' THEN 1 ELSE 2 END, v.dimension, v.metric_id, v.role, v.points, v.raw_value, v.unit, v.z,
    v.weight, v.precision, v.tier, v.n_models, v.q, v.leaderboard, v.received_model, v.source_url, v.snapshot_sha256,
    v.row_locator, v.entry_id
  FROM v_score_evidence AS v
  JOIN out__category_score AS s ON s.category = v.category AND s.model_id = v.model_id
  WHERE v.category = in_category AND (s.model_id = of_model OR s.model_name = of_model)
)
ORDER BY step, dimension, metric_id, entry_id;
