# expect: RED502 safe scope=slope
# expect: RED502 safe scope=surprise
# expect: RED502 safe scope=bell
import numpy as np


def logistic(t):
    return 1.0 / (1.0 + np.exp(-t))


def slope(t):
    return logistic(t) * (1 - logistic(t))


def surprise(logits: np.ndarray, labels: np.ndarray) -> float:
    gain = labels * np.log(logistic(logits))
    loss = (1 - labels) * np.log(1 - logistic(logits))
    return -np.mean(gain + loss)


def bell(t: np.ndarray) -> np.ndarray:
    return np.exp(-t) / (1 + np.exp(-t)) ** 2


def cases(rng):
    yield "slope", (0.5,), {}
    for shape in ((1,), (5,), (3, 4)):
        yield "slope", (rng.normal(size=shape),), {}
        yield "surprise", (rng.normal(size=shape), rng.integers(0, 2, shape)), {}
        yield "bell", (rng.normal(size=shape),), {}
