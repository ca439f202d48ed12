# expect: ASC101 safe scope=whole_blocks
# expect: ASC101 safe scope=without_first
# expect: ASC101 safe scope=joined
# expect: ASC101 safe scope=first_steps
# expect: ASC101 safe scope=paired
# expect: ASC106 safe scope=first_total
import torch
import torch.nn.functional as F


def whole_blocks(x: torch.Tensor, block: int):
    batch, steps, width = x.shape
    missing = (block - steps % block) % block
    if missing > 0:
        x = F.pad(x, (0, 0, 0, missing))
    longer = x.shape[1]
    h, out = torch.zeros(batch, width), torch.zeros_like(x)
    for t in range(longer // 2):
        h = 0.5 * h + x[:, t]
        out[:, t] = h
    return out


def without_first(x: torch.Tensor, drop: bool):
    batch, steps, width = x.shape
    if drop:
        x = x[:, 1:]
    h, out = torch.zeros(batch, width), torch.zeros_like(x)
    for t in range(x.shape[1]):
        h = 0.5 * h + x[:, t]
        out[:, t] = h
    return out


def joined(x: torch.Tensor, y: torch.Tensor, both: bool):
    batch, steps, width = x.shape
    if both:
        x = torch.cat((x, y), 1)
    longer = x.shape[1]
    h, out = torch.zeros(batch, width), torch.zeros_like(x)
    for t in range(longer - 1):
        h = 0.5 * h + x[:, t]
        out[:, t] = h
    return out


def first_steps(x: torch.Tensor, n: int, cut: bool):
    batch, steps, width = x.shape
    if cut:
        x = x[:, :n]
    h, out = torch.zeros(batch, width), torch.zeros(batch, steps, width)
    for t in range(n):
        h = 0.5 * h + x[:, t]
        out[:, t] = h
    return out


def paired(x: torch.Tensor, pairs: bool):
    batch, steps, width = x.shape
    if pairs:
        x = x.view(batch, steps // 2, 2 * width)
    h, out = torch.zeros(batch, x.shape[2]), []
    for t in range(steps // 2):
        h = 0.5 * h + x[:, t]
        out.append(h)
    return torch.stack(out, 1)


def first_total(x: torch.Tensor, n: int, cut: bool):
    if cut:
        x = x[:n]
    total = torch.zeros(())
    for t in range(n):
        total = total + x[t]
    return total


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)
    for steps in (1, 2, 5, 8):
        yield "whole_blocks", (draw(2, steps, 3), 4), {}
        for flag in (False, True):
            yield "first_steps", (draw(2, steps + 1, 3), steps, flag), {}
            yield "paired", (draw(2, 2 * steps, 3), flag), {}
            yield "first_total", (draw(steps + 1), steps, flag), {}
            yield "without_first", (draw(2, steps + 1, 3), flag), {}
            yield "joined", (draw(2, steps + 1, 3), draw(2, 2, 3), flag), {}
