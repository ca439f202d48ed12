"""Softmax from its definition, and the version that does not overflow.

A language model turns the scores of its vocabulary into probabilities: exponentials divided by
their sum. Subtracting the largest score first changes nothing but the range of the numbers.
"""

import torch
from torch import Tensor


def naive_softmax(scores: Tensor) -> Tensor:
    weights = torch.exp(scores)
    return weights / weights.sum(dim=-1, keepdim=True)


def stable_softmax(scores: Tensor) -> Tensor:
    largest = scores.max(dim=-1, keepdim=True).values
    weights = torch.exp(scores - largest)
    return weights / weights.sum(dim=-1, keepdim=True)


def naive_softmax_inputs(rows=512, vocabulary=32000):
    torch.manual_seed(0)
    return (torch.randn(rows, vocabulary),)


def stable_softmax_inputs():
    return naive_softmax_inputs()


if __name__ == "__main__":
    (scores,) = naive_softmax_inputs()
    difference = naive_softmax(scores) - stable_softmax(scores)
    print(tuple(scores.shape), f"{difference.abs().max():.1e}")
