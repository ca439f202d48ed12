"""One run of code on one set of inputs, and its time and memory. Runs in the worker process."""

from __future__ import annotations

import contextlib
import copy
import ctypes
import gc
import inspect
import signal
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.verify.compare import Outcome, is_module, leaves
from auditor.verify.holding import Holds
from auditor.verify.values import Case, Precision, converted, seed_all, tensors

Function = Callable[[Any], Callable[..., Any]]
"""From the holder of a case (or None) to what is called."""

LEAST_RUNS, MOST_RUNS = 5, 25
RUN_SECONDS = 2.0
"""How long one side is timed, as long as it has its fewest runs."""
SLOW_SECONDS = 30.0
"""After which one run of each side has to do."""


class Interrupted(BaseException):
    """A run was stopped because it took too long. Not an Exception, lest user code catch it."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Stop what runs here after a while, as soon as Python code is reached again."""

    def stop(_: int, __: Any) -> None:
        raise Interrupted(f"no result after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def copied(case: Case, side: str) -> tuple[list[Any], dict[str, Any], Any]:
    """Inputs that a run may change, with the aliases among them kept."""
    holder = case.holder if side == "before" else case.twin
    args, kwargs, holder = copy.deepcopy((case.args, case.kwargs, holder))
    return args, kwargs, holder


def run(
    function: Function,
    case: Case,
    side: str,
    precision: Precision | None = None,
    gradients: bool = False,
) -> Outcome:
    """Call a function on fresh copies of the inputs of a case."""
    args, kwargs, holder = copied(case, side)
    if precision is not None:
        args, kwargs = converted(args, precision), converted(kwargs, precision)
        holder = converted(holder, precision) if holder is not None else None
    roots: list[tuple[str, Any]] = []
    if gradients:
        args, kwargs = _as_roots(args, roots, case.names), _as_roots(kwargs, roots, ())
        roots += _parameters(holder)
    seed_all()
    with _in_double() if precision == "float64" else contextlib.nullcontext():
        result = function(holder)(*args, **kwargs)
        if inspect.isgenerator(result):
            result = list(result)
    found = _gradients(result, roots) if gradients else {}
    state = holder if holder is not None else None
    return Outcome(result, [args, kwargs, state], found)


def _as_roots(value: Any, roots: list[tuple[str, Any]], names: tuple[str, ...]) -> Any:
    """The structure with every floating tensor depending on a root that collects its gradient.
    The code sees no leaf, so that it may still write in place."""
    import torch

    made: dict[int, Any] = {}
    keyed = dict(zip(names, value, strict=False)) if isinstance(value, list) else value
    for path, tensor in tensors(keyed, ""):
        if id(tensor) not in made:
            root = tensor.detach().requires_grad_()
            roots.append((path.strip("[]'"), root))
            made[id(tensor)] = torch.clone(root)

    def change(item: Any) -> Any:
        if id(item) in made:
            return made[id(item)]
        if isinstance(item, dict):
            return {key: change(part) for key, part in item.items()}
        if type(item) in (list, tuple):
            return type(item)(change(part) for part in item)
        return item

    return change(value)


def _parameters(holder: Any) -> list[tuple[str, Any]]:
    if not is_module(holder):
        return []
    return [(f"self.{name}", p) for name, p in holder.named_parameters() if p.requires_grad]


def _gradients(result: Any, roots: list[tuple[str, Any]]) -> dict[str, Any]:
    """Gradients of a random projection of all floating results."""
    import torch

    total: Any = None
    for place, (_, value) in enumerate(leaves(result)):
        if not isinstance(value, torch.Tensor) or not value.requires_grad:
            continue
        rng = np.random.default_rng([7, place])
        weights = torch.as_tensor(rng.standard_normal(tuple(value.shape))).to(value.device)
        part = value.real if value.is_complex() else value
        if value.is_complex():
            part = part + 0.5 * value.imag
        part = (part * weights.to(part.dtype)).sum()
        total = part if total is None else total + part
    if total is None:
        return {}
    values = torch.autograd.grad(total, [root for _, root in roots], allow_unused=True)
    return {name: value for (name, _), value in zip(roots, values, strict=True)}


@contextlib.contextmanager
def _in_double() -> Iterator[None]:
    """Torch code runs in double precision, also where it names a narrower type."""
    if "torch" not in sys.modules:
        yield
        return
    import torch
    from torch.overrides import TorchFunctionMode

    narrow = (torch.float32, torch.float16, torch.bfloat16)
    renamed = {
        torch.Tensor.float: torch.Tensor.double,
        torch.Tensor.half: torch.Tensor.double,
        torch.Tensor.bfloat16: torch.Tensor.double,
    }

    def widened(value: Any) -> Any:
        if isinstance(value, torch.dtype):
            if value in narrow:
                return torch.float64
            return torch.complex128 if value == torch.complex64 else value
        return value

    class Doubles(TorchFunctionMode):
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            named = {key: widened(value) for key, value in (kwargs or {}).items()}
            return renamed.get(func, func)(*map(widened, args), **named)

    default = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with Doubles():
            yield
    finally:
        torch.set_default_dtype(default)


def reaches(
    action: Callable[[], Any], path: str, first: int, last: int, holds: Holds
) -> tuple[Any, bool | None]:
    """The result of ``action``, and whether it executed one of the lines of a file; None where it
    did while something did not hold."""
    seen: bool | None = False

    def local(frame: Any, event: str, _: Any) -> Any:
        nonlocal seen
        if seen is False and event == "line" and first <= frame.f_lineno <= last:
            seen = True if holds(frame) else None
        return local if seen is False else None

    def watch(frame: Any, event: str, _: Any) -> Any:
        return local if frame.f_code.co_filename == path and seen is False else None

    sys.settrace(watch)
    try:
        return action(), seen
    finally:
        sys.settrace(None)


def changes_inputs(case: Case, outcome: Outcome) -> bool:
    """Whether a run wrote to its inputs."""
    before = [case.args, case.kwargs, case.holder]
    for (_, a), (_, b) in zip(leaves(before), leaves(outcome.inputs), strict=False):
        if hasattr(a, "shape") and not np.array_equal(_numpy(a), _numpy(b), equal_nan=True):
            return True
    return False


def _numpy(value: Any) -> Any:
    from auditor.verify.compare import widened

    return widened(value)


# -- time and memory


@dataclass(frozen=True)
class Timing:
    """Medians in seconds of runs that alternated between the two sides."""

    before: float
    after: float
    runs: int


def on_gpu(case: Case) -> bool:
    return any(
        str(getattr(value, "device", "")).startswith("cuda")
        for _, value in leaves([case.args, case.kwargs])
    )


def once(function: Function, case: Case, side: str, fresh: bool = True) -> float:
    """Seconds for one call."""
    args, kwargs, holder = copied(case, side) if fresh else _shared(case, side)
    call, synchronise = function(holder), _synchronise(case)
    synchronise()
    start = time.perf_counter()
    result = call(*args, **kwargs)
    if inspect.isgenerator(result):
        result = list(result)
    synchronise()
    return time.perf_counter() - start


def _shared(case: Case, side: str) -> tuple[list[Any], dict[str, Any], Any]:
    return case.args, case.kwargs, case.holder if side == "before" else case.twin


def _synchronise(case: Case) -> Callable[[], None]:
    if on_gpu(case):
        import torch

        return torch.cuda.synchronize
    return lambda: None


def timing(before: Function, after: Function, case: Case, fresh: bool) -> Timing:
    """Interleaved medians after a warm-up; ``fresh`` copies the inputs for every run."""
    sides = (("before", before), ("after", after))
    for _ in range(2):
        warm = {side: once(function, case, side, fresh) for side, function in sides}
        if sum(warm.values()) > RUN_SECONDS:
            break
    seconds: dict[str, list[float]] = {"before": [], "after": []}
    start = time.perf_counter()
    gc_was_on = gc.isenabled()
    gc.disable()
    try:
        while len(seconds["before"]) < MOST_RUNS:
            spent, runs = time.perf_counter() - start, len(seconds["before"])
            if runs and spent > (2 * RUN_SECONDS if runs >= LEAST_RUNS else SLOW_SECONDS):
                break
            for side, function in sides:
                seconds[side].append(once(function, case, side, fresh))
    finally:
        if gc_was_on:
            gc.enable()
    medians = {side: statistics.median(values) for side, values in seconds.items()}
    return Timing(medians["before"], medians["after"], len(seconds["before"]))


def memory(function: Function, case: Case, side: str) -> int | None:
    """The most bytes that one call holds beyond its inputs; None where it cannot be measured."""
    args, kwargs, holder = copied(case, side)
    call = function(holder)
    if on_gpu(case):
        import torch

        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        start = torch.cuda.memory_allocated()
        call(*args, **kwargs)
        torch.cuda.synchronize()
        return int(torch.cuda.max_memory_allocated() - start)
    seed_all()
    return _resident(lambda: call(*args, **kwargs))


def _resident(action: Callable[[], Any]) -> int | None:
    """How far the resident memory of this process rises above where it was: the kernel's own
    high-water mark, reset before. Freed blocks go back to the system at once meanwhile."""
    try:
        libc = ctypes.CDLL(None)
        threshold, trim = -3, -1  # M_MMAP_THRESHOLD, M_TRIM_THRESHOLD
        if not (libc.mallopt(threshold, 1 << 16) and libc.mallopt(trim, 1 << 16)):
            return None
        gc.collect()
        libc.malloc_trim(0)
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
        start = _status("VmRSS")
        keep = action()
        peak = _status("VmHWM")
        del keep
        return max(0, peak - start)
    except (OSError, AttributeError):
        return None


def _status(field: str) -> int:
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) * 1024
    raise OSError(f"{field} is not known here")
