"""The kernels on CPU against their references: values, gradients, shapes, dtypes, errors."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest
import torch

from auditor import kernels
from tests.compiled_paths import both_paths, path  # noqa: F401

linear = importlib.import_module("auditor.kernels.linear_scan")
selective = importlib.import_module("auditor.kernels.selective_scan")
softmax = importlib.import_module("auditor.kernels.online_softmax")
attention = importlib.import_module("auditor.kernels.flash_attention")
topk = importlib.import_module("auditor.kernels.streaming_topk")
moments = importlib.import_module("auditor.kernels.welford")
rows = importlib.import_module("auditor.kernels.scan_rows")

DTYPES = [torch.float64, torch.float32, torch.float16, torch.bfloat16]


@pytest.fixture(autouse=True)
def operators_for_short_sequences(monkeypatch):
    """Lengths below the guard run the operator too, so that its edge cases are tested."""
    monkeypatch.setattr(linear, "SHORT_SEQUENCE", 0)
    monkeypatch.setattr(selective, "SHORT_SEQUENCE", 0)
    monkeypatch.setattr(linear, "CHUNK_ELEMENTS", 128)
    torch.manual_seed(0)


@pytest.fixture(autouse=True)
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def unwritten_memory_shows(monkeypatch):
    """Every uninitialised floating tensor holds NaN."""
    empty, empty_like, new_empty = torch.empty, torch.empty_like, torch.Tensor.new_empty

    def poisoned(make):
        def make_poisoned(*args, **kwargs):
            tensor = make(*args, **kwargs)
            if tensor.is_floating_point() or tensor.is_complex():
                tensor.fill_(float("nan"))
            return tensor

        return make_poisoned

    if not torch.compiler.is_compiling():
        monkeypatch.setattr(torch, "empty", poisoned(empty))
        monkeypatch.setattr(torch, "empty_like", poisoned(empty_like))
        monkeypatch.setattr(torch.Tensor, "new_empty", poisoned(new_empty))


def assert_close(actual, expected, tolerance):
    assert actual.shape == expected.shape
    error = (actual.to(expected.dtype) - expected).abs().max() if expected.numel() else 0.0
    scale = expected.abs().max() if expected.numel() else 0.0
    assert error <= tolerance * scale + tolerance * 1e-3, f"{error} of {scale}"


def assert_within_rule(actual, eager, exact, factor=2):
    """The kernel is as exact as eager code of its dtype, within a factor and four eps."""
    eps = torch.finfo(actual.dtype).eps
    limit = factor * (eager - exact).abs().max() + 4 * eps * exact.abs().max()
    assert (actual - exact).abs().max() <= limit


def grads(results, operands):
    results = [each for each in results if each is not None and each.requires_grad]
    operands = [each for each in operands if each is not None]
    weights = [torch.linspace(-1, 1, each.numel()).view(each.shape).to(each) for each in results]
    return torch.autograd.grad(results, operands, weights, allow_unused=True)


def widen(operand):
    if operand is None or not isinstance(operand, torch.Tensor):
        return operand
    wide = torch.complex128 if operand.is_complex() else torch.float64
    return operand.detach().to(wide).requires_grad_()


# ------------------------------------------------------------------------------------ the algebra


def compose(first, second):
    (a, b), (c, d) = first, second
    return c * a, c * b + d


def test_combine_is_associative_with_a_two_sided_identity():
    one, two, three = (tuple(torch.randn(2, 5, dtype=torch.float64)) for _ in range(3))
    identity = (torch.ones(5, dtype=torch.float64), torch.zeros(5, dtype=torch.float64))
    assert not torch.allclose(compose(one, two)[1], compose(two, one)[1])
    left, right = compose(compose(one, two), three), compose(one, compose(two, three))
    for some, other in zip(left, right, strict=True):
        torch.testing.assert_close(some, other)
    for both in (compose(identity, one), compose(one, identity)):
        torch.testing.assert_close(both, one)


@pytest.mark.parametrize("levels", range(5))
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 8, 15, 16, 17, 33])
def test_rows_are_the_loop_at_any_number_of_halvings(length, levels):
    gates, drive = torch.randn(2, length, 3, dtype=torch.float64)
    expected = linear.reference(gates, drive, dim=0)
    forward = drive.clone()
    rows.scan_rows_(gates.clone(), forward, levels)
    torch.testing.assert_close(forward, expected)
    backward = drive.flip(0)
    rows.scan_rows_reverse_(gates.flip(0), backward, levels)
    torch.testing.assert_close(backward.flip(0), expected)


def test_halvings_stop_before_a_product_overflows():
    assert rows.safe_levels(-1.0, 3, torch.float32) == 3
    assert rows.safe_levels(float("nan"), 3, torch.float32) == 0
    assert rows.safe_levels(80.0, 3, torch.float32) == 0
    for log_gate in (0.1, 1.0, 5.0, 20.0):
        assert 2 ** rows.safe_levels(log_gate, 20, torch.float32) * log_gate < 88


# ------------------------------------------------------------------------------------ linear scan

LINEAR_SHAPES = [
    ((1,), 0),
    ((2,), 0),
    ((127,), 0),
    ((128,), 0),
    ((129,), 0),
    ((700,), -1),
    ((3, 50, 5), 1),
    ((3, 50, 5), -2),
    ((50, 3, 5), 0),
    ((3, 5, 50), 2),
    ((7, 5000), 0),
    ((2, 9, 2500), 1),
    ((0, 4), 1),
    ((4, 0), 1),
    ((4, 0), 0),
]


def linear_operands(shape, dim, dtype, with_initial):
    a = (torch.rand(shape, dtype=torch.float64) * 2 - 1).to(dtype).requires_grad_()
    b = torch.randn(shape, dtype=torch.float64).to(dtype).requires_grad_()
    rest = list(shape)
    rest.pop(dim)
    initial = None
    if with_initial:
        initial = torch.randn(rest, dtype=torch.float64).to(dtype).requires_grad_()
    return a, b, initial


@both_paths
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("with_initial", [False, True])
@pytest.mark.parametrize("shape, dim", LINEAR_SHAPES)
def test_linear_scan_is_the_loop(shape, dim, with_initial, reverse):
    a, b, initial = linear_operands(shape, dim, torch.float64, with_initial)
    options = {"dim": dim, "reverse": reverse, "output_final_state": True}
    h, final = kernels.linear_scan(a, b, initial, **options)
    if shape[dim] == 0:
        assert h.shape == b.shape
        torch.testing.assert_close(final, torch.zeros_like(final) if initial is None else initial)
        assert final.requires_grad or initial is None or final.numel() == 0
        return
    expected = linear.reference(a, b, initial, **options)
    for some, other in zip((h, final), expected, strict=True):
        assert_close(some.detach(), other.detach(), 1e-12)
        assert some.is_contiguous()
    found = grads((h, final), (a, b, initial))
    for some, other in zip(found, grads(expected, (a, b, initial)), strict=True):
        assert_close(some, torch.zeros_like(some) if other is None else other, 1e-11)


@both_paths
@pytest.mark.parametrize("dtype", [*DTYPES, torch.complex64, torch.complex128])
@pytest.mark.parametrize("reverse", [False, True])
def test_linear_scan_in_every_dtype(dtype, reverse):
    a, b, initial = linear_operands((2, 300, 3), 1, dtype, True)
    options = {"dim": 1, "reverse": reverse, "output_final_state": True}
    results = kernels.linear_scan(a, b, initial, **options)
    exact_operands = [widen(each) for each in (a, b, initial)]
    exact = linear.reference(*exact_operands, **options)
    eager = linear.reference(a, b, initial, **options)
    for some, plain, other in zip(results, eager, exact, strict=True):
        assert some.dtype == dtype
        assert_close(some.detach(), other.detach(), linear.TOLERANCE[dtype][0])
        if dtype.itemsize < 8:
            assert_within_rule(some.detach(), plain.detach(), other.detach())
    found = grads(results, (a, b, initial))
    for some, other in zip(found, grads(exact, exact_operands), strict=True):
        assert some.dtype == dtype
        assert_close(some, other, linear.TOLERANCE[dtype][1])


@both_paths
@pytest.mark.parametrize("cut", [1, 2, 63, 64, 65, 129])
def test_linear_scan_splits_anywhere(cut):
    a, b, initial = linear_operands((130, 3), 0, torch.float64, True)
    whole, final = kernels.linear_scan(a, b, initial, dim=0, output_final_state=True)
    first, middle = kernels.linear_scan(a[:cut], b[:cut], initial, dim=0, output_final_state=True)
    second, last = kernels.linear_scan(a[cut:], b[cut:], middle, dim=0, output_final_state=True)
    torch.testing.assert_close(torch.cat((first, second)), whole)
    torch.testing.assert_close(last, final)


@both_paths
def test_linear_scan_reversed_is_the_scan_of_the_reversed():
    a, b, initial = linear_operands((3, 100), 1, torch.float64, True)
    forward = kernels.linear_scan(a.flip(1), b.flip(1), initial[:,], dim=1)
    backward = kernels.linear_scan(a, b, initial, dim=1, reverse=True)
    torch.testing.assert_close(backward, forward.flip(1))


@both_paths
@pytest.mark.parametrize(
    "a, b, initial, dim",
    [
        (0.9, torch.randn(40), None, 0),
        (2, torch.arange(40), None, 0),
        (0.5, torch.arange(40), 1, 0),
        (0.9, torch.randn(40, dtype=torch.bfloat16), None, 0),
        (0.9 + 0.1j, torch.randn(40), None, 0),
        (torch.tensor(0.9), torch.randn(3, 40), 1.5, 1),
        (torch.tensor(0.9, dtype=torch.float64), torch.randn(40), None, 0),
        (torch.tensor(0.9, dtype=torch.float64), torch.randn(3, 40), None, 1),
        (torch.rand(40, 1), torch.randn(40, 3), torch.randn(3), 0),
        (torch.rand(3), torch.randn(40, 3), torch.randn(1), 0),
        (torch.rand(2, 40, 3), torch.randn(40, 1), None, 1),
        (torch.rand(40, 3), torch.randn(40, 3, dtype=torch.float64), None, 0),
        (torch.rand(40, 3), torch.randn(40, 3).half(), torch.randn(3).double(), 0),
        (torch.rand(3, 40).t(), torch.randn(3, 80).t()[::2], None, 0),
        (torch.rand(40), torch.randn(40) + 1j * torch.randn(40), None, 0),
        (torch.randint(-9, 9, (40,)), torch.randint(-9, 9, (40,)), None, 0),
        (torch.ones(40, dtype=torch.bool), torch.randn(40), None, 0),
        (torch.full((200, 2), 1e30), torch.zeros(200, 2), None, 0),
        (torch.full((64,), 1.5), torch.randn(64), None, 0),
        (torch.zeros(40, 3), torch.randn(40, 3), None, 0),
    ],
)
@pytest.mark.parametrize("reverse", [False, True])
def test_linear_scan_broadcasts_and_promotes_as_the_loop(a, b, initial, dim, reverse):
    options = {"dim": dim, "reverse": reverse, "output_final_state": True}
    found = kernels.linear_scan(a, b, initial, **options)
    expected = linear.reference(a, b, initial, **options)
    # The loop rounds half types at every step, the kernel once: values are compared with the loop
    # in single precision, types with the loop as it is.
    wide = linear.reference(*map(_widened, (a, b, initial)), **options)
    for some, other, exact in zip(found, expected, wide, strict=True):
        assert some.dtype == other.dtype
        tolerance = linear.TOLERANCE.get(other.dtype, (0.0, 0.0))[0]
        if some.is_floating_point() or some.is_complex():
            assert_close(some, exact.to(some.dtype), tolerance)
        else:
            assert torch.equal(some, other)


def _widened(value):
    narrow = isinstance(value, torch.Tensor) and value.dtype in (torch.float16, torch.bfloat16)
    return value.float() if narrow else value


@pytest.mark.parametrize(
    "a, b, dim",
    [
        (torch.rand(3), torch.rand(4), 0),
        (torch.rand(4), torch.rand(4), 1),
        (torch.rand(()), torch.rand(()), 0),
    ],
)
def test_linear_scan_raises_what_the_loop_raises(a, b, dim):
    with pytest.raises(Exception) as expected:
        linear.reference(a, b, dim=dim)
    with pytest.raises(type(expected.value)):
        kernels.linear_scan(a, b, dim=dim)


@both_paths
def test_linear_scan_result_may_be_overwritten_before_the_backward_pass():
    a, b, _ = linear_operands((50,), 0, torch.float64, False)
    h = kernels.linear_scan(a, b, dim=0)
    h += 1
    expected = grads((linear.reference(a, b, dim=0),), (a, b))
    for some, other in zip(grads((h,), (a, b)), expected, strict=True):
        torch.testing.assert_close(some, other)


@both_paths
@pytest.mark.parametrize("reverse", [False, True])
def test_linear_scan_gradients_by_differences(reverse, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(linear, "SHORT_SEQUENCE", 0)
    for dtype in (torch.float64, torch.complex128):
        operands = linear_operands((2, 5, 2), 1, dtype, True)

        def run(a, b, initial):
            return kernels.linear_scan(
                a, b, initial, dim=1, reverse=reverse, output_final_state=True
            )

        assert torch.autograd.gradcheck(run, operands)
        assert torch.autograd.gradgradcheck(run, operands)
    constant = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    drive = torch.randn(6, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(
        lambda a, b: kernels.linear_scan(a, b, dim=0), (constant, drive)
    )


# --------------------------------------------------------------------------------- selective scan


def selective_operands(batch, length, channels, states, groups=None, dtype=torch.float64):
    middle = () if groups is None else (groups,)

    def leaf(tensor):
        return tensor.to(dtype).requires_grad_()

    wide = torch.float64
    return [
        leaf(torch.randn(batch, length, channels, dtype=wide)),
        leaf(torch.rand(batch, length, channels, dtype=wide)),
        leaf(-torch.rand(channels, states, dtype=wide)),
        leaf(torch.randn(batch, length, *middle, states, dtype=wide)),
        leaf(torch.randn(batch, length, *middle, states, dtype=wide)),
        leaf(torch.randn(batch, channels, states, dtype=wide)),
    ]


@both_paths
@pytest.mark.parametrize("groups", [None, 1, 2, 6])
@pytest.mark.parametrize("length", [1, 2, 127, 128, 129, 261])
def test_selective_scan_is_the_loop(length, groups):
    operands = selective_operands(2, length, 6, 3, groups)
    found = kernels.selective_scan(*operands, output_final_state=True)
    expected = selective.reference(*operands, output_final_state=True)
    for some, other in zip(found, expected, strict=True):
        assert_close(some.detach(), other.detach(), 1e-12)
        assert some.is_contiguous()
    for some, other in zip(grads(found, operands), grads(expected, operands), strict=True):
        assert_close(some, other, 1e-11)


@both_paths
def test_selective_scan_in_blocks_of_the_batch(monkeypatch):
    monkeypatch.setattr(selective, "BLOCK_STATES", 32)
    monkeypatch.setattr(selective, "SMALL_STATES", 16)
    operands = selective_operands(5, 70, 4, 4)[:5]
    found, expected = kernels.selective_scan(*operands), selective.reference(*operands)
    torch.testing.assert_close(found, expected)
    for some, other in zip(grads((found,), operands), grads((expected,), operands), strict=True):
        assert_close(some, other, 1e-11)


@both_paths
@pytest.mark.parametrize("shape", [(0, 5, 3, 2), (2, 5, 0, 2), (2, 5, 3, 0)])
def test_selective_scan_of_nothing(shape):
    operands = selective_operands(*shape)
    found = kernels.selective_scan(*operands, output_final_state=True)
    expected = selective.reference(*operands, output_final_state=True)
    for some, other in zip(found, expected, strict=True):
        torch.testing.assert_close(some, other)
    for some, other in zip(grads(found, operands), grads(expected, operands), strict=True):
        torch.testing.assert_close(some, other)


@both_paths
def test_selective_scan_of_no_steps_keeps_the_state():
    operands = selective_operands(2, 0, 3, 4)
    y, final = kernels.selective_scan(*operands, output_final_state=True)
    assert y.shape == (2, 0, 3)
    torch.testing.assert_close(final, operands[5])
    (found,) = torch.autograd.grad(final.sum(), operands[5])
    torch.testing.assert_close(found, torch.ones_like(found))
    none = kernels.selective_scan(*operands[:5], output_final_state=True)[1]
    assert torch.equal(none, torch.zeros(2, 3, 4, dtype=torch.float64))
    mixed = [operands[0].detach().half(), *(each.detach() for each in operands[1:5])]
    final = kernels.selective_scan(*mixed, output_final_state=True)[1]
    assert final.dtype == torch.float16  # no step has made it wider


def test_a_number_is_no_integer_where_a_selective_scan_adds_integers():
    whole = [torch.ones(shape, dtype=torch.int64) for shape in ((1, 3, 2), (1, 3, 2), (2, 1))]
    whole += [torch.ones(1, 3, 1, dtype=torch.int64)] * 2
    found = kernels.selective_scan(*whole, 0.5)
    expected = selective.reference(*whole, torch.full((1, 2, 1), 0.5))
    torch.testing.assert_close(found, expected)


@both_paths
@pytest.mark.parametrize("dtype", [*DTYPES, torch.complex64, torch.complex128])
def test_selective_scan_in_every_dtype(dtype):
    operands = selective_operands(2, 200, 4, 3, dtype=dtype)
    results = kernels.selective_scan(*operands, output_final_state=True)
    exact_operands = [widen(each) for each in operands]
    exact = selective.reference(*exact_operands, output_final_state=True)
    eager = selective.reference(*operands, output_final_state=True)
    for some, plain, other in zip(results, eager, exact, strict=True):
        assert some.dtype == dtype
        assert_close(some.detach(), other.detach(), selective.TOLERANCE[dtype][0])
        if dtype.itemsize < 8:
            assert_within_rule(some.detach(), plain.detach(), other.detach())
    for some, other in zip(grads(results, operands), grads(exact, exact_operands), strict=True):
        assert some.dtype == dtype
        assert_close(some, other, selective.TOLERANCE[dtype][1])


@both_paths
@pytest.mark.parametrize("cut", [1, 64, 127, 128, 129])
def test_selective_scan_splits_anywhere(cut):
    x, delta, A, B, C, initial = selective_operands(1, 140, 2, 3)
    whole, final = kernels.selective_scan(x, delta, A, B, C, initial, output_final_state=True)
    first, middle = kernels.selective_scan(
        x[:, :cut], delta[:, :cut], A, B[:, :cut], C[:, :cut], initial, output_final_state=True
    )
    second, last = kernels.selective_scan(
        x[:, cut:], delta[:, cut:], A, B[:, cut:], C[:, cut:], middle, output_final_state=True
    )
    torch.testing.assert_close(torch.cat((first, second), 1), whole)
    torch.testing.assert_close(last, final)


@both_paths
def test_selective_scan_of_views_and_broadcasts():
    x = torch.randn(2, 3, 50).transpose(1, 2)
    delta = torch.rand(2, 50, 1)
    A = -torch.rand(1, 4)
    B, C = torch.randn(1, 50, 4), torch.randn(2, 100, 4)[:, ::2]
    for operands in ((x, delta, A.expand(3, 4), B, C), (x, delta.expand(2, 50, 3), A, B, C)):
        torch.testing.assert_close(
            kernels.selective_scan(*operands), selective.reference(*operands), rtol=1e-4, atol=1e-5
        )


@both_paths
@pytest.mark.parametrize("which", range(6))
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.complex64])
def test_selective_scan_promotes_as_the_loop(which, dtype):
    operands = selective_operands(2, 20, 3, 4, dtype=torch.float32)
    operands[which] = operands[which].detach().to(dtype).requires_grad_()
    found = kernels.selective_scan(*operands, output_final_state=True)
    expected = selective.reference(*operands, output_final_state=True)
    for some, other in zip(found, expected, strict=True):
        assert some.dtype == other.dtype
        assert_close(some.detach(), other.detach(), 1e-2 if dtype == torch.bfloat16 else 1e-5)
    for some, other in zip(grads(found, operands), grads(expected, operands), strict=True):
        assert some.dtype == other.dtype
        assert_close(some, other, 2e-2 if dtype == torch.bfloat16 else 1e-4)


@both_paths
def test_selective_scan_under_autocast_has_the_dtype_of_the_loop():
    operands = selective_operands(1, 10, 2, 2, dtype=torch.bfloat16)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = kernels.selective_scan(*operands)
        assert found.dtype == selective.reference(*operands).dtype


def test_selective_scan_raises_what_the_loop_raises():
    x, delta, A, B, C, _ = selective_operands(2, 5, 3, 4)
    for operands in (
        (x, delta[:, :4], A, B, C),
        (x, delta, A[:2], B, C),
        (x, delta, A, B[..., :3], C),
        (x[0], delta, A, B, C),
        (x, delta, A, B[:, :, None].expand(2, 5, 2, 4), C[:, :, None].expand(2, 5, 2, 4)),
        (x, delta, A, B[:, :, None], C),
    ):
        with pytest.raises(Exception) as expected:
            selective.reference(*operands)
        with pytest.raises(type(expected.value)):
            kernels.selective_scan(*operands)


@both_paths
def test_selective_scan_with_growing_states():
    operands = selective_operands(1, 130, 2, 3)[:5]
    operands[2] = -operands[2] * 0.1
    torch.testing.assert_close(kernels.selective_scan(*operands), selective.reference(*operands))


@both_paths
def test_selective_scan_gradients_by_differences(monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(selective, "SHORT_SEQUENCE", 0)
    for operands in (
        selective_operands(2, 4, 2, 2),
        selective_operands(1, 3, 4, 2, 2),
        selective_operands(1, 3, 2, 2, dtype=torch.complex128),
    ):

        def run(*tensors):
            return kernels.selective_scan(*tensors, output_final_state=True)

        assert torch.autograd.gradcheck(run, operands)
    assert torch.autograd.gradgradcheck(run, operands)


# ---------------------------------------------------------------------- both scans, as operators


def scan_calls():
    a, b, initial = linear_operands((2, 20, 3), 1, torch.float32, True)
    yield lambda *each: kernels.linear_scan(*each, dim=1, output_final_state=True), (a, b, initial)
    operands = selective_operands(2, 20, 3, 4, dtype=torch.float32)
    yield lambda *each: kernels.selective_scan(*each, output_final_state=True), operands


@both_paths
@pytest.mark.parametrize("number", [0, 1])
def test_backward_twice_gives_the_same(number):
    run, operands = list(scan_calls())[number]
    total = sum(each.square().sum() for each in run(*operands))
    first = torch.autograd.grad(total, operands, retain_graph=True)
    for some, other in zip(first, torch.autograd.grad(total, operands), strict=True):
        assert torch.equal(some, other)


@both_paths
@pytest.mark.parametrize("number", [0, 1])
def test_compiles_as_one_operator(number, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(linear, "SHORT_SEQUENCE", 0)
    run, operands = list(scan_calls())[number]
    compiled = torch.compile(run, fullgraph=True, backend="aot_eager")
    found, expected = compiled(*operands), run(*operands)
    for some, other in zip(found, expected, strict=True):
        torch.testing.assert_close(some, other)
    for some, other in zip(grads(found, operands), grads(expected, operands), strict=True):
        torch.testing.assert_close(some, other)


@both_paths
@pytest.mark.parametrize("reverse", [False, True])
def test_opcheck_of_the_linear_scan(reverse, monkeypatch):
    monkeypatch.undo()
    a, b, initial = linear_operands((2, 6, 3), 1, torch.float32, True)
    arguments = (a, b, initial, 1, reverse, torch.float32)
    torch.library.opcheck(torch.ops.auditor.linear_scan.default, arguments)
    torch.library.opcheck(
        torch.ops.auditor.linear_scan.default, (a, b, None, 1, reverse, torch.float64)
    )


@both_paths
def test_opcheck_of_the_selective_scan(monkeypatch):
    monkeypatch.undo()
    x, delta, A, B, C, initial = selective_operands(2, 6, 3, 4, 1, dtype=torch.float32)
    for state in (None, initial):
        torch.library.opcheck(
            torch.ops.auditor.selective_scan.default,
            (x, delta, A, B, C, state, torch.float32, torch.float32),
        )


def test_opcheck_of_the_folds_of_rows():
    x = torch.randn(3, 5, requires_grad=True)
    torch.library.opcheck(torch.ops.auditor.rows_softmax.default, (x,))
    torch.library.opcheck(torch.ops.auditor.rows_logsumexp.default, (x.detach(),))


def test_short_sequences_run_the_loop(monkeypatch):
    monkeypatch.setattr(linear, "SHORT_SEQUENCE", 16)

    def refuse(*_):
        raise AssertionError("the operator ran")

    monkeypatch.setattr(linear, "_forward", refuse)
    monkeypatch.setattr(linear, "_computed", refuse)
    b = torch.randn(16)
    torch.testing.assert_close(kernels.linear_scan(0.5, b, dim=0), linear.reference(0.5, b, dim=0))
    with pytest.raises(AssertionError, match="the operator ran"):
        kernels.linear_scan(0.5, torch.randn(17), dim=0)


# ------------------------------------------------------------------------------------ softmax


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("dtype", DTYPES)
def test_softmax_and_logsumexp_in_every_dtype(dtype, dim):
    x = (torch.randn(4, 33, 5, dtype=torch.float64) * 10).to(dtype).requires_grad_()
    exact = widen(x)
    for kernel, plain in (
        (kernels.online_softmax, softmax.reference),
        (kernels.logsumexp, softmax.logsumexp_reference),
    ):
        found, expected = kernel(x, dim), plain(exact, dim)
        assert found.dtype == dtype
        assert_close(found.detach(), expected.detach(), softmax.TOLERANCE[dtype][0])
        (some,), (other,) = grads((found,), (x,)), grads((expected,), (exact,))
        # relative to max|dy|, which is 1: a saturated row has gradients far below its operands
        assert (some - other).abs().max() <= softmax.TOLERANCE[dtype][1]


def test_softmax_of_special_rows():
    inf, nan = float("inf"), float("nan")
    x = torch.tensor([[-inf, -inf], [0.0, -inf], [nan, 0.0], [inf, 0.0]])
    torch.testing.assert_close(
        kernels.online_softmax(x, 1), softmax.reference(x, 1), equal_nan=True
    )
    torch.testing.assert_close(kernels.logsumexp(x, 1), torch.logsumexp(x, 1), equal_nan=True)


def test_softmax_takes_what_the_formula_takes():
    whole = torch.arange(6).view(2, 3)
    for found, expected in (
        (kernels.online_softmax(whole, 1), softmax.reference(whole, 1)),
        (kernels.online_softmax(torch.tensor(2.0), 0), softmax.reference(torch.tensor(2.0), 0)),
        (
            kernels.online_softmax(whole, 1, dtype=torch.float64),
            softmax.reference(whole, 1, dtype=torch.float64),
        ),
        (kernels.logsumexp(whole, 0, True), softmax.logsumexp_reference(whole, 0, True)),
    ):
        torch.testing.assert_close(found, expected)
    with pytest.raises(IndexError):
        kernels.online_softmax(torch.zeros(2), 1)


@pytest.mark.parametrize("dim", [None, (0, 1), (-1, -2), (0, 2), [1], (1, 1), (1, 3)])
@pytest.mark.parametrize("shape", [(3, 4, 5), (30, 20, 25), (2, 1, 3), (0, 2, 3)])
def test_softmax_over_several_axes(shape, dim):
    x = torch.randn(shape, dtype=torch.float64, requires_grad=True)
    for kernel, plain, more in (
        (kernels.online_softmax, softmax.reference, ()),
        (kernels.logsumexp, softmax.logsumexp_reference, (True,)),
        (kernels.logsumexp, softmax.logsumexp_reference, (False,)),
    ):
        try:
            expected = plain(x, dim, *more)
        except (RuntimeError, IndexError) as error:
            with pytest.raises(type(error)):
                kernel(x, dim, *more)
            continue
        torch.testing.assert_close(kernel(x, dim, *more), expected)
        torch.testing.assert_close(kernel(x.detach(), dim, *more), expected.detach())
        (some,), (other,) = (grads((f(x, dim, *more),), (x,)) for f in (kernel, plain))
        torch.testing.assert_close(some, other)


def test_softmax_gradients_by_differences(monkeypatch):
    monkeypatch.undo()
    x = torch.randn(3, 5, dtype=torch.float64, requires_grad=True)
    for run in (
        lambda x: kernels.online_softmax(x, 1),
        lambda x: kernels.logsumexp(x, 0),
        torch.ops.auditor.rows_softmax,
    ):
        assert torch.autograd.gradcheck(run, x)
        assert torch.autograd.gradgradcheck(run, x)


# ------------------------------------------------------------------------------------- moments

MOMENTS = [((7,), None), ((7, 5), 0), ((7, 5), (-1,)), ((3, 4, 5), (0, 2)), ((1,), 0), ((0, 3), 0),
           ((3, 0), 0), ((2, 3, 4, 5), (0, 2, 3)), ((), None)]  # fmt: skip


@pytest.fixture
def _every_size_to_the_operator(monkeypatch):
    monkeypatch.setattr(moments, "SMALL", 0)


def combined(first, second):
    """Two states (n, mean, m2) as one."""
    (n1, mean1, squares1), (n2, mean2, squares2) = first, second
    n = n1 + n2
    if n == 0:
        return n, mean1, squares1
    step = mean2 - mean1
    return n, mean1 + step * n2 / n, squares1 + squares2 + step * step * n1 * n2 / n


def state_of(x):
    if not x.numel():
        return 0, torch.zeros(()).double(), torch.zeros(()).double()
    mean, variance = kernels.welford(x, correction=0)
    return x.numel(), mean, variance * x.numel()


@pytest.mark.parametrize("cuts", [(0, 9), (3, 4), (1, 2), (9, 9)])
def test_moments_combine_at_any_cut(cuts):
    x = torch.randn(9, dtype=torch.float64) + 100
    parts = [state_of(part) for part in (x[: cuts[0]], x[cuts[0] : cuts[1]], x[cuts[1] :])]
    left = combined(combined(parts[0], parts[1]), parts[2])
    right = combined(parts[0], combined(parts[1], parts[2]))
    for found in (left, right):
        for some, other in zip(found[1:], state_of(x)[1:], strict=True):
            torch.testing.assert_close(some, other)


@pytest.mark.parametrize("shape, dim", MOMENTS)
@pytest.mark.parametrize("correction", [0, 1, 0.5])
@pytest.mark.parametrize("dtype", DTYPES)
def test_moments_in_every_dtype(shape, dim, correction, dtype, _every_size_to_the_operator):
    x = (torch.randn(shape, dtype=torch.float64) + 3).to(dtype)
    exact = moments.reference(x.double(), dim, correction)
    for keepdim in (False, True):
        exact = moments.reference(x.double(), dim, correction, keepdim)
        for found, expected in zip(
            kernels.welford(x, dim, correction, keepdim), exact, strict=True
        ):
            assert found.dtype == dtype and found.shape == expected.shape
            scale = max(1.0, float(expected.abs().nan_to_num(posinf=0).max())) if x.numel() else 1
            torch.testing.assert_close(
                found.double(), expected, rtol=0, atol=2 * moments.TOLERANCE[dtype][0] * scale,
                equal_nan=True,
            )  # fmt: skip


def test_moments_of_large_means_and_of_views(_every_size_to_the_operator):
    x = torch.randn(6, 50).t()[::2] + 1e4
    for found, expected in zip(
        kernels.welford(x, 0), moments.reference(x.double(), 0), strict=True
    ):
        torch.testing.assert_close(found.double(), expected, rtol=1e-3, atol=1e-6)


def test_moments_gradients_by_differences(monkeypatch, _every_size_to_the_operator):
    x = torch.randn(3, 4, 5, dtype=torch.float64, requires_grad=True)
    for dim, correction in ((None, 1), ((0, 2), 0), (1, 1)):
        assert torch.autograd.gradcheck(lambda x, d=dim, c=correction: kernels.welford(x, d, c), x)
        assert torch.autograd.gradgradcheck(
            lambda x, d=dim, c=correction: kernels.welford(x, d, c), x
        )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rows", [4, 70000])
def test_roots_of_moments_are_those_of_torch(rows, dtype):
    x = (torch.randn(rows, 6) * 300).to(dtype)
    x[:, 1] = 0  # where torch takes the gradient to be 0
    x.requires_grad_()
    for dim, correction, keepdim in ((0, 1, False), (0, 0, True), ((0, 1), 1, False)):
        mean, root = kernels.welford(x, dim, correction, keepdim, root=True)
        expected = torch.std_mean(x, dim, correction=correction, keepdim=keepdim)
        atol = 1000 * moments.TOLERANCE[dtype][0]
        torch.testing.assert_close((root, mean), expected, rtol=0, atol=atol)
        weights = torch.randn(root.shape).to(dtype)
        found, wanted = (
            torch.autograd.grad((some * weights).sum(), x)[0] for some in (root, expected[0])
        )
        torch.testing.assert_close(found, wanted, rtol=0, atol=moments.TOLERANCE[dtype][1])
    for some, other in zip(
        kernels.welford(x.double(), 0, root=True), moments.reference(x.double(), 0, root=True),
        strict=True,
    ):  # fmt: skip
        torch.testing.assert_close(some, other)


@pytest.mark.parametrize("rows", [3, 70000])
def test_moments_over_no_axis_are_those_over_all(rows):
    x = torch.randn(rows, 4)
    variance, mean = torch.var_mean(x, ())
    for keepdim in (False, True):
        found = kernels.welford(x, (), keepdim=keepdim)
        shape = (1, 1) if keepdim else ()
        torch.testing.assert_close(found, (mean.view(shape), variance.view(shape)))


def test_opcheck_of_the_moments():
    x = torch.randn(3, 4, 5, requires_grad=True)
    torch.library.opcheck(torch.ops.auditor.moments.default, (x, [0, 2], 1.0))


def test_moments_take_what_the_formula_takes():
    for x, dim in ((torch.randn(3, 4) + 1j, 0), (torch.randn(3, 4), [0, 1])):
        for found, expected in zip(kernels.welford(x, dim), moments.reference(x, dim), strict=True):
            torch.testing.assert_close(found, expected)
    for x, dim, error in (
        (torch.arange(4), 0, RuntimeError), (torch.randn(3), 1, IndexError),
        (torch.randn(3, 4), (0, -2), RuntimeError),
    ):  # fmt: skip
        for run in (kernels.welford, moments.reference):
            with pytest.raises(error):
                run(x, dim)


# ------------------------------------------------------------------------------------ attention


def attention_operands(q, k, v, dtype=torch.float64):
    return [torch.randn(each, dtype=torch.float64).to(dtype).requires_grad_() for each in (q, k, v)]


ATTENTION = {
    "plain": ((2, 3, 5, 8), (2, 3, 7, 8), (2, 3, 7, 6), {}),
    "matrix": ((5, 8), (7, 8), (7, 8), {}),
    "no heads": ((2, 5, 8), (2, 7, 8), (2, 7, 8), {"attn_mask": torch.randn(2, 5, 7).double()}),
    "rank five": ((2, 2, 3, 5, 8), (2, 2, 3, 7, 8), (2, 2, 3, 7, 8), {}),
    "rank five, mask": (
        (2, 2, 3, 5, 8),
        (2, 2, 3, 7, 8),
        (2, 2, 3, 7, 8),
        {"attn_mask": torch.randn(2, 2, 3, 5, 7).double()},
    ),
    "broadcast": ((2, 3, 5, 8), (1, 3, 7, 8), (3, 7, 8), {}),
    "broadcast, same rank": ((2, 3, 5, 8), (1, 3, 7, 8), (2, 1, 7, 8), {}),
    "causal": ((2, 3, 5, 8), (2, 3, 5, 8), (2, 3, 5, 8), {"is_causal": True}),
    "causal, negative scale": (
        (2, 3, 5, 8),
        (2, 3, 5, 8),
        (2, 3, 5, 8),
        {"is_causal": True, "scale": -0.7},
    ),
    "causal, scale zero": (
        (2, 3, 5, 8),
        (2, 3, 5, 8),
        (2, 3, 5, 8),
        {"is_causal": True, "scale": 0.0},
    ),
    "causal, more keys": ((2, 3, 5, 8), (2, 3, 9, 8), (2, 3, 9, 8), {"is_causal": True}),
    "causal, more queries": ((2, 3, 9, 8), (2, 3, 5, 8), (2, 3, 5, 8), {"is_causal": True}),
    "causal and masked": (
        (2, 3, 5, 8),
        (2, 3, 5, 8),
        (2, 3, 5, 8),
        {"is_causal": True, "attn_mask": torch.randn(5, 5).double()},
    ),
    "groups": ((2, 4, 5, 8), (2, 2, 7, 8), (2, 2, 7, 8), {"enable_gqa": True}),
    "groups, no batch": ((4, 5, 8), (2, 7, 8), (2, 7, 8), {"enable_gqa": True}),
    "boolean mask": (
        (2, 3, 5, 8),
        (2, 3, 7, 8),
        (2, 3, 7, 8),
        {"attn_mask": torch.ones(5, 7).bool().tril(1)},
    ),
    "mask of keys": (
        (2, 3, 5, 8),
        (2, 3, 7, 8),
        (2, 3, 7, 8),
        {"attn_mask": torch.tensor([1, 0, 1, 1, 0, 0, 1]).bool()},
    ),
    "finite row mask": (
        (2, 3, 5, 8),
        (2, 3, 7, 8),
        (2, 3, 7, 8),
        {"attn_mask": torch.tensor([[0.0], [-1024.0], [0.0], [-256.0], [0.0]]).double()},
    ),
    "scale": ((2, 3, 5, 8), (2, 3, 7, 8), (2, 3, 7, 8), {"scale": 2}),
    "tensor scale": ((2, 3, 5, 8), (2, 3, 7, 8), (2, 3, 7, 8), {"scale": torch.tensor(0.3)}),
    "no keys": ((2, 3, 5, 8), (2, 3, 0, 8), (2, 3, 0, 8), {}),
    "no queries": ((2, 3, 0, 8), (2, 3, 7, 8), (2, 3, 7, 8), {}),
}


@pytest.mark.parametrize("case", ATTENTION)
def test_attention_is_the_formula(case):
    *shapes, options = ATTENTION[case]
    operands = attention_operands(*shapes)
    found = kernels.flash_attention(*operands, **options)
    expected = attention.reference(*operands, **options)
    assert found.is_contiguous()
    assert_close(found.detach(), expected.detach(), 1e-12)
    for some, other in zip(grads((found,), operands), grads((expected,), operands), strict=True):
        assert_close(some, other, 1e-11)


@pytest.mark.parametrize("dtype", DTYPES)
def test_attention_in_every_dtype(dtype):
    operands = attention_operands((2, 2, 33, 16), (2, 2, 40, 16), (2, 2, 40, 16), dtype)
    exact_operands = [widen(each) for each in operands]
    found = kernels.flash_attention(*operands)
    expected = attention.reference(*exact_operands)
    assert found.dtype == dtype
    assert_close(found.detach(), expected.detach(), attention.TOLERANCE[dtype][0])
    for some, other in zip(
        grads((found,), operands), grads((expected,), exact_operands), strict=True
    ):
        assert_close(some, other, attention.TOLERANCE[dtype][1])


def test_attention_gives_the_mask_its_gradient(monkeypatch):
    monkeypatch.undo()
    operands = attention_operands((1, 2, 3, 4), (1, 2, 5, 4), (1, 2, 5, 4))
    mask = torch.randn(3, 5, dtype=torch.float64, requires_grad=True)

    def run(q, k, v, mask):
        return kernels.flash_attention(q, k, v, attn_mask=mask)

    assert torch.autograd.gradcheck(run, (*operands, mask))


def test_attention_with_a_large_finite_mask_averages_the_values():
    q, k, v = attention_operands((1, 1, 2, 4), (1, 1, 5, 4), (1, 1, 5, 4), torch.float32)
    mask = torch.tensor([[0.0] * 5, [-1e9] * 5])
    found = kernels.flash_attention(q, k, v, attn_mask=mask)
    torch.testing.assert_close(found, attention.reference(q, k, v, attn_mask=mask))
    torch.testing.assert_close(found[0, 0, 1], v[0, 0].mean(0), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("shape", [(2, 5), (1, 1, 1, 5), (1, 2, 2, 5)])
@pytest.mark.parametrize("fill", [-1e9, torch.finfo(torch.float32).min, -3.0])
def test_attention_with_a_fill_keeps_rows_without_keys(shape, fill):
    operands = attention_operands((1, 2, 2, 4), (1, 2, 5, 4), (1, 2, 5, 4), torch.float32)
    mask = torch.rand(shape) < 0.5
    mask[..., 0, :] = False
    found = kernels.flash_attention(*operands, attn_mask=mask, fill=fill)
    expected = attention.reference(*operands, attn_mask=mask, fill=fill)
    torch.testing.assert_close(found, expected)
    for some, other in zip(grads((found,), operands), grads((expected,), operands), strict=True):
        torch.testing.assert_close(some, other)


@pytest.mark.parametrize("shape", [(5,), (2, 5), (1, 1, 1, 5)])
@pytest.mark.parametrize("fill", [-1e9, torch.finfo(torch.float32).min, -3.0, -torch.inf])
def test_attention_fills_what_a_mask_leaves_out_whatever_is_added(shape, fill) -> None:
    operands = attention_operands((1, 2, 2, 4), (1, 2, 5, 4), (1, 2, 5, 4), torch.float32)
    bias = torch.randn(2, 2, 5, requires_grad=True)
    mask = torch.rand(shape) < 0.5
    mask.view(-1, 5)[0] = fill == -torch.inf
    found = kernels.flash_attention(*operands, attn_mask=mask, bias=bias, fill=fill)
    scores = (operands[0] @ operands[1].mT / 2 + bias).masked_fill(~mask, fill)
    expected = torch.softmax(scores, -1) @ operands[2]
    torch.testing.assert_close(found, expected, equal_nan=True)
    given = (*operands, bias)
    for some, other in zip(grads((found,), given), grads((expected,), given), strict=True):
        torch.testing.assert_close(some, other, equal_nan=True)


@pytest.mark.parametrize("kind", [torch.bool, torch.int64, torch.float64, torch.float32])
def test_attention_adds_a_bias_of_any_dtype(kind):
    operands = attention_operands((2, 3, 5, 4), (2, 3, 7, 4), (2, 3, 7, 4))
    bias = torch.randint(0, 2, (5, 7)).to(kind)
    found = kernels.flash_attention(*operands, bias=bias)
    weights = torch.softmax(operands[0] @ operands[1].mT / 2 + bias, -1)
    torch.testing.assert_close(found, weights @ operands[2])
    keep = torch.rand(5, 7) < 0.8
    both = kernels.flash_attention(*operands, attn_mask=keep, bias=bias, fill=-1e9)
    torch.testing.assert_close(
        both, attention.reference(*operands, attn_mask=keep, bias=bias, fill=-1e9)
    )


def test_what_numbers_out_of_reach_leave_a_query_needs_no_such_number() -> None:
    """Rows that are hidden, in part by -inf, by two numbers, not at all, and by -inf alone."""
    least = torch.finfo(torch.float32).min
    mask = torch.full((2, 1, 5, 7), least)
    mask[0, 0, 1, 3:] = -torch.inf
    mask[0, 0, 2, :2] = -1e32
    mask[0, 0, 3, 4] = 0.5
    mask[1, 0, 4] = -torch.inf
    q, k, v = attention_operands((2, 3, 5, 4), (2, 3, 7, 4), (2, 3, 7, 4), torch.float32)
    queries, shown = attention.hiding_none(q, mask)
    assert not ((shown < -1e30) & (shown > -torch.inf)).all(-1).any()
    torch.testing.assert_close(
        attention.reference(queries, k, v, attn_mask=shown),
        attention.reference(q, k, v, attn_mask=mask),
        equal_nan=True,
    )


@pytest.mark.parametrize("number", [-1e4, -1e9, torch.finfo(torch.float32).min])
@pytest.mark.parametrize("name", ["attn_mask", "bias"])
def test_gradients_through_queries_that_an_added_number_hides(name: str, number: float) -> None:
    """All keys of the second of two batches are hidden, as a padded row's are."""
    added = torch.zeros(2, 1, 1, 7)
    added[1] = number
    grads = []
    for function in (kernels.flash_attention, attention.reference):
        torch.manual_seed(0)
        leaves = [torch.randn(2, 3, n, 4).requires_grad_() for n in (5, 7, 7)]
        (function(*leaves, **{name: added}) * torch.randn(2, 3, 5, 4)).sum().backward()
        grads.append([leaf.grad for leaf in leaves])
    for found, expected in zip(*grads, strict=True):
        torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("shape", [(), (1,), (3, 1, 1), (5, 1), (7,), (1, 7), (2, 1, 1, 1, 1)])
