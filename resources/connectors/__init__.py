"""Connectors: the bytes of a leaderboard into rows of the native format. They transcribe and decide nothing."""
