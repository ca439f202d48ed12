"""Products with matrices of which more is known than their entries: low rank, few places that are
not zero, constant factors."""
