# expect: ASC101 safe scope=discounted
import numpy as np


def discounted(rewards, gamma):
    out = []
    running = 0.0
    for r in reversed(rewards):
        running = r + gamma * running
        out.append(running)
    out.reverse()
    return np.array(out)


def cases(rng):
    for n in (1, 2, 60):
        yield "discounted", (rng.standard_normal(n), 0.97), {}
        yield "discounted", (rng.standard_normal((n, 3)).astype("float32"), 0.97), {}
        yield "discounted", (list(rng.standard_normal(n)), 0.97), {}
