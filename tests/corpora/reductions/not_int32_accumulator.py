# refuse: a 32-bit integer accumulator wraps around, where a library sum would widen it
import numpy as np


def checksum(words: np.ndarray) -> np.int32:
    acc = np.int32(0)
    with np.errstate(over="ignore"):
        for w in words.astype(np.int32):
            acc = acc + w
    return acc


def cases(rng):
    yield "checksum", (rng.integers(0, 2**31 - 1, 20),), {}
