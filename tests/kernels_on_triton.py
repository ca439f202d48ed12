"""The Triton kernels against the references, on the device named by KERNELS_DEVICE.

Not collected by name: test_kernels_triton.py runs it in processes of its own, because whether
Triton interprets its kernels is decided once, when they are imported.
"""

from __future__ import annotations

import contextlib
import importlib
import os

import pytest
import torch
from operators import OPERATORS, affine, clamp, elements

from auditor import kernels

linear = importlib.import_module("auditor.kernels.linear_scan")
selective = importlib.import_module("auditor.kernels.selective_scan")
selective_triton = importlib.import_module("auditor.kernels.selective_scan_triton")
matrices = importlib.import_module("auditor.kernels.linear_attention")
matrices_triton = importlib.import_module("auditor.kernels.linear_attention_triton")
softmax = importlib.import_module("auditor.kernels.online_softmax")
moments = importlib.import_module("auditor.kernels.welford")
attention = importlib.import_module("auditor.kernels.flash_attention")
scan = importlib.import_module("auditor.kernels.triton_scan")
associative = importlib.import_module("auditor.kernels.associative_scan")
folds = importlib.import_module("auditor.kernels.reduce")
int8 = importlib.import_module("auditor.kernels.linear_int8")
printed = importlib.import_module("auditor.kernels.associative_triton")
bodies = importlib.import_module("auditor.kernels.nbody")
pairs = importlib.import_module("auditor.kernels.nbody_triton")
local = importlib.import_module("auditor.kernels.local_attention")
band_triton = importlib.import_module("auditor.kernels.local_attention_triton")
gathered = importlib.import_module("auditor.kernels.gather_matmul")
apart = importlib.import_module("auditor.kernels.squared_distances")
apart_triton = importlib.import_module("auditor.kernels.distances_triton")
experts = importlib.import_module("auditor.kernels.moe")
kept = importlib.import_module("auditor.kernels.kv_cache")

DEVICE = os.environ.get("KERNELS_DEVICE", "cpu")
HALF = [torch.float32, torch.float16, torch.bfloat16]
only_gpu = pytest.mark.skipif(DEVICE != "cuda", reason="needs a CUDA device")


@pytest.fixture(autouse=True)
def small_tiles(monkeypatch):
    """Borders of tiles and chunks at small lengths; the interpreter is slow on large ones."""
    torch.manual_seed(0)
    if DEVICE == "cpu":
        monkeypatch.setattr(scan, "TILE", 16)
        monkeypatch.setattr(scan, "ROWS", 4)
        monkeypatch.setattr(scan, "LONE", 8)
        monkeypatch.setattr(printed, "TILE", 32)
        monkeypatch.setattr(selective, "_chunk_length", lambda *_: 4)
        monkeypatch.setattr(matrices_triton, "CHUNK", 4)
        monkeypatch.setattr(matrices_triton, "TILE", 16)
        monkeypatch.setattr(pairs, "ROWS", 4)
        monkeypatch.setattr(pairs, "COLUMNS", 8)
        monkeypatch.setattr(apart_triton, "SIDE", 8)
        monkeypatch.setattr(apart_triton, "TERMS", 4)
        monkeypatch.setattr(local, "SHORTEST_BLOCK", 4)
        for name, rows in (("forward_tiles", 32), ("query_tiles", 16), ("key_tiles", 16)):
            tiles = band_triton.Tiles(rows, 16, 4, 2)
            monkeypatch.setattr(band_triton, name, lambda *_, tiles=tiles: tiles)


@pytest.fixture(autouse=True)
def current_device(monkeypatch):
    """Triton launches on the current device, which need not be that of the tensors: every launch
    has to be inside of a switch to theirs."""
    if DEVICE != "cpu":
        return
    from triton.runtime.interpreter import GridExecutor

    switched, given_to = torch.cuda.device_of, []
    launch = GridExecutor.__call__

    @contextlib.contextmanager
    def recorded(tensor):
        given_to.append(tensor.device)
        with switched(tensor):
            yield
        given_to.pop()

    def checked(self, *arguments, **options):
        assert given_to, f"{self.fn.__name__} runs on the current device"
        return launch(self, *arguments, **options)

    monkeypatch.setattr(torch.cuda, "device_of", recorded)
    monkeypatch.setattr(GridExecutor, "__call__", checked)


def wide(tensor):
    return None if tensor is None else tensor.detach().double().requires_grad_()


def unwritten(shape, dtype):
    return torch.full(shape, float("nan"), dtype=dtype, device=DEVICE)


def assert_close(actual, expected, tolerance):
    error = (actual.double() - expected).abs().max()
    assert error <= tolerance * expected.abs().max() + tolerance * 1e-3, error


def differentiate(results, operands):
    weights = [torch.randn_like(each) for each in results]
    operands = [each for each in operands if each is not None]
    found = torch.autograd.grad(results, operands, weights, allow_unused=True)
    zero = torch.zeros_like
    return weights, [
        zero(each) if grad is None else grad for each, grad in zip(operands, found, strict=True)
    ]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize(
    "shape, dim, dtype",
    [
        ((1,), 0, torch.float32),
        ((15,), 0, torch.bfloat16),
        ((16,), 0, torch.float32),
        ((17,), 0, torch.float32),
        ((2, 19, 3), 1, torch.float16),
        ((2, 19, 3), 1, torch.bfloat16),
        ((3, 2, 13), 2, torch.float32),
    ],
)
def test_linear_scan(shape, dim, dtype, parts, reverse):
    rest = list(shape)
    rest.pop(dim)
    for with_initial in (False, True):
        a = (torch.rand(shape, device=DEVICE) * 2 - 1).to(dtype)
        b = torch.randn(shape, device=DEVICE).to(dtype)
        initial = torch.randn(rest, device=DEVICE).to(dtype) if with_initial else None
        operands = [wide(each) for each in (a, b, initial)]
        options = {"dim": dim, "reverse": reverse, "output_final_state": True}
        expected = linear.reference(*operands, **options)
        out = unwritten(shape, dtype)
        linear._scan_triton(a, b, initial, dim, reverse, out, parts=parts)
        value_tolerance, gradient_tolerance = linear.TOLERANCE[dtype]
        assert_close(out, expected[0].detach(), value_tolerance)

        (dh, dfinal), (da, db, *_) = differentiate(expected, operands)
        g = unwritten(shape, torch.float32)
        linear._scan_triton(a, dh, dfinal, dim, not reverse, g, neighbour=True, parts=parts)
        assert_close(g, db, gradient_tolerance)
        found = unwritten(shape, dtype)
        linear._scan_triton(a, b, initial, dim, reverse, found, factor=g, parts=parts)
        assert_close(found, da, gradient_tolerance)


