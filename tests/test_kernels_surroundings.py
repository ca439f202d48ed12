"""Every kernel inside of what a program may put around it: transforms of functions, forward mode,
tracers, tensors without values, autocast. There it does what its reference does."""

from __future__ import annotations

import importlib
import shutil

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode

from auditor import kernels
from tests.kernel_calls import (
    CALLS,
    affine,
    associative,
    fold,
    linear,
    lower_the_guards,
    matrices,
    several,
    total,
)

aten = torch.ops.aten
linear_scan = importlib.import_module("auditor.kernels.linear_scan")
linear_attention_chunks = importlib.import_module("auditor.kernels.linear_attention_chunks")


@pytest.fixture(autouse=True)
def fast_paths_at_small_sizes(monkeypatch):
    lower_the_guards(monkeypatch)
    torch.manual_seed(0)


def leaves(operands):
    return tuple(each.clone().requires_grad_() for each in operands)


def gradients(function, operands, **options):
    return torch.autograd.grad(total(function)(*operands), operands, **options)


def tangents(results):
    return tuple(forward_ad.unpack_dual(each).tangent for each in several(results))


def forward_mode(function, operands):
    with forward_ad.dual_level():
        return tangents(function(*(forward_ad.make_dual(x, torch.ones_like(x)) for x in operands)))


def forward_over_reverse(function, operands):
    with forward_ad.dual_level():
        duals = [forward_ad.make_dual(x, torch.ones_like(x)) for x in leaves(operands)]
        return tangents(gradients(function, duals, create_graph=True))


def gradients_of_gradients(function, operands):
    given = leaves(operands)
    first = gradients(function, given, create_graph=True)
    return torch.autograd.grad(total(lambda: first)(), given)


def of_parameters_that_may_not_be_written(function, operands):
    with torch.inference_mode():
        kept = [each.clone() for each in operands]
    return function(*kept)


def batches_of_gradients(function, operands):
    given = leaves(operands)
    first = several(function(*given))[0]
    weights = torch.stack((torch.ones_like(first), first.detach()))
    return torch.autograd.grad(
        first, given, weights, is_grads_batched=True, allow_unused=True, materialize_grads=True
    )


def stacked(operands):
    return [torch.stack((each, each / 2)) for each in operands]


def traced(function, operands):
    return make_fx(lambda *x: several(function(*x)))(*operands)(*operands)


def exported(function, operands):
    module = torch.nn.Module()
    module.forward = lambda *x: function(*x)
    return torch.export.export(module, tuple(operands)).module()(*operands)


def without_values(results):
    return tuple(torch.zeros(each.shape, dtype=each.dtype) for each in several(results))


def fake(function, operands):
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        results = several(function(*map(mode.from_tensor, operands)))
    return without_values(results)


def in_half_precision(function, operands):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        given = leaves([each.float() for each in operands])
        results = several(function(*given))
        some = [each.float().sum() for each in results if each.requires_grad]
    return without_values((*results, *torch.autograd.grad(some, given, materialize_grads=True)))


def with_gradients(function, operands):
    given = leaves(operands)
    results = several(function(*given))
    return (*results, *torch.autograd.grad(total(lambda: results)(), given))


def backward_twice(function, operands):
    given = leaves(operands)
    result = total(function)(*given)
    first, second = (torch.autograd.grad(result, given, retain_graph=r) for r in (True, False))
    with pytest.raises(RuntimeError, match="second time"):
        torch.autograd.grad(result, given)
    return (*first, *second)


def deterministically(function, operands):
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)
    try:
        first, second = (with_gradients(function, operands) for _ in range(2))
    finally:
        torch.use_deterministic_algorithms(before)
    assert all(torch.equal(some, other) for some, other in zip(first, second, strict=True))
    return first


def checkpointed(function, operands):
    from torch.utils.checkpoint import checkpoint

    return with_gradients(lambda *x: checkpoint(function, *x, use_reentrant=False), operands)


