"""A mixture of experts against every expert on every token."""

from __future__ import annotations

import importlib

import pytest
import torch
import torch.nn.functional as F

from auditor import kernels

mixture = importlib.import_module("auditor.kernels.moe")
PARTS = ("w_gate", "b_in", "b_out")


def operands(lead=(7,), experts=4, slots=2, dtype=torch.float64, parts=()):
    torch.manual_seed(0)

    def leaf(*shape):
        return torch.randn(shape, dtype=torch.float64).to(dtype).requires_grad_()

    tensors = [leaf(*lead, 5), leaf(*lead, slots), leaf(experts, 5, 6), leaf(experts, 6, 3)]
    shapes = {"w_gate": (experts, 5, 6), "b_in": (experts, 6), "b_out": (experts, 3)}
    return tensors, {name: leaf(*shapes[name]) for name in parts}


def called(function, tensors, indices, options, **more):
    x, weights, w_in, w_out = tensors
    return function(x, indices, weights, w_in, w_out, **options, **more)


def agree(tensors, indices, options, atol=1e-10, **more):
    results = [
        called(function, tensors, indices, options, **more)
        for function in (kernels.moe, mixture.reference)
    ]
    assert results[0].dtype == results[1].dtype
    torch.testing.assert_close(*results, atol=atol, rtol=atol)
    given = [*tensors, *options.values()]
    grads = [
        torch.autograd.grad(each.square().sum(), given, allow_unused=True, materialize_grads=True)
        for each in results
    ]
    for some, other in zip(*grads, strict=True):
        torch.testing.assert_close(some, other, atol=atol, rtol=atol)


@pytest.fixture
def no_reference(monkeypatch):
    def forbidden(*_, **__):
        raise AssertionError("every expert ran on every token")

    plain = mixture.reference
    monkeypatch.setattr(mixture, "reference", forbidden)
    return plain


@pytest.mark.parametrize("lead", [(7,), (1,), (2, 5), ()])
@pytest.mark.parametrize("experts", [1, 4, 9])
@pytest.mark.parametrize("slots", [1, 2, 3])
@pytest.mark.parametrize("parts", [(), ("w_gate",), ("b_in", "b_out"), PARTS])
def test_moe_is_the_formula(lead, experts, slots, parts):
    tensors, options = operands(lead, experts, slots, parts=parts)
    agree(tensors, torch.randint(0, experts, (*lead, slots)), options)


@pytest.mark.parametrize("parts", [(), ("w_gate",), ("b_in", "b_out"), PARTS])
def test_experts_in_one_batch_are_the_experts_one_by_one(parts):
    """With an expert that nobody chose, and an activation without a derivative at 0."""
    (x, _, *weights), options = operands((9,), experts=4, parts=parts)
    chosen, token = torch.tensor([0, 0, 0, 1, 3, 3]), torch.tensor([4, 0, 8, 3, 3, 1])
    stacks = (*weights, *(options.get(name) for name in PARTS))
    given = [each for each in (x, *stacks) if each is not None]

    def activation(hidden):
        return hidden.relu().sqrt()

    def gradients(found):
        return torch.autograd.grad(found[found > 0].sum(), given)

    expected = mixture._one_by_one(x, token, [3, 1, 0, 2], stacks, activation)
    ends = torch.tensor([3, 4, 4, 6])
    found = mixture._in_one_batch(x, token, chosen, ends, 3, stacks, activation)
    torch.testing.assert_close(found, expected)
    for some, other in zip(gradients(found), gradients(expected), strict=True):
        torch.testing.assert_close(some, other, equal_nan=True)


def test_moe_computes_what_was_chosen(no_reference):
    seen = []

    def activation(hidden):
        seen.append(len(hidden))
        return F.gelu(hidden)

    tensors, options = operands((50,), experts=8)
    indices = torch.stack([torch.randperm(8)[:2] for _ in range(50)])
    found = called(kernels.moe, tensors, indices, options, activation=activation)
    assert sum(seen) == 50 * 2
    expected = called(no_reference, tensors, indices, options, activation=F.gelu)
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("kind", ["one expert", "twice", "none", "beyond", "int32"])
def test_moe_of_any_choice(kind):
    tensors, options = operands(parts=PARTS)
    indices = {
        "one expert": torch.full((7, 2), 2),
        "twice": torch.tensor([[0, 0], [1, 1], [2, 3], [3, 3], [0, 1], [2, 2], [1, 0]]),
        "none": torch.full((7, 2), -1),
        "beyond": torch.randint(0, 6, (7, 2)),
        "int32": torch.randint(0, 4, (7, 2), dtype=torch.int32),
    }[kind]
    agree(tensors, indices, options)


