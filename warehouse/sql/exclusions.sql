-- What was left out and why (METHODS 3, 4 and 7).

CREATE VIEW v_exclusion AS
SELECT
  x.*, n.model_id, r.model AS received_model, r.benchmark, r.metric, r.unit, r.source_url, m.category, m.dimension,
  c.meaning
FROM core__exclusion AS x
LEFT JOIN core__result AS r ON r.entry_id = x.entry_id
LEFT JOIN catalog__model_name AS n ON n.model = r.model AND n.developer IS NOT DISTINCT FROM r.developer
LEFT JOIN catalog__metric AS m ON m.metric_id = x.metric_id
LEFT JOIN catalog__reason AS c ON c.reason_code = x.reason_code;
COMMENT ON VIEW v_exclusion IS
  'Every row that went no further, with the model its name resolves to, where it would have counted, and what the reason means.';

CREATE VIEW v_exclusion_reasons AS
SELECT leaderboard, stage, reason_code, any_value(meaning) AS meaning, count(*) AS rows
FROM v_exclusion
GROUP BY leaderboard, stage, reason_code
ORDER BY leaderboard, rows DESC, reason_code;
COMMENT ON VIEW v_exclusion_reasons IS 'How many rows of each leaderboard were left out, by reason.';

CREATE VIEW v_lost_duplicate AS
SELECT
  x.metric_id, e.model_id, x.entry_id, x.kept_entry_id, r.value, k.value AS kept_value, k.unit AS kept_unit, r.unit,
  x.leaderboard, k.leaderboard AS kept_leaderboard, x.detail, x.snapshot_sha256, x.row_locator
FROM core__exclusion AS x
LEFT JOIN core__result AS r ON r.entry_id = x.entry_id
LEFT JOIN core__result AS k ON k.entry_id = x.kept_entry_id
LEFT JOIN core__evidence AS e ON e.entry_id = x.kept_entry_id AND e.metric_id = x.metric_id
WHERE x.reason_code = 'lower_priority_duplicate';
COMMENT ON VIEW v_lost_duplicate IS 'Duplicates that lost, beside the row that won, with the rule that decided.';

CREATE VIEW v_row_fate AS
SELECT w.leaderboard, w.snapshot_sha256, w.row_locator, w.entry_id, 'evidence' AS fate, e.metric_id, NULL AS detail
FROM raw__row AS w JOIN core__evidence AS e ON e.entry_id = w.entry_id AND NOT w.is_duplicate
UNION ALL
SELECT x.leaderboard, x.snapshot_sha256, x.row_locator, x.entry_id, x.reason_code, x.metric_id, x.detail
FROM core__exclusion AS x;
COMMENT ON VIEW v_row_fate IS 'Where every received row ended: as evidence for a metric, or with the reason that stopped it.';

CREATE MACRO excluded_rows(of_model, in_category) AS TABLE
SELECT x.metric_id, x.stage, x.reason_code, x.raw_value, x.detail, x.kept_entry_id, x.leaderboard, x.snapshot_sha256,
       x.row_locator, x.entry_id
FROM v_exclusion AS x
JOIN catalog__model AS m ON m.model_id = x.model_id
WHERE (m.model_id = of_model OR m.name = of_model) AND (x.metric_id IS NULL OR x.category = in_category)
ORDER BY x.leaderboard, x.snapshot_sha256, x.row_locator, x.metric_id;
