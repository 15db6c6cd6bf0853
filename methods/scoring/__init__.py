"""The category score, methodology 3.0: standardization, latent model, board, exact weights (METHODS 7)."""
