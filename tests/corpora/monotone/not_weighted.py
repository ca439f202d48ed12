# refuse: RED506 a factor may turn the order
import numpy as np


def chosen(logits: np.ndarray, weights: np.ndarray):
    return (np.exp(logits) * weights).argmax(axis=-1)


def cases(rng):
    yield "chosen", (rng.standard_normal((3, 5)), rng.standard_normal(5)), {}
