"""Squared distances of all pairs of rows, without the differences of all pairs.

Finds ``((x[:, None] - y) ** 2).sum(-1)``: a difference of arrays of which each has an axis that the
other lacks (``None``, ``unsqueeze``, ``expand_dims``, ``expand``), squared in any spelling and
summed over an axis, by ``sum``, ``mean``, ``einsum`` with itself, or ``norm``; and nests of loops
that fill a table with such sums, or with the least of each row or its place, in any order of the
loops, with or without the root.

Legal because a sum of squares may be added up as its terms are computed. In loops each cell is
written at its own place and only added to.

Pays because the N M D differences are written to memory, squared there and read again, where the
result has N M entries; a gradient keeps them besides. The loops make an interpreted step for each.

Safe means: equal up to the order of roundings. The well-known form ``|x|^2 - 2 x.y + |y|^2`` is one
product of matrices, but where two rows are close it subtracts nearly equal numbers and may lose
every digit; it is not taken. Which axes are rows and which are columns the kernel reads off the
shapes when it runs, so that nothing is assumed of how many there are; where nothing is broadcast
the plain code runs, and in whole and complex numbers. In loops the gradient of a root at a distance
of zero is taken as zero, where they may give NaN. Differences that are used elsewhere as well stay.

Sources: the documentation of ``torch.cdist``; Higham, "Accuracy and Stability of Numerical
Algorithms" (2002), section 1.7, on cancellation.
"""

from __future__ import annotations

from dataclasses import replace

from auditor.assumed import listed
from auditor.lift.dtypes import NO_NARROW, WHOLE
from auditor.nests.applied import PLACES
from auditor.nests.code import Code
from auditor.nests.listed import filling, plan
from auditor.nests.pairs import KERNEL, Squares, distances, squares
from auditor.nests.parts import Filled
from auditor.nests.plan import Plan
from auditor.nests.said import Said
from auditor.notation import Apply, Reduce, Term, walk
from auditor.pairs.rows import distances_match
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.sums.lists import distances as of_rows


def find(site: Site) -> Match | None:
    """The match of a nest or of an expression, or None. Raises ``Refused``."""
    nest = filling(site)
    if nest is None:
        return (distances_match(site) if site.loop is None else None) or of_rows(site)
    found = [list(squares(filled)) for filled in nest.filled]
    if not all(found) or not all(_all_pairs(filled) for filled in nest.filled):
        return None
    every = [one for each in found for one in each]

    def say(code: Code, term: Term) -> Said:
        return distances(code, term, every)

    replacement = plan(site, nest, nest.filled)
    replacement.smooth = all(one.covers_roots(filled) for filled in nest.filled
                             for one in squares(filled))  # fmt: skip
    if any(replacement.library(filled) is None for filled in nest.filled):
        return None
    rooted = any(one.rooted(filled) for filled in nest.filled for one in squares(filled))
    _require_numbers(site, replacement, every, rooted)
    wide = next((f for f in nest.filled if replacement.widens(f, replacement.library(f))), None)
    if wide is not None:
        stated = replacement.library(wide) == "torch"
        site.require(
            not stated, "rounding", f"`{wide.name}` adds up in double precision, whatever is added"
        )
        replacement.reasons.append(f"what is put into `{wide.name}` is of its type")
    names = listed(f"`{filled.name}`" for filled in nest.filled)
    match = replacement.match(f"{names}: the loops take the distances of all pairs of rows", say)
    kernel = (("auditor.kernels", KERNEL),)
    return replace(match, imports=kernel, kernel=f"auditor.kernels.{KERNEL}")


def _require_numbers(site: Site, plan: Plan, found: list[Squares], rooted: bool) -> None:
    """A product of a row with itself adds up whole numbers in their own type, where the call widens
    sums, and of what it takes roots it makes fractions before."""
    multiplied = any(isinstance(one.total.body, Apply) and one.total.body.op == "mul"
                     for one in found)  # fmt: skip
    if not rooted and not multiplied:
        return
    values = dict.fromkeys(side.value for one in found for side in (one.left, one.right))
    narrow = WHOLE if rooted else WHOLE - {"int64", "uint64", "int"}
    site.require(
        all(value.dtype not in narrow for value in values),
        "integers",
        "whole numbers are added up in their own type",
    )
    unknown = [f"`{value.name}`" for value in values if value.dtype is None]
    if unknown:
        what = "floating-point numbers" if rooted else NO_NARROW
        ending = "" if len(unknown) > 1 else "s"
        plan.reasons.append(f"{' and '.join(unknown)} hold{ending} {what}")


