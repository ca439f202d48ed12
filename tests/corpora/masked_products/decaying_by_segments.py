# expect: SPA404 safe scope=within_chunks
# expect: SPA404 safe|unsafe scope=one_chunk
# expect: SPA404 safe scope=heads_share
# expect: SPA404 safe|unsafe scope=groups_share
import torch
import torch.nn.functional as F
from einops import rearrange, repeat


def segsum(x):
    T = x.size(-1)
    x = repeat(x, "... d -> ... d e", e=T)
    mask = torch.tril(torch.ones(T, T, device=x.device, dtype=torch.bool), diagonal=-1)
    x = x.masked_fill(~mask, 0)
    sums = torch.cumsum(x, dim=-2)
    mask = torch.tril(torch.ones(T, T, device=x.device, dtype=torch.bool), diagonal=0)
    return sums.masked_fill(~mask, -torch.inf)


def within_chunks(X, A, B, C, length: int):
    X, A, B, C = [rearrange(x, "b (c l) ... -> b c l ...", l=length) for x in (X, A, B, C)]
    A = rearrange(A, "b c l h -> b h c l")
    L = torch.exp(segsum(A))
    return torch.einsum("bclhn,bcshn,bhcls,bcshp->bclhp", C, B, L, X)


def one_chunk(values, steps, keys, queries):
    weights = segsum(steps.transpose(1, 2)).exp()
    return torch.einsum("blhn,bshn,bhls,bshp->blhp", queries, keys, weights, values)


def heads_share(q, k, v, gammas):
    t = q.shape[1]
    places = torch.arange(t)
    gone = places[:, None] - places[None, :]
    D = torch.where(gone >= 0, gammas[:, None, None] ** gone.clamp(min=0), 0.0)
    return torch.einsum("btd,bsd,hts,bshe->bthe", q, k, D, v)


def groups_share(x, a, b, c):
    sums = torch.cumsum(a.transpose(1, 2), dim=-1)
    T = a.size(1)
    below = torch.tril(torch.ones(T, T, dtype=torch.bool))
    L = (sums[..., :, None] - sums[..., None, :]).masked_fill(~below, float("-inf")).exp()
    return torch.einsum("bln,bsn,bhls,bshp->blhp", c, b, L, x)


def cases(rng):
    def some(*shape):
        return torch.tensor(rng.normal(size=shape), dtype=torch.float32, requires_grad=True)

    def falling(*shape):
        return -F.softplus(some(*shape).detach()).requires_grad_()

    for length, chunks in ((4, 3), (1, 2), (70, 2)):
        sizes = (2, length * chunks, 3)
        given = (some(*sizes, 5), falling(*sizes), some(*sizes, 4), some(*sizes, 4))
        yield "within_chunks", (*given, length), {}
        yield "one_chunk", given, {}
        alone = some(2, length * chunks, 4), some(2, length * chunks, 4)
        yield "groups_share", (given[0], given[1], *alone), {}
        gammas = torch.tensor([0.9, 0.5, 0.99])
        yield "heads_share", (*alone, given[0], gammas), {}