def test_attention_with_a_scale_that_is_a_tensor(shape):
    operands = attention_operands((2, 3, 5, 4), (2, 3, 7, 4), (2, 3, 7, 4))
    scale = torch.rand(shape, dtype=torch.float64, requires_grad=True)
    found = kernels.flash_attention(*operands, scale=scale)
    expected = attention.reference(*operands, scale=scale)
    torch.testing.assert_close(found, expected)
    both = (*operands, scale)
    for some, other in zip(grads((found,), both), grads((expected,), both), strict=True):
        torch.testing.assert_close(some, other)


def test_a_caller_may_write_to_the_result_of_attention():
    operands = attention_operands((2, 3, 5, 4), (2, 3, 7, 4), (2, 3, 7, 4))
    for function in (attention.reference, kernels.flash_attention):
        out = function(*operands)
        out += 1
        grads((out,), operands)


def test_attention_draws_the_dropout_of_the_formula():
    operands = attention_operands((2, 3, 5, 8), (2, 3, 7, 8), (2, 3, 7, 8))
    torch.manual_seed(3)
    found = kernels.flash_attention(*operands, dropout_p=0.5)
    torch.manual_seed(3)
    assert torch.equal(found, attention.reference(*operands, dropout_p=0.5))
    assert not torch.allclose(found, kernels.flash_attention(*operands))


