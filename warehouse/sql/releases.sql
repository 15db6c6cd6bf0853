-- What let a release out, where its bytes come from, and which releases stand (METHODS 14).

CREATE VIEW v_gate AS
SELECT
  g.gate, g.verdict, g.verdict IN ('pass', 'waived', 'not_applicable') AS stands, g.severity, g.figure, g.threshold,
  g.evaluated, g.failed, g.detail, g.product, p.status AS product_status, g."table", g.decided_at, g.verdict_key
FROM out__gate AS g LEFT JOIN out__product AS p ON p.product = g.product
ORDER BY stands, g.severity, g.gate;
COMMENT ON VIEW v_gate IS 'Every gate with its figure, its limit and its verdict; those that do not stand come first.';

CREATE VIEW v_source AS
SELECT
  n.leaderboard, c.title, c.source_type, c.license, n.status, n.synced_at, n.rows,
  (SELECT count(*) FROM core__result AS r WHERE r.leaderboard = n.leaderboard) AS results,
  (SELECT count(DISTINCT e.entry_id) FROM core__evidence AS e JOIN core__result AS r ON r.entry_id = e.entry_id
   WHERE r.leaderboard = n.leaderboard) AS results_that_count,
  n.source_url, n.sha256, n.path
FROM raw__snapshot AS n LEFT JOIN catalog__source AS c ON c.leaderboard = n.leaderboard
ORDER BY n.leaderboard;
COMMENT ON VIEW v_source IS 'Every leaderboard: its licence, its snapshot, and how many of its results count.';

CREATE VIEW v_release AS
SELECT
  r.*, w.reason AS withdrawn_because, w.replaced_by
FROM out__release AS r
LEFT JOIN out__release_event AS w ON w.event = 'withdrawn' AND w.release_id = r.release_id
ORDER BY r.as_of, r.created_at;
COMMENT ON VIEW v_release IS 'Every release, its status, and for a withdrawn one why and what stands in its place.';
