"""The kernels on a million steps, and on a million rows: laws that say whether every one of them is
right, since the plain loop would take minutes."""

from __future__ import annotations

import itertools
import math

import pytest
import torch

from auditor import kernels
from tests.compiled_paths import both_paths, path  # noqa: F401
from tests.kernel_calls import affine, attention, clamp, clamped, linear, local, selective

MILLION = 1_000_003

DTYPES = [torch.float32, torch.float64]


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def near(found, expected, tolerance=1e-5):
    scale = expected.abs().max()
    assert (found - expected).abs().max() <= tolerance * scale


def gates(*shape):
    """Signs, zeros and numbers above one among them, so that states neither grow nor vanish."""
    a = torch.rand(shape, dtype=torch.float64) * 2.2 - 1.1
    return a.masked_fill(torch.rand(shape) < 0.001, 0.0)


# ----------------------------------------------------------------------------------- recurrences


@both_paths
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("width", [(), (3,)])
def test_every_step_of_a_long_linear_scan(path, dtype, reverse, width):  # noqa: F811
    """The recurrence says what each state is, given the one before: a check of all steps at once,
    of the gradients too, which are a recurrence the other way."""
    a, b = gates(MILLION, *width).to(dtype), torch.randn(MILLION, *width).to(dtype)
    start = torch.randn(width).to(dtype)
    given = [each.requires_grad_() for each in (a, b, start)]
    h, final = kernels.linear_scan(*given, dim=0, reverse=reverse, output_final_state=True)
    weight, last = torch.randn_like(h), torch.randn_like(final)
    da, db, dstart = torch.autograd.grad((h, final), given, (weight, last))
    a, b, start, h, final = (each.detach() for each in (a, b, start, h, final))
    if reverse:
        a, b, h, weight, da, db = (each.flip(0) for each in (a, b, h, weight, da, db))
    eps = 8 * torch.finfo(dtype).eps
    before = torch.cat([start[None], h[:-1]])
    near(h, a * before + b, eps)
    assert torch.equal(final, h[-1])
    near(db, weight + torch.cat([a[1:] * db[1:], last[None]]), eps)
    near(da, db * before, 100 * eps)
    near(dstart, a[0] * db[0], eps)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_long_sum_and_a_long_product(dtype):
    b = torch.randn(MILLION, dtype=dtype)
    total = kernels.linear_scan(1.0, b, dim=0)
    near(total.double(), b.double().cumsum(0), 1000 * torch.finfo(dtype).eps)
    falling = kernels.linear_scan(0.999, torch.zeros(MILLION, dtype=dtype), 1.0, dim=0)
    steps = torch.arange(1, MILLION + 1, dtype=torch.float64)
    expected = torch.exp(steps * math.log(0.999))
    assert (falling.double() - expected).abs().max() <= 1000 * torch.finfo(dtype).eps


@pytest.mark.slow
@both_paths
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_step_of_a_long_selective_scan(path, dtype):  # noqa: F811
    """Beside the linear scan of each state, in float64."""
    length, channels, states = MILLION // 4, 3, 2
    x, B, C = (torch.randn(1, length, n, dtype=dtype) for n in (channels, states, states))
    delta = torch.rand(1, length, channels, dtype=dtype)
    A = -torch.rand(channels, states, dtype=dtype)
    start = torch.randn(1, channels, states, dtype=dtype)
    given = [each.requires_grad_() for each in (x, delta, A, B, C, start)]
    wide = [each.detach().double().requires_grad_() for each in given]

    def plain(x, delta, A, B, C, start):
        decay = torch.exp(delta[..., None] * A)
        h = kernels.linear_scan(decay, x[..., None] * B[:, :, None], start, dim=1)
        return (h * C[:, :, None]).sum(-1), h[:, -1]

    found = kernels.selective_scan(*given, output_final_state=True)
    expected = plain(*wide)
    tolerance, of_gradients = selective.TOLERANCE[dtype]
    for some, other in zip(found, expected, strict=True):
        near(some, other, tolerance)
    weights = [torch.randn_like(each) for each in found]
    for some, other in zip(
        torch.autograd.grad(found, given, weights),
        torch.autograd.grad(expected, wide, [each.double() for each in weights]),
        strict=True,
    ):
        near(some, other, of_gradients)


MATRIX = {
    "linear attention": lambda q, k, v, a, S: kernels.linear_attention(
        q, k, v, decay=a[..., None, None], initial_state=S, output_final_state=True
    ),
    "delta rule": lambda q, k, v, a, S: kernels.delta_rule(
        q, k / 4, v, 0.7, decay=a, initial_state=S, output_final_state=True
    ),
}


