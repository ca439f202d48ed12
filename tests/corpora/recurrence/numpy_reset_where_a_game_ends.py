# expect: ASC101 safe scope=discount_rewards
import numpy as np


def discount_rewards(r, gamma=0.99):
    discounted_r = np.zeros_like(r)
    running_add = 0
    for t in reversed(range(0, r.size)):
        if r[t] != 0:
            running_add = 0  # the sum starts again where a point was scored
        running_add = running_add * gamma + r[t]
        discounted_r[t] = running_add
    return discounted_r


def cases(rng):
    yield "discount_rewards", (np.round(rng.standard_normal(12)),), {}
