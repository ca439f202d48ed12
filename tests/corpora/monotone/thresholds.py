# expect: RED506 unsafe scope=predicted
# expect: RED506 unsafe scope=near
# expect: RED506 unsafe scope=close
# expect: RED506 unsafe scope=grows
import numpy as np
import torch


def predicted(logits: torch.Tensor):
    batch, classes = logits.shape
    probabilities = torch.sigmoid(logits)
    return (probabilities >= 0.5).long()


def near(points: np.ndarray, centre: np.ndarray, radius: float):
    count, size = points.shape
    (size,) = centre.shape
    inside = np.linalg.norm(points - centre, axis=1) <= radius
    return points[inside]


def close(x: torch.Tensor, y: torch.Tensor):
    count, size = x.shape
    count, size = y.shape
    return 0.75 > torch.sqrt(((x - y) ** 2).sum(dim=1))


def grows(rates: np.ndarray):
    (count,) = rates.shape
    return np.exp(rates) > 1


def cases(rng):
    for count in (1, 5):
        x = rng.standard_normal((count, 3))
        yield "predicted", (torch.tensor(x),), {}
        yield "near", (x, rng.standard_normal(3), 1.5), {}
        yield "close", (torch.tensor(x), torch.tensor(rng.standard_normal((count, 3)))), {}
        yield "grows", (x[:, 0],), {}
