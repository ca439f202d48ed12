# refuse: what is zipped last may be a generator that the loop leaves off in the middle of
import torch


def weighted(losses: torch.Tensor, weights):
    loss = 0
    for one, weight in zip(losses, weights):
        loss = loss + weight * one
    return loss, next(weights, None)


def cases(rng):
    yield "lambda losses, xs: weighted(losses, iter(xs))", (torch.ones(3), [1.0, 2.0, 4.0, 5.0]), {}
