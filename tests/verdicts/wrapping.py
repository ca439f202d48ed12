"""Carried integers that wrap around, extremes that read themselves, calls that are no answers."""

import math

import numpy as np
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


# associativity: fails|unknown
def shorts_that_rise(xs):
    s = np.int16(0)
    for x in xs:
        s = max(s + x, x)
    return s


# associativity: fails|unknown
def bytes_among_numbers(xs):
    s = 0
    for x in xs:
        s = max(s + np.ubyte(x), 0)
    return s


# associativity: holds
def shorts_that_add_up(xs):
    s = np.short(0)
    for x in xs:
        s = s + x
    return s


# associativity: holds
def singles_that_rise(xs):
    s = np.single(0)
    for x in xs:
        s = max(s + x, x)
    return s
