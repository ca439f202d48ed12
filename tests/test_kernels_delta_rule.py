"""The delta rule in chunks against the plain loop: values, gradients, shapes, dtypes, errors."""

from __future__ import annotations

import importlib

import pytest
import torch
from test_kernels import DTYPES, assert_close, assert_within_rule, grads, widen

from auditor import kernels

delta = importlib.import_module("auditor.kernels.delta_rule")
chunks = importlib.import_module("auditor.kernels.linear_attention_chunks")

B, H, D, E = 2, 3, 5, 4

DECAYS = {
    "none": lambda *shape: None,
    "gates": lambda *shape: torch.rand(*shape),
    "signs": lambda *shape: torch.rand(*shape) * 2 - 1,
    "resets": lambda *shape: (torch.rand(*shape) > 0.3).double(),
    "tiny": lambda *shape: torch.rand(*shape) * 1e-30,
    "growing": lambda *shape: torch.rand(*shape) * 1.3,
}


@pytest.fixture(autouse=True)
def chunks_of_short_sequences(monkeypatch):
    monkeypatch.setattr(delta, "SHORT_SEQUENCE", 0)
    torch.manual_seed(0)


def operands(length, kind="gates", dtype=torch.float64, initial=True):
    """q, k, v, beta, the options, and all of them that have gradients."""
    q, k = torch.randn(2, B, length, H, D, dtype=torch.float64)
    k = torch.nn.functional.normalize(k, dim=-1)
    v = torch.randn(B, length, H, E, dtype=torch.float64)
    beta = torch.rand(B, length, H, dtype=torch.float64)
    decay = DECAYS[kind](B, length, H)
    start = torch.randn(B, H, D, E) if initial else None
    given = [None if x is None else x.to(dtype).requires_grad_() for x in
             (q, k, v, beta, decay, start)]  # fmt: skip
    options = {"decay": given[4], "initial_state": given[5], "output_final_state": True}
    return given[:4], options, [each for each in given if each is not None]


@pytest.fixture
def in_chunks(monkeypatch):
    """Whether each call was taken in chunks."""
    calls = []
    run = delta._in_chunks

    def watched(*given):
        found = run(*given)
        calls.append(found is not None)
        return found

    monkeypatch.setattr(delta, "_in_chunks", watched)
    return calls


def test_transitions_compose():
    """The loop over two halves is the loop: affine maps of the state, with dense transitions."""
    (q, k, v, beta), options, _ = operands(7)
    a, S = options["decay"], options["initial_state"]
    eye = torch.eye(D, dtype=torch.float64)
    transition, added = eye.expand(B, H, D, D), torch.zeros(B, H, D, E, dtype=torch.float64)
    for t in range(7):
        key, rate = k[:, t, :, :, None], beta[:, t, :, None, None]
        step = a[:, t, :, None, None] * (eye - rate * key * key.mT)
        transition, added = step @ transition, step @ added + rate * key * v[:, t, :, None]
    final = delta.reference(q, k, v, beta, **options)[1]
    torch.testing.assert_close(final, transition @ S + added)


@pytest.mark.parametrize("kind", DECAYS)
@pytest.mark.parametrize("length", [1, 2, 17, 63, 64, 65, 130])
def test_delta_rule_is_the_loop(length, kind, in_chunks):
    rows, options, leaves = operands(length, kind, initial=length % 2 == 1)
    found = kernels.delta_rule(*rows, **options)
    assert in_chunks == [True]
    expected = delta.reference(*rows, **options)
    for some, other in zip(found, expected, strict=True):
        assert_close(some.detach(), other.detach(), 1e-12)
        assert some.is_contiguous()
    for some, other in zip(grads(found, leaves), grads(expected, leaves), strict=True):
        if other is not None:
            assert_close(some, other, 1e-11)


