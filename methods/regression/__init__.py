"""Regression sets: production failures that may be kept, and that no split leaks into another (METHODS 12)."""
