"""Chains of matrix products in the cheapest order.

Finds products of three matrices or more, a vector possibly at either end, spelled with ``@``,
``matmul``, ``mm``, ``mv``, ``dot`` or ``einsum``, in one expression or over several statements,
through transposes. Finds as well products with a matrix that is built of two vectors,
``np.outer(u, v) @ x``, which are two products with vectors, and with a Kronecker product of two
matrices, which are two products with small matrices, or one where the other is an identity;
products with matrices that are built for each sample (``(B[ids] @ A[ids]) @ x[..., None]``);
and ``np.einsum`` of three arrays or more, which NumPy takes in one nest of loops over all indices
unless it is asked to ``optimize``.

Legal because the product is associative: a sum of products over two indices may be taken over
either index first.

Pays by the multiplications saved: ``(A @ B) @ v`` multiplies matrices where ``A @ (B @ v)`` only
multiplies matrices with vectors. The fix is made where another order is cheaper whatever the
extents are (from 2 up), or where the code states them or makes inputs of such sizes
(``get_inputs``); where it depends on extents that the code leaves open, nothing is said.

Safe means: equal up to the order of roundings, gradients included. Factors of different dtypes are
refused, since each product rounds or wraps in its own; so is a product that other code uses.

Sources: Godbole, "On Efficient Computation of Matrix Chain Products" (1973); Cormen, Leiserson,
Rivest and Stein, "Introduction to Algorithms", section 15.2.
"""

from __future__ import annotations

from auditor.algebra.chains import Chain, Factor, Order, at_size, chain, cost, orders, saves
from auditor.arrays.facts import leaves
from auditor.arrays.stated_sizes import measured
from auditor.assumed import assuming
from auditor.expressions.region import ExpressionRegion, Text
from auditor.matrices.at_once import at_once
from auditor.matrices.built import kronecker
from auditor.matrices.in_batches import in_batches
from auditor.matrices.rank_one import rank_one
from auditor.notation import Read, definition
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site

_TYPICAL = 64


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    if site.loop is not None or site.value is None or site.statement is None:
        return None
    if site.node is None or site.value.span != site.lifted.module.span(site.node):
        return None
    found = chain(site.value)
    if found is None:
        return rank_one(site) or kronecker(site) or at_once(site) or in_batches(site)
    better = _cheapest(site, found)
    if better is None:
        return at_once(site)
    return _Region(site).match(found, better)


def _cheapest(site: Site, found: Chain) -> Order | None:
    """The order that certainly saves most, or None."""
    extents = [measured(site.lifted, extent) for extent in found.extents()]
    now = cost(found.order, extents)
    costs = {order: cost(order, extents) for order in orders(0, len(found.factors) - 1)}
    better = [order for order, other in costs.items() if saves(now, other)]
    return min(better, key=lambda order: at_size(costs[order], _TYPICAL), default=None)


