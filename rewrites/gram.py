"""Loops that multiply the rows of one matrix with each other, as one product.

Finds nests of loops that fill ``G[i, j]`` with the sum of ``A[i, k] * A[j, k]``: over all pairs
of rows, or over one triangle of them with each value stored at ``[i, j]`` and ``[j, i]`` (by two
assignments, one for both, a copy of the cell across the diagonal, or a second nest of loops),
with the diagonal in the triangle, apart, or left out; over one triangle alone. The triangle may
be a range that starts or ends at the outer loop's step, a condition on the two steps, or
``itertools.combinations``. The same as a list of lists, or of rows, that is made an array.
Columns, centred rows, scaled and batched products are found alike.

Legal because the sum is the same where i and j are exchanged, which is proven on its normal form:
so a value that is computed once and stored twice is the value that each of both cells would get.

Pays because the loops make an interpreted step for each product. The half of the products that
symmetry saves is less than what the library's product gains, so that all of them are taken; where
only one triangle is filled, it is cut out of the whole.

Safe means: equal up to the order of roundings. Two triangles that are given different values are
refused; so is a nest that leaves cells as they were, unless they certainly hold zeros.

Sources: Golub and Van Loan, "Matrix Computations", section 1.2; the documentation of
``numpy.matmul`` and ``numpy.triu``.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.assumed import listed
from auditor.lift import extents
from auditor.matrices.listed import listed_product
from auditor.nests.kinds import gram
from auditor.nests.listed import ListedNest, filling, plan, square
from auditor.nests.nest import Nest
from auditor.nests.parts import indices
from auditor.nests.plan import Plan
from auditor.nests.reading import copied
from auditor.nests.triangles import ALL
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region


def find(site: Site) -> Match | None:
    """The match of a nest or of a list, or None. Raises ``Refused``."""
    if site.loop is None and (
        found := listed_product(
            site, True, "the rows of one matrix are multiplied with each other, a pair at a time"
        )
    ):
        return found
    nest = filling(site, partly=True)
    if nest is None:
        return None
    if isinstance(nest, ListedNest) and not square(nest):
        return None
    halved = [filled for filled in nest.filled if filled.mirrored or filled.partly]
    for filled in halved:
        if filled.problem is not None:
            site.require(False, *filled.problem)
    if not all(map(gram, nest.filled)):
        return None
    region = Region(site.lifted)
    names = listed(f"`{filled.name}`" for filled in nest.filled)
    message = (
        f"{names}: the loops multiply the rows of one matrix with each other, a pair at a time"
    )
    copying = _copied_next(region, nest) if site.loop is not None else None
    if copying is None:
        return plan(site, nest, nest.filled).match(message)
    (filled,) = nest.filled
    # what is added to is copied as well
    whole = replace(filled, mirrored=True, half=ALL, zero=not filled.zero)
    found = Plan(site, region, nest, (whole,), after=copying).match(message)
    edits = (*found.edits, region.drop(copying))
    return replace(found, edits=edits, covers=(*found.covers, region.module.span(copying)))


def _copied_next(region: Region, nest: Nest) -> ast.For | None:
    """The loops behind a nest that copy the triangle that it fills to the other one."""
    if len(nest.filled) != 1 or not nest.filled[0].partly:
        return None
    (filled,) = nest.filled
    node = region.next_statement(nest.node)
    found = copied(region, node) if isinstance(node, ast.For) else None
    if found is None or found.name != filled.name or (found.half - {"="}) | filled.half != ALL:
        return None
    (index,) = indices(filled.place[0])
    one, two = nest.walk(index), found.walk
    apart = (extents.sub(one.low, two.low), extents.sub(one.high, two.high))
    same = len(filled.place) == 2 and all(extents.constant(part) == 0 for part in apart)
    return node if same and (found.half & filled.half) <= {"="} else None  # type: ignore[return-value]


_MIRRORED = """\
import numpy as np


