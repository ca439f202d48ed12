"""Products with few entries a row, against the entries spread out among zeros."""

from __future__ import annotations

import importlib

import pytest
import torch

from auditor import kernels

gathered = importlib.import_module("auditor.kernels.gather_matmul")


@pytest.fixture(autouse=True)
def small_products(monkeypatch):
    """The product of matrices is for operands larger than those here."""
    monkeypatch.setattr(gathered, "_PAYS", {"cpu": 32})
    monkeypatch.setattr(gathered, "_PAYS_BACKWARD", 1)
    monkeypatch.setattr(gathered, "FEW_PRODUCTS", 0)


def operands(lead=(3,), n=70, k=2, batch=(), dtype=torch.float64):
    torch.manual_seed(0)
    places = torch.rand(*batch, *lead, n).topk(k, dim=-1).indices
    weights = torch.randn(*batch, *lead, k, dtype=torch.float64).to(dtype).requires_grad_()
    values = torch.randn(*batch, n, 5, dtype=torch.float64).to(dtype).requires_grad_()
    return weights, places, values


def agree(weights, places, values):
    found = [f(weights, places, values) for f in (kernels.gather_matmul, gathered.reference)]
    assert found[0].dtype == found[1].dtype
    torch.testing.assert_close(*found, atol=1e-10, rtol=1e-10)
    grads = [torch.autograd.grad(f.square().sum(), (weights, values)) for f in found]
    for some, other in zip(*grads, strict=True):
        torch.testing.assert_close(some, other, atol=1e-10, rtol=1e-10)


@pytest.fixture
def no_reference(monkeypatch):
    plain = gathered.reference
    monkeypatch.setattr(gathered, "reference", lambda *_: pytest.fail("everything is multiplied"))
    return plain


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
@pytest.mark.parametrize("lead", [(1,), (4,), (0,)])
@pytest.mark.parametrize("n, k", [(70, 2), (64, 2), (63, 2), (5, 1), (32, 1), (4, 4)])
def test_gather_matmul_is_the_product(batch, lead, n, k):
    agree(*operands(lead, n, k, batch))


def test_values_of_all_rows():
    for lead in ((3,), (2, 3), ()):
        weights, places, values = operands(lead)
        agree(weights, places, values)
        agree(weights, places, values[:, 0].detach().requires_grad_())


def test_only_the_chosen_rows_are_read(no_reference):
    weights, places, values = operands((4,), batch=(2,))
    values = values.detach()
    chosen = torch.zeros(2, 70, dtype=torch.bool)
    chosen.scatter_(1, places.reshape(2, -1), True)
    values[~chosen] = float("inf")
    assert kernels.gather_matmul(weights, places, values).isfinite().all()


@pytest.mark.parametrize("dtype", list(gathered.TOLERANCE))
def test_gather_matmul_in_every_dtype(dtype, no_reference):
    weights, places, values = operands((9,), batch=(2,), dtype=dtype)
    exact = [each.detach().double().requires_grad_() for each in (weights, values)]
    found = kernels.gather_matmul(weights, places, values)
    expected = no_reference(exact[0], places, exact[1])
    assert found.dtype == dtype
    bound, of_gradients = gathered.TOLERANCE[dtype]
    assert (found.double() - expected).abs().max() <= bound * expected.abs().max()
    grads = zip(
        torch.autograd.grad(found.sum(), (weights, values)),
        torch.autograd.grad(expected.sum(), exact),
        strict=True,
    )
    for some, other in grads:
        assert (some.double() - other).abs().max() <= of_gradients * other.abs().max()


def test_gradients_of_gradients():
    weights, places, values = operands((2,))
    assert torch.autograd.gradgradcheck(
        lambda w, v: kernels.gather_matmul(w, places, v), (weights, values)
    )


def test_broadcasting_and_errors_are_those_of_the_product():
    weights, places, values = operands((3,), batch=(2,))
    agree(weights, places, values[:1].detach().requires_grad_())
    with pytest.raises(RuntimeError):
        kernels.gather_matmul(weights, places, values.float())
    with pytest.raises(RuntimeError):
        kernels.gather_matmul(weights, places + 70, values)


def test_rows_without_entries():
    weights, places = torch.rand(6, 3), torch.arange(18).reshape(6, 3)
    assert kernels.gather_matmul(weights, places, torch.rand(200, 0)).shape == (6, 0)
