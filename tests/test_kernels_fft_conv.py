"""Long convolutions against the sum that they are, and against NumPy's."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
import torch

from auditor import kernels

conv = importlib.import_module("auditor.kernels.fft_conv")
MODES = ("causal", "full", "circular")
WAYS = {"direct": 10**9, "transforms": 0}


@pytest.fixture(params=WAYS)
def way(request, monkeypatch):
    monkeypatch.setattr(conv, "SHORTEST_FILTER", WAYS[request.param])
    monkeypatch.setattr(conv, "FEW_TAPS", 0)


def leaf(*shape, dtype=torch.float64):
    return torch.randn(shape, dtype=torch.float64).to(dtype).requires_grad_()


def agree(x, h, mode, tolerance=1e-11):
    """Values, shapes, dtypes and gradients are those of the reference."""
    found, expected = (f(x, h, mode=mode) for f in (kernels.fft_conv, conv.reference))
    assert found.dtype == expected.dtype and found.is_contiguous()
    torch.testing.assert_close(found, expected, atol=tolerance, rtol=tolerance)
    weights = torch.randn_like(expected)
    grads = [torch.autograd.grad((y * weights).sum(), (x, h)) for y in (found, expected)]
    for some, other in zip(*grads, strict=True):
        torch.testing.assert_close(some, other, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize("n", [1, 2, 7, 64, 65, 211])
@pytest.mark.parametrize("m", [1, 3, 64, 130])
@pytest.mark.parametrize("mode", MODES)
def test_the_convolution_is_the_sum(way, n, m, mode):
    torch.manual_seed(0)
    agree(leaf(2, n), leaf(n if mode == "circular" else m), mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "lead",
    [((), ()), ((3,), (3,)), ((4, 3), (3,)), ((), (2,)), ((3, 1), (1, 2)), ((1,), (1, 1)),
     ((2, 1, 3), (5, 1))],
)  # fmt: skip
def test_rows_broadcast(way, lead, mode):
    torch.manual_seed(1)
    agree(leaf(*lead[0], 9), leaf(*lead[1], 9), mode)


@pytest.mark.parametrize("mode", ["causal", "full"])
def test_the_convolution_is_numpys(way, mode):
    rng = np.random.default_rng(0)
    x, h = rng.normal(size=40), rng.normal(size=23)
    expected = np.convolve(x, h)[: None if mode == "full" else 40]
    found = kernels.fft_conv(torch.tensor(x), torch.tensor(h), mode=mode)
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-12)


def test_a_convolution_of_delays_is_the_sum_of_delays(way):
    """The convolution theorem's law: delays compose, with the identity first, in any order."""
    torch.manual_seed(2)
    x, one, two = torch.randn(3, 50, dtype=torch.float64)
    unit = torch.zeros(50, dtype=torch.float64)
    unit[0] = 1
    torch.testing.assert_close(kernels.fft_conv(x, unit), x)
    for mode in ("causal", "circular"):
        first = kernels.fft_conv(kernels.fft_conv(x, one, mode=mode), two, mode=mode)
        second = kernels.fft_conv(x, kernels.fft_conv(two, one, mode=mode), mode=mode)
        torch.testing.assert_close(first, second)


def test_views_and_strides(way):
    torch.manual_seed(3)
    x, h = leaf(20, 3), leaf(40)
    agree(x.T, h[::2], "causal")
    agree(x.T.flip(-1), h[:20], "circular")
    agree(x[:, :1].T.expand(4, 20), h[:5], "full")


@pytest.mark.parametrize("dtype", list(conv.TOLERANCE))
@pytest.mark.parametrize("mode", MODES)
def test_every_dtype(way, dtype, mode):
    torch.manual_seed(4)
    x, h = leaf(3, 300, dtype=dtype), leaf(300, dtype=dtype)
    wide = [each.detach().double().requires_grad_() for each in (x, h)]
    found, exact = kernels.fft_conv(x, h, mode=mode), conv.reference(*wide, mode=mode)
    assert found.dtype == dtype
    grads = torch.autograd.grad(found.sum(), (x, h))
    others = torch.autograd.grad(exact.sum(), wide)
    bounds = (conv.TOLERANCE[dtype][0], *[conv.TOLERANCE[dtype][1]] * 2)
    pairs = zip((found, *grads), (exact, *others), bounds, strict=True)
    for some, other, bound in pairs:
        assert (some.double() - other).abs().max() <= bound * other.abs().max()


def test_dtypes_promote(way):
    x, h = leaf(9, dtype=torch.float32), leaf(4)
    agree(x, h, "full", 1e-5)
    agree(leaf(9, dtype=torch.float16), leaf(4, dtype=torch.float32), "causal", 1e-2)


@pytest.mark.parametrize("mode", MODES)
def test_integers_stay_exact(way, mode):
    x = torch.randint(-(2**40), 2**40, (3, 200))
    h = torch.randint(-(2**20), 2**20, (200,))
    found = kernels.fft_conv(x, h, mode=mode)
    expected = np.stack([np.convolve(row, h.numpy()) for row in x.numpy()])
    if mode == "circular":
        expected = expected[:, :200] + np.pad(expected[:, 200:], ((0, 0), (0, 1)))
    assert found.dtype == torch.int64
    assert np.array_equal(found.numpy(), expected[:, : found.shape[-1]])


