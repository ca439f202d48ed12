# expect: LOC303 safe scope=corr_t
import torch


def corr_t(x: torch.Tensor, w: torch.Tensor):
    n, k = x.shape[0], w.shape[0]
    out = torch.zeros(max(n - k + 1, 0))
    for i in range(n - k + 1):
        s = 0.0
        for j in range(k):
            s = s + x[i + j] * w[j]
        out[i] = s
    return out


def cases(rng):
    yield (
        "corr_t",
        (
            torch.from_numpy(rng.random(9)).float().requires_grad_(),
            torch.from_numpy(rng.random(3)).float().requires_grad_(),
        ),
        {},
    )
