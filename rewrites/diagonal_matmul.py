"""Products with a diagonal matrix, as a multiplication element by element.

Finds a diagonal matrix (``diag``, ``diag_embed``, ``diagflat``, an identity times a vector or a
number, zeros or an identity whose diagonal was written) as a factor of a product: ``diag(v) @ A``,
``A @ diag(v)``, through ``mm``, ``dot``, ``einsum``, ``F.linear``, transposes and names, of one
matrix or of a batch.

Legal because of each sum only the term on the diagonal is not zero: ``(diag(v) A)[i, j] = v[i]
A[i, j]`` scales the rows of A, ``(A diag(v))[i, j] = A[i, j] v[j]`` its columns.

Pays always: n^2 multiplications instead of n^3, and no matrix of zeros.

Safe means: the same numbers; the sums that are saved add zeros. Only where A holds an infinity or
NaN the product is NaN in the whole row or column (zero times infinity) and this is not. Where
nothing says that A is no vector, scaling its rows is unsafe.

Sources: Golub and Van Loan, "Matrix Computations" (4th ed. 2013), section 1.2.7.
"""

from __future__ import annotations

import ast
import math
from dataclasses import replace

from auditor.arrays.facts import Arrays, leaves
from auditor.arrays.overwritten import written_after
from auditor.arrays.strides import as_stacked
from auditor.assumed import assuming
from auditor.expressions.rebound import ReboundRegion
from auditor.expressions.region import Text, text_of
from auditor.expressions.removal import Removal
from auditor.expressions.suppositions import cut, taken_rank, vector_perhaps
from auditor.lift.dtypes import kind_of
from auditor.matrices.placed import Picked, picked
from auditor.notation import ONE, Apply, Const, Index, Read, Term, Value
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.syntax import walks


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    value, node = site.value, site.node
    if site.loop is not None or value is None or node is None or site.statement is None:
        return None
    if value.span != site.lifted.module.span(node) or walks(node):
        return None
    found = picked(value)
    if found is None or not isinstance(found.placed.place, Index):
        return None
    return _Region(site).match(value, found)


