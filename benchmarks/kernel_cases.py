"""What `benchmarks/kernels.py` measures: each kernel on inputs of several sizes, and the eager code
that it replaces."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from auditor import kernels


@dataclass(frozen=True)
class Case:
    """One kernel on inputs of one size, and the code that it replaces.

    operations: multiplications and additions that a forward pass cannot do without, where they
    may bound it; what it moves is read off inputs and result. steps: how many the eager code takes,
    where it is a loop. options: what a peer has to know
    beside the inputs.
    """

    family: str
    name: str
    kernel: Callable[..., Tensor]
    eager: Callable[..., Tensor]
    inputs: tuple[Tensor, ...]
    trains: bool = True
    operations: float = 0.0
    steps: int = 0
    options: tuple[tuple[str, Any], ...] = ()


def eager_linear_scan(a: Tensor, b: Tensor) -> Tensor:
    h = torch.zeros_like(b[:, 0])
    rows = []
    for t in range(b.shape[1]):
        h = a[:, t] * h + b[:, t]
        rows.append(h)
    return torch.stack(rows, 1)


def eager_discounted_sum(b: Tensor) -> Tensor:
    total = torch.zeros_like(b[0])
    sums = []
    for t in reversed(range(b.shape[0])):
        total = 0.99 * total + b[t]
        sums.append(total)
    return torch.stack(sums[::-1])


def eager_bucket(x: Tensor) -> Tensor:
    level = torch.zeros_like(x[:, 0])
    levels = []
    for t in range(x.shape[1]):
        level = torch.clamp(level + x[:, t], 0.0, 1.0)
        levels.append(level)
    return torch.stack(levels, 1)


def bucket(x: Tensor) -> Tensor:
    """As the rewrite of the loop writes it."""

    def step(level: Tensor, element: tuple[Tensor, ...]) -> Tensor:
        shift, low, high = element
        return torch.minimum(torch.maximum(level + shift, low), high)

    def combine(first: tuple[Tensor, ...], second: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        shift1, low1, high1 = first
        shift2, low2, high2 = second
        return (
            shift1 + shift2,
            torch.minimum(torch.maximum(low1 + shift2, low2), high2),
            torch.minimum(torch.maximum(high1 + shift2, low2), high2),
        )

    scanned: Tensor = kernels.associative_scan(
        combine, (x, 0.0, 1.0), dim=1, step=step, initial_state=torch.zeros_like(x[:, 0])
    )
    return scanned


def eager_resonator(x: Tensor) -> Tensor:
    one = two = torch.zeros_like(x[:, 0])
    rows = []
    for t in range(x.shape[1]):
        one, two = 1.2 * one - 0.5 * two + x[:, t], one
        rows.append(one)
    return torch.stack(rows, 1)


def resonator(x: Tensor) -> Tensor:
    """As the rewrite of the loop writes it."""

    def step(state: tuple[Tensor, ...], element: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        one, two = state
        a00, a01, a10, a11, b0, b1 = element
        return a00 * one + a01 * two + b0, a10 * one + a11 * two + b1

    def combine(first: tuple[Tensor, ...], second: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        a00_1, a01_1, a10_1, a11_1, b0_1, b1_1 = first
        a00_2, a01_2, a10_2, a11_2, b0_2, b1_2 = second
        return (
            a00_2 * a00_1 + a01_2 * a10_1,
            a00_2 * a01_1 + a01_2 * a11_1,
            a10_2 * a00_1 + a11_2 * a10_1,
            a10_2 * a01_1 + a11_2 * a11_1,
            a00_2 * b0_1 + a01_2 * b1_1 + b0_2,
            a10_2 * b0_1 + a11_2 * b1_1 + b1_2,
        )

    start = torch.zeros_like(x[:, 0])
    elements = (1.2, -0.5, 1, 0, x, 0)
    rows: Tensor = kernels.associative_scan(
        combine, elements, dim=1, step=step, initial_state=(start, start)
    )[0]
    return rows


def eager_selective_scan(x: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor) -> Tensor:
    h = x.new_zeros(x.shape[0], x.shape[2], A.shape[1])
    outputs = []
    for t in range(x.shape[1]):
        decay = torch.exp(delta[:, t, :, None] * A)
        h = decay * h + x[:, t, :, None] * B[:, t, None, :]
        outputs.append((h * C[:, t, None, :]).sum(-1))
    return torch.stack(outputs, 1)


def eager_linear_attention(q: Tensor, k: Tensor, v: Tensor, decay: Tensor) -> Tensor:
    S = q.new_zeros(q.shape[0], q.shape[2], q.shape[3], v.shape[3])
    outputs = []
    for t in range(q.shape[1]):
        S = decay[:, t] * S + k[:, t, :, :, None] * v[:, t, :, None, :]
        outputs.append(torch.einsum("bhd,bhde->bhe", q[:, t], S))
    return torch.stack(outputs, 1)


def eager_delta_rule(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, decay: Tensor) -> Tensor:
    S = q.new_zeros(q.shape[0], q.shape[2], q.shape[3], v.shape[3])
    outputs = []
    for t in range(q.shape[1]):
        S = S * decay[:, t, :, None, None]
        delta = (v[:, t] - (S * k[:, t, :, :, None]).sum(-2)) * beta[:, t, :, None]
        S = S + k[:, t, :, :, None] * delta[:, :, None, :]
        outputs.append((S * q[:, t, :, :, None]).sum(-2))
    return torch.stack(outputs, 1)


def eager_softmax(x: Tensor) -> Tensor:
    weights = torch.exp(x - x.max(-1, keepdim=True).values)
    return weights / weights.sum(-1, keepdim=True)


def variance(x: Tensor, dim: int) -> Tensor:
    return kernels.welford(x, dim, 0)[1]


def eager_moments(x: Tensor) -> Tensor:
    mean = x.mean(-1, keepdim=True)
    return ((x - mean) ** 2).mean(-1)


def eager_logsumexp(x: Tensor) -> Tensor:
    m = x.max(-1, keepdim=True).values
    return (m + torch.log(torch.exp(x - m).sum(-1, keepdim=True))).squeeze(-1)


def eager_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    future = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
    return torch.softmax(scores.masked_fill(future, float("-inf")), -1) @ v


def eager_banded_attention(q: Tensor, k: Tensor, v: Tensor, width: int) -> Tensor:
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    place = torch.arange(q.shape[-2], device=q.device)
    ahead = place[:, None] - place
    outside = (ahead < 0) | (ahead >= width)
    return torch.softmax(scores.masked_fill(outside, float("-inf")), -1) @ v


def eager_experts(
    x: Tensor, indices: Tensor, weights: Tensor, w_in: Tensor, w_out: Tensor
) -> Tensor:
    gates = torch.zeros(len(x), len(w_in), dtype=x.dtype, device=x.device)
    gates = gates.scatter(1, indices, weights)
    hidden = torch.nn.functional.silu(torch.einsum("td,edh->teh", x, w_in))
    return torch.einsum("teh,eho,te->to", hidden, w_out, gates)


def eager_nbody(positions: Tensor, masses: Tensor) -> Tensor:
    away = positions[None] - positions[:, None]
    square = (away * away).sum(-1) + 1e-2
    return ((masses / (square * square.sqrt()))[..., None] * away).sum(1)


def eager_distances(x: Tensor, y: Tensor) -> Tensor:
    return ((x - y) ** 2).sum(-1)


def eager_gaussians(x: Tensor) -> Tensor:
    total = torch.zeros_like(x[:, 0])
    for i in range(len(x)):
        for j in range(len(x)):
            away = x[i] - x[j]
            total[i] += torch.exp(-(away * away).sum())
    return total


def gaussians(x: Tensor) -> Tensor:
    def pair(x_i: Tensor, x_j: Tensor) -> Tensor:
        away = x_i - x_j
        return torch.exp(-(away * away).sum())

    count = len(x)
    found = kernels.pairwise_reduce(pair, (count, count), (x,), (x,), to_rows=(x[:, 0],))
    assert isinstance(found, Tensor)
    return found


def eager_convolution(x: Tensor, h: Tensor) -> Tensor:
    return torch.nn.functional.conv1d(x[:, None], h.flip(-1)[None, None], padding=h.shape[-1] - 1)[
        :, 0, : x.shape[-1]
    ]


def eager_filter(x: Tensor, g: Tensor) -> Tensor:
    channels = x.shape[1]
    weight = torch.outer(g, g).expand(channels, 1, -1, -1)
    return torch.nn.functional.conv2d(x, weight, padding=len(g) // 2, groups=channels)


def eager_max_affine(a: Tensor, b: Tensor) -> Tensor:
    low = torch.zeros_like(b[:, 0])
    for t in range(a.shape[1]):
        low = torch.maximum(low + a[:, t], b[:, t])
    return low


def max_affine(a: Tensor, b: Tensor) -> Tensor:
    """As the rewrite of the loop writes it."""

    def combine(first: tuple[Tensor, ...], second: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        (shift, least), (more, other) = first, second
        return shift + more, torch.maximum(least + more, other)

    shift, least = kernels.reduce(combine, (a, b), dim=1)
    found: Tensor = torch.maximum(shift, least)
    return found


def eager_triangle(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return (q @ k.transpose(-2, -1)).tril() @ v


def eager_sparse_rows(weights: Tensor, places: Tensor, values: Tensor) -> Tensor:
    spread = weights.new_zeros(*weights.shape[:-1], len(values))
    return spread.scatter(-1, places, weights) @ values


def eager_cache(keys: Tensor, values: Tensor) -> Tensor:
    """A step of generation at a time, the prefix copied at each."""
    k, v = keys[..., :1, :], values[..., :1, :]
    for t in range(1, keys.shape[-2]):
        k = torch.cat((k, keys[..., t : t + 1, :]), -2)
        v = torch.cat((v, values[..., t : t + 1, :]), -2)
    return k + v


def cache(keys: Tensor, values: Tensor) -> Tensor:
    kept = kernels.KVCache()
    for t in range(keys.shape[-2]):
        k, v = kept.append(keys[..., t : t + 1, :], values[..., t : t + 1, :])
    return k + v


def chunked_topk(x: Tensor) -> Tensor:
    return kernels.streaming_topk_chunks(x.split(4096, -1), 32)[0]


def eager_topk(x: Tensor) -> Tensor:
    return torch.sort(x, -1, descending=True).values[..., :32]


@dataclass(frozen=True)
class Inputs:
    """Makes the inputs of one run: on its device, small sizes alone where it is quick."""

    device: str
    quick: bool

    @property
    def half(self) -> torch.dtype:
        """What a model runs in: half precision where there is a GPU."""
        return torch.bfloat16 if self.device == "cuda" else torch.float32

    def normal(self, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return torch.randn(*shape, device=self.device).to(dtype)

    def uniform(self, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return torch.rand(*shape, device=self.device).to(dtype)

    def gates(self, *shape: int) -> Tensor:
        return self.uniform(*shape) * 0.2 + 0.79

    def sizes(self, small: list[Any], others: list[Any], gpu: list[Any] | None = None) -> list[Any]:
        """What a run measures; `gpu` instead of `others` are those that keep a large GPU busy."""
        if self.quick:
            return small
        return small + (others if gpu is None or self.device == "cpu" else gpu)


def scans(make: Inputs) -> Iterator[Case]:
    small, others = [(4, 512, 256), (64, 512, 4)], [(4, 2048, 256), (8, 2048, 2048), (3, 1777, 101)]
    gpu = [(8, 2048, 8192), (16, 16384, 128), (3, 1777, 101)]
    for shape in make.sizes(small, others, gpu):
        yield Case(
            "linear_scan",
            f"{shape} float32",
            lambda a, b: kernels.linear_scan(a, b, dim=1),
            eager_linear_scan,
            (make.gates(*shape), make.normal(*shape)),
            steps=shape[1],
        )
    for length in make.sizes([2000], [10000]):
        yield Case(
            "linear_scan",
            f"discounted sum of {length}",
            lambda b: kernels.linear_scan(0.99, b, dim=0, reverse=True),
            eager_discounted_sum,
            (make.normal(length),),
            steps=length,
            options=(("gate", 0.99),),
        )
    others, gpu = [(4, 2048, 32), (1, 20000, 1), (3, 1777, 7)], [(8, 2048, 2048), (3, 1777, 7)]
    for shape in make.sizes([(4, 512, 32)], others, gpu):
        for name, kernel, eager in (
            ("bucket", bucket, eager_bucket),
            ("second-order filter", resonator, eager_resonator),
        ):
            inputs = (make.normal(*shape) * 0.3,)
            name = f"{name} {shape} float32"
            yield Case("associative_scan", name, kernel, eager, inputs, steps=shape[1])
        inputs = (make.normal(*shape), make.normal(*shape))
        name = f"max-plus {shape} float32"
        yield Case("reduce", name, max_affine, eager_max_affine, inputs, steps=shape[1])
    small = [(1, 512, 128, 16)]
    others = [(1, 1024, 256, 16), (4, 512, 128, 16), (1, 2048, 64, 16), (2, 1024, 256, 16)]
    others += [(1, 2048, 2048, 16), (1, 4096, 64, 16), (3, 777, 67, 5)]
    gpu = [(1, 2048, 2048, 16), (1, 4096, 64, 16), (8, 4096, 4096, 16), (3, 777, 67, 5)]
    for batch, length, channels, states in make.sizes(small, others, gpu):
        yield Case(
            "selective_scan",
            f"{(batch, length, channels, states)} float32",
            kernels.selective_scan,
            eager_selective_scan,
            (
                make.normal(batch, length, channels),
                make.uniform(batch, length, channels) * 0.1,
                -make.uniform(channels, states) * 8,
                make.normal(batch, length, states),
                make.normal(batch, length, states),
            ),
            # the eager loop's gradient, a tensor as large as the input a step, takes minutes there
            trains=batch * length * channels <= 1 << 23,
            operations=6.0 * batch * length * channels * states,
            steps=length,
        )


def matrix_scans(make: Inputs) -> Iterator[Case]:
    others = [(1, 2048, 4, 64), (4, 1024, 8, 64), (1, 777, 3, 40)]
    gpu = [(8, 2048, 16, 64), (4, 1024, 16, 128), (1, 777, 3, 40)]
    for size in make.sizes([(1, 512, 4, 64)], others, gpu):
        batch, length, heads, width = size
        operations = 4.0 * batch * length * heads * width * width
        for name, channels in (("by head", 1), ("by channel", width)):
            yield Case(
                "linear_attention",
                f"{size} decays {name} float32",
                lambda q, k, v, decay: kernels.linear_attention(q, k, v, decay=decay),
                eager_linear_attention,
                (
                    make.normal(*size) * width**-0.5,
                    make.normal(*size),
                    make.normal(*size),
                    make.gates(batch, length, heads, channels, 1),
                ),
                operations=operations,
                steps=length,
            )
        yield Case(
            "delta_rule",
            f"{size} float32",
            lambda q, k, v, beta, decay: kernels.delta_rule(q, k, v, beta, decay=decay),
            eager_delta_rule,
            (
                make.normal(*size) * width**-0.5,
                torch.nn.functional.normalize(make.normal(*size), dim=-1),
                make.normal(*size),
                make.uniform(*size[:-1]),
                make.gates(*size[:-1]),
            ),
            operations=1.5 * operations,
            steps=length,
        )


def rows(make: Inputs) -> Iterator[Case]:
    small = [(256, 1024), (2, 65536)]
    gpu = [(16384, 8192), (32, 1 << 20), (1001, 1237)]
    for shape in make.sizes(small, [(4096, 4096), (8, 1 << 20), (1001, 1237)], gpu):
        for family, kernel, eager in (
            ("online_softmax", kernels.online_softmax, eager_softmax),
            ("logsumexp", kernels.logsumexp, eager_logsumexp),
            ("welford", variance, eager_moments),
        ):
            yield Case(
                family,
                f"{shape} {make.half}",
                lambda x, kernel=kernel: kernel(x, -1),
                eager,
                (make.normal(*shape, dtype=make.half),),
            )
    for shape in make.sizes([(64, 16384)], [(256, 131072), (33, 9999)]):
        for name, kernel in (
            ("streaming_topk", lambda x: kernels.streaming_topk(x, 32)[0]),
            ("streaming_topk_chunks", chunked_topk),
        ):
            inputs = (make.normal(*shape),)
            yield Case(name, f"32 of {shape}", kernel, eager_topk, inputs, trains=False)


def attentions(make: Inputs) -> Iterator[Case]:
    gpu = [(4, 16, 4096, 128), (1, 3, 777, 40)]
    for size in make.sizes([(1, 4, 512, 64)], [(2, 8, 2048, 64), (1, 3, 777, 40)], gpu):
        batch, heads, length, width = size
        inputs = tuple(make.normal(*size, dtype=make.half) for _ in range(3))
        yield Case(
            "flash_attention",
            f"causal {size} {make.half}",
            lambda q, k, v: kernels.flash_attention(q, k, v, is_causal=True),
            eager_attention,
            inputs,
            operations=2.0 * batch * heads * length * length * width,
        )
        band = length // 16
        yield Case(
            "local_attention",
            f"window {band} of {size} {make.half}",
            lambda q, k, v, band=band: kernels.local_attention(q, k, v, window=(band - 1, 0)),
            lambda q, k, v, band=band: eager_banded_attention(q, k, v, band),
            inputs,
            operations=4.0 * batch * heads * length * band * width,
            options=(("band", band),),
        )
    for shape in make.sizes([(4, 256, 64)], [(8, 1024, 64)]):
        inputs = (make.normal(*shape), make.normal(*shape))
        name = f"{shape} float32"
        yield Case("KVCache", name, cache, eager_cache, inputs, trains=False, steps=shape[1])


def products(make: Inputs) -> Iterator[Case]:
    for tokens, count, width in make.sizes([(256, 8, 64)], [(4096, 32, 512), (333, 7, 60)]):
        chosen = make.uniform(tokens, count).topk(2).indices
        inputs = (
            make.normal(tokens, width, dtype=make.half),
            make.uniform(tokens, 2, dtype=make.half),
            make.normal(count, width, 2 * width, dtype=make.half) * 0.1,
            make.normal(count, 2 * width, width, dtype=make.half) * 0.1,
        )
        operations = 16.0 * tokens * width * width
        name = f"2 of {count} experts for {tokens} tokens {make.half}"
        for family, kernel in (
            ("moe", lambda x, *rest, chosen=chosen: kernels.moe(x, chosen, *rest)),
            ("routed_experts", functools.partial(routed, chosen)),
        ):
            yield Case(
                family,
                name,
                kernel,
                lambda x, *rest, chosen=chosen: eager_experts(x, chosen, *rest),
                inputs,
                operations=operations,
                options=(("chosen", chosen),),
            )
    for shape in make.sizes([(2, 2048, 32)], [(8, 8192, 64)]):
        inputs = tuple(make.normal(*shape) * shape[-1] ** -0.5 for _ in range(3))
        yield Case(
            "causal_product",
            f"{shape} float32",
            kernels.causal_product,
            eager_triangle,
            inputs,
            operations=4.0 * math.prod(shape) * shape[-1],
        )
    for count, k, n, width in make.sizes([(512, 8, 4096, 64)], [(4096, 32, 65536, 128)]):
        places = make.uniform(count, n).topk(k).indices
        yield Case(
            "gather_matmul",
            f"{k} of {n} rows of {width} for {count} float32",
            lambda w, v, places=places: kernels.gather_matmul(w, places, v),
            lambda w, v, places=places: eager_sparse_rows(w, places, v),
            (make.uniform(count, k), make.normal(n, width)),
            options=(("places", places),),
        )
    others, gpu = [(1, 4096), (16, 4096)], [(1, 16384), (16, 16384), (64, 8192)]
    for batch, width in make.sizes([(4, 1024)], others, gpu):
        weight = make.normal(width, width) * width**-0.5
        yield Case(
            "linear_int8",
            f"{batch} rows through {width} x {width} {make.half}",
            functools.partial(through_int8, *kernels.quantise_int8(weight)),
            functools.partial(through, weight),
            (make.normal(batch, width, dtype=make.half),),
            trains=False,
        )
        inputs = (make.normal(width, width), make.normal(width, width))
        yield Case(
            "constant_product",
            f"{width} x {width} x {width} float32",
            kernels.constant_product,
            torch.matmul,
            inputs,
            trains=False,
        )


def through(weight: Tensor, x: Tensor) -> Tensor:
    return x @ weight.to(x.dtype).T


def through_int8(weight: Tensor, scale: Tensor, x: Tensor) -> Tensor:
    return kernels.linear_int8(x, weight, scale)


def routed(chosen: Tensor, x: Tensor, weights: Tensor, w_in: Tensor, w_out: Tensor) -> Tensor:
    def expert(first: Tensor, last: Tensor) -> Callable[[Tensor], Tensor]:
        return lambda rows: torch.nn.functional.silu(rows @ first) @ last

    experts = [expert(*each) for each in zip(w_in, w_out, strict=True)]
    return kernels.routed_experts(experts, x, chosen, weights)


def filters(make: Inputs) -> Iterator[Case]:
    for shape in make.sizes([(4, 2048)], [(16, 16384), (3, 7919)]):
        yield Case(
            "fft_conv",
            f"a filter as long as the rows {shape} float32",
            kernels.fft_conv,
            eager_convolution,
            (make.normal(*shape), make.normal(shape[-1])),
            operations=15.0 * shape[0] * shape[1] * math.log2(2 * shape[1]),
        )
    for side, size in make.sizes([(64, 15)], [(256, 21), (101, 23)]):
        yield Case(
            "separable_conv2d",
            f"{size} x {size} on {(4, 3, side, side)} float32",
            lambda x, g: kernels.separable_conv2d(x, g, g, padding=len(g) // 2),
            eager_filter,
            (make.normal(4, 3, side, side), make.normal(size)),
            operations=4.0 * 12 * side * side * size,
        )


def particles(make: Inputs) -> Iterator[Case]:
    for count in make.sizes([1000], [4096, 3001], [20000, 3001]):
        inputs = (make.normal(count, 3), make.uniform(count))
        for family, kernel in (
            ("nbody", lambda x, m: kernels.nbody(x, m, softening=0.1)),
            ("barnes_hut", lambda x, m: kernels.barnes_hut(x, m, softening=0.1)),
        ):
            # a tree is worth its making from some ten thousands of particles on
            operations = 20.0 * count * count if family == "nbody" else 0.0
            name = f"{count} particles float32"
            yield Case(family, name, kernel, eager_nbody, inputs, operations=operations)
    for count, columns, width in make.sizes([(256, 200, 16)], [(2048, 1024, 64), (1001, 333, 3)]):
        yield Case(
            "squared_distances",
            f"{count} rows and {columns} of {width} float32",
            kernels.squared_distances,
            eager_distances,
            (make.normal(count, 1, width), make.normal(columns, width)),
            operations=3.0 * count * columns * width,
        )
    yield Case(
        "pairwise_reduce",
        "Gaussians of 50 points float32",
        gaussians,
        eager_gaussians,
        (make.normal(50, 3),),
        steps=50 * 50,
    )


def cases(device: str, quick: bool) -> Iterator[Case]:
    """The cases of every family, those of a quick run first in each."""
    torch.manual_seed(0)
    make = Inputs(device, quick)
    for group in (scans, matrix_scans, rows, particles, attentions, products, filters):
        yield from group(make)
