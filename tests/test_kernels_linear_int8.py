"""Linear layers with integers of 8 bits: within the bound of the exact ones, and what is kept."""

from __future__ import annotations

import gc
import importlib

import pytest
import torch

from auditor import kernels

layers = importlib.import_module("auditor.kernels.linear_int8")


@pytest.fixture(autouse=True, params=[8, 1 << 20])
def weights_at_once(request, monkeypatch):
    monkeypatch.setattr(layers, "WEIGHTS_AT_ONCE", {"cpu": request.param})
    torch.manual_seed(0)


def layer(inputs=37, outputs=11, dtype=torch.float64):
    weight = torch.randn(outputs, inputs, dtype=torch.float64)
    weight *= torch.logspace(-6, 3, outputs, dtype=torch.float64)[:, None]
    return weight.to(dtype), torch.randn(outputs, dtype=torch.float64).to(dtype)


@pytest.mark.parametrize("dtype", list(layers.TOLERANCE))
@pytest.mark.parametrize("shape", [(37,), (1, 37), (5, 37), (2, 3, 37), (0, 37)])
def test_every_output_is_within_its_bound(dtype, shape):
    weight, bias = layer(dtype=dtype)
    x = torch.randn(*shape, dtype=torch.float64).to(dtype)
    q, scale = kernels.quantise_int8(weight)
    found = kernels.linear_int8(x, q, scale, bias)
    exact = torch.nn.functional.linear(x.double(), weight.double(), bias.double())
    bound = kernels.int8_error(x.double(), scale.double())
    assert found.dtype == dtype
    assert found.shape == exact.shape == bound.shape
    rounding = layers.TOLERANCE[dtype] * (exact.abs() + bound)
    rounding += layers.TOLERANCE[dtype] * (x.double().abs() @ weight.double().abs().t())
    assert ((found.double() - exact).abs() <= bound + rounding).all()
    plain = layers.reference(x.double(), q, scale.double(), bias.double())
    assert ((found.double() - plain).abs() <= rounding).all()


@pytest.mark.parametrize("rows", [1, 2, 16, 17])
@pytest.mark.parametrize("inputs, outputs", [(64, 64), (192, 128), (640, 64), (96, 64)])
def test_sizes_that_torch_packs(rows, inputs, outputs):
    weight, bias = layer(inputs, outputs, torch.bfloat16)
    q, scale = kernels.quantise_int8(weight)
    x = torch.randn(inputs, rows).t().bfloat16()
    found = kernels.linear_int8(x, q, scale, bias).double()
    exact = layers.reference(x.double(), q, scale.double(), bias.double())
    size = x.double().abs() @ (q.double() * scale[:, None]).abs().t() + bias.double().abs()
    assert ((found - exact).abs() <= layers.TOLERANCE[torch.bfloat16] * size).all()


def test_the_bound_is_nearly_met():
    """A bound that is never nearly met would say little."""
    weight = torch.tensor([[127.0, 0.5 - 1e-6, 10.5 - 1e-6]], dtype=torch.float64)
    q, scale = kernels.quantise_int8(weight)
    x = torch.tensor([0.0, 1.0, 1.0], dtype=torch.float64)
    off = (kernels.linear_int8(x, q, scale) - x @ weight.t()).abs()
    bound = kernels.int8_error(x, scale)
    assert 0.99 * bound < off <= bound


@pytest.mark.parametrize("weight", [torch.zeros(3, 4), torch.full((3, 4), 1e-40),
                                    torch.full((3, 4), 3e38), torch.ones(3, 0),
                                    torch.ones(0, 4)])  # fmt: skip
def test_weights_of_odd_sizes(weight):
    q, scale = kernels.quantise_int8(weight)
    assert q.dtype == torch.int8
    assert ((q * scale[:, None] - weight).abs() <= scale[:, None] * 0.5001).all()
    x = torch.ones(2, weight.shape[1])
    assert kernels.linear_int8(x, q, scale).shape == (2, len(weight))


@pytest.mark.parametrize("weight", [torch.tensor([[1.0, torch.nan]]), torch.tensor([[torch.inf]]),
                                    torch.ones(3), torch.ones(2, 2).long()])  # fmt: skip
def test_what_has_no_integers_is_told(weight):
    with pytest.raises(ValueError, match="weights"):
        kernels.quantise_int8(weight)


def test_gradients_are_the_references():
    weight, bias = layer()
    q, scale = kernels.quantise_int8(weight)
    given = (torch.randn(4, 37, dtype=torch.float64), scale, bias)
    given = tuple(each.clone().requires_grad_() for each in given)
    assert torch.autograd.gradcheck(lambda x, s, b: kernels.linear_int8(x, q, s, b), given)


def test_layouts_and_other_shapes():
    weight, bias = layer(outputs=37)
    q, scale = kernels.quantise_int8(weight)
    x = torch.randn(37, 5, dtype=torch.float64).t()
    expected = layers.reference(x, q.t().contiguous().t(), scale)
    torch.testing.assert_close(kernels.linear_int8(x, q.t().contiguous().t(), scale), expected)
    for given in (
        (x[:, :3], q, scale),
        (x, q, scale[:3]),
        (x, q[0], scale),
        (x, q, scale, bias[:3]),
    ):
        try:
            expected = layers.reference(*given)
        except Exception as error:
            with pytest.raises(type(error)):
                kernels.linear_int8(*given)
        else:
            torch.testing.assert_close(kernels.linear_int8(*given), expected)


def test_integers_are_kept_until_the_weights_change():
    plain = torch.nn.Linear(8, 6)
    first = kernels.int8_weights(plain.weight)
    assert kernels.int8_weights(plain.weight)[0] is first[0]
    with torch.inference_mode():
        assert kernels.int8_weights(plain.weight)[0] is first[0]
    with torch.no_grad():
        plain.weight.mul_(2)
    second = kernels.int8_weights(plain.weight)
    torch.testing.assert_close(second[1], 2 * first[1])
    plain.load_state_dict({"weight": torch.ones(6, 8), "bias": torch.zeros(6)})
    assert (kernels.int8_weights(plain.weight)[0] == 127).all()
    plain.double()
    assert kernels.int8_weights(plain.weight)[1].dtype == torch.float64
    del plain
    gc.collect()
    assert not layers._kept


def test_integers_made_in_inference_mode_can_be_used_outside():
    plain = torch.nn.Linear(8, 6)
    with torch.inference_mode():
        kernels.int8_weights(plain.weight)
    x = torch.randn(2, 8, requires_grad=True)
    kernels.linear_int8(x, *kernels.int8_weights(plain.weight), plain.bias).sum().backward()
    assert x.grad is not None
