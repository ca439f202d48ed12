# refuse: ASC110 the whole order is used below
import torch


def top_and_median(x):
    ranked = x.sort(descending=True).values
    return ranked[:5], ranked[len(ranked) // 2]


def cases(rng):
    yield "top_and_median", (torch.tensor(rng.permutation(31), dtype=torch.float32),), {}
