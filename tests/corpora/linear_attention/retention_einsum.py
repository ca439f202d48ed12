# expect: ASC103 safe scope=retention
import torch


def retention(q, k, v, gamma):
    batch, length, heads, dim = q.shape
    S = torch.zeros(batch, heads, dim, v.shape[-1])
    outputs = []
    for t in range(length):
        S = gamma * S + torch.einsum("bhd,bhe->bhde", k[:, t], v[:, t])
        outputs.append(torch.einsum("bhd,bhde->bhe", q[:, t], S))
    return torch.stack(outputs, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 2), (2, 70)):
        q, k, v = draw(b, l, 3, 4), draw(b, l, 3, 4), draw(b, l, 3, 5)
        yield "retention", (q, k, v, 0.9), {}
