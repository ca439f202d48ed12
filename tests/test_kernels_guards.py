"""Sizes at which the code that a kernel replaces was measured to be faster on a CPU: there it runs,
and a little above the kernel does."""

from __future__ import annotations

import importlib

import pytest
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from auditor import kernels


def module(name):
    return importlib.import_module(f"auditor.kernels.{name}")


def normal(*shape, gradient=False):
    return torch.randn(shape, requires_grad=gradient)


def products(lead, length, width=4):
    return lambda: kernels.causal_product(*(normal(*lead, length, width) for _ in range(3)))


def distances(rows, width):
    return lambda: kernels.squared_distances(normal(rows, 1, width), normal(rows, width))


def gathered(rows, k, n, d, gradient=False):
    places = torch.arange(k).expand(rows, k)
    values = normal(n, d, gradient=gradient)
    return lambda: kernels.gather_matmul(torch.rand(rows, k), places, values)


def filtered(channels, side, taps):
    return lambda: kernels.separable_conv2d(
        normal(1, channels, side, side), normal(taps), normal(taps)
    )


def attracted(count, axes):
    return lambda: kernels.nbody(normal(count, axes), torch.rand(count))


def routed(count, slots):
    experts = [nn.Identity()] * count
    return lambda: kernels.routed_experts(
        experts, normal(9, 4), torch.zeros(9, slots, dtype=torch.int64), torch.rand(9, slots)
    )


def attended(length, decays, heads=2, channels=8, gradient=False):
    rows = [normal(1, length, heads, channels, gradient=gradient) for _ in range(3)]
    return lambda: kernels.linear_attention(*rows, -torch.rand(1, length, heads, decays))


def best_of(rows, length):
    return lambda: kernels.streaming_topk(torch.arange(1.0 * rows * length).view(rows, -1), 3)


def varied(rows):
    return lambda: kernels.welford(normal(rows, 65000), 1)


def corrected(heads, channels):
    rows = [normal(1, 40, heads, channels) / 8 for _ in range(3)]
    return lambda: kernels.delta_rule(*rows, 0.5)


def convolved(taps):
    return lambda: kernels.fft_conv(normal(3, 100), normal(taps))


def quantised(inputs, outputs):
    weight = kernels.quantise_int8(normal(outputs, inputs))
    return lambda: kernels.linear_int8(normal(1, inputs), *weight)


CASES = [
    ("linear_attention", attended(12, 1), attended(16, 1)),
    ("linear_attention", attended(32, 8), attended(48, 8)),
    ("linear_attention", attended(64, 1, 129, 12), attended(64, 1, 128, 12)),
    ("linear_attention", attended(64, 1, 129, 8, True), attended(64, 1, 129, 12, True)),
    ("linear_attention", attended(64, 8, 65), attended(64, 8, 64)),
    ("delta_rule", corrected(97, 12), corrected(96, 12)),
    ("delta_rule", corrected(97, 12), corrected(97, 13)),
    ("fft_conv", convolved(6), convolved(7)),
    ("welford", varied(4), varied(5)),
    ("linear_int8", quantised(1024, 1024), quantised(1025, 1024)),
    ("streaming_topk", best_of(20, 32), best_of(20, 33)),
    ("streaming_topk", best_of(8, 64), best_of(9, 64)),
    ("causal_product", products((), 300), products((), 1100)),
    ("causal_product", products((8,), 300), products((8,), 500)),
    ("squared_distances", distances(1200, 1), distances(700, 3)),
    ("squared_distances", distances(300, 3), distances(300, 64)),
    ("gather_matmul", gathered(64, 4, 512, 8), gathered(64, 4, 512, 256)),
    ("gather_matmul", gathered(500, 4, 512, 64, True), gathered(500, 1, 512, 64, True)),
    ("separable_conv2d", filtered(3, 32, 11), filtered(3, 64, 11)),
    ("nbody", attracted(100, 4), attracted(200, 4)),
    ("routed_experts", routed(4, 3), routed(4, 2)),
]


