"""The proof on withheld results: splits, baselines, error and coverage of 3.0 and of the linked score (METHODS 7b)."""
