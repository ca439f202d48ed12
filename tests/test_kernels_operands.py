"""Every kernel on operands of every kind: strides, repetitions, dtypes, extreme values."""

from __future__ import annotations

import itertools

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from tests.kernel_calls import CALLS, lower_the_guards, several, total


@pytest.fixture(autouse=True)
def fast_paths_at_small_sizes(monkeypatch):
    lower_the_guards(monkeypatch)
    torch.manual_seed(0)


def values_and_gradients(function, operands):
    results = several(function(*operands))
    wanted = [each for each in operands if each.requires_grad]
    found = torch.autograd.grad(total(lambda: results)(), wanted, materialize_grads=True)
    return (*(each.detach() for each in results), *found)


def agree(call, operands, **tolerance):
    """Values and gradients of a kernel and of its reference."""
    kernel, reference, called, _ = CALLS[call]
    found, expected = (values_and_gradients(called(each), operands) for each in (kernel, reference))
    for some, other in zip(found, expected, strict=True):
        assert some.dtype == other.dtype
        torch.testing.assert_close(some, other, **tolerance)


# ------------------------------------------------------------------------------------ strides


def turned(tensor):
    """In memory the axes the other way round."""
    axes = tuple(reversed(range(tensor.ndim)))
    return tensor.permute(axes).contiguous().permute(axes)


def spread(tensor):
    """Every other entry along every axis of a larger tensor, from the second on."""
    places = tuple(slice(1, 2 * size + 1, 2) for size in tensor.shape)
    larger = torch.full([2 * size + 1 for size in tensor.shape], float("nan"), dtype=tensor.dtype)
    larger[places] = tensor
    return larger[places]


def repeated(tensor, axis):
    return tensor.narrow(axis, 0, 1).expand(tensor.shape)


LAYOUTS = {
    "turned": turned,
    "spread": spread,
    "one row repeated": lambda x: repeated(x, 0),
    "one column repeated": lambda x: repeated(x, -1),
    "one entry repeated": lambda x: x[(0,) * x.ndim].expand(x.shape),
    "negated": lambda x: torch._neg_view(-x),
    "a parameter": lambda x: torch.nn.Parameter(x.clone()),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("call", CALLS)
def test_any_layout(call, layout):
    operands = [LAYOUTS[layout](each) for each in CALLS[call][3]]
    agree(call, [each.detach().requires_grad_() for each in operands])
    for number, each in enumerate(operands):  # the others lie as they are, and want no gradient
        given = [other.clone() for other in CALLS[call][3]]
        given[number] = each.detach().requires_grad_()
        agree(call, given)


# ------------------------------------------------------------------------------------- dtypes


def converted(operands, dtype):
    if dtype.is_floating_point or dtype.is_complex:
        return [each.to(dtype).requires_grad_() for each in operands]
    return [(4 * each).to(dtype) for each in operands]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("call", CALLS)
def test_as_exact_as_the_reference_in_every_floating_dtype(call, dtype):
    kernel, reference, called, operands = CALLS[call]
    operands = converted(operands, dtype)
    wide = [each.detach().double().requires_grad_() for each in operands]
    exact = values_and_gradients(called(reference), wide)
    found, eager = (values_and_gradients(called(each), operands) for each in (kernel, reference))
    eps = torch.finfo(dtype).eps
    for some, plain, true in zip(found, eager, exact, strict=True):
        assert some.dtype == plain.dtype
        limit = 3 * (plain - true).abs().max() + 4 * eps * true.abs().max()
        assert (some - true).abs().max() <= limit


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "dtype", [torch.bool, torch.uint8, torch.int8, torch.int32, torch.int64, torch.complex64]
)
@pytest.mark.parametrize("call", CALLS)
def test_takes_the_other_dtypes_that_the_reference_takes(call, dtype):
    kernel, reference, called, operands = CALLS[call]
    operands = [each.detach() for each in converted(operands, dtype)]
    try:
        expected = called(reference)(*operands)
    except (RuntimeError, ValueError, TypeError, NotImplementedError) as error:
        refused = type(error)
        with pytest.raises((RuntimeError, ValueError, TypeError, NotImplementedError)) as info:
            called(kernel)(*operands)
        assert issubclass(info.type, refused) or issubclass(refused, info.type)
        return
    for some, other in zip(several(called(kernel)(*operands)), several(expected), strict=True):
        assert some.dtype == other.dtype
        torch.testing.assert_close(some, other, equal_nan=True)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
@pytest.mark.parametrize("call", CALLS)
def test_mixes_the_dtypes_that_the_reference_mixes(call, dtype):
    kernel, reference, called, operands = CALLS[call]
    for number in range(len(operands)):
        given = [each.to(dtype) if n == number else each for n, each in enumerate(operands)]
        try:
            expected = called(reference)(*given)
        except RuntimeError:
            with pytest.raises(RuntimeError):
                called(kernel)(*given)
            continue
        for some, other in zip(several(called(kernel)(*given)), several(expected), strict=True):
            assert some.dtype == other.dtype
            torch.testing.assert_close(some, other, rtol=2e-3, atol=2e-3)


# --------------------------------------------------------------------- gradients of some operands


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", CALLS)
def test_gradients_of_some_operands(call):
    kernel, reference, called, operands = CALLS[call]
    for wanted in itertools.product((False, True), repeat=len(operands)):
        found, expected = (some_gradients(called(f), operands, wanted) for f in (kernel, reference))
        for some, other in zip(found, expected, strict=True):
            torch.testing.assert_close(some, other, rtol=1e-6, atol=1e-8)


