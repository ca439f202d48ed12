# refuse: SPA405 the weights are written into
# The weights are written into before they are used.
import torch


def f(q, k, v, n: int):
    s = q @ k.mT
    b, i = s.topk(n, -1)
    w = torch.full_like(s, -torch.inf).scatter(-1, i, b).softmax(-1)
    torch.add(w, 1, out=w)
    return w @ v


def cases(rng):
    def make(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32)

    yield "f", (make(4, 3), make(70, 3), make(70, 2), 2), {}
