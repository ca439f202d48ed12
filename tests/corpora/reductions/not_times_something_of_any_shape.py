# refuse: ASC106 what is multiplied with each weight may have any number of axes
import numpy as np
import torch


def weighted(weights, x):
    (count,) = weights.shape
    total = torch.zeros_like(x)
    for k in range(count):
        total = total + weights[k] * x
    return total


def cases(rng: np.random.Generator):
    def tensor(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.standard_normal(shape).astype(np.float32)).requires_grad_()

    for shape in ((), (4,), (3, 2)):
        yield "weighted", (tensor(5), tensor(*shape)), {}
