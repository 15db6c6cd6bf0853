"""Names: how spellings are compared, what a name or setting states, and which model of the registry it is (METHODS 2).

Belongs here: everything read out of a name. Does not belong here: pairing rows across sources (`methods.pairing`).
"""

from methods.names.spelling import normalize, tokens

__all__ = ["normalize", "tokens"]
