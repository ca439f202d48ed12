# expect: ASC106 safe scope=votes
# expect: ASC106 safe scope=doubled
# expect: ASC106 safe scope=shifted
# may: ASC106 safe scope=either
# may: ASC106 safe scope=cells
import torch


def votes(counts: torch.Tensor):
    total = 0
    for count in -counts:
        total += int(count)
    return total


def doubled(losses: torch.Tensor):
    total = 0.0
    for loss in 2 * losses:
        total += loss.item()
    return total


def shifted(losses: torch.Tensor):
    worst = -1e9
    for loss in losses**2 + 1:
        worst = max(worst, float(loss))
    return worst


def either(losses: torch.Tensor, weights: torch.Tensor, weighted: bool):
    total = 0.0
    for loss in weights if weighted else losses:
        total += loss.item()
    return total


def cells(losses: torch.Tensor, n: int):
    total = 0.0
    for i in range(n):
        total += (losses + 1)[i].item()
    return total


def cases(rng):
    for n in (1, 2, 9):
        x = torch.tensor(rng.standard_normal(n) * 9)
        yield "votes", (x,), {}
        yield "votes", (x.long(),), {}
        yield "doubled", (x,), {}
        yield "shifted", (x,), {}
        yield "either", (x, x * 3, False), {}
        yield "either", (x, x * 3, True), {}
        yield "cells", (x, n), {}
