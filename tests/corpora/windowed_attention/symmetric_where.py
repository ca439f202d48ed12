# expect: LOC304 safe scope=local
import torch


def local(q, k, v, radius=3):
    length = q.size(-2)
    rows = torch.arange(length).view(-1, 1)
    columns = torch.arange(length).view(1, -1)
    near = (rows - columns).abs() <= radius
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * 0.5
    scores = torch.where(near, scores, torch.full_like(scores, float("-inf")))
    return torch.einsum("bhqk,bhkd->bhqd", torch.softmax(scores, dim=-1), v)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for n in (1, 2, 9, 150):
        yield "local", (draw(2, 2, n, 4), draw(2, 2, n, 4), draw(2, 2, n, 6)), {}
