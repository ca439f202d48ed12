"""A separable filter in two passes against the filter that it is."""

from __future__ import annotations

import importlib

import pytest
import torch
import torch.nn.functional as F

from auditor import kernels

separable = importlib.import_module("auditor.kernels.separable_conv2d")


@pytest.fixture(params=["two passes", "as measured"])
def way(request, monkeypatch):
    if request.param == "two passes":
        monkeypatch.setattr(separable, "SMALLEST", {True: 0, False: 0})
        monkeypatch.setattr(separable, "SMALLEST_IMAGE", 0)


def operands(shape=(2, 3, 9, 8), p=3, q=5, dtype=torch.float64):
    torch.manual_seed(0)
    return [
        torch.randn(each, dtype=torch.float64).to(dtype).requires_grad_()
        for each in (shape, (p,), (q,))
    ]


def agree(given, tolerance=1e-11, **options):
    found = kernels.separable_conv2d(*given, **options)
    expected = separable.reference(*given, **options)
    assert found.dtype == expected.dtype
    torch.testing.assert_close(found, expected, atol=tolerance, rtol=tolerance)
    weights = torch.randn_like(expected)
    grads = [torch.autograd.grad((y * weights).sum(), given) for y in (found, expected)]
    for some, other in zip(*grads, strict=True):
        torch.testing.assert_close(some, other, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize("shape", [(2, 3, 9, 8), (1, 1, 30, 26), (3, 9, 8), (4, 1, 7, 9)])
@pytest.mark.parametrize(("p", "q"), [(1, 1), (3, 5), (4, 1), (7, 7)])
@pytest.mark.parametrize(
    "options",
    [{}, {"padding": 2}, {"padding": (3, 0)}, {"stride": 2}, {"stride": (1, 3), "padding": 1},
     {"dilation": (1, 2), "padding": 4}, {"stride": 2, "padding": (2, 3), "dilation": 1}],
    ids=str,
)  # fmt: skip
def test_two_passes_are_the_filter(way, shape, p, q, options):
    rows = shape[-1] + 2 * 0 - 2 * (q - 1)
    if rows < 1 and options.get("dilation"):
        options = {**options, "padding": 9}
    agree(operands(shape, p, q), **options)


@pytest.mark.parametrize(("channels", "size"), [(1, 21), (3, 11), (2, 25)])
def test_long_filters(channels, size):
    agree(operands((1, channels, 30, 31), size, size), padding=size // 2)


@pytest.mark.parametrize("dtype", list(separable.TOLERANCE))
def test_every_dtype(way, dtype):
    given = operands((1, 2, 40, 40), 13, 11, dtype)
    exact = [each.detach().double().requires_grad_() for each in given]
    found, expected = kernels.separable_conv2d(*given), separable.reference(*exact)
    assert found.dtype == dtype
    grads = torch.autograd.grad(found.sum(), given)
    others = torch.autograd.grad(expected.sum(), exact)
    bounds = (separable.TOLERANCE[dtype][0], *[separable.TOLERANCE[dtype][1]] * 3)
    for some, other, bound in zip((found, *grads), (expected, *others), bounds, strict=True):
        assert (some.double() - other).abs().max() <= bound * other.abs().max()


def test_views_are_filtered(way):
    x, a, b = operands((8, 9, 2, 3))
    agree([x.permute(2, 3, 0, 1).detach().requires_grad_(), a, b], padding=1)
    found = kernels.separable_conv2d(x.permute(2, 3, 0, 1), a.flip(0), b[::2])
    expected = separable.reference(x.permute(2, 3, 0, 1), a.flip(0), b[::2])
    torch.testing.assert_close(found, expected)


def test_gradients_of_gradients(way):
    given = operands((1, 2, 5, 4), 3, 2)
    assert torch.autograd.gradcheck(kernels.separable_conv2d, given)
    assert torch.autograd.gradgradcheck(kernels.separable_conv2d, given)


def test_nothing_to_filter(way):
    x, a, b = operands((0, 3, 9, 8))
    assert kernels.separable_conv2d(x, a, b).shape == (0, 3, 7, 4)


def test_the_errors_are_those_of_the_reference(way):
    x, a, b = operands()
    for given, options in (
        ((x[0, 0], a, b), {}),
        ((x, a[None], b), {}),
        ((x[:, :, :2], a, b), {}),
        ((x, a, b), {"stride": 0}),
        ((x, a, b), {"padding": (1, 2, 3)}),
    ):
        with pytest.raises(Exception) as expected:
            separable.reference(*given, **options)
        with pytest.raises(type(expected.value)):
            kernels.separable_conv2d(*given, **options)


def test_inside_of_transforms_and_without_values(way):
    x, a, b = (each.detach() for each in operands())
    found = torch.vmap(kernels.separable_conv2d, in_dims=(0, None, None))(x, a, b)
    torch.testing.assert_close(found, kernels.separable_conv2d(x, a, b))
    assert kernels.separable_conv2d(*(each.to("meta") for each in (x, a, b))).shape == (2, 3, 7, 4)


def test_one_pass_for_small_filters(monkeypatch):
    seen = []
    plain = F.conv2d
    monkeypatch.setattr(separable.F, "conv2d", lambda *a, **k: seen.append(1) or plain(*a, **k))
    kernels.separable_conv2d(torch.randn(1, 3, 64, 64), torch.randn(9), torch.randn(9))
    assert len(seen) == 1
    kernels.separable_conv2d(torch.randn(1, 3, 64, 64), torch.randn(11), torch.randn(11))
    assert len(seen) == 3
