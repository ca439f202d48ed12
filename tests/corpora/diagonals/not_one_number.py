# refuse: not a number that is bound anew, infinite, changed, beside the diagonal or of many axes
import numpy as np
import torch


def bound_anew(x: torch.Tensor, c: float):
    n, m = x.shape
    scaled = c * torch.eye(n)
    c = 2 * c
    return scaled @ x + c


def infinite(x: torch.Tensor):
    n, m = x.shape
    return float("inf") * torch.eye(n) @ x


def shifted(x: torch.Tensor, c: float):
    n, m = x.shape
    return (c + torch.eye(n)) @ x


def beside(x: np.ndarray, c: float):
    n, m = x.shape
    return (c * np.eye(n, k=1)) @ x


def converted(x: torch.Tensor, c: float):
    n, m = x.shape
    return (c * torch.eye(n)).double() @ x.double()


def of_a_list(c: float):
    return (c * np.eye(2)) @ [3.0, 4.0]


def cases(rng):
    x = torch.tensor(rng.normal(size=(3, 2)), dtype=torch.float32)
    for name in ("bound_anew", "shifted", "converted"):
        yield name, (x.clone(), 0.5), {}
    yield "beside", (rng.normal(size=(3, 2)), 0.5), {}
    yield "of_a_list", (0.5,), {}
