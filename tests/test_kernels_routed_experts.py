"""Experts on the tokens that chose them, against every expert on every token."""

from __future__ import annotations

import importlib

import pytest
import torch
from torch import nn

from auditor import kernels

routed = importlib.import_module("auditor.kernels.routed_experts")


def mixture(lead=(7,), experts=4, slots=2, dtype=torch.float64):
    torch.manual_seed(0)
    layers = [
        nn.Sequential(nn.Linear(5, 6), nn.GELU(), nn.LayerNorm(6), nn.Linear(6, 3))
        for _ in range(experts)
    ]
    x = torch.randn(*lead, 5, dtype=torch.float64).to(dtype).requires_grad_()
    weights = torch.rand(*lead, slots, dtype=torch.float64).to(dtype).requires_grad_()
    return nn.ModuleList(layers).to(dtype), x, weights


def results(experts, x, indices, weights, run):
    for each in experts.parameters():
        each.grad = None
    found = run(experts, x, indices, weights)
    given = [x, weights, *experts.parameters()]
    return found, torch.autograd.grad(found.square().sum(), given, allow_unused=True)


def agree(experts, x, indices, weights, atol=1e-10):
    found = results(experts, x, indices, weights, kernels.routed_experts)
    expected = results(experts, x, indices, weights, routed.reference)
    assert found[0].dtype == expected[0].dtype
    torch.testing.assert_close(found[0], expected[0], atol=atol, rtol=atol)
    for some, other in zip(found[1], expected[1], strict=True):
        assert (some is None) == (other is None)
        if some is not None:
            torch.testing.assert_close(some, other, atol=atol, rtol=atol)


@pytest.fixture
def no_reference(monkeypatch):
    def forbidden(*_):
        raise AssertionError("every expert ran on every token")

    plain = routed.reference
    monkeypatch.setattr(routed, "reference", forbidden)
    return plain


@pytest.mark.parametrize("lead", [(7,), (1,), (2, 5), (), (0,), (2, 0)])
@pytest.mark.parametrize("experts", [1, 4, 9])
@pytest.mark.parametrize("slots", [1, 2, 5])
def test_routed_experts_is_the_formula(lead, experts, slots):
    layers, x, weights = mixture(lead, experts, slots)
    agree(layers, x, torch.randint(0, experts, (*lead, slots)), weights)


def test_routed_experts_computes_what_was_chosen(no_reference):
    layers, x, weights = mixture((50,), experts=8)
    seen = []
    for layer in layers:
        layer.register_forward_hook(lambda _, given, made: seen.append(len(given[0])))
    indices = torch.stack([torch.randperm(8)[:2] for _ in range(50)])
    with torch.no_grad():
        found = kernels.routed_experts(layers, x, indices, weights)
    assert sum(seen) == 50 * 2
    torch.testing.assert_close(found, no_reference(layers, x, indices, weights))


def test_an_expert_that_nobody_chose_has_gradients_of_zero(no_reference):
    layers, x, weights = mixture()
    found = kernels.routed_experts(layers, x, torch.tensor([[0, 1]] * 7), weights)
    found.sum().backward()
    assert all(each.grad is not None for each in layers.parameters())
    assert all(not each.grad.any() for each in layers[3].parameters())


def test_an_expert_that_nobody_chose_is_not_called_for_inference(no_reference):
    layers, x, weights = mixture()
    layers[3].register_forward_hook(lambda *_: pytest.fail("called for no rows"))
    with torch.no_grad():
        kernels.routed_experts(layers, x, torch.tensor([[0, 1]] * 7), weights)


def test_experts_that_nobody_chose_may_be_left_out():
    layers, x, weights = mixture()
    indices = torch.tensor([[0, 1]] * 7)
    found, grads = results(
        layers, x, indices, weights,
        lambda *given: kernels.routed_experts(*given, skip_empty=True),
    )  # fmt: skip
    torch.testing.assert_close(found, routed.reference(layers, x, indices, weights))
    assert [each is not None for each in grads[2:]] == [
        number < 2 for number, layer in enumerate(layers) for _ in layer.parameters()
    ]


def test_where_all_experts_are_left_out_nothing_has_a_gradient():
    layers, x, weights = mixture((0,))
    indices = torch.zeros(0, 2, dtype=torch.long)
    found = kernels.routed_experts(layers, x.requires_grad_(), indices, weights, skip_empty=True)
    assert not found.requires_grad
    assert found.shape == routed.reference(layers, x, indices, weights).shape


@pytest.mark.parametrize("kind", ["one expert", "twice", "none", "beyond", "int32"])
def test_routed_experts_of_any_choice(kind):
    layers, x, weights = mixture()
    indices = {
        "one expert": torch.full((7, 2), 2),
        "twice": torch.tensor([[0, 0], [1, 1], [2, 3], [3, 3], [0, 1], [2, 2], [1, 0]]),
        "none": torch.full((7, 2), -1),
        "beyond": torch.randint(0, 6, (7, 2)),
        "int32": torch.randint(0, 4, (7, 2), dtype=torch.int32),
    }[kind]
    agree(layers, x, indices, weights)


@pytest.mark.parametrize("dtype", list(routed.TOLERANCE))
def test_routed_experts_in_every_dtype(dtype, no_reference):
    layers, x, weights = mixture((40,), dtype=dtype)
    indices = torch.stack([torch.randperm(4)[:2] for _ in range(40)])
    found = results(layers, x, indices, weights, kernels.routed_experts)
    assert found[0].dtype == dtype
    wide = [each.detach().double().requires_grad_() for each in (x, weights)]
    exact = results(layers.double(), wide[0], indices, wide[1], no_reference)
    bound, of_gradients = routed.TOLERANCE[dtype]
    assert (found[0].double() - exact[0]).abs().max() <= bound * exact[0].abs().max()
    for some, other in zip(found[1][:2], exact[1][:2], strict=True):
        assert (some.double() - other).abs().max() <= 4 * of_gradients * other.abs().max()


def test_weights_of_another_dtype_widen_the_result():
    layers, x, weights = mixture(dtype=torch.float32)
    indices = torch.randint(0, 4, (7, 2))
    agree(layers, x, indices, weights.detach().double().requires_grad_(), atol=1e-5)


def test_routed_experts_has_gradients_of_gradients():
    layers, x, weights = mixture((3,))
    indices = torch.tensor([[0, 1], [3, 1], [2, 0]])
    assert torch.autograd.gradgradcheck(
        lambda x, weights: kernels.routed_experts(layers, x, indices, weights), (x, weights)
    )


def test_routed_experts_inside_of_transforms():
    layers, x, weights = mixture((2, 5))
    x, weights = x.detach(), weights.detach()
    indices = torch.randint(0, 4, (2, 5, 2))
    found = torch.vmap(lambda *given: kernels.routed_experts(layers, *given))(x, indices, weights)
    torch.testing.assert_close(found, kernels.routed_experts(layers, x, indices, weights))


def test_routed_experts_broadcasts_and_raises_as_the_formula_does():
    layers, x, weights = mixture()
    agree(layers, x, torch.randint(0, 4, (1, 2)), weights[:1].detach().requires_grad_())
    with pytest.raises(RuntimeError):
        kernels.routed_experts(layers, x[:, :3], torch.zeros(7, 2, dtype=torch.long), weights)
