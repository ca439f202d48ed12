# expect: SPA404 safe scope=by_powers
# expect: SPA404 safe scope=of_absolute_distances
# expect: SPA404 safe scope=chosen
# expect: SPA404 safe scope=by_rates_of_heads
# expect: SPA404 safe scope=by_factors_of_heads
# expect: SPA404 safe scope=by_segment_sums
# expect: SPA404 safe scope=of_steps_alone
# expect: SPA404 safe scope=over_heads
# expect: SPA404 safe scope=by_powers_of_two
# expect: SPA404 safe scope=by_halves
# expect: SPA404 safe scope=names_bound_again
# expect: SPA404 safe scope=Learned.forward
# expect: SPA404 safe scope=Retention.forward
import numpy as np
import torch


def by_powers(q, k, v, gamma: float):
    b, h, n, d = q.shape
    t = torch.arange(n)
    D = (gamma ** (t[:, None] - t[None, :])).tril()
    return ((q @ k.transpose(-1, -2)) * D) @ v


def of_absolute_distances(q, k, v, gamma: float):
    b, h, n, d = q.shape
    t = torch.arange(n)
    return (torch.tril(gamma ** (t - t[:, None]).abs()) * torch.matmul(q, k.mT)) @ v


def chosen(q, k, v, gamma):
    b, h, n, d = q.shape
    t = torch.arange(n)
    rel = t[:, None] - t[None, :]
    D = torch.where(rel >= 0, gamma ** rel.clamp(min=0), torch.zeros(()))
    return torch.matmul(q @ k.transpose(-1, -2) * D, v)


def by_rates_of_heads(q, k, v, rates):
    # rates (h,)
    b, h, n, d = q.shape
    place = torch.arange(n, device=q.device)
    kept = torch.ones(n, n, device=q.device).tril().bool()
    rel = (place[:, None] - place[None, :]).float()
    D = torch.exp(-rel * rates[:, None, None]).masked_fill(~kept, 0.0)
    return torch.einsum("bhij,bhjd->bhid", torch.einsum("bhid,bhjd->bhij", q, k) * D, v)


def by_factors_of_heads(q, k, v, gammas):
    # gammas (h,)
    b, h, n, d = q.shape
    n_, m_ = torch.arange(n).unsqueeze(1), torch.arange(n).unsqueeze(0)
    D = (gammas[:, None, None] ** (n_ - m_).clamp(min=0)) * (n_ >= m_).float()
    scores = q @ k.mT
    scores = scores * D
    return scores @ v


def by_segment_sums(x, a, B, C):
    # x (b, t, p), a (b, t), B (b, t, n), C (b, t, n)
    b, T, p = x.shape
    cs = torch.cumsum(a, dim=-1)
    seg = cs[..., :, None] - cs[..., None, :]
    mask = torch.tril(torch.ones(T, T, device=x.device, dtype=bool), diagonal=0)
    L = torch.exp(seg.masked_fill(~mask, -torch.inf))
    return torch.einsum("btn,bsn,bts,bsp->btp", C, B, L, x)


def of_steps_alone(q, k, v, g):
    b, h, n, d = q.shape
    cs = g.cumsum(-1)
    w = (cs.unsqueeze(-1) - cs.unsqueeze(-2)).exp().tril()
    s = q @ k.mT * w
    return s @ v


def over_heads(x, dt, A, B, C):
    # dt (b, l, h), A (h,)
    batch, L, H, P = x.shape
    a = dt * A
    a = a.transpose(1, 2)
    cum = torch.cumsum(a, dim=-1)
    diff = cum[:, :, :, None] - cum[:, :, None, :]
    i = torch.arange(L, device=x.device)
    W = torch.exp(diff).masked_fill(~(i[:, None] >= i[None, :]), 0.0)
    scores = torch.einsum("blhn,bshn->bhls", C, B)
    return torch.einsum("bhls,bshp->blhp", scores * W, x)


