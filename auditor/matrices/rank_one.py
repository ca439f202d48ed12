"""Products with a matrix that is a column times a row, which need not be built.

(u v') x = u (v' x)        x (u v') = (x u) v'
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.arrays.facts import leaves
from auditor.assumed import assuming
from auditor.expressions.region import ExpressionRegion, Text
from auditor.matrices.outer import Outer, vectors_of
from auditor.notation import Const, Read, Value
from auditor.rewrite import Match, Site
from auditor.syntax import path_of

_PRODUCTS = ("torch.matmul", "torch.mm", "torch.mv", "numpy.matmul", "numpy.dot")
_GAINS = {"any": 2.0}
"""A vector gains more, by the number of its places; stacks of large matrices gain the least."""

_METHODS = ("dot", "matmul", "mm", "mv")


@dataclass(frozen=True)
class _Product:
    """``left @ right``; ``dotted`` says that it is NumPy's ``dot``, which puts axes elsewhere."""

    left: ast.expr
    right: ast.expr
    dotted: bool


def rank_one(site: Site) -> Match | None:
    """The match of a product with an outer product. Raises ``Refused``."""
    if site.node is None or site.statement is None or site.value is None:
        return None
    region = _Region(site)
    product = _product(region)
    if product is None:
        return None
    for node, other in ((product.left, product.right), (product.right, product.left)):
        matrix, factor = region.values.get(node), region.values.get(other)
        if isinstance(matrix, Value) and isinstance(factor, Value):
            found = vectors_of(matrix)
            if found is not None and factor.axes:
                return region.match(product, matrix, found, factor)
    return None


def _product(region: ExpressionRegion) -> _Product | None:
    node = region.node
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return _Product(node.left, node.right, False)
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    path = path_of(region.module, node.func)
    if path in _PRODUCTS and len(node.args) == 2:
        return _Product(node.args[0], node.args[1], path.endswith("dot"))
    if path is None and isinstance(node.func, ast.Attribute) and len(node.args) == 1:
        if node.func.attr in _METHODS:
            return _Product(node.func.value, node.args[0], node.func.attr == "dot")
    return None


class _Region(ExpressionRegion):
    """The product that an outer product is a factor of."""

    def match(self, product: _Product, matrix: Value, outer: Outer, factor: Value) -> Match | None:
        site, (column, row) = self.site, (outer.column, outer.row)
        assert isinstance(column, Value) and isinstance(row, Value) and site.value is not None
        left = self.values.get(product.left) is matrix
        texts = [self.say(column), self.say(row), self.say(factor)]
        scales = [self._scale(term) for term, _ in outer.scales]
        tensors, numpy = self._library([column, row, factor, matrix])
        if any(text is None for text in (*texts, *scales)) or not (tensors or numpy):
            return None
        if self.autocast():  # it casts products of matrices, and no others
            return None
        u, v, x = (text for text in texts if text is not None)
        values = [column, row, factor]
        known = {value.dtype for value in values}
        told = known - {None}
        same = known == told and len(told) == 1
        widest = tensors or not told or known <= {None, "float64", "complex128"}
        site.require(
            same or (len(told) < 2 and widest), "dtypes", "its factors may be of several dtypes"
        )
        site.require(
            self.same_gradients([matrix]), "gradients", "a part of it is under another `with` block"
        )
        held = [text for text in (*texts, *scales) if text is not None]
        site.require(
            self.steady([matrix], held), "effects", "something in between may change a factor"
        )
        said = self._said(product, left, factor, (u, v, x), tensors)
        if said is None:
            return None
        said = " * ".join([*(text.multiplied() for text in scales if text is not None), said])
        reads = frozenset[str]().union(*(text.reads for text in held))
        written = Text(said, reads, False, False)
        removal = self.removal({self.node: written})
        self.require_gone(removal, [matrix], self.node, "product-used")
        if site.inside and removal.edits:
            return None
        names = dict.fromkeys(name for value in values for name in sorted(leaves(value)))
        stated = self.lifted.facts.assumptions
        reasons = [stated[name] for name in names if name in stated]
        if not same:
            reasons.append("the factors have one dtype")
        return Match(
            span=site.computation.span,
            message="a matrix is built of two vectors and multiplied: two products with vectors",
            computation=site.computation,
            edits=tuple(sorted((self.replace(self.node, said), *removal.edits))),
            reason=assuming(reasons),
            gains=_GAINS,
            counted=True,
        )

    def _library(self, values: list[Value]) -> tuple[bool, bool]:
        """Whether they are tensors, and whether they are arrays of NumPy."""
        numpy = self.module.library == "numpy" or any(v.library == "numpy" for v in values)
        return self.tensors(values), numpy

    def _scale(self, term: object) -> Text | None:
        if isinstance(term, Const):
            return Text(repr(term.value))
        return self.say(term.value) if isinstance(term, Read) and not term.subs else None

    def _said(
        self, product: _Product, left: bool, x: Value, texts: tuple[Text, Text, Text], tensors: bool
    ) -> str | None:
        """The two products. An array of unknown axes may be a vector, or a stack of matrices."""
        u, v, other = texts
        rank = None if any(axis.group for axis in x.axes) else len(x.axes)
        if not left:
            inner = f"({other.multiplied()} @ {u.multiplied()})"
            return f"{inner} * {v.text}" if rank == 1 else f"{inner}[..., None] * {v.text}"
        if rank == 1:
            return f"{u.multiplied()} * ({v.multiplied()} @ {other.multiplied()})"
        if product.dotted and not tensors:
            numpy = next((n for n, path in self.module.names.items() if path == "numpy"), None)
            inner = f"{v.dotted()}.dot({other.text})"
            return f"{numpy}.multiply.outer({u.text}, {inner})" if numpy is not None else None
        column, row = f"{u.dotted()}[:, None]", f"{v.dotted()}[None]"
        return f"{column} @ ({row} @ {other.multiplied()})"
