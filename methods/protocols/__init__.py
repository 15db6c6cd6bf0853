"""Protocol sensitivity: how far a ranking moves when it is measured by another lawful protocol (METHODS 8)."""
