"""Linear attention on CPU against its reference: values, gradients, shapes, dtypes, errors."""

from __future__ import annotations

import importlib

import pytest
import torch
from test_kernels import (  # noqa: F401
    DTYPES,
    assert_close,
    assert_within_rule,
    grads,
    unwritten_memory_shows,
    widen,
)

from auditor import kernels

matrices = importlib.import_module("auditor.kernels.linear_attention")
pieces = importlib.import_module("auditor.kernels.linear_attention_chunks")
chunked = importlib.import_module("auditor.kernels.decayed_scores")

B, H, D, E = 2, 3, 5, 4

DECAYS = {
    "none": lambda length, dtype: None,
    "number": lambda length, dtype: 0.9,
    "negative number": lambda length, dtype: -0.8,
    "scalar tensor": lambda length, dtype: torch.tensor(0.7, dtype=dtype),
    "heads": lambda length, dtype: torch.rand(H, 1, 1, dtype=dtype),
    "steps": lambda length, dtype: torch.rand(B, length, H, 1, 1, dtype=dtype) * 2 - 1,
    "channels": lambda length, dtype: torch.rand(B, length, H, D, 1, dtype=dtype) * 2 - 1,
    "fixed channels": lambda length, dtype: torch.rand(H, D, 1, dtype=dtype),
    "resets": lambda length, dtype: (torch.rand(B, length, H, 1, 1) > 0.3).to(dtype),
    "zeros": lambda length, dtype: (torch.rand(B, length, H, D, 1) > 0.3).to(dtype),
    "tiny": lambda length, dtype: torch.rand(B, length, H, D, 1, dtype=dtype) * 1e-30,
    "growing": lambda length, dtype: torch.rand(B, length, H, 1, 1, dtype=dtype) * 3,
}


@pytest.fixture(autouse=True)
def operators_for_short_sequences(monkeypatch):
    monkeypatch.setattr(matrices, "SHORT_SEQUENCE", 0)
    torch.manual_seed(0)


def operands(length, kind="channels", dtype=torch.float64, with_initial=True):
    """q, k, v, the options, and the tensors among them that gradients are asked of."""
    complex_of = {torch.complex64: torch.float32, torch.complex128: torch.float64}
    q, k = (torch.randn(B, length, H, D, dtype=torch.float64).to(dtype) for _ in range(2))
    v = torch.randn(B, length, H, E, dtype=torch.float64).to(dtype)
    decay = DECAYS[kind](length, complex_of.get(dtype, dtype))
    if isinstance(decay, torch.Tensor) and dtype.is_complex:
        decay = decay.to(dtype)
    initial = torch.randn(B, H, D, E, dtype=torch.float64).to(dtype) if with_initial else None
    options = {"decay": decay, "initial_state": initial, "output_final_state": True}
    leaves = [q, k, v, *(each for each in (decay, initial) if isinstance(each, torch.Tensor))]
    for each in leaves:
        each.requires_grad_()
    return (q, k, v), options, leaves


def zeros_for_none(found, leaves):
    return [torch.zeros_like(x) if y is None else y for x, y in zip(leaves, found, strict=True)]


# ------------------------------------------------------------------------------------ the algebra


def compose(first, second):
    (a, U), (c, V) = first, second
    return c * a, c * U + V


def test_combine_is_associative_with_a_two_sided_identity():
    def element():
        k, v = torch.randn(D, 1, dtype=torch.float64), torch.randn(1, E, dtype=torch.float64)
        return torch.rand(D, 1, dtype=torch.float64), k * v

    one, two, three = element(), element(), element()
    identity = (torch.ones(D, 1, dtype=torch.float64), torch.zeros(D, E, dtype=torch.float64))
    assert not torch.allclose(compose(one, two)[1], compose(two, one)[1])
    left, right = compose(compose(one, two), three), compose(one, compose(two, three))
    for some, other in zip(left, right, strict=True):
        torch.testing.assert_close(some, other)
    for both in (compose(identity, one), compose(one, identity)):
        for some, other in zip(both, one, strict=True):
            torch.testing.assert_close(some, other)


