# expect: ASC103 safe scope=backward_memory
import torch


def backward_memory(q, k, v, gamma: float):
    batch, length, heads, width = q.shape
    S = torch.zeros(batch, heads, width, v.size(3))
    out = torch.zeros(batch, length, heads, v.size(3))
    for t in range(length - 1, -1, -1):
        S = gamma * S + k[:, t, :, :, None] * v[:, t, :, None, :]
        out[:, t] = torch.einsum("bhd,bhde->bhe", q[:, t], S)
    return out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 2), (2, 70)):
        q, k, v = draw(b, l, 3, 4), draw(b, l, 3, 4), draw(b, l, 3, 5)
        yield "backward_memory", (q, k, v, 0.8), {}
