"""Carried integers that wrap around, extremes that read themselves, calls that are no answers."""

import math

import torch


# associativity: fails|unknown
def bytes_that_rise(x: torch.Tensor):
    s = torch.zeros((), dtype=torch.uint8)
    for t in range(x.shape[0]):
        s = torch.maximum(s + x[t], x[t])
    return s


# associativity: holds
def floats_that_rise(x: torch.Tensor):
    s = torch.zeros((), dtype=torch.float32)
    for t in range(x.shape[0]):
        s = torch.maximum(s + x[t], x[t])
    return s


# associativity: holds
def bytes_that_add_up(x: torch.Tensor):
    s = torch.zeros((), dtype=torch.uint8)
    for t in range(x.shape[0]):
        s = s + x[t]
    return s


# associativity: fails|unknown
def largest_of_two_that_read_it(xs):
    s = 0
    for x in xs:
        s = max(s, 2 * s + x, 3 * s - x)
    return s


# associativity: fails|unknown
def largest_of_what_it_scales(x: torch.Tensor):
    s = torch.zeros(())
    for t in range(x.shape[0]):
        s = torch.maximum(s, torch.abs(s * x[t] + x[t]))
    return s


# associativity: fails|unknown
def whole_root(xs):
    s = 0
    for x in xs:
        s = math.isqrt(s + abs(x))
    return s
