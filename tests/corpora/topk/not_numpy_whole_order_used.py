# refuse: ASC110 all that is ordered is used as well
import numpy as np


def tail(losses, k):
    ordered = np.sort(losses)
    return ordered[-k:], ordered.cumsum()


def cases(rng):
    yield "tail", (rng.standard_normal(9), 3), {}
