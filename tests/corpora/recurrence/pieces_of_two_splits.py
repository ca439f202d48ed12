# expect: ASC101 safe scope=gated
import numpy as np
import torch


def gated(x, gate):
    state = torch.zeros_like(x[:, :1])
    pieces = []
    for part, keep in zip(x.split(1, dim=1), gate.split(1, dim=1)):
        state = keep * state + part
        pieces.append(state)
    return torch.cat(pieces, dim=1)


def cases(rng: np.random.Generator):
    def tensor(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.uniform(0.1, 0.9, shape).astype(np.float32)).requires_grad_()

    for length in (1, 6):
        yield "gated", (tensor(2, length, 3), tensor(2, length, 3)), {}
        yield "gated", (tensor(2, length), tensor(2, length + 2)), {}
