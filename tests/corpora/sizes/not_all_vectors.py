# refuse: SEP207 no vector is left out
import torch
from torch import nn


def compress(weight, rank):
    u, s, vh = torch.linalg.svd(weight, full_matrices=False)
    layer = nn.Linear(weight.shape[1], weight.shape[0], dtype=weight.dtype)
    layer.weight.data = (u[:, :] * s[:]) @ vh[:]
    return layer.weight


def cases(rng):
    yield "compress", (torch.tensor(rng.standard_normal((6, 5))), 2), {}
