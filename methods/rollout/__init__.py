"""Shadow and canary: what real traffic says batch by batch, and when to stop (METHODS 12)."""
