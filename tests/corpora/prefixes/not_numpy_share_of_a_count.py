# refuse: ASC105 a count of Python divides otherwise than one of an array's, by type
# may: ASC105 advice scope=shares
import numpy as np


def shares(labels):
    count = 0
    found = []
    for i in range(len(labels)):
        if labels[i] == 3:
            count += 1
        found.append(count / 2)
    return np.array(found)


def cases(rng):
    yield "shares", (rng.integers(0, 5, 9),), {}
