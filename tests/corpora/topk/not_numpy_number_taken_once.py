# refuse: ASC110 asking for the number again gives another one
# may: ASC110 advice scope=least
import numpy as np


def least(costs, counts):
    return np.sort(costs)[: next(counts)]


def cases(rng):
    yield "(lambda costs: least(costs, iter([2, 5])))", (rng.standard_normal(9),), {}