MODES = {
    "grad": lambda f, x: torch.func.grad(total(f), tuple(range(len(x))))(*x),
    "jvp": lambda f, x: torch.func.jvp(f, x, x)[1],
    "vjp": lambda f, x: torch.func.vjp(total(f), *x)[1](torch.ones((), dtype=torch.float64)),
    "hessian": lambda f, x: torch.func.hessian(lambda one: total(f)(one, *x[1:]))(x[0]),
    "vmap": lambda f, x: torch.func.vmap(f)(*stacked(x)),
    "vmap of one": lambda f, x: torch.func.vmap(f, (0, *(None,) * (len(x) - 1)))(
        torch.stack((x[0], x[0] / 2)), *x[1:]
    ),
    "vmap of grad": lambda f, x: torch.func.vmap(torch.func.grad(total(f)))(*stacked(x)),
    "forward mode": forward_mode,
    "forward over reverse": forward_over_reverse,
    "gradients of gradients": gradients_of_gradients,
    "batches of gradients": batches_of_gradients,
    "inference tensors": of_parameters_that_may_not_be_written,
    "tracing": traced,
    "export": exported,
    "torch.jit": lambda f, x: torch.jit.trace(f, x, check_trace=False)(*x),
    "fake tensors": fake,
    "meta tensors": lambda f, x: without_values(f(*(each.to("meta") for each in x))),
    "autocast": in_half_precision,
    "backward twice": backward_twice,
    "deterministic": deterministically,
    "checkpoint": checkpointed,
}


@pytest.fixture(autouse=True)
def nothing_compiled_before():
    torch.compiler.reset()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("call", CALLS)
def test_a_kernel_does_what_its_reference_does(call, mode):
    kernel, reference, called, operands = CALLS[call]
    expected = MODES[mode](called(reference), operands)
    found = MODES[mode](called(kernel), operands)
    for some, other in zip(several(found), several(expected), strict=True):
        assert some.dtype == other.dtype
        torch.testing.assert_close(some, other)


COMPILED = {
    "for these sizes": {"backend": "aot_eager"},
    "for any sizes": {"backend": "aot_eager", "dynamic": True},
}


