# expect: RED506 unsafe scope=labels
# expect: RED506 unsafe scope=Model.classes
import numpy as np


def logistic(score):
    return 1 / (1 + np.exp(-score))


def labels(rows: np.ndarray, weights: np.ndarray, bias: float) -> np.ndarray:
    return logistic(rows @ weights + bias) >= 0.5


class Model:
    def __init__(self, weights):
        self.weights = weights

    def squash(self, score):
        return 1.0 / (np.exp(-score) + 1.0)

    def classes(self, rows: np.ndarray) -> np.ndarray:
        share = self.squash(rows @ self.weights)
        return np.where(share > 0.5, 1, 0)


def cases(rng):
    for n in (1, 7):
        yield "labels", (rng.normal(size=(n, 3)), rng.normal(size=3), 0.25), {}
        yield "Model(np.arange(3.0)).classes", (rng.normal(size=(n, 3)),), {}