def test_attention_may_differ_only_where_a_boolean_mask_keeps_no_key():
    operands = attention_operands((1, 1, 3, 4), (1, 1, 5, 4), (1, 1, 5, 4))
    mask = torch.ones(3, 5, dtype=torch.bool)
    mask[1] = False
    found = kernels.flash_attention(*operands, attn_mask=mask)
    expected = attention.reference(*operands, attn_mask=mask)
    assert expected[:, :, 1].isnan().all()
    kept = torch.tensor([0, 2])
    torch.testing.assert_close(found[:, :, kept], expected[:, :, kept])


def test_attention_raises_what_the_formula_raises():
    q, k, v = (torch.randn(2, 3, 5, 8) for _ in range(3))
    for operands in (
        (q, k.double(), v),
        (q, k[..., :4], v),
        (q, k, v[:, :, :4]),
        (q[0, 0, 0], k, v),
    ):
        with pytest.raises(Exception) as expected:
            attention.reference(*operands)
        with pytest.raises(type(expected.value)):
            kernels.flash_attention(*operands)


# ------------------------------------------------------------------------------------------ top-k


@pytest.mark.parametrize("k", [0, 1, 3, 7, 9, -2, True, False])
@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("dim", [0, 1, -1])
def test_topk_is_the_slice_of_a_sort(k, largest, dim):
    x = torch.randperm(7 * 4 * 5).view(7, 4, 5).double()
    for some, other in zip(
        kernels.streaming_topk(x, k, dim, largest), topk.reference(x, k, dim, largest), strict=True
    ):
        assert torch.equal(some, other)


