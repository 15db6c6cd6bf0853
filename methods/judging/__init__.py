"""Judges: what their verdicts are worth, and when a cheap one may decide in place of a dear one (METHODS 10)."""
