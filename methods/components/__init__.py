"""Component metrics: why a system succeeds or fails, beside the end-to-end result that stays the gate (METHODS 13)."""
