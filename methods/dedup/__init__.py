"""One row per (model, family, protocol, metric) by source priority (METHODS 4)."""
