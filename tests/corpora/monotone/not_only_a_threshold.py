# refuse: RED506 the function is used elsewhere, changed, not increasing, or of another number
import numpy as np
import torch


def shown(logits: torch.Tensor):
    probabilities = torch.sigmoid(logits)
    return probabilities > 0.5, probabilities


def changed(logits: torch.Tensor):
    probabilities = torch.sigmoid(logits)
    logits.add_(1.0)
    return probabilities > 0.5


def compared_with_arrays(x: torch.Tensor, y: torch.Tensor):
    return torch.sigmoid(x) > torch.sigmoid(y)


def equal(x: torch.Tensor):
    return torch.sigmoid(x) == 0.5


def turns(x: np.ndarray):
    return np.cos(x) > 0.5


def of_what_may_be_negative(x: np.ndarray):
    return np.sqrt(x) < 2.0


def sums(x: np.ndarray):
    return np.linalg.norm(x, ord=1, axis=1) < 2.0


def cases(rng):
    x = rng.standard_normal((4, 3))
    for name in ("shown", "changed", "equal"):
        yield name, (torch.tensor(x),), {}
    yield "compared_with_arrays", (torch.tensor(x), torch.tensor(x.copy())), {}
    yield "turns", (x,), {}
    yield "of_what_may_be_negative", (np.abs(x),), {}
    yield "sums", (x,), {}
