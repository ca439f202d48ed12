"""Scans and folds with any combine: laws of the operators, the chunks against the plain loop."""

from __future__ import annotations

import importlib

import pytest
import torch
from auditor.kernels import associative_scan, reduce
from operators import OPERATORS, affine, clamp, elements

from tests.compiled_paths import path  # noqa: F401

scan = importlib.import_module("auditor.kernels.associative_scan")
fold = importlib.import_module("auditor.kernels.reduce")

pytestmark = pytest.mark.usefixtures("path")

every_operator = pytest.mark.parametrize("operator", OPERATORS, ids=lambda each: each.name)
LENGTHS = (1, 2, 3, 5, 8, 15, 16, 17, 64)


@pytest.fixture(autouse=True)
def always_chunks(monkeypatch):
    torch.manual_seed(0)
    monkeypatch.setattr(scan, "SHORT_SEQUENCE", 0)
    monkeypatch.setattr(scan, "STEPS_IN_C", 0)


def assert_same(found, expected, tolerance=1e-10):
    for some, other in zip(found, expected, strict=True):
        assert some.shape == other.shape and some.dtype == other.dtype
        torch.testing.assert_close(some, other, rtol=tolerance, atol=tolerance)


@every_operator
def test_combine_is_associative(operator):
    one, two, three = (elements(operator, 50) for _ in range(3))
    combine = operator.combine
    assert_same(combine(combine(one, two), three), combine(one, combine(two, three)), 1e-9)


@every_operator
@pytest.mark.parametrize("reverse", [False, True])
def test_scan_is_the_loop(operator, reverse):
    for length in LENGTHS:
        given = elements(operator, 2, length, 3)
        expected = scan.reference(operator.combine, given, dim=1, reverse=reverse)
        found = associative_scan(operator.combine, given, dim=1, reverse=reverse)
        assert_same(found, expected, 1e-8)


@every_operator
def test_scan_may_be_split_anywhere(operator):
    given = elements(operator, 33, 2)
    whole = associative_scan(operator.combine, given, dim=0)
    for at in (1, 16, 32):
        before, after = zip(*(each.split((at, 33 - at)) for each in given), strict=True)
        first = associative_scan(operator.combine, before, dim=0)
        later = associative_scan(operator.combine, after, dim=0)
        carried = operator.combine(tuple(each[-1:] for each in first), later)
        assert_same([torch.cat(pair) for pair in zip(first, carried, strict=True)], whole, 1e-8)


@every_operator
def test_a_reversed_scan_is_the_scan_of_the_reversed(operator):
    given = elements(operator, 40, 2)
    found = associative_scan(operator.combine, given, dim=0, reverse=True)
    flipped = associative_scan(operator.combine, [each.flip(0) for each in given], dim=0)
    assert_same(found, [each.flip(0) for each in flipped])


@every_operator
def test_fold_is_the_loop(operator):
    for length in LENGTHS:
        given = elements(operator, 2, length, 3)
        expected = fold.reference(operator.combine, given, dim=-2)
        assert_same(reduce(operator.combine, given, dim=-2), expected, 1e-8)
        scanned = associative_scan(operator.combine, given, dim=1)
        assert_same([each[:, -1] for each in scanned], expected, 1e-8)


@every_operator
@pytest.mark.parametrize("reverse", [False, True])
def test_gradients_of_all_elements(operator, reverse):
    given = elements(operator, 11)
    flags, values = given[: operator.flags], given[operator.flags :]
    values = tuple(each.requires_grad_() for each in values)

    def run(*parts):
        whole = associative_scan(operator.combine, (*flags, *parts), dim=0, reverse=reverse)
        return whole[operator.flags :]

    assert torch.autograd.gradcheck(run, values, fast_mode=True)
    if not reverse:
        assert torch.autograd.gradcheck(
            lambda *parts: reduce(operator.combine, (*flags, *parts), dim=0)[operator.flags :],
            values,
            fast_mode=True,
        )


def test_gradients_when_only_one_output_is_used():
    a, b = (each.requires_grad_() for each in elements(OPERATORS[0], 30, 2))
    found = torch.autograd.grad(associative_scan(affine, (a, b), dim=0)[1].sum(), (a, b))
    loop = torch.autograd.grad(scan.reference(affine, (a, b), dim=0)[1].sum(), (a, b))
    assert all(each.abs().sum() > 0 for each in found)
    assert_same(found, loop)


def step(h, element):
    shift, low, high = element
    return torch.minimum(torch.maximum(h + shift, low), high)


RECURRENCE = {"step": step, "output_final_state": True}


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("length", LENGTHS)
def test_recurrence_is_the_loop(length, reverse):
    x = torch.randn(2, length, 3, dtype=torch.float64, requires_grad=True)
    start = torch.rand(3, dtype=torch.float64, requires_grad=True)
    low = torch.tensor(-0.5, dtype=torch.float64, requires_grad=True)
    results = []
    for run in (associative_scan, scan.reference):
        found = run(clamp, (x, low, 1), dim=1, reverse=reverse, initial_state=start, **RECURRENCE)
        weights = [torch.linspace(0, 1, each.numel()).view(each.shape).to(each) for each in found]
        results.append((*found, *torch.autograd.grad(found, (x, start, low), weights)))
    assert_same(*results)


