# expect: ASC103 safe scope=accumulate
import torch


def accumulate(q, k, v):
    S = 0
    ys = []
    for t in range(q.shape[1]):
        S = S + k[:, t].unsqueeze(2) * v[:, t].unsqueeze(1)
        ys.append(torch.bmm(q[:, t].unsqueeze(1), S).squeeze(1))
    return torch.stack(ys, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 66)):
        yield "accumulate", (draw(b, l, 4), draw(b, l, 4), draw(b, l, 3)), {}
