# refuse: ASC106 the sum wraps around at eight bits
import numpy as np


def checksum(data: np.ndarray):
    total = np.uint8(0)
    for byte in data:
        total = total + byte
    return total


def cases(rng):
    yield "checksum", (rng.integers(0, 30, 9).astype(np.uint8),), {}
