# expect: ASC103 safe scope=ssd
import torch


def ssd(x, dt, A, B, C):
    """x (batch, length, heads, width), dt (batch, length, heads), A (heads,),
    B, C (batch, length, n)."""
    batch, length, heads, width = x.shape
    n = B.shape[2]
    h = torch.zeros(batch, heads, width, n)
    ys = []
    for t in range(length):
        dA = torch.exp(dt[:, t] * A)
        dBx = torch.einsum("bh,bn,bhp->bhpn", dt[:, t], B[:, t], x[:, t])
        h = h * dA[:, :, None, None] + dBx
        ys.append(torch.einsum("bhpn,bn->bhp", h, C[:, t]))
    return torch.stack(ys, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 67)):
        dt = torch.tensor(rng.random((b, l, 3))).float().requires_grad_()
        A = -torch.tensor(rng.random(3)).float()
        yield "ssd", (draw(b, l, 3, 5), dt, A, draw(b, l, 4), draw(b, l, 4)), {}