def test_gradients_twice():
    x = torch.randn(2, 11, dtype=torch.float64, requires_grad=True)
    start = torch.rand(2, dtype=torch.float64, requires_grad=True)

    def run(x, start):
        return associative_scan(
            affine, (torch.sin(x), x), dim=1, step=lambda h, e: e[0] * h + e[1], initial_state=start
        )

    assert torch.autograd.gradcheck(run, (x, start))
    assert torch.autograd.gradgradcheck(run, (x, start))


@pytest.mark.parametrize("shape, dim", [((0, 4), 0), ((4, 0), 0), ((4, 0), 1), ((0,), 0)])
def test_empty(shape, dim):
    x = torch.randn(shape)
    states, _ = associative_scan(clamp, (x, 0.0, 1.0), dim=dim, initial_state=0.5, **RECURRENCE)
    assert states.shape == x.shape and states.dtype == x.dtype
    assert [each.shape for each in associative_scan(affine, (x, x), dim=dim)] == [shape, shape]


def test_views_and_broadcasts():
    wide = torch.randn(3, 40, 4, dtype=torch.float64)
    for x in (wide.transpose(0, 2), wide[:, ::2], wide[:1].expand(5, 40, 4)):
        low = torch.randn(x.shape[-1], dtype=torch.float64)
        given = {"dim": 1, "initial_state": torch.zeros(()), **RECURRENCE}
        found = associative_scan(clamp, (x, low, low + 1), **given)
        assert_same(found, scan.reference(clamp, (x, low, low + 1), **given))
        assert found[0].is_contiguous()


def test_a_state_with_more_axes_than_the_elements():
    x = torch.randn(50, dtype=torch.float64)
    given = {"dim": 0, "initial_state": torch.rand(2, 3, dtype=torch.float64), **RECURRENCE}
    found = associative_scan(clamp, (x, 0, 1), **given)
    assert found[0].shape == (50, 2, 3)
    assert_same(found, scan.reference(clamp, (x, 0, 1), **given))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_dtypes(dtype):
    x = torch.randn(2, 200, 3).to(dtype)
    given = {"dim": 1, "step": step}
    start = torch.zeros(3, dtype=dtype)
    found = associative_scan(clamp, (x, 0.0, 1.0), initial_state=start, **given)
    eager = scan.reference(clamp, (x, 0.0, 1.0), initial_state=start, **given)
    exact = scan.reference(clamp, (x.double(), 0.0, 1.0), initial_state=start.double(), **given)
    assert found.dtype == eager.dtype == dtype
    limit = 2 * (eager - exact).abs().max() + 4 * torch.finfo(dtype).eps * exact.abs().max()
    assert (found - exact).abs().max() <= limit


@pytest.mark.parametrize("other", [torch.float64, torch.int64, torch.float16])
def test_mixed_dtypes_are_those_of_the_loop(other):
    x = torch.randn(60, 3)
    for low, start in ((torch.zeros(3).to(other), torch.zeros(3)), (0, torch.zeros(3).to(other))):
        given = {"dim": 0, "initial_state": start, **RECURRENCE}
        assert_same(
            associative_scan(clamp, (x, low, 1), **given),
            scan.reference(clamp, (x, low, 1), **given),
            1e-3,
        )


@pytest.mark.parametrize("dtype", [torch.int32, torch.uint8, torch.int64])
def test_whole_numbers_beside_integers_keep_their_type(dtype):
    x = torch.randint(0, 3, (60, 3)).to(dtype)
    start = torch.zeros(3, dtype=dtype)
    found = associative_scan(clamp, (x, 0, 9), dim=0, initial_state=start, **RECURRENCE)
    h, rows = start, []
    for row in x:
        h = torch.clamp(h + row, 0, 9)
        rows.append(h)
    assert_same(found, (torch.stack(rows), h))
    wide = associative_scan(clamp, (x, 0, 1 << 40), dim=0, initial_state=start, **RECURRENCE)
    assert wide[0].dtype == torch.int64  # the number does not fit into the others' type


def test_integers_do_not_wrap_where_the_loop_does_not():
    x = torch.tensor([2**62, -(2**62)] * 40)
    given = {"dim": 0, "initial_state": torch.tensor(0), **RECURRENCE}
    assert_same(
        associative_scan(clamp, (x, 0, 9), **given), scan.reference(clamp, (x, 0, 9), **given)
    )


def test_products_do_not_overflow_where_the_loop_does_not():
    a, b = torch.full((100,), 1e30), torch.zeros(100)
    found = associative_scan(
        affine, (a, b), dim=0, step=lambda h, e: e[0] * h + e[1], initial_state=0.0
    )
    assert torch.equal(found, b)


