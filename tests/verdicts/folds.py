"""Folds that are spelled as calls: what they compute is a loop's."""

import operator
from functools import reduce

import torch


# associativity: holds proof "sum"
# symmetry: holds proof "permuting the steps"
# locality: holds
def sum_of_numbers(xs: list[float]):
    return reduce(lambda a, b: a + b, xs)


# associativity: holds proof "sum"
# symmetry: holds proof "permuting the steps"
# locality: holds
def sum_of_numbers__operator(xs: list[float]):
    return reduce(operator.add, xs)


# associativity: holds proof "sum"
# symmetry: holds proof "permuting the steps"
def sum_of_squares(xs: list[float]):
    return reduce(lambda acc, x: acc + x * x, xs, 0.0)


# associativity: holds proof "max"
def largest_of_tensors(ts: list[torch.Tensor]):
    return reduce(torch.maximum, ts)


# associativity: fails|unknown
def logistic(xs: list[float]):
    return reduce(lambda acc, x: x - acc * acc, xs, 0.0)


# associativity: fails|unknown
# symmetry: fails|unknown
def differences_of_roots(xs: list[float]):
    return reduce(lambda acc, x: abs(acc) ** 0.5 - x, xs)


# symmetry: fails|unknown
def alternating(xs: list[float]):
    return reduce(operator.sub, reversed(xs))
