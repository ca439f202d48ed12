"""Each kernel beside the code it replaces, that code compiled, and the best of other libraries.

    python -m benchmarks.kernels [--family F] [--device cuda|cpu] [--quick] [--output FILE.json]
                                 [--seconds S] [--limit S]

All take turns on the same inputs, and the median of each is kept, for the forward pass alone and
for forward and backward together. Errors are the largest difference from the eager code in float64,
relative to its largest value. Peak memory is what a forward pass allocates at most beside its
inputs, as torch sees it. The floor is the time in which the device copies as many bytes as inputs
and result have, at that size, or multiplies as often as the kernel has to at the rate of a large
product of matrices, whichever is longer. On a GPU each is also captured as a CUDA graph and its
replays are timed ("card"), which leaves out what Python takes for a call; the floor is compared
with that. What does not run is listed with the reason.

The JSON, written after each case, holds every number with the card or CPU, the versions, the date,
the commit (or what $COMMIT says, in a copy without history) and how busy the machine was.
`python -m benchmarks.kernel_report FILE.json` makes the table and the plots of it.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import importlib.metadata
import json
import os
import platform
import random
import signal
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from auditor.kernels import native
from torch import Tensor

from .kernel_cases import Case, cases
from .kernel_peers import MOST_STEPS, PEERS, NotForThis, Peer, compiled_eager

IDLE = 0.3, 0.05
"""With fewer cores at work than this, in all or of each, before the run a machine is idle."""

WRONG = 1e-2
"""An error from which a peer computes something else (half types have 8 bits)."""

LIBRARIES = [
    "torch", "triton", "numpy", "scipy", "numba", "mambapy", "mamba-ssm", "accelerated-scan",
    "flash-linear-attention", "liger-kernel", "pykeops",
]  # fmt: skip

Run = Callable[[], Any]


class TooLong(BaseException):
    """Not an Exception: compilers catch those."""


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """Ends what takes longer, where the system has such a clock."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, ring)
    # again, should it ring where an exception goes nowhere, as in the end of a weak reference
    signal.setitimer(signal.ITIMER_REAL, seconds, 2.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def finish(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def timed(run: Run, device: str) -> float:
    """Milliseconds of one call, the device idle before and after."""
    finish(device)
    start = time.perf_counter()
    run()
    finish(device)
    return (time.perf_counter() - start) * 1e3


def interleaved(runs: dict[str, Run], device: str, seconds: float) -> tuple[dict[str, float], int]:
    """Median milliseconds of each, taking turns for about `seconds` for each of them, at least
    three times; and how many turns there were. The order is another one in each turn: who comes
    first finds the caches as others left them."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    order, chance, turns = list(runs), random.Random(0), 0
    stop = time.perf_counter() + seconds * len(runs)
    while turns < 3 or (time.perf_counter() < stop and turns < 100):
        chance.shuffle(order)
        for name in order:
            taken[name].append(timed(runs[name], device))
        turns += 1
    return {name: statistics.median(each) for name, each in taken.items()}, turns


def on_the_card(run: Run, seconds: float) -> float | None:
    """Milliseconds that the card takes for what a call launches, without what Python takes: the
    median of replays of it as a CUDA graph. None where it cannot be one."""
    try:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            run()
    except Exception:  # such as a call that waits for the card
        torch.cuda.synchronize()
        return None
    taken: list[float] = []
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    graph.replay()
    stop = time.perf_counter() + seconds
    while len(taken) < 5 or (time.perf_counter() < stop and len(taken) < 100):
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        taken.append(begin.elapsed_time(end))
    return statistics.median(taken)


def relative_error(actual: Tensor, exact: Tensor) -> float:
    scale = exact.abs().max().clamp_min(torch.finfo(torch.float64).tiny)
    return float((actual.double() - exact).abs().max() / scale)


def peak_memory(run: Run, device: str) -> int | None:
    """Bytes that torch holds at most at once during a call, beyond those before it."""
    if device == "cuda":
        finish(device)
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        run()
        finish(device)
        return torch.cuda.max_memory_allocated() - before
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as found:
        run()
    events = [e for e in found.profiler.kineto_results.events() if e.name() == "[memory]"]
    held = peak = 0
    for event in sorted(events, key=lambda e: e.start_ns()):
        held += event.nbytes()
        peak = max(peak, held)
    return peak


# ----------------------------------------------------------------------------------- what runs


def reason(error: BaseException, seconds: float) -> str:
    if isinstance(error, TooLong):
        return f"no result in {seconds:.0f} s"
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:200]


def runnable(
    case: Case, exact: Tensor, limit: float
) -> tuple[dict[str, Peer], dict[str, Callable[..., Tensor]], dict[str, float], dict[str, str]]:
    """By name: peers, their functions, errors, and why others do not run."""
    peers = {
        each.name: each
        for each in [Peer("torch.compile", compiled_eager), *PEERS.get(case.family, [])]
    }
    functions, errors, failed = {}, {}, {}
    for name, peer in peers.items():
        try:
            with within(limit), torch.no_grad(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                function = peer.build(case)
                error = relative_error(function(*case.inputs), exact)
        except NotForThis:
            continue
        except (Exception, TooLong) as problem:
            torch.compiler.reset()
            failed[name] = reason(problem, limit)
            continue
        errors[name] = error
        if error > WRONG:
            failed[name] = f"another result: error {error:.0e}"
        else:
            functions[name] = function
    return peers, functions, errors, failed


def training(function: Callable[..., Tensor], inputs: tuple[Tensor, ...]) -> Run:
    leaves = [each.detach().requires_grad_() for each in inputs]

    def train() -> None:
        torch.autograd.grad(function(*leaves).sum(), leaves)

    return train


def trained(
    case: Case, peers: dict[str, Peer], functions: dict[str, Callable[..., Tensor]], limit: float
) -> tuple[dict[str, Run], dict[str, str]]:
    """What trains, warm, and why the others do not."""
    runs, failed = {}, {}
    for name, function in functions.items():
        if name in peers and not peers[name].trains:
            continue
        run = training(function, case.inputs)
        try:
            with within(limit):
                run()
        except (Exception, TooLong) as problem:
            torch.compiler.reset()
            failed[f"{name}, backward"] = reason(problem, limit)
            continue
        runs[name] = run
    return runs, failed


def ratios(ms: dict[str, float]) -> dict[str, Any]:
    """How many times as long as the kernel takes the eager code does, where that was measured, and
    the best other one."""
    others = {name: t for name, t in ms.items() if name not in ("kernel", "eager", "copy")}
    best = min(others, key=others.__getitem__) if others else None
    return {
        "of_eager": ms["eager"] / ms["kernel"] if "eager" in ms else None,
        "best_other": best,
        "of_best_other": None if best is None else others[best] / ms["kernel"],
    }


def measure(case: Case, device: str, seconds: float, limit: float, rate: float) -> dict[str, Any]:
    """`rate`: operations a millisecond of a large product of matrices."""
    row: dict[str, Any] = {"family": case.family, "case": case.name}
    with torch.no_grad():
        wide = [each.double() if each.is_floating_point() else each for each in case.inputs]
        exact = case.eager(*wide)
        result = case.kernel(*case.inputs)
        peers, functions, errors, failed = runnable(case, exact, limit)
        row["errors"] = {
            "kernel": relative_error(result, exact),
            "eager": relative_error(case.eager(*case.inputs), exact),
            **errors,
        }
        del exact
        functions = {"kernel": case.kernel, "eager": case.eager, **functions}
        moved = sum(each.nbytes for each in (*case.inputs, result))
        source = torch.empty(moved // 2, dtype=torch.uint8, device=device)
        target = torch.empty_like(source)
        runs: dict[str, Run] = {
            name: lambda function=function: function(*case.inputs)
            for name, function in functions.items()
        }
        row["memory"] = {
            name: peak_memory(run, device)
            for name, run in runs.items()
            if name in ("kernel", "eager", "torch.compile")
        }
        runs["copy"] = lambda: target.copy_(source)
        ms, turns = interleaved(runs, device, seconds)
        card = launched(runs, case, seconds / 2) if device == "cuda" else {}
    # the card's own time, where there is one: Python's share is the same for a copy and a kernel
    kernel, copy = (card.get(name, ms[name]) for name in ("kernel", "copy"))
    floor = max(copy, case.operations / rate)
    row["bytes"], row["operations"] = moved, case.operations
    row["forward"] = {"ms": ms, "turns": turns, **ratios(ms)}
    row["forward"] |= {"floor_ms": floor, "of_floor": kernel / floor}
    if card:
        row["card"] = {"ms": card, **(ratios(card) if "kernel" in card else {})}
    if case.trains:
        warm, more = trained(case, peers, functions, limit)
        failed |= more
        if "kernel" in warm:
            ms, turns = interleaved(warm, device, seconds)
            row["training"] = {"ms": ms, "turns": turns, **ratios(ms)}
    row["failed"] = failed
    torch.compiler.reset()
    return row


def launched(runs: dict[str, Run], case: Case, seconds: float) -> dict[str, float]:
    """The card's milliseconds of what can be replayed. Long loops are left out: their time is that
    of thousands of launches."""
    short = {name: run for name, run in runs.items() if name != "eager" or case.steps <= MOST_STEPS}
    found = {name: on_the_card(run, seconds) for name, run in short.items()}
    return {name: ms for name, ms in found.items() if ms is not None}


def multiplication_rate(device: str) -> float:
    """Operations a millisecond of a product of large matrices, of the dtype that models run in."""
    size, dtype = (8192, torch.bfloat16) if device == "cuda" else (1024, torch.float32)
    a, b = (torch.randn(size, size, device=device, dtype=dtype) for _ in range(2))
    a @ b
    return 2 * size**3 / min(timed(lambda: a @ b, device) for _ in range(5))


# --------------------------------------------------------------------------------- provenance


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
    return done.stdout.strip() or os.environ.get("COMMIT")


def version(library: str) -> str | None:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return None


def load() -> float | None:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def at_work(seconds: float = 0.5) -> float | None:
    """Cores that are at work on the machine, on average for so long; without Linux' counts the load
    of the last minute."""
    try:
        before = _ticks()
        time.sleep(seconds)
        spent = [b - a for a, b in zip(before, _ticks(), strict=True)]
    except OSError:
        return load()
    idle, waiting = spent[3:5]
    return (os.cpu_count() or 1) * (1 - (idle + waiting) / max(1, sum(spent)))


def _ticks() -> list[int]:
    """Spent by all cores: user, nice, system, idle, waiting, and interrupts of several kinds."""
    return [int(each) for each in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]


def provenance(device: str) -> dict[str, Any]:
    before, busy = load(), at_work()
    return {
        "device": torch.cuda.get_device_name() if device == "cuda" else processor(),
        "threads": torch.get_num_threads(),
        # which of the C kernels' instruction sets runs on the CPU; null without them
        "compiled": native.LEVEL if native.LIBRARY else None,
        "cores": os.cpu_count(),
        "load_before": before,
        "at_work_before": busy,
        "idle": None if busy is None else busy < max(IDLE[0], IDLE[1] * (os.cpu_count() or 1)),
        "versions": {
            "python": platform.python_version(),
            **{library: version(library) for library in LIBRARIES},
        },
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "commit": commit(),
        "command": " ".join(["python -m benchmarks.kernels", *sys.argv[1:]]),
    }


def shown(row: dict[str, Any]) -> str:
    parts = []
    for phase in ("forward", "training"):
        if phase in row:
            found = row[phase]
            times = ", ".join(f"{name} {ms:.3f}" for name, ms in found["ms"].items())
            parts.append(f"  {phase}: {times} ms")
            if found["of_eager"] is not None:
                parts[-1] += f"; {found['of_eager']:.1f} times as fast as eager"
    parts += [f"  {name}: {why}" for name, why in row["failed"].items()]
    error, eager = row["errors"]["kernel"], row["errors"]["eager"]
    return "\n".join(
        [f"{row['family']} {row['case']}, error {error:.1e}, eager {eager:.1e}", *parts]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--family", help="only this kernel")
    parser.add_argument("--device", choices=["cpu", "cuda"], help="default: cuda if there is one")
    parser.add_argument("--quick", action="store_true", help="small sizes, a second a case")
    parser.add_argument("--output", type=Path, help="write the results as JSON")
    parser.add_argument("--seconds", type=float, help="for each implementation: 1, or 0.2 if quick")
    parser.add_argument("--limit", type=float, help="seconds to get one ready: 300, or 20 if quick")
    options = parser.parse_args()
    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    seconds = options.seconds or (0.2 if options.quick else 1.0)
    limit = options.limit or (20.0 if options.quick else 300.0)
    result: dict[str, Any] = {"provenance": provenance(device), "results": []}
    if not result["provenance"]["idle"]:
        print("the machine is busy: the times are no measurement of the kernels", file=sys.stderr)
    rate = multiplication_rate(device)
    result["provenance"]["operations_per_second"] = rate * 1e3
    for case in cases(device, options.quick):
        if options.family in (None, case.family):
            row = measure(case, device, seconds, limit, rate)
            result["results"].append(row)
            print(shown(row), flush=True)
        result["provenance"]["load_after"] = load()
        if options.output:
            options.output.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
