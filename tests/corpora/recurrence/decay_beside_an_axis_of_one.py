# expect: ASC101 safe scope=smooth
import numpy as np
import torch


def smooth(x, decay):
    h = torch.zeros(x.size(0), 1, x.size(2))
    pieces = []
    for t in range(x.size(1)):
        h = decay * h + (1 - decay) * x[:, t : t + 1]
        pieces.append(h)
    return torch.cat(pieces, dim=1)


def cases(rng: np.random.Generator):
    def tensor(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.uniform(0.1, 0.9, shape).astype(np.float32)).requires_grad_()

    for length in (1, 6):
        for decay in (0.5, tensor(3), tensor(1, 3), tensor(2, 1, 3), tensor(2, 1, 1)):
            yield "smooth", (tensor(2, length, 3), decay), {}
