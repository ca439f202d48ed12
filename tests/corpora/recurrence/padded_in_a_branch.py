# expect: ASC101 safe scope=whole_blocks
# expect: ASC101 safe scope=without_first
# expect: ASC101 safe scope=joined
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


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)
    for steps in (1, 2, 5, 8):
        yield "whole_blocks", (draw(2, steps, 3), 4), {}
        for flag in (False, True):
            yield "without_first", (draw(2, steps + 1, 3), flag), {}
            yield "joined", (draw(2, steps + 1, 3), draw(2, 2, 3), flag), {}