def gram(a):
    n, d = a.shape
    g = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            total = 0.0
            for k in range(d):
                total += a[i, k] * a[j, k]
            g[i, j] = total
            g[j, i] = total
    return g
"""

_MIRRORED_AFTER = """\
import numpy as np


def gram(a):
    n, d = a.shape
    g = np.zeros((n, n))
    g[:] = a @ a.T
    return g
"""

_APART = """\
import torch


def overlaps(states: torch.Tensor):
    n, width = states.shape
    overlap = torch.empty(n, n)
    for i in range(n):
        overlap[i, i] = (states[i] * states[i]).sum()
        for j in range(i):
            overlap[i, j] = overlap[j, i] = states[i] @ states[j]
    return overlap
"""

_APART_AFTER = """\
import torch


def overlaps(states: torch.Tensor):
    n, width = states.shape
    overlap = torch.empty(n, n)
    overlap[:] = states @ states.T
    return overlap
"""

_UPPER = """\
import numpy as np


def upper(x: np.ndarray):
    n, d = x.shape
    c = np.zeros((d, d))
    for s in range(n):
        for i in range(d):
            for j in range(i, d):
                c[i, j] += x[s, i] * x[s, j]
    return c
"""

_UPPER_AFTER = """\
import numpy as np


def upper(x: np.ndarray):
    n, d = x.shape
    c = np.zeros((d, d))
    c += np.triu(np.matmul(x.T, x, dtype=c.dtype))
    return c
"""

_TRIANGLE = """\
import numpy as np


def above(x: np.ndarray):
    n, d = x.shape
    c = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            c[i, j] = x[i] @ x[j]
    return c
"""

_TWICE = _UPPER.replace(
    "    return c",
    """\
    for a in range(d):
        for b in range(a):
            c[a, b] = c[b, a]
    return c""",
)

_TWICE_AFTER = _UPPER_AFTER.replace("np.triu(", "").replace("c.dtype))", "c.dtype)")

_CASES = (
    "((np.arange(6.0).reshape(3, 2),), (np.ones((1, 3)),), (np.ones((2, 0)),), (np.ones((0, 2)),))"
)

REWRITE = Rewrite(
    code="SYM602",
    name="gram",
    summary="loops over pairs of rows of one matrix are one product",
    doc=__doc__,
    properties=("symmetry",),
    find=find,
    seeks=("loop", "listed"),
    becomes="a @ a.T",
    examples=(
        Example("one triangle, mirrored", _MIRRORED, _MIRRORED_AFTER, _CASES),
        Example(
            "the diagonal apart", _APART, _APART_AFTER,
            "((torch.randn(5, 3, requires_grad=True),), (torch.randn(1, 2),))",
        ),
        Example("mirrored afterwards", _TWICE, _TWICE_AFTER, _CASES),
        Example("one triangle", _UPPER, _UPPER_AFTER, _CASES),
    ),
    refused=(
        RefusedExample("names", _MIRRORED.replace("return g", "return g, j")),
        RefusedExample("names", _TWICE.replace("return c", "return c, b")),
        RefusedExample("aliasing", _MIRRORED.replace("np.zeros((n, n))", "a[:, :n]")),
        RefusedExample("symmetry", _MIRRORED.replace("a[j, k]", "a[j, k] * a[i, 0]")),
        RefusedExample("zeros", _TRIANGLE.replace("np.zeros", "np.ones")),
        RefusedExample("integers", _UPPER.replace("(d, d))", "(d, d), dtype=int)")),
    ),
    unmatched=(
        _UPPER.replace("x[s, i] * x[s, j]", "x[s, i] + x[s, j]"),
        _UPPER.replace("c[i, j] += ", "c[i, j] = c[i, j] / 2 + "),
        _UPPER.replace("range(i, d)", "range(d - i)"),
        _MIRRORED.replace("g[j, i] = total", "g[j, i] = total\n            print(total)"),
    ),
)  # fmt: skip