@pytest.mark.parametrize("name, below, above", CASES)
def test_the_reference_runs_below_the_guard_alone(name, below, above, monkeypatch):
    ran = []
    of_few = {"nbody": "_at_once"}.get(name, "reference")
    plain = getattr(module(name), of_few)
    monkeypatch.setattr(
        module(name), of_few, lambda *given, **more: ran.append(name) or plain(*given, **more)
    )
    below()
    assert ran == [name]
    above()
    assert ran == [name]


@pytest.mark.parametrize("length, width, combines", [(40, 3, 39), (100, 1000, 99), (100, 3, 12)])
def test_a_tree_folds_what_is_long_and_narrow(length, width, combines):
    calls = []

    def add(first, second):
        calls.append(1)
        return first + second

    kernels.reduce(add, torch.rand(length, width), dim=0)
    assert len(calls) <= combines and (combines < 20 or len(calls) == combines)


def repeated(length, width, gradient):
    a = torch.rand(length, width, requires_grad=gradient)
    calls = []

    def times(first, second):
        calls.append(1)
        return first * second

    kernels.associative_scan(times, a, dim=0)
    return len(calls)


def test_the_loop_trains_on_wider_rows_than_it_runs():
    """The loop has a call a step; a scan in chunks fewer."""
    assert repeated(300, 600, gradient=True) >= 299
    assert repeated(300, 500, gradient=True) < 100


@pytest.mark.parametrize("gradient", [False, True])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_many_short_rows_take_three_passes(dim, gradient, dtype, monkeypatch):
    monkeypatch.setattr(torch, "softmax", None)
    x = torch.randn(300, 2, dtype=dtype) * 30
    x[0, 0] = -torch.inf
    one, two = (x.clone().requires_grad_(gradient) for _ in range(2))
    found, expected = kernels.online_softmax(one, dim), module("online_softmax").reference(two, dim)
    torch.testing.assert_close(found, expected)
    if gradient:
        weights = torch.randn_like(found)
        grads = [torch.autograd.grad(y, z, weights) for y, z in ((found, one), (expected, two))]
        torch.testing.assert_close(*grads)


@pytest.mark.parametrize("size", [(1, 1), (4, 7), (40, 15), (40, 16)])
def test_other_rows_are_those_of_torch(size, monkeypatch):
    ran = []
    plain = torch.softmax
    monkeypatch.setattr(torch, "softmax", lambda *given: ran.append(1) or plain(*given))
    kernels.online_softmax(torch.randn(size), -1)
    assert bool(ran) is (size != (40, 15))


def few_scores(count, length, width=4):
    return module("causal_product")._few(count * length**2, width, "cuda")


def few_rows(rows, n, d, width=4):
    return module("gather_matmul")._few(rows * n, d, width, "cuda")


def few_taps(rows, n, shared=True):
    return module("fft_conv")._short(rows, n, n, shared, "cuda")


def few_of_a_filter(side, taps, channels=3):
    outputs = 4 * channels * side * side
    sizes = (channels, side, side, taps, taps)
    return module("separable_conv2d")._small(*sizes, outputs, "cuda")


def few_differences(rows, columns, width):
    return rows * columns * width <= module("squared_distances").MANY_DIFFERENCES


def few_weights(outputs, inputs, dtype=torch.bfloat16):
    return module("linear_int8")._few(outputs * inputs, dtype, "cuda")


def few_bodies(count, axes=3, half=False):
    return module("nbody")._few(count, axes, "cuda", half)


def all_pairs(count, pulled=False, device="cuda"):
    return module("barnes_hut")._exact(count, device, pulled)


ON_A_GPU = [
    (few_scores, (2, 2048), (8, 8192)),
    (few_scores, (1, 8191), (1, 8192)),
    (few_scores, (1, 8193, 2), (1, 8193, 8)),
    (few_rows, (512, 4096, 64), (4096, 65536, 128)),
    (few_rows, (1023, 65536, 128), (1024, 65536, 128)),
    (few_taps, (4, 2048), (16, 16384)),
    (few_taps, (3, 4000), (2, 8192)),
    (few_taps, (4, 63, False), (4, 2048, False)),
    (few_of_a_filter, (64, 15), (256, 21)),
    (few_of_a_filter, (101, 23), (224, 21)),
    (few_of_a_filter, (101, 23, 1), (400, 21, 1)),
    (few_of_a_filter, (256, 9), (400, 15)),
    (few_differences, (1001, 999, 8), (1024, 1024, 16)),
    (few_weights, (1024, 1024), (8192, 8192)),
    (few_weights, (2048, 4096, torch.float32), (16384, 16384, torch.float32)),
    (few_bodies, (1000,), (20000,)),
    (few_bodies, (3000, 3, True), (3001, 5, True)),
    (all_pairs, (200_000,), (1_000_000,)),
    (all_pairs, (16_000, True), (20_000, True)),
    (all_pairs, (2048, False, "cpu"), (2049, False, "cpu")),
    (all_pairs, (200_000,), (3, True, "cpu")),
]


