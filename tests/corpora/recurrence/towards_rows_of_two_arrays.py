# expect: ASC101 safe scope=follow
import numpy as np
import torch


def follow(x, rate, level):
    kept = []
    for target, speed in zip(x.unbind(1), rate.unbind(1)):
        level = level + speed * (target - level)
        kept.append(level)
    return torch.stack(kept, 1)


def cases(rng: np.random.Generator):
    def tensor(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.uniform(0.1, 0.9, shape).astype(np.float32)).requires_grad_()

    for length in (1, 6):
        shape = (2, length, 3)
        yield "follow", (tensor(*shape), tensor(*shape), tensor(2, 3)), {}
        yield "follow", (tensor(2, length), tensor(2, length), tensor(2)), {}
