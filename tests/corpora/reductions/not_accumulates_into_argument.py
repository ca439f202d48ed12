# refuse: the total is kept in an array of the caller, which may overlap the data
import numpy as np


def accumulate_into(out: np.ndarray, rows: np.ndarray) -> None:
    for row in rows:
        out += row


def overlapping(rows):
    accumulate_into(rows[1], rows)
    return rows


def cases(rng):
    yield "overlapping", (rng.standard_normal((4, 3)),), {}