@pytest.mark.parametrize("few, below, above", ON_A_GPU)
def test_few_on_a_gpu_are_left_to_the_plain_code(few, below, above):
    assert few(*below)
    assert not few(*above)


def test_a_gpu_sums_up_particles_without_a_tree(monkeypatch):
    hut = module("barnes_hut")
    x, m = normal(40, 3), torch.rand(40)
    monkeypatch.setattr(hut, "_exact", lambda count, device, pulled: True)
    monkeypatch.setattr(hut, "_Field", lambda *_: pytest.fail("a tree is made"))
    exact = module("nbody").reference(x, m, softening=0.1)
    torch.testing.assert_close(kernels.barnes_hut(x, m, softening=0.1, theta=0.9), exact)
    pulled = kernels.barnes_hut(x, m, softening=0.1, pull=lambda square: square**-1.5)
    torch.testing.assert_close(pulled, exact)


@pytest.mark.parametrize("softening", [0.0, 0.3])
@pytest.mark.parametrize("axes", [1, 3, 5])
def test_particles_at_once_are_the_formula(axes, softening, monkeypatch):
    bodies = module("nbody")
    for value in (0.0, 1e20, torch.inf, torch.nan):
        x, m = (torch.randn(9, axes, dtype=torch.float64), torch.rand(9, dtype=torch.float64))
        if value:
            x[3, 0] = m[5] = value
        leaves = [each.requires_grad_() for each in (x, m)]
        found = bodies._at_once(*leaves, softening, 1.5)
        expected = bodies.reference(*leaves, softening=softening, gravity=1.5)
        torch.testing.assert_close(found, expected, equal_nan=True)
        grads = [torch.autograd.grad(each.square().sum(), leaves) for each in (found, expected)]
        torch.testing.assert_close(*grads, equal_nan=True)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_sums_over_bags_are_those_over_gathered_rows(dtype):
    gathered = module("gather_matmul")
    places, weights = torch.randint(0, 50, (2, 3, 4)), torch.randn(2, 3, 4).to(dtype)
    values = torch.randn(6, 50).to(dtype).t()
    values[7] = torch.inf
    found, expected = (f(weights, places, values) for f in (gathered._in_bags, gathered._by_rows))
    torch.testing.assert_close(found, expected, equal_nan=True)


@pytest.mark.parametrize("room", [0, 9, 30, 1000])
def test_chunks_put_together_may_be_overwritten(room, monkeypatch):
    topk = module("streaming_topk")
    monkeypatch.setattr(topk, "AT_ONCE", {"cpu": room})
    whole, sizes = torch.randperm(60).view(2, 30).double(), (1, 2, 0, 8, 3, 9, 7)
    buffer = torch.empty(2, 9, dtype=torch.float64)

    def chunks():
        for part in whole.split(list(sizes), 1):
            yield buffer[:, : part.shape[1]].copy_(part)

    taken = []
    plain = topk.streaming_topk
    monkeypatch.setattr(topk, "streaming_topk", lambda x, *more: taken.append(x) or plain(x, *more))
    found = kernels.streaming_topk_chunks(chunks(), 4, 1)
    for some, other in zip(found, plain(whole, 4, 1), strict=True):
        assert torch.equal(some, other)
    assert len(taken) == {0: 13, 9: 9, 30: 5, 1000: 1}[room]