class _Region(ExpressionRegion):
    """The expression that multiplies the chain's last two parts."""

    def match(self, found: Chain, order: Order) -> Match | None:
        site, texts = self.site, []
        if any(self.origin(product) is None for product in found.products):
            return None  # a loop fills it, and goes on to do so
        site.require(self._same_dtypes(found), "dtypes", "its factors may be of several dtypes")
        for factor in found.factors:
            text = self._said(factor)
            if text is None:
                return None
            texts.append(text)
        site.require(
            self.same_gradients(found.products),
            "gradients",
            "a part of it is computed under another `with` block",
        )
        site.require(
            self.steady(found.products, texts),
            "effects",
            "something in between may change a factor",
        )
        reads = frozenset().union(*(text.reads for text in texts))
        written = Text(_written(order, texts), reads, False, False)
        removal = self.removal({self.node: written})
        self.require_gone(removal, found.products, self.node, "product-used")
        if site.inside and removal.edits:
            return None
        edits = (self.replace(self.node, written.text), *removal.edits)
        return Match(
            span=site.computation.span,
            message=f"this product of {len(texts)} factors is cheaper in another order",
            computation=site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            reason=self._reason(found),
        )

    def _same_dtypes(self, found: Chain) -> bool:
        """Whether no product is taken in a dtype that the others are not: torch multiplies nothing
        else, NumPy may multiply integers (which wrap) before floats."""
        values = [factor.read.value for factor in found.factors]
        dtypes = {value.dtype for value in values}
        if len(dtypes) == 1 or self.tensors(values):
            return True
        return len(dtypes - {None}) == 1 and dtypes <= {None, "float64", "complex128"}

    def _said(self, factor: Factor) -> Text | None:
        text = self.say(factor.read.value)
        if not factor.transposed:
            return text
        plain = definition(factor.read)
        if isinstance(plain, Read) and plain.subs == (factor.row, factor.column):
            said = self.say(plain.value)
            if said is not None:
                return said
        return text.call(".T") if text is not None else None

    def _reason(self, found: Chain) -> str | None:
        """What the ranks and dtypes of the factors rest on where the code does not settle them."""
        stated = self.lifted.facts.assumptions
        names = dict.fromkeys(
            name for factor in found.factors for name in sorted(leaves(factor.read.value))
        )
        sentences = [stated[name] for name in names if name in stated]
        values = [factor.read.value for factor in found.factors]
        if not self.tensors(values) and all(value.dtype is None for value in values):
            sentences.append("the factors have one dtype")
        return assuming(sentences)


def _written(order: Order, texts: list[Text]) -> str:
    if isinstance(order, int):
        return texts[order].multiplied()
    left, right = (_written(part, texts) for part in order)
    return f"{left} @ {right}" if isinstance(order[1], int) else f"{left} @ ({right})"


_BEFORE = """\
import torch


def project(a, b, x: torch.Tensor):
    (rows, inner), (_, columns) = a.shape, b.shape
    batch, _ = x.shape
    v = x.mean(dim=0)
    return (a @ b) @ v
"""

_AFTER = """\
import torch


def project(a, b, x: torch.Tensor):
    (rows, inner), (_, columns) = a.shape, b.shape
    batch, _ = x.shape
    v = x.mean(dim=0)
    return a @ (b @ v)
"""

_NORMAL_BEFORE = """\
import numpy as np


def step(w: np.ndarray, x: np.ndarray, y: np.ndarray, rate: float):
    rows, columns = x.shape
    (columns,) = w.shape
    gram = np.dot(x.T, x)
    slope = np.dot(gram, w) - x.T @ y
    return w - rate * slope
"""

_NORMAL_AFTER = """\
import numpy as np


def step(w: np.ndarray, x: np.ndarray, y: np.ndarray, rate: float):
    rows, columns = x.shape
    (columns,) = w.shape
    slope = x.T @ (x @ w) - x.T @ y
    return w - rate * slope
"""

_OUTER = """\
import torch


def reflect(v: torch.Tensor, x: torch.Tensor):
    return x - 2 * torch.outer(v, v) @ x
"""

_OUTER_AFTER = """\
import torch


def reflect(v: torch.Tensor, x: torch.Tensor):
    return x - 2 * v[:, None] @ (v[None] @ x)
"""

_KRONECKER = """\
import torch


def mixed(a: torch.Tensor, b: torch.Tensor, x: torch.Tensor):
    m, n = a.shape
    p, q = b.shape
    return x @ torch.kron(a, b)
"""

_KRONECKER_AFTER = """\
import torch


def mixed(a: torch.Tensor, b: torch.Tensor, x: torch.Tensor):
    m, n = a.shape
    p, q = b.shape
    return (a.T @ (x.reshape(*x.shape[:-1], a.shape[0], b.shape[0]) @ b)).reshape(
        *x.shape[:-1], a.shape[1] * b.shape[1]
    )
"""

