# expect: ASC102 safe scope=selective_ssm
import torch
from torch import einsum


def selective_ssm(u, dt, A, B, C, D):
    """u, dt: (b, l, d); A: (d, n); B, C: (b, l, n); D: (d,)."""
    b, l, d = u.shape
    n = A.shape[1]
    decay = torch.exp(einsum("bld,dn->bldn", dt, A))
    drive = einsum("bld,bln,bld->bldn", dt, B, u)
    state = torch.zeros((b, d, n), device=u.device, dtype=u.dtype)
    ys = []
    for i in range(l):
        state = decay[:, i] * state + drive[:, i]
        y = einsum("bdn,bn->bd", state, C[:, i, :])
        ys.append(y)
    y = torch.stack(ys, dim=1)
    return y + u * D


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for b, l in ((1, 1), (2, 2), (2, 23)):
        u, dt = draw(b, l, 3), torch.nn.functional.softplus(draw(b, l, 3))
        A = -torch.exp(draw(3, 4))
        args = (u, dt, A, draw(b, l, 4), draw(b, l, 4), draw(3))
        yield "selective_ssm", tuple(a.requires_grad_() for a in args), {}
