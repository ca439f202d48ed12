# refuse: the input of a step has the previous readout subtracted (a delta rule)
import torch


def delta_rule_scan(x, delta, A, B, C):
    h = torch.zeros(x.shape[0], x.shape[2], A.shape[1])
    read = torch.zeros_like(x[:, 0])
    ys = []
    for t in range(x.shape[1]):
        u = torch.relu(x[:, t] - read)
        h = torch.exp(delta[:, t, :, None] * A) * h + B[:, t, None, :] * u[:, :, None]
        read = (C[:, t, None, :] * h).sum(-1)
        ys.append(read)
    return torch.stack(ys, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    delta = torch.tensor(rng.random((2, 11, 3))).float()
    A = -torch.tensor(rng.random((3, 4))).float()
    yield "delta_rule_scan", (draw(2, 11, 3), delta, A, draw(2, 11, 4), draw(2, 11, 4)), {}
