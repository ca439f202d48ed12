"""Scans and folds as operators of torch: what torch.library asks of an operator, laws and gradients
of every generated one, and one node in a compiled graph."""

from __future__ import annotations

import importlib
from collections import Counter

import pytest
import torch
from auditor.kernels import associative_scan, reduce
from auditor.kernels.generated_operators import associative
from operators import OPERATORS, affine, clamp, elements

scan = importlib.import_module("auditor.kernels.associative_scan")
fold = importlib.import_module("auditor.kernels.reduce")

every_operator = pytest.mark.parametrize("operator", OPERATORS, ids=lambda each: each.name)


@pytest.fixture(autouse=True)
def always_chunks(monkeypatch):
    torch.manual_seed(0)
    torch._dynamo.reset()
    monkeypatch.setattr(scan, "SHORT_SEQUENCE", 0)


def step(h, element):
    shift, low, high = element
    return torch.minimum(torch.maximum(h + shift, low), high)


def scanning(operator):
    return scan.operator_name(operator.combine, None, False, False, operator.arity, 0)


def folding(operator):
    return fold.operator_name(operator.combine, False, operator.arity)


def wanting(operator, *sizes):
    """Elements of an operator, with gradients where they have one."""
    given = elements(operator, *sizes)
    return [each.requires_grad_(place >= operator.flags) for place, each in enumerate(given)]


def assert_same(found, expected, tolerance=1e-9):
    for some, other in zip(found, expected, strict=True):
        assert some.shape == other.shape and some.dtype == other.dtype
        torch.testing.assert_close(some, other, rtol=tolerance, atol=tolerance)


def nodes(function, *arguments):
    """The operators in the graph that torch.compile makes of a function."""
    counted: Counter[str] = Counter()

    def backend(graph, inputs):
        counted.update(str(n.target) for n in graph.graph.nodes if n.op == "call_function")
        return graph.forward

    torch.compile(function, fullgraph=True, backend=backend)(*arguments)
    return {name: count for name, count in counted.items() if "auditor" in name}


@every_operator
@pytest.mark.parametrize("name", [scanning, folding])
def test_opcheck(operator, name):
    given = wanting(operator, 9, 2)
    torch.library.opcheck(torch.ops.auditor.associative.default, (name(operator), given, []))
    given = [each.detach() for each in given]
    weights = [torch.ones_like(each) for each in associative(name(operator), given, [])]
    torch.library.opcheck(
        torch.ops.auditor.associative_backward.default, (name(operator), weights, given, [])
    )


def test_opcheck_of_a_recurrence():
    name = scan.operator_name(clamp, step, False, True, 3, 1)
    x = torch.randn(9, 2, requires_grad=True)
    low, high = torch.zeros(1, 2, requires_grad=True), torch.ones(1, 1)
    start = torch.zeros(2, requires_grad=True)
    torch.library.opcheck(torch.ops.auditor.associative.default, (name, [x, low, high], [start]))


@every_operator
@pytest.mark.parametrize("length", [1, 2, 7, 16, 33])
def test_laws(operator, length):
    """The loop, cut anywhere; the last place of the scan is the fold."""
    given = elements(operator, length, 3)
    whole = associative(scanning(operator), given, [])
    assert_same(whole, scan.reference(operator.combine, given, dim=0), 1e-8)
    total = associative(folding(operator), given, [])
    assert_same(total, [each[-1] for each in whole], 1e-8)
    for at in range(1, length, 5):
        first = associative(folding(operator), [each[:at] for each in given], [])
        last = associative(folding(operator), [each[at:] for each in given], [])
        assert_same(operator.combine(tuple(first), tuple(last)), total, 1e-8)


@every_operator
@pytest.mark.parametrize("name", [scanning, folding])
def test_gradcheck(operator, name):
    given = wanting(operator, 7)
    flags, values = given[: operator.flags], given[operator.flags :]

    def run(*parts):
        return tuple(associative(name(operator), [*flags, *parts], [])[operator.flags :])

    assert torch.autograd.gradcheck(run, values, fast_mode=True)


