# refuse: what is subtracted may be a number or a row, and stands beside two axes
import numpy as np


def scatter(samples, centre):
    count, width = samples.shape
    spread = np.zeros((width, width))
    for i in range(count):
        away = samples[i] - centre
        spread += np.outer(away, away)
    return spread


def scaled(samples, errors, scale):
    count, width = samples.shape
    total = np.zeros((width, errors.shape[1]))
    for i in range(count):
        total += np.outer(samples[i] / scale, errors[i])
    return total


class Discriminant:
    def fit(self, samples):
        count, width = samples.shape
        self.mean = samples.mean(axis=0)
        spread = np.zeros((width, width))
        for sample in samples:
            spread += np.outer(sample - self.mean, sample - self.mean)
        return spread


def cases(rng):
    for n, d in ((5, 3), (4, 4)):
        x = rng.normal(size=(n, d))
        yield "scatter", (x, x.mean(0)), {}
        yield "scatter", (x, 0.5), {}
        yield "scaled", (x, rng.normal(size=(n, 2)), x.std(0) + 1.0), {}
        yield "Discriminant().fit", (x,), {}
