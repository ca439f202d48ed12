"""What the kernels cost: the sum over operations that each is made of, from its arguments' shapes.

Bytes are what it moves to and from memory, launches what it starts on a CPU; both follow from how
``auditor.kernels`` computes it.
"""

from __future__ import annotations

from dataclasses import replace

from auditor.cost.work import Work
from auditor.lift import extents
from auditor.notation import ONE, ZERO, Const, Term

Shape = tuple[Term, ...]

# For each element of the largest argument on a CPU: launches in all, times it is moved, operations,
# special functions; scans as they run in C. As measured with benchmarks/kernels.py on two cores.
_STREAMS: dict[str, tuple[int, int, int, int]] = {
    "linear_scan": (12, 4, 4, 0),
    "associative_scan": (250, 6, 8, 0),
    "reduce": (40, 6, 12, 0),
    "online_softmax": (3, 2, 1, 1),
    "logsumexp": (3, 1, 1, 1),
    "welford": (10, 3, 2, 0),
    "streaming_topk": (4, 1, 2, 0),
    "constant_product": (2, 0, 0, 0),
    "fft_conv": (10, 20, 200, 0),
    "separable_conv2d": (6, 8, 30, 0),
    "gather_matmul": (6, 4, 20, 0),
    "routed_experts": (100, 6, 20, 0),
    "moe": (40, 6, 4, 0),
}
_PLAIN_STEPS = 16
"""Up to so many steps a scan runs the plain loop on a CPU."""
# On a GPU each reads its arguments and writes its result once. What Python does for a call, in
# launches of 10 microseconds, as benchmarks/results/kernels-gpu-scans.json has it at sizes where
# nothing else takes time; what was not measured starts a kernel or two.
_GPU_LAUNCHES = {
    "linear_scan": 40,
    "selective_scan": 70,
    "linear_attention": 110,
    "reduce": 175,
    "associative_scan": 200,
    "delta_rule": 325,
}
_NUMPY_CALLS = {
    "linear_scan": 100,
    "associative_scan": 300,
    "per_step": 12,
    "online_softmax": 12,
    "logsumexp": 12,
}
"""What Python does for a call with arrays of NumPy, which stay on the CPU, in calls of NumPy."""
_LAUNCHES, _PASSES = 3, 3
_FEW_ENTRIES = 512
"""Of fewer `welford` leaves the variance to torch, which takes one number at a time on a CPU."""
_DIFFERENCES = 1 << 23
"""Up to so many, where their number is stated, are in memory at once on a GPU."""
_ALL_PAIRS = 1 << 18
"""Up to so many particles, and where their number is not stated, `barnes_hut` sums up all pairs on
a GPU."""


def kernel_work(
    name: str,
    device: str,
    times: Term,
    shapes: list[Shape],
    numbers: list[Term],
    width: Term,
    library: str = "torch",
) -> Work:
    """The work of one call; ``shapes`` of its array arguments and its whole ``numbers``, in
    order; ``library`` is whose arrays these are."""
    if library == "numpy" and name in _NUMPY_CALLS:
        work = _on_cpu(name, times, shapes, numbers, width)
        return replace(work, launches=ZERO, calls=Const(_NUMPY_CALLS[name]))
    if device == "cpu":
        return _on_cpu(name, times, shapes, numbers, width)
    if name == "barnes_hut" and shapes:
        count = extents.constant(shapes[0][0]) if shapes[0] else None
        name = "nbody" if count is None or count <= _ALL_PAIRS else name
    work = _on_cpu(name, times, shapes, numbers, width)
    moved = extents.mul(width, Const(_PASSES), _largest(shapes))
    if name == "squared_distances" and len(shapes) >= 2:
        wide = _wide(shapes[0], shapes[1])
        count = extents.constant(extents.mul(*wide))
        if count is None or count > _DIFFERENCES:
            return work  # tile by tile, as on a CPU
        moved = extents.mul(width, Const(2 * _PASSES), *wide)
    fewer = min(_LAUNCHES, extents.constant(work.launches) or 0)
    return replace(work, launches=Const(_GPU_LAUNCHES.get(name, fewer)), bytes=moved)