def test_gradients_twice():
    name = scan.operator_name(affine, None, False, False, 2, 0)
    given = [each.requires_grad_() for each in elements(OPERATORS[0], 6)]
    assert torch.autograd.gradgradcheck(lambda *e: tuple(associative(name, list(e), [])), given)


def test_the_gradient_of_a_gate_when_only_the_state_is_used():
    a, b = (each.requires_grad_() for each in elements(OPERATORS[0], 30, 2))
    name = scan.operator_name(affine, None, False, False, 2, 0)
    found = torch.autograd.grad(associative(name, [a, b], [])[1].sum(), (a, b))
    loop = torch.autograd.grad(scan.reference(affine, (a, b), dim=0)[1].sum(), (a, b))
    assert all(each.abs().sum() > 0 for each in found)
    assert_same(found, loop)


@every_operator
def test_compiled_scans_and_folds_are_one_node(operator):
    given = wanting(operator, 3, 12)

    def both(*parts):
        scanned = associative_scan(operator.combine, parts, dim=1, reverse=True)
        return *scanned, *reduce(operator.combine, parts, dim=1)

    assert nodes(both, *given) == {"auditor.associative.default": 2}
    torch._dynamo.reset()
    compiled = torch.compile(both, fullgraph=True, backend="aot_eager")
    found, expected = compiled(*given), both(*given)
    assert_same(found, expected)
    wanted = given[operator.flags :]
    gradients = [
        torch.autograd.grad(sum(each.sum() for each in some if each.requires_grad), wanted)
        for some in (found, expected)
    ]
    assert_same(*gradients)


@pytest.mark.parametrize("length", [1, 5, 40])
def test_a_compiled_recurrence(length):
    x = torch.randn(2, length, 3, requires_grad=True)
    start = torch.rand(3, requires_grad=True)

    def run(x, start):
        given = {"step": step, "initial_state": start, "output_final_state": True}
        return associative_scan(clamp, (x, 0.0, 1.0), dim=1, **given)

    compiled = torch.compile(run, fullgraph=True, backend="aot_eager")
    results = [
        (*found, *torch.autograd.grad(sum(each.square().sum() for each in found), (x, start)))
        for found in (compiled(x, start), run(x, start))
    ]
    assert_same(*results, 1e-5)
    assert compiled(x, start)[0].stride() == run(x, start)[0].stride()


def test_functions_of_their_own_in_a_compiled_function():
    def run(x):
        def combine(first, second):
            return torch.maximum(first, second)

        return associative_scan(combine, x, dim=0)

    x = torch.randn(20, 2)
    assert_same([torch.compile(run, fullgraph=True, backend="eager")(x)], [x.cummax(0).values])


def test_lengths_may_vary():
    compiled = torch.compile(
        lambda x: associative_scan(torch.maximum, x, dim=0), dynamic=True, backend="aot_eager"
    )
    for length in (5, 6, 19):
        x = torch.randn(length, 2)
        assert_same([compiled(x)], [x.cummax(0).values])


def test_constants_tell_operators_apart():
    def decaying(rate):
        return lambda first, second: rate * first + second

    names = {scan.operator_name(decaying(rate), None, True, True, 1, 1) for rate in (0.5, 0.25)}
    assert len(names) == 2


def test_functions_without_a_source_have_no_operator():
    shift = torch.ones(3)

    def shifted(first, second):
        return first + second + shift

    def branching(first, second):
        return first if first.sum() > 0 else second

    for function in (shifted, branching):
        assert scan.operator_name(function, None, True, True, 1, 1) is None
        assert fold.operator_name(function, True, 1) is None
    x = torch.randn(10, 3)
    compiled = torch.compile(lambda x: associative_scan(shifted, x, dim=0), backend="eager")
    assert_same([compiled(x)], [scan.reference(shifted, x, dim=0)], 1e-5)


@every_operator
@pytest.mark.parametrize("name", [scanning, folding])
def test_results_lie_in_memory_of_their_own(operator, name):
    """Of one step the combined element is the element: the operator may not return it."""
    given = elements(operator, 1, 2)
    found = associative(name(operator), given, [])
    places = [each.untyped_storage().data_ptr() for each in (*given, *found)]
    assert len(set(places)) == len(places)
