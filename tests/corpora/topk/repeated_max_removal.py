# expect: ASC110 safe scope=peel
import torch


def peel(scores):
    """Takes the maximum four times, hiding it after each."""
    scores = scores.clone()
    picked = []
    for _ in range(4):
        value, index = scores.max(dim=0)
        picked.append(value)
        scores[index] = float("-inf")
    return torch.stack(picked)


def cases(rng):
    for n in (4, 5, 70):
        yield "peel", (torch.tensor(rng.permutation(n), dtype=torch.float32),), {}
