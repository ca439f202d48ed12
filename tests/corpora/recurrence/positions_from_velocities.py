# expect: ASC101 safe scope=positions
# expect: ASC105 safe scope=walked

import torch
from torch import Tensor


def positions(pushes: Tensor, start: Tensor):
    speed = torch.zeros_like(start)
    place = start
    out = []
    for t in range(pushes.shape[1]):
        speed = 0.9 * speed + pushes[:, t]
        place = place - 0.1 * speed
        out.append(place)
    return torch.stack(out, 1)


def walked(steps: Tensor, start: Tensor):
    place = start
    out = []
    for t in range(steps.shape[1]):
        place = place + 0.5 * steps[:, t]
        out.append(place)
    return torch.stack(out, dim=1)


def cases(rng):
    def made(*shape):
        return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()

    for name in ("positions", "walked"):
        yield name, (made(3, 5, 4), made(3, 4)), {}
        yield name, (made(2, 3), made(2)), {}
        yield name, (made(3, 2, 4, 5), made(3, 4, 5)), {}
        yield name, (made(1, 1, 2), made(1, 2)), {}
