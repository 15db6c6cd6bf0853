"""From received rows to eligible ones: results, the versioned metric catalog, exclusions (METHODS 1 and 3)."""