def test_linear_scan_of_views():
    a, b = torch.rand(3, 20, device=DEVICE).t(), torch.randn(40, 3, device=DEVICE)[::2]
    for gates in (a, a[:, :1].expand(20, 3), a[:1].expand(20, 3)):
        out = unwritten((20, 3), torch.float32)
        linear._scan_triton(gates, b, None, 0, False, out)
        torch.testing.assert_close(out, linear.reference(gates, b, dim=0))


def test_large_gates_meet_a_zero_state():
    a, b = torch.full((40,), 1e30, device=DEVICE), torch.zeros(40, device=DEVICE)
    for parts in (1, 2):
        out = unwritten((40,), torch.float32)
        linear._scan_triton(a, b, None, 0, False, out, parts=parts)
        assert torch.equal(out, b)


def drawn(values, shape):
    """Numbers of a list, in a random order."""
    return torch.tensor(values, device=DEVICE)[torch.randint(len(values), shape)]


INF, NAN = float("inf"), float("nan")
GATES = {
    "large, and zero": [1e30, 1e30, 0.0, 0.5],
    "growing": [4.0, -64.0, 1.0],
    "large of either sign": [1e30, -1e30, 1.0, 0.0],
    "no numbers": [0.5, 0.0, 1.0, 0.5, 0.5, NAN],
    "infinite": [0.5, 0.0, 1.0, INF, -INF],
}
STARTS = {"small": [1e-30, 0.0, -1e-35], "large": [1.0, 1e30, 0.0], "infinite": [1.0, INF, 0.0]}


@pytest.mark.parametrize("parts, reverse", [(1, True), (3, False)])
@pytest.mark.parametrize("gates", GATES)
@pytest.mark.parametrize("starts", STARTS)
def test_linear_scan_of_what_overflows_is_the_loop(gates, starts, parts, reverse):
    """Numbers where the loop has them, though products of gates are none; and none elsewhere."""
    shape = (19, 16)
    a = drawn(GATES[gates], shape).requires_grad_()
    b = drawn([*STARTS[starts], 0.0, 0.0], shape).requires_grad_()
    initial = drawn(STARTS[starts], (16,)).requires_grad_()
    options = {"dim": 0, "reverse": reverse}
    expected = linear.reference(a, b, initial, **options)
    dh = drawn([1e-30, 0.0, 1.0], shape)
    da, db, _ = torch.autograd.grad(expected, (a, b, initial), dh)
    a, b, initial = (each.detach() for each in (a, b, initial))
    out, g, found = (unwritten(shape, torch.float32) for _ in range(3))
    linear._scan_triton(a, b, initial, 0, reverse, out, parts=parts)
    linear._scan_triton(a, dh, None, 0, not reverse, g, neighbour=True, parts=parts)
    linear._scan_triton(a, b, initial, 0, reverse, found, factor=g, parts=parts)
    for some, other in ((out, expected), (g, db), (found, da)):
        torch.testing.assert_close(some, other, rtol=1e-5, atol=1e-38, equal_nan=True)


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize(
    "batch, length, channels, states, groups, dtype",
    [
        (1, 1, 1, 1, 1, torch.float32),
        (2, 3, 4, 2, 2, torch.float16),
        (1, 4, 3, 3, 1, torch.float32),
        (1, 5, 5, 4, 1, torch.bfloat16),
        (2, 9, 6, 3, 2, torch.float32),
    ],
)
def test_selective_scan(batch, length, channels, states, groups, dtype, parts):
    for with_initial in (False, True):
        x = torch.randn(batch, channels, length, device=DEVICE).to(dtype).transpose(1, 2)
        delta = torch.rand(batch, length, channels, device=DEVICE).to(dtype)
        A = -torch.rand(channels, states, device=DEVICE)
        B, C = torch.randn(2, batch, length, groups, states, device=DEVICE).to(dtype)
        initial = torch.randn(batch, channels, states, device=DEVICE) if with_initial else None
        operands = [wide(each) for each in (x, delta, A, B, C, initial)]
        expected = selective.reference(*operands, output_final_state=True)
        y, final, borders = selective._forward_outputs(
            x, A, B, torch.float32, [dtype, torch.float32]
        )
        for each in (y, final, borders):
            each.fill_(float("nan"))
        chunk = selective._chunk_length(x, states)
        selective_triton.forward_triton(
            x, delta, A, B, C, initial, y, final, borders, chunk, parts=parts
        )
        value_tolerance, gradient_tolerance = selective.TOLERANCE[dtype]
        assert_close(y, expected[0].detach(), value_tolerance)
        assert_close(final, expected[1].detach(), value_tolerance)

        (dy, dfinal), exact = differentiate(expected, operands)
        found = [unwritten(each.shape, each.dtype) for each in (x, delta, A, B, C)]
        found.append(unwritten((batch, channels, states), torch.float32))
        selective_triton.backward_triton(
            dy, dfinal, x, delta, A, B, C, borders, tuple(found), chunk, parts=parts
        )
        for some, other in zip(found, exact, strict=False):
            assert_close(some, other, gradient_tolerance)


