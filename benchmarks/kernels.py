"""Each kernel against the eager code it replaces, side by side on this machine.

    python -m benchmarks.kernels [--family F] [--device cuda|cpu] [--quick] [--output FILE.json]

Kernel and eager code take turns and the median of each is kept, for the forward pass alone and
for forward and backward together. Errors are the largest difference from the same computation in
float64, relative to its largest value, for both. Inputs come from a fixed seed. The JSON holds
every number with the card or CPU, the versions, the date and the commit.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from auditor.kernels import native
from torch import Tensor

from auditor import kernels


@dataclass(frozen=True)
class Case:
    """One kernel on inputs of one size, and the code that it replaces."""

    family: str
    name: str
    kernel: Callable[..., Tensor]
    eager: Callable[..., Tensor]
    inputs: tuple[Tensor, ...]
    trains: bool = True


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


def eager_topk(x: Tensor) -> Tensor:
    return torch.sort(x, -1, descending=True).values[..., :32]


def cases(device: str, quick: bool) -> Iterator[Case]:
    """The cases of every family, those of a quick run first."""
    torch.manual_seed(0)
    on_gpu = device == "cuda"
    half = torch.bfloat16 if on_gpu else torch.float32

    def normal(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return torch.randn(*shape, device=device).to(dtype)

    def gates(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return (torch.rand(*shape, device=device) * 0.2 + 0.79).to(dtype)

    scans = [(4, 512, 256), (64, 512, 4)] if quick else [(4, 2048, 256), (8, 2048, 2048)]
    for shape in scans:
        yield Case(
            "linear_scan",
            f"{shape} float32",
            lambda a, b: kernels.linear_scan(a, b, dim=1),
            eager_linear_scan,
            (gates(*shape), normal(*shape)),
        )
    length = 2000 if quick else 10000
    yield Case(
        "linear_scan",
        f"discounted sum of {length}",
        lambda b: kernels.linear_scan(0.99, b, dim=0, reverse=True),
        eager_discounted_sum,
        (normal(length),),
    )
    for shape in [(4, 512, 32)] if quick else [(4, 512, 32), (4, 2048, 32), (1, 20000, 1)]:
        for name, kernel, eager in (
            ("bucket", bucket, eager_bucket),
            ("second-order filter", resonator, eager_resonator),
        ):
            inputs = (normal(*shape) * 0.3,)
            yield Case("associative_scan", f"{name} {shape} float32", kernel, eager, inputs)
    if quick:
        sizes = [(1, 512, 128, 16)]
    else:
        sizes = [(1, 1024, 256, 16), (4, 512, 128, 16), (1, 2048, 64, 16), (2, 1024, 256, 16)]
        sizes += [(1, 2048, 2048, 16)] + ([] if on_gpu else [(1, 4096, 64, 16)])
    for batch, length, channels, states in sizes:
        yield Case(
            "selective_scan",
            f"{(batch, length, channels, states)} float32",
            kernels.selective_scan,
            eager_selective_scan,
            (
                normal(batch, length, channels),
                torch.rand(batch, length, channels, device=device) * 0.1,
                -torch.rand(channels, states, device=device) * 8,
                normal(batch, length, states),
                normal(batch, length, states),
            ),
        )
    for size in [(1, 512, 4, 64)] if quick else [(1, 2048, 4, 64), (4, 1024, 8, 64)]:
        batch, length, heads, width = size
        for name, channels in (("by head", 1), ("by channel", width)):
            yield Case(
                "linear_attention",
                f"{size} decays {name} float32",
                lambda q, k, v, decay: kernels.linear_attention(q, k, v, decay=decay),
                eager_linear_attention,
                (
                    normal(*size) * width**-0.5,
                    normal(*size),
                    normal(*size),
                    gates(batch, length, heads, channels, 1),
                ),
            )
        yield Case(
            "delta_rule",
            f"{size} float32",
            lambda q, k, v, beta, decay: kernels.delta_rule(q, k, v, beta, decay=decay),
            eager_delta_rule,
            (
                normal(*size) * width**-0.5,
                torch.nn.functional.normalize(normal(*size), dim=-1),
                normal(*size),
                torch.rand(size[:-1], device=device),
                gates(*size[:-1]),
            ),
        )
    many, long = ((256, 1024), (2, 65536)) if quick else ((4096, 4096), (8, 1 << 20))
    for shape in (many, long):
        for family, kernel, eager in (
            ("online_softmax", kernels.online_softmax, eager_softmax),
            ("logsumexp", kernels.logsumexp, eager_logsumexp),
            ("welford", variance, eager_moments),
        ):
            yield Case(
                family,
                f"{shape} {half}",
                lambda x, kernel=kernel: kernel(x, -1),
                eager,
                (normal(*shape, dtype=half),),
            )
    batch, heads, length, width = (1, 4, 512, 64) if quick else (2, 8, 2048, 64)
    yield Case(
        "flash_attention",
        f"causal {(batch, heads, length, width)} {half}",
        lambda q, k, v: kernels.flash_attention(q, k, v, is_causal=True),
        eager_attention,
        tuple(normal(batch, heads, length, width, dtype=half) for _ in range(3)),
    )
    width_of_band = length // 16
    yield Case(
        "local_attention",
        f"window {width_of_band} of {(batch, heads, length, width)} {half}",
        lambda q, k, v: kernels.local_attention(q, k, v, window=(width_of_band - 1, 0)),
        lambda q, k, v: eager_banded_attention(q, k, v, width_of_band),
        tuple(normal(batch, heads, length, width, dtype=half) for _ in range(3)),
    )
    tokens, experts, width_of_expert = (256, 8, 64) if quick else (4096, 32, 512)
    chosen = torch.rand(tokens, experts, device=device).topk(2).indices
    yield Case(
        "moe",
        f"2 of {experts} experts for {tokens} tokens {half}",
        lambda x, *rest: kernels.moe(x, chosen, *rest),
        lambda x, *rest: eager_experts(x, chosen, *rest),
        (
            normal(tokens, width_of_expert, dtype=half),
            torch.rand(tokens, 2, device=device).to(half),
            normal(experts, width_of_expert, 2 * width_of_expert, dtype=half) * 0.1,
            normal(experts, 2 * width_of_expert, width_of_expert, dtype=half) * 0.1,
        ),
    )
    shape = (4, 2048) if quick else (16, 16384)
    yield Case(
        "fft_conv",
        f"a filter as long as the rows {shape} float32",
        kernels.fft_conv,
        eager_convolution,
        (normal(*shape), normal(shape[-1])),
    )
    side, size = (64, 15) if quick else (256, 21)
    yield Case(
        "separable_conv2d",
        f"{size} x {size} on {(4, 3, side, side)} float32",
        lambda x, g: kernels.separable_conv2d(x, g, g, padding=len(g) // 2),
        eager_filter,
        (normal(4, 3, side, side), normal(size)),
    )
    count = 1000 if quick else 4096 if device == "cpu" else 20000
    yield Case(
        "nbody",
        f"{count} particles float32",
        lambda x, m: kernels.nbody(x, m, softening=0.1),
        eager_nbody,
        (normal(count, 3), torch.rand(count, device=device)),
    )
    rows, columns, width = (256, 200, 16) if quick else (2048, 1024, 64)
    yield Case(
        "squared_distances",
        f"{rows} rows and {columns} of {width} float32",
        kernels.squared_distances,
        eager_distances,
        (normal(rows, 1, width), normal(columns, width)),
    )
    yield Case(
        "pairwise_reduce",
        "Gaussians of 50 points float32",
        gaussians,
        eager_gaussians,
        (normal(50, 3),),
    )
    shape = (64, 16384) if quick else (256, 131072)
    yield Case(
        "streaming_topk",
        f"32 of {shape}",
        lambda x: kernels.streaming_topk(x, 32)[0],
        eager_topk,
        (normal(*shape),),
        trains=False,
    )


def eager_distances(x: Tensor, y: Tensor) -> Tensor:
    return ((x - y) ** 2).sum(-1)


def finish(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def timed(run: Callable[[], Any], device: str) -> float:
    """Seconds of one call, the device idle before and after."""
    finish(device)
    start = time.perf_counter()
    run()
    finish(device)
    return time.perf_counter() - start


def interleaved(
    kernel: Callable[[], Any], eager: Callable[[], Any], device: str, seconds: float
) -> tuple[float, float, int]:
    """Median milliseconds of both, taking turns for about `seconds`, at least three times."""
    kernel(), eager()  # compilation and caches
    taken: list[tuple[float, float]] = []
    stop = time.perf_counter() + seconds
    while len(taken) < 3 or (time.perf_counter() < stop and len(taken) < 100):
        taken.append((timed(kernel, device), timed(eager, device)))
    first, second = (statistics.median(each) * 1e3 for each in zip(*taken, strict=True))
    return first, second, len(taken)


def relative_error(actual: Tensor, exact: Tensor) -> float:
    scale = exact.abs().max().clamp_min(torch.finfo(torch.float64).tiny)
    return float((actual.double() - exact).abs().max() / scale)


def measure(case: Case, device: str, seconds: float) -> dict[str, Any]:
    row: dict[str, Any] = {"family": case.family, "case": case.name}
    with torch.no_grad():
        exact = case.eager(*(each.double() for each in case.inputs))
        row["kernel_error"] = relative_error(case.kernel(*case.inputs), exact)
        row["eager_error"] = relative_error(case.eager(*case.inputs), exact)
        del exact
        kernel_ms, eager_ms, runs = interleaved(
            lambda: case.kernel(*case.inputs), lambda: case.eager(*case.inputs), device, seconds
        )
    row["forward"] = {"kernel_ms": kernel_ms, "eager_ms": eager_ms, "runs": runs}
    row["forward"]["ratio"] = eager_ms / kernel_ms
    if not case.trains:
        return row
    leaves = [each.detach().requires_grad_() for each in case.inputs]

    def train(function: Callable[..., Tensor]) -> None:
        torch.autograd.grad(function(*leaves).sum(), leaves)

    kernel_ms, eager_ms, runs = interleaved(
        lambda: train(case.kernel), lambda: train(case.eager), device, seconds
    )
    row["training"] = {"kernel_ms": kernel_ms, "eager_ms": eager_ms, "runs": runs}
    row["training"]["ratio"] = eager_ms / kernel_ms
    return row


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def commit() -> str | None:
    done = subprocess.run(
        ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or None


def provenance(device: str) -> dict[str, Any]:
    versions = {"python": platform.python_version(), "torch": torch.__version__}
    try:
        import triton

        versions["triton"] = triton.__version__
    except ImportError:
        versions["triton"] = None
    return {
        "device": torch.cuda.get_device_name() if device == "cuda" else processor(),
        "threads": torch.get_num_threads(),
        # which of the C kernels' instruction sets runs on the CPU; null without them
        "compiled": native.LEVEL if native.LIBRARY else None,
        "cores": os.cpu_count(),
        "load_before": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "versions": versions,
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "commit": commit(),
        "command": " ".join(["python -m benchmarks.kernels", *sys.argv[1:]]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--family", help="only this kernel")
    parser.add_argument("--device", choices=["cpu", "cuda"], help="default: cuda if there is one")
    parser.add_argument("--quick", action="store_true", help="small sizes, half a second a case")
    parser.add_argument("--output", type=Path, help="write the results as JSON")
    options = parser.parse_args()
    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    result = {"provenance": provenance(device), "results": []}
    for case in cases(device, options.quick):
        if options.family not in (None, case.family):
            continue
        row = measure(case, device, 0.5 if options.quick else 3.0)
        result["results"].append(row)
        times = "  ".join(
            f"{phase} {row[phase]['kernel_ms']:.3f} ms, eager {row[phase]['eager_ms']:.3f} ms, "
            f"{row[phase]['ratio']:.1f}x"
            for phase in ("forward", "training")
            if phase in row
        )
        print(
            f"{row['family']} {row['case']}: {times}; error {row['kernel_error']:.1e}, "
            f"eager {row['eager_error']:.1e}",
            flush=True,
        )
    if options.output:
        options.output.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
