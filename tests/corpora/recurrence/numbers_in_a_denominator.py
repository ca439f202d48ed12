# may: ASC101 safe|unsafe|advice scope=scaled
"""The count of the steps multiplies an array inside of a root."""

import torch


def scaled(grads, beta=0.9):
    v = torch.zeros_like(grads[0])
    updates = []
    for step, g in enumerate(grads, start=1):
        u = beta * v + g * g
        v = u - g
        updates.append(g / (torch.sqrt(u * u * step) + 1e-8))
    return torch.stack(updates)


def cases(rng):
    for shape in ((3, 3), (1, 3), (4, 2)):
        yield "scaled", (torch.tensor(rng.standard_normal(shape)),), {}
