"""Releases: what may be published, and which release readers see (DESIGN "Time, state and storage", METHODS 14)."""
