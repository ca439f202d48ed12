"""The eager code that the kernels replace, and the kernels' calls as the rewrites write them, for
`kernel_cases.py`."""

from __future__ import annotations

import torch
from torch import Tensor

from auditor import kernels


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


def eager_modules(
    x: Tensor, indices: Tensor, weights: Tensor, w_in: Tensor, w_out: Tensor
) -> Tensor:
    """Experts that are functions, all on every token, times a gate that is zero for most."""
    out = torch.zeros_like(x)
    for number, (first, last) in enumerate(zip(w_in, w_out, strict=True)):
        share = (weights * (indices == number)).sum(-1, keepdim=True)
        out = out + share * (torch.nn.functional.silu(x @ first) @ last)
    return out


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