class _Region(ReboundRegion):
    """The expression that multiplies with the diagonal matrix."""

    def match(self, value: Value, found: Picked) -> Match | None:
        site, place, weight = self.site, found.placed.place, found.placed.weight
        kept = isinstance(weight, Apply) and weight.op.startswith("cast:")
        if kept and isinstance(weight, Apply):
            (weight,) = weight.args  # written into an array, which keeps its dtype
        weight = self._bare(weight)
        if _is_number(weight, found.placed.scaled) and self._whole(found) and place in value.axes:
            return self._same_number(value, found, weight)
        if not isinstance(weight, Read) or place not in value.axes:
            return None
        if weight.subs[-1:] != (place,) or not self._whole(found):
            return None
        if cut(self, [v for v in found.placed.passed if v is not weight.value]):
            return None
        if len(weight.subs) < 3 and taken_rank(self, weight.value):
            return None  # a matrix times an identity is its own diagonal
        if weight.aligned and weight.subs.count(place) > 1:
            return None  # a vector along either axis, or a matrix
        scales, other = self._scales(weight, place), self.say(found.other.value)
        if scales is None or other is None:
            return None
        read = Read(found.other.value, found.chosen, found.other.aligned)
        matrix = self.arranged(read, value.axes, other)
        behind = len(value.axes) - value.axes.index(place) - 1
        column = self._column(weight, value.axes, behind)
        if matrix is None or behind > 1 or column is None:
            return None
        array = self._array(weight.value) or (not behind and self._array(found.other.value))
        numpy = not self.tensors([weight.value, found.other.value, *found.placed.passed])
        passed = [v for v in found.placed.passed if v is not weight.value]
        self._conditions(found, passed, [scales])
        site.require(
            numpy or not written_after(site, [weight.value]),
            "written",
            "the diagonal is changed in place later, which the backward pass would need",
        )
        text: str | None = self._written(scales, column, matrix, behind)
        if numpy and (found.placed.scaled or kept) and not self._made_alike(found, weight.value):
            made = found.placed.passed[-1].dtype
            known = made if made in ("float32", "float16") else "another type"
            site.require(made == "float64", "cast", f"the diagonal matrix is made as {known}")
            if not self._doubles(weight, found.other):
                text = self._doubled(scales, column, matrix)
        if text is None:
            return None
        removal = self.removal({self.node: Text(text, scales.reads | other.reads)})
        doubt = None if array else f"whether `{scales.text}` is an array is not known"
        if behind and vector_perhaps(self, found.other.value):
            doubt = f"`{other.text}` must not be a vector"
        stated = self.lifted.facts.assumptions
        assumed = [stated[name] for name in sorted(leaves(weight.value)) if name in stated]
        if not behind and column and vector_perhaps(self, found.other.value):
            more = [stated[name] for name in sorted(leaves(found.other.value)) if name in stated]
            assumed += [sentence for sentence in more if sentence not in assumed]
        if weight.subs == (place, place) and not self._square(weight.value):
            assumed.append(f"`{scales.text.removesuffix('.diagonal()')}` is square")
        if kept and not numpy and weight.value.dtype != found.placed.passed[-1].dtype:
            assumed.append(f"`{scales.text}` has the dtype of what it is written into")
        return self._match(text, removal, doubt, assumed)

    def _bare(self, weight: Term) -> Term:
        """What is read, without the axes of length one that were put in."""
        while isinstance(weight, Read) and any(a.extent is ONE for a in weight.value.axes):
            inner = self.behind(weight)
            if not isinstance(inner, Read):
                break
            weight = inner
        return weight

    def _match(self, text: str, removal: Removal, doubt: str | None, assumed: list[str]) -> Match:
        edits = (self.replace(self.node, text), *removal.edits)
        return Match(
            span=self.site.computation.span,
            message="a diagonal matrix is multiplied as a full one: all but the diagonal is zero",
            computation=self.site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            safe=doubt is None,
            reason=doubt or assuming(assumed),
        )

    def _conditions(self, found: Picked, passed: list[Value], said: list[Text]) -> None:
        site = self.site
        site.require(
            found.placed.cast is None,
            "cast",
            "the diagonal matrix is converted to another dtype",
        )
        site.require(not self.autocast(), "autocast", "under autocast a product has another dtype")
        site.require(
            self.same_gradients(passed),
            "gradients",
            "the diagonal matrix is made under another `with` block",
        )
        site.require(
            self.steady(passed, said), "effects", "something in between may change the diagonal"
        )

    def _same_number(self, value: Value, found: Picked, weight: Term) -> Match | None:
        """One number on all of the diagonal: the other factor times that number."""
        read = Read(found.other.value, found.chosen, found.other.aligned)
        other, number = self.say(found.other.value), self._said(weight)
        matrix = self.arranged(read, value.axes, other) if other is not None else None
        if other is None or matrix is None or not self._array(found.other.value):
            return None
        if number is None or cut(self, found.placed.passed):
            return None
        same = self._keeps_dtype(found) if found.placed.scaled else self._of_one_dtype(found)
        if not same and not (found.placed.scaled and found.placed.passed[-1].dtype == "float64"):
            return None
        self._conditions(found, list(found.placed.passed), [number])
        text: str | None = self._around(f"{number.multiplied()} * {matrix.multiplied()}")
        if not same:
            text = self._doubled(number, "", matrix)
        if text is None:
            return None
        removal = self.removal({self.node: Text(text, number.reads | other.reads)})
        return self._match(text, removal, None, [])

    def _said(self, weight: Term) -> Text | None:
        """A number as code, but for one: the product with an identity is a copy."""
        if isinstance(weight, Read):
            return self.say(weight.value)
        return None if weight is ONE else text_of(str(weight))

    def _of_one_dtype(self, found: Picked) -> bool:
        """Whether both factors have the floating dtype of the array that a number is written to."""
        made, other = found.placed.passed[-1].dtype, found.other.value.dtype
        if made is None or kind_of(made) < 2:
            return False
        tensors = self.tensors([found.other.value, *found.placed.passed])
        return found.placed.passed[0].dtype == made if tensors else other == made

    def _keeps_dtype(self, found: Picked) -> bool:
        """Whether a number times the other factor has the dtype of the product. It has where both
        factors are of one dtype: only such tensors can be multiplied."""
        made, other = found.placed.passed[-1].dtype, found.other.value
        alike = made is not None and made in (other.dtype, f"like {other.uid}")
        return alike or self.tensors([other, *found.placed.passed])

    def _whole(self, found: Picked) -> bool:
        """Whether the place runs over all of the rows or columns that are summed over."""
        extent, place = self.lifted.facts.extent, found.placed.place
        assert isinstance(place, Index)
        return extent(place.extent) is extent(found.inner.extent)

    def _square(self, matrix: Value) -> bool:
        """Whether a matrix has as many columns as rows by more than an identity that it met, which
        one row or column passes as well."""
        return all(self.lifted.facts.certain(axis.extent) for axis in matrix.axes[-2:])

    def _scales(self, weight: Read, place: Index) -> Text | None:
        """What stands on the diagonal, as code: of a matrix times an identity its own diagonal."""
        said = self.say(weight.value)
        if said is None or weight.subs != (place, place):
            return said
        return replace(said, text=f"{said.dotted()}.diagonal()")

    def _column(self, weight: Read, axes: tuple[Index, ...], behind: int) -> str | None:
        """What lays the diagonals along the axes of the result; None where that is no broadcast."""
        subs = tuple(dict.fromkeys(weight.subs))
        lead, before = subs[:-1], axes[: len(axes) - behind - 1]
        if not lead:
            return "[:, None]" if behind else ""
        if lead == before[len(before) - len(lead) :]:
            return "[..., None]" if behind else ""
        between = before[len(before) - len(lead) - 1 : -1]
        return "[..., None, :]" if not behind and lead == between else None

    def _array(self, value: Value) -> bool:
        """Whether a value is certainly an array: NumPy's functions take lists as well."""
        if value.body is not None or self.tensors([value]):
            return True
        return any(map(Arrays(self).certain, self.origins.get(value, [])[:1]))

    def _made_alike(self, found: Picked, diagonal: Value) -> bool:
        """Whether the matrix was made in the dtype of its diagonal."""
        made = found.placed.passed[-1].dtype
        return made is not None and made in (diagonal.dtype, f"like {diagonal.uid}")

    def _doubles(self, weight: Read, other: Read) -> bool:
        return "float64" in (weight.value.dtype, other.value.dtype)

    def _written(self, scales: Text, column: str, matrix: Text, behind: int) -> str:
        """The scaled rows or columns, in brackets where something binds as tight."""
        scale = f"{scales.dotted()}{column}" if column else scales.multiplied()
        return self._around(
            f"{scale} * {matrix.multiplied()}" if behind else f"{matrix.multiplied()} * {scale}"
        )

    def _doubled(self, scales: Text, column: str, matrix: Text) -> str | None:
        """The scaled rows or columns in the precision of an identity matrix, which is double."""
        numpy = next((n for n, p in self.module.names.items() if p == "numpy"), None)
        if numpy is None:
            return None
        scale = f"{scales.dotted()}{column}" if column else scales.text
        dtype = f"{numpy}.result_type({scales.text}, {matrix.text}, float)"
        return f"{numpy}.multiply({scale}, {matrix.text}, dtype={dtype})"

    def _value(self) -> list[Value]:
        return [self.site.value] if self.site.value is not None else []

    def _around(self, text: str) -> str:
        """A product, in brackets where something binds as tight; laid out anew, as a product of
        matrices is, where anything depends on that."""
        if self.tensors(self._value()):
            laid = as_stacked(self.lifted, self.node, text)
            if laid != text:
                return laid
        parent, span = self.parents.get(self.node), self.module.span(self.node)
        if isinstance(self.node, ast.BinOp):
            product = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult)
            bare = self.without_brackets(self.node) == span
            return f"({text})" if product and bare else text
        tight = isinstance(parent, (ast.Attribute, ast.Subscript, ast.UnaryOp, ast.BinOp))
        return f"({text})" if tight else text