@pytest.mark.parametrize("dtype", [*DTYPES, torch.int64, torch.uint8, torch.bool])
def test_topk_values_in_every_dtype(dtype):
    x = torch.randint(0, 5, (6, 9)).to(dtype)
    for largest in (False, True):
        values, indices = kernels.streaming_topk(x, 4, largest=largest)
        assert torch.equal(values, topk.reference(x, 4, largest=largest)[0])
        assert torch.equal(values, x.gather(1, indices))


@pytest.mark.parametrize("shape", [(0,), (1,), (9,), (4, 7), (3, 5, 2), (2500,), (2, 2500)])
@pytest.mark.parametrize("k", [0, 1, 3, 7, -2, 5000])
@pytest.mark.parametrize("largest", [False, True])
def test_topk_takes_the_first_of_equals(shape, k, largest):
    for x in (torch.randint(0, 4, shape), torch.randint(0, 900, shape).float(), torch.randn(shape)):
        if x.is_floating_point() and shape[-1] % 7 == 0:
            x.view(-1)[::3] = float("nan")
        for dim in range(x.ndim):
            want = topk.reference(x, k, dim, largest, stable=True)
            for stable in (True, False):  # on a CPU always
                found = kernels.streaming_topk(x, k, dim, largest, stable=stable)
                assert torch.equal(found[1], want[1])
                torch.testing.assert_close(found[0], want[0], equal_nan=True, rtol=0, atol=0)


