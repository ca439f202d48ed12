# refuse: ASC102 the step size is one for each place of the state, not for each channel
import torch
from torch import Tensor


def scan(x: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor):
    b, l, d = x.shape
    h = torch.zeros(b, d, A.shape[1])
    ys = []
    for i in range(l):
        dA = torch.exp(dt[:, i, None] * A)
        h = dA * h + B[:, i, None] * x[:, i, :, None]
        ys.append((h * C[:, i, None]).sum(-1))
    return torch.stack(ys, dim=1)


def cases(rng):
    made = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)
    for l in (1, 6):
        a = -made(4, 3).detach()
        yield "scan", (made(2, l, 4), made(2, l, 3), a, made(2, l, 3), made(2, l, 3)), {}
