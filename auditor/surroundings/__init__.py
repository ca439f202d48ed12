"""The code around a place: which names can be read where, what is bound, used and done there."""