@pytest.mark.parametrize("alike", [False, True])
@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("length", [1, 2, 4, 16])
def test_scores_meet_every_decay_in_between(length, width, alike):
    q, k = torch.randn(2, 2, 3, length, 3, dtype=torch.float64)
    a = torch.rand(2, 1 if alike else 3, length, width, dtype=torch.float64) * 2 - 1
    decays = chunked.decays(a)
    wide = a.expand(2, 3, length, 3)
    scores = decays.scores(q, k)
    for j in range(length):
        for i in range(length):
            between = wide[:, :, i + 1 : j + 1].prod(2) if i <= j else torch.zeros(())
            expected = (q[:, :, j] * k[:, :, i] * between).sum(-1)
            torch.testing.assert_close(scores[:, :, j, i], expected)
        upto, after = wide[:, :, : j + 1].prod(2), wide[:, :, j + 1 :].prod(2)
        torch.testing.assert_close(decays.prefix[:, :, j].expand_as(upto), upto)
        torch.testing.assert_close(decays.suffix[:, :, j].expand_as(after), after)


# ------------------------------------------------------------------------------------ the operator


@pytest.mark.parametrize("kind", DECAYS)
@pytest.mark.parametrize("length", [1, 2, 17, 63, 64, 65, 130])
def test_linear_attention_is_the_loop(length, kind):
    rows, options, leaves = operands(length, kind, with_initial=length % 2 == 1)
    found = kernels.linear_attention(*rows, **options)
    expected = matrices.reference(*rows, **options)
    for some, other in zip(found, expected, strict=True):
        assert_close(some.detach(), other.detach(), 1e-12)
        assert some.is_contiguous()
    exact = zeros_for_none(grads(expected, leaves), leaves)
    for some, other in zip(grads(found, leaves), exact, strict=True):
        assert_close(some, other, 1e-11)


@pytest.mark.parametrize("options", [{"exclusive": True}, {"reverse": True}, {"scale": 0.5}])
@pytest.mark.parametrize("kind", ["none", "heads", "channels"])
@pytest.mark.parametrize("with_initial", [False, True])
def test_linear_attention_with_options(kind, with_initial, options):
    rows, more, leaves = operands(70, kind, with_initial=with_initial)
    found = kernels.linear_attention(*rows, **more, **options)
    expected = matrices.reference(*rows, **more, **options)
    for some, other in zip(found, expected, strict=True):
        assert_close(some.detach(), other.detach(), 1e-12)
    exact = zeros_for_none(grads(expected, leaves), leaves)
    for some, other in zip(grads(found, leaves), exact, strict=True):
        assert_close(some, other, 1e-11)


@pytest.mark.parametrize("kind", ["number", "heads", "channels"])
@pytest.mark.parametrize("dtype", [*DTYPES, torch.complex64, torch.complex128])
def test_linear_attention_in_every_dtype(dtype, kind):
    rows, options, leaves = operands(150, kind, dtype)
    results = kernels.linear_attention(*rows, **options)
    wide = {key: widen(each) for key, each in options.items()}
    exact_rows = [widen(each) for each in rows]
    exact = matrices.reference(*exact_rows, **wide)
    eager = matrices.reference(*rows, **options)
    for some, plain, other in zip(results, eager, exact, strict=True):
        assert some.dtype == plain.dtype == dtype
        assert_close(some.detach(), other.detach(), matrices.TOLERANCE[dtype][0])
        if dtype.itemsize < 8:
            assert_within_rule(some.detach(), plain.detach(), other.detach())
    exact_leaves = [*exact_rows, *(e for e in wide.values() if isinstance(e, torch.Tensor))]
    for some, other in zip(grads(results, leaves), grads(exact, exact_leaves), strict=True):
        assert some.dtype == dtype
        assert_close(some, other, matrices.TOLERANCE[dtype][1])


@pytest.mark.parametrize("kind", ["heads", "channels"])
@pytest.mark.parametrize("cut", [1, 63, 64, 65, 129])
def test_linear_attention_splits_anywhere(cut, kind):
    (q, k, v), options, _ = operands(130, kind)
    decay, initial = options["decay"], options["initial_state"]
    whole, final = kernels.linear_attention(q, k, v, **options)
    parts = [decay, decay] if kind == "heads" else [decay[:, :cut], decay[:, cut:]]
    first, middle = kernels.linear_attention(
        *(each[:, :cut] for each in (q, k, v)),
        decay=parts[0],
        initial_state=initial,
        output_final_state=True,
    )
    second, last = kernels.linear_attention(
        *(each[:, cut:] for each in (q, k, v)),
        decay=parts[1],
        initial_state=middle,
        output_final_state=True,
    )
    torch.testing.assert_close(torch.cat((first, second), 1), whole)
    torch.testing.assert_close(last, final)


