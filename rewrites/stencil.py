"""Loops over neighbours, as slices.

Finds nests of loops that fill an array with what stands around each place in others: differences,
moving sums and averages, Jacobi steps, blurs, pooling, in one or more dimensions, with bounds that
leave out borders, strides, and windows of a known size in inner loops or slices; sweeps over levels
of time (``u[t + 1, i] = f(u[t, i - 1], ...)``), each of which fills a row from others. Offsets may
be spelled (``for dy, dx in ((0, 1), (1, 0))``), and a step may keep the largest or smallest it
meets, or add only those neighbours that there are (``if 0 <= i + d < n``) or take a zero for the
others (``x[i - 1] if i > 0 else 0.0``): beyond the ends are zeros.

Legal because every cell is written once, at its own place, and is made of arrays that the loops do
not write: the cells may be filled in any order, and ``x[i - 1]`` for all i is ``x[:-1]``.

Pays because the loops make some interpreted steps a cell.

Safe means: the same operations on the same elements in the same order. A loop that reads what it
has written (Gauss-Seidel) is a recurrence and stays, as does one whose first place wraps around to
the end, and one that fills an array which shares memory with what it reads, as far as the function
shows; of arrays that it is given it is said that they do not overlap. Sums of integers narrower
than 64 bits, and sums and means in half precision, are wider in the library than those of slices:
where nothing says the type, it is said that there are none.

Sources: the documentation of NumPy on basic slicing; Datta et al., "Stencil Computation
Optimization", SC 2008.
"""

from __future__ import annotations

from dataclasses import replace

from auditor.assumed import listed
from auditor.nests.cell_types import writes_out
from auditor.nests.kinds import LOOKS_UP, elementwise, looks_up, neighbours
from auditor.nests.listed import filling, plan
from auditor.nests.windows import written_out
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.verdict import Verdict


def find(site: Site) -> Match | None:
    """The match of a nest, or None. Raises ``Refused``."""
    nest = filling(site)
    if nest is None:
        return None
    filled = tuple(written_out(nest, one) for one in nest.filled)
    if not all(map(elementwise, filled)) or not any(map(neighbours, filled)):
        return None
    names = listed(dict.fromkeys(f"`{one.name}`" for one in filled))
    made = plan(site, nest, filled)
    for looped, whole in zip(nest.filled, filled, strict=True):
        if looped.term is not whole.term:
            writes_out(made, looped.term)
    match = made.match(
        f"{names}: the loops compute each element from its neighbours, one at a time"
    )
    if not any(map(looks_up, filled)):
        return match
    return replace(match, verdicts={"locality": Verdict("partial", "structure", LOOKS_UP)})


_AVERAGE = """\
import numpy as np


def smooth(x: np.ndarray):
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(1, n - 1):
        out[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return out
"""

_AVERAGE_AFTER = """\
import numpy as np


def smooth(x: np.ndarray):
    n = x.shape[0]
    out = np.zeros(n)
    out[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3
    return out
"""

_JACOBI = """\
import torch


def relax(u: torch.Tensor, steps: int):
    n, m = u.shape
    for _ in range(steps):
        new = u.clone()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                new[i, j] = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) / 4
        u = new
    return u
"""

_JACOBI_AFTER = """\
import torch


def relax(u: torch.Tensor, steps: int):
    n, m = u.shape
    for _ in range(steps):
        new = u.clone()
        new[1:-1, 1:-1] = (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) / 4
        u = new
    return u
"""

_POOLING = """\
import numpy as np


def halve(x: np.ndarray):
    n, m = x.shape
    out = np.zeros((n // 2, m))
    for i in range(n // 2):
        for j in range(m):
            out[i, j] = np.maximum(x[2 * i, j], x[2 * i + 1, j])
    return out
"""

_POOLING_AFTER = """\
import numpy as np


def halve(x: np.ndarray):
    n, m = x.shape
    out = np.zeros((n // 2, m))
    out[:] = np.maximum(x[: max(2 * (n // 2) - 1, 0) : 2], x[1 : 2 * (n // 2) : 2])
    return out
"""

_HEAT = """\
import numpy as np


def heat(start: np.ndarray, rate: float, steps: int):
    u = start.copy()
    for _ in range(steps):
        old = np.copy(u)
        for i in range(1, len(u) - 1):
            u[i] = old[i] + rate * (old[i + 1] - 2 * old[i] + old[i - 1])
    return u
"""

_HEAT_AFTER = """\
import numpy as np


def heat(start: np.ndarray, rate: float, steps: int):
    u = start.copy()
    for _ in range(steps):
        old = np.copy(u)
        u[1:-1] = old[1:-1] + rate * (old[2:] - 2 * old[1:-1] + old[:-2])
    return u
"""

REWRITE = Rewrite(
    code="LOC302",
    name="stencil",
    summary="loops over neighbours are operations on slices",
    doc=__doc__,
    properties=("locality",),
    find=find,
    seeks=("loop", "listed"),
    becomes="x[:-2] + x[1:-1] + x[2:]",
    examples=(
        Example("a moving average", _AVERAGE, _AVERAGE_AFTER,
                "((np.arange(9.0) ** 2,), (np.ones(1),), (np.ones(0),))"),
        Example("Jacobi steps", _JACOBI, _JACOBI_AFTER,
                "((torch.randn(5, 7), 3), (torch.randn(3, 1), 2))"),
        Example("heat steps", _HEAT, _HEAT_AFTER,
                "((np.arange(7.0) ** 2, 0.1, 3), (np.ones(1), 0.1, 2), (np.ones(0), 0.1, 1))"),
        Example("pooling", _POOLING, _POOLING_AFTER,
                "((np.arange(10.0).reshape(5, 2),), (np.ones((1, 3)),))"),
    ),
    refused=(
        RefusedExample("names", _AVERAGE.replace("return out", "return out, i")),
        RefusedExample("aliasing", _AVERAGE.replace("np.zeros(n)", "x[:]")),
        RefusedExample("bounds", _AVERAGE.replace("range(1, n - 1)", "range(n - 1)")),
    ),
    unmatched=(
        _AVERAGE.replace("x[i - 1] +", "out[i - 1] +"),
        _AVERAGE.replace("out[i] = (", "x[i] = ("),
        _AVERAGE.replace("x[i + 1])", "x[i * i % n])"),
        _AVERAGE.replace("/ 3", "/ 3\n        print(out[i])"),
    ),
)  # fmt: skip
