"""How far our own board moves under lawful variants of its methodology and evidence (METHODS 8)."""
