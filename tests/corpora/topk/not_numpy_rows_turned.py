# refuse: ASC110 the rows are read backwards, and of each the first places
# may: ASC110 advice scope=first_of_last_rows
import numpy as np


def first_of_last_rows(table, k):
    return np.sort(table, axis=1)[::-1][:, :k]


def cases(rng):
    yield "first_of_last_rows", (rng.standard_normal((4, 7)), 3), {}
