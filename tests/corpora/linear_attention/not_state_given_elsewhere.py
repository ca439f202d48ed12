# refuse: ASC103 a carried value reads the state
import torch


def scan(q, k, v, gamma: float):
    batch, length, heads, width = q.shape
    S = torch.zeros(batch, heads, width, v.size(3))
    outputs = []
    level = 0.0
    for t in range(length):
        S = gamma * S + k[:, t, :, :, None] * v[:, t, :, None, :]
        level = 0.5 * level + S.sum((2, 3))
        outputs.append(torch.einsum("bhd,bhde->bhe", q[:, t], S))
        outputs[-1] = outputs[-1] + level[:, :, None]
    return torch.stack(outputs, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 2), (2, 70)):
        q, k, v = draw(b, l, 3, 4), draw(b, l, 3, 4), draw(b, l, 3, 5)
        yield "scan", (q, k, v, 0.9), {}
