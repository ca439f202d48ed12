"""Loops that add to cells whose places are looked up, and sums over one-hot rows, as one call.

Finds loops of ``out[idx[i]] += x[i]``: histograms (``counts[v] += 1``), sums by segment or by
label, rows added to rows, tables of pairs, places that are computed (``hist[int(x * bins)]``), and
largest or smallest values by label, over ranges, elements, ``enumerate`` and ``zip``; several cells
of one array at each step, if all that is done to them is adding. Of a list of counts it is told
without a fix. Loops over the groups, ``sums[j] = x[labels == j].sum(0)``, go through all rows for
each: sums, means and counts in an array of zeros add each row to its own; others are told, as are
those over ``np.unique(labels)``. So do
tables of counts, ``table[i, j] = np.sum((a == i) & (b == j))``, for each pair.

Legal because every step only adds to (or takes the larger of) what its cell holds, and reads
nothing else of what the loop writes: where several steps name one cell, any order gives the sum.

Pays because the loop makes an interpreted step an element; the product multiplies with n zeros for
each row.

Safe means: NumPy's ``add.at`` and torch's ``index_put_(accumulate=True)`` take a cell as often as
it is named, count negative places from the end and add in the order of the elements. A plain
``out[idx] += x`` would add once for each cell, so it is not what is written here, and ``bincount``
takes no negative places and gives another type. What is added keeps the type of the array; an array
of integers that is given fractions cuts off at every step and is refused. Cells that keep the last
of several values have no such call. Of one-hot rows, where another row of x holds an infinity or
NaN the product is NaN (zero times infinity) and the sum is not; places out of range raise in both;
what is compared with ``arange(n)`` is there no error, nor is it where numbers are no integers, so
that such a fix is not safe. Where the rows are used elsewhere too they are there anyway, and
counted as they are. Labels beyond the groups are left out, as are fractions, and a group of no rows
has a mean of NaN as before. On a GPU the order of additions may differ from run to run.

Sources: the documentation of ``numpy.ufunc.at``, ``numpy.bincount``, ``torch.Tensor.index_add`` and
``torch.Tensor.index_put_``.
"""

from __future__ import annotations

from dataclasses import replace

from auditor.assumed import listed
from auditor.folds.grouped_rows import grouped_rows
from auditor.matrices.scattered import added_at_places
from auditor.nests import scatter
from auditor.nests.nest import Nest
from auditor.nests.plan import Plan
from auditor.nests.reading import nest_of
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region
from auditor.verdict import Verdict


def find(site: Site) -> Match | None:
    """The match of a nest, or of a loop over groups, or None. Raises ``Refused``."""
    if site.loop is None:
        return added_at_places(site) or grouped_rows(site)
    nest = nest_of(site)
    if nest is None or not any(filled.scattered for filled in nest.filled):
        return grouped_rows(site)
    names = listed(f"`{filled.name}`" for filled in nest.filled)
    match = Plan(site, Region(site.lifted), nest, nest.filled).match(
        f"{names}: the loop {_does(nest)} cells that it looks up, one element at a time"
    )
    shown = f"a step reaches the cells of {names} that it looks up: nothing is done for the others"
    return replace(match, verdicts={"sparsity": Verdict("partial", "structure", shown)})


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

_GROUPS = """\
import torch


def by_class(x: torch.Tensor, labels: torch.Tensor, k: int):
    sums = torch.zeros(k, x.shape[1], dtype=x.dtype)
    for c in range(k):
        sums[c] = x[labels == c].sum(0)
    return sums
"""

_GROUPS_AFTER = """\
import torch


def by_class(x: torch.Tensor, labels: torch.Tensor, k: int):
    sums = torch.zeros(k, x.shape[1], dtype=x.dtype)
    inside = torch.isin(labels, torch.arange(k, device=labels.device))
    groups = labels[inside].long().to(sums.device)
    sums.index_add_(0, groups, x[inside].to(sums))
    return sums
"""

_CLUSTERS = """\
import torch
import torch.nn.functional as F


def centroids(x: torch.Tensor, labels: torch.Tensor, k: int):
    n, d = x.shape
    hot = F.one_hot(labels, k).to(x.dtype)
    sums = hot.t() @ x
    counts = F.one_hot(labels, k).sum(0)
    return sums / counts[:, None].clamp(min=1)
"""

_CLUSTERS_AFTER = """\
import torch
import torch.nn.functional as F


def centroids(x: torch.Tensor, labels: torch.Tensor, k: int):
    n, d = x.shape
    sums = x.new_zeros(k, x.shape[1]).index_add(0, labels, x)
    counts = labels.new_zeros(k).index_add(0, labels, torch.ones_like(labels))
    return sums / counts[:, None].clamp(min=1)
"""

REWRITE = Rewrite(
    code="SPA406",
    name="scatter-loop",
    summary="loops and one-hot products that add to looked up cells are one scattered sum",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop", "listed", "one-hot", "identity", "cells", "matched"),
    becomes="np.add.at, index_put_(accumulate=True), index_add",
    examples=(
        Example("a histogram", _HISTOGRAM, _HISTOGRAM_AFTER,
                "((np.linspace(0, 0.99, 9), 4), (np.zeros(0), 3))"),
        Example(
            "sums by label", _SEGMENTS, _SEGMENTS_AFTER,
            "((torch.randn(7, 3, requires_grad=True), torch.tensor([0, 1, 1, -1, 0, 2, 2]), 4),)",
        ),
        Example("a maximum by label", _LARGEST, _LARGEST_AFTER,
                "((np.arange(6.0), np.array([0, 1, 1, -1, 0, 2]), 4),)"),
        Example("groups, each by a mask", _GROUPS, _GROUPS_AFTER,
                "((torch.randn(5, 2, requires_grad=True), torch.tensor([0, 2, 1, 5, 0]), 3),)"),
        Example("sums of one-hot rows", _CLUSTERS, _CLUSTERS_AFTER,
                "((torch.randn(7, 3, requires_grad=True), torch.tensor([0, 1, 1, 3, 0, 2, 2]), 4),"
                " (torch.randn(0, 3, requires_grad=True), torch.zeros(0, dtype=torch.long), 2))"),
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