def test_logarithms_of_decays():
    (q, k, v), _, _ = operands(70)
    g = -torch.rand(B, 70, H, D, dtype=torch.float64)
    found = kernels.linear_attention(q, k, v, g)
    expected = kernels.linear_attention(q, k, v, decay=torch.exp(g)[..., None])
    torch.testing.assert_close(found, expected)
    with pytest.raises(ValueError, match="twice"):
        kernels.linear_attention(q, k, v, g, decay=0.5)


def test_decays_whose_products_underflow_or_overflow():
    (q, k, v), _, _ = operands(200, "none", torch.float32)
    for decay in (
        torch.full((1, 1, D, 1), 1e-3),
        torch.cat((torch.full((D - 1, 1), 1e-20), torch.ones(1, 1))),
        torch.tensor(0.0),
    ):
        found = kernels.linear_attention(q, k, v, decay=decay)
        exact = matrices.reference(*(widen(each) for each in (q, k, v)), decay=decay.double())
        assert_close(found, exact, matrices.TOLERANCE[torch.float32][0])
    late = k * (torch.arange(200) > 190)[:, None, None]
    found = kernels.linear_attention(q, late, v, decay=1e3)
    assert found.isfinite().all()
    torch.testing.assert_close(
        found, matrices.reference(q, late, v, decay=1e3), rtol=1e-4, atol=1e-4
    )


@pytest.mark.parametrize("dim", [0, 1, 2, -2])
def test_the_sequence_may_be_any_axis(dim):
    (q, k, v), options, _ = operands(70, "channels")
    place = dim % 3 if dim >= 0 else 4 + dim
    moved = [each.movedim(1, place) for each in (q, k, v)]
    decay = options["decay"].movedim(1, place)
    found = kernels.linear_attention(*moved, decay=decay, dim=dim)
    expected = kernels.linear_attention(q, k, v, decay=options["decay"])
    torch.testing.assert_close(found.movedim(place, 1), expected)


def test_axes_broadcast():
    q, k, v = torch.randn(2, 70, 3, 4), torch.randn(2, 70, 1, 4), torch.randn(1, 70, 1, 5)
    for options in (
        {},
        {"decay": torch.rand(70, 1, 4, 1)},
        {"decay": torch.rand(3, 1, 1)},
        {"decay": torch.rand(2, 1, 1, 1, 1)},
        {"initial_state": torch.randn(1, 4, 5)},
    ):
        options = {**options, "output_final_state": True}
        for rows in ((q, k, v), (k[:1], k, v), (q[:, :1], k, v), (q[0, :, :1], k, v)):
            found = kernels.linear_attention(*rows, **options)
            expected = matrices.reference(*rows, **options)
            for some, other in zip(found, expected, strict=True):
                assert some.shape == other.shape
                torch.testing.assert_close(some, other, rtol=1e-4, atol=1e-4)
    x = torch.randn(70, 8)
    found = kernels.linear_attention(x[:, ::2], x[:, 1::2], x.flip(0), dim=0)
    expected = matrices.reference(x[:, ::2], x[:, 1::2], x.flip(0), dim=0)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)


def test_what_decays_by_columns_runs_the_loop():
    (q, k, v), _, _ = operands(20, "none")
    decay = torch.rand(B, 20, H, 1, E, dtype=torch.float64)
    found = kernels.linear_attention(q, k, v, decay=decay)
    torch.testing.assert_close(found, matrices.reference(q, k, v, decay=decay))


@pytest.mark.parametrize(
    "shape", [(0, 5, 3, 2, 2), (2, 0, 3, 2, 2), (2, 5, 3, 0, 2), (2, 5, 3, 2, 0)]
)
def test_linear_attention_of_nothing(shape):
    batch, length, heads, channels, width = shape
    q, k = torch.randn(2, batch, length, heads, channels)
    v, initial = (
        torch.randn(batch, length, heads, width),
        torch.randn(batch, heads, channels, width),
    )
    for options in ({}, {"initial_state": initial}, {"decay": 0.5}, {"exclusive": True}):
        found = kernels.linear_attention(q, k, v, output_final_state=True, **options)
        expected = matrices.reference(q, k, v, output_final_state=True, **options)
        for some, other in zip(found, expected, strict=True):
            assert some.shape == other.shape and some.dtype == other.dtype
            torch.testing.assert_close(some, other)


