# expect: ASC109 safe scope=attend
import torch


def attend(q, k, v, scale):
    s = torch.matmul(q, k.transpose(-1, -2)) * scale
    s = s - s.amax(dim=-1, keepdim=True)
    p = torch.exp(s)
    p = p / p.sum(dim=-1, keepdim=True)
    return torch.matmul(p, v)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    yield "attend", (draw(2, 2, 9, 4), draw(2, 2, 8, 4), draw(2, 2, 8, 4), 0.3), {}