def _all_pairs(filled: Filled) -> bool:
    """Whether all distances are kept, or of each row the least or the place of that."""
    chosen = any(
        (isinstance(node, Apply) and node.op in PLACES)
        or (isinstance(node, Reduce) and node.op in ("min", "max")) for node in walk(filled.term)
    )  # fmt: skip
    return len(filled.axes) == 2 or (len(filled.axes) == 1 and chosen)


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
from auditor.kernels import squared_distances


def pairwise(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    m, d = y.shape
    table = torch.zeros(n, m)
    table += squared_distances(x[:, :d][:, None], y)
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
from auditor.kernels import squared_distances


def distances(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    m, d = y.shape
    table = torch.empty(n, m)
    table[:] = squared_distances(x[:, None], y, root=True)
    return table
"""

_BROADCAST = """\
import torch


def similarity(x: torch.Tensor, y: torch.Tensor, width: float):
    apart = x[:, None] - y[None]
    return torch.exp(-(apart**2).sum(-1) / width)
"""

_BROADCAST_AFTER = """\
import torch
from auditor.kernels import squared_distances


def similarity(x: torch.Tensor, y: torch.Tensor, width: float):
    return torch.exp(-squared_distances(x[:, None], y[None]) / width)
"""

_NAMED = _BROADCAST.replace(
    "    apart = x[:, None] - y[None]",
    "    rows, columns = x[:, None], y[None]\n    apart = rows - columns",
)

_NEAREST = """\
import numpy as np


def nearest(points, centres):
    return np.linalg.norm(points[:, None] - centres, axis=2).argmin(1)
"""

_NEAREST_AFTER = """\
import numpy as np
from auditor.kernels import squared_distances


def nearest(points, centres):
    return squared_distances(points[:, None], centres, dim=2, root=True).argmin(1)
"""

REWRITE = Rewrite(
    code="SEP205",
    name="pairwise-gram",
    summary="squared distances of all pairs of rows need no array of their differences",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop", "pairs", "listed", "tables"),
    inside=True,
    kernel="auditor.kernels.squared_distances",
    becomes="squared_distances(x[:, None], y)",
    examples=(
        Example(
            "squared distances", _SQUARES, _SQUARES_AFTER,
            "((torch.randn(5, 3, requires_grad=True), torch.randn(4, 3, requires_grad=True)),)",
        ),
        Example("distances", _ROOTS, _ROOTS_AFTER, "((torch.randn(5, 3), torch.randn(4, 3)),)"),
        Example(
            "differences by broadcasting", _BROADCAST, _BROADCAST_AFTER,
            "((torch.randn(25, 9, requires_grad=True), torch.randn(14, 9), 2.0),"
            " (torch.randn(9, 5, 3), torch.randn(19, 5, 3), 3.0))",
        ),
        Example("centres of clusters", _NEAREST, _NEAREST_AFTER,
                "((torch.randn(90, 3).numpy(), torch.randn(8, 3).numpy()),)"),
    ),
    refused=(
        RefusedExample("differences-used", _BROADCAST.replace("width)", "width), apart", 2).replace(
            "float), apart", "float)")),
        RefusedExample("autocast", _BROADCAST.replace(
            "    apart", "    with torch.autocast('cuda'):\n        apart").replace(
            "    return", "        return")),
        RefusedExample("gradients", _NAMED.replace(
            "    apart", "    with torch.enable_grad():\n        apart")),
        RefusedExample("effects", _NAMED.replace("    return", "    refresh(rows)\n    return")),
        RefusedExample("integers", _ROOTS.replace("    n, d", "    x = x.int()\n    n, d")),
        RefusedExample("rounding", _SQUARES.replace("n, m)\n", "n, m, dtype=torch.float64)\n")),
        RefusedExample("names", _SQUARES.replace("return table", "return table, k")),
        RefusedExample("aliasing", _ROOTS.replace("torch.empty(n, m)", "x[:, :m]")),
    ),
    unmatched=(
        _SQUARES.replace("** 2", "** 3"),
        _SQUARES.replace("x[i, k] - y[j, k]", "x[i, k] - y[i, k]"),
        _SQUARES.replace("+=", "="),
        _BROADCAST_AFTER,
        _BROADCAST.replace("** 2", "** 3").replace("**2", "**3"),
        _BROADCAST.replace("x[:, None] - y[None]", "x - y"),
        _BROADCAST.replace("x[:, None] - y[None]", "x[:, None] + y[None]"),
        _BROADCAST.replace(".sum(-1)", ".sum()"),
        _BROADCAST.replace("    apart", "    with torch.no_grad():\n        apart", 1),
        _BROADCAST.replace(".sum(-1)", ".amax(-1)"),
        _BROADCAST.replace("    apart", "    b, t, d = y.shape\n    apart").replace(
            "- y[None]", "- y"),
    ),
)  # fmt: skip
