# refuse: the weights are of the scores before the write
import torch


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, d = q.shape
    s = q @ k.transpose(-2, -1) / d**0.5
    causal = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
    weights = torch.softmax(s, -1)
    s[..., causal] = -1e9
    return weights @ v + s.sum()


def cases(rng):
    made = lambda *s: torch.tensor(rng.standard_normal(s), requires_grad=True)
    yield "attend", (made(2, 5, 4), made(2, 5, 4), made(2, 5, 4)), {}