@pytest.mark.parametrize(
    "exponents", [[80.0, 80.0, -INF], [80.0, 60.0, 0.0, -1.0], [NAN, -INF, 0.0]]
)
@pytest.mark.parametrize("starts", STARTS)
def test_selective_scan_of_what_overflows_is_the_loop(starts, exponents):
    """As the linear scan, over parts; a step multiplies by exp of one of the exponents."""
    torch.manual_seed(3)
    shape, states = (2, 13, 5), 2
    x = drawn([*STARTS[starts], 0.0, 0.0], shape)
    delta, A = drawn(exponents, shape), torch.ones(5, states, device=DEVICE)
    B, C = torch.ones(2, 2, 13, 1, states, device=DEVICE)
    initial = drawn(STARTS[starts], (2, 5, states))
    operands = [each.requires_grad_() for each in (x, delta, A, B, C, initial)]
    expected, last = selective.reference(*operands, output_final_state=True)
    dy = drawn([1e-30, 0.0, 1.0], shape)
    exact = torch.autograd.grad(expected, operands, dy)
    operands = [each.detach() for each in operands]
    y, final, borders = selective._forward_outputs(
        x.detach(), A.detach(), B.detach(), torch.float32, [torch.float32] * 2
    )
    selective_triton.forward_triton(*operands, y, final, borders, 4, parts=3)
    found = tuple(unwritten(each.shape, each.dtype) for each in operands)
    selective_triton.backward_triton(dy, None, *operands[:5], borders, found, 4, parts=3)
    for some, other in ((y, expected), (final, last), (found[0], exact[0]), (found[5], exact[5])):
        torch.testing.assert_close(some, other, rtol=1e-4, atol=1e-37, equal_nan=True)


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("kind", ["none", "head", "step", "channel"])
@pytest.mark.parametrize(
    "batch, length, channels, width, dtype",
    [
        (1, 1, 1, 1, torch.float32),
        (2, 4, 3, 5, torch.float16),
        (1, 9, 3, 9, torch.bfloat16),
    ],
)
def test_linear_attention(batch, length, channels, width, dtype, kind, parts):
    shapes = {"head": (batch, 1, 1), "step": (batch, length, 1)}
    for with_initial in (False, True) if parts == 1 else (True,):
        q, k = torch.randn(2, batch, length, channels, device=DEVICE).to(dtype)
        v = torch.randn(batch, length, width, device=DEVICE).to(dtype)
        a = torch.rand(shapes.get(kind, (batch, length, channels)), device=DEVICE) * 2 - 1
        a = None if kind == "none" else a
        if a is not None:
            a[:, -1:] = 0.0
        initial = torch.randn(batch, channels, width, device=DEVICE) if with_initial else None
        operands = [wide(each) for each in (q, k, v, a, initial)]
        expected = matrices._canonical_reference(*operands)
        o = unwritten(v.shape, dtype)
        final = unwritten((batch, channels, width), torch.float32)
        state = (q, k, v, a, initial)
        matrices_triton.forward_triton(*state, o, final, torch.float32, parts=parts)
        value_tolerance, gradient_tolerance = matrices.TOLERANCE[dtype]
        assert_close(o, expected[0].detach(), value_tolerance)
        assert_close(final, expected[1].detach(), value_tolerance)

        (do, dfinal), exact = differentiate(expected, operands)
        dv, dinitial = unwritten(v.shape, dtype), unwritten(final.shape, torch.float32)
        dq, dk, da = matrices_triton.backward_triton(
            do, dfinal, *state, dv, dinitial, torch.float32, parts=parts
        )
        found = [dq, dk, dv, *(() if a is None else (matrices._folded(da, a),)), dinitial]
        for some, other in zip(found, exact, strict=False):
            assert_close(some, other, gradient_tolerance)


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("length", [1, 2, 255, 256, 257, 5000])
@pytest.mark.parametrize("parts", [None, 1, 3])
def test_split_softmax(length, parts, dtype):
    x = (torch.randn(3, length, device=DEVICE) * 5).to(dtype)
    x[1, : length // 2] = -float("inf")
    exact = torch.softmax(x.double(), -1)
    y = softmax._softmax_triton(x, parts=parts)
    assert_close(y, exact, softmax.TOLERANCE[dtype][0])
    dy = torch.randn(3, length, device=DEVICE).to(dtype)
    expected = exact * (dy.double() - (exact * dy.double()).sum(-1, keepdim=True))
    found = softmax._softmax_gradient_triton(y, dy, parts=parts)
    assert (found - expected).abs().max() <= softmax.TOLERANCE[dtype][1] * dy.abs().max()


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("length", [1, 2, 255, 256, 257, 2500])
def test_softmax_of_whole_rows(length, dtype):
    rows = softmax.SPLIT_ROWS + 1
    assert softmax._whole(rows, length, None)
    x = (torch.randn(rows, length, device=DEVICE) * 5).to(dtype)
    x[1, : length // 2] = -float("inf")
    exact = torch.softmax(x.double(), -1)
    y = softmax._softmax_triton(x)
    assert_close(y, exact, softmax.TOLERANCE[dtype][0])
    dy = torch.randn(rows, length, device=DEVICE).to(dtype)
    expected = exact * (dy.double() - (exact * dy.double()).sum(-1, keepdim=True))
    found = softmax._softmax_gradient_triton(y, dy)
    assert (found - expected).abs().max() <= softmax.TOLERANCE[dtype][1] * dy.abs().max()


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("length", [1, 2, 255, 256, 257, 5000])
@pytest.mark.parametrize("parts", [None, 1, 3])
def test_logsumexp_of_rows(length, parts, dtype):
    x = (torch.randn(3, length, device=DEVICE) * 5).to(dtype)
    x[1, : length // 2] = -float("inf")
    found = softmax._logsumexp_triton(x, parts=parts)
    assert_close(found, torch.logsumexp(x.double(), -1), softmax.TOLERANCE[torch.float32][0])


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("length", [1, 2, 255, 256, 257, 5000])
@pytest.mark.parametrize("parts", [None, 1, 3])
def test_moments_of_rows(length, parts, dtype):
    x = (torch.randn(3, length, device=DEVICE) + 5).to(dtype)
    exact = x.double()
    mean, squares = moments._moments_triton(x, parts=parts)
    assert_close(mean, exact.mean(1), moments.TOLERANCE[torch.float32][0])
    assert_close(squares, ((exact - exact.mean(1, keepdim=True)) ** 2).sum(1), 1e-5)
    shift, scale = torch.randn(3, device=DEVICE), torch.randn(3, device=DEVICE)
    found = moments._gradient_triton(x, mean, shift, scale)
    expected = shift[:, None] + scale[:, None] * (exact - exact.mean(1, keepdim=True))
    assert_close(found, expected, moments.TOLERANCE[dtype][1])


def test_the_longest_rows_fit_into_a_grid(monkeypatch):
    """Only the first axis of a grid has more than 65535 places."""
    grids = []

    class Recorded:
        def __getitem__(self, grid):
            grids.append(grid)
            return lambda *_, **__: None

    monkeypatch.setattr(moments, "_moments_gradient_kernel", Recorded())
    x, one = torch.empty(1, 1 << 29, device="meta"), torch.empty(1, device="meta")
    moments._gradient_triton(x, one, one, one)
    assert [max(grid[1:], default=1) for grid in grids] == [1]


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_split_softmax_of_special_rows():
    x = torch.randn(4, 600, device=DEVICE)
    x[0], x[1, 3], x[2, 3] = -float("inf"), float("nan"), float("inf")
    x[3, 3], x[3, 500] = float("inf"), float("nan")
    for rows, parts in ((x, 1), (x, 3), (x.repeat(softmax.SPLIT_ROWS, 1), None)):
        found = softmax._softmax_triton(rows, parts=parts)
        torch.testing.assert_close(found, torch.softmax(rows, -1), equal_nan=True)
        found = softmax._logsumexp_triton(rows, parts=parts)
        torch.testing.assert_close(found, torch.logsumexp(rows, -1), equal_nan=True)


def step(h, element):
    shift, low, high = element
    return torch.minimum(torch.maximum(h + shift, low), high)


def on_triton(combine, given, parts=None, reverse=False, **options):
    """The call in the printed kernel, the first step taken first, and its gradients."""
    call, _, _ = associative._read(
        combine, given, 1, reverse, options.get("step"), options.get("initial_state")
    )
    rows, initial = call.elements, call.initial
    if initial is None:
        initial = tuple(each[0] for each in rows)
        rows = tuple(each[1:] for each in rows)
        call = associative.replace(call, elements=rows, initial=initial, length=call.length - 1)
    return associative.with_triton(call, rows, initial, parts)


def wanting(operator, *shape):
    """Elements with the second axis for time, in any strides, and those of them that have a
    gradient."""
    batch, length, columns = shape
    given = list(elements(operator, columns, batch, 2 * length, device=DEVICE))
    given = [each[:, :, ::2].permute(1, 2, 0) for each in given]
    given[-1] = given[-1].contiguous()
    values = tuple(each.requires_grad_() for each in given[operator.flags :])
    return (*given[: operator.flags], *values), values


def assert_gradients(found, expected, values):
    for some, other in zip(found, expected, strict=True):
        torch.testing.assert_close(some, other, rtol=1e-8, atol=1e-8)
    weights = [torch.randn_like(each) for each in expected]
    some_grads = torch.autograd.grad(found, values, weights)
    other_grads = torch.autograd.grad(expected, values, weights)
    for some, other in zip(some_grads, other_grads, strict=True):
        torch.testing.assert_close(some, other, rtol=1e-7, atol=1e-7)


CUTS = [(2, 1, False), (9, 1, True), (14, 3, False)]
"""(length, parts of the sequence, reversed)."""


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("operator", OPERATORS, ids=lambda each: each.name)
def test_associative_scan(operator):
    for length, parts, reverse in CUTS:
        given, values = wanting(operator, 2, length, 3)
        found, final = on_triton(operator.combine, given, parts, reverse)
        expected = associative.reference(operator.combine, given, dim=1, reverse=reverse)
        if reverse:
            expected = [each.flip(1) for each in expected]
        found = [each.movedim(0, 1) for each in found]
        for some, other in zip(final, found, strict=True):
            assert torch.equal(some, other[:, -1])
        kept = slice(operator.flags, None)
        assert_gradients(found[kept], [each[:, 1:] for each in expected[kept]], values)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("operator", OPERATORS, ids=lambda each: each.name)
def test_fold(operator):
    for length, parts, reverse in (*CUTS, (1, 1, False), (23, 5, True)):
        given, values = wanting(operator, 2, length, 3)
        rows = tuple((each.flip(1) if reverse else each).movedim(1, 0) for each in given)
        found = folds.with_triton(operator.combine, rows, parts)
        expected = folds.reference(operator.combine, rows, dim=0)
        assert_gradients(found[operator.flags :], expected[operator.flags :], values)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_fold_of_views_and_halves():
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        x = torch.randn(3, 37, 5, device=DEVICE).to(dtype)
        rows = (x.transpose(0, 1), torch.rand(37, 3, 1, device=DEVICE).to(dtype).expand(37, 3, 5))
        exact = folds.reference(affine, tuple(each.double() for each in rows), dim=0)
        for some, other in zip(folds.with_triton(affine, rows, 2), exact, strict=True):
            assert some.dtype == dtype
            assert_close(some, other, folds.TOLERANCE[dtype][0])
    few = (torch.randn(300, device=DEVICE),)
    (found,) = folds.with_triton(lambda a, b: (torch.maximum(a[0], b[0]),), few, 4)
    assert torch.equal(found, few[0].max())


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_fold_declines_what_overflows_and_what_it_cannot_print():
    a, b = torch.full((40,), 1e30, device=DEVICE), torch.zeros(40, device=DEVICE)
    for parts in (1, 2):
        assert folds.with_triton(affine, (a, b), parts) is None
        assert folds.with_triton(affine, (a.sign(), b), parts) is not None
    assert folds.with_triton(affine, (a.int(), b.int())) is None
    assert folds.with_triton(affine, (a, b.double())) is None
    assert folds.with_triton(affine, (a[:, None][:, :0], b[:, None][:, :0])) is None
    assert folds.with_triton(lambda p, q: (torch.erf(p[0] + q[0]),), (a,)) is None


@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("length", [1, 15, 16, 17, 50])
def test_associative_recurrence_of_views(length, parts):
    x = torch.randn(length, 3, 2, device=DEVICE).transpose(0, 2)[:, :, :].movedim(2, 1)
    options = {"step": step, "initial_state": torch.rand(2, 3, device=DEVICE)}
    given = (x, torch.tensor(-0.5, device=DEVICE), torch.rand(3, device=DEVICE))
    (found,), (final,) = on_triton(clamp, given, parts, **options)
    expected = associative.reference(clamp, given, dim=1, **options)
    torch.testing.assert_close(found.movedim(0, 1), expected)
    torch.testing.assert_close(final, expected[:, -1])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_associative_scan_declines_what_overflows():
    a, b = torch.full((1, 40), 1e30, device=DEVICE), torch.zeros(1, 40, device=DEVICE)
    start = torch.zeros(1, device=DEVICE)
    options = {"step": lambda h, e: (e[0] * h[0] + e[1],), "initial_state": (start,)}
    for parts in (1, 2):
        assert on_triton(affine, (a, b), parts, **options) is None
        assert on_triton(affine, (a.sign(), b), parts, **options) is not None


def test_functions_that_have_no_kernel():
    def looks(first, second):
        return first if first[0].sum() > 0 else second

    captured = torch.ones(3)
    for combine in (
        looks,
        lambda first, second: (torch.erf(first[0]),),
        lambda first, second: (first[0] + second[0] * captured,),
        lambda first, second: (first[0].to(torch.float16),),
    ):
        assert printed.module_source(combine, combine, 1, 1) is None


@only_gpu
@pytest.mark.parametrize("dtype", [torch.float64, *HALF])
@pytest.mark.parametrize("shape, dim", [((5000,), 0), ((2, 2049, 65), 1), ((3, 1000), 1)])
def test_public_associative_scan_on_the_gpu(shape, dim, dtype):
    x = torch.randn(shape, device=DEVICE).to(dtype).requires_grad_()
    exact = wide(x.cpu())
    options = {"dim": dim, "step": step, "initial_state": 0.5}
    for reverse in (False, True):
        found = kernels.associative_scan(clamp, (x, 0.0, 1.0), reverse=reverse, **options)
        expected = associative.reference(clamp, (exact, 0.0, 1.0), reverse=reverse, **options)
        tolerances = associative.TOLERANCE[dtype]
        assert_close(found.detach().cpu(), expected.detach(), tolerances[0])
        (some,) = torch.autograd.grad(found.sum(), x)
        (other,) = torch.autograd.grad(expected.sum(), exact)
        if dtype == torch.float64:  # coarser numbers meet the bounds at other steps
            assert_close(some.cpu(), other, tolerances[1])


@only_gpu
@pytest.mark.parametrize("dtype", [torch.float64, *HALF])
@pytest.mark.parametrize("shape, dim", [((50000,), 0), ((2, 2049, 65), 1), ((3, 1000), 1)])
def test_public_reduce_on_the_gpu(shape, dim, dtype):
    a = (torch.rand(shape, device=DEVICE) * 0.98).to(dtype).requires_grad_()
    b = torch.randn(shape, device=DEVICE).to(dtype).requires_grad_()
    exact = [wide(a.cpu()), wide(b.cpu())]
    found, expected = (kernels.reduce(affine, pair, dim=dim)[1] for pair in ((a, b), tuple(exact)))
    assert_close(found.detach().cpu(), expected.detach(), associative.TOLERANCE[dtype][0])
    some_grads = torch.autograd.grad(found.sum(), (a, b))
    other_grads = torch.autograd.grad(expected.sum(), exact)
    for some, other in zip(some_grads, other_grads, strict=True):
        assert_close(some.cpu(), other, associative.TOLERANCE[dtype][1])


@only_gpu
@pytest.mark.parametrize("dtype", [torch.float64, *HALF])
@pytest.mark.parametrize(
    "shape, dim", [((5000,), 0), ((2, 2049, 65), 1), ((3, 1000), 1), ((128, 3, 4), 0)]
)
def test_public_linear_scan_on_the_gpu(shape, dim, dtype):
    a = (torch.rand(shape, device=DEVICE) * 0.98).to(dtype).requires_grad_()
    b = torch.randn(shape, device=DEVICE).to(dtype).requires_grad_()
    operands = [wide(a.cpu()), wide(b.cpu())]
    for reverse in (False, True):
        expected = kernels.linear_scan(*operands, dim=dim, reverse=reverse)
        found = kernels.linear_scan(a, b, dim=dim, reverse=reverse)
        assert_close(found.detach().cpu(), expected.detach(), linear.TOLERANCE[dtype][0])
        pairs = zip(
            torch.autograd.grad(found.sum(), (a, b)),
            torch.autograd.grad(expected.sum(), operands),
            strict=True,
        )
        for some, other in pairs:
            assert_close(some.cpu(), other, linear.TOLERANCE[dtype][1])


@only_gpu
@pytest.mark.parametrize("dtype", [torch.float64, *HALF])
@pytest.mark.parametrize("shape", [(2, 500, 96, 16), (1, 2048, 256, 16), (3, 129, 10, 5)])
def test_public_selective_scan_on_the_gpu(shape, dtype):
    batch, length, channels, states = shape
    operands = [
        torch.randn(batch, length, channels) * 0.1,  # or gradients are too large for float16
        torch.rand(batch, length, channels) * 0.1,
        -torch.rand(channels, states) * 8,
        torch.randn(batch, length, states),
        torch.randn(batch, length, states),
    ]
    operands = [each.to(DEVICE, dtype).requires_grad_() for each in operands]
    exact = [wide(each.cpu()) for each in operands]
    found, expected = kernels.selective_scan(*operands), kernels.selective_scan(*exact)
    assert_close(found.detach().cpu(), expected.detach(), selective.TOLERANCE[dtype][0])
    some_grads = torch.autograd.grad(found.sum(), operands)
    other_grads = torch.autograd.grad(expected.sum(), exact)
    for some, other in zip(some_grads, other_grads, strict=True):
        assert_close(some.cpu(), other, selective.TOLERANCE[dtype][1])


@only_gpu
@pytest.mark.parametrize("dtype", [torch.float64, *HALF])
@pytest.mark.parametrize("shape", [(2, 500, 4, 64, 64), (1, 2048, 2, 33, 100), (1, 129, 1, 256, 8)])
def test_public_linear_attention_on_the_gpu(shape, dtype):
    batch, length, heads, channels, width = shape
    operands = [
        torch.randn(batch, length, heads, channels) * channels**-0.5,
        torch.randn(batch, length, heads, channels),
        torch.randn(batch, length, heads, width),
        torch.rand(batch, length, heads, channels, 1) * 0.2 + 0.8,
    ]
    operands = [each.to(DEVICE, dtype).requires_grad_() for each in operands]
    exact = [wide(each.cpu()) for each in operands]
    found = kernels.linear_attention(*operands[:3], decay=operands[3])
    expected = kernels.linear_attention(*exact[:3], decay=exact[3])
    assert_close(found.detach().cpu(), expected.detach(), matrices.TOLERANCE[dtype][0])
    some_grads = torch.autograd.grad(found.sum(), operands)
    other_grads = torch.autograd.grad(expected.sum(), exact)
    for some, other in zip(some_grads, other_grads, strict=True):
        assert_close(some.cpu(), other, matrices.TOLERANCE[dtype][1])


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("rows, inputs, outputs", [(1, 1, 1), (3, 130, 33), (17, 128, 32)])
def test_int8(dtype, rows, inputs, outputs):
    x = torch.randn(inputs, rows, device=DEVICE).to(dtype).t()
    weight, bias = torch.randn(outputs, inputs, device=DEVICE), torch.randn(outputs, device=DEVICE)
    q, scale = kernels.quantise_int8(weight)
    for given in ((q, scale, bias.to(dtype)), (q.t().contiguous().t(), scale, None)):
        found = int8._in_triton(x, *given)
        exact = [None if each is None else each.double() for each in given[1:]]
        expected = int8.reference(x.double(), given[0], *exact)
        assert found.dtype == dtype
        assert_close(found, expected, int8.TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("parts", [0, 1, 3])
@pytest.mark.parametrize("count, softening", [(1, 0.0), (3, 0.0), (8, 0.3), (30, 0.3)])
def test_nbody(count, softening, parts, dtype):
    x = torch.randn(3, count, device=DEVICE).to(dtype)
    masses = torch.rand(count, device=DEVICE).to(dtype)
    soft = torch.tensor(softening, device=DEVICE, dtype=dtype)
    operands = [wide(each) for each in (x, masses, soft)]
    expected = bodies.reference(operands[0].t(), *operands[1:2], softening=operands[2]).t()
    values, gradients = bodies.TOLERANCE[dtype]
    assert_close(pairs.all_pairs(x, masses, soft, parts=parts), expected.detach(), values)

    dy = torch.randn(3, count, device=DEVICE).to(dtype)
    exact = torch.autograd.grad(expected, operands, dy.double())
    found = pairs.all_pairs(x, masses, soft, dy, parts=parts)
    for some, other in zip((found[:3], found[3], found[4].sum()), exact, strict=True):
        assert_close(some, other, gradients)


@pytest.mark.parametrize("root", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    "batch, n, m, d, parts", [(1, 1, 1, 1, 0), (2, 9, 17, 3, 3), (1, 8, 16, 20, 1), (3, 5, 9, 8, 0)]
)
def test_distances(batch, n, m, d, parts, dtype, root):
    x, y = (torch.randn(batch, rows, d, device=DEVICE).to(dtype) for rows in (n, m))
    x[0, 0] = y[0, 0]  # at distance 0, where the gradient of the root is 0
    operands = [wide(x), wide(y)]
    expected = apart.reference(operands[0][:, :, None], operands[1][:, None], root=root)
    values, gradients = apart.TOLERANCE[dtype]
    found = apart_triton.distances(x, y, root=root)
    assert_close(found, expected.detach(), values)

    grad = torch.randn_like(found)
    exact = torch.autograd.grad(expected, operands, grad.double())
    weights = (grad / found).masked_fill(found == 0, 0) if root else 2 * grad
    assert_close(apart_triton.pulls(x, y, weights.mT, parts=parts), exact[0], gradients)
    assert_close(apart_triton.pulls(y, x, weights, parts=parts), exact[1], gradients)


@only_gpu
@pytest.mark.parametrize("root", [False, True])
@pytest.mark.parametrize("dtype", HALF)
def test_many_distances_on_the_gpu(dtype, root, monkeypatch):
    monkeypatch.setattr(apart, "MANY_DIFFERENCES", 0)
    monkeypatch.setattr(apart, "MANY_WITH_GRADIENTS", 0)
    x, y = (torch.randn(2, n, 70, device=DEVICE).to(dtype).requires_grad_() for n in (300, 1001))
    operands = [wide(x), wide(y)]
    found = kernels.squared_distances(x[:, :, None], y[:, None], root=root)
    expected = apart.reference(operands[0][:, :, None], operands[1][:, None], root=root)
    assert found.dtype == dtype
    values, gradients = apart.TOLERANCE[dtype]
    assert_close(found, expected.detach(), values)
    grad = torch.randn_like(found)
    exact = torch.autograd.grad(expected, operands, grad.double())
    for some, other in zip(torch.autograd.grad(found, (x, y), grad), exact, strict=True):
        assert_close(some, other, gradients)


@only_gpu
@pytest.mark.parametrize("few", [0, bodies.FEW_PAIRS_ON_A_GPU])
def test_particles_on_the_gpu_in_a_graph(few, monkeypatch):
    monkeypatch.setattr(bodies, "FEW_PAIRS_ON_A_GPU", few)
    x, masses = torch.randn(500, 3, device=DEVICE), torch.rand(500, device=DEVICE)
    exact = bodies.reference(wide(x), wide(masses), softening=0.1).detach()
    for attracted in (kernels.nbody, kernels.barnes_hut):
        with torch.cuda.stream(torch.cuda.Stream()):
            attracted(x, masses, softening=0.1)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            found = attracted(x, masses, softening=0.1)
        graph.replay()
        assert_close(found, exact, bodies.TOLERANCE[torch.float32][0])


@only_gpu
@pytest.mark.parametrize("few", [0, gathered.FEW_BYTES])
@pytest.mark.parametrize("dtype", HALF)
def test_gathered_rows_on_the_gpu(dtype, few, monkeypatch):
    monkeypatch.setattr(gathered, "FEW_BYTES", few)
    places = torch.rand(300, 500, device=DEVICE).topk(4).indices
    weights = torch.rand(300, 4, device=DEVICE).to(dtype)
    values = torch.randn(500, 20, device=DEVICE).to(dtype)
    exact = gathered.reference(wide(weights), places, wide(values)).detach()
    found = kernels.gather_matmul(weights, places, values)
    assert found.dtype == dtype
    assert_close(found, exact, gathered.TOLERANCE[dtype][0])


@only_gpu
@pytest.mark.parametrize("dtype", HALF)
def test_few_of_all_experts_wait_for_nothing(dtype):
    x, w_in = torch.randn(40, 16, device=DEVICE), torch.randn(8, 16, 32, device=DEVICE)
    operands = [x, torch.rand(40, 2, device=DEVICE), w_in, torch.randn(8, 32, 6, device=DEVICE)]
    x, weights, w_in, w_out = (each.to(dtype) for each in operands)
    chosen = torch.rand(40, 8, device=DEVICE).topk(2).indices
    chosen[3, 1], chosen[4, 0] = -1, 8
    kernels.moe(x, chosen, weights, w_in, w_out)
    torch.cuda.set_sync_debug_mode("error")
    try:
        found = kernels.moe(x, chosen, weights, w_in, w_out)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    given = [each.double() for each in (weights, w_in, w_out)]
    exact = experts.reference(x.double(), chosen, *given)
    assert found.dtype == dtype
    assert_close(found, exact, experts.TOLERANCE[dtype][0])


@only_gpu
@pytest.mark.parametrize("few", [0, 1 << 14, 1 << 20])
def test_keys_and_values_are_kept_on_the_gpu(few, monkeypatch):
    monkeypatch.setattr(kept, "FEW_BYTES", {"cuda": few})
    cache, rows = kernels.KVCache(), torch.randn(2, 3, 200, 8, device=DEVICE)
    for place in range(200):
        row = rows[..., place : place + 1, :]
        keys, values = cache.append(row, row * 2)
    assert torch.equal(keys, rows)
    assert torch.equal(values, rows * 2)


def bands(q):
    return kernels.local_attention(*(q[:, None].half(),) * 3, window=(5, 0))


@only_gpu
@pytest.mark.parametrize("name", ["linear_scan", "linear_attention", "selective_scan", "bands"])
def test_without_a_gradient_no_operator_is_called(name, monkeypatch):
    """Its kernels are launched all the same, and do the same."""
    q = torch.randn(2, 300, 16, device=DEVICE) / 4
    run = {
        "linear_scan": lambda q: kernels.linear_scan(q, q, dim=1),
        "linear_attention": lambda q: kernels.linear_attention(*(q[:, :, None],) * 3),
        "selective_scan": lambda q: kernels.selective_scan(
            q, q.sigmoid(), -torch.ones(16, 16, device=DEVICE), q, q
        ),
        "bands": bands,
    }[name]
    expected = run(q.clone().requires_grad_())
    assert expected.requires_grad
    module = {"linear_scan": linear, "linear_attention": matrices, "bands": local}.get(
        name, selective
    )
    monkeypatch.setattr(module, "_forward", None)
    torch.testing.assert_close(run(q), expected.detach())


@only_gpu
def test_the_best_of_chunks_on_the_gpu():
    x = torch.randn(3, 10000, device=DEVICE)
    values, places = kernels.streaming_topk_chunks(x.split(999, -1), 7)
    assert torch.equal(values, x.topk(7).values)
    assert torch.equal(x.gather(-1, places), values)


@only_gpu
@pytest.mark.parametrize(
    "shape, dim",
    [((2, 1 << 20), 1), ((1 << 20, 3), 0), ((500, 100), 1), ((1 << 13, 1 << 13), 1),
     ((5000, 14001), 1)],
)  # fmt: skip
def test_public_softmax_on_the_gpu(shape, dim):
    x = torch.randn(shape, device=DEVICE, requires_grad=True)
    exact = wide(x)
    found, expected = kernels.online_softmax(x, dim), torch.softmax(exact, dim)
    assert_close(found.detach(), expected.detach(), softmax.TOLERANCE[torch.float32][0])
    dy = torch.randn(shape, device=DEVICE)
    (some,) = torch.autograd.grad(found, x, dy)
    (other,) = torch.autograd.grad(expected, exact, dy.double())
    assert (some - other).abs().max() <= softmax.TOLERANCE[torch.float32][1] * dy.abs().max()
    with torch.no_grad():
        found = kernels.logsumexp(x, dim)
    assert_close(found, torch.logsumexp(exact.detach(), dim), softmax.TOLERANCE[torch.float32][0])


@only_gpu
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_public_attention_on_the_gpu(dtype):
    operands = [
        torch.randn(2, 4, 300, 64, device=DEVICE).to(dtype).requires_grad_() for _ in range(3)
    ]
    exact = [wide(each) for each in operands]
    for options in ({}, {"is_causal": True}):
        found = kernels.flash_attention(*operands, **options)
        expected = attention.reference(*exact, **options)
        assert_close(found.detach(), expected.detach(), attention.TOLERANCE[dtype][0])
        some_grads = torch.autograd.grad(found.float().square().sum(), operands)
        other_grads = torch.autograd.grad(expected.square().sum(), exact)
        for some, other in zip(some_grads, other_grads, strict=True):
            assert_close(some, other, attention.TOLERANCE[dtype][1])


def banded(*leads, lengths, widths=(8, 8), dtype=torch.float32):
    """q, k and v with these leading axes, of which the first and the last are their owner's."""
    (queries, keys), (width, v_width) = lengths, widths
    lead, other = leads if len(leads) == 2 else leads * 2
    shapes = (*lead, queries, width), (*other, keys, width), (*other, keys, v_width)
    return [torch.randn(shape, device=DEVICE).to(dtype) for shape in shapes]


def assert_local_attention(given, window, dtype, scale=0.7, tiles=None):
    """The kernels themselves beside the formula: values and gradients."""
    exact = [wide(each) for each in given]
    shared = given[0].shape[1] != given[1].shape[1]
    expected = local.reference(*exact, window=window, scale=scale, enable_gqa=shared)
    out, kept = (unwritten(expected.shape, dtype) for _ in range(2))
    lse = unwritten(expected.shape[:3], torch.float32)
    band_triton.forward_triton(*given, window, scale, out, kept, lse, tiles=tiles)
    values, gradients = local.TOLERANCE[dtype]
    assert_close(out, expected.detach(), values)
    assert torch.equal(out, kept)
    alone = torch.full_like(out, float("nan"))
    band_triton.forward_triton(*given, window, scale, alone, None, None, tiles=tiles)
    assert torch.equal(out, alone)

    # rows of the gradient that are apart, and in any order of the leading axes
    do = torch.randn(*expected.shape[::-1], device=DEVICE).permute(3, 2, 1, 0).to(dtype)
    found = [unwritten(each.shape, dtype) for each in given]
    options = {"tiles": tiles and (tiles, tiles)}
    band_triton.backward_triton(do, *given, kept, lse, window, scale, *found, **options)
    exact = torch.autograd.grad(expected, exact, do.double())
    # where a query sees one key its gradient is 0: what is left of terms as large as the others
    largest = max(each.abs().max() for each in exact)
    for some, other in zip(found, exact, strict=True):
        assert (some.double() - other).abs().max() <= gradients * largest


LENGTHS = [(1, 1), (13, 13), (129, 129), (50, 41), (41, 77), (1, 20), (20, 20)]
WINDOWS = [(0, 0), (5, 0), (0, 7), (3, 4), (-1, 3), (3, -1), (60, 1), (40, 70), (200, 0)]


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("window", WINDOWS)
def test_local_attention(lengths, window):
    bounds = local._bounds(*lengths, window)
    if bounds is not None:
        assert_local_attention(banded((1, 1), lengths=lengths), bounds, torch.float32)


@pytest.mark.parametrize(
    "widths, dtype",
    [
        ((8, 8), torch.float32),
        ((40, 40), torch.bfloat16),
        ((64, 64), torch.float16),
        ((64, 64), torch.float32),
        ((128, 128), torch.bfloat16),
        ((128, 128), torch.float32),
        ((1, 3), torch.float16),
        ((16, 100), torch.bfloat16),
    ],
)
def test_local_attention_of_any_width(widths, dtype):
    given = banded((1, 1), lengths=(37, 37), widths=widths, dtype=dtype)
    assert_local_attention(given, (9, 2), dtype, scale=widths[0] ** -0.5)


@pytest.mark.parametrize("heads, dtype", [*zip((1, 2, 3), HALF, strict=True)])
def test_local_attention_shares_heads(heads, dtype):
    given = banded((2, 6), (2, heads), lengths=(23, 19), dtype=dtype)
    assert_local_attention(given, (7, 1), dtype)


@pytest.mark.parametrize("scale", [0.0, -0.5, 3.0])
def test_local_attention_of_any_scale(scale):
    assert_local_attention(banded((1, 1), lengths=(33, 33)), (7, 1), torch.float32, scale)


@pytest.mark.parametrize("tiles", [(16, 16), (16, 32), (32, 16), (64, 16), (16, 64)])
@pytest.mark.parametrize("window", [(20, 0), (50, 50)])
def test_local_attention_in_any_tiles(tiles, window):
    given = banded((1, 1), lengths=(150, 150))
    tiles = band_triton.Tiles(*tiles, 4, 2)
    assert_local_attention(given, window, torch.float32, tiles=tiles)


def test_local_attention_of_views():
    q, k, v = banded((2, 3), lengths=(20, 20))
    apart = [each.movedim(2, 0).contiguous().movedim(0, 2) for each in (q, k, v)]
    spread = [torch.randn(2, 3, 20, 16, device=DEVICE)[..., ::2] for _ in range(3)]
    repeated = [q, k[:1, :1].expand(2, 3, 20, 8), v[:, :1].expand(2, 3, 20, 8)]
    columns = [each.mT.contiguous().mT for each in (q, k, v)]
    for given in (apart, spread, repeated, columns, [each[:, :, 3:] for each in (q, k, v)]):
        assert_local_attention(given, (5, 2), torch.float32)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_local_attention_of_what_is_not_finite():
    """Where a score is -inf its key has no weight; a row of such is NaN, as in the formula."""
    q, k, v = (each.abs() for each in banded((1, 1), lengths=(64, 64), dtype=torch.float16))
    out = unwritten((1, 1, 64, 8), torch.float16)
    for places in (slice(10, 12), slice(0, 40)):
        k[..., places, :] = -INF
        expected = local.reference(wide(q), wide(k), wide(v), window=(9, 3), scale=1.0)
        band_triton.forward_triton(q, k, v, (9, 3), 1.0, out, None, None)
        tolerance = local.TOLERANCE[torch.float16][0]
        torch.testing.assert_close(
            out.double(), expected.detach(), rtol=0, atol=tolerance, equal_nan=True
        )
    v[..., 50, :] = NAN
    expected = local.reference(q, k, v, window=(9, 3), scale=1.0)
    band_triton.forward_triton(q, k, v, (9, 3), 1.0, out, None, None)
    assert (out.isnan() | ~expected.isnan()).all()


@pytest.fixture
def through_the_operator(monkeypatch):
    """The public function takes its kernel, whatever the dtype and the device."""
    monkeypatch.setattr(local, "_has_kernel", lambda *_: True)


@pytest.mark.parametrize(
    "lead, other, options",
    [
        ((), (), {}),
        ((2,), (2,), {"scale": 0.3}),
        ((2, 1), (1, 3), {"scale": torch.tensor(0.7)}),
        ((1, 2, 1, 3), (1, 2, 1, 3), {}),
        ((2, 4), (2, 2), {"enable_gqa": True}),
        ((4,), (2,), {"enable_gqa": True}),
    ],
)
def test_public_local_attention_of_any_rank(lead, other, options, through_the_operator):
    given = banded(lead, other, lengths=(41, 39), widths=(4, 6))
    given = [each.requires_grad_() for each in given]
    found = kernels.local_attention(*given, window=(5, 3), **options)
    expected = local.reference(*given, window=(5, 3), **options)
    assert found.is_contiguous()
    assert "auditor_local_attention" in graph_of(found)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
    weights = torch.randn_like(expected)
    some_grads = torch.autograd.grad(found, given, weights)
    other_grads = torch.autograd.grad(expected, given, weights)
    for some, other in zip(some_grads, other_grads, strict=True):
        torch.testing.assert_close(some, other, rtol=1e-4, atol=1e-5)


def graph_of(tensor):
    """The names of what autograd recorded."""
    names, ahead = [], [tensor.grad_fn]
    while ahead:
        node = ahead.pop()
        if node is not None:
            names.append(type(node).__name__)
            ahead += [each for each, _ in node.next_functions]
    return " ".join(names)


def test_local_attention_has_gradients_of_gradients(through_the_operator):
    given = [each.requires_grad_() for each in banded((1, 4), (1, 2), lengths=(41, 41))]
    second = []
    for function in (kernels.local_attention, local.reference):
        out = function(*given, window=(5, 3), enable_gqa=True)
        first = torch.autograd.grad(out.square().sum(), given, create_graph=True)
        second.append(torch.autograd.grad(sum(each.square().sum() for each in first), given))
    for some, other in zip(*second, strict=True):
        torch.testing.assert_close(some, other, rtol=1e-3, atol=1e-3)


def test_local_attention_may_be_overwritten(through_the_operator):
    given = [each.requires_grad_() for each in banded((1, 2), lengths=(41, 41))]
    expected = torch.autograd.grad(local.reference(*given, window=(5, 3)).sum(), given[0])
    operands = [given[0], given[1].detach(), given[2].detach()]
    out = kernels.local_attention(*operands, window=(5, 3))
    out += 1
    operands[0].data.zero_()  # the formula's gradient of q reads it no more
    torch.testing.assert_close(torch.autograd.grad(out.sum(), given[0]), expected)


def test_local_attention_takes_gradients_at_once(through_the_operator):
    given = [each.requires_grad_() for each in banded((1, 2), lengths=(41, 41))]
    out = kernels.local_attention(*given, window=(5, 3))
    weights = torch.randn(3, *out.shape, device=DEVICE)
    together = torch.autograd.grad(out, given, weights, is_grads_batched=True, retain_graph=True)
    for row, weight in enumerate(weights):
        alone = torch.autograd.grad(out, given, weight, retain_graph=True)
        for some, other in zip(together, alone, strict=True):
            torch.testing.assert_close(some[row], other)


def test_local_attention_is_compiled(through_the_operator):
    given = [each.requires_grad_() for each in banded((1, 2), lengths=(41, 41))]
    compiled = torch.compile(
        lambda q, k, v: kernels.local_attention(q, k, v, window=(5, 3)),
        fullgraph=True,
        backend="aot_eager",
    )
    expected = torch.autograd.grad(local.reference(*given, window=(5, 3)).sum(), given)
    found = torch.autograd.grad(compiled(*given).sum(), given)
    for some, other in zip(found, expected, strict=True):
        torch.testing.assert_close(some, other, rtol=1e-4, atol=1e-5)


def test_the_operator_of_local_attention_is_registered_right():
    q, k, v = (each.requires_grad_() for each in banded((1, 4), (1, 2), lengths=(20, 20)))
    torch.library.opcheck(local._forward, (q, k, v, 5, 3, 0.5, True))


@only_gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize(
    "lead, other, lengths, widths, window",
    [
        ((2, 3), (2, 3), (1000, 1000), (64, 64), (127, 0)),
        ((1, 4), (1, 2), (2048, 2048), (128, 128), (511, 0)),
        ((1, 2), (1, 2), (777, 900), (40, 56), (64, 64)),
        ((2, 2), (2, 2), (300, 301), (128, 64), (-1, 200)),
        ((1, 2), (1, 2), (4096, 4096), (64, 64), (2047, 30)),
        ((1, 8), (1, 1), (513, 513), (16, 16), (3, 4)),
        ((70000, 1), (70000, 1), (3, 3), (8, 8), (1, 0)),
    ],
)
def test_public_local_attention_on_the_gpu(lead, other, lengths, widths, window, dtype):
    given = banded(lead, other, lengths=lengths, widths=widths, dtype=dtype)
    given = [each.requires_grad_() for each in given]
    exact = [wide(each) for each in given]
    options = {"window": window, "enable_gqa": lead != other}
    found = kernels.local_attention(*given, **options)
    expected = local.reference(*exact, **options)
    assert ("auditor_local_attention" in graph_of(found)) == (dtype in local.ON_TRITON)
    assert_close(found.detach(), expected.detach(), local.TOLERANCE[dtype][0])
    weights = torch.randn_like(found)
    some_grads = torch.autograd.grad(found, given, weights)
    other_grads = torch.autograd.grad(expected, exact, weights.double())
    for some, other in zip(some_grads, other_grads, strict=True):
        assert_close(some, other, local.TOLERANCE[dtype][1])


@only_gpu
@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("width", [64, 128])
@pytest.mark.parametrize("window", [(127, 0), (100, 300)])
def test_local_attention_in_its_own_tiles_on_the_gpu(width, window, dtype):
    given = banded((1, 4), (1, 2), lengths=(1000, 1111), widths=(width, width), dtype=dtype)
    assert_local_attention(given, window, dtype, scale=width**-0.5)


@only_gpu
def test_local_attention_of_more_elements_than_32_bits_count():
    """A view far behind the start of its storage, and rows that are far apart."""
    if torch.cuda.mem_get_info()[0] < 12 << 30:
        pytest.skip("needs memory")
    base = torch.empty(5 << 30, dtype=torch.bfloat16, device=DEVICE)
    given = []
    for place in range(3):
        given.append(base[64 * place :].as_strided((2, 1, 300, 64), (64 << 4, 1, 1 << 24, 1)))
        given[-1].normal_()
    assert_local_attention(given, (50, 3), torch.bfloat16, scale=0.125)
