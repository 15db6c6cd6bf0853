"""The linked score: one ability shared across all categories, its posterior, board and explanation (METHODS 7b)."""
