"""The walk from a published number back to its rows (METHODS 14)."""
