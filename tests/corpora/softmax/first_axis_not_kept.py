# expect: ASC107 safe scope=columns
# expect: ASC107 safe scope=known
# expect: ASC107 safe scope=of_tensor
# expect: ASC107 safe scope=evidence
import numpy as np
import torch
from scipy.special import softmax


def columns(scores: torch.Tensor) -> np.ndarray:
    table = scores.numpy()
    table = table - table.max(axis=0)
    weights = np.exp(table)
    return softmax(weights / weights.sum(axis=0), axis=-1)


def known(logits: np.ndarray) -> np.ndarray:
    weights = np.exp(logits - np.max(logits, axis=0))
    return weights / np.sum(weights, axis=0)


def of_tensor(logits: torch.Tensor) -> torch.Tensor:
    shifted = logits - logits.max(0).values
    return shifted.exp() / shifted.exp().sum(0)


def evidence(logits: torch.Tensor) -> torch.Tensor:
    top = logits.amax(dim=0)
    return top + torch.log(torch.exp(logits - top).sum(dim=0))


def cases(rng):
    for shape in ((1,), (7,), (3, 1), (5, 3), (2, 4, 3), (4, 4)):
        yield "columns", (torch.from_numpy(rng.normal(size=shape)),), {}
        yield "known", (rng.normal(size=shape),), {}
        yield "of_tensor", (torch.from_numpy(rng.normal(size=shape)).requires_grad_(),), {}
        yield "evidence", (torch.from_numpy(rng.normal(size=shape)).requires_grad_(),), {}