def test_topk_among_equals_is_differentiable():
    x = torch.randint(0, 3, (2, 9)).double().requires_grad_()
    value = kernels.streaming_topk(x, 4)[0].square().sum()
    (grad,) = torch.autograd.grad(value, x)
    (want,) = torch.autograd.grad(topk.reference(x, 4, stable=True)[0].square().sum(), x)
    assert torch.equal(grad, want)


@pytest.mark.parametrize("shape", [(9,), (4, 7), (3, 5, 2)])
def test_topk_that_cuts_another_axis_sorts(shape):
    x = torch.randn(shape)
    for dim in range(-len(shape), len(shape)):
        for cut in range(-len(shape), len(shape)):
            want = torch.sort(x, dim=dim, descending=True)
            found = kernels.streaming_topk(x, 2, dim, cut=cut)
            for some, other in zip(found, want, strict=True):
                assert torch.equal(some, other.narrow(cut, 0, min(2, x.size(cut))))


def test_topk_counts_nan_as_largest():
    x = torch.tensor([1.0, float("nan"), float("inf"), -1.0])
    for largest in (False, True):
        found = kernels.streaming_topk(x, 3, largest=largest)[0]
        torch.testing.assert_close(found, topk.reference(x, 3, largest=largest)[0], equal_nan=True)


