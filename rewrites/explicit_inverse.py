"""Products with the inverse of a matrix, as the solution of a system of equations.

Finds the inverse (``inv``, ``inverse``, ``matrix_power(A, -1)``, ``solve(A, eye(n))``) as a
factor of one product: ``inv(A) @ b``, ``b @ inv(A)``, through ``mm``, ``mv``, ``bmm``, ``dot``,
``einsum``, transposes, factors that are numbers and names, of one matrix or of a batch; and between
two factors, ``einsum("ni,ij,nj->n", d, inv(A), d)``.

Legal because ``x = inv(A) b`` is the one solution of ``A x = b``, and ``x = b inv(A)`` that of
``x A = b``. Both start from the same factorisation of A, so a singular matrix raises the same
error.

Pays always: the inverse takes the factorisation (2/3 n^3 operations), n solutions (4/3 n^3) and
then the product; a solution of the factorised system costs as much as the product alone. It is
also the more accurate of the two.

Safe means: equal up to roundings, which an ill-conditioned matrix magnifies in both. Dtypes, errors
and gradients are the same. An inverse that is used for anything else, or is or can be made once for
many products, stays. ``torch.linalg.solve`` reads a right-hand side with one axis less than A as a
batch of vectors where its shape allows that, and takes no vector from the left: where the numbers
of axes are not known the finding says what it assumes, or the fix is unsafe, and where they are
known and that could happen there is none. A product of torch lies in memory row by row, a solution
column by column: ``.contiguous()`` restores that, so that ``.view`` still works.

Sources: Higham, "Accuracy and Stability of Numerical Algorithms" (2nd ed. 2002), section 14.1;
Golub and Van Loan, "Matrix Computations" (4th ed. 2013), section 3.4; the documentation of
``torch.linalg.solve`` and ``numpy.linalg.solve``.
"""

from __future__ import annotations

import ast

from auditor.again.terms import terms
from auditor.arrays.facts import Arrays, leaves
from auditor.arrays.kept_axes import least_axes
from auditor.assumed import assuming
from auditor.expressions.rebound import ReboundRegion
from auditor.expressions.region import Text, text_of
from auditor.expressions.suppositions import cut
from auditor.matrices.inverse_factor import InverseProduct, inverse_in, inverse_product
from auditor.matrices.quadratic import quadratic
from auditor.notation import Apply, Const, Index, Read, Term, Value, walk
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.syntax import called_name, path_of, walks
from auditor.tree import ancestors

