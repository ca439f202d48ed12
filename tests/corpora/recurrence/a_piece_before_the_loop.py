# expect: ASC101 safe scope=joined
import numpy as np
import torch


def joined(x, decay):
    h = x[:, :1]
    kept = [h]
    for t in range(1, x.shape[1]):
        h = decay * h + x[:, t : t + 1]
        kept.append(h)
    return torch.cat(kept, dim=1)


def cases(rng: np.random.Generator):
    for length in (1, 2, 7):
        x = torch.from_numpy(rng.standard_normal((2, length, 3)).astype(np.float32))
        yield "joined", (x.requires_grad_(), 0.5), {}
