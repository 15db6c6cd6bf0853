"""Named release gates: relations between tables, comparisons with the former release, implausible columns."""