def some_gradients(function, operands, wanted):
    """Which results have gradients, and those of the operands that are wanted."""
    given = [x.clone().requires_grad_(need) for x, need in zip(operands, wanted, strict=True)]
    results = [torch.as_tensor(each) for each in several(function(*given))]
    reached = [torch.tensor(each.requires_grad) for each in results]
    sums = [each.sin().sum() for each in results if each.requires_grad]
    leaves = [each for each in given if each.requires_grad]
    if not sums:
        return reached
    return reached + [*torch.autograd.grad(sums, leaves, materialize_grads=True)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", CALLS)
def test_one_tensor_as_two_operands(call):
    kernel, reference, called, operands = CALLS[call]
    for first, second in itertools.combinations(range(len(operands)), 2):
        if operands[first].shape != operands[second].shape:
            continue

        def once(x, function, first=first, second=second):
            given = [x if n in (first, second) else each for n, each in enumerate(operands)]
            return called(function)(*given)

        found, expected = (
            some_gradients(lambda x, f=f: once(x, f), [operands[first]], [True])
            for f in (kernel, reference)
        )
        for some, other in zip(found, expected, strict=True):
            torch.testing.assert_close(some, other, rtol=1e-6, atol=1e-8)


# ---------------------------------------------------------------------------------- extreme values

INF, NAN = float("inf"), float("nan")
EXTREMES = [0.0, -0.0, -1.0, 3.0, INF, -INF, NAN, 5e-324, 1e-310, 1e150, -1e150]

BY_PRODUCTS = {
    "linear attention", "linear attention by a number", "delta rule", "delta rule by numbers",
    "causal product",
}  # fmt: skip
"""What is infinite in the loop is not finite in products of matrices, where it meets zeros."""

STATED = {
    "local attention": "keys that are not finite reach queries near those that see them",
    "particles in boxes": "a place that is not finite, or very far away, reaches all",
}
"""Kernels that say in their docstrings what else they do with such values."""


ROUNDING = {"attention": 1}
"""The operand (here the keys) that is not made huge everywhere: its scores would be equal but for
rounding errors beyond 1, so that the order of summation decides which of them is the largest."""


def scale_of(call, expected):
    """What an error is measured by: transforms round relative to the largest entry."""
    finite = torch.where(expected.isfinite(), expected, 0.0)
    return finite.abs().max().clamp_min(1e-300) if call == "convolution" else 1.0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value", EXTREMES)
@pytest.mark.parametrize("call", CALLS)
def test_extreme_values(call, value):
    """One of an operand's rows, one of its entries, or all: where the reference gives a number or
    an infinity, the kernel gives it."""
    if call in STATED and abs(value) not in (0, 1, 3, 5e-324, 1e-310):
        return
    kernel, reference, called, operands = CALLS[call]
    for number, each in enumerate(operands):
        middle = tuple(size // 2 for size in each.shape)
        for place in ((), middle[:-1], middle, (..., middle[-1])):
            if place == () and abs(value) == 1e150 and ROUNDING.get(call) == number:
                continue
            changed = each.clone()
            changed[place] = value
            given = [changed if n == number else other for n, other in enumerate(operands)]
            found, expected = (several(called(f)(*given)) for f in (kernel, reference))
            for some, other in zip(found, expected, strict=True):
                known = ~other.isnan()
                if call in BY_PRODUCTS:
                    assert not some[other.isinf()].isfinite().any()
                    known = other.isfinite()
                torch.testing.assert_close(
                    some[known], other[known], rtol=1e-6, atol=1e-7 * scale_of(call, other)
                )


# ------------------------------------------------------------------------------------ operators


class Recorded(TorchDispatchMode):
    """The calls of this project's operators, with what they were given."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        if operator.namespace == "auditor":
            self.calls.append((operator, args))
        return operator(*args, **(kwargs or {}))


def operator_calls(call):
    kernel, _, called, operands = CALLS[call]
    with Recorded() as recorded:
        values_and_gradients(called(kernel), [each.clone().requires_grad_() for each in operands])
    return recorded.calls


def as_leaf(value, wanted):
    if isinstance(value, (list, tuple)):
        return [as_leaf(each, wanted) for each in value]
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().clone().requires_grad_(wanted and value.is_floating_point())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", CALLS)
def test_opcheck_of_every_operator_that_a_kernel_calls(call):
    for operator, given in operator_calls(call):
        forward = not operator.name().endswith("_backward")
        torch.library.opcheck(operator, tuple(as_leaf(each, forward) for each in given))


ELSEWHERE = {
    "auditor::local_attention": "on a GPU",
    "auditor::rows_softmax": "large rows on a GPU",
    "auditor::rows_logsumexp": "large rows on a GPU",
    "auditor::associative": "where a compiler traces the call",
}
"""Operators that run in other surroundings than these, where other tests check them."""


def test_every_operator_is_called():
    registered = {
        name
        for name in torch._C._dispatch_get_all_op_names()
        if name.startswith("auditor::") and name.removesuffix("_backward") not in ELSEWHERE
    }
    assert registered == {operator.name() for call in CALLS for operator, _ in operator_calls(call)}
