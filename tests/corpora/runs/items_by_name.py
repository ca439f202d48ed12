# expect: ASC109 safe scope=temperatures
# expect: ASC101 safe scope=averages
# expect: ASC101 safe scope=returns
# expect: ASC109 safe scope=scaled
# expect: ASC109 safe scope=kept_scales
# expect: ASC109 safe scope=Scales.forward
# expect: ASC109 safe scope=by_blocks
# expect: SPA404 safe scope=triangles
import math

import torch
import torch.nn.functional as F


def temperatures(q, k, v):
    outs = []
    for t in (1.0, 2.0):
        s = q @ k.mT / t
        outs.append(s.softmax(-1) @ v)
    return outs


def averages(x: torch.Tensor):
    out = {}
    for name, a in (("slow", 0.9), ("fast", 0.1)):
        h = x[0]
        for t in range(1, len(x)):
            h = a * h + (1 - a) * x[t]
        out[name] = h
    return out


def returns(rewards: torch.Tensor):
    found = []
    for gamma in [0.9, 0.99, 0.5]:
        g = torch.zeros_like(rewards[0])
        for t in range(len(rewards) - 1, -1, -1):
            g = rewards[t] + gamma * g
        found.append(g)
    return torch.stack(found)


def scaled(q, k, v):
    return [F.softmax(q @ k.mT * i, -1) @ v for i in (1, 2)]


def kept_scales(q, k, v):
    scales = [1.0, 2.0]
    return [torch.softmax(q @ k.mT * s, -1) @ v for s in scales]


class Scales(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = [1.0, math.pi]

    def forward(self, q, k, v):
        return [F.softmax(q @ k.mT * s, -1) @ v for s in self.scales]


def triangles(q, k, v):
    return [torch.tril(q @ x.T) @ v for x in (k, 2 * k)]


def by_blocks(q, k, v, size: int):
    root = math.sqrt(q.shape[-1])
    return torch.cat([(part @ k.mT / root).softmax(-1) @ v for part in q.split(size, 1)], 1)


def cases(rng):
    draw = lambda *shape: torch.tensor(rng.normal(size=shape), dtype=torch.float32).requires_grad_()
    yield "temperatures", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 3)), {}
    yield "averages", (draw(9, 3),), {}
    yield "averages", (draw(2, 3),), {}
    yield "returns", (draw(7, 2),), {}
    for name in ("scaled", "kept_scales", "Scales()"):
        yield name, (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 3)), {}
    yield "by_blocks", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 3), 2), {}
    yield "triangles", (draw(5, 4), draw(5, 4), draw(5, 3)), {}