@pytest.mark.parametrize("name", MATRIX)
def test_a_long_sequence_is_its_pieces_one_after_the_other(name):
    """Cut at places that are no multiple of any chunk."""
    length = MILLION // 8
    q, k, v = (torch.randn(1, length, 1, 2, dtype=torch.float64) for _ in range(3))
    a = torch.rand(1, length, 1, dtype=torch.float64)
    S = torch.randn(1, 1, 2, 2, dtype=torch.float64)
    whole, final = MATRIX[name](q, k, v, a, S)
    places = [0, 1, 6, 1000, 31_337, length - 3, length]
    parts = []
    for start, stop in itertools.pairwise(places):
        piece = slice(start, stop)
        o, S = MATRIX[name](q[:, piece], k[:, piece], v[:, piece], a[:, piece], S)
        parts.append(o)
    near(torch.cat(parts, 1), whole, 1e-12)
    near(S, final, 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("reverse", [False, True])
def test_every_step_of_a_long_recurrence_of_another_kind(reverse):
    x = torch.randn(MILLION, dtype=torch.float64) * 0.3
    h = kernels.associative_scan(
        clamped, (x, -1.0, 1.0), dim=0, step=clamp, initial_state=0.0, reverse=reverse
    )
    x, h = (x.flip(0), h.flip(0)) if reverse else (x, h)
    before = torch.cat([torch.zeros(1, dtype=torch.float64), h[:-1]])
    near(h, (before + x).clamp(-1, 1), 1e-9)
    assert h.abs().max() == 1


def test_a_long_fold_is_the_last_of_the_scan():
    a, b = gates(MILLION), torch.randn(MILLION, dtype=torch.float64)
    product, total = kernels.reduce(affine, (a, b), dim=0)
    near(total, kernels.linear_scan(a, b, dim=0)[-1], 1e-9)
    assert product == 0


# --------------------------------------------------------------------------------- reductions


@pytest.mark.parametrize("dtype", [*DTYPES, torch.bfloat16])
def test_long_rows(dtype):
    x = (torch.randn(3, MILLION, dtype=torch.float64) * 5 + 2).to(dtype).requires_grad_()
    wide = x.detach().double()
    eps = torch.finfo(dtype).eps
    near(kernels.online_softmax(x, -1).double(), wide.softmax(-1), 40 * eps)
    near(kernels.logsumexp(x, -1).double(), wide.logsumexp(-1), 4 * eps)
    mean, variance = kernels.welford(x, -1)
    near(mean.double(), wide.mean(-1), 40 * eps)
    away = wide - wide.mean(-1, keepdim=True)
    near(variance.double(), away.square().sum(-1) / (MILLION - 1), 40 * eps)
    (dx,) = torch.autograd.grad(variance.sum(), x)
    near(dx.double(), 2 * away / (MILLION - 1), 40 * eps)


def test_many_rows():
    x = torch.randn(MILLION, 3, dtype=torch.float64)
    near(kernels.online_softmax(x, -1), x.softmax(-1), 1e-14)
    near(kernels.welford(x, -1)[1], x.var(-1), 1e-13)
    a = gates(MILLION, 20)
    h = kernels.linear_scan(a, x[:, :1].expand(MILLION, 20), dim=1)
    near(h[::4999], linear.reference(a[::4999], x[::4999, :1].expand(-1, 20), dim=1), 1e-12)
    assert torch.equal(kernels.streaming_topk(x, 2)[0], x.sort(-1, descending=True)[0][:, :2])


@pytest.mark.parametrize("k", [1, 7, 5000])
def test_the_first_of_a_long_row(k):
    x = torch.randn(MILLION).mul(1000).round()  # with many equals
    values, places = kernels.streaming_topk(x, k, stable=True)
    expected = x.sort(descending=True, stable=True)
    assert torch.equal(values, expected.values[:k]) and torch.equal(places, expected.indices[:k])
    values, places = kernels.streaming_topk_chunks(x.split(77_777), k)
    assert torch.equal(values, expected.values[:k]) and torch.equal(x[places], values)


def test_a_long_convolution():
    x, h = torch.randn(MILLION, dtype=torch.float64), torch.randn(5000, dtype=torch.float64)
    found = kernels.fft_conv(x, h)
    for place in (0, 1, 4999, 5000, MILLION // 2, MILLION - 1):
        taps = min(place + 1, len(h))
        exact = (x[place - taps + 1 : place + 1].flip(0) * h[:taps]).sum()
        assert abs(found[place] - exact) < 1e-10 * found.abs().max()


# ---------------------------------------------------------------------------------- attention


def test_attention_to_a_window_of_a_long_sequence():
    q, k, v = (torch.randn(1, 1, MILLION // 8, 4) for _ in range(3))
    found = kernels.local_attention(q, k, v, window=(100, 3))
    for start in (0, 77_777, MILLION // 8 - 150):
        rows = slice(start, start + 150)
        near_by = slice(max(0, start - 100), start + 153)
        seen = local.band(150, 253 if start else 153, 100, 3)
        if start:  # the first of the keys is 100 places before the first of the queries
            seen = local.band(250, 253, 100, 3)[100:]
        keys = k[:, :, near_by].shape[-2]
        expected = attention.reference(
            q[:, :, rows], k[:, :, near_by], v[:, :, near_by], attn_mask=seen[:, :keys]
        )
        near(found[:, :, rows], expected, 1e-5)


def test_causal_attention_of_many_places_does_not_see_what_comes_later():
    q, k, v = (torch.randn(1, 1, 8192, 4) for _ in range(3))
    whole = kernels.flash_attention(q, k, v, is_causal=True)
    k[:, :, 5000:], v[:, :, 5000:] = 1e4, -1e4
    again = kernels.flash_attention(q, k, v, is_causal=True)
    assert torch.equal(whole[:, :, :5000], again[:, :, :5000])


def test_a_long_triangle():
    q, k, v = (torch.randn(20_000, 3, dtype=torch.float64) for _ in range(3))
    found = kernels.causal_product(q, k, v)
    for place in (0, 63, 64, 10_000, 19_999):
        exact = (q[place] @ k[: place + 1].T) @ v[: place + 1]
        near(found[place], exact, 1e-11)
