# expect: ASC102 safe scope=places
# expect: ASC102 safe scope=einsums_before
# expect: ASC102 safe scope=untyped
import torch
from torch import Tensor


def places(x: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor):
    b, l, d = x.shape
    h = torch.zeros(b, d, A.shape[1])
    ys = []
    for i in range(l):
        dA = torch.exp(dt[:, i, :, None] * A)
        dB = dt[:, i, :, None] * B[:, i, None]
        h = dA * h + dB * x[:, i, :, None]
        ys.append((h * C[:, i, None]).sum(-1))
    return torch.stack(ys, dim=1)


def einsums_before(x: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor):
    b, l, d = x.shape
    n = A.shape[1]
    dA = torch.exp(dt[..., None] * A)
    dBx = torch.einsum("bld,bln,bld->bldn", dt, B, x)
    h = torch.zeros(b, d, n)
    ys = []
    for i in range(l):
        h = dA[:, i] * h + dBx[:, i]
        ys.append((h @ C[:, i, :, None]).squeeze(-1))
    return torch.stack(ys, 1)


def untyped(x, dt, A, B, C):
    b, l, d = x.shape
    h = torch.zeros(b, d, A.shape[1])
    ys = []
    for i in range(l):
        dA = torch.exp(dt[:, i, :, None] * A)
        h = dA * h + dt[:, i, :, None] * B[:, i, None] * x[:, i, :, None]
        ys.append((h * C[:, i, None]).sum(-1))
    return torch.stack(ys, dim=1)


def cases(rng):
    names = "places einsums_before untyped"
    for b, l in ((2, 5), (1, 1), (3, 20)):

        def made(*shape):
            return torch.tensor(rng.random(shape), dtype=torch.float32, requires_grad=True)

        for name in names.split():
            a = -made(4, 3).detach()
            yield name, (made(b, l, 4), made(b, l, 4), a, made(b, l, 3), made(b, l, 3)), {}
