"""Loops that add to cells whose places are looked up, as one call.

Finds loops of ``out[idx[i]] += x[i]``: histograms (``counts[v] += 1``), sums by segment or by
label, rows added to rows, tables of pairs, places that are computed (``hist[int(x * bins)]``), and
largest or smallest values by label, over ranges, elements, ``enumerate`` and ``zip``; several cells
of one array at each step, if all that is done to them is adding. Of a list of counts it is told
without a fix; so it is of loops over the groups, ``sums[j] = x[labels == j].sum(0)``, which go
through all rows for each.

Legal because every step only adds to (or takes the larger of) what its cell holds, and reads
nothing else of what the loop writes: where several steps name one cell, any order gives the sum.

Pays because the loop makes an interpreted step an element.

Safe means: NumPy's ``add.at`` and torch's ``index_put_(accumulate=True)`` take a cell as often as
it is named, count negative places from the end and add in the order of the elements. A plain
``out[idx] += x`` would add once for each cell, so it is not what is written here, and
``bincount`` takes no negative places and gives another type. What is added keeps the type of the
array; an array of integers that is given fractions cuts off at every step and is refused. Cells
that keep the last of several values have no such call.

Sources: the documentation of ``numpy.ufunc.at`` and ``torch.Tensor.index_put_``.
"""

from __future__ import annotations

from auditor.folds.grouped_rows import grouped_rows
from auditor.nests import scatter
from auditor.nests.plan import Plan
from auditor.nests.reading import Nest, nest_of
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region


def find(site: Site) -> Match | None:
    """The match of a nest, or of a loop over groups, or None. Raises ``Refused``."""
    nest = nest_of(site)
    if nest is None or not any(filled.scattered for filled in nest.filled):
        return grouped_rows(site)
    names = " and ".join(f"`{filled.name}`" for filled in nest.filled)
    return Plan(site, Region(site.lifted), nest, nest.filled).match(
        f"{names}: the loop {_does(nest)} cells that it looks up, one element at a time"
    )


def _does(nest: Nest) -> str:
    """Whether the steps add to the cells that they look up, or set them."""
    ways = {scatter.combination(one)[0] for one in nest.filled if one.scattered}
    return "sets" if ways == {"set"} else "adds to"


_HISTOGRAM = """\
import numpy as np


def histogram(x: np.ndarray, bins: int):
    counts = np.zeros(bins, dtype=np.int64)
    for value in x:
        counts[int(value * bins)] += 1
    return counts
"""

_HISTOGRAM_AFTER = """\
import numpy as np


def histogram(x: np.ndarray, bins: int):
    counts = np.zeros(bins, dtype=np.int64)
    np.add.at(counts, (x * bins).astype(int), 1)
    return counts
"""

_SEGMENTS = """\
import torch


def centroids(x: torch.Tensor, labels: torch.Tensor, k: int):
    n, d = x.shape
    sums = torch.zeros(k, d)
    counts = torch.zeros(k)
    for i in range(n):
        sums[labels[i]] += x[i]
        counts[labels[i]] += 1
    return sums / counts[:, None].clamp(min=1)
"""

_SEGMENTS_AFTER = """\
import torch


def centroids(x: torch.Tensor, labels: torch.Tensor, k: int):
    n, d = x.shape
    sums = torch.zeros(k, d)
    counts = torch.zeros(k)
    sums.index_put_((labels[:n],), x.to(sums.dtype), accumulate=True)
    counts.index_put_((labels[:n],), counts.new_ones(()), accumulate=True)
    return sums / counts[:, None].clamp(min=1)
"""

_LARGEST = """\
import numpy as np


def largest(x: np.ndarray, labels: np.ndarray, k: int):
    best = np.full(k, -np.inf)
    for i in range(len(labels)):
        if x[i] > best[labels[i]]:
            best[labels[i]] = x[i]
    return best
"""

_LARGEST_AFTER = """\
import numpy as np


def largest(x: np.ndarray, labels: np.ndarray, k: int):
    best = np.full(k, -np.inf)
    np.maximum.at(best, labels, x[: len(labels)])
    return best
"""

REWRITE = Rewrite(
    code="SPA406",
    name="scatter-loop",
    summary="loops that add to looked up cells are one scattered sum",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop", "listed"),
    becomes="np.add.at, index_put_(accumulate=True)",
    examples=(
        Example("a histogram", _HISTOGRAM, _HISTOGRAM_AFTER,
                "((np.linspace(0, 0.99, 9), 4), (np.zeros(0), 3))"),
        Example(
            "sums by label", _SEGMENTS, _SEGMENTS_AFTER,
            "((torch.randn(7, 3, requires_grad=True), torch.tensor([0, 1, 1, -1, 0, 2, 2]), 4),)",
        ),
        Example("a maximum by label", _LARGEST, _LARGEST_AFTER,
                "((np.arange(6.0), np.array([0, 1, 1, -1, 0, 2]), 4),)"),
    ),
    refused=(
        RefusedExample(
            "names",
            _SEGMENTS.replace("counts[:, None].clamp(min=1)", "counts[:, None], i"),
        ),
        RefusedExample(
            "integers", _HISTOGRAM.replace("int(value * bins)] += 1", "int(value * bins)] += value")
        ),
        RefusedExample(
            "aliasing", _LARGEST.replace("np.full(k, -np.inf)", "x[:k]")
        ),
    ),
    unmatched=(
        _SEGMENTS.replace("sums[labels[i]] += x[i]", "sums[labels[i]] = x[i]"),
        _SEGMENTS.replace("+= x[i]", "+= x[i] - sums[0]"),
        _HISTOGRAM.replace("np.zeros(bins, dtype=np.int64)", "{}"),
        _LARGEST.replace("best[labels[i]] = x[i]", "best[labels[i]] = -x[i]"),
    ),
)  # fmt: skip
