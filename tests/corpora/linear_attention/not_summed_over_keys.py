# expect: ASC105 any scope=summed
# refuse: ASC103 no query asks the state: its rows are added up
import numpy as np
import torch


def summed(k, v):
    B, L, H, D = k.shape
    S = torch.zeros(B, H, D, v.shape[-1])
    o = []
    for t in range(L):
        S = S + k[:, t].unsqueeze(-1) * v[:, t].unsqueeze(-2)
        o.append(S.sum(-2))
    return torch.stack(o, 1)


def cases(rng: np.random.Generator):
    for length in (1, 5):
        k, v = (
            torch.from_numpy(rng.standard_normal((2, length, 2, width)).astype(np.float32))
            for width in (3, 4)
        )
        yield "summed", (k.requires_grad_(), v.requires_grad_()), {}
