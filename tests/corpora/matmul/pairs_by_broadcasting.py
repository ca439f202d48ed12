# expect: LOC301 safe scope=gram
# expect: LOC301 safe scope=cosine
# expect: LOC301 safe scope=product
# expect: LOC301 safe scope=scores
# expect: LOC301 safe scope=table
import torch


def gram(a: torch.Tensor, b: torch.Tensor):
    """a: (n, k), b: (m, k)"""
    return torch.sum(a[:, None, :] * b[None, :, :], dim=2)


def cosine(a: torch.Tensor, b: torch.Tensor):
    n, d = a.shape
    m, d = b.shape
    a = a / a.norm(dim=1, keepdim=True)
    b = b / b.norm(dim=1, keepdim=True)
    return (a.unsqueeze(1) * b.unsqueeze(0)).sum(dim=-1)


def product(a: torch.Tensor, b: torch.Tensor):
    n, k = a.shape
    k, m = b.shape
    products = a[:, :, None] * b[None]
    return products.sum(1)


def scores(q: torch.Tensor, k: torch.Tensor):
    """q: (B, N, D), k: (B, M, D)"""
    b, n, d = q.shape
    b, m, d = k.shape
    s = (q.unsqueeze(2) * k.unsqueeze(1)).sum(-1)
    return torch.softmax(s / d**0.5, dim=-1)


def table(x, w):
    return (x[:, None, :] * w[None, :, :]).sum(axis=2)


def cases(rng):
    def t(*shape):
        return torch.tensor(rng.normal(size=shape), dtype=torch.float32, requires_grad=True)

    for n, m, k in ((4, 5, 3), (1, 2, 1)):
        yield "gram", (t(n, k), t(m, k)), {}
        yield "cosine", (t(n, k), t(m, k)), {}
        yield "product", (t(n, k), t(k, m)), {}
        yield "scores", (t(2, n, k), t(2, m, k)), {}
        yield "table", (t(n, k), t(m, k)), {}
