# expect: SPA401 safe scope=expected
import numpy as np


def expected(states, transition: np.ndarray, reward: np.ndarray):
    n, _ = transition.shape
    following = np.eye(n)[states] @ transition
    return following @ reward


def cases(rng):
    p = rng.dirichlet(np.ones(4), 4)
    yield "expected", (np.array([0, 3, 3, 1]), p, rng.standard_normal(4)), {}
    yield "expected", (2, p, rng.standard_normal(4)), {}
