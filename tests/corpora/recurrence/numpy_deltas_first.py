# expect: ASC101 safe scope=gae
import numpy as np


def gae(rewards, values, gamma, lam):
    deltas = rewards[:-1] + gamma * values[1:] - values[:-1]
    adv = np.zeros_like(deltas)
    last = 0
    for t in range(len(deltas) - 1, -1, -1):
        last = deltas[t] + gamma * lam * last
        adv[t] = last
    return adv


def cases(rng):
    for n in (2, 3, 60):
        yield "gae", (rng.standard_normal(n), rng.standard_normal(n), 0.99, 0.95), {}
