# refuse: SPA404 the weights are no product of factors of the steps in between, or not of a triangle
import numpy as np
import torch


def of_squared_distances(q, k, v, gamma: float):
    b, h, n, d = q.shape
    t = torch.arange(n)
    return ((q @ k.mT) * (gamma ** ((t[:, None] - t[None, :]) ** 2)).tril()) @ v


def upwards(q, k, v, gamma: float):
    b, h, n, d = q.shape
    t = torch.arange(n)
    return ((q @ k.mT) * (gamma ** (t[None, :] - t[:, None])).triu()) @ v


def on_both_sides(q, k, v, gamma: float):
    b, h, n, d = q.shape
    t = torch.arange(n)
    return ((q @ k.mT) * gamma ** (t[:, None] - t[None, :]).abs()) @ v


def below_the_diagonal(q, k, v, gamma: float):
    b, h, n, d = q.shape
    t = torch.arange(n)
    return ((q @ k.mT) * (gamma ** (t[:, None] - t[None, :])).tril(-1)) @ v


def one_step_more(q, k, v, gamma: float):
    b, h, n, d = q.shape
    t = torch.arange(n)
    return ((q @ k.mT) * (gamma ** (t[:, None] - t[None, :] + 1)).tril()) @ v


def between_two_sums(q, k, v, a, c):
    b, h, n, d = q.shape
    D = torch.exp(a.cumsum(-1)[..., :, None] - c.cumsum(-1)[..., None, :]).tril()
    return ((q @ k.mT) * D) @ v


def from_the_end(q, k, v, a):
    b, h, n, d = q.shape
    until = a.flip(-1).cumsum(-1).flip(-1)
    return ((q @ k.mT) * torch.exp(until[..., :, None] - until[..., None, :]).tril()) @ v


def before_each_step(q, k, v, a):
    b, h, n, d = q.shape
    before = torch.ones(n, n).tril(-1)
    until = torch.einsum("ij,bhj->bhi", before, a)
    return ((q @ k.mT) * torch.exp(until[..., :, None] - until[..., None, :]).tril()) @ v


def of_each_query(q, k, v, rates):
    # rates (n,)
    b, h, n, d = q.shape
    t = torch.arange(n)
    D = torch.exp((t[:, None] - t[None, :]) * rates[:, None]).tril()
    return ((q @ k.mT) * D) @ v


def twice(q, k, v, gamma: float, g):
    b, h, n, d = q.shape
    t = torch.arange(n)
    cs = g.cumsum(-1)
    D = (gamma ** (t[:, None] - t[None, :])).tril()
    return ((q @ k.mT) * D * (cs[..., :, None] - cs[..., None, :]).exp()) @ v


def of_a_number_below_one(q, k, v):
    # 0.5 to minus infinity is infinite
    b, h, n, d = q.shape
    t = torch.arange(n).float()
    apart = (t[:, None] - t[None, :]).masked_fill(t[:, None] < t[None, :], -torch.inf)
    return ((q @ k.mT) * 0.5**apart) @ v


def bound_again_and_read(q, k, v, g):
    b, h, n, d = q.shape
    t = torch.arange(n)
    t = ((t[:, None] - t[None]) * g.view(1, h, 1, 1)).exp().tril()
    g = q @ k.mT
    g = g * t
    return g @ v, g.sum()


def weights_returned(q, k, v, gamma: float):
    b, h, n, d = q.shape
    t = torch.arange(n)
    scores = (q @ k.mT) * (gamma ** (t[:, None] - t[None, :])).tril()
    return scores @ v, scores


def normalised(q, k, v, gamma: float):
    b, h, n, d = q.shape
    t = torch.arange(n)
    scores = (q @ k.mT) * (gamma ** (t[:, None] - t[None, :])).tril()
    scores = scores / scores.detach().abs().sum(-1, keepdim=True).clamp(min=1)
    return scores @ v


def normal(rng, *shape):
    return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()


def cases(rng: np.random.Generator):
    for n in (5, 130):
        qkv = tuple(normal(rng, 2, 3, n, 4) for _ in range(3))
        for name in ("of_squared_distances", "upwards", "on_both_sides", "below_the_diagonal",
                     "one_step_more", "weights_returned", "normalised"):  # fmt: skip
            yield name, (*qkv, 0.95), {}
        yield "between_two_sums", (*qkv, -normal(rng, 2, 3, n).detach().abs(),
                                   -normal(rng, 2, 3, n).detach().abs()), {}  # fmt: skip
        for name in ("from_the_end", "before_each_step"):
            yield name, (*qkv, -normal(rng, 2, 3, n).detach().abs() / 9), {}
        yield "of_each_query", (*qkv, -normal(rng, n).detach().abs()), {}
        yield "twice", (*qkv, 0.95, -normal(rng, 2, 3, n).detach().abs()), {}
