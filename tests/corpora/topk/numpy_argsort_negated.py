# expect: ASC110 any scope=recommend
import numpy as np


def recommend(user, items):
    affinity = items @ user
    order = np.argsort(-affinity)
    return order[:10]


def cases(rng):
    yield "recommend", (rng.standard_normal(6), rng.standard_normal((80, 6))), {}