def test_infinite_bounds_as_numbers():
    def clamped(first, second):
        (a, low, high), (b, least, most) = first, second
        ends = b * low, b * high
        low, high = torch.minimum(*ends), torch.maximum(*ends)
        return (
            a * b,
            torch.minimum(torch.maximum(low, least), most),
            torch.minimum(torch.maximum(high, least), most),
        )

    def run(h, element):
        scale, low, high = element
        return torch.minimum(torch.maximum(scale * h, low), high)

    scale = torch.tensor([0.5, 0.0, -0.5, 0.9] * 30, requires_grad=True)
    x = torch.randn(120, requires_grad=True)
    calls = []
    for function in (associative_scan, scan.reference):
        found = function(clamped, (scale, x, float("inf")), dim=0, step=run, initial_state=1.0)
        calls.append((found, *torch.autograd.grad(found.sum(), (scale, x))))
    assert_same(*calls, 1e-5)
    call, *_ = scan._read(clamped, (scale, x, float("inf")), 0, False, run, 1.0)
    assert scan._in_chunks(call) is not None


@pytest.mark.parametrize("start", [1.0, float("inf"), float("-inf")])
@pytest.mark.parametrize("where", [None, 3, 70, 119])
@pytest.mark.parametrize("infinite", [float("inf"), float("-inf")])
@pytest.mark.parametrize("wanted", [False, True])
def test_states_pass_infinite_bounds(start, where, infinite, wanted):
    def greatest(first, second):
        (a, low, high), (b, least, most) = first, second
        return (
            a * b,
            torch.minimum(torch.maximum(b * low, least), most),
            torch.minimum(torch.maximum(b * high, least), most),
        )

    def run(h, element):
        scale, low, high = element
        return torch.minimum(torch.maximum(scale * h, low), high)

    x = torch.randn(120)
    if where is not None:
        x[where] = infinite
    call = (greatest, (0.5, x.requires_grad_(wanted), float("inf")))
    expected = torch.tensor(start)
    for step, found in enumerate(associative_scan(*call, dim=0, step=run, initial_state=start)):
        expected = torch.maximum(0.5 * expected, x[step])
        torch.testing.assert_close(found, expected)


def test_no_result_is_written_before_it_is_read():
    x = torch.rand(2, 64, 3, requires_grad=True)
    found = associative_scan(clamp, (x, 0.0, 9.0), dim=1, step=step, initial_state=0.0)
    found.data.fill_(7)
    assert torch.isfinite(torch.autograd.grad(found.sum(), x)[0]).all()


@pytest.mark.parametrize("run", [associative_scan, scan.reference])
def test_errors(run):
    x = torch.randn(4, 3)
    with pytest.raises(IndexError):
        run(affine, (x, x), dim=2)
    with pytest.raises(TypeError):
        run(affine, (0.5, 1.0), dim=0)
    with pytest.raises(TypeError):
        run(affine, (x, x), dim=0, initial_state=x[0])
    with pytest.raises(RuntimeError):
        run(affine, (x, torch.randn(4, 2)), dim=0)
    with pytest.raises(ValueError, match="no elements"):
        reduce(affine, (x[:0], x[:0]), dim=0)


def test_a_combine_of_tensors():
    m = torch.randn(70, 3, 3, dtype=torch.float64) * 0.5
    found = associative_scan(lambda first, second: second @ first, m, dim=0)
    expected = scan.reference(lambda first, second: second @ first, m, dim=0)
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(reduce(lambda first, second: second @ first, m, dim=0), found[-1])


@pytest.mark.parametrize("dtype", (torch.float32, torch.float64))
def test_the_sign_of_zero_is_that_of_the_loop(dtype):
    steps = {
        "relu": torch.relu,
        "clamp": lambda x: torch.clamp(x, 0, 1),
        "low": lambda x: torch.clamp(x, min=0.0),
        "high": lambda x: torch.clamp(x, max=0.0),
        "negative high": lambda x: torch.clamp(x, -1, -0.0),
    }
    values = torch.tensor([-0.0, 0.0, 1.5, -1.5, float("nan")], dtype=dtype)
    x = values.repeat(67)[:330].view(30, 11)
    start = torch.zeros(11, dtype=dtype)
    for name, function in steps.items():

        def step(h, x, function=function):
            return function(x)

        call, *_ = scan._read(lambda a, b: b, x, 0, False, step, start)
        found = scan.in_c(call, (x,), (start,))
        if found is None:
            pytest.skip("no compiled library")
        expected = torch.stack([step(None, row) for row in x])
        assert torch.equal(found[0][0].isnan(), expected.isnan()), name
        assert torch.equal(found[0][0].nan_to_num(9.0), expected.nan_to_num(9.0)), name
        signs = torch.signbit(found[0][0]) == torch.signbit(expected)
        assert torch.all(signs | expected.isnan()), name


def test_no_elements_have_no_final_state():
    """Memory that nobody wrote was one."""
    nothing = torch.zeros(2, 0, 3)
    assert associative_scan(torch.add, nothing, dim=1).shape == (2, 0, 3)
    for scan_of in (associative_scan, scan.reference):
        with pytest.raises(ValueError, match="no elements"):
            scan_of(torch.add, nothing, dim=1, output_final_state=True)
