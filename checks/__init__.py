"""Judges: Great Expectations suites derived from the contracts, and the named release gates. No file access."""
