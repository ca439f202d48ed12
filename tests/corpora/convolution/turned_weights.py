# expect: LOC303 safe scope=causal
# expect: LOC303 safe scope=crossed
# expect: LOC301 safe scope=rows
import torch
import torch.nn.functional as F


def causal(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor):
    b, n, d = x.shape
    d, k = weight.shape
    (d,) = bias.shape
    padded = F.pad(x, (0, 0, k - 1, 0))
    out = torch.zeros(b, n, d)
    for t in range(n):
        out[:, t] = (padded[:, t : t + k, :] * weight.t()).sum(dim=1) + bias
    return out


def crossed(x: torch.Tensor, weight: torch.Tensor):
    n, d = x.shape
    d, k = weight.shape
    out = torch.zeros(max(n - k + 1, 0), d)
    for t in range(n - k + 1):
        out[t] = (x[t : t + k] * weight.transpose(0, 1)).sum(dim=0)
    return out


def rows(x: torch.Tensor, weight: torch.Tensor):
    n, d = x.shape
    d, k = weight.shape
    out = torch.zeros(n, k)
    for i in range(n):
        out[i] = weight.t() @ x[i]
    return out


def cases(rng):
    def t(*shape):
        return torch.tensor(rng.normal(size=shape), dtype=torch.float32, requires_grad=True)

    yield "causal", (t(2, 7, 3), t(3, 4), t(3)), {}
    yield "causal", (t(1, 1, 2), t(2, 1), t(2)), {}
    yield "crossed", (t(7, 3), t(3, 4)), {}
    yield "rows", (t(5, 3), t(3, 4)), {}
