"""Distances of all pairs of rows, against all of their differences."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
import torch

from auditor import kernels

paired = importlib.import_module("auditor.kernels.squared_distances")
DTYPES = list(paired.TOLERANCE)


def rows(*shape, dtype=torch.float64, seed=0):
    torch.manual_seed(seed)
    return torch.randn(*shape, dtype=torch.float64).to(dtype).requires_grad_()


def pairs(f, x, y, root=False):
    """All rows of x with all of y."""
    return f(x[..., :, None, :], y[..., None, :, :], root=root)


def agree(x, y, root=False, paired_by=pairs):
    found = [paired_by(f, x, y, root) for f in (kernels.squared_distances, paired.reference)]
    assert found[0].dtype == found[1].dtype
    torch.testing.assert_close(*found, atol=1e-11, rtol=1e-11)
    wanted = [each for each in (x, y) if each.requires_grad]
    grads = [torch.autograd.grad(f.sin().sum(), wanted) for f in found]
    for some, other in zip(*grads, strict=True):
        torch.testing.assert_close(some, other, atol=1e-10, rtol=1e-10)


@pytest.fixture(autouse=True)
def tiled(monkeypatch):
    """The plain code is for tables larger than most here."""
    monkeypatch.setattr(paired, "FEW_DIFFERENCES", 0)
    monkeypatch.setattr(paired, "NARROWEST", 0)


@pytest.fixture
def no_reference(monkeypatch):
    plain = paired.reference
    monkeypatch.setattr(
        paired, "reference", lambda *_, **__: pytest.fail("all differences are computed")
    )
    return plain


@pytest.mark.parametrize("root", [False, True])
@pytest.mark.parametrize("n, m, d", [(0, 5, 3), (5, 0, 3), (1, 1, 1), (7, 5, 0), (33, 41, 1),
                                     (65, 17, 3), (9, 130, 31), (1, 3000, 2)])  # fmt: skip
def test_it_is_the_sum_of_squared_differences(n, m, d, root):
    agree(rows(n, d), rows(m, d, seed=1), root)


@pytest.mark.parametrize("root", [False, True])
@pytest.mark.parametrize("one, two", [((2,), ()), ((), (3,)), ((2, 1), (3,)), ((2,), (2,))])
def test_axes_in_front_broadcast(one, two, root):
    agree(rows(*one, 20, 6), rows(*two, 30, 6, seed=1), root)
    agree(rows(*one, 20, 6).detach(), rows(*two, 30, 6, seed=1), root)


@pytest.mark.parametrize("root", [False, True])
def test_a_matrix_against_itself(root):
    x = rows(40, 5)
    agree(x, x, root)
    agree(x.T[:, ::2], x.T[:, 1::2], root)
    assert not pairs(kernels.squared_distances, x, x, root).diagonal().any()


@pytest.mark.parametrize("root", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(dtype, root, no_reference):
    x, y = rows(40, 9, dtype=dtype), rows(31, 9, dtype=dtype, seed=1)
    exact = [each.detach().double().requires_grad_() for each in (x, y)]
    found = pairs(kernels.squared_distances, x, y, root)
    expected = pairs(no_reference, *exact, root)
    assert found.dtype == dtype
    bound, of_gradients = paired.TOLERANCE[dtype]
    assert (found.double() - expected).abs().max() <= bound * expected.abs().max()
    grads = zip(
        torch.autograd.grad(found.sum(), (x, y)),
        torch.autograd.grad(expected.sum(), exact),
        strict=True,
    )
    for some, other in grads:
        assert (some.double() - other).abs().max() <= of_gradients * other.abs().max()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_close_rows_far_from_the_origin_keep_their_digits(dtype, no_reference):
    away = 1e3 + torch.rand(50, 7, dtype=dtype)
    near = away + 1e-2 * torch.rand(50, 7, dtype=dtype)
    exact = pairs(no_reference, away.double(), near.double())
    found = pairs(kernels.squared_distances, away, near).double()
    assert ((found - exact).abs() <= 12 * torch.finfo(dtype).eps * exact).all()


@pytest.mark.parametrize("root", [False, True])
def test_gradients_of_gradients(root):
    x, y = rows(21, 5), rows(11, 5, seed=1)
    assert torch.autograd.gradgradcheck(
        lambda x, y: pairs(kernels.squared_distances, x, y, root), (x, y)
    )


def test_rows_overwritten_before_the_backward_pass():
    leaf, y = rows(40, 6), rows(30, 6, seed=1)
    grads = []
    for each in (kernels.squared_distances, paired.reference):
        x = leaf * 1
        total = pairs(each, x, y).sum()
        x.zero_()
        grads.append(torch.autograd.grad(total, (leaf, y)))
    for some, other in zip(*grads, strict=True):
        torch.testing.assert_close(some, other)


@pytest.mark.parametrize("root", [False, True])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int32, np.complex128])
def test_arrays_of_numpy(dtype, root):
    generator = np.random.default_rng(0)
    x, y = ((9 * generator.random((n, 5))).astype(dtype) for n in (80, 60))
    y = y[::-2]
    y.setflags(write=False)
    found, expected = (pairs(f, x, y, root) for f in (kernels.squared_distances, paired.reference))
    assert type(found) is np.ndarray and found.dtype == expected.dtype and found.flags.writeable
    np.testing.assert_allclose(found, expected, rtol=2e-3 if dtype == np.float16 else 1e-5)


def test_two_dtypes():
    x, y = rows(40, 5).detach(), rows(40, 5, seed=1)
    mixed = pairs(kernels.squared_distances, x.float().numpy(), y.detach().numpy())
    assert mixed.dtype == np.float64
    agree(x.float().double(), y)
    assert pairs(kernels.squared_distances, x.half(), y.float()).dtype == torch.float32


def test_any_places_of_rows_and_columns():
    x, y = rows(9, 7, 5), rows(9, 8, 5, seed=1)
    agree(x, y, paired_by=lambda f, x, y, _: f(x[:, None], y[:, :, None]))
    agree(x, y[0, 0], paired_by=lambda f, x, y, _: f(x, y))
    agree(x, y[0], paired_by=lambda f, x, y, _: f(x[:, :, None], y))
    agree(x, x, paired_by=lambda f, x, y, _: f(x[:, None], y[None]))
    agree(x, y, paired_by=lambda f, x, y, _: f(x[:, None, :, None], y[None, :, None]))
    agree(x, y, paired_by=lambda f, x, y, _: f(y[0, None], x[:, :, None].transpose(0, 1)))
    agree(x, y, paired_by=lambda f, x, y, _: f(x[:, :, None].expand(9, 7, 8, 5), y[:, None]))
    agree(
        x[0, :, :1].detach().requires_grad_(),
        y[0],
        paired_by=lambda f, x, y, _: f(x[:, None].expand(7, 8, 5), y),
    )
    wide = np.broadcast_to(np.ones(5), (80, 60, 5))
    some = np.broadcast_to(np.arange(400.0).reshape(80, 1, 5), wide.shape)
    np.testing.assert_array_equal(
        kernels.squared_distances(wide, some), paired.reference(wide, some)
    )
    for dim in (0, 1, 2, 3, -2, -3):
        agree(
            x, y, paired_by=lambda f, x, y, _, dim=dim: f(x[:, None, :7], y[None, :, :7], dim=dim)
        )
        agree(x, y[0], paired_by=lambda f, x, y, _, dim=dim: f(x[:, None], y[:7], dim=dim))
    found = kernels.squared_distances(x[:, None], x[None])
    assert found.is_contiguous() and found.shape == (9, 9, 7)


def test_what_does_not_fit_is_the_reference():
    with pytest.raises(RuntimeError):
        pairs(kernels.squared_distances, rows(40, 5), rows(40, 6))
    with pytest.raises(ValueError, match="broadcast"):
        pairs(kernels.squared_distances, np.ones((2, 40, 5)), np.ones((3, 40, 5)))
    with pytest.raises(IndexError):
        kernels.squared_distances(rows(40, 1, 5), rows(40, 5), dim=3)
    agree(rows(40, 5), rows(40, 1, seed=1))
    whole = torch.arange(200).reshape(40, 5)
    assert pairs(kernels.squared_distances, whole, whole).dtype == torch.int64
    some = np.ones((40, 1, 5))
    assert kernels.squared_distances(some, [[0.0] * 5] * 30).shape == (40, 30)
    assert kernels.squared_distances(some, 1).shape == (40, 1)


def test_inside_of_transforms():
    x, y = rows(40, 5).detach(), rows(30, 5, seed=1).detach()
    hessian = torch.func.hessian(lambda y: pairs(kernels.squared_distances, x, y).square().sum())
    plain = torch.func.hessian(lambda y: pairs(paired.reference, x, y).square().sum())
    torch.testing.assert_close(hessian(y), plain(y))
    many = torch.func.vmap(kernels.squared_distances, (0, None))(x[None, :, None] * 2, y)
    torch.testing.assert_close(many[0], pairs(paired.reference, x * 2, y))
    compiled = torch.compile(kernels.squared_distances, backend="eager")
    torch.testing.assert_close(compiled(x[:, None], y), pairs(paired.reference, x, y))


def test_sums_of_whole_numbers_are_whole():
    x, y = torch.randint(-9, 9, (40, 1, 7)).float(), torch.randint(-9, 9, (300, 7)).float()
    assert torch.equal(kernels.squared_distances(x, y), ((x - y) ** 2).sum(-1))
    assert np.array_equal(
        kernels.squared_distances(x.numpy(), y.numpy()), ((x - y) ** 2).sum(-1).numpy()
    )


def test_roots_of_whole_numbers():
    x, y = torch.randint(-9, 9, (40, 1, 7)), torch.randint(-9, 9, (300, 7))
    found = kernels.squared_distances(x, y, root=True)
    torch.testing.assert_close(found, ((x - y) ** 2).sum(-1).sqrt())
