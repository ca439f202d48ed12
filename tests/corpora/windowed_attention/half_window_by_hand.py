# expect: LOC304 safe scope=local
import torch


def local(q, k, v, window: int = 7):
    half = window // 2
    at = torch.arange(q.shape[-2])
    far = torch.abs(at.unsqueeze(1) - at.unsqueeze(0)) > half
    s = q @ k.transpose(-1, -2)
    s = s.masked_fill(far, float("-inf"))
    s = s - s.amax(dim=-1, keepdim=True)
    w = s.exp()
    return (w / w.sum(dim=-1, keepdim=True)) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for n in (1, 2, 9, 150):
        yield "local", (draw(2, 2, n, 4), draw(2, 2, n, 4), draw(2, 2, n, 6)), {}
