"""Every kernel inside of what a program may put around it: transforms of functions, forward mode,
tracers, tensors without values, autocast. There it does what its reference does."""

from __future__ import annotations

import importlib

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx

from auditor import kernels

NAMES = (
    "linear_scan selective_scan linear_attention associative_scan reduce online_softmax welford "
    "flash_attention streaming_topk"
)
(linear, selective, matrices, associative, fold, softmax, moments, attention, topk) = (
    importlib.import_module(f"auditor.kernels.{name}") for name in NAMES.split()
)


@pytest.fixture(autouse=True)
def fast_paths_at_small_sizes(monkeypatch):
    for module in (linear, selective, matrices, associative):
        monkeypatch.setattr(module, "SHORT_SEQUENCE", 0)
    monkeypatch.setattr(moments, "SMALL", 0)
    torch.manual_seed(0)


def affine(first, second):
    (a, b), (c, d) = first, second
    return c * a, c * b + d


def normal(*shape):
    return torch.randn(shape, dtype=torch.float64)


def gate(*shape):
    return torch.rand(shape, dtype=torch.float64)


def recurrence(function):
    options = {"dim": 1, "step": lambda h, e: e[0] * h + e[1], "output_final_state": True}
    return lambda a, b, h: function(affine, (a, b), initial_state=h, **options)


def largest(function):
    """Values only: among equal ones the reference takes any."""
    return lambda x: function(x, 3, 1)[0]


STATES = (gate(2, 9, 3), normal(2, 9, 3), normal(2, 3))
MAMBA = (normal(1, 6, 3), gate(1, 6, 3), -gate(3, 2), normal(1, 6, 2), normal(1, 6, 2))
ROWS = (normal(1, 7, 2, 3), normal(1, 7, 2, 3), normal(1, 7, 2, 4))

CALLS = {
    "linear scan": (
        kernels.linear_scan,
        linear.reference,
        lambda f: lambda a, b, h: f(a, b, h, dim=1, output_final_state=True),
        STATES,
    ),
    "selective scan": (
        kernels.selective_scan,
        selective.reference,
        lambda f: lambda *x: f(*x, output_final_state=True),
        (*MAMBA, normal(1, 3, 2)),
    ),
    "linear attention": (
        kernels.linear_attention,
        matrices.reference,
        lambda f: lambda q, k, v, a: f(q, k, v, decay=a, output_final_state=True),
        (*ROWS, gate(1, 7, 2, 3, 1)),
    ),
    "associative scan": (
        kernels.associative_scan,
        associative.reference,
        lambda f: lambda a, b: f(affine, (a, b), dim=1, reverse=True),
        STATES[:2],
    ),
    "recurrence": (kernels.associative_scan, associative.reference, recurrence, STATES),
    "reduce": (
        kernels.reduce,
        fold.reference,
        lambda f: lambda a, b: f(affine, (a, b), dim=1),
        STATES[:2],
    ),
    "softmax": (
        kernels.online_softmax,
        softmax.reference,
        lambda f: lambda x: f(x, 1),
        (normal(3, 8),),
    ),
    "logsumexp": (
        kernels.logsumexp,
        softmax.logsumexp_reference,
        lambda f: lambda x: f(x, 1),
        (normal(3, 8),),
    ),
    "welford": (kernels.welford, moments.reference, lambda f: lambda x: f(x, 1), (normal(3, 8),)),
    "attention": (
        kernels.flash_attention,
        attention.reference,
        lambda f: lambda q, k, v, mask: f(q, k, v, attn_mask=mask),
        (normal(2, 3, 5, 4), normal(2, 3, 6, 4), normal(2, 3, 6, 4), normal(5, 6)),
    ),
    "top-k": (kernels.streaming_topk, topk.reference, largest, (normal(3, 8),)),
    "top-k of equals": (
        kernels.streaming_topk,
        topk.reference,
        largest,
        (normal(3, 8).round(),),
    ),
    "constant product": (
        kernels.constant_product,
        torch.matmul,
        lambda f: f,
        (normal(3, 4), normal(4, 5)),
    ),
}


def several(results):
    return results if isinstance(results, tuple) else (results,)


def total(function):
    def summed(*operands):
        return sum((each.square() + each).sum() for each in several(function(*operands)))

    return summed


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
    with FakeTensorMode() as mode:
        results = several(function(*map(mode.from_tensor, operands)))
    return without_values(results)


def in_half_precision(function, operands):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return without_values(function(*(each.float() for each in operands)))


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
}


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