class Operators(TorchDispatchMode):
    """The names of the operators that run."""

    def __init__(self):
        super().__init__()
        self.ran = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.ran.append(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


def test_few_steps_start_as_many_operators_as_the_loop():
    a, b = torch.rand(2, 3, 4), normal(2, 3, 4)
    with Operators() as seen:
        kernels.linear_scan(a, b, dim=1)
    assert seen.ran == ["unbind", "unbind", *["mul", "add"] * 3, "stack"]


def operators(call):
    """The names of those that run."""
    with Operators() as seen:
        call()
    return seen.ran


def test_few_moments_start_as_many_operators_as_the_formula():
    x = normal(3, 500)
    assert operators(lambda: kernels.welford(x, 1)) == [
        "mean", "sub", "pow", "sum", "squeeze", "div",
    ]  # fmt: skip
    x = normal(3, 5)
    assert operators(lambda: kernels.welford(x, 1)) == ["var_mean"]


def test_little_starts_as_many_operators_as_the_code_it_replaces():
    """What is counted here is what a GPU launches."""
    x, m, q = normal(6, 3), torch.rand(6), normal(2, 8, 3)
    assert operators(lambda: module("nbody")._at_once(x, m, 0.1, 1.0)) == [
        "unsqueeze", "unsqueeze", "sub", "mul", "sum", "add", "sqrt", "mul", "div",
        "as_strided", "fill_", "unsqueeze", "mul", "sum",
    ]  # fmt: skip
    formula = operators(lambda: (q @ q.mT).tril() @ q)
    assert operators(lambda: kernels.causal_product(q, q, q)) == formula
    assert operators(lambda: kernels.squared_distances(x[:, None], x)) == [
        *operators(lambda: x[:, None]), "sub", "pow", "sum",
    ]  # fmt: skip
    weight = kernels.quantise_int8(normal(4, 3))
    assert operators(lambda: kernels.linear_int8(x, *weight)) == [
        "promote_types", "_to_copy", "t", "mm", "mul",
    ]  # fmt: skip


def test_few_of_all_experts_are_not_sorted(monkeypatch):
    """None waits for what a GPU counts; what nobody chose, and is no number, is not added."""
    x, weights, w_in = normal(5, 4), torch.rand(5, 2), normal(3, 4, 6)
    w_in[2] = torch.inf
    chosen = torch.tensor([[0, 1], [1, 1], [0, -1], [7, 1], [0, 0]])
    expected = module("moe").reference(x, chosen, weights, w_in)
    assert expected.isfinite().all()
    found = operators(lambda: torch.testing.assert_close(
        kernels.moe(x, chosen, weights, w_in), expected))  # fmt: skip
    assert "sort" not in found and "masked_fill" in found
    ran = []
    plain = module("moe")._everywhere
    monkeypatch.setattr(module("moe"), "_everywhere", lambda *a: ran.append(1) or plain(*a))
    kernels.moe(x, chosen.int(), weights, w_in)
    kernels.moe(x.requires_grad_(), chosen, weights, w_in)
    assert not ran
    with torch.no_grad():
        kernels.moe(x, chosen, weights, w_in)
        monkeypatch.setattr(module("moe"), "FEW_PRODUCTS", {"cpu": 5 * 72 - 1})
        kernels.moe(x, chosen, weights, w_in)
    assert ran == [1]


OPERATORS = {
    "linear_scan": lambda q: kernels.linear_scan(q, q, dim=0),
    "linear_attention": lambda q: kernels.linear_attention(q, q, q, dim=0),
    "selective_scan": lambda q: kernels.selective_scan(
        q.mT[None], q.mT[None].sigmoid(), -torch.ones(90, 2), *(normal(1, 8, 2) for _ in range(2))
    ),
    "nbody": lambda q: kernels.nbody(q.mT.repeat(20, 1)[:, :3], torch.rand(160)),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_is_called_where_something_records_it(name, monkeypatch):
    ran = []
    plain = module(name)._forward
    monkeypatch.setattr(module(name), "_forward", lambda *given: ran.append(1) or plain(*given))
    q = normal(90, 8) / 8
    found = OPERATORS[name](q)
    with torch.no_grad():
        OPERATORS[name](q.requires_grad_())
    assert not ran
    torch.manual_seed(0)
    recorded = OPERATORS[name](q)
    assert ran == [1]
    assert recorded.requires_grad and recorded.shape == found.shape
    with Operators():
        OPERATORS[name](q.detach())
    assert ran == [1, 1]