@pytest.mark.parametrize("sizes", [(10,), (3, 7), (1, 1, 8), (0, 5, 5)])
@pytest.mark.parametrize("k", [0, 2, 4, 20])
def test_topk_of_chunks_is_topk_of_the_whole(sizes, k):
    x = torch.randperm(30).view(3, 10).double()
    for dim, whole in ((1, x), (0, x.t())):
        found = kernels.streaming_topk_chunks(iter(whole.split(list(sizes), dim)), k, dim)
        for some, other in zip(found, kernels.streaming_topk(whole, k, dim), strict=True):
            assert torch.equal(some, other)


def test_topk_of_chunks_refuses_what_has_no_meaning():
    with pytest.raises(ValueError, match="no chunk"):
        kernels.streaming_topk_chunks([], 2)
    with pytest.raises(ValueError, match="negative"):
        kernels.streaming_topk_chunks([torch.ones(3)], -1)


# --------------------------------------------------------------------------------------- per_step


@pytest.mark.parametrize("shape", [(5,), (5, 3), (5, 2, 3), (5, 1, 3), (0, 3)])
@pytest.mark.parametrize("other", [(5,), (5, 3), (5, 2, 3)])
@pytest.mark.parametrize("constant", [(), (3,), (2, 3), (4, 2, 3)])
def test_widened_rows_meet_as_in_each_step(shape, other, constant):
    other = (shape[0], *other[1:])
    x, y, c = (torch.rand(size, dtype=torch.float64) for size in (shape, other, constant))
    wide_x, wide_y = kernels.per_step(x, y, beside=(c, 2.0))
    whole = wide_x * c + wide_y
    rows = [x[t] * c + y[t] for t in range(shape[0])]
    assert whole.ndim == max(x.ndim, y.ndim, 1 + c.ndim)
    assert wide_x.data_ptr() == x.data_ptr()
    if rows:
        assert torch.equal(whole, torch.stack(rows))


