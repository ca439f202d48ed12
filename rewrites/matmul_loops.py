"""Loops that multiply matrices element by element, as one product.

Finds nests of loops that fill an array with sums of products: ``c[i, j] += a[i, k] * b[k, j]`` with
the loops in any order, with a sum of its own before it is stored, over tiles, with the inner loops
already written as a dot product, an outer product or a generator expression; matrix times vector,
transposed operands, batches, parts of arrays, several terms at once; entries and rows that are put
into a list of which an array is made; products that broadcasting pairs and that are then summed or
averaged, ``(a[:, None] * b[None]).sum(-1)``; weights that are computed of the loop variables, as
the cosines of a transform of rows and columns, where the table of them is no larger than the arrays
are. Loops over lists of lists are told without a fix.

Legal because each cell is written at its own place, and all that the steps do to it is adding:
sums may be taken in any order, and cells may be filled side by side.

Pays because the loops make one interpreted step for each of n m k products, and the library's
product runs at the speed of the machine.

Safe means: equal up to the order of roundings. What the array held before is kept where the loops
add to it. Where they add up in NumPy's double precision, the product is told to; an array of
integers that is given fractions cuts off at every step and is refused, as is one that shares
memory with an operand.

Sources: Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication", ACM TOMS 34
(2008); the documentation of ``numpy.matmul`` and ``torch.matmul``.
"""

from __future__ import annotations

from dataclasses import replace

from auditor.assumed import listed
from auditor.matrices.listed import listed_product
from auditor.nests.counting import counts
from auditor.nests.kinds import multiplies
from auditor.nests.listed import filling, plan
from auditor.nests.parts import Filled
from auditor.notation import Reduce, walk
from auditor.pairs.products import paired_product
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.sums.lists import products
from auditor.verdict import Verdict


def find(site: Site) -> Match | None:
    """The match of a nest, a list or a sum, or None. Raises ``Refused``."""
    if (
        site.loop is None
        and not site.inside
        and (
            found := paired_product(site)
            or listed_product(
                site,
                False,
                "the rows of two matrices are multiplied with each other, a pair at a time",
            )
        )
    ):
        return found
    nest = None if site.inside else filling(site)
    if nest is None:
        return products(site)
    if not any(map(multiplies, nest.filled)):
        return None
    names = listed(f"`{filled.name}`" for filled in nest.filled)
    match = plan(site, nest, nest.filled).match(
        f"{names}: the loops multiply matrices, one element at a time"
    )
    if not any(_sums_twice(one) or one.along or counts(one.term) for one in nest.filled):
        return match
    own = Verdict("partial", "structure", "a step reads all of its own rows, and no others")
    return replace(match, verdicts={**match.verdicts, "locality": own})


def _sums_twice(filled: Filled) -> bool:
    """Whether a cell is a product of three or more: ``x @ a @ y``."""
    return sum(isinstance(node, Reduce) for node in walk(filled.term)) > 1


_NUMPY = """\
import numpy as np


def product(a, b):
    n, k = a.shape
    m = b.shape[1]
    c = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for p in range(k):
                c[i, j] += a[i, p] * b[p, j]
    return c
"""

_NUMPY_AFTER = """\
import numpy as np


def product(a, b):
    n, k = a.shape
    m = b.shape[1]
    c = np.zeros((n, m))
    c += np.matmul(a, b[:k], dtype=c.dtype)
    return c
"""

_LAYER = """\
import torch


def layer(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor):
    batch, inner = x.shape
    (outer,) = bias.shape
    y = torch.empty(batch, outer)
    for b in range(batch):
        for o in range(outer):
            total = bias[o]
            for i in range(inner):
                total = total + x[b, i] * weight[o, i]
            y[b, o] = total
    return torch.relu(y)
"""

_LAYER_AFTER = """\
import torch


def layer(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor):
    batch, inner = x.shape
    (outer,) = bias.shape
    y = torch.empty(batch, outer)
    y[:] = bias + x @ weight[:outer, :inner].T
    return torch.relu(y)
"""

_TILES = """\
import numpy as np


def blocked(a, b, size: int = 32):
    n, k = a.shape
    m = b.shape[1]
    c = np.zeros((n, m), dtype=a.dtype)
    for i0 in range(0, n, size):
        for p0 in range(0, k, size):
            for i in range(i0, min(i0 + size, n)):
                for p in range(p0, min(p0 + size, k)):
                    c[i] += a[i, p] * b[p]
    return c
"""

