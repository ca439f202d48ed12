# may: ASC101 safe scope=scan
# refuse: ASC103 the states of all steps are kept
import torch


def scan(q, k, v, gamma: float):
    batch, length, heads, width = q.shape
    S = torch.zeros(batch, heads, width, v.size(3))
    outputs = []
    for t in range(length):
        S = gamma * S + k[:, t, :, :, None] * v[:, t, :, None, :]
        outputs.append(S)
    return torch.stack(outputs, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 2), (2, 70)):
        q, k, v = draw(b, l, 3, 4), draw(b, l, 3, 4), draw(b, l, 3, 5)
        yield "scan", (q, k, v, 0.9), {}
