"""Attempts of agents that a user brings: the declared panel, the status maps, and the records (METHODS 11).

Belongs here: reading their files. Does not belong here: what a record means (`methods.harness`), logs of evaluation
tools (`resources.logs`, which writes records that are read here).
"""
