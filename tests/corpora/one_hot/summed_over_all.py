# expect: SPA401 unsafe scope=loss
# expect: SPA401 unsafe scope=of_the_identity
# expect: SPA401 safe scope=of_tensors
import numpy as np
import torch
import torch.nn.functional as F


def loss(logp, y):
    n, k = logp.shape
    hot = np.zeros((n, k))
    hot[np.arange(n), y] = 1
    return -np.sum(hot * logp) / n


def of_the_identity(logp, y):
    k = logp.shape[1]
    return -(np.eye(k)[y] * logp).sum() / len(y)


def of_tensors(logits: torch.Tensor, y: torch.Tensor):
    n, k = logits.shape
    (n,) = y.shape
    logp = logits.log_softmax(-1)
    return -(F.one_hot(y, k) * logp).sum() / n


def cases(rng):
    for n in (5, 1):
        places = rng.integers(0, 3, n)
        yield "loss", (rng.normal(size=(n, 3)), places), {}
        yield "of_the_identity", (rng.normal(size=(n, 3)), places), {}
        yield "of_tensors", (torch.randn(n, 3, requires_grad=True), torch.tensor(places)), {}
