# expect: SYM602 safe scope=scatter
# expect: SYM602 safe scope=of_tensors
# expect: LOC301 safe scope=cross
import numpy as np
import torch


def scatter(samples: np.ndarray, centre: np.ndarray):
    count, width = samples.shape
    spread = np.zeros((width, width))
    for sample in samples:
        away = sample - centre
        spread += np.outer(away, away)
    return spread / count


def of_tensors(samples: torch.Tensor, centre: torch.Tensor):
    count, width = samples.shape
    spread = torch.zeros(width, width, dtype=samples.dtype)
    for i in range(count):
        away = samples[i] - centre
        spread += away[:, None] * away[None, :]
    return spread


def cross(x: np.ndarray, y: np.ndarray, mx: np.ndarray, my: np.ndarray):
    n, d = x.shape
    total = np.zeros((d, y.shape[1]))
    for i in range(n):
        total += np.outer(x[i] - mx, y[i] - my)
    return total


def cases(rng):
    for n, d in ((5, 3), (4, 4), (1, 2)):
        x, mu = rng.normal(size=(n, d)), rng.normal(size=d)
        yield "scatter", (x, mu), {}
        yield "of_tensors", (torch.tensor(x, requires_grad=True), torch.tensor(mu)), {}
        yield "cross", (x, rng.normal(size=(n, 2)), mu, rng.normal(size=2)), {}
