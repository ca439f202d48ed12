# refuse: a list of arrays is walked, each of which is asked for its own length
import numpy as np


def padded(sequences: list[np.ndarray]):
    longest = max(each.shape[0] for each in sequences)
    return np.stack([np.pad(one, (0, longest - len(one))) for one in sequences])


def cases(rng):
    for sizes in ((3,), (2, 5, 1)):
        yield "padded", ([rng.standard_normal(size) for size in sizes],), {}