_AROUND = (
    ast.For, ast.AsyncFor, ast.While, ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
_UNSUITED = ("float16", "bfloat16")


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    value, node = site.value, site.node
    if site.loop is not None or value is None or node is None or site.statement is None:
        return None
    if value.span != site.lifted.module.span(node) or walks(node):
        return None
    product = inverse_product(value)
    if product is not None:
        return _Region(site).match(value, product)
    form = quadratic(value, lambda term: inverse_in(term) is not None)
    inside = inverse_product(form.product) if form is not None else None
    if form is None or inside is None:
        return None
    return _Region(site).match(form.product, inside, form.far)


class _Region(ReboundRegion):
    """The expression that multiplies with the inverse."""

    def _may_be_made_once(self, made: ast.Call) -> bool:
        """Whether the inverse is the same at every step of a loop around the product."""
        return any(
            self.within(made, one) and not self.within(self.node, one)
            for one in terms(self.lifted).invariants
        )

    def match(self, value: Value, product: InverseProduct, far: Read | None = None) -> Match | None:
        """With ``far`` the product is multiplied with that and summed up along the last axis."""
        site, inverse = self.site, product.inverse.value
        made = self.origin(inverse)
        if not isinstance(made, ast.Call):
            return None  # kept by the object or the module
        if self._around(made) != self._around(self.node):
            return None  # made once for all steps
        if self._may_be_made_once(made):
            return None
        torch = inverse.library == "torch"
        matrix, other = self.say(product.matrix), self.say(product.other.value)
        scale = self._scale(product.scales)
        if matrix is None or other is None or scale is None or not self._whole(product.inverse):
            return None
        if cut(self, product.passed):
            return None
        assumed: list[str] = []
        doubts: list[str] = []
        written = self._solution(value, product, matrix, other, assumed, doubts)
        if written is None:
            return None
        text, imports = self._called(torch, written)
        beside = self.say(far.value) if far is not None else None
        if far is not None and beside is None:
            return None
        if beside is not None:
            text = f"({text} * {beside.multiplied()}).sum(-1)"
        site.require(
            torch or product.other.value.dtype not in _UNSUITED,
            "dtypes",
            "`np.linalg.solve` takes no half precision",
        )
        site.require(
            product.matrix.dtype not in _UNSUITED or not self._of_scipy(made), "dtypes",
            "`np.linalg.solve` takes no half precision",
        )  # fmt: skip
        site.require(not self.autocast(), "autocast", "under autocast a product has another dtype")
        site.require(
            self.same_gradients(product.passed),
            "gradients",
            "the inverse is computed under another `with` block",
        )
        site.require(
            self.steady(product.passed, [matrix]),
            "effects",
            "something in between may change the matrix",
        )
        reads = matrix.reads | other.reads | scale.reads
        reads |= beside.reads if beside is not None else frozenset()
        removal = self.removal({self.node: Text(text, reads)})
        self.require_gone(removal, product.passed, self.node, "inverse-used")
        edits = (self.replace(self.node, f"{scale.text}{text}"), *removal.edits)
        stated = self.lifted.facts.assumptions
        names = dict.fromkeys(
            name for v in (product.matrix, product.other.value) for name in sorted(leaves(v))
        )
        # with a vector the system is the same one
        assumed += [
            self._at_most(product.matrix, name) or stated[name] for name in names
            if name in stated and self.lifted.facts.grounds.get(name) != "product"
        ]  # fmt: skip
        assumed += [
            f"`{name}` has no more axes than what it meets"
            for name in _spread(product.matrix) if name not in stated
        ]  # fmt: skip
        if not torch and product.other.value.dtype is None:
            assumed.append(f"`{other.text}` is of no half or extended precision")
        elif not torch and product.matrix.dtype is None and self._of_scipy(made):
            assumed.append(f"`{matrix.text}` is of no half or extended precision")
        if not torch and self._of_scipy(made):
            assumed.append(f"`{matrix.text}` holds finite numbers, as SciPy's inverse asks")
        if not torch and product.matrix.dtype is None and called_name(made) == "solve":
            assumed.append(f"`{matrix.text}` is of double precision, as the identity is")
        return Match(
            span=site.computation.span,
            message="a matrix is inverted only to multiply with the inverse: solving the system"
            " takes a third of the operations and rounds less",
            computation=site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            imports=imports,
            numerics="conditioned",
            safe=not doubts,
            reason="; ".join(doubts) or assuming(assumed),
        )

    def _at_most(self, matrix: Value, name: str) -> str | None:
        """What is assumed of an array that may be broadcast to the matrix: with more axes than were
        guessed, up to those of the matrix, the system is the same."""
        by_sizes = self.lifted.facts.grounds.get(name) == "sizes"
        reads = [
            term for term in walk(matrix.body)
            if isinstance(term, Read) and term.value.name == name
        ] if matrix.body is not None else []  # fmt: skip
        many = len(matrix.axes)
        spread = all(
            read.value.body is None and 0 < len(read.subs) < many
            and read.subs == matrix.axes[many - len(read.subs) :]
            for read in reads
        )  # fmt: skip
        if not (reads and spread and by_sizes):
            return None
        return f"`{name}` has no more than {many} axes"

    def _whole(self, read: Read) -> bool:
        """Whether all rows and columns of the inverse are read."""
        extent = self.lifted.facts.extent
        pairs = zip(read.subs[::-1], read.value.axes[::-1], strict=False)
        return all(
            not isinstance(sub, Index) or extent(sub.extent) is extent(axis.extent)
            for place, (sub, axis) in enumerate(pairs)
            if place < 2 or not read.aligned
        )

    def _of_scipy(self, call: ast.Call) -> bool:
        """Whether SciPy inverts, which takes half precision."""
        return (path_of(self.module, call.func) or "").startswith("scipy.")

    def _around(self, node: ast.AST) -> list[ast.AST]:
        """The loops and the like that a node stands in."""
        return [at for at in ancestors(node, self.parents) if isinstance(at, _AROUND)]

    # -- which system

    def _solution(
        self, value: Value, product: InverseProduct, matrix: Text, other: Text,
        assumed: list[str], doubts: list[str],
    ) -> tuple[list[str], str] | None:  # fmt: skip
        """The arguments of the call, and what is done with its result."""
        torch = product.inverse.value.library == "torch"
        subs, axes = product.other.subs, value.axes
        rows = self._axes(product.matrix)
        if len(product.matrix.axes) != len(product.inverse.subs) and rows is not None:
            return None
        if subs == (product.inner,) and axes == (*product.batch, product.outer):
            return [self._turned(matrix, rows, product.turned), other.text], ""
        if product.batch and subs == (*product.batch, product.inner):
            if axes != (*product.batch, product.outer) or rows is None:
                return None
            column = other.call(".unsqueeze(-1)" if torch else "[..., None]").text
            left = self._turned(matrix, rows, product.turned)
            return [left, column], ".squeeze(-1)" if torch else "[..., 0]"
        if len(subs) < 2 or len(axes) < 2:
            return None
        if axes[-2] is product.outer:
            return self._from_left(axes, product, matrix, other, assumed, doubts)
        if axes[-1] is product.outer:
            return self._from_right(axes, product, matrix, other, assumed, doubts)
        return None

    def _from_left(
        self, axes: tuple[Index, ...], product: InverseProduct, matrix: Text, other: Text,
        assumed: list[str], doubts: list[str],
    ) -> tuple[list[str], str] | None:  # fmt: skip
        """``A X = B``."""
        torch = product.inverse.value.library == "torch"
        rows, given = self._axes(product.matrix), self._axes(product.other.value)
        right = self._laid(product.other, (*axes[:-2], product.inner, axes[-1]), other)
        if right is None or not self._matched(product.batch, axes):
            return None
        if rows != 2 and rows is not None and given is not None:
            self.site.require(
                given != rows - 1,
                "rank",
                "the right-hand side has one axis less than the matrices, which `solve` may read"
                " as a batch of vectors",
            )
        elif rows is not None and rows != 2:
            doubts.append(
                f"`solve` may read `{other.text}` as a batch of vectors where it has"
                f" {rows - 1} axes"
            )
        elif rows is None and torch:
            doubts.append(
                f"`{matrix.text}` must be one matrix, or `{other.text}` have as many axes: `solve`"
                " may read one axis less as a batch of vectors"
            )
        elif rows is None:
            assumed.append(f"`{matrix.text}` is one matrix, or NumPy is of version 2 or later")
        if not torch and given is not None and given > (rows or 2):
            return None  # it would be factorised again for each
        left = self._turned(matrix, rows, product.turned)
        return [left, right.text], ".contiguous()" if torch and self._seen() else ""

    def _from_right(
        self, axes: tuple[Index, ...], product: InverseProduct, matrix: Text, other: Text,
        assumed: list[str], doubts: list[str],
    ) -> tuple[list[str], str] | None:  # fmt: skip
        """``X A = B``."""
        torch = product.inverse.value.library == "torch"
        rows, given = self._axes(product.matrix), self._axes(product.other.value)
        right = self._laid(product.other, (*axes[:-1], product.inner), other)
        if right is None or not self._matched(product.batch, axes):
            return None
        if torch:
            if rows is not None and rows != 2 and given is not None:
                self.site.require(
                    given != rows - 1,
                    "rank",
                    "the right-hand side has one axis less than the matrices, which `solve` may"
                    " read as a batch of vectors",
                )
            if not self._no_vector(product.other.value, assumed):
                doubts.append(
                    f"`{other.text}` must not be a vector: `solve` takes none from the left"
                )
            elif rows is None and given == 2:
                assumed.append(f"`{matrix.text}` is one matrix")
            left = self._turned(matrix, rows, not product.turned)
            return [left, right.text, "left=False"], ""
        if rows not in (2, None) or given not in (2, None):
            return None
        operands = self.origins.get(product.other.value, [])[:1]
        if any(least_axes(Arrays(self), operand) > 2 for operand in operands):
            return None
        several = [text.text for text, rank in ((matrix, rows), (other, given)) if rank is None]
        assumed += [f"`{text}` has no more than 2 axes" for text in several]
        left = self._turned(matrix, 2, product.turned)
        return [left, _transposed(right)], ".T"

    def _axes(self, value: Value) -> int | None:
        """How many axes an array has, as its shape or an assertion says."""
        known = _rank(value)
        if known is None:
            for node in self.origins.get(value, [])[:1]:
                known = Arrays(self).rank(node)
        return known

    def _no_vector(self, value: Value, assumed: list[str]) -> bool:
        """Whether an array has 2 axes or more for certain, or as the file says outright."""
        facts, known = self.lifted.facts, Arrays(self).rank_of(value)
        if known is not None:
            return known > 1
        if value.body is None and value.name in facts.stated and (_rank(value) or 0) > 1:
            assumed.append(facts.assumptions[value.name])
            return True
        parts = value.body.args if isinstance(value.body, Apply) else ()
        return any(isinstance(p, Read) and self._no_vector(p.value, assumed) for p in parts)

    def _matched(self, batch: tuple[Term, ...], axes: tuple[Index, ...]) -> bool:
        """Whether the matrices' own leading axes are those of the result, from the right."""
        return not batch or axes[:-2][-len(batch) :] == batch

    def _laid(self, read: Read, target: tuple[Index, ...], said: Text) -> Text | None:
        """The right-hand side with its axes as in ``target``."""
        if read.aligned or any(isinstance(sub, Index) and sub.group for sub in read.subs):
            tail = read.subs[-2:]
            lead = read.subs[:-2] == target[:-2] or not read.subs[:-2]
            if lead and tail == target[-2:]:
                return said
            # axes of unknown number before the last
            return said if read.subs == target else None
        return self.arranged(read, target, said)

    def _turned(self, matrix: Text, rank: int | None, turned: bool) -> str:
        if not turned:
            return matrix.text
        return _transposed(matrix) if rank == 2 else matrix.call(".mT").text

    def _seen(self) -> bool:
        """Whether anything but a product of matrices sees how the solution lies in memory."""
        parent = self.parents.get(self.node)
        return not (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult))

    # -- the call

    def _called(
        self, torch: bool, written: tuple[list[str], str]
    ) -> tuple[str, tuple[tuple[str, str | None], ...]]:
        """The call as the file spells its library, and the import that it lacks."""
        arguments, suffix = written
        library = "torch" if torch else "numpy"
        names = {path: name for name, path in self.module.names.items()}
        name = f"{library}.linalg"
        imports: tuple[tuple[str, str | None], ...] = ()
        if f"{library}.linalg" in names:
            name = names[f"{library}.linalg"]
        elif library in names:
            name = f"{names[library]}.linalg"
        else:
            imports = ((library, None),)
        return f"{name}.solve({', '.join(arguments)}){suffix}", imports

    def _scale(self, scales: tuple[Term, ...]) -> Text | None:
        """What stands before the call: nothing, a sign, factors."""
        sign, texts, reads = 1, list[str](), frozenset[str]()
        for scale in scales:
            if isinstance(scale, Const) and scale.value == -1:
                sign = -sign
                continue
            said = self.say(scale.value) if isinstance(scale, Read) else text_of(str(scale))
            if said is None:
                return None
            texts.append(f"{said.multiplied()} * ")
            reads |= said.reads
        return Text(("-" if sign < 0 else "") + "".join(texts), reads)


