# expect: ASC104 safe scope=levels
import numpy as np
import torch


def levels(inflow, low):
    (steps,) = inflow.shape
    level = torch.zeros_like(low)
    kept = []
    for t in range(steps):
        level = torch.minimum(torch.maximum(level + inflow[t], low), low + 3)
        kept.append(level)
    return torch.stack(kept)


def cases(rng: np.random.Generator):
    def tensor(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.standard_normal(shape).astype(np.float32)).requires_grad_()

    for shape in ((), (4,), (3, 2)):
        yield "levels", (tensor(7), tensor(*shape)), {}
    yield "levels", (tensor(1), tensor(2, 2)), {}