@pytest.mark.parametrize("lead", [(7,), (2, 5), ()])
@pytest.mark.parametrize("parts", [(), ("b_in",)])
def test_moe_of_one_product(lead, parts, no_reference):
    (x, weights, w_in, _), options = operands(lead, parts=parts)
    indices = torch.randint(0, 4, (*lead, 2))
    given = [x, weights, w_in, *options.values()]
    results = [
        function(x, indices, weights, w_in, **options) for function in (kernels.moe, no_reference)
    ]
    bias = options.get("b_in", torch.zeros(4, 6, dtype=x.dtype))
    rows = torch.einsum("...d,...kdh->...kh", x, w_in[indices]) + bias[indices]
    results.append((weights.unsqueeze(-1) * rows).sum(-2))
    grads = [torch.autograd.grad(each.square().sum(), given) for each in results]
    for result, grad in zip(results[1:], grads[1:], strict=True):
        torch.testing.assert_close(result, results[0])
        for some, other in zip(grad, grads[0], strict=True):
            torch.testing.assert_close(some, other)


def test_moe_without_tokens_or_slots():
    for lead, slots in (((0,), 2), ((3,), 0), ((2, 0), 1)):
        tensors, options = operands(lead, slots=slots)
        agree(tensors, torch.zeros(*lead, slots, dtype=torch.long), options)


@pytest.mark.parametrize("dtype", list(mixture.TOLERANCE))
def test_moe_in_every_dtype(dtype, no_reference):
    tensors, options = operands((40,), dtype=dtype, parts=PARTS)
    exact = [each.detach().double().requires_grad_() for each in tensors]
    wide = {name: each.detach().double().requires_grad_() for name, each in options.items()}
    indices = torch.randint(0, 4, (40, 2))
    found = called(kernels.moe, tensors, indices, options)
    expected = called(no_reference, exact, indices, wide)
    assert found.dtype == dtype
    pairs = [(found, expected)]
    pairs += zip(
        torch.autograd.grad(found.sum(), [*tensors, *options.values()]),
        torch.autograd.grad(expected.sum(), [*exact, *wide.values()]),
        strict=True,
    )
    bounds = [mixture.TOLERANCE[dtype][0]] + [mixture.TOLERANCE[dtype][1]] * 7
    for (some, other), bound in zip(pairs, bounds, strict=True):
        assert (some.double() - other).abs().max() <= bound * other.abs().max()


def test_moe_has_gradients_of_gradients():
    tensors, options = operands((3,), parts=PARTS)
    indices = torch.randint(0, 4, (3, 2))

    def run(x, weights, w_in, w_out, *parts):
        options = dict(zip(PARTS, parts, strict=True))
        return kernels.moe(x, indices, weights, w_in, w_out, **options)

    given = (*tensors, *options.values())
    assert torch.autograd.gradcheck(run, given)
    assert torch.autograd.gradgradcheck(run, given)


def test_moe_inside_of_transforms():
    tensors, _ = operands((2, 5))
    x, weights, w_in, w_out = (each.detach() for each in tensors)
    indices = torch.randint(0, 4, (2, 5, 2))
    found = torch.vmap(lambda *given: kernels.moe(*given, w_in, w_out))(x, indices, weights)
    torch.testing.assert_close(found, kernels.moe(x, indices, weights, w_in, w_out))


def test_moe_raises_what_the_formula_raises():
    tensors, _ = operands()
    x, weights, w_in, w_out = tensors
    indices = torch.zeros(7, 2, dtype=torch.long)
    for given in (
        (x[:, :3], indices, weights, w_in, w_out),
        (x, indices, weights[:, :1].float(), w_in, w_out[:, :2]),
        (x, indices, weights, w_in.float(), w_out),
    ):
        with pytest.raises(Exception) as expected:
            mixture.reference(*given)
        with pytest.raises(type(expected.value)):
            kernels.moe(*given)


@pytest.mark.parametrize("inside", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_under_autocast_the_dtype_is_that_of_the_reference(dtype, inside):
    tensors, options = operands(dtype=dtype)
    indices = torch.tensor([[0, 1], [2, 2], [3, 0], [1, 2], [0, 3], [3, 1], [2, 0]])
    with torch.autocast("cpu", dtype=inside):
        found, expected = (
            called(function, tensors, indices, options)
            for function in (kernels.moe, mixture.reference)
        )
    assert found.dtype == expected.dtype
    torch.testing.assert_close(found, expected, atol=5e-2, rtol=5e-2)
