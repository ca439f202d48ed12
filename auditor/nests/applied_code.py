"""The text of what functions of rows and of matrices give for all of them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.nests.applied import LINALG, MEDIAN, OF_SEVERAL, ROW, STATISTICS
from auditor.nests.integers import CannotSay
from auditor.nests.said import Said
from auditor.notation import Apply, Const, Index, Reduce, Term

if TYPE_CHECKING:
    from auditor.nests.code import Code

NORM = "call:norm"


def say(code: Code, term: Apply) -> Said:
    """What ``term`` is over the axes that it has. Raises ``CannotSay``."""
    if term.op == NORM:
        return _norm(code, term)
    return _of_matrices(code, term) if term.op in LINALG else _of_rows(code, term)


def _norm(code: Code, term: Apply) -> Said:
    gone: list[Index] = []
    body = term.args[0]
    while isinstance(body, Reduce):
        gone.append(body.index)
        body = body.body
    if not isinstance(body, Apply) or code.library is None or code.torch is None:
        raise CannotSay("the arrays may be of NumPy or of torch", "library")
    part = code.small(body.args[0])
    if not set(gone) <= set(part.axes):
        raise CannotSay("a norm of what does not change")
    places = sorted(part.axes.index(index) for index in gone)
    text = str(places[0]) if len(places) == 1 else f"({', '.join(map(str, places))})"
    kept = tuple(axis for axis in part.axes if axis not in gone)
    if code.torch:
        return Said(f"{part.inside(6)}.norm(dim={text})", kept)
    return Said(f"{code.library}.linalg.norm({part.whole}, axis={text})", kept)


def _of_rows(code: Code, term: Apply) -> Said:
    """``x.argmin(1)``, ``x.std((1, 2))``, ``x.softmax(1)``: what a method gives for rows."""
    row, *places = term.args
    part, gone = _under(code, row)
    if code.torch is None:
        raise CannotSay("the arrays may be of NumPy or of torch", "library")
    at = ", ".join(str(part.axes.index(index)) for index in gone)
    name, at = term.op.removeprefix("call:"), f"({at})" if gone[1:] else at
    if gone[1:] and name in OF_SEVERAL and code.torch:
        raise CannotSay(f"torch takes `{name}` along one axis at a time", "library")
    if name == MEDIAN:
        if code.torch or code.library is None:
            raise CannotSay("torch has another median along an axis", "library")
        text = f"{code.library}.{name}({part.whole}, {at})"
    else:
        text = f"{part.inside(6)}.{name}({at}{_freed(code, places)})"
    if name in STATISTICS:
        return Said(text, tuple(axis for axis in part.axes if axis not in gone))
    (along,) = places
    if not isinstance(along, Index):
        raise CannotSay("one element of what a row becomes", "places")
    return Said(text, tuple(along if axis is gone[0] else axis for axis in part.axes))


def _freed(code: Code, options: list[Term]) -> str:
    """How many are taken off the number of elements, where that is told."""
    if not options or not isinstance(options[0], Const):
        return ""
    (off,) = options
    if not code.torch:
        return f", ddof={off}"
    if extents.constant(off) not in (0, 1):
        raise CannotSay("torch takes off none or one in all its versions", "library")
    return f", unbiased={extents.constant(off) == 1}"


def _of_matrices(code: Code, term: Apply) -> Said:
    """``np.linalg.inv(a)``: what a function of a matrix gives for all of them."""
    places = [arg for arg in term.args if not isinstance(arg, Reduce)]
    taken = [_under(code, arg) for arg in term.args if isinstance(arg, Reduce)]
    indexed = tuple(place for place in places if isinstance(place, Index))
    if len(set(indexed)) < len(places):
        raise CannotSay("one element of what a matrix becomes", "places")
    if code.library is None:
        raise CannotSay("the file does not import the library", "library")
    batch = code.ordered({axis for part, gone in taken for axis in part.axes if axis not in gone})
    given = [code.broadcast(part, (*batch, *gone)).whole for part, gone in taken]
    column = len(taken) == 2 and len(taken[1][1]) == 1
    if column:  # a system of several vectors would be one of a matrix
        given[1] = _column(code.broadcast(taken[1][0], (*batch, *taken[1][1])))
    text = f"{code.library}.linalg.{term.op.removeprefix('call:')}({', '.join(given)})"
    return Said(f"{text}[..., 0]" if column else text, (*batch, *indexed))


def _column(said: Said) -> str:
    """Vectors as matrices of one column."""
    return f"{said.inside(6)}[..., None]"


def _under(code: Code, term: Term) -> tuple[Said, tuple[Index, ...]]:
    """An array, and the axes of it that a function takes."""
    gone: list[Index] = []
    while isinstance(term, Reduce):
        gone.append(term.index)
        term = term.body
    if not isinstance(term, Apply) or term.op != ROW:
        raise CannotSay("some of the steps only")
    part = code.small(term.args[0])
    if not set(gone) <= set(part.axes):
        raise CannotSay("a row of what does not change")
    return part, tuple(gone)
