# expect: SPA401 advice scope=smoothed
# expect: SPA401 advice scope=shared_out
# expect: SPA401 advice scope=of_arrays
import numpy as np
import torch
import torch.nn.functional as F


def smoothed(logits, target, eps):
    n = logits.size(-1)
    hot = F.one_hot(target, n).to(logits.dtype)
    soft = hot * (1 - eps) + eps / n
    return -(soft * F.log_softmax(logits, dim=-1)).sum(-1).mean()


def shared_out(logits, target):
    """logits: (N, C), target: (N,)"""
    n = logits.shape[1]
    hot = F.one_hot(target, n).float()
    soft = 0.9 * hot + (1 - hot) * 0.1 / (n - 1)
    return torch.sum(-soft * F.log_softmax(logits, dim=1), dim=1)


def of_arrays(logp: np.ndarray, labels):
    k = logp.shape[1]
    soft = np.eye(k)[labels] * 0.9 + 0.1 / k
    return -np.sum(soft * logp, axis=1)


def cases(rng):
    labels = rng.integers(0, 4, 3)
    logits = torch.tensor(rng.standard_normal((3, 4)), requires_grad=True)
    yield "smoothed", (logits, torch.tensor(labels), 0.1), {}
    yield "shared_out", (logits, torch.tensor(labels)), {}
    yield "of_arrays", (rng.standard_normal((3, 4)), labels), {}
