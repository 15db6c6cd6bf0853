"""Verbs: every rule and formula as pure functions, one stage a folder. No clock, network, files or orchestration."""