@pytest.mark.parametrize("length", [4, 70])
@pytest.mark.parametrize("reverse", [False, True])
def test_linear_attention_starts_with_fewer_rows_than_it_goes_on_with(length, reverse):
    q, k, v = torch.randn(1, length, 3), *torch.randn(2, 2, length, 3)
    given = {"exclusive": True, "reverse": reverse}
    more = kernels.linear_attention(q.expand(2, -1, -1), k, v, **given)
    for initial in (None, torch.zeros(1, 3, 3), torch.zeros(3, 3)):
        found = kernels.linear_attention(q, k, v, initial_state=initial, **given)
        torch.testing.assert_close(found, more)


@pytest.mark.parametrize("which", range(5))
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.complex64, torch.int64])
def test_linear_attention_promotes_as_the_loop(which, dtype):
    (q, k, v), options, _ = operands(20, "channels", torch.float32)
    given = [each.detach() for each in (q, k, v, options["decay"], options["initial_state"])]
    given[which] = given[which].to(dtype)
    options = {"decay": given[3], "initial_state": given[4], "output_final_state": True}
    for some, other in zip(
        kernels.linear_attention(*given[:3], **options),
        matrices.reference(*given[:3], **options),
        strict=True,
    ):
        assert some.dtype == other.dtype
        tolerance = 2e-2 if dtype == torch.bfloat16 else 1e-4
        torch.testing.assert_close(some, other, rtol=tolerance, atol=tolerance)


def test_a_number_keeps_the_dtype_and_its_own_precision():
    q, k, v = torch.randn(3, 1, 300, 1, 4).bfloat16()
    for decay in (0.999, torch.tensor(0.999, dtype=torch.float64)):
        found = kernels.linear_attention(q, k, v, decay=decay)
        assert found.dtype == torch.bfloat16
        exact = matrices.reference(q.double(), k.double(), v.double(), decay=decay)
        assert_close(found, exact, matrices.TOLERANCE[torch.bfloat16][0])


def test_a_number_is_no_integer_where_keys_and_values_are():
    q, (k, v) = torch.randn(1, 5, 1, 2), torch.randint(0, 4, (2, 1, 5, 1, 2))
    found = kernels.linear_attention(q, k, v, initial_state=0.5)
    start = torch.full((1, 1, 2, 2), 0.5)
    torch.testing.assert_close(found, matrices.reference(q, k, v, initial_state=start))


def test_linear_attention_under_autocast_has_the_dtype_of_the_loop():
    (q, k, v), options, _ = operands(10, dtype=torch.bfloat16)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = kernels.linear_attention(q, k, v, **options)
        for some, other in zip(found, matrices.reference(q, k, v, **options), strict=True):
            assert some.dtype == other.dtype


def test_linear_attention_raises_what_the_loop_raises():
    (q, k, v), _, _ = operands(7, "none")
    for rows, options in (
        ((q[:, :6], k, v), {}),
        ((q[..., :3], k, v), {}),
        ((q, k[:, :, :2], v), {}),
        ((q, k, v), {"decay": torch.rand(7, H, 2, 1)}),
        ((q, k, v), {"initial_state": torch.rand(B, H, E, D)}),
        ((q, k, v), {"dim": 3}),
    ):
        with pytest.raises(Exception) as expected:
            matrices.reference(*rows, **options)
        with pytest.raises(type(expected.value)):
            kernels.linear_attention(*rows, **options)


def test_results_may_be_overwritten_before_the_backward_pass():
    rows, options, leaves = operands(70)
    o, final = kernels.linear_attention(*rows, **options)
    o += 1
    final *= 2
    expected = matrices.reference(*rows, **options)
    weights = grads((expected[0] + 1, expected[1] * 2), leaves)
    for some, other in zip(grads((o, final), leaves), weights, strict=True):
        torch.testing.assert_close(some, other)


