"""Logs of evaluation tools as rows, one an attempt: a reader a tool, and nothing said that the log does not say.

Belongs here: where each tool writes what. Does not belong here: what an attempt is worth (`methods`), results of
leaderboards (`resources.connectors`).
"""
