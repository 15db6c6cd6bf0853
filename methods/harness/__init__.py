"""The crossing of models and harnesses: who is to blame when an agent fails (METHODS 11)."""
