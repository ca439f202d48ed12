# refuse: ASC110 every second element of the order
import torch


def alternating_draft(strength):
    order = strength.argsort(descending=True)
    return order[0::2], order[1::2]


def cases(rng):
    yield "alternating_draft", (torch.tensor(rng.permutation(20), dtype=torch.float32),), {}
