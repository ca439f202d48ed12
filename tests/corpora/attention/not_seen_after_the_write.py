# refuse: the scores are returned as well
import torch


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, d = q.shape
    s = q @ k.transpose(-2, -1) / d**0.5
    causal = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
    s[..., causal] = float("-inf")
    return torch.softmax(s, -1) @ v, s


def cases(rng):
    made = lambda *s: torch.tensor(rng.standard_normal(s), requires_grad=True)
    yield "attend", (made(2, 5, 4), made(2, 5, 4), made(2, 5, 4)), {}
