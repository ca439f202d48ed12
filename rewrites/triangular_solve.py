"""Triangular systems that are solved row by row, as one call.

Finds forward and backward substitution into an array that was just made: loops over the rows, from
the first or from the last, of which each takes from its right side what the rows before contribute
(``L[i, :i] @ y[:i]``, ``np.dot``, a sum of products, a loop of its own) and divides by the
diagonal, or does not, where that is all ones.

Legal because the rows that a step reads are solved: what it computes is the one number that fulfils
its equation.

Pays always: n products in the interpreter, or n^2 / 2 steps, become one call of a blocked solver.

Safe means: equal up to roundings. An element on the diagonal that is zero gives infinity or NaN in
the loop; SciPy raises an error, which is assumed not to happen. NumPy has no such solver: where the
file does not import SciPy the fix is unsafe. What is solved into holds floating-point numbers,
which is said where nothing shows it.

Sources: Golub and Van Loan, "Matrix Computations" (4th ed. 2013), section 3.1; the documentation of
``scipy.linalg.solve_triangular`` and ``torch.linalg.solve_triangular``.
"""

from __future__ import annotations

import ast

from auditor.arrays.facts import Arrays
from auditor.assumed import assuming, has_axes, listed
from auditor.matrices.substitution import Substitution, substitution
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region
from auditor.syntax import mentions, path_of
from auditor.verdict import Verdict

_MADE = frozenset(("zeros", "empty", "ones", "zeros_like", "empty_like", "ones_like"))
_MESSAGE = "a triangular system is solved row by row: one call solves it in blocks"


def find(site: Site) -> Match | None:
    """The match of a loop, or None. Raises ``Refused``."""
    if site.loop is None or not isinstance(site.loop.node, ast.For):
        return None
    loop = site.loop.node
    found = substitution(site.lifted.module, loop)
    if found is None:
        return None
    region = Region(site.lifted)
    arrays = Arrays(region)
    made = _made(region, found.solved, loop)
    library = arrays.library(found.matrix) or region.module.library
    if made is None or (arrays.library(found.given) or region.module.library) != library:
        return None
    site.require(
        library != "torch" or not found.in_place,
        "aliasing",
        "a row of the right side is a view, which the steps change",
    )
    later = [name for name in sorted(found.names) if not region.unread(name, (loop,), loop)]
    site.require(not later, "names", f"`{', '.join(later)}` is read after the loop")
    if library not in ("torch", "numpy") or path_of(region.module, made.func) is None:
        return None
    matrix, given = ast.unparse(found.matrix), ast.unparse(found.given)
    call, imports, doubts = _call(region, found, library, *_parts(arrays, found))
    assumed = [has_axes(given, 1)] if arrays.rank(found.given) is None else []
    both = listed((f"`{matrix}`", f"`{given}`"))
    assumed.append(f"{both} hold floating-point numbers of one type")
    assumed.append(f"`{matrix}` has as many rows and columns as `{given}`")
    if library == "numpy":
        assumed += ["no element on the diagonal is zero", f"`{given}` is of double precision"]
    where = f"{found.solved}[: {ast.unparse(found.size)}]"
    return Match(
        span=site.computation.span,
        message=_MESSAGE,
        computation=site.computation,
        edits=(region.replace_lines(loop, [f"{where} = {call}"]),),
        imports=imports,
        safe=not doubts,
        reason="; ".join(doubts) or assuming(assumed),
        verdicts={
            "redundancy": Verdict("holds", "structure", "every entry of the triangle is read once"),
            "sparsity": Verdict("partial", "structure", "half of the matrix is zero, and not read"),
        },
    )


def _made(region: Region, name: str, loop: ast.For) -> ast.Call | None:
    """The call that made the array to solve into, just before the loop."""
    block = region.siblings(loop)
    for earlier in reversed(block[: block.index(loop)]):
        if isinstance(earlier, ast.Assign) and len(earlier.targets) == 1:
            (target,), made = earlier.targets, earlier.value
            if isinstance(target, ast.Name) and target.id == name:
                known = isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute)
                return made if known and made.func.attr in _MADE else None  # type: ignore[attr-defined, return-value]
        if mentions(earlier, name):
            return None
    return None