def test_complex_rows():
    x, h = torch.randn(5, dtype=torch.complex128), torch.randn(5, dtype=torch.complex128)
    torch.testing.assert_close(kernels.fft_conv(x, h), conv.reference(x, h))


@pytest.mark.parametrize("value", [float("inf"), float("nan"), -float("inf")])
def test_what_is_not_finite_stays_where_it_is(way, value):
    x, h = torch.randn(2, 100), torch.randn(100)
    x[0, 60] = value
    for mode in MODES:
        found, expected = kernels.fft_conv(x, h, mode=mode), conv.reference(x, h, mode=mode)
        torch.testing.assert_close(found, expected, equal_nan=True)
    assert torch.isfinite(kernels.fft_conv(x, h)[0, :60]).all()


def test_nothing_to_add_up():
    for x, h in ((torch.ones(2, 0), torch.ones(3)), (torch.ones(2, 4), torch.ones(0)),
                 (torch.ones(0, 4), torch.ones(4))):  # fmt: skip
        found = kernels.fft_conv(x, h)
        assert found.shape == x.shape and not found.any()


def test_the_errors_are_those_of_the_reference():
    x = torch.ones(4)
    for h, mode in ((torch.ones(3), "circular"), (torch.ones(0), "full"), (x, "same"),
                    (torch.tensor(1.0), "causal")):  # fmt: skip
        with pytest.raises((ValueError, IndexError)) as expected:
            conv.reference(x, h, mode=mode)
        with pytest.raises(type(expected.value)) as found:
            kernels.fft_conv(x, h, mode=mode)
        assert str(found.value) == str(expected.value)
    with pytest.raises(RuntimeError):
        kernels.fft_conv(torch.ones(2, 4), torch.ones(3, 4))


@pytest.mark.parametrize("mode", MODES)
def test_gradients_of_gradients(way, mode):
    torch.manual_seed(5)
    given = (leaf(2, 6), leaf(6))
    assert torch.autograd.gradcheck(lambda x, h: kernels.fft_conv(x, h, mode=mode), given)
    assert torch.autograd.gradgradcheck(lambda x, h: kernels.fft_conv(x, h, mode=mode), given)


def test_operands_may_be_overwritten_as_in_the_sum(way):
    """The gradient of x needs h alone, that of h needs x alone."""
    for wanted in (0, 1):
        operands = [torch.randn(2, 70), torch.randn(70)]
        operands[wanted].requires_grad_()
        given = [each.clone() for each in operands]
        found = kernels.fft_conv(*given)
        given[wanted].mul_(3)
        found.mul_(2)
        (grad,) = torch.autograd.grad(found.sum(), operands[wanted])
        (expected,) = torch.autograd.grad(2 * conv.reference(*operands).sum(), operands[wanted])
        torch.testing.assert_close(grad, expected, atol=1e-3, rtol=1e-3)


def test_inside_of_transforms_autocast_and_without_values(way):
    x, h = torch.randn(3, 80), torch.randn(80)
    expected = kernels.fft_conv(x, h)
    found = torch.vmap(kernels.fft_conv, in_dims=(0, None))(x, h)
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)
    with torch.autocast("cpu"):
        found = kernels.fft_conv(x, h)
    torch.testing.assert_close(found, expected)
    assert kernels.fft_conv(x.to("meta"), h.to("meta"), mode="full").shape == (3, 159)


def test_transforms_run_where_they_are_faster(monkeypatch):
    seen = []
    monkeypatch.setattr(conv, "_by_transforms", lambda *given: seen.append(1) or given[0])
    for rows, taps in ((2, conv.SHORTEST_FILTER), (1, conv.SHORTEST_FILTER * conv.ONE_ROW)):
        seen.clear()
        kernels.fft_conv(torch.randn(rows, 200), torch.randn(taps - 1))
        assert not seen
        kernels.fft_conv(torch.randn(rows, 200), torch.randn(taps))
        assert seen


def test_fast_lengths():
    def smooth(n):
        for prime in (2, 3, 5, 7):
            while n % prime == 0:
                n //= prime
        return n == 1

    for least in (*range(1, 200), 1009, 65537):
        expected = next(n for n in range(least, 2 * least + 1) if smooth(n))
        assert conv.fast_length(least) == expected


def test_operands_may_be_overwritten_inside_of_transforms(way):
    rows, filters = torch.randn(5, 9), torch.randn(3, 4)

    def summed(h, overwritten):
        x = rows.clone()
        found = torch.vmap(lambda each: kernels.fft_conv(x, each).square().sum())(h).sum()
        if overwritten:
            x.zero_()
        return found

    grads = [torch.func.grad(summed)(filters, overwritten) for overwritten in (False, True)]
    torch.testing.assert_close(*grads)
