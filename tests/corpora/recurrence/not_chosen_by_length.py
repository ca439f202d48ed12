# refuse: ASC101 what is carried has a length of its own, which the choice asks for
import torch


def longest(tensors):
    best = tensors[0]
    for w in tensors:
        if w.shape[0] > best.shape[0]:
            best = w
    return best


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "longest", ([R(2), R(4), R(3), R(4)],), {}
    yield "longest", ([R(1)],), {}
