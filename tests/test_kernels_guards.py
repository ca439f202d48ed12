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


def attended(length, decays, heads=2, channels=8, gradient=False):
    rows = [normal(1, length, heads, channels, gradient=gradient) for _ in range(3)]
    return lambda: kernels.linear_attention(*rows, -torch.rand(1, length, heads, decays))


def best_of(length):
    return lambda: kernels.streaming_topk(torch.arange(2.0 * length).view(2, -1), 3)


def varied(rows):
    return lambda: kernels.welford(normal(rows, 65000), 1)


def corrected(heads, channels):
    rows = [normal(1, 40, heads, channels) / 8 for _ in range(3)]
    return lambda: kernels.delta_rule(*rows, 0.5)


def convolved(taps):
    return lambda: kernels.fft_conv(normal(3, 100), normal(taps))


def quantised(inputs, outputs):
    weight = kernels.quantise_int8(normal(outputs, inputs))
    return lambda: kernels.linear_int8(normal(1, inputs), *weight)


CASES = [
    ("linear_attention", attended(12, 1), attended(16, 1)),
    ("linear_attention", attended(32, 8), attended(48, 8)),
    ("linear_attention", attended(64, 1, 129, 12), attended(64, 1, 128, 12)),
    ("linear_attention", attended(64, 1, 129, 8, True), attended(64, 1, 129, 12, True)),
    ("linear_attention", attended(64, 8, 65), attended(64, 8, 64)),
    ("delta_rule", corrected(97, 12), corrected(96, 12)),
    ("delta_rule", corrected(97, 12), corrected(97, 13)),
    ("fft_conv", convolved(8), convolved(9)),
    ("welford", varied(4), varied(5)),
    ("linear_int8", quantised(1024, 1024), quantised(1025, 1024)),
    ("streaming_topk", best_of(32), best_of(33)),
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


def repeated(length, width, gradient):
    a = torch.rand(length, width, requires_grad=gradient)
    calls = []

    def times(first, second):
        calls.append(1)
        return first * second

    kernels.associative_scan(times, a, dim=0)
    return len(calls)


def test_the_loop_trains_on_wider_rows_than_it_runs():
    """The loop has a call a step; a scan in chunks fewer."""
    assert repeated(300, 600, gradient=True) >= 299
    assert repeated(300, 500, gradient=True) < 100


@pytest.mark.parametrize("gradient", [False, True])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_many_short_rows_take_three_passes(dim, gradient, dtype, monkeypatch):
    monkeypatch.setattr(torch, "softmax", None)
    x = torch.randn(300, 2, dtype=dtype) * 30
    x[0, 0] = -torch.inf
    one, two = (x.clone().requires_grad_(gradient) for _ in range(2))
    found, expected = kernels.online_softmax(one, dim), module("online_softmax").reference(two, dim)
    torch.testing.assert_close(found, expected)
    if gradient:
        weights = torch.randn_like(found)
        grads = [torch.autograd.grad(y, z, weights) for y, z in ((found, one), (expected, two))]
        torch.testing.assert_close(*grads)


@pytest.mark.parametrize("size", [(1, 1), (4, 7), (40, 15), (40, 16)])
def test_other_rows_are_those_of_torch(size, monkeypatch):
    ran = []
    plain = torch.softmax
    monkeypatch.setattr(torch, "softmax", lambda *given: ran.append(1) or plain(*given))
    kernels.online_softmax(torch.randn(size), -1)
    assert bool(ran) is (size != (40, 15))
