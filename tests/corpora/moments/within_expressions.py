# expect: ASC108 safe scope=squared
# expect: ASC108 safe scope=summed
# expect: ASC108 safe scope=first
# expect: ASC108 safe scope=turned
# expect: ASC108 safe scope=cast
# expect: ASC108 safe scope=divisor
# expect: ASC108 safe scope=by_call
"""What a norm is multiplied by stays with it, whatever is done to their product."""

import torch


def squared(x: torch.Tensor, w: torch.Tensor):
    mu = x.mean(-1, keepdim=True)
    var = x.var(-1, keepdim=True, unbiased=False)
    return (w * ((x - mu) / torch.sqrt(var + 1e-5))) ** 2


def summed(x: torch.Tensor, w: torch.Tensor):
    v = x.pow(2).mean(-1, keepdim=True)
    return (w * (x * torch.rsqrt(v + 1e-6))).sum(-1)


def first(x: torch.Tensor, w: torch.Tensor):
    v = x.pow(2).mean(-1, keepdim=True)
    return -(w * (x * torch.rsqrt(v + 1e-6)))[:, 0]


def turned(x: torch.Tensor, w: torch.Tensor):
    v = x.pow(2).mean(-1, keepdim=True)
    return (x * torch.rsqrt(v + 1e-6) * w).T @ w.new_ones(len(x))


def cast(x: torch.Tensor, w: torch.Tensor):
    v = x.pow(2).mean(-1, keepdim=True)
    return (w * (x * torch.rsqrt(v + 1e-6))).to(torch.float64)


def divisor(x: torch.Tensor, w: torch.Tensor):
    v = x.pow(2).mean(-1, keepdim=True)
    return 1 / (w * (x * torch.rsqrt(v + 1e-6)))


def by_call(x: torch.Tensor, w: torch.Tensor):
    v = x.pow(2).mean(-1, keepdim=True)
    return torch.mul(w, x * torch.rsqrt(v + 1e-6)).abs().max()


def cases(rng):
    def G(*s):
        return torch.tensor(rng.normal(size=s) + 3, requires_grad=True)

    for name in ("squared", "summed", "first", "turned", "cast", "divisor", "by_call"):
        yield name, (G(3, 5), G(5)), {}
        yield name, (G(1, 4), G(4)), {}
