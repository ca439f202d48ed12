"""The kernels in C: what the tests of the kernels, which run them too, do not look at."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest
import torch

from auditor import kernels

native = importlib.import_module("auditor.kernels.native")
linear = importlib.import_module("auditor.kernels.linear_scan")
selective = importlib.import_module("auditor.kernels.selective_scan")
bodies = importlib.import_module("auditor.kernels.nbody")

built = pytest.mark.skipif(native.LIBRARY is None, reason="the C kernels were not built")
INF, NAN = float("inf"), float("nan")


@pytest.fixture(params=range(native.LEVEL + 1))
def level(request, monkeypatch):
    """Each instruction set that this processor has."""
    monkeypatch.setattr(native, "LEVEL", request.param)


@pytest.fixture(autouse=True)
def operators_for_short_sequences(monkeypatch):
    monkeypatch.setattr(linear, "SHORT_SEQUENCE", 0)
    monkeypatch.setattr(selective, "SHORT_SEQUENCE", 0)
    monkeypatch.setattr(bodies, "FEW_PAIRS", 0)
    torch.manual_seed(0)


# ---------------------------------------------------------------------------------- the numbers


def exponentials(values):
    """e^x by the selective scan: one step from the state 1."""
    nothing, ones = values.new_zeros(1, 1, values.numel()), values.new_ones(1, values.numel(), 1)
    zero = values.new_zeros(1, 1, 1)
    _, state = kernels.selective_scan(
        nothing, values.view(1, 1, -1), ones[0], zero, zero, ones, output_final_state=True
    )
    return state.flatten()


@built
@pytest.mark.parametrize(
    "dtype, bits, low, high",
    [(torch.float32, 24, -104.5, 89.0), (torch.float64, 53, -746.0, 710.0)],
)
def test_exponentials_are_right_to_little_more_than_a_unit(level, dtype, bits, low, high):
    values = torch.cat(
        [torch.linspace(low, high, 200_001).to(dtype), torch.randn(100_000, dtype=dtype)]
    )
    exact, found = values.double().exp(), exponentials(values)
    if dtype == torch.float64:
        finite = exact.isfinite()
    else:
        finite = exact <= torch.finfo(dtype).max
    assert torch.equal(found.isfinite(), finite)
    smallest = torch.finfo(dtype).tiny
    unit = torch.ldexp(torch.ones_like(exact), exact.clamp_min(smallest).frexp().exponent - bits)
    error = ((found.double() - exact).abs() / unit)[finite]
    assert error.max() < (1.02 if dtype == torch.float32 else 2)  # half a unit in `exact` itself


@built
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_exponentials_of_special_values(level, dtype):
    values = torch.tensor([INF, -INF, NAN, 0.0, -0.0, 1e38, -1e38, -103.5, -745.0], dtype=dtype)
    torch.testing.assert_close(
        exponentials(values), values.exp(), equal_nan=True, rtol=1e-6, atol=0
    )


@built
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_narrow_numbers_are_converted_as_torch_does(level, dtype):
    every = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int16).view(dtype).view(1, 1, -1)
    wide = torch.empty(every.shape)
    zero = torch.zeros(()).expand(every.shape)
    native.linear_scan(zero, every, None, wide, wide=torch.float32)
    torch.testing.assert_close(wide, every.float(), equal_nan=True, rtol=0, atol=0)
    floats = torch.randint(-(1 << 31), 1 << 31, (1, 1, 1 << 18)).int().view(torch.float32)
    floats = torch.cat([floats, torch.randn_like(floats) * 1e-6, torch.randn_like(floats)], 2)
    narrow = torch.empty(floats.shape, dtype=dtype)
    zero = torch.zeros(()).expand(floats.shape)
    native.linear_scan(zero, floats, None, narrow, wide=torch.float32)
    torch.testing.assert_close(narrow, floats.to(dtype), equal_nan=True, rtol=0, atol=0)


# -------------------------------------------------------------------------------- linear scan


def views(shape, dim):
    """Tensors of one shape that lie differently in memory."""
    yield torch.rand(shape) * 2 - 1
    yield torch.rand(shape[::-1]).permute(*range(len(shape))[::-1])
    yield torch.rand([2 * size for size in shape])[tuple(slice(1, None, 2) for _ in shape)]
    yield torch.rand([1 if axis == dim else size for axis, size in enumerate(shape)]).expand(shape)
    yield torch.rand([size if axis == dim else 1 for axis, size in enumerate(shape)]).expand(shape)
    yield torch.rand(()).expand(shape)


@built
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    "shape, dim",
    [
        ((70,), 0),
        ((2, 70, 2100), 1),
        ((70, 3), 0),
        ((3, 70), 1),
        ((70, 70), 1),
        ((5, 129, 9), 1),
        ((2, 3, 65, 40), 2),
        ((33, 4, 66), 2),
    ],
)
def test_every_layout_gives_the_loop_bit_by_bit(level, shape, dim, reverse):
    for a in views(shape, dim):
        for b in views(shape, dim):
            found = kernels.linear_scan(a, b, dim=dim, reverse=reverse)
            assert torch.equal(found, linear.reference(a, b, dim=dim, reverse=reverse))


@built
@pytest.mark.parametrize("shape, dim", [((2, 90, 40), 1), ((90, 2), 0), ((40, 90), 1)])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float16])
def test_gradients_of_every_layout(level, shape, dim, reverse, dtype):
    start = torch.randn([size for axis, size in enumerate(shape) if axis != dim]).to(dtype)
    for a in views(shape, dim):
        a, b = a.to(dtype), torch.randn(shape).to(dtype)
        weights = torch.randn(shape[::-1]).to(dtype).permute(*range(len(shape))[::-1])
        found, want = [], []
        for run, into in ((kernels.linear_scan, found), (linear.reference, want)):
            wide = dtype if run is kernels.linear_scan else torch.float64
            leaves = [each.detach().to(wide).requires_grad_() for each in (a, b, start)]
            h = run(*leaves, dim=dim, reverse=reverse)
            into += torch.autograd.grad(h, leaves, weights.to(wide))
        for some, other in zip(found, want, strict=True):
            limit = linear.TOLERANCE[dtype][1] * other.abs().max()
            assert (some.double() - other).abs().max() <= limit


@built
@pytest.mark.parametrize("shape", [(40, 40), (40, 2), (2, 40)])
def test_linear_scan_of_special_values(level, shape):
    a, b = torch.rand(shape), torch.randn(shape)
    for place, value in enumerate((INF, -INF, NAN, 0.0, -0.0, 3e38, 1e-40)):
        a[5 * place % shape[0], place % shape[1]] = value
        b[7 * place % shape[0], (place + 1) % shape[1]] = value
    for dim in (0, 1):
        found, want = kernels.linear_scan(a, b, dim=dim), linear.reference(a, b, dim=dim)
        torch.testing.assert_close(found, want, equal_nan=True, rtol=0, atol=0)
        assert torch.equal(found.signbit() | found.isnan(), want.signbit() | want.isnan())


@built
def test_views_that_stand_for_the_negative_of_their_memory():
    pairs = torch.randn(50, 9, dtype=torch.complex64)
    b = pairs.conj().imag
    assert b.is_neg()
    assert torch.equal(kernels.linear_scan(b, b, dim=0), linear.reference(b, b, dim=0))


# ------------------------------------------------------------------------------ selective scan


def selective_operands(batch, length, channels, states, groups=1):
    return [
        torch.randn(batch, length, channels),
        torch.rand(batch, length, channels),
        -torch.rand(channels, states),
        torch.randn(batch, length, groups, states),
        torch.randn(batch, length, groups, states),
        torch.randn(batch, channels, states),
    ]


@built
@pytest.mark.parametrize(
    "size", [(1, 1, 1, 1), (2, 130, 70, 3), (1, 65, 33, 17), (3, 20, 96, 4, 2), (1, 9, 1100, 2)]
)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_selective_scan_in_every_instruction_set(level, size, dtype):
    operands = [each.to(dtype).requires_grad_() for each in selective_operands(*size)]
    exact = [each.detach().double().requires_grad_() for each in operands]
    results = kernels.selective_scan(*operands, output_final_state=True)
    wanted = selective.reference(*exact, output_final_state=True)
    weights = [torch.randn_like(each) for each in wanted]
    found = torch.autograd.grad(results, operands, [each.to(dtype) for each in weights])
    want = torch.autograd.grad(wanted, exact, weights)
    limits = [selective.TOLERANCE[dtype][0]] * 2 + [selective.TOLERANCE[dtype][1]] * 6
    for some, other, limit in zip((*results, *found), (*wanted, *want), limits, strict=True):
        assert (some.double() - other).abs().max() <= limit * other.abs().max() + 1e-15


@built
def test_many_groups_of_one_channel_run_in_torch(monkeypatch):
    """There most lanes of the C kernel would be empty."""
    few, many = selective_operands(1, 9, 1, 8), selective_operands(200, 9, 1, 8)
    ran = []
    monkeypatch.setattr(native, "selective_forward", lambda *_: ran.append("C"))
    monkeypatch.setattr(selective, "_forward_torch", lambda *_: ran.append("torch"))
    kernels.selective_scan(*few[:5])
    kernels.selective_scan(*many[:5])
    assert ran == ["C", "torch"]


@built
def test_empty_lanes_of_a_block_leave_no_trace(level):
    """Three channels in a block of many: what stands for the others meets inf, and is not added."""
    x, delta, A, B, C, _ = (each.requires_grad_() for each in selective_operands(1, 6, 3, 2))
    with torch.no_grad():
        x.abs_()  # sums over the channels are inf then, not NaN
        C[0, 3, 0, 0] = INF
        B[0, 2, 0, 1] = -INF
    found = torch.autograd.grad(kernels.selective_scan(x, delta, A, B, C).sum(), (x, B, C))
    want = torch.autograd.grad(selective.reference(x, delta, A, B, C).sum(), (x, B, C))
    for some, other in zip(found, want, strict=True):
        torch.testing.assert_close(some, other, equal_nan=True)


# -------------------------------------------------------------------------------------- N-body


@built
@pytest.mark.parametrize("count, axes", [(1, 3), (33, 2), (300, 3), (515, 1)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_nbody_in_every_instruction_set(level, count, axes, dtype):
    # far apart: where two are close, no code of this precision knows their distance
    x = torch.randn(count, axes) + 5 * torch.arange(count)[:, None] % 41
    weights = torch.randn(count, axes, dtype=torch.float64)
    found, want = [], []
    for into, kind, run in ((found, dtype, kernels.nbody), (want, torch.double, bodies.reference)):
        leaves = [each.to(kind).requires_grad_() for each in (x, torch.ones(count))]
        leaves.append(torch.tensor(0.5, dtype=kind, requires_grad=True))
        forces = run(*leaves[:2], softening=leaves[2])
        into += [forces, *torch.autograd.grad(forces, leaves, weights.to(kind))]
    limit = 1e-13 if dtype == torch.float64 else 2e-5
    for some, other in zip(found, want, strict=True):
        assert (some.double() - other).abs().max() <= limit * other.abs().max()


# ------------------------------------------------------------------------------------- threads


@built
@pytest.mark.parametrize("team", [True, False], ids=["OpenMP's", "our own"])
def test_results_do_not_depend_on_the_number_of_threads(monkeypatch, team):
    monkeypatch.setattr(native, "PARALLEL", 1)
    monkeypatch.setattr(native, "PARALLEL_AWAKE", 1)
    if not team:
        monkeypatch.setattr(native, "_team", lambda: None)
    elif native._team() is None:
        pytest.skip("torch has no OpenMP that a library can call")
    operands = [each.requires_grad_() for each in selective_operands(2, 40, 200, 4)]
    a, b = torch.rand(3, 50, 90), torch.randn(3, 50, 90)
    before = torch.get_num_threads()
    results = []
    try:
        for threads in (1, 2, 5):
            torch.set_num_threads(threads)
            y = kernels.selective_scan(*operands)
            grads = torch.autograd.grad(y.sum(), operands)
            forces = kernels.nbody(a.view(-1, 3), b.view(-1)[:4500])
            results.append((y, *grads, kernels.linear_scan(a, b, dim=1), forces))
    finally:
        torch.set_num_threads(before)
    for other in results[1:]:
        for one, two in zip(results[0], other, strict=True):
            assert torch.equal(one, two)


@built
@pytest.mark.skipif(sys.platform != "linux", reason="only there torch is known to use GCC's")
def test_the_threads_of_torch_are_found():
    assert native._team() is not None


@built
@pytest.mark.skipif(sys.platform == "win32", reason="processes do not fork there")
def test_a_forked_process_has_threads_of_its_own():
    program = (
        "import os, torch\n"
        "from auditor import kernels\n"
        "from auditor.kernels import native\n"
        "native.PARALLEL = native.PARALLEL_AWAKE = 1\n"
        "torch.set_num_threads(2)\n"
        "a = torch.rand(4, 50, 64)\n"
        "before = kernels.linear_scan(a, a, dim=1)\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    after = native.linear_scan(a, a, None, a.new_empty(a.shape), wide=a.dtype)\n"
        "    os._exit(7)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr


# ------------------------------------------------------------------------------------- loading


@built
def test_a_library_of_another_version_is_left_alone(monkeypatch):
    assert native._loaded() is not None
    monkeypatch.setattr(native, "VERSION", native.VERSION + 1)
    assert native._loaded() is None


def test_without_a_library_there_is_none(monkeypatch, tmp_path):
    monkeypatch.setattr(native, "__file__", str(tmp_path / "__init__.py"))
    assert native._loaded() is None
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        (tmp_path / f"_library{suffix}").write_bytes(b"not a library")
    assert native._loaded() is None


def test_what_the_library_does_not_read_is_not_given_to_it():
    assert not native.takes(torch.ones(3, dtype=torch.complex64))
    assert not native.takes(torch.ones(3), torch.ones(3, dtype=torch.int64))
    assert not native.takes(torch.ones(3, device="meta"))
    assert native.takes(torch.ones(3), None) == (native.LIBRARY is not None)


# --------------------------------------------------------------------------------- recurrences

scan = importlib.import_module("auditor.kernels.associative_scan")
written = importlib.import_module("auditor.kernels.combine_program")

SPECIAL = [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, 1e-310, 1e30, -1e-30, 3.25]

STEPS = {
    "add": lambda h, x: h + x,
    "sub": lambda h, x: x - h,
    "mul": lambda h, x: torch.mul(h, x),
    "div": lambda h, x: h / x,
    "a number divided": lambda h, x: 3 / x + 0 * h,
    "less than a number": lambda h, x: 0.3 - h * x,
    "maximum": lambda h, x: torch.maximum(h, x),
    "minimum": lambda h, x: h.minimum(x),
    "clamped": lambda h, x: (h + x).clamp(-0.5, 0.5),
    "clamped below": lambda h, x: torch.clamp(h * x, min=0.1),
    "abs and neg": lambda h, x: -torch.abs(h) + x,
    "relu": lambda h, x: torch.relu(h - x),
    "square": lambda h, x: x.square() - h.reciprocal(),
    "where": lambda h, x: torch.where((h > x) | (x == 0), x, h / 2),
    "where of two": lambda h, x: torch.where((h >= x) & (x != 1) & (h < 9), 0.5, x),
    "left alone": lambda h, x: h,
    "forgotten": lambda h, x: x,
}


@built
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", STEPS)
def test_a_recurrence_is_the_loop_bit_by_bit(level, name, dtype):
    """Every operation, between all special values and some others, in another lane each."""
    step = STEPS[name]
    assert written.program(lambda h, e: (step(h[0], e[0]),), 1, 1) is not None
    values = torch.tensor(SPECIAL, dtype=dtype)
    pairs = torch.cartesian_prod(values, values)
    x = torch.cat([pairs[:, 0][None], torch.randn(120, len(pairs), dtype=dtype)])
    options = {"dim": 0, "step": step, "initial_state": pairs[:, 1].clone()}
    calls = ran_in_c()
    found = kernels.associative_scan(step, x, **options)
    assert calls() == 1
    expected = scan.reference(step, x, **options)
    assert torch.equal(found.nan_to_num(7.0), expected.nan_to_num(7.0))
    assert torch.equal(found.isnan(), expected.isnan())


@pytest.fixture(autouse=True)
def counted(monkeypatch):
    """How often recurrences ran in C."""
    counted.calls = 0
    run = native.recurrence

    def counting(*arguments):
        counted.calls += 1
        return run(*arguments)

    monkeypatch.setattr(native, "recurrence", counting)


def ran_in_c():
    before = counted.calls
    return lambda: counted.calls - before


def shifted(state, element):
    (one, two), (x, low) = state, element
    return torch.maximum(one - two / 4 + x, low), one


@built
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize(
    "shape, dim",
    [((300,), 0), ((300, 3), 0), ((5, 300), 1), ((70, 300, 3), 1), ((2, 130, 2500), 1),
     ((2, 3, 130, 65), 2), ((3, 130, 2, 40), 1), ((130, 7, 5), 0)],
)  # fmt: skip
def test_recurrences_of_every_layout(shape, dim, threads, reverse):
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        rest = [size for axis, size in enumerate(shape) if axis != dim]
        for x in views(shape, dim):
            for start in (torch.tensor(0.5).expand(rest), torch.randn(rest)):
                options = {
                    "dim": dim, "reverse": reverse, "step": shifted,
                    "initial_state": (start, torch.zeros(rest)), "output_final_state": True,
                }  # fmt: skip
                calls = ran_in_c()
                found = kernels.associative_scan(None, (x, -0.25), **options)
                assert calls() == 1
                expected = scan.reference(None, (x, -0.25), **options)
                for some, other in zip(found, expected, strict=True):
                    assert all(map(torch.equal, some, other))
    finally:
        torch.set_num_threads(before)


CAPTURED = torch.ones(())

REFUSED = {
    "a truth value kept": lambda h, x: h > x,
    "a sum of truth values": lambda h, x: torch.where((h > x) + (x > 0), h, x),
    "a truth value as a number": lambda h, x: (h > x) * x,
    "a truth value and a number chosen": lambda h, x: torch.where(h > x, x > 0, x),
    "an exponential": lambda h, x: torch.exp(h) + x,
    "a tensor from around": lambda h, x: h * CAPTURED + x,
    "a number that is none": lambda h, x: h + NAN * x,
    "a number too large": lambda h, x: h + 1e39 * x,
    "an integer too large": lambda h, x: h + 10**400 * x,
    "division without rest": lambda h, x: torch.div(h, x, rounding_mode="floor"),
    "a branch": lambda h, x: h if h > 0 else x,
    "a size": lambda h, x: h * len(x),
    "too many operations to hold": lambda h, x: sum((h * n for n in range(70)), x),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_said_in_c_is_left_to_torch(name):
    steps = written.program(lambda h, e: (REFUSED[name](h[0], e[0]),), 1, 1)
    assert steps is None or not native.has_room_for(steps)


@built
def test_wide_rows_are_left_to_torch():
    threads = torch.get_num_threads()
    options = {"dim": 0, "step": STEPS["clamped"], "initial_state": 0.0}
    for width, expected in ((8192 * threads, 1), (8192 * threads + 1, 0)):
        calls = ran_in_c()
        kernels.associative_scan(None, torch.randn(110, width), **options)
        assert calls() == expected


@built
def test_what_wants_a_gradient_is_left_to_torch():
    x = torch.randn(300, 3, requires_grad=True)
    calls = ran_in_c()
    options = {"dim": 0, "step": STEPS["clamped"], "initial_state": 0.0}
    kernels.associative_scan(None, x.detach(), **options)
    assert calls() == 1
    kernels.associative_scan(torch.maximum, x, dim=0).sum().backward()
    assert calls() == 1 and x.grad is not None
    with torch.no_grad():
        kernels.associative_scan(None, x, **options)
    assert calls() == 2
