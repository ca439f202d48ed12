"""Local attention against its formula: every window and shape, dtypes, gradients of any order, and
how much it computes."""

from __future__ import annotations

import importlib
import math

import pytest
import torch

from auditor import kernels

local = importlib.import_module("auditor.kernels.local_attention")

BLOCK = 4
"""A short block, so that small operands have several."""


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch):
    monkeypatch.setattr(local, "SHORTEST_BLOCK", BLOCK)
    torch.manual_seed(0)


def leaf(*shape, dtype=torch.float64):
    return torch.randn(shape, dtype=dtype, requires_grad=True)


def operands(queries, keys, lead=(2, 3), key_lead=None, dtype=torch.float64):
    other = lead if key_lead is None else key_lead
    return [
        leaf(*lead, queries, 4, dtype=dtype),
        leaf(*other, keys, 4, dtype=dtype),
        leaf(*other, keys, 6, dtype=dtype),
    ]


def agree(given, **options):
    """Values and gradients are those of the formula; NaN where it is."""
    found = kernels.local_attention(*given, **options)
    expected = local.reference(*given, **options)
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype
    assert found.is_contiguous()
    torch.testing.assert_close(found, expected, equal_nan=True)
    weights = torch.randn_like(expected)
    for some, other in zip(
        torch.autograd.grad(found, given, weights),
        torch.autograd.grad(expected, given, weights),
        strict=True,
    ):
        torch.testing.assert_close(some, other, equal_nan=True)


LENGTHS = [(n, n) for n in (0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 4 * BLOCK, 41)]
LENGTHS += [(41, 50), (41, 39), (50, 41), (1, 41), (41, 1), (41, 0), (0, 41)]
WINDOWS = [(0, 0), (2, 0), (0, 2), (3, 3), (1, 4), (60, 0), (60, 60), (None, 2), (2, None)]
WINDOWS += [(None, None), (None, 0), (-1, 3), (5, -2), (-3, 1), (2.5, 1.5)]


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("fill", [-math.inf, -1e9, -3.0])
def test_local_attention_is_the_formula(lengths, window, fill):
    agree(operands(*lengths), window=window, fill=fill)


@pytest.mark.parametrize(
    ("lead", "key_lead"), [((), ()), ((2,), (2,)), ((2, 3), (3,)), ((3,), (2, 3)), ((2, 1, 3),) * 2]
)
@pytest.mark.parametrize("scale", [None, 2, 0.3, torch.tensor(0.7).double(), torch.tensor([[0.7]])])
def test_local_attention_of_any_rank_and_scale(lead, key_lead, scale):
    agree(operands(41, 41, lead, key_lead), window=(3, 1), scale=scale)


@pytest.mark.parametrize("heads", [1, 2, 3, 6])
def test_local_attention_shares_heads(heads):
    agree(operands(41, 41, (2, 6), (2, heads)), window=(3, 0), enable_gqa=True)


def test_local_attention_has_no_more_scores_than_the_band_needs(monkeypatch):
    seen = []

    def spy(q, k, v, **options):
        seen.append(q.shape[-3] * q.shape[-2] * k.shape[-2])
        return flash(q, k, v, **options)

    flash = local.flash_attention
    monkeypatch.setattr(local, "flash_attention", spy)
    for length in (256, 512):
        kernels.local_attention(*operands(length, length, ()), window=(4, 0))
    assert seen == [256 * (4 + 4), 512 * (4 + 4)]


@pytest.mark.parametrize("dtype", list(local.TOLERANCE))
@pytest.mark.parametrize("window", [(5, 0), (3, 3)])
def test_local_attention_in_every_dtype(dtype, window):
    given = operands(70, 70, dtype=dtype)
    exact = [each.detach().double().requires_grad_() for each in given]
    found = kernels.local_attention(*given, window=window)
    expected = local.reference(*exact, window=window)
    assert found.dtype == dtype
    pairs = [(found, expected)]
    bounds = [local.TOLERANCE[dtype][0]] + [local.TOLERANCE[dtype][1]] * 3
    pairs += zip(
        torch.autograd.grad(found.sum(), given),
        torch.autograd.grad(expected.sum(), exact),
        strict=True,
    )
    for (some, other), bound in zip(pairs, bounds, strict=True):
        assert (some.double() - other).abs().max() <= bound * other.abs().max()


def test_local_attention_of_other_dtypes_and_layouts():
    q, k, v = (each.detach() for each in operands(41, 41))
    agree([each.mT.contiguous().mT.requires_grad_() for each in (q, k, v)], window=(3, 0))
    agree([each[..., ::2].requires_grad_() for each in (q, k, v)], window=(3, 0))
    agree([each.requires_grad_() for each in (q, k, v.float())], window=(3, 0))
    repeated = q[:1].expand(2, 3, 41, 4).requires_grad_()
    agree([repeated, k, v.requires_grad_()], window=(3, 0))


def test_local_attention_has_gradients_of_gradients():
    given = [leaf(1, 18, 2), leaf(1, 18, 2), leaf(1, 18, 2)]

    def run(q, k, v):
        return kernels.local_attention(q, k, v, window=(2, 1))

    assert torch.autograd.gradcheck(run, given)
    assert torch.autograd.gradgradcheck(run, given)
    scale = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(
        lambda scale: kernels.local_attention(*given, window=(2, 1), scale=scale), scale
    )


def test_local_attention_needs_no_gradient_of_all():
    for needed in range(3):
        given = [each.detach() for each in operands(41, 41)]
        given[needed].requires_grad_()
        found, expected = (
            torch.autograd.grad(function(*given, window=(2, 0)).square().sum(), given[needed])
            for function in (kernels.local_attention, local.reference)
        )
        torch.testing.assert_close(found, expected)


def test_a_caller_may_write_to_the_result_and_to_what_it_passed():
    given = operands(41, 41)
    expected = torch.autograd.grad(local.reference(*given, window=(2, 0)).sum(), given)
    copies = [each.clone() for each in given]
    out = kernels.local_attention(*copies, window=(2, 0))
    out += 1
    for each in copies:
        each.data.zero_()
    found = torch.autograd.grad(out.sum(), given)
    for some, other in zip(found, expected, strict=True):
        torch.testing.assert_close(some, other)


def test_local_attention_raises_what_the_formula_raises():
    q, k, v = (torch.randn(2, 3, 41, 8) for _ in range(3))
    for given in (
        (q, k.double(), v),
        (q, k[..., :4], v),
        (q, k, v[:, :, :4]),
        (q, k[:, :2], v),
        (q[0, 0, 0], k, v),
    ):
        with pytest.raises(Exception) as expected:
            local.reference(*given, window=(2, 0))
        with pytest.raises(type(expected.value)):
            kernels.local_attention(*given, window=(2, 0))


def test_a_window_may_be_a_tensor():
    given = operands(41, 41)
    width = torch.tensor([1, 5, 30])[:, None, None]
    # one window a head: the plain formula broadcasts it
    agree(given, window=(width, 0))


def test_local_attention_compiles():
    given = operands(41, 41)
    compiled = torch.compile(
        lambda q, k, v: kernels.local_attention(q, k, v, window=(3, 0)),
        fullgraph=True,
        backend="aot_eager",
    )
    expected = torch.autograd.grad(local.reference(*given, window=(3, 0)).sum(), given)
    for some, other in zip(
        torch.autograd.grad(compiled(*given).sum(), given), expected, strict=True
    ):
        torch.testing.assert_close(some, other)
