# expect: ASC105 safe scope=survival
import torch
from torch import Tensor


def survival(h: Tensor):
    s = torch.ones(h.shape[0])
    out = []
    for t in range(h.shape[1]):
        s = s * (1.0 - h[:, t])
        out.append(s)
    return torch.stack(out, dim=1)


def cases(rng):
    def U(*s):
        return torch.tensor(rng.random(s), dtype=torch.float32)

    yield "survival", (U(2, 7),), {}
