# expect: ASC109 safe scope=causal
import torch


def causal(q, k, v):
    T = q.shape[-2]
    logits = q @ k.mT * q.shape[-1] ** -0.5
    allowed = torch.tril(torch.ones(T, T, dtype=torch.bool, device=q.device))
    logits = torch.where(allowed, logits, torch.tensor(float("-inf"), device=q.device))
    return torch.softmax(logits, -1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for T in (1, 12):
        yield "causal", (draw(2, 2, T, 4), draw(2, 2, T, 4), draw(2, 2, T, 4)), {}
