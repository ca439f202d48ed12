# may: ASC105 safe|unsafe|advice scope=products
# may: ASC105 safe|unsafe|advice scope=sums
# may: ASC105 safe|unsafe|advice scope=largest
# may: ASC101 safe|unsafe|advice scope=averaged
"""Each step meets a number, or a row: the state has an axis of its own from the start."""

import torch


def products(gates, width: int):
    h = torch.ones(width)
    out = []
    for gate in gates:
        h = gate * h
        out.append(h)
    return torch.stack(out)


def sums(steps, width: int):
    h = torch.zeros(width)
    out = []
    for step in steps:
        h = h + step
        out.append(h)
    return torch.stack(out)


def largest(steps, width: int):
    h = torch.zeros(width)
    out = []
    for step in steps:
        h = torch.maximum(h, step)
        out.append(h)
    return torch.stack(out)


def averaged(steps: torch.Tensor, width: int):
    h = torch.ones(width)
    out = []
    for t in range(len(steps)):
        h = 0.5 * h + steps[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32)

    for steps in (draw(4), draw(3), draw(4, 3), draw(2, 1), list(draw(3).unbind())):
        for name in ("products", "sums", "largest"):
            yield name, (steps, 3), {}
    for steps in (draw(4), draw(3), draw(4, 3)):
        yield "averaged", (steps, 3), {}
    yield "products", ([0.5, 0.2, 0.9], 3), {}
    yield "sums", ([0.5, 0.2], 3), {}