def test_lists_of_rows_become_tensors():
    rows = [torch.rand(3, requires_grad=True) for _ in range(4)]
    for given in (rows, tuple(rows), iter(rows), [row.detach().numpy() for row in rows]):
        (whole,) = kernels.per_step(given)
        assert torch.equal(whole, torch.stack(rows))
    numbers, half = kernels.per_step([1, 0.5], torch.ones(2, 3, dtype=torch.float16))
    assert numbers.dtype == half.dtype
    assert numbers.tolist() == [[1.0], [0.5]]
    assert kernels.per_step([1, 2])[0].dtype == torch.int64
    double = torch.ones(3, dtype=torch.float64)
    assert kernels.per_step([1, 0.1], like=double)[0].dtype == torch.float64
    with pytest.raises(RuntimeError, match="equal size"):
        kernels.per_step([torch.ones(2), torch.ones(3)])


def test_what_has_no_axis_has_no_rows():
    for given in ((torch.ones(()),), (torch.ones(3), torch.ones(()))):
        with pytest.raises(IndexError):
            kernels.per_step(*given)


# ---------------------------------------------------------------------------------------- package


def test_the_package_needs_neither_triton_nor_the_analysis():
    program = (
        "import sys; sys.modules['triton'] = None\n"
        "import torch, auditor.kernels as kernels\n"
        "assert torch.equal(kernels.linear_scan(1, torch.ones(40), dim=0), torch.arange(1., 41.))\n"
        "assert all(hasattr(kernels, name) for name in kernels.__all__)\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('libcst', 'sympy', 'click')"
        " and name != 'sympy' and not name.startswith('sympy.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("bias", [0.5, 0, True])
def test_attention_adds_a_number(bias) -> None:
    q, k, v = attention_operands((2, 3, 5, 4), (2, 3, 7, 4), (2, 3, 7, 4))
    found = kernels.flash_attention(q, k, v, bias=bias)
    assert torch.equal(found, attention.reference(q, k, v, bias=bias))
