"""Nouns: the column dictionary, table contracts, identities, vocabularies, and what is derived from them.

No input or output, no orchestration.
"""
