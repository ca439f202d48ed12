"""Scans of what overflows, on a CPU: finite, infinite and NaN where the loop is, and its gradients
likewise, though products of gates are not. tests/kernels_on_triton.py asks that of a GPU."""

from __future__ import annotations

import importlib

import pytest
import torch

from auditor import kernels

linear = importlib.import_module("auditor.kernels.linear_scan")
selective = importlib.import_module("auditor.kernels.selective_scan")
native = importlib.import_module("auditor.kernels.native")

INF, NAN = float("inf"), float("nan")
GATES = {
    "large, and zero": [1e30, 1e30, 0.0, 0.5],
    "growing": [4.0, -64.0, 1.0],
    "halving": [0.5, 0.25],
    "tiny": [1e-30, 0.5],
    "no numbers": [0.5, 0.0, 1.0, 0.5, 0.5, NAN],
    "infinite": [0.5, 0.0, 1.0, INF, -INF],
}
EXPONENTS = {
    "large, and zero": [80.0, 80.0, -INF],
    "growing": [2.0, 1.5, 3.0],
    "decaying": [-1.0, -50.0, -0.1],
    "infinite": [INF, -INF, 0.0, -1.0],
    "no numbers": [NAN, -INF, 0.0],
}
STARTS = {
    "small": [1e-30, 0.0, -1e-35],
    "large": [1.0, 1e10, 0.0],
    "one that is infinite": [0.0] * 9 + [INF],
    "one that is none": [0.0] * 9 + [NAN],
}


@pytest.fixture(params=["in C", "in torch"], autouse=True)
def path(request, monkeypatch):
    torch.manual_seed(1)
    if request.param == "in torch":
        monkeypatch.setattr(native, "LIBRARY", None)
    elif native.LIBRARY is None:
        pytest.skip("the kernels in C are not built")


def drawn(values, shape):
    return torch.tensor(values)[torch.randint(len(values), shape)].requires_grad_()


def are_the_loops(kernel, reference, operands):
    expected, found = reference(*operands), kernel(*operands)
    weights = [drawn([1e-30, 0.0, 1.0], each.shape).detach() for each in expected]
    wanted, given = (torch.autograd.grad(each, operands, weights) for each in (expected, found))
    for some, other in zip((*found, *given), (*expected, *wanted), strict=True):
        finite = other.detach()[other.isfinite()]
        scale = float(finite.abs().max()) if len(finite) else 0.0
        torch.testing.assert_close(some, other, rtol=1e-4, atol=1e-6 * scale, equal_nan=True)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("shape, dim", [((300, 4), 0), ((4, 67), 1)])
@pytest.mark.parametrize("gates", GATES)
@pytest.mark.parametrize("starts", STARTS)
def test_linear_scan(starts, gates, shape, dim, reverse):
    b, h = (drawn([*STARTS[starts], 0.0], each) for each in (shape, (4,)))
    kernel, reference = (
        lambda *x, f=f: f(*x, dim=dim, reverse=reverse, output_final_state=True)
        for f in (kernels.linear_scan, linear.reference)
    )
    are_the_loops(kernel, reference, (drawn(GATES[gates], shape), b, h))


@pytest.mark.parametrize("exponents", EXPONENTS)
@pytest.mark.parametrize("starts", STARTS)
def test_selective_scan(starts, exponents):
    x, h = (drawn([*STARTS[starts], 0.0], each) for each in ((2, 40, 5), (2, 5, 3)))
    delta, A = drawn(EXPONENTS[exponents], (2, 40, 5)), torch.ones(5, 3)
    B, C = torch.ones(2, 2, 40, 3)
    kernel, reference = (
        lambda x, delta, h, f=f: f(x, delta, A, B, C, h, output_final_state=True)
        for f in (kernels.selective_scan, selective.reference)
    )
    are_the_loops(kernel, reference, (x, delta, h))
