"""Triangles of products, in chunks, against all of them under a mask."""

from __future__ import annotations

import importlib

import pytest
import torch

from auditor import kernels

whole = importlib.import_module("auditor.kernels.causal_product")


def operands(lead=(2,), length=150, others=None, dtype=torch.float64):
    torch.manual_seed(0)
    others = length if others is None else others
    shapes = ((*lead, length, 3), (*lead, others, 3), (*lead, others, 5))
    return [torch.randn(s, dtype=torch.float64).to(dtype).requires_grad_() for s in shapes]


def agree(given, **options):
    found = [f(*given, **options) for f in (kernels.causal_product, whole.reference)]
    assert found[0].dtype == found[1].dtype
    torch.testing.assert_close(*found, atol=1e-9, rtol=1e-9)
    grads = [torch.autograd.grad(f.square().sum(), given) for f in found]
    for some, other in zip(*grads, strict=True):
        torch.testing.assert_close(some, other, atol=1e-7, rtol=1e-7)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("diagonal", [0, -1, 1, 3])
@pytest.mark.parametrize("length", [0, 1, 5, 129, 150])
def test_causal_product_is_the_triangle(length, diagonal, upper):
    agree(operands(length=length), diagonal=diagonal, upper=upper, scale=0.5)


@pytest.mark.parametrize("lead", [(), (1,), (2, 3)])
def test_any_number_of_batches(lead):
    agree(operands(lead))


def test_other_lengths_and_batches_are_the_formulas():
    agree(operands(length=150, others=140))
    q, k, v = operands()
    agree([q, k[:1].detach().requires_grad_(), v])
    agree([q, k, v], scale=torch.full((2, 1, 1), 0.5, dtype=torch.float64))
    with pytest.raises(RuntimeError):
        kernels.causal_product(q, k[..., :2], v)


def test_the_scores_are_never_all_there(monkeypatch):
    monkeypatch.setattr(whole, "reference", lambda *_, **__: pytest.fail("all scores"))
    for options in ({}, {"diagonal": -1}, {"upper": True}, {"upper": True, "diagonal": 1}):
        kernels.causal_product(*operands(), **options)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_causal_product_in_other_dtypes(dtype):
    given = operands(dtype=dtype)
    exact = whole.reference(*(each.detach().double() for each in given))
    found = kernels.causal_product(*given)
    assert found.dtype == dtype
    assert (found.double() - exact).abs().max() <= whole.TOLERANCE[dtype][0] * exact.abs().max()
