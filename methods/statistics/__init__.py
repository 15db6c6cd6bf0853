"""Statistics that several studies share: keyed resampling, intervals, exact tests, source differences (METHODS 6).

Belongs here: numbers made from other numbers, the same on every machine. Does not belong here: which rows may be
compared (`methods.pairing`), and the scores of the board (`methods.scoring`).
"""
