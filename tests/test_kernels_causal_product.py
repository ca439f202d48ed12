"""Triangles of products, in chunks, against all of them under a mask."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
import torch

from auditor import kernels

whole = importlib.import_module("auditor.kernels.causal_product")


@pytest.fixture(autouse=True)
def chunked(monkeypatch):
    """The plain code is for fewer scores than most here have."""
    monkeypatch.setattr(whole, "FEW_SCORES", 0)


def operands(lead=(2,), length=150, others=None, dtype=torch.float64):
    torch.manual_seed(0)
    others = length if others is None else others
    shapes = ((*lead, length, 3), (*lead, others, 3), (*lead, others, 5))
    return [torch.randn(s, dtype=torch.float64).to(dtype).requires_grad_() for s in shapes]


def agree(given, **options):
    found = [f(*given, **options) for f in (kernels.causal_product, whole.reference)]
    assert found[0].dtype == found[1].dtype
    torch.testing.assert_close(*found, atol=1e-9, rtol=1e-9)
    grads = [torch.autograd.grad(f.square().sum(), given) for f in found]
    for some, other in zip(*grads, strict=True):
        torch.testing.assert_close(some, other, atol=1e-7, rtol=1e-7)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("diagonal", [0, -1, 1, 3])
@pytest.mark.parametrize("length", [0, 1, 5, 129, 150])
def test_causal_product_is_the_triangle(length, diagonal, upper):
    agree(operands(length=length), diagonal=diagonal, upper=upper, scale=0.5)


@pytest.mark.parametrize("lead", [(), (1,), (2, 3)])
def test_any_number_of_batches(lead):
    agree(operands(lead))


def test_other_lengths_and_batches_are_the_formulas():
    agree(operands(length=150, others=140))
    q, k, v = operands()
    agree([q, k[:1].detach().requires_grad_(), v])
    agree([q, k, v], scale=torch.full((2, 1, 1), 0.5, dtype=torch.float64))
    with pytest.raises(RuntimeError):
        kernels.causal_product(q, k[..., :2], v)


def test_the_scores_are_never_all_there(monkeypatch):
    monkeypatch.setattr(whole, "reference", lambda *_, **__: pytest.fail("all scores"))
    for options in ({}, {"diagonal": -1}, {"upper": True}, {"upper": True, "diagonal": 1}):
        kernels.causal_product(*operands(), **options)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_causal_product_in_other_dtypes(dtype):
    given = operands(dtype=dtype)
    exact = whole.reference(*(each.detach().double() for each in given))
    found = kernels.causal_product(*given)
    assert found.dtype == dtype
    assert (found.double() - exact).abs().max() <= whole.TOLERANCE[dtype][0] * exact.abs().max()


@pytest.mark.parametrize(
    ("products", "values", "result"),
    [
        (torch.bfloat16, torch.float32, torch.float32),
        (torch.float32, torch.float64, torch.float64),
        (torch.int64, torch.float32, torch.float32),
        (torch.float64, torch.float32, torch.float64),
    ],
)
def test_products_and_values_of_two_types_meet_in_the_wider(products, values, result):
    q, k, v = (each.detach() for each in operands())
    q, k, v = (3 * q).to(products), (3 * k).to(products), v.to(values)
    expected = torch.tril(q.double() @ k.double().mT) @ v.double()
    found = kernels.causal_product(q, k, v)
    assert found.dtype == result
    tolerance = 2e-2 if products is torch.bfloat16 else 1e-5
    torch.testing.assert_close(found.double(), expected, atol=tolerance * 100, rtol=tolerance)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("diagonal", [0, -1, 1])
def test_a_mask_of_a_stated_size_broadcasts(upper, diagonal):
    for lengths in ((150, 150, 150), (1, 150, 1), (150, 150, 1), (1, 5, 1), (1, 1, 3)):
        q, k, v = operands((), lengths[0], lengths[1])
        size = lengths[2]
        mask = torch.ones(size, size, dtype=q.dtype)
        mask = mask.triu(diagonal) if upper else mask.tril(diagonal)
        try:
            expected = (q @ k.mT * mask) @ v
        except RuntimeError:
            with pytest.raises(RuntimeError):
                kernels.causal_product(q, k, v, size=size, diagonal=diagonal, upper=upper)
            continue
        found = kernels.causal_product(q, k, v, size=size, diagonal=diagonal, upper=upper)
        torch.testing.assert_close(found, expected, atol=1e-9, rtol=1e-9)


@pytest.mark.parametrize("options", [{}, {"diagonal": -1, "scale": 0.5}, {"upper": True}])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.float16])
def test_arrays_of_numpy(dtype, options):
    generator = np.random.default_rng(0)
    for length in (0, 1, 5, 150):
        q, k, v = (
            (9 * generator.random((2, length, 6))).astype(dtype)[..., ::-2] for _ in range(3)
        )
        q.setflags(write=False)
        for size in (None, length):
            found = kernels.causal_product(q, k, v, size=size, **options)
            scores = q @ k.swapaxes(-1, -2)
            kept = np.triu(scores) if "upper" in options else np.tril(
                scores, options.get("diagonal", 0))  # fmt: skip
            expected = (kept * options["scale"] if "scale" in options else kept) @ v
            assert type(found) is np.ndarray and found.dtype == expected.dtype
            np.testing.assert_allclose(found, expected, rtol=1e-2 if dtype == np.float16 else 1e-5)


def test_operands_may_be_overwritten_before_the_backward_pass():
    q, k, v = (torch.randn(200, 4, dtype=torch.float64) for _ in range(3))
    wanted = torch.tril(q @ k.mT).mT.sum(1, keepdim=True).expand(200, 4)
    v.requires_grad_()
    out = kernels.causal_product(q, k, v)
    q.zero_()
    k.zero_()
    out.sum().backward()
    torch.testing.assert_close(v.grad, wanted)


def stepwise(q, k, v, decays):
    """One step at a time; ``decays`` (..., T)."""
    state, found = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1]), []
    for t in range(q.shape[-2]):
        state = decays[..., t, None, None] * state + k[..., t, :, None] * v[..., t, None, :]
        found.append((q[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(found, -2)


DECAYS = {
    "a number": lambda n: {"decay": 0.9},
    "the number zero": lambda n: {"decay": 0.0},
    "a growing one": lambda n: {"decay": 1.02},
    "a parameter": lambda n: {"decay": torch.tensor(0.8, dtype=torch.float64)},
    "one for each head": lambda n: {
        "decay": torch.tensor([[[0.5]], [[-0.7]]], dtype=torch.float64)
    },
    "a logarithm": lambda n: {"log_decay": -0.05},
    "a logarithm for each head": lambda n: {
        "log_decay": -torch.rand(2, 1, 1, dtype=torch.float64) / 9
    },
    "one for each step": lambda n: {"log_decays": -torch.rand(n, dtype=torch.float64) / 9},
    "one for each step and head": lambda n: {
        "log_decays": -torch.rand(3, 2, n, dtype=torch.float64) / 9
    },
}


@pytest.mark.parametrize("name", DECAYS)
@pytest.mark.parametrize("length", [1, 2, 150, 200])
def test_scores_decay_with_the_distance(name, length):
    given = operands((3, 2), length)
    options = DECAYS[name](length)
    ((key, value),) = options.items()
    leaves = list(given)
    if isinstance(value, torch.Tensor):
        options[key] = value = value.requires_grad_()
        leaves.append(value)
    factors = torch.as_tensor(value, dtype=torch.float64)
    factors = factors if key == "decay" else factors.exp()
    factors = factors[..., 0] if factors.ndim and key != "log_decays" else factors
    expected = stepwise(*given, factors.expand(3, 2, length))
    for found in (kernels.causal_product(*given, **options), whole.reference(*given, **options)):
        torch.testing.assert_close(found, expected, atol=1e-9, rtol=1e-9)
        weights = torch.linspace(-1, 1, found.numel(), dtype=found.dtype).view_as(found)
        grads = [
            torch.autograd.grad((f * weights).sum(), leaves, retain_graph=True, allow_unused=True)
            for f in (found, expected)
        ]
        for some, other in zip(*grads, strict=True):
            other = torch.zeros_like(some) if other is None else other
            torch.testing.assert_close(some, other, atol=1e-8, rtol=1e-8)


def test_a_rate_is_not_rounded_at_every_step():
    torch.manual_seed(0)
    q, k, v = (torch.randn(3000, 4) for _ in range(3))
    rate = torch.tensor(-0.003)
    exact = whole.reference(q.double(), k.double(), v.double(), log_decay=rate.double())
    found = kernels.causal_product(q, k, v, log_decay=rate)
    assert found.dtype == torch.float32
    assert (found - exact).abs().max() <= 1e-6 * exact.abs().max()


@pytest.mark.parametrize(("queries", "keys"), [(3, 5), (5, 3), (1, 5), (5, 1)])
def test_other_numbers_of_queries_than_of_keys_decay(queries, keys):
    q, k, v = (torch.randn(2, n, 2, dtype=torch.float64) for n in (queries, keys, keys))
    distance = torch.arange(queries)[:, None] - torch.arange(keys)
    left = torch.where(distance >= 0, 0.5 ** distance.double(), 0.0)
    found = kernels.causal_product(q, k, v, decay=0.5)
    torch.testing.assert_close(found, ((q @ k.mT) * left) @ v)


def test_a_mask_of_a_stated_size_decays_and_broadcasts():
    steps = -torch.rand(150, dtype=torch.float64)
    for lengths in ((150, 150, 150), (1, 150, 1), (150, 150, 1), (1, 5, 1)):
        q, k, v = operands((), lengths[0], lengths[1])
        place = torch.arange(lengths[2])
        mask = (0.9 ** (place[:, None] - place).clamp(min=0).double()).tril()
        found = kernels.causal_product(q, k, v, size=lengths[2], decay=0.9)
        torch.testing.assert_close(found, (q @ k.mT * mask) @ v, atol=1e-6, rtol=1e-6)
        until = steps[: lengths[2]].cumsum(0)
        mask = (until[:, None] - until).exp().tril()
        found = kernels.causal_product(q, k, v, size=lengths[2], log_decays=steps[: lengths[2]])
        torch.testing.assert_close(found, (q @ k.mT * mask) @ v, atol=1e-9, rtol=1e-9)


@pytest.mark.parametrize(
    "options",
    [{"decay": 0.9, "upper": True}, {"decay": 0.9, "diagonal": -1},
     {"decay": 0.9, "log_decay": -0.1}, {"log_decay": -0.1, "log_decays": torch.zeros(150)}],
)  # fmt: skip
def test_decays_that_are_none_of_the_triangle(options):
    with pytest.raises(ValueError, match="decay"):
        kernels.causal_product(*operands(), **options)