_SAMPLES = """\
import torch


def adapted(x: torch.Tensor, a: torch.Tensor, b: torch.Tensor, ids: torch.Tensor):
    n, d = x.shape
    (n,) = ids.shape
    (k, r, d), (_, o, _) = a.shape, b.shape
    weights = torch.bmm(b[ids], a[ids])
    return torch.einsum("nod,nd->no", weights, x)
"""

_SAMPLES_AFTER = """\
import torch


def adapted(x: torch.Tensor, a: torch.Tensor, b: torch.Tensor, ids: torch.Tensor):
    n, d = x.shape
    (n,) = ids.shape
    (k, r, d), (_, o, _) = a.shape, b.shape
    return torch.einsum("abc,ac->ab", b[ids], torch.einsum("acd,ad->ac", a[ids], x))
"""

REWRITE = Rewrite(
    code="ASC112",
    name="contraction-order",
    summary="a chain of matrix products is taken in its cheapest order",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("products", ("distances", "product"), ("spread", "product")),
    becomes="a @ (b @ v)",
    examples=(
        Example(
            "two matrices and a vector",
            _BEFORE,
            _AFTER,
            "(torch.randn(5, 3), torch.randn(3, 7), torch.randn(4, 7))",
        ),
        Example(
            "a Kronecker product",
            _KRONECKER,
            _KRONECKER_AFTER,
            "(torch.randn(3, 2), torch.randn(4, 5), torch.randn(7, 12)),"
            " (torch.randn(3, 2), torch.randn(4, 5), torch.randn(12))",
        ),
        Example(
            "a matrix of two vectors",
            _OUTER,
            _OUTER_AFTER,
            "(torch.randn(5), torch.randn(5)), (torch.randn(5), torch.randn(3, 5, 2))",
        ),
        Example(
            "a matrix for each sample",
            _SAMPLES,
            _SAMPLES_AFTER,
            "(torch.randn(3, 5), torch.randn(4, 2, 5), torch.randn(4, 6, 2),"
            " torch.tensor([3, 0, 3])),",
        ),
        Example(
            "normal equations",
            _NORMAL_BEFORE,
            _NORMAL_AFTER,
            "(np.random.rand(4), np.random.rand(6, 4), np.random.rand(6), 0.1)",
        ),
    ),
    refused=(
        RefusedExample("product-used", _NORMAL_BEFORE.replace("return w", "return gram, w")),
        RefusedExample(
            "gradients",
            _BEFORE.replace(
                "    return (a @ b) @ v",
                '    with torch.autocast("cpu"):\n        c = a @ b\n    return c @ v',
            ),
        ),
        RefusedExample(
            "effects",
            _BEFORE.replace(
                "    return (a @ b) @ v", "    c = a @ b\n    x.zero_()\n    return c @ v"
            ),
        ),
        RefusedExample("product-used", _SAMPLES.replace("weights, x)", "weights, x), weights")),
        RefusedExample("dtypes", _NORMAL_BEFORE.replace("x.T, x)", "x.T, x.astype(np.int8))")),
    ),
    unmatched=(
        _BEFORE.replace("(a @ b) @ v", "a @ (b @ v)"),
        _BEFORE.replace("(a @ b) @ v", "(a * b) @ v"),
        _BEFORE.replace("(a @ b) @ v", "torch.relu(a @ b) @ v"),
        _BEFORE.replace("(a @ b) @ v", "(a @ b) @ x.T"),
        _OUTER.replace("outer(v, v) @", "outer(v, v) *"),
        _SAMPLES.replace("bmm(b[ids], a[ids])", "bmm(b[ids], a[ids]).tanh()"),
        _SAMPLES.replace("nd->no", "nd->on"),
        _SAMPLES_AFTER,
        _OUTER.replace("torch.outer(v, v) @", "(torch.outer(v, v) + 1) @"),
    ),
    inside=True,
)