@pytest.mark.parametrize("kind", ["none", "gates"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_delta_rule_in_every_dtype(dtype, kind):
    rows, options, leaves = operands(150, kind, dtype)
    found = kernels.delta_rule(*rows, **options)
    exact_rows, wide = [widen(x) for x in rows], {key: widen(x) for key, x in options.items()}
    exact, eager = delta.reference(*exact_rows, **wide), delta.reference(*rows, **options)
    for some, plain, other in zip(found, eager, exact, strict=True):
        assert some.dtype == plain.dtype == dtype
        assert_close(some.detach(), other.detach(), delta.TOLERANCE[dtype][0])
        assert_within_rule(some.detach(), plain.detach(), other.detach())
    exact_leaves = [*exact_rows, *(x for x in wide.values() if isinstance(x, torch.Tensor))]
    for some, other in zip(grads(found, leaves), grads(exact, exact_leaves), strict=True):
        assert some.dtype == dtype
        assert_close(some, other, delta.TOLERANCE[dtype][1])


@pytest.mark.parametrize("cut", [1, 63, 64, 129])
def test_delta_rule_splits_anywhere(cut):
    rows, options, _ = operands(130)
    whole, final = kernels.delta_rule(*rows, **options)
    state, parts = options["initial_state"], []
    for part in (slice(None, cut), slice(cut, None)):
        more = {**options, "decay": options["decay"][:, part], "initial_state": state}
        o, state = kernels.delta_rule(*(each[:, part] for each in rows), **more)
        parts.append(o)
    torch.testing.assert_close(torch.cat(parts, 1), whole)
    torch.testing.assert_close(state, final)


def test_logarithms_and_scale():
    rows, _, _ = operands(70)
    g = -torch.rand(B, 70, H, dtype=torch.float64)
    found = kernels.delta_rule(*rows, g, scale=0.5)
    torch.testing.assert_close(found, delta.reference(*rows, decay=torch.exp(g), scale=0.5))
    with pytest.raises(ValueError, match="twice"):
        kernels.delta_rule(*rows, g, decay=g)


@pytest.mark.parametrize("kind", ["none", "gates"])
def test_from_the_last_step(kind, in_chunks):
    rows, options, leaves = operands(70, kind)
    found = kernels.delta_rule(*rows, reverse=True, **options)
    expected = delta.reference(*rows, reverse=True, **options)
    for some, other in zip(
        (*found, *grads(found, leaves)), (*expected, *grads(expected, leaves)), strict=True
    ):
        torch.testing.assert_close(some, other)
    assert in_chunks == [True]


@pytest.mark.parametrize("dim", [0, 2, -2, -3])
def test_the_sequence_may_be_any_axis(dim, in_chunks):
    rows, options, _ = operands(70)
    place = dim % 4
    moved = [each.movedim(1, place) for each in (*rows, options["decay"])]
    found = kernels.delta_rule(*moved[:4], decay=moved[4], dim=dim)
    expected = delta.reference(*rows, decay=options["decay"])
    torch.testing.assert_close(found.movedim(place, 1), expected)
    assert in_chunks == [True]


def test_any_number_of_axes(in_chunks):
    q, k, v = (torch.randn(20, width) / 4 for width in (D, D, E))
    beta = torch.rand(20)
    found = kernels.delta_rule(q, k, v, beta, dim=0)
    torch.testing.assert_close(found, delta.reference(q, k, v, beta, dim=0))
    assert in_chunks == [True]


def test_keys_that_overshoot_run_the_loop(in_chunks):
    rows, options, _ = operands(40, "none", initial=False)
    rows[1] = rows[1] * 3
    found = kernels.delta_rule(*rows, **options)
    for some, other in zip(found, delta.reference(*rows, **options), strict=True):
        assert torch.equal(some, other)
    zero = [each * 0 if n == 2 else each for n, each in enumerate(rows)]
    zero[1] = zero[1] * 1e80
    assert kernels.delta_rule(*zero).eq(0).all()
    assert in_chunks == [False, False]


@pytest.mark.parametrize("missing", ["batch", "length", "channels", "width"])
def test_delta_rule_of_nothing(missing):
    sizes = {"batch": 2, "length": 20, "channels": 3, "width": 2, missing: 0}
    batch, length, channels, width = sizes.values()
    q, k = torch.randn(2, batch, length, H, channels)
    v, beta = torch.randn(batch, length, H, width), torch.rand(batch, length, H)
    found = kernels.delta_rule(q, k, v, beta, output_final_state=True)
    expected = delta.reference(q, k, v, beta, output_final_state=True)
    for some, other in zip(found, expected, strict=True):
        assert torch.equal(some, other) and some.dtype == other.dtype


def test_what_chunks_do_not_cover_runs_the_loop(in_chunks):
    rows, options, _ = operands(20)
    q, k, v, beta = rows
    for given, more in (
        ((torch.cat((q, q)), k[:1], v[:1], beta[:1]), {}),
        ((q.float(), k, v, beta), {}),
        ((q, k, v, (beta > 0.5).long()), {}),
        ((q, k, v, 1j), {}),
        (rows, {"initial_state": options["initial_state"][:1]}),
        (rows, {"initial_state": options["initial_state"].float()}),
        ([each.to(torch.complex128) for each in rows], {}),
    ):
        found = kernels.delta_rule(*given, **more)
        expected = delta.reference(*given, **more)
        assert torch.equal(found, expected) and found.dtype == expected.dtype
    assert in_chunks == []


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16])
def test_axes_and_numbers_broadcast(dtype, in_chunks):
    (q, k, v, beta), options, _ = operands(20, dtype=dtype)
    decay = options["decay"]
    cases = (
        ((q, k, v, 0.7), {}),
        ((q, k, v, beta), {"decay": 0.9}),
        ((q, k, v, beta[0, 0]), {"decay": decay[:, :, :1]}),
        ((q[:1], k, v[:, :, :1], beta[:, :1]), {"decay": decay[:1]}),
        ((q[0, 0], k[:, :, :1], v, beta), {"decay": torch.tensor(0.5, dtype=dtype)}),
        ((q, k[:, :, :1], v[:, :, :1], torch.tensor(0.5, dtype=dtype)), {"decay": decay}),
    )
    for rows, more in cases:
        found = kernels.delta_rule(*rows, output_final_state=True, **more)
        expected = delta.reference(*rows, output_final_state=True, **more)
        for some, other in zip(found, expected, strict=True):
            assert some.shape == other.shape and some.dtype == other.dtype
            tolerance = 1e-10 if dtype == torch.float64 else 1e-2
            torch.testing.assert_close(some, other, rtol=tolerance, atol=tolerance)
    assert in_chunks == [True] * len(cases)


