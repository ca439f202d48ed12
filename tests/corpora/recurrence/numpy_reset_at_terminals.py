# expect: ASC101 safe scope=mc_returns
import numpy as np


def mc_returns(rewards, terminals, gamma=0.99):
    out = np.zeros(len(rewards), dtype=np.float32)
    acc = 0.0
    for i in reversed(range(len(rewards))):
        if terminals[i]:
            acc = 0.0
        acc = rewards[i] + gamma * acc
        out[i] = acc
    return out


def cases(rng):
    for n in (1, 2, 60):
        ends = rng.random(n) < 0.2
        yield "mc_returns", (rng.standard_normal(n), ends), {}
        yield "mc_returns", (rng.standard_normal(n).astype(np.float32), ends), {}
        yield "mc_returns", (rng.integers(-3, 4, n), ends.astype(int)), {}
