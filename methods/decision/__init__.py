"""Release decisions: from per-sample evidence and a sealed contract to a verdict with every gate (METHODS 12)."""