def _is_number(weight: Term, scaled: bool) -> bool:
    """Whether a weight is one number; what is computed of others only where it ``scaled``."""
    if isinstance(weight, Const):
        if not isinstance(weight.value, (int, float)) or isinstance(weight.value, bool):
            return False
        return math.isfinite(weight.value)
    return scaled and isinstance(weight, Read) and not weight.value.axes


_BEFORE = """\
import torch


def scaled(a: torch.Tensor, weights: torch.Tensor):
    rows, columns = a.shape
    (rows,) = weights.shape
    return torch.diag(weights) @ a
"""

_AFTER = """\
import torch


def scaled(a: torch.Tensor, weights: torch.Tensor):
    rows, columns = a.shape
    (rows,) = weights.shape
    return weights[:, None] * a
"""

_GRAPH = """\
import numpy as np


def normalised(adjacency: np.ndarray):
    nodes, _ = adjacency.shape
    degrees = adjacency.sum(axis=1)
    inverse = np.diag(1 / degrees)
    return np.dot(inverse, adjacency)
"""

_GRAPH_AFTER = """\
import numpy as np


def normalised(adjacency: np.ndarray):
    nodes, _ = adjacency.shape
    degrees = adjacency.sum(axis=1)
    return (1 / degrees)[:, None] * adjacency
"""

