# expect: ASC101 safe scope=both
# expect: ASC101 safe scope=one_above_the_other
# expect: ASC101 safe scope=with_the_input
# expect: ASC101 safe scope=projected
# expect: ASC101 safe scope=turned
# expect: ASC101 safe scope=moved_along
# expect: ASC104 safe scope=rotated
# expect: ASC101 safe scope=Read.forward
import torch
from torch import nn


def both(x: torch.Tensor, u: torch.Tensor, a: float):
    steps, width = x.shape
    steps, width = u.shape
    h, g = torch.zeros(width), torch.zeros(width)
    seen = []
    for t in range(steps):
        h = a * h + x[t]
        g = a * g + u[t]
        seen.append(torch.cat([h, g], dim=-1))
    return torch.stack(seen)


def one_above_the_other(x: torch.Tensor, u: torch.Tensor, a: float):
    steps, width = x.shape
    steps, width = u.shape
    h, g = torch.zeros(width), torch.zeros(width)
    seen = []
    for t in range(steps):
        h = a * h + x[t]
        g = a * g + u[t]
        seen.append(torch.stack([h, g]))
    return torch.stack(seen)


def with_the_input(x: torch.Tensor, a: float):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for t in range(steps):
        h = a * h + x[:, t]
        seen.append(torch.cat((x[:, t], h, h[:, :1]), dim=1))
    return torch.stack(seen, dim=1)


def projected(x: torch.Tensor, w: torch.Tensor, a: float):
    steps, width = x.shape
    twice, out = w.shape
    h = torch.zeros(width)
    seen = []
    for t in range(steps):
        h = a * h + x[t]
        seen.append(torch.cat([h, x[t]]) @ w)
    return torch.stack(seen)


def turned(x: torch.Tensor, a: float):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for t in range(steps):
        left, right = x[:, t].chunk(2, dim=-1)
        h = a * h + torch.cat((-right, left), dim=-1)
        seen.append(h)
    return torch.stack(seen, dim=1)


def moved_along(x: torch.Tensor, a: float):
    steps, width = x.shape
    h = torch.zeros(width)
    seen = []
    for t in range(steps):
        h = a * h + torch.cat([x[t][1:], x[t][:1]])
        seen.append(h)
    return torch.stack(seen)


def rotated(x: torch.Tensor, y: torch.Tensor, c: float, s: float):
    steps, width = x.shape
    steps, width = y.shape
    re, im = torch.zeros(width), torch.zeros(width)
    seen = []
    for t in range(steps):
        re, im = c * re - s * im + x[t], s * re + c * im + y[t]
        seen.append(torch.stack((re, im), dim=-1))
    return torch.stack(seen)


class Read(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.keep = nn.Parameter(torch.rand(width))
        self.out = nn.Linear(2 * width, width)

    def forward(self, x):
        batch, steps, width = x.shape
        h = torch.zeros(batch, width)
        seen = []
        for t in range(steps):
            h = self.keep * h + x[:, t]
            seen.append(self.out(torch.cat([h, x[:, t]], dim=-1)))
        return torch.stack(seen, dim=1)


def cases(rng):
    def of(*shape):
        return torch.tensor(rng.random(shape), dtype=torch.float32, requires_grad=True)

    for steps in (1, 5):
        for name in ("both", "one_above_the_other"):
            yield name, (of(steps, 3), of(steps, 3), 0.9), {}
        yield "rotated", (of(steps, 3), of(steps, 3), 0.9, 0.3), {}
        yield "projected", (of(steps, 3), of(6, 2), 0.9), {}
        yield "moved_along", (of(steps, 4), 0.9), {}
        for name in ("turned", "with_the_input"):
            yield name, (of(2, steps, 4), 0.9), {}
        yield "Read(3)", (of(2, steps, 3),), {}
