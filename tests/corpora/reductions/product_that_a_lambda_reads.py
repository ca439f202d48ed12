# expect: ASC106 safe scope=blocks
import torch


def mapped(function, part):
    return function(part)


def blocks(shape: list[int], x: torch.Tensor, width: int):
    size = 1
    for extent in shape:
        size *= extent
    out = None
    for place in range(0, size, width):
        part = x[place : place + width]
        if out is None:
            out = mapped(lambda t: t.new_zeros((size,) + t.shape[1:]), part)
        out[place : place + width] += part
    return out


def cases(rng):
    yield "blocks", ([2, 3], torch.tensor(rng.standard_normal((6, 2))), 2), {}
    yield "blocks", ([4], torch.tensor(rng.standard_normal((4, 2))), 3), {}
