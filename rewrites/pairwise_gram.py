"""Squared distances of all pairs of rows in loops, as torch's distances.

Finds nests of loops that fill a table with sums of squared differences between each row of one
tensor and each of another (or the same), with or without the root, in any order of the loops.

Legal because each cell is written at its own place and only added to; the sum of squares is the
square of the Euclidean distance.

Pays because the loops make an interpreted step for each feature of each pair.

Safe means: equal up to the order of roundings. The well-known form ``|x|^2 - 2 x.y + |y|^2`` is one
product of matrices, but where two rows are close it subtracts nearly equal numbers and may lose
every digit; ``torch.cdist`` takes that way by itself for more than 25 rows. So it is told not to.
At a distance of zero the gradient of the root is taken as zero, where the loops give NaN. torch's
distances have no second derivatives and take no half types, which is assumed of the code and said.
NumPy has no such function: there a table of all differences would have to be built.

Sources: the documentation of ``torch.cdist``; Higham, "Accuracy and Stability of Numerical
Algorithms" (2002), section 1.7, on cancellation.
"""

from __future__ import annotations

from auditor.nests.code import Code, Said
from auditor.nests.pairs import distances, squares
from auditor.nests.parts import Filled
from auditor.nests.plan import Plan
from auditor.nests.reading import nest_of
from auditor.notation import Term
from auditor.region import Region
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site


def find(site: Site) -> Match | None:
    """The match of a nest, or None. Raises ``Refused``."""
    nest = nest_of(site)
    if nest is None:
        return None
    found = [list(squares(filled)) for filled in nest.filled]
    if not all(found) or not all(_all_pairs(filled) for filled in nest.filled):
        return None
    every = [one for each in found for one in each]

    def say(code: Code, term: Term) -> Said:
        return distances(code, term, every)

    plan = Plan(site, Region(site.lifted), nest, nest.filled)
    if any(plan.library(filled) != "torch" for filled in nest.filled):
        return None
    plan.reasons.append("the rows hold float32 or float64 numbers")
    plan.reasons.append("gradients are not differentiated once more")
    names = " and ".join(f"`{filled.name}`" for filled in nest.filled)
    return plan.match(f"{names}: the loops take the distances of all pairs of rows", say)


def _all_pairs(filled: Filled) -> bool:
    return len(filled.axes) == 2


_SQUARES = """\
import torch


def pairwise(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    m, d = y.shape
    table = torch.zeros(n, m)
    for i in range(n):
        for j in range(m):
            for k in range(d):
                table[i, j] += (x[i, k] - y[j, k]) ** 2
    return table
"""

_SQUARES_AFTER = """\
import torch


def pairwise(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    m, d = y.shape
    table = torch.zeros(n, m)
    table += torch.cdist(x[:, :d], y, compute_mode="donot_use_mm_for_euclid_dist") ** 2
    return table
"""

_ROOTS = """\
import torch


def distances(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    m, d = y.shape
    table = torch.empty(n, m)
    for i in range(n):
        for j in range(m):
            table[i, j] = torch.sqrt(((x[i] - y[j]) ** 2).sum())
    return table
"""

_ROOTS_AFTER = """\
import torch


def distances(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    m, d = y.shape
    table = torch.empty(n, m)
    table[:] = torch.cdist(x, y, compute_mode="donot_use_mm_for_euclid_dist")
    return table
"""

REWRITE = Rewrite(
    code="SEP205",
    name="pairwise-gram",
    summary="squared distances of all pairs in loops are one call",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop",),
    becomes="torch.cdist(x, y) ** 2",
    examples=(
        Example(
            "squared distances", _SQUARES, _SQUARES_AFTER,
            "((torch.randn(5, 3, requires_grad=True), torch.randn(4, 3, requires_grad=True)),)",
        ),
        Example("distances", _ROOTS, _ROOTS_AFTER, "((torch.randn(5, 3), torch.randn(4, 3)),)"),
    ),
    refused=(
        RefusedExample("names", _SQUARES.replace("return table", "return table, k")),
        RefusedExample("aliasing", _ROOTS.replace("torch.empty(n, m)", "x[:, :m]")),
    ),
    unmatched=(
        _SQUARES.replace("** 2", "** 3"),
        _SQUARES.replace("x[i, k] - y[j, k]", "x[i, k] - y[i, k]"),
        _SQUARES.replace("+=", "="),
        _SQUARES.replace("torch", "numpy").replace("numpy.Tensor", "numpy.ndarray").replace(
            "zeros(n, m)", "zeros((n, m))"),
    ),
)  # fmt: skip
