# refuse: SPA404 the key's own step decays its weight as well: f(i, i) is not 1
import torch
from einops import repeat


def segments(x):
    T = x.size(-1)
    x = repeat(x, "... d -> ... d e", e=T)
    mask = torch.tril(torch.ones(T, T, dtype=torch.bool))
    x = x.masked_fill(~mask, 0)
    sums = torch.cumsum(x, dim=-2)
    return sums.masked_fill(~mask, -torch.inf)


def attend(values, steps, keys, queries):
    weights = segments(steps.transpose(1, 2)).exp()
    return torch.einsum("blhn,bshn,bhls,bshp->blhp", queries, keys, weights, values)


def rows_of_values(q, k, v, w):
    mask = torch.tril(torch.ones(q.shape[1], q.shape[1]))
    return torch.einsum("btd,bsd,ts,btse->bte", q, k, mask, v)


def cases(rng):
    def some(*shape):
        return torch.tensor(rng.normal(size=shape), dtype=torch.float32, requires_grad=True)

    for length in (1, 5):
        sizes = (2, length, 3)
        yield "attend", (some(*sizes, 5), -some(*sizes).abs(), some(*sizes, 4), some(*sizes, 4)), {}
        yield "rows_of_values", (some(*sizes), some(*sizes), some(2, length, *sizes[1:]), 0), {}
