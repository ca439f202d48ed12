"""The product that is kept between calls: always what the plain product is, whatever happens to its
factors in between, and kept where it may be."""

from __future__ import annotations

import gc
import importlib
import weakref
from typing import Any

import pytest
import torch
from auditor.kernels import constant_product
from auditor.kernels.constant_product import _kept, reference


@pytest.fixture(autouse=True)
def small_products_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("auditor.kernels.constant_product"), "FEW", 0)


def test_small_products_are_not_kept_on_a_cpu(
    factors: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    with torch.no_grad():
        assert constant_product(*factors) is not constant_product(*factors)
        a, b = torch.randn(65, 64), torch.randn(64, 2)
        assert constant_product(a, b) is constant_product(a, b)


@pytest.fixture
def factors() -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(0)
    return torch.nn.Parameter(torch.randn(4, 6)), torch.nn.Parameter(torch.randn(6, 3))


def test_kept_without_gradients(factors: Any) -> None:
    with torch.no_grad():
        first = constant_product(*factors)
        assert constant_product(*factors) is first
        assert torch.equal(first, reference(*factors))


def test_kept_in_inference_mode(factors: Any) -> None:
    with torch.inference_mode():
        first = constant_product(*factors)
        assert constant_product(*factors) is first
    assert torch.equal(first, reference(*factors).detach())


def test_kept_for_views(factors: Any) -> None:
    a, b = factors
    with torch.no_grad():
        assert constant_product(b.T, a.T) is constant_product(b.T, a.T)
        assert torch.equal(constant_product(b.T, a.T), b.T @ a.T)
        assert torch.equal(constant_product(a[1:], b), a[1:] @ b)
        assert torch.equal(constant_product(a[:3], b), a[:3] @ b)


def _step(a: Any, b: Any) -> None:
    a.add_(1.0)


def _load(a: Any, b: Any) -> None:
    b.copy_(torch.ones_like(b))


def _write_by_view(a: Any, b: Any) -> None:
    a[0].zero_()


def _replace_data(a: Any, b: Any) -> None:
    a.data = torch.full_like(a, 3.0)


def _cast(a: Any, b: Any) -> None:
    a.data, b.data = a.data.double(), b.data.double()


@pytest.mark.parametrize("change", [_step, _load, _write_by_view, _replace_data, _cast])
def test_a_change_is_seen(factors: Any, change: Any) -> None:
    with torch.no_grad():
        before = constant_product(*factors).clone()
        change(*factors)
        after = constant_product(*factors)
        assert torch.equal(after, reference(*factors))
        assert after.dtype != before.dtype or not torch.equal(after, before)


def test_a_product_that_was_written_to_is_taken_anew(factors: Any) -> None:
    with torch.no_grad():
        constant_product(*factors).zero_()
        assert torch.equal(constant_product(*factors), reference(*factors))


def test_gradients_flow_as_before(factors: Any) -> None:
    a, b = factors
    with torch.no_grad():
        constant_product(a, b)
    got = torch.autograd.grad(constant_product(a, b).square().sum(), factors)
    want = torch.autograd.grad(reference(a, b).square().sum(), factors)
    assert all(map(torch.equal, got, want))


def test_a_frozen_product_serves_gradients_of_others() -> None:
    a, b = torch.randn(3, 4), torch.randn(4, 3)
    x = torch.randn(2, 3, requires_grad=True)
    for _ in range(2):
        (got,) = torch.autograd.grad((x @ constant_product(a, b)).square().sum(), x)
        (want,) = torch.autograd.grad((x @ (a @ b)).square().sum(), x)
        assert torch.equal(got, want)
    assert constant_product(a, b) is constant_product(a, b)


def test_another_factor_is_another_product(factors: Any) -> None:
    a, b = factors
    with torch.no_grad():
        constant_product(a, b)
        other = torch.randn(6, 3)
        assert torch.equal(constant_product(a, other), a @ other)
        del other
        gc.collect()
        fresh = torch.randn(6, 3)
        assert torch.equal(constant_product(a, fresh), a @ fresh)


def test_a_product_goes_with_its_factors() -> None:
    a, b = torch.randn(3, 4), torch.randn(4, 3)
    held = weakref.ref(constant_product(a, b))
    assert held() is not None
    del a
    gc.collect()
    assert held() is None and all(key is not None for key in _kept)


def test_autocast_and_compilers_see_the_plain_product(factors: Any) -> None:
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        assert constant_product(*factors).dtype == reference(*factors).dtype
    compiled = torch.compile(constant_product, backend="eager", fullgraph=True)
    with torch.no_grad():
        assert torch.equal(compiled(*factors), reference(*factors))


def test_vmap_and_func_grad(factors: Any) -> None:
    a, b = (t.detach() for t in factors)
    many = torch.randn(5, 4, 6)
    assert torch.allclose(torch.vmap(lambda m: constant_product(m, b))(many), many @ b)
    got = torch.func.grad(lambda m: constant_product(m, b).square().sum())(a)
    want = torch.func.grad(lambda m: reference(m, b).square().sum())(a)
    assert torch.equal(got, want)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (torch.randn(3), torch.randn(3)),
        (torch.randn(2, 3), torch.randn(3)),
        (torch.randn(2, 1, 3, 4), torch.randn(5, 4, 2)),
        (torch.randn(0, 4), torch.randn(4, 2)),
        (torch.randn(3, 3).to_sparse(), torch.randn(3, 3)),
    ],
)
def test_takes_what_the_product_takes(a: torch.Tensor, b: torch.Tensor) -> None:
    for _ in range(2):
        assert torch.equal(constant_product(a, b), reference(a, b))


def test_raises_what_the_product_raises() -> None:
    with pytest.raises(RuntimeError):
        constant_product(torch.randn(2, 3), torch.randn(2, 3))
    with pytest.raises(RuntimeError):
        constant_product(torch.randn(2, 3), torch.randn(3, 2).double())