def by_powers_of_two(q, k, v, rates):
    # rates (h,): logarithms to base 2
    _, h, n, d = q.shape
    t = q.new_tensor(range(n), dtype=torch.float)
    t = torch.exp2((t.unsqueeze(-1) - t) * rates.view(-1, 1, 1)) * t.unsqueeze(-1).ge(t)
    scores = torch.einsum("bhqd,bhkd,hqk->bhqk", q * d**-0.5, k, t.to(q.dtype))
    return torch.einsum("bhqk,bhkd->bhqd", scores, v)


def by_halves(q, k, v, g):
    b, h, n, d = q.shape
    cs = g.cumsum(-1)
    w = torch.tril(0.5 ** (cs.unsqueeze(-2) - cs.unsqueeze(-1)))
    return (q @ k.mT * w) @ v


def names_bound_again(q, k, v, g):
    b, h, n, d = q.shape
    t = torch.arange(n)
    t = ((t[:, None] - t[None]) * g.view(1, h, 1, 1)).exp().tril()
    g = q @ k.mT
    g = g * t
    return g @ v


class Learned(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gamma = torch.nn.Parameter(torch.tensor(0.8))

    def forward(self, q, k, v):
        b, h, n, d = q.shape
        t = torch.arange(n)
        D = (self.gamma ** (t[:, None] - t[None, :]).clamp(min=0)).tril()
        return ((q @ k.transpose(-1, -2)) * D) @ v


class Retention(torch.nn.Module):
    def __init__(self, gamma):
        super().__init__()
        self.gamma = gamma
        self.W_Q = torch.nn.Parameter(torch.randn(4, 4) / 4)
        self.W_K = torch.nn.Parameter(torch.randn(4, 4) / 4)
        self.W_V = torch.nn.Parameter(torch.randn(4, 4) / 4)

    def forward(self, X):
        D = self._get_D(X.shape[1]).to(X.device)
        Q, K, V = X @ self.W_Q, X @ self.W_K, X @ self.W_V
        ret = (Q @ K.permute(0, 2, 1)) * D.unsqueeze(0)
        return ret @ V

    def _get_D(self, sequence_length):
        n = torch.arange(sequence_length).unsqueeze(1)
        m = torch.arange(sequence_length).unsqueeze(0)
        D = (self.gamma ** (n - m)) * (n >= m).float()
        D[D != D] = 0
        return D


def normal(rng, *shape):
    return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()


def falling(rng, *shape):
    return torch.tensor(-rng.random(shape) / 50).float().requires_grad_()


def cases(rng: np.random.Generator):
    for b, h, n, d in ((2, 3, 5, 4), (1, 2, 1100, 3), (1, 1, 1, 2)):
        qkv = tuple(normal(rng, b, h, n, d) for _ in range(3))
        for name in ("by_powers", "of_absolute_distances", "chosen"):
            yield name, (*qkv, 0.9), {}
        yield "by_rates_of_heads", (*qkv, falling(rng, h).neg().detach().requires_grad_()), {}
        yield "by_factors_of_heads", (*qkv, falling(rng, h).exp().detach().requires_grad_()), {}
        yield "of_steps_alone", (*qkv, falling(rng, b, h, n)), {}
        yield "by_halves", (*qkv, falling(rng, b, h, n)), {}
        for name in ("by_powers_of_two", "names_bound_again"):
            yield name, (*qkv, falling(rng, h)), {}
        yield "Learned()", qkv, {}
        yield "chosen", (*qkv, torch.tensor(rng.random((h, 1, 1))).float().requires_grad_()), {}
        yield "Retention(0.97)", (normal(rng, b, n, 4),), {}
        x, a = normal(rng, b, n, d), falling(rng, b, n)
        yield "by_segment_sums", (x, a, normal(rng, b, n, 3), normal(rng, b, n, 3)), {}
        x, dt = normal(rng, b, n, h, d), falling(rng, b, n, h)
        B, C = (normal(rng, b, n, h, 3) for _ in range(2))
        yield "over_heads", (x, dt, falling(rng, h).neg().detach().requires_grad_(), B, C), {}
