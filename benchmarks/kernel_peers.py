"""Other implementations of what the kernels compute, for `benchmarks/kernels.py`.

Each is imported when it is asked for. One that is not installed, does not run on the device or
gives another result is listed with the reason. `trains` says whether autograd sees it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from .kernel_cases import Case

Function = Callable[..., Tensor]


@dataclass(frozen=True)
class Peer:
    name: str
    build: Callable[[Case], Function]
    """Imports what it needs; raises where the case is not one for it."""
    trains: bool = True


class NotForThis(Exception):
    """The case is none that this implementation is for."""


def options_of(case: Case) -> dict[str, Any]:
    return dict(case.options)


MOST_STEPS = 256
"""torch.compile unrolls loops: those of 512 steps take it over 20 seconds."""


def compiled_eager(case: Case) -> Function:
    if case.steps > MOST_STEPS:
        raise RuntimeError(f"a loop of {case.steps} steps, all of which it would unroll")
    return torch.compile(case.eager, dynamic=False)


# ---------------------------------------------------------------------------------- recurrences


def scipy_lfilter(case: Case) -> Function:
    from scipy.signal import lfilter

    gate = options_of(case).get("gate")
    if gate is None:
        raise NotForThis("lfilter has constant gates")

    def run(b: Tensor) -> Tensor:
        backwards = b.numpy()[::-1]
        return torch.from_numpy(lfilter([1.0], [1.0, -gate], backwards)[::-1].copy())

    return run


def numba_linear_scan(case: Case) -> Function:
    import numba

    if len(case.inputs) != 2:
        raise NotForThis("written for arrays of gates")

    @numba.njit
    def scan(a: Any, b: Any, out: Any) -> None:
        batch, length, channels = a.shape
        for i in range(batch):
            out[i, 0] = b[i, 0]
            for t in range(1, length):
                for c in range(channels):
                    out[i, t, c] = a[i, t, c] * out[i, t - 1, c] + b[i, t, c]

    def run(a: Tensor, b: Tensor) -> Tensor:
        out = torch.empty_like(b)
        scan(a.numpy(), b.numpy(), out.numpy())
        return out

    return run


def torch_associative_scan(case: Case) -> Function:
    from torch._higher_order_ops.associative_scan import associative_scan

    def combine(first: tuple[Tensor, Tensor], second: tuple[Tensor, Tensor]) -> Any:
        return second[0] * first[0], second[0] * first[1] + second[1]

    if len(case.inputs) != 2:
        raise NotForThis("written for arrays of gates")
    return lambda a, b: associative_scan(combine, (a, b), dim=1, combine_mode="generic")[1]


def mambapy_linear_scan(case: Case) -> Function:
    from mambapy.pscan import pscan

    if len(case.inputs) != 2:
        raise NotForThis("written for arrays of gates")
    return lambda a, b: pscan(a.unsqueeze(-1), b.unsqueeze(-1)).squeeze(-1)


def accelerated_scan(case: Case) -> Function:
    from accelerated_scan.warp import scan

    if len(case.inputs) != 2:
        raise NotForThis("written for arrays of gates")
    return lambda a, b: scan(a.mT.contiguous(), b.mT.contiguous()).mT


def mambapy_selective_scan(case: Case) -> Function:
    from mambapy.pscan import pscan

    def run(x: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor) -> Tensor:
        h = pscan(torch.exp(delta.unsqueeze(-1) * A), x.unsqueeze(-1) * B.unsqueeze(2))
        return (h @ C.unsqueeze(-1)).squeeze(-1)

    return run


def numba_selective_scan(case: Case) -> Function:
    import numba
    import numpy as np

    @numba.njit(fastmath=True)
    def scan(x: Any, delta: Any, A: Any, B: Any, C: Any, out: Any) -> None:
        batch, length, channels = x.shape
        states = A.shape[1]
        for i in range(batch):
            h = np.zeros((channels, states), np.float32)
            for t in range(length):
                for c in range(channels):
                    total = np.float32(0)
                    for n in range(states):
                        decay = np.exp(delta[i, t, c] * A[c, n])
                        h[c, n] = decay * h[c, n] + B[i, t, n] * x[i, t, c]
                        total += C[i, t, n] * h[c, n]
                    out[i, t, c] = total

    def run(*given: Tensor) -> Tensor:
        out = torch.empty_like(given[0])
        scan(*(each.numpy() for each in given), out.numpy())
        return out

    return run


def mamba_ssm(case: Case) -> Function:
    from mamba_ssm.ops.selective_scan_interface import selective_scan_fn

    # theirs multiplies the input by delta
    return lambda x, delta, A, B, C: (
        selective_scan_fn(
            (x / delta).mT.contiguous(),
            delta.mT.contiguous(),
            A,
            B.mT.contiguous(),
            C.mT.contiguous(),
        ).mT
    )


def fla_linear_attention(case: Case) -> Function:
    if case.inputs[3].shape[3] == 1:
        from fla.ops.simple_gla import chunk_simple_gla

        return lambda q, k, v, a: chunk_simple_gla(q, k, v, a[..., 0, 0].log(), scale=1.0)[0]
    from fla.ops.gla import chunk_gla

    return lambda q, k, v, a: chunk_gla(q, k, v, a[..., 0].log(), scale=1.0)[0]


def fla_delta_rule(case: Case) -> Function:
    from fla.ops.gated_delta_rule import chunk_gated_delta_rule

    return lambda q, k, v, beta, a: chunk_gated_delta_rule(q, k, v, a.log(), beta, scale=1.0)[0]


# ------------------------------------------------------------------------------------- attention


def sdpa(backend: str, case: Case) -> Function:
    from torch.nn.attention import SDPBackend, sdpa_kernel

    chosen = getattr(SDPBackend, backend)

    def run(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        with sdpa_kernel([chosen]):
            band = options_of(case).get("band")
            if band is None:
                return F.scaled_dot_product_attention(q, k, v, is_causal=True)
            place = torch.arange(q.shape[-2], device=q.device)
            ahead = place[:, None] - place
            seen = (ahead >= 0) & (ahead < band)
            return F.scaled_dot_product_attention(q, k, v, attn_mask=seen)

    return run


def flex_attention(case: Case) -> Function:
    from torch.nn.attention import flex_attention as flex

    band = options_of(case).get("band")

    def seen(batch: Any, head: Any, i: Any, j: Any) -> Any:
        return (i >= j) if band is None else (i >= j) & (i - j < band)

    length, device = case.inputs[0].shape[-2], case.inputs[0].device
    mask = flex.create_block_mask(seen, None, None, length, length, device=str(device))
    run = torch.compile(flex.flex_attention, dynamic=False)
    return lambda q, k, v: run(q, k, v, block_mask=mask)


# ------------------------------------------------------------------------------ rows and products


def liger(name: str, case: Case) -> Function:
    import liger_kernel.ops.softmax as ops

    return ops.LigerSoftmaxFunction.apply


def grouped_mm(case: Case) -> Function:
    chosen = options_of(case)["chosen"]
    multiply = getattr(F, "grouped_mm", None) or torch._grouped_mm

    def run(x: Tensor, weights: Tensor, w_in: Tensor, w_out: Tensor) -> Tensor:
        slots = chosen.shape[-1]
        order = chosen.reshape(-1).argsort(stable=True)
        ends = torch.bincount(chosen.reshape(-1), minlength=len(w_in)).cumsum(0).int()
        hidden = F.silu(multiply(x[order // slots], w_in, offs=ends))
        share = weights.reshape(-1)[order].unsqueeze(-1)
        out = x.new_zeros(len(x), w_out.shape[-1])
        return out.index_add(0, order // slots, share * multiply(hidden, w_out, offs=ends))

    return run


def embedding_bag(case: Case) -> Function:
    places = options_of(case)["places"]
    return lambda w, v: F.embedding_bag(places, v, per_sample_weights=w, mode="sum")


def of_arrays(function: Callable[..., Any]) -> Function:
    return lambda *given: torch.from_numpy(function(*(each.numpy() for each in given)))


def scipy_fftconvolve(case: Case) -> Function:
    from scipy.signal import fftconvolve

    return of_arrays(lambda x, h: fftconvolve(x, h[None], axes=-1)[..., : x.shape[-1]])


def scipy_separable(case: Case) -> Function:
    from scipy.ndimage import correlate1d

    def run(x: Any, g: Any) -> Any:
        return correlate1d(correlate1d(x, g, 2, mode="constant"), g, 3, mode="constant")

    return of_arrays(run)


# ------------------------------------------------------------------------------------- particles


def numba_nbody(case: Case) -> Function:
    import numba
    import numpy as np

    @numba.njit(fastmath=True)
    def pull(x: Any, m: Any, out: Any) -> None:
        for i in range(len(m)):
            a, b, c = np.float32(0), np.float32(0), np.float32(0)
            for j in range(len(m)):
                u, v, w = x[0, j] - x[0, i], x[1, j] - x[1, i], x[2, j] - x[2, i]
                square = u * u + v * v + w * w + np.float32(1e-2)
                weight = m[j] / (square * np.sqrt(square))
                a += weight * u
                b += weight * v
                c += weight * w
            out[0, i], out[1, i], out[2, i] = a, b, c

    def run(x: Tensor, m: Tensor) -> Tensor:
        planes = x.T.contiguous()
        out = torch.empty_like(planes)
        pull(planes.numpy(), m.numpy(), out.numpy())
        return out.T

    return run


def keops_nbody(case: Case) -> Function:
    from pykeops.torch import LazyTensor

    def run(x: Tensor, m: Tensor) -> Tensor:
        away = LazyTensor(x[None]) - LazyTensor(x[:, None])
        square = (away**2).sum(-1) + 1e-2
        return (LazyTensor(m[None, :, None]) * square ** (-1.5) * away).sum(1)

    return run


def distances(case: Case) -> Function:
    return lambda x: torch.exp(-(torch.cdist(x, x) ** 2)).sum(1)


PEERS: dict[str, list[Peer]] = {
    "linear_scan": [
        Peer("scipy lfilter", scipy_lfilter, trains=False),
        Peer("numba", numba_linear_scan, trains=False),
        Peer("torch associative_scan", torch_associative_scan),
        Peer("mambapy pscan", mambapy_linear_scan),
        Peer("accelerated-scan", accelerated_scan),
    ],
    "selective_scan": [
        Peer("mambapy pscan", mambapy_selective_scan),
        Peer("numba", numba_selective_scan, trains=False),
        Peer("mamba-ssm", mamba_ssm),
    ],
    "linear_attention": [Peer("flash-linear-attention", fla_linear_attention)],
    "delta_rule": [Peer("flash-linear-attention", fla_delta_rule)],
    "online_softmax": [
        Peer("torch.softmax", lambda case: lambda x: torch.softmax(x, -1)),
        Peer("liger", functools.partial(liger, "softmax")),
    ],
    "logsumexp": [Peer("torch.logsumexp", lambda case: lambda x: torch.logsumexp(x, -1))],
    "welford": [Peer("torch.var", lambda case: lambda x: torch.var(x, -1, correction=0))],
    "streaming_topk": [Peer("torch.topk", lambda case: lambda x: torch.topk(x, 32).values, False)],
    "streaming_topk_chunks": [
        Peer("torch.topk", lambda case: lambda x: torch.topk(x, 32).values, False)
    ],
    "flash_attention": [
        *(
            Peer(f"SDPA {name.lower()}", functools.partial(sdpa, name))
            for name in ("FLASH_ATTENTION", "EFFICIENT_ATTENTION", "CUDNN_ATTENTION", "MATH")
        ),
        Peer("FlexAttention", flex_attention),
    ],
    "local_attention": [
        *(
            Peer(f"SDPA {name.lower()}", functools.partial(sdpa, name))
            for name in ("FLASH_ATTENTION", "EFFICIENT_ATTENTION", "MATH")
        ),
        Peer("FlexAttention", flex_attention),
    ],
    "moe": [Peer("grouped_mm", grouped_mm)],
    "routed_experts": [Peer("grouped_mm", grouped_mm)],
    "gather_matmul": [Peer("embedding_bag", embedding_bag)],
    "fft_conv": [Peer("scipy fftconvolve", scipy_fftconvolve, trains=False)],
    "separable_conv2d": [Peer("scipy correlate1d", scipy_separable, trains=False)],
    "nbody": [Peer("numba", numba_nbody, trains=False), Peer("KeOps", keops_nbody)],
    "barnes_hut": [Peer("numba, all pairs", numba_nbody, trains=False)],
    "pairwise_reduce": [Peer("torch.cdist", distances)],
}
"""By family; for the others the eager code and torch.compile of it are all there is."""
