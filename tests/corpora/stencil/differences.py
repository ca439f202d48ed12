# expect: LOC302 safe scope=diff_t
import torch


def diff_t(x):
    d = torch.zeros(max(x.shape[0] - 1, 0))
    for i in range(x.shape[0] - 1):
        d[i] = x[i + 1] - x[i]
    return d


def cases(rng):
    yield "diff_t", (torch.from_numpy(rng.random(9)).float().requires_grad_(),), {}
