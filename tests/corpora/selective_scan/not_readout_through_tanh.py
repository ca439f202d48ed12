# refuse: ASC102 the readout is not linear in the state
import torch


def scan(x, delta, A, B, C):
    h = torch.zeros(x.shape[0], x.shape[2], A.shape[1])
    ys = []
    for t in range(x.shape[1]):
        h = torch.exp(delta[:, t, :, None] * A) * h + B[:, t, None, :] * x[:, t, :, None]
        ys.append((C[:, t, None, :] * torch.tanh(h)).sum(-1))
    return torch.stack(ys, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    delta = torch.tensor(rng.random((2, 11, 3))).float()
    A = -torch.tensor(rng.random((3, 4))).float()
    yield "scan", (draw(2, 11, 3), delta, A, draw(2, 11, 4), draw(2, 11, 4)), {}
