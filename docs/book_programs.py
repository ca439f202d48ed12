"""The programs that docs/book.md has verdicts for and that are not in examples/."""

import math

import numpy as np
import torch
from torch import Tensor


def total(x: Tensor) -> Tensor:
    return x.sum(dim=-1)


def mean(x: Tensor) -> Tensor:
    return x.mean(dim=-1)


def variance(x: Tensor) -> Tensor:
    deviation = x - x.mean(dim=-1, keepdim=True)
    return (deviation**2).mean(dim=-1)


def softmax(x: Tensor) -> Tensor:
    weights = torch.exp(x - x.amax(dim=-1, keepdim=True))
    return weights / weights.sum(dim=-1, keepdim=True)


def maximum(x: Tensor) -> Tensor:
    return x.amax(dim=-1)


def median(x: Tensor) -> Tensor:
    return torch.sort(x, dim=-1).values[..., x.shape[-1] // 2]


def running_softmax(scores: list[float]) -> tuple[float, float]:
    largest, weight = -math.inf, 0.0
    for x in scores:
        higher = max(largest, x)
        weight = weight * math.exp(largest - higher) + math.exp(x - higher)
        largest = higher
    return largest, weight


def largest_of_chunks(scores: Tensor) -> Tensor:
    best = torch.full((10,), -torch.inf)
    for chunk in scores.split(1000):
        best = torch.cat([best, chunk]).topk(10).values
    return best


def pairwise_forces(position: np.ndarray, mass: np.ndarray, eps: float = 1e-3) -> np.ndarray:
    r = position[None, :, :] - position[:, None, :]
    d = np.sqrt((r * r).sum(axis=-1))
    return (mass[None, :, None] * r / (d[:, :, None] ** 3 + eps)).sum(axis=1)