UNROLLED = {"local attention", "delta rule", "delta rule by numbers"}
"""Their sizes, left open, take torch a minute of algebra."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("how", COMPILED)
@pytest.mark.parametrize("call", CALLS)
def test_a_kernel_is_compiled_in_one_graph(call, how):
    if "dynamic" in COMPILED[how] and call in UNROLLED:
        return
    kernel, reference, called, operands = CALLS[call]
    run = torch.compile(called(kernel), fullgraph=True, **COMPILED[how])
    for some, other in zip(
        with_gradients(run, operands), with_gradients(called(reference), operands), strict=True
    ):
        assert some.dtype == other.dtype
        torch.testing.assert_close(some, other)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(shutil.which("gcc") is None, reason="Inductor needs a compiler")
@pytest.mark.parametrize(
    "call", ["linear scan", "selective scan", "associative scan", "reduce", "softmax", "welford"]
)
def test_a_kernel_is_compiled_by_inductor(call):
    kernel, reference, called, operands = CALLS[call]
    run = torch.compile(called(kernel), fullgraph=True)
    for some, other in zip(
        with_gradients(run, operands), with_gradients(called(reference), operands), strict=True
    ):
        torch.testing.assert_close(some, other)


# ------------------------------------------------------------- operands and results of odd kinds


REPEATED = {
    "linear scan": ((1, 1, 3), None, (1, 3)),
    "selective scan": ((1, 1, 3), (1, 6, 1), (1, 2), (1, 1, 2), (1, 6, 1), (1, 1, 2)),
    "linear attention": ((1, 1, 2, 3), (1, 7, 1, 3), (1, 7, 2, 1), (1, 1, 1, 3, 1)),
    "delta rule": ((1, 1, 2, 3), (1, 7, 1, 3), (1, 7, 2, 1), (1, 1, 2), (1, 7, 1)),
    "attention": ((1, 3, 5, 4), (2, 3, 1, 4), (2, 1, 6, 1), (5, 1)),
}


@pytest.mark.parametrize("call", REPEATED)
def test_each_repetition_of_an_operand_has_its_own_gradient(call):
    kernel, reference, called, operands = CALLS[call]
    given = tuple(
        (each if shape is None else torch.rand(shape, dtype=torch.float64).expand(each.shape))
        .detach()
        .requires_grad_()
        for each, shape in zip(operands, REPEATED[call], strict=True)
    )
    for frozen in (None, *range(len(given))):
        kept = tuple(each.detach() if n == frozen else each for n, each in enumerate(given))
        wanted = [each for each in kept if each.requires_grad]
        found, expected = (
            torch.autograd.grad(total(called(each))(*kept), wanted) for each in (kernel, reference)
        )
        for some, other in zip(found, expected, strict=True):
            torch.testing.assert_close(some, other)


def test_integers_wrap_around_as_in_the_loop():
    b = torch.rand(40)
    state = torch.tensor(3, dtype=torch.uint8)
    for function in (kernels.linear_scan, linear.reference):
        assert function(-1, b, state, dim=0)[0] == 253 + b[0]

    def max_plus(first, second):
        (a, b), (c, d) = first, second
        return a + c, torch.maximum(b + c, d)

    for dtype in (torch.uint8, torch.int32, torch.int64):
        high = torch.iinfo(dtype).max
        given = [torch.randint(high // 4, high, (300,), dtype=dtype) for _ in range(2)]
        for function, plain in (
            (kernels.reduce, fold.reference),
            (kernels.associative_scan, associative.reference),
        ):
            for some, other in zip(
                function(max_plus, given, dim=0), plain(max_plus, given, dim=0), strict=True
            ):
                assert torch.equal(some, other)


def test_a_fold_does_not_overflow_where_the_loop_does_not():
    a, b = torch.full((2, 100), 1e200, dtype=torch.float64)
    a[0], b[:] = 0.0, 0.0
    for some, other in zip(
        kernels.reduce(affine, (a, b), dim=0), fold.reference(affine, (a, b), dim=0), strict=True
    ):
        assert torch.equal(some, other) and some == 0


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.int64, torch.complex64])
def test_softmax_and_logsumexp_of_empty_rows(dtype):
    x = torch.zeros((3, 0, 2), dtype=dtype)
    assert kernels.online_softmax(x, 1).shape == x.shape
    assert torch.equal(kernels.logsumexp(x, 1).real, torch.full((3, 2), -float("inf")))


@pytest.mark.parametrize(
    "call, alone", [("selective scan", 4), ("linear attention", 0), ("delta rule", 0)]
)
def test_a_final_state_requires_a_gradient_where_one_reaches_it(call, alone):
    kernel, reference, called, operands = CALLS[call]
    for number in range(len(operands)):
        given = [each.clone().requires_grad_(n == number) for n, each in enumerate(operands)]
        (o, final), plain = called(kernel)(*given), called(reference)(*given)
        assert [o.requires_grad, final.requires_grad] == [each.requires_grad for each in plain]
        assert final.requires_grad is (number != alone)


def test_a_number_decays_in_the_precision_of_the_state():
    q, k, v = torch.randn(3, 1, 300, 1, 4)
    found = kernels.linear_attention(q, k.half(), v.double(), decay=1.01)
    expected = matrices.reference(q.double(), k.half().double(), v.double(), decay=1.01)
    torch.testing.assert_close(found, expected)


class NoLook(TorchDispatchMode):
    """Fails where a value leaves the device."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        looks = (aten._local_scalar_dense, aten.nonzero, aten.bincount)
        assert function.overloadpacket not in looks, f"{function} interrupts a capture"
        return function(*args, **(kwargs or {}))


@pytest.fixture
def capture(monkeypatch):
    """As if a graph of CUDA were recorded."""
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_current_stream_capturing", lambda: True)


@pytest.mark.parametrize("name", CALLS)
def test_no_value_is_looked_at_while_a_graph_is_captured(name, capture):
    kernel, reference, call, operands = CALLS[name]
    with NoLook():
        found = several(call(kernel)(*operands))
    for some, other in zip(found, several(call(reference)(*operands)), strict=True):
        assert torch.allclose(some, other, atol=1e-5)


def test_kept_integers_serve_a_captured_graph(monkeypatch):
    weight, x = torch.randn(64, 64), torch.randn(3, 64)
    expected = kernels.linear_int8(x, *kernels.int8_weights(weight))
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_current_stream_capturing", lambda: True)
    with NoLook():
        assert torch.equal(kernels.linear_int8(x, *kernels.int8_weights(weight)), expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.complex64])
def test_torch_paths_look_at_no_gate_while_a_graph_is_captured(dtype, capture):
    gates = torch.rand(64, 2, dtype=dtype)
    with NoLook():
        assert linear_scan._halvings(gates, 64, 2, dtype) == 0
        assert linear_attention_chunks.chunk_length(gates, torch.float32, 64) == 1
