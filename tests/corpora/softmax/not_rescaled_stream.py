# refuse: ASC107 forgets to rescale the sum when the maximum moves: a bug, but not softmax
import math


def denominators(stream: list[float]):
    m = -math.inf
    s = 0.0
    for x in stream:
        m = max(m, x)
        s += math.exp(x - m)
    return m, s


def cases(rng):
    yield "denominators", (rng.standard_normal(20).tolist(),), {}
