# refuse: the step size of a step is computed from the output of the one before
import torch
import torch.nn.functional as F


def feedback_scan(x, A, B, C, w_dt):
    h = torch.zeros(x.shape[0], x.shape[2], A.shape[1])
    y = torch.zeros_like(x[:, 0])
    ys = []
    for t in range(x.shape[1]):
        dt = F.softplus(x[:, t] + w_dt * y)
        h = torch.exp(dt[:, :, None] * A) * h + (dt * x[:, t])[:, :, None] * B[:, t, None, :]
        y = (h * C[:, t, None, :]).sum(-1)
        ys.append(y)
    return torch.stack(ys, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    A = -torch.tensor(rng.random((3, 4))).float()
    yield "feedback_scan", (draw(2, 11, 3), A, draw(2, 11, 4), draw(2, 11, 4), draw(3)), {}
