# refuse: the loop stops once the state has died out
import torch


def impulse_response(delta, A, B, C, tol=1e-3):
    h = B[:, 0, None, :].expand(-1, delta.shape[2], -1)
    ys = []
    for t in range(delta.shape[1]):
        h = torch.exp(delta[:, t, :, None] * A) * h
        ys.append((C[:, t, None, :] * h).sum(-1))
        if h.abs().amax() < tol:
            break
    return torch.stack(ys, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    delta = torch.tensor(1 + rng.random((2, 30, 3))).float()
    A = -torch.tensor(0.5 + rng.random((3, 4))).float()
    yield "impulse_response", (delta, A, draw(2, 30, 4), draw(2, 30, 4)), {}
