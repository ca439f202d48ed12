"""The ten best of many: sort everything and keep ten, of a tensor and of a list."""

import random

import torch
from torch import Tensor


def best_matches(similarity: Tensor) -> Tensor:
    """The ten highest similarities of each query, highest first; (queries, documents)."""
    ranked, _ = torch.sort(similarity, dim=-1, descending=True)
    return ranked[:, :10]


def leaderboard(scores: list[float]) -> list[float]:
    return sorted(scores, reverse=True)[:10]


def best_matches_inputs(queries=64, documents=50_000):
    torch.manual_seed(0)
    return (torch.randn(queries, documents),)


def leaderboard_inputs(n=200_000):
    draw = random.Random(0)
    return ([draw.random() for _ in range(n)],)


if __name__ == "__main__":
    print(tuple(best_matches(*best_matches_inputs()).shape))
