"""Sizes at which the code that a kernel replaces was measured to be faster on a CPU: there it runs,
and a little above the kernel does."""

from __future__ import annotations

import importlib

import pytest
import torch
from torch import nn

from auditor import kernels


def module(name):
    return importlib.import_module(f"auditor.kernels.{name}")


def normal(*shape, gradient=False):
    return torch.randn(shape, requires_grad=gradient)


def products(lead, length, width=4):
    return lambda: kernels.causal_product(*(normal(*lead, length, width) for _ in range(3)))


def distances(rows, width):
    return lambda: kernels.squared_distances(normal(rows, 1, width), normal(rows, width))


def gathered(rows, k, n, d, gradient=False):
    places = torch.arange(k).expand(rows, k)
    values = normal(n, d, gradient=gradient)
    return lambda: kernels.gather_matmul(torch.rand(rows, k), places, values)


def filtered(channels, side, taps):
    return lambda: kernels.separable_conv2d(
        normal(1, channels, side, side), normal(taps), normal(taps)
    )


def attracted(count, axes):
    return lambda: kernels.nbody(normal(count, axes), torch.rand(count))


def routed(count, slots):
    experts = [nn.Identity()] * count
    return lambda: kernels.routed_experts(
        experts, normal(9, 4), torch.zeros(9, slots, dtype=torch.int64), torch.rand(9, slots)
    )


def attended(length, decays):
    rows = [normal(1, length, 2, 8) for _ in range(3)]
    return lambda: kernels.linear_attention(*rows, -torch.rand(1, length, 2, decays))


CASES = [
    ("linear_attention", attended(12, 1), attended(16, 1)),
    ("linear_attention", attended(32, 8), attended(48, 8)),
    ("causal_product", products((), 300), products((), 1100)),
    ("causal_product", products((8,), 300), products((8,), 500)),
    ("squared_distances", distances(1200, 1), distances(700, 3)),
    ("squared_distances", distances(300, 3), distances(300, 64)),
    ("gather_matmul", gathered(64, 4, 512, 8), gathered(64, 4, 512, 256)),
    ("gather_matmul", gathered(500, 4, 512, 64, True), gathered(500, 1, 512, 64, True)),
    ("separable_conv2d", filtered(3, 32, 11), filtered(3, 64, 11)),
    ("nbody", attracted(100, 4), attracted(200, 4)),
    ("routed_experts", routed(4, 3), routed(4, 2)),
]


@pytest.mark.parametrize("name, below, above", CASES)
def test_the_reference_runs_below_the_guard_alone(name, below, above, monkeypatch):
    ran = []
    plain = module(name).reference
    monkeypatch.setattr(
        module(name), "reference", lambda *given, **more: ran.append(name) or plain(*given, **more)
    )
    below()
    assert ran == [name]
    above()
    assert ran == [name]


@pytest.mark.parametrize("length, width, combines", [(40, 3, 39), (100, 1000, 99), (100, 3, 12)])
def test_a_tree_folds_what_is_long_and_narrow(length, width, combines):
    calls = []

    def add(first, second):
        calls.append(1)
        return first + second

    kernels.reduce(add, torch.rand(length, width), dim=0)
    assert len(calls) <= combines and (combines < 20 or len(calls) == combines)