def test_delta_rule_raises_what_the_loop_raises():
    (q, k, v, beta), _, _ = operands(20)
    for rows, options in (
        ((q[:, :6], k, v, beta), {}),
        ((q[..., :3], k, v, beta), {}),
        ((q, k, v, beta[..., :2]), {}),
        ((q, k, v, beta), {"initial_state": torch.rand(B, H, E, D)}),
        ((q, k, v, beta), {"dim": 3}),
        ((q, k, v, beta), {"dim": 7}),
    ):
        with pytest.raises(Exception) as expected:
            delta.reference(*rows, **options)
        with pytest.raises(type(expected.value)):
            kernels.delta_rule(*rows, **options)


@pytest.mark.parametrize("kind", ["none", "gates", "resets"])
def test_delta_rule_gradients_by_differences(kind, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK", 2)
    rows, options, _ = operands(5, kind)

    def small(tensor, *cut):
        return tensor.detach()[cut].clone().requires_grad_()

    one = slice(1)
    given = [small(each, one, slice(None), one, slice(2)) for each in rows[:3]]
    given += [small(rows[3], one, slice(None), one)]
    given += [small(options["initial_state"], one, one, slice(2), slice(2))]
    if kind != "none":
        given += [small(options["decay"], one, slice(None), one)]

    def run(q, k, v, beta, initial, decay=None):
        more = {"decay": decay, "initial_state": initial, "output_final_state": True}
        return kernels.delta_rule(q, k, v, beta, **more)

    assert torch.autograd.gradcheck(run, given)
    assert torch.autograd.gradgradcheck(run, given)


def test_short_sequences_run_the_loop(monkeypatch, in_chunks):
    monkeypatch.setattr(delta, "SHORT_SEQUENCE", 8)
    for length in (8, 9):
        rows, options, _ = operands(length)
        kernels.delta_rule(*rows, **options)
    assert in_chunks == [True]


def test_an_infinite_query_is_read_as_by_the_loop():
    q, k, v = (torch.rand(1, 30, 1, 3) for _ in range(3))
    k = torch.nn.functional.normalize(k, dim=-1)
    q[0, 0] = float("inf")
    found = kernels.delta_rule(q, k, v, 0.5)
    expected = delta.reference(q, k, v, 0.5)
    assert expected.isinf().any()
    assert torch.allclose(found, expected, equal_nan=True, rtol=1e-4, atol=1e-5)
