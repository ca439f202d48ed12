# refuse: ASC102 the states are returned as well
# expect: ASC101 safe scope=both
import torch
from torch import Tensor


def both(x: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor):
    bs, L, d = x.shape
    h = x.new_zeros(bs, d, A.shape[1])
    hs = []
    for t in range(L):
        put = (dt[:, t] * x[:, t])[:, :, None] * B[:, t, None, :]
        h = torch.exp(dt[:, t, :, None] * A) * h + put
        hs.append(h)
    hs = torch.stack(hs, 1)
    return torch.einsum("bldn,bln->bld", hs, C), hs


def cases(rng):
    def made(*shape):
        return torch.tensor(rng.random(shape), dtype=torch.float32, requires_grad=True)

    arguments = made(2, 5, 4), made(2, 5, 4), -made(4, 3).detach(), made(2, 5, 3), made(2, 5, 3)
    yield "both", arguments, {}