_TILES_AFTER = """\
import numpy as np


def blocked(a, b, size: int = 32):
    n, k = a.shape
    m = b.shape[1]
    c = np.zeros((n, m), dtype=a.dtype)
    c += a @ b[:k]
    return c
"""

_PAIRED = """\
import torch


def similarity(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    m, d = y.shape
    return (x[:, None] * y[None]).sum(-1)
"""

_PAIRED_AFTER = """\
import torch


def similarity(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    m, d = y.shape
    return x @ y.transpose(-2, -1)
"""

_CASES = "((np.ones((2, 3)), np.arange(12.0).reshape(3, 4)), (np.ones((0, 3)), np.ones((3, 1))))"

REWRITE = Rewrite(
    code="LOC301",
    name="matmul-loops",
    summary="loops over products of elements are one matrix product",
    doc=__doc__,
    properties=("locality",),
    find=find,
    seeks=("loop", "listed", "spread", "tables"),
    inside=True,
    becomes="a @ b, np.matmul, torch.einsum",
    examples=(
        Example("three loops", _NUMPY, _NUMPY_AFTER, _CASES),
        Example(
            "a linear layer", _LAYER, _LAYER_AFTER,
            "((torch.randn(5, 3, requires_grad=True), torch.randn(4, 3, requires_grad=True),"
            " torch.randn(4, requires_grad=True)),)",
        ),
        Example("tiles", _TILES, _TILES_AFTER, _CASES),
        Example("pairs by broadcasting", _PAIRED, _PAIRED_AFTER,
                "((torch.randn(70, 30, requires_grad=True), torch.randn(50, 30)),)"),
    ),
    refused=(
        RefusedExample("products-used", _PAIRED.replace("sum(-1)", "sum(-1), products").replace(
            "    return", "    products = x[:, None] * y[None]\n    return").replace(
            "(x[:, None] * y[None])", "products")),
        RefusedExample("autocast", _PAIRED.replace(
            "    return", "    with torch.autocast('cpu'):\n        return")),
        RefusedExample("gradients", _PAIRED.replace(
            "    return (x[:, None] * y[None])",
            "    with torch.enable_grad():\n        products = x[:, None] * y[None]\n"
            "    return products")),
        RefusedExample("effects", _PAIRED.replace(
            "    return (x[:, None] * y[None])",
            "    products = x[:, None] * y[None]\n    refresh(x)\n    return products")),
        RefusedExample("names", _NUMPY.replace("return c", "return c, p")),
        RefusedExample(
            "aliasing",
            _NUMPY.replace("np.zeros((n, m))", "a[:, :m]"),
        ),
        RefusedExample(
            "integers", _NUMPY.replace("np.zeros((n, m))", "np.zeros((n, m), dtype=int)")
        ),
        RefusedExample(
            "booleans",
            _NUMPY.replace("np.zeros((n, m))", "np.zeros((n, m), dtype=int)").replace(
                "    n, k", "    a = a > 0\n    b = b > 0\n    n, k"),
        ),
    ),
    unmatched=(
        _PAIRED.replace("sum(-1)", "amax(-1)"),
        _PAIRED.replace("* y[None]", "+ y[None]"),
        _PAIRED.replace("x[:, None]", "x").replace("y[None]", "y"),
        _PAIRED.replace(".sum(-1)", ".sum(0)"),
        _PAIRED.replace(".sum(-1)", ".mean(0)"),
        _NUMPY.replace("c[i, j] += a[i, p] * b[p, j]", "c[i, j] = a[i, p] * b[p, j]"),
        _NUMPY.replace("c[i, j] += a[i, p] * b[p, j]", "c[i, j] += a[i, p] + b[p, j]"),
        _NUMPY.replace("c[i, j] += ", "c[i, j] = c[i, j] / 2 + "),
        _NUMPY.replace("c[i, j] += a[i, p]", "c[i, j] += c[i, p]"),
        _NUMPY.replace("a[i, p] * b[p, j]", "a[i, p] * b[p, j]\n                print(c[i, j])"),
    ),
)  # fmt: skip
