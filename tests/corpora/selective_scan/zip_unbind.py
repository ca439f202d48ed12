# may: ASC102 safe scope=ssm
# may: ASC101 safe scope=ssm
import torch


def ssm(x, delta, A, B, C):
    assert x.shape == delta.shape and B.shape == C.shape and B.shape[:2] == x.shape[:2]
    a = torch.exp(delta.unsqueeze(-1) * A)
    bx = (delta * x).unsqueeze(-1) * B.unsqueeze(2)
    h = torch.zeros_like(a[:, 0])
    ys = []
    for a_t, bx_t, c_t in zip(a.unbind(1), bx.unbind(1), C.unbind(1)):
        h = torch.addcmul(bx_t, a_t, h)
        ys.append(torch.einsum("bdn,bn->bd", h, c_t))
    return torch.stack(ys, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for b, l in ((1, 2), (2, 16)):
        delta = torch.tensor(rng.random((b, l, 3))).float()
        A = -torch.tensor(rng.random((3, 4))).float()
        yield "ssm", (draw(b, l, 3).requires_grad_(), delta, A, draw(b, l, 4), draw(b, l, 4)), {}