def _spread(matrix: Value) -> list[str]:
    """The arrays of any number of axes that are added to a matrix, or the like."""
    terms = () if matrix.body is None else walk(matrix.body)
    reads = (term.value for term in terms if isinstance(term, Read) and term.aligned)
    found = (value for value in reads if value.body is None and _rank(value) is None)
    return list(dict.fromkeys(value.name for value in found))


def _transposed(matrix: Text) -> str:
    """A matrix the other way round, which the code may have turned already."""
    text = matrix.call(".T").text
    return text.removesuffix(".T.T") if text.endswith(".T.T") else text


def _rank(value: Value) -> int | None:
    """How many axes; None where that is not known."""
    return None if any(axis.group for axis in value.axes) else len(value.axes)


_BEFORE = """\
import torch


def newton_step(hessian: torch.Tensor, gradient: torch.Tensor, x: torch.Tensor):
    n, _ = hessian.shape
    (n,) = gradient.shape
    inverse = torch.inverse(hessian)
    return x - inverse @ gradient
"""

_AFTER = """\
import torch


def newton_step(hessian: torch.Tensor, gradient: torch.Tensor, x: torch.Tensor):
    n, _ = hessian.shape
    (n,) = gradient.shape
    return x - torch.linalg.solve(hessian, gradient)
"""