def _parts(arrays: Arrays, found: Substitution) -> tuple[str, str]:
    """The matrix and the right side, as far as the rows go that are walked."""
    matrix, given, size = map(ast.unparse, (found.matrix, found.given, found.size))
    made = arrays.assigned(found.size.id) if isinstance(found.size, ast.Name) else None
    told = {size, ast.unparse(made) if made is not None else size}
    whole = {f"len({each})" for each in (matrix, given)} | {
        f"{each}.{asked}" for each in (matrix, given) for asked in ("shape[0]", "size(0)")
    }
    if told & whole:
        return matrix, given
    return f"{matrix}[:{size}, :{size}]", f"{given}[:{size}]"


def _call(
    region: Region, found: Substitution, library: str, matrix: str, given: str
) -> tuple[str, tuple[tuple[str, str | None], ...], list[str]]:
    """The call of the solver, what it needs imported, and what is doubtful."""
    if library == "torch":
        name = next((n for n, path in region.module.names.items() if path == "torch"), "torch")
        ones = ", unitriangular=True" if found.unit else ""
        call = f"{name}.linalg.solve_triangular({matrix}, {given}[:, None], "
        return f"{call}upper={not found.lower}{ones})[:, 0]", (), []
    ones = ", unit_diagonal=True" if found.unit else ""
    known = any(path.partition(".")[0] == "scipy" for path in region.module.names.values())
    return (
        # what lies in the other triangle is not read: it may be anything
        f"solve_triangular({matrix}, {given}, lower={found.lower}{ones}, check_finite=False)",
        (("scipy.linalg", "solve_triangular"),),
        [] if known else ["the file does not import SciPy, which may not be there"],
    )


_FORWARD = """\
import torch


def solved(lower: torch.Tensor, b: torch.Tensor):
    with torch.no_grad():
        n = b.shape[0]
        y = torch.zeros(n, dtype=b.dtype)
        for i in range(n):
            y[i] = (b[i] - lower[i, :i] @ y[:i]) / lower[i, i]
    return y
"""

_FORWARD_AFTER = """\
import torch


def solved(lower: torch.Tensor, b: torch.Tensor):
    with torch.no_grad():
        n = b.shape[0]
        y = torch.zeros(n, dtype=b.dtype)
        y[:n] = torch.linalg.solve_triangular(lower, b[:, None], upper=False)[:, 0]
    return y
"""

_BACKWARD = """\
import numpy as np
from scipy import linalg


def solved(u: np.ndarray, y: np.ndarray):
    n = len(y)
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        s = y[i]
        for j in range(i + 1, n):
            s -= u[i, j] * x[j]
        x[i] = s / u[i, i]
    return x
"""

_BACKWARD_AFTER = """\
import numpy as np
from scipy import linalg
from scipy.linalg import solve_triangular


def solved(u: np.ndarray, y: np.ndarray):
    n = len(y)
    x = np.zeros(n)
    x[:n] = solve_triangular(u, y, lower=False, check_finite=False)
    return x
"""

REWRITE = Rewrite(
    code="RED513",
    name="triangular-solve",
    summary="a triangular system that is solved row by row is solved by one call",
    doc=__doc__,
    properties=("redundancy",),
    find=find,
    seeks=("loop",),
    becomes="torch.linalg.solve_triangular(L, b[:, None], upper=False)[:, 0]",
    examples=(
        # the original has no gradients: what a step read is written into later
        Example("forward substitution", _FORWARD, _FORWARD_AFTER,
                "((torch.tril(torch.rand(4, 4)) + torch.eye(4), torch.randn(4)),"
                " (torch.ones(1, 1), torch.ones(1)))"),
        Example("backward substitution", _BACKWARD, _BACKWARD_AFTER,
                "((np.triu(np.random.rand(4, 4)) + np.eye(4), np.random.rand(4)),)"),
    ),
    refused=(
        RefusedExample("aliasing", _FORWARD.replace(
            "y[i] = (b[i] - lower[i, :i] @ y[:i]) / lower[i, i]",
            "s = b[i]\n            s -= lower[i, :i] @ y[:i]\n            y[i] = s / lower[i, i]")),
        RefusedExample("names", _FORWARD.replace("return y", "return y, i")),
    ),
    unmatched=(
        _FORWARD.replace("y[:i]", "b[:i]"),
        _FORWARD.replace("lower[i, :i] @", "lower[:i, i] @"),
        _FORWARD.replace("/ lower[i, i]", "/ lower[i, 0]"),
        _FORWARD.replace("b[i] - ", "b[i] + "),
        _FORWARD.replace("        for i", "        y += b\n        for i"),
        _BACKWARD.replace("range(i + 1, n)", "range(i, n)"),
        _BACKWARD.replace("s -= u", "s += u"),
        _FORWARD_AFTER,
    ),
)  # fmt: skip