def _on_cpu(name: str, times: Term, shapes: list[Shape], numbers: list[Term], width: Term) -> Work:
    sizes = [extents.mul(*shape) for shape in shapes]
    moved = extents.mul(width, extents.add(*sizes)) if sizes else ZERO
    if name in ("flash_attention", "local_attention") and len(shapes) >= 2:
        sides = shapes[3] if len(shapes) > 3 else tuple(numbers[:1])
        window = extents.add(*sides) if name == "local_attention" and sides else None
        return _attention(times, shapes, window, moved)
    if name == "selective_scan" and len(shapes) >= 3:
        return _selective(times, shapes, moved)
    if name in ("linear_attention", "delta_rule") and len(shapes) >= 3:
        return _chunks(times, shapes, moved)
    if name in ("nbody", "pairwise_reduce") and shapes:
        return _pairs(times, shapes[0], moved)
    if name == "squared_distances" and len(shapes) >= 2:
        return _distances(times, shapes[0], shapes[1], moved, width)
    if name == "barnes_hut" and shapes:
        return _tree(times, shapes[0], moved)
    launches, passes, operations, specials = _STREAMS.get(name, (20, 4, 8, 0))
    largest = _largest(shapes)
    entries = extents.constant(largest)
    if name == "welford" and entries is not None and entries < _FEW_ENTRIES:
        launches, passes, operations = 2, 1, 14
    steps = _steps(shapes, numbers) if name == "linear_scan" else None
    if steps is not None and steps <= _PLAIN_STEPS:
        launches, passes = 3 * steps + 2, 8  # a product, a sum and a place in the stack
    return Work(
        times,
        launches=Const(launches),
        bytes=extents.mul(width, Const(passes), largest),
        operations=extents.mul(Const(operations), largest),
        specials=extents.mul(Const(specials), largest),
    )


def _steps(shapes: list[Shape], numbers: list[Term]) -> int | None:
    """How many steps a scan takes, where that is stated; its axis is the last number given."""
    axis = extents.constant(numbers[-1]) if numbers else None
    longest = max(shapes, key=len, default=())
    if axis is None or not -len(longest) <= axis < len(longest):
        return None
    return extents.constant(longest[axis])


def _largest(shapes: list[Shape]) -> Term:
    """The size of the argument of most axes."""
    return extents.mul(*max(shapes, key=len)) if shapes else ONE


def _attention(times: Term, shapes: list[Shape], window: Term | None, moved: Term) -> Work:
    """Two products over all pairs of places, or those of blocks of twice the window, whose scores
    stay on the chip."""
    query, key = shapes[0], shapes[1]
    reached = extents.mul(Const(2), window) if window is not None else key[-2] if key[1:] else ONE
    pairs = extents.mul(*query[:-1], reached)
    products = extents.mul(Const(2), pairs, query[-1]) if query else pairs
    return Work(times, launches=Const(6), bytes=moved, specials=pairs, products=products)


def _selective(times: Term, shapes: list[Shape], moved: Term) -> Work:
    """Every channel's states at every step, of which none is written out, in C."""
    states = extents.mul(*shapes[0], shapes[2][-1])
    return Work(times, launches=Const(30), bytes=moved, operations=extents.mul(Const(2), states))


def _chunks(times: Term, shapes: list[Shape], moved: Term) -> Work:
    """Products within chunks of 64 steps, and with the state between them."""
    query, value = extents.mul(*shapes[0]), shapes[2][-1]
    products = extents.add(extents.mul(Const(2), query, value), extents.mul(Const(128), query))
    return Work(
        times, launches=Const(100), bytes=extents.mul(Const(8), moved),
        operations=extents.mul(Const(16), query), products=products,
    )  # fmt: skip


def _pairs(times: Term, points: Shape, moved: Term) -> Work:
    """Every pair of points, coordinate by coordinate, tile by tile."""
    count = points[0] if points else ONE
    pairs = extents.mul(count, count)
    width = points[1] if len(points) > 1 else ONE
    return Work(
        times,
        launches=Const(200),
        bytes=moved,
        operations=extents.mul(Const(8), pairs, width),
        specials=extents.mul(Const(2), pairs),
    )


def _distances(times: Term, left: Shape, right: Shape, moved: Term, width: Term) -> Work:
    """Every difference of two rows, of which only the sums are written."""
    wide = _wide(left, right)
    written = extents.mul(width, *wide[:-1])
    return Work(
        times,
        launches=Const(12),
        bytes=extents.add(moved, written),
        operations=extents.mul(Const(3), *wide),
    )


def _wide(left: Shape, right: Shape) -> Shape:
    """What two shapes broadcast to."""
    count = max(len(left), len(right))
    pairs = zip(*((ONE,) * (count - len(each)) + each for each in (left, right)), strict=True)
    return tuple(b if a is ONE else a for a, b in pairs)


def _tree(times: Term, points: Shape, moved: Term) -> Work:
    """Each point meets some two thousand others and boxes, however many there are: as counted by
    benchmarks/barnes_hut.py between 10 thousand and a million, where its logarithm hardly moves."""
    count = points[0] if points else ONE
    met = extents.mul(Const(2000), count)
    return Work(
        times,
        launches=Const(2000),
        bytes=extents.mul(Const(50), moved),
        operations=extents.mul(Const(60), met),
        specials=met,
    )
