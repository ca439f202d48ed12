# refuse: the iterate is multiplied by itself
import torch


def orthogonalize(G, steps=5, eps=1e-7):
    a, b = 1.5, -0.5
    X = G / (G.norm() + eps)
    for _ in range(steps):
        S = X @ X.mT
        X = a * X + b * S @ X
    return X


def cases(rng):
    G = torch.tensor(rng.standard_normal((4, 6)), dtype=torch.float32, requires_grad=True)
    yield "orthogonalize", (G,), {}