_BATCH = """\
import torch


def spread(basis: torch.Tensor, spectrum: torch.Tensor):
    batch, modes = spectrum.shape
    batch, size, modes = basis.shape
    return torch.bmm(basis, torch.diag_embed(spectrum))
"""

_BATCH_AFTER = """\
import torch


def spread(basis: torch.Tensor, spectrum: torch.Tensor):
    batch, modes = spectrum.shape
    batch, size, modes = basis.shape
    return basis * spectrum[..., None, :]
"""

_EYE = """\
import numpy as np


def damped(a: np.ndarray, v: np.ndarray):
    n, m = a.shape
    (n,) = v.shape
    return (np.eye(n) * v) @ a
"""

_EYE_AFTER = """\
import numpy as np


def damped(a: np.ndarray, v: np.ndarray):
    n, m = a.shape
    return np.multiply(v[:, None], a, dtype=np.result_type(v, a, float))
"""

REWRITE = Rewrite(
    code="SPA402",
    name="diagonal-matmul",
    summary="a product with a diagonal matrix is a multiplication element by element",
    doc=__doc__,
    properties=("sparsity",),
    find=find,
    seeks=("diagonal", "identity", "cells"),
    becomes="v[:, None] * A, A * v",
    examples=(
        Example("scaled rows", _BEFORE, _AFTER,
                "((torch.randn(3, 4), torch.randn(3)), (torch.randn(1, 1), torch.randn(1)))"),
        Example("a normalised graph", _GRAPH, _GRAPH_AFTER,
                "((np.random.rand(4, 4),), (np.ones((1, 1)),))"),
        Example("an identity times a vector", _EYE, _EYE_AFTER,
                "((np.random.rand(3, 4), np.random.rand(3)),"
                " (np.ones((2, 1), np.float32), np.arange(2)))"),
        Example("a batch", _BATCH, _BATCH_AFTER,
                "((torch.randn(2, 3, 4), torch.randn(2, 4)),"
                " (torch.randn(3, 3, 3), torch.randn(3, 3)))"),
    ),
    refused=(
        RefusedExample("cast", _BEFORE.replace("(weights) @", "(weights).double() @")),
        RefusedExample("cast", _EYE.replace("np.eye(n)", "np.eye(n, dtype=np.float32)")),
        RefusedExample("gradients", _BEFORE.replace(
            "    return torch.diag(weights) @ a",
            "    with torch.autocast('cpu'):\n        d = torch.diag(weights)\n    return d @ a")),
        RefusedExample("autocast", _BEFORE.replace(
            "    return", "    with torch.autocast('cpu'):\n        return")),
        RefusedExample("effects", _BEFORE.replace(
            "    return torch.diag(weights) @ a",
            "    d = torch.diag(weights)\n    refresh(weights)\n    return d @ a")),
        RefusedExample("written", _BEFORE.replace(
            "    return torch.diag(weights) @ a",
            "    out = torch.diag(weights) @ a\n    weights.mul_(0.5)\n    return out")),
    ),
    unmatched=(
        _BEFORE.replace("@ a", "* a"),
        _BEFORE.replace("torch.diag(weights)", "(torch.diag(weights) + 1)"),
        _BEFORE.replace("torch.diag(weights)", "torch.diag(weights, 1)"),
        _BEFORE.replace("torch.diag(weights)", "torch.diag(weights)[:2]"),
        _BEFORE.replace("(rows,) = weights", "rows, rows = weights"),
        _AFTER,
    ),
    inside=True,
)  # fmt: skip
