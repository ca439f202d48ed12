"""Functions of whole vectors and matrices in the body of a nest, of which the libraries take many
at once: statistics of a row, its softmax, the inverse of a matrix, the solution of a system.

What one gives at a place is an ``Apply`` of the arrays, whose elements stand under sums over the
axes that the function takes, and of the place.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.nests.integers import NoNest
from auditor.nests.parts import Part, Scope
from auditor.notation import Apply, Const, Index
from auditor.syntax import constant, path_of

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions

MEDIAN = "median"
"""NumPy's alone: torch's gives places as well, and the lower of two."""
STATISTICS = frozenset(("argmin", "argmax", "std", "var", "prod", "any", "all", MEDIAN))
"""Functions of a vector that give a number; methods that take an axis."""
SPREADS = frozenset(("std", "var"))
OF_MANY = SPREADS | {MEDIAN}
"""Those of them that take several axes in both libraries."""
OF_SEVERAL = frozenset(("any", "all", "prod"))
"""Those that take several axes in NumPy, and in torch one at a time."""
TRUTHS = ("call:any", "call:all")
"""Those whose results every type holds."""
FREED = frozenset(("ddof", "correction", "unbiased"))
"""What is told of a spread: how many are taken off the number of elements that it divides by."""
ALONG = frozenset(("softmax", "log_softmax", "cumsum", "cumprod", "argsort"))
"""Functions of a vector that give another; methods that take an axis."""
MATRICES = {"inv": 2, "pinv": 2, "cholesky": 2, "det": 0, "solve": 0}
"""Functions of a matrix in ``linalg`` and how many axes of it are left; a system has those of its
right-hand side."""
NAMES = STATISTICS | ALONG | MATRICES.keys()
ROW = "call:row"
"""What marks the elements that a function takes."""
PLACES = ("call:argmin", "call:argmax")
LINALG = frozenset(f"call:{name}" for name in MATRICES)
APPLIED = frozenset(f"call:{name}" for name in NAMES)


def applied(
    reading: Expressions, name: str, node: ast.Call, given: list[ast.expr], scope: Scope
) -> Part:
    """What one of ``NAMES`` gives. Raises ``NoNest``."""
    if name in MATRICES:
        return _of_matrix(reading, name, node, given, scope)
    words = {word.arg: word.value for word in node.keywords}
    freed = [words.pop(word) for word in FREED & words.keys() if name in SPREADS]
    axes = [*given[1:], *words.values()]
    if len(axes) > 1 or words.keys() - {"axis", "dim"} or not given:
        raise NoNest(f"`{name}` with options")
    off = [constant(each) for each in freed]
    if not all(isinstance(each, int) for each in off):
        raise NoNest(f"`{name}` with options that are not known")
    place = constant(axes[0]) if axes else None
    if axes and type(place) is not int:
        raise NoNest(f"`{name}` along what is not known")
    least = 1 if not isinstance(place, int) else place + 1 if place >= 0 else -place
    part = _operand(reading, given[0], scope, least)
    if isinstance(place, int):
        if not -len(part.axes) <= place < len(part.axes):
            raise NoNest(f"`{name}` along an axis that is not there")
        gone: tuple[Index, ...] = (part.axes[place],)
    else:
        gone = part.axes
        if name in ("softmax", "log_softmax") or (
            len(gone) > 1 and name not in OF_MANY | OF_SEVERAL
        ):
            raise NoNest(f"`{name}` of many axes")
        reading.total(part.term, part.axes)
    under = _under(reading, part, gone)
    if name in STATISTICS:
        options = tuple(Const(int(each)) for each in off if isinstance(each, int))
        return Part(under.axes, Apply(f"call:{name}", (under.term, *options)))
    along = reading.again(gone[0])
    kept = tuple(along if axis is gone[0] else axis for axis in part.axes)
    return Part(kept, Apply(f"call:{name}", (under.term, along)))


def _of_matrix(
    reading: Expressions, name: str, node: ast.Call, given: list[ast.expr], scope: Scope
) -> Part:
    path = path_of(reading.region.module, node.func) or ""
    if not path.endswith(f".linalg.{name}") or node.keywords:
        raise NoNest(f"calls `{reading.region.module.source(node.func)}`")
    if len(given) != (2 if name == "solve" else 1):
        raise NoNest(f"`{name}` with options")
    matrix = _operand(reading, given[0], scope, 2)
    if len(matrix.axes) != 2:
        raise NoNest(f"`{name}` of no matrix")
    whole = _under(reading, matrix, matrix.axes)
    if name != "solve":
        places = tuple(map(reading.again, matrix.axes[2 - MATRICES[name] :]))
        return Part(places, Apply(f"call:{name}", (whole.term, *places)))
    side = _operand(reading, given[1], scope, 1)
    if len(side.axes) > 2:
        raise NoNest("a system of many axes")
    places = tuple(map(reading.again, (matrix.axes[1], *side.axes[1:])))
    other = _under(reading, side, side.axes)
    return Part(places, Apply("call:solve", (whole.term, other.term, *places)))


def _operand(reading: Expressions, node: ast.expr, scope: Scope, least: int) -> Part:
    part = reading.part(node, scope, least)
    reading.no_number(part)
    if not part.axes or any(axis in reading.inserted for axis in part.axes):
        raise NoNest("a function of what may be no array of its own")
    return part


def _under(reading: Expressions, part: Part, gone: tuple[Index, ...]) -> Part:
    """An array under sums over axes, the last of them inmost."""
    marked = Part(part.axes, Apply(ROW, (part.term,)))
    return reading.reduced(marked, *reversed(gone))
