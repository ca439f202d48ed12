# expect: ASC106 safe scope=votes
import torch


def votes(counts: torch.Tensor):
    total = 0
    for count in counts:
        total += int(count)
    return total


def cases(rng):
    for n in (0, 1, 9):
        yield "votes", (torch.tensor(rng.integers(0, 200, n), dtype=torch.uint8),), {}
