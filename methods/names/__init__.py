"""What a model's name says: normalization, tokens, and the registry of exact aliases (METHODS 2)."""