_NUMPY = """\
import numpy as np


def ridge(x: np.ndarray, y: np.ndarray, weight: float):
    rows, columns = x.shape
    rows, targets = y.shape
    gram = x.T @ x + weight * np.eye(columns)
    return np.linalg.inv(gram).dot(x.T @ y)
"""

_NUMPY_AFTER = """\
import numpy as np


def ridge(x: np.ndarray, y: np.ndarray, weight: float):
    rows, columns = x.shape
    rows, targets = y.shape
    gram = x.T @ x + weight * np.eye(columns)
    return np.linalg.solve(gram, x.T @ y)
"""

_BATCH = """\
import torch


def gains(covariance: torch.Tensor, seen: torch.Tensor):
    batch, size, _ = seen.shape
    batch, states, size = covariance.shape
    return torch.bmm(covariance, seen.inverse())
"""

_BATCH_AFTER = """\
import torch


def gains(covariance: torch.Tensor, seen: torch.Tensor):
    batch, size, _ = seen.shape
    batch, states, size = covariance.shape
    return torch.linalg.solve(seen, covariance, left=False)
"""

_COLUMNS = """\
import torch


def each(a: torch.Tensor, b: torch.Tensor):
    batch, n, _ = a.shape
    n, columns = b.shape
    return torch.inverse(a) @ b
"""