@pytest.mark.parametrize(
    "kind, dtype",
    [
        ("none", torch.float64),
        ("heads", torch.float64),
        ("steps", torch.float64),
        ("zeros", torch.float64),
        ("steps", torch.complex128),
        ("channels", torch.complex128),
    ],
)
def test_linear_attention_gradients_by_differences(kind, dtype, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(matrices, "SHORT_SEQUENCE", 0)
    monkeypatch.setattr(pieces, "CHUNK", 2)
    rows, options, _ = operands(5, kind, dtype)

    def small(tensor):
        """One batch, one head, two channels."""
        return tensor.detach()[:1, :, :1, :2].clone().requires_grad_()

    decay, initial = options["decay"], options["initial_state"]
    chosen = [*map(small, rows), initial.detach()[:1, :1, :2, :2].clone().requires_grad_()]
    if isinstance(decay, torch.Tensor):
        decay = decay.detach()[:1] if kind == "heads" else small(decay)
        chosen.append(decay.requires_grad_())

    def run(q, k, v, initial, decay=None):
        return kernels.linear_attention(
            q, k, v, decay=decay, initial_state=initial, output_final_state=True
        )

    assert torch.autograd.gradcheck(run, chosen)
    if dtype == torch.float64:
        assert torch.autograd.gradgradcheck(run, chosen)


def test_backward_twice_gives_the_same():
    rows, options, leaves = operands(70)
    total = sum(each.square().sum() for each in kernels.linear_attention(*rows, **options))
    first = torch.autograd.grad(total, leaves, retain_graph=True)
    for some, other in zip(first, torch.autograd.grad(total, leaves), strict=True):
        assert torch.equal(some, other)


def test_compiles_as_one_operator(monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(matrices, "SHORT_SEQUENCE", 0)
    rows, options, leaves = operands(20, dtype=torch.float32)

    def run(*rows):
        return kernels.linear_attention(*rows, **options)

    compiled = torch.compile(run, fullgraph=True, backend="aot_eager")
    found, expected = compiled(*rows), run(*rows)
    for some, other in zip(found, expected, strict=True):
        torch.testing.assert_close(some, other)
    for some, other in zip(grads(found, leaves), grads(expected, leaves), strict=True):
        torch.testing.assert_close(some, other)


@pytest.mark.parametrize("kind", ["none", "one", "alike", "channels"])
def test_opcheck_of_linear_attention(kind, monkeypatch):
    monkeypatch.undo()
    shapes = {"one": (2, 6, 1), "alike": (2, 1, 3), "channels": (2, 6, 3)}
    q, k = (torch.randn(2, 6, 3, requires_grad=True) for _ in range(2))
    v = torch.randn(2, 6, 4, requires_grad=True)
    decay = None if kind == "none" else torch.rand(shapes[kind], requires_grad=True)
    for initial in (None, torch.randn(2, 3, 4, requires_grad=True)):
        torch.library.opcheck(
            torch.ops.auditor.linear_attention.default,
            (q, k, v, decay, initial, torch.float32, torch.float32),
        )
        torch.library.opcheck(
            torch.ops.auditor.linear_attention_backward.default,
            tuple(
                None if each is None else each.detach()
                for each in (torch.randn(2, 6, 4), initial, q, k, v, decay, initial)
            ),
        )


def test_short_sequences_run_the_loop(monkeypatch):
    monkeypatch.setattr(matrices, "SHORT_SEQUENCE", 4)

    def refuse(*_):
        raise AssertionError("the operator ran")

    monkeypatch.setattr(matrices, "_forward", refuse)
    monkeypatch.setattr(matrices, "_computed", refuse)
    (q, k, v), options, _ = operands(4)
    kernels.linear_attention(q, k, v, **options)
    with pytest.raises(AssertionError, match="the operator ran"):
        (q, k, v), options, _ = operands(13)
        kernels.linear_attention(q, k, v, **options)


@pytest.mark.parametrize("large", [float("inf"), 1e38])
def test_a_large_query_is_read_as_by_the_loop(large):
    """Scores of a query overflow where its product with the state does not; an infinite query
    meets zeros in scores and in the state before the first step."""
    q, k, v = (torch.rand(1, 70, 1, 3) for _ in range(3))
    q[0, 3, 0] = large
    found = kernels.linear_attention(q, 10 * k, v / 1000)
    expected = matrices.reference(q, 10 * k, v / 1000)
    assert not expected.isnan().any()
    assert torch.allclose(found, expected, rtol=1e-4, atol=1e-5)
