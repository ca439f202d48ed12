# expect: LOC304 safe scope=continued
# the queries are the last of the sequence: their places count from the end
import torch


def continued(q, k, v, window: int):
    m, n = q.shape[-2], k.shape[-2]
    i = torch.arange(n - m, n)[:, None]
    j = torch.arange(n)[None, :]
    keep = (j <= i) & (j > i - window)
    s = (q @ k.mT * 0.3).masked_fill(~keep, -torch.inf)
    return torch.softmax(s, -1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for m, n in ((1, 1), (1, 7), (4, 9), (150, 190)):
        yield "continued", (draw(2, m, 4), draw(2, n, 4), draw(2, n, 4), 3), {}
