"""Pairs across sources: which results may speak of the same thing, which may be subtracted, and what people decided.

Belongs here: candidate generation, alignment, decisions, suggestions, scope sentences (METHODS 5). Does not belong
here: statistics of the differences (`methods.statistics`), reading of steps and efforts (`methods.names`).
"""
