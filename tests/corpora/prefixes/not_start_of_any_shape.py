# refuse: ASC105 the start may have more axes than what is added
import numpy as np
import torch


def raised(steps, x):
    (count,) = steps.shape
    level = torch.zeros_like(x)
    kept = []
    for k in range(count):
        level = level + steps[k]
        kept.append(level)
    return torch.stack(kept)


def cases(rng: np.random.Generator):
    def tensor(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.standard_normal(shape).astype(np.float32)).requires_grad_()

    for shape in ((), (4,), (3, 2)):
        yield "raised", (tensor(5), tensor(*shape)), {}
