# expect: ASC101 unsafe scope=smooth
import numpy as np
import torch


def smooth(x, gate):
    (n,) = x.shape
    h = x[0]
    kept = []
    for t in range(n):
        h = gate * h + (1 - gate) * x[t]
        kept.append(h)
    return torch.stack(kept, dim=-1)


def cases(rng: np.random.Generator):
    x = torch.from_numpy(rng.standard_normal(6).astype(np.float32))
    yield "smooth", (x, 0.5), {}
    yield "smooth", (x, torch.rand(3)), {}
