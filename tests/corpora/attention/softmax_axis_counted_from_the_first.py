# expect: ASC109 unsafe scope=attend
import torch


def attend(q, k, v):
    w = torch.softmax(q @ k.transpose(-2, -1) / 8**0.5, dim=1)
    return w @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "attend", (draw(2, 5, 8), draw(2, 6, 8), draw(2, 6, 8)), {}
    yield "attend", (draw(5, 8), draw(6, 8), draw(6, 8)), {}
