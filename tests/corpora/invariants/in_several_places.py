# expect: RED501 safe scope=filled
# expect: RED502 safe scope=weighed
# may: RED501 safe scope=weighed
import numpy as np


def filled(frames: int):
    assert frames > 0
    seen = np.zeros([frames, 3, 84, 84])
    for i in range(frames):
        seen[i, 2, np.arange(84), np.arange(84)] = i
        seen[i, 1, np.arange(84)] = i
    return seen


def weighed(x: np.ndarray, w: np.ndarray):
    out = []
    for t in range(1, 4):
        y = np.tanh((np.sort(w)) * x / t)
        out.append(y.sum() + (np.sort(w) - t).max())
    return out


def cases(rng):
    yield "filled", (2,), {}
    yield "weighed", (rng.normal(size=(3, 2)), rng.normal(size=(3, 2))), {}
    yield "weighed", (rng.normal(size=(1, 1)), rng.normal(size=1)), {}
