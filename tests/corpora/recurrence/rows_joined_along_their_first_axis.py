# expect: ASC101 safe scope=joined
import numpy as np
import torch


def joined(x, decay):
    h = torch.zeros_like(x[:, 0])
    rows = []
    for t in range(x.shape[1]):
        h = decay * h + x[:, t]
        rows.append(h)
    return torch.cat(rows, dim=0)


def cases(rng: np.random.Generator):
    def tensor(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.uniform(0.1, 0.9, shape).astype(np.float32)).requires_grad_()

    for length in (1, 6):
        yield "joined", (tensor(2, length, 3), 0.5), {}
        yield "joined", (tensor(2, length, 3), tensor(3)), {}
        yield "joined", (tensor(2, length), 0.5), {}
