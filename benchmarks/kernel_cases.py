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

from .kernel_code import (
    bucket,
    cache,
    chunked_topk,
    eager_attention,
    eager_banded_attention,
    eager_bucket,
    eager_cache,
    eager_convolution,
    eager_delta_rule,
    eager_discounted_sum,
    eager_distances,
    eager_experts,
    eager_filter,
    eager_gaussians,
    eager_linear_attention,
    eager_linear_scan,
    eager_logsumexp,
    eager_max_affine,
    eager_modules,
    eager_moments,
    eager_nbody,
    eager_resonator,
    eager_selective_scan,
    eager_softmax,
    eager_sparse_rows,
    eager_topk,
    eager_triangle,
    gaussians,
    max_affine,
    resonator,
    variance,
)


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
        for family, kernel, eager in (
            ("moe", lambda x, *rest, chosen=chosen: kernels.moe(x, chosen, *rest), eager_experts),
            ("routed_experts", functools.partial(routed, chosen), eager_modules),
        ):
            yield Case(
                family,
                name,
                kernel,
                lambda x, *rest, chosen=chosen, eager=eager: eager(x, chosen, *rest),
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
        weight = (make.normal(width, width) * width**-0.5).to(make.half)
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
    """The weight is in the dtype of the rows, but where those are float64 to compare with."""
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
    """The cases of every family, those of a quick run first in each. Loops whose eager code takes
    longest come last."""
    torch.manual_seed(0)
    make = Inputs(device, quick)
    for group in (rows, attentions, products, particles, filters, scans, matrix_scans):
        yield from group(make)
