# expect: LOC301 unsafe scope=mahalanobis
# expect: LOC301 unsafe scope=forward
import numpy as np
import torch


def mahalanobis(differences, precisions):
    return np.array([d @ p @ d for d, p in zip(differences, precisions)])


def forward(matrices, others):
    out = []
    for a, b in zip(matrices, others):
        out.append(torch.mm(a, b))
    return torch.stack(out)


def cases(rng):
    yield "mahalanobis", (rng.normal(size=(5, 3)), rng.normal(size=(5, 3, 3))), {}
    yield "forward", (torch.randn(4, 2, 3), torch.randn(4, 3, 2)), {}