REWRITE = Rewrite(
    code="RED507",
    name="explicit-inverse",
    summary="a product with an inverse is the solution of a system of equations",
    doc=__doc__,
    properties=("redundancy",),
    find=find,
    seeks=("inverse", ("solution", "identity")),
    becomes="torch.linalg.solve(A, b), np.linalg.solve(A, b)",
    examples=(
        Example(
            "a step of Newton's method",
            _BEFORE,
            _AFTER,
            "((torch.randn(5, 5), torch.randn(5), torch.randn(5)),"
            " (torch.randn(1, 1), torch.randn(1), torch.randn(1)))",
        ),
        Example(
            "normal equations",
            _NUMPY,
            _NUMPY_AFTER,
            "((np.random.rand(9, 4), np.random.rand(9, 2), 0.1),"
            " (np.arange(12).reshape(6, 2) % 5, np.ones((6, 1), dtype=int), 1))",
        ),
        Example(
            "a batch, from the left",
            _BATCH,
            _BATCH_AFTER,
            "((torch.randn(3, 2, 4), torch.randn(3, 4, 4)),"
            " (torch.randn(3, 3, 3), torch.randn(3, 3, 3)))",
        ),
    ),
    refused=(
        RefusedExample("inverse-used", _BEFORE.replace(
            "return x - inverse @ gradient", "return x - inverse @ gradient, inverse")),
        RefusedExample("effects", _BEFORE.replace(
            "    return", "    damp(hessian)\n    return")),
        RefusedExample("autocast", _BEFORE.replace(
            "    inverse = torch.inverse(hessian)\n    return x - inverse @ gradient",
            "    with torch.autocast('cpu'):\n"
            "        return x - torch.inverse(hessian) @ gradient")),
        RefusedExample("gradients", _BEFORE.replace(
            "    inverse = ", "    with torch.no_grad():\n        inverse = ")),
        RefusedExample("dtypes", _NUMPY.replace("x.T @ y)", "(x.T @ y).astype(np.float16))")),
        RefusedExample("rank", _COLUMNS),
    ),
    unmatched=(
        _BEFORE.replace("torch.inverse", "torch.linalg.pinv"),
        _BEFORE.replace("torch.inverse(hessian)", "1 / hessian"),
        _BEFORE.replace("inverse @ gradient", "inverse * gradient"),
        _BEFORE.replace("inverse @ gradient", "inverse[:3] @ gradient"),
        _BEFORE.replace("return x - inverse @ gradient",
                        "for _ in range(3):\n        x = x - inverse @ x\n    return x"),
        _BEFORE.replace("torch.inverse(hessian)", "torch.linalg.matrix_power(hessian, -2)"),
        _AFTER,
    ),
    inside=True,
)  # fmt: skip
