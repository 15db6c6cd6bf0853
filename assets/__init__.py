"""Wiring: one short asset per table: read, one call into methods, write, metadata."""
