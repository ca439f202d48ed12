# expect: ASC101 safe scope=horner
import numpy as np
import torch


def horner(coefficients, x):
    (count,) = coefficients.shape
    y = torch.zeros_like(x)
    for k in range(count - 1, -1, -1):
        y = y * x + coefficients[k]
    return y


def cases(rng: np.random.Generator):
    def tensor(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.standard_normal(shape).astype(np.float32)).requires_grad_()

    for shape in ((), (4,), (3, 2)):
        yield "horner", (tensor(5), tensor(*shape)), {}
    yield "horner", (tensor(1), tensor(2, 2)), {}
