"""Loop variables as numbers: ``pe[t, i] = np.sin(t / 10000 ** (i / d))``, ``x[i] * i``.

A step computes with integers and floats of Python's, which no integer outgrows and which are held
in double precision; all at once the variable is an ``arange``. What could come out otherwise, a
power that leaves 64 bits for example, is refused. Tables of torch are computed in double precision
and set as the loop sets them; with tensors beside them they would be of another type, or on another
device, and are left alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.nests.integers import CannotSay, NoNest
from auditor.nests.parts import Filled, Part, linear
from auditor.nests.said import Said
from auditor.notation import (
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    free_indices,
    transform,
    walk,
)
from auditor.rewrite import Site

if TYPE_CHECKING:
    from auditor.nests.code import Code
    from auditor.nests.expressions import Expressions

COUNTED, FLOATED = "counted", "counted as floats"
NUMBERS = frozenset((COUNTED, FLOATED))
_FLOATS = frozenset("div exp log sqrt sin cos tanh log1p expm1 sigmoid".split()) | {FLOATED}
_DIVIDES = frozenset(("mod", "floordiv"))
_LARGEST, _HIGHEST = 2**20, 3
_LIMIT, _LONGEST = 2**63 - 1, 64


class Counting(NoNest):
    """A step computes with a loop variable."""


def number(index: Term) -> Part:
    """A loop variable as a number."""
    return Part((), Apply(COUNTED, (index,)))


def counted(reading: Expressions, size: Term) -> Term:
    """A size as a number that a step computes with: that of a slice may move with the steps."""
    inside = free_indices(size)
    if inside and not reading.counts:
        raise Counting("computes with the size of a slice")
    form = linear(size, index) if len(inside) == 1 and (index := next(iter(inside))) else None
    if form is not None and form[0] == -1:
        return Apply("sub", (form[1], Apply(COUNTED, (index,))))
    return transform(size, lambda node: Apply(COUNTED, (node,)) if node in inside else node)


def counts(term: Term) -> bool:
    """Whether a loop variable is a number in a term."""
    return any(isinstance(node, Apply) and node.op in NUMBERS for node in walk(term))


def require(site: Site, filled: Filled, library: str | None) -> list[str]:
    """What is assumed of numbers that loop variables are in. Raises ``Refused``."""
    if not counts(filled.term):
        return []
    arrays = sorted(
        {n.value for n in walk(filled.term) if isinstance(n, Read) and n.value.axes},
        key=lambda value: value.name,
    )
    site.require(
        library == "numpy" or not (arrays or _reads_state(filled)), "tensors",
        "numbers of the loop variables would make tensors of another type",
    )  # fmt: skip
    site.require(
        not filled.scattered and not any(map(_adds_integers, walk(filled.term))),
        "sums", "loop variables are added up as integers",
    )  # fmt: skip
    powers = (n for n in walk(filled.term) if isinstance(n, Apply) and n.op == "pow" and counts(n))
    site.require(
        all(map(_bounded, powers)), "powers", "a power of integers may be larger than 64 bits"
    )
    divided = any(isinstance(n, Apply) and n.op in _DIVIDES for n in walk(filled.term))
    float_cells = (filled.array.dtype or "").startswith("float")
    site.require(
        not _raised(filled) or (float_cells and not divided), "powers",
        "a power of integers may be larger than 64 bits",
    )  # fmt: skip
    products = [node for node in walk(filled.term) if _multiplies(node)]
    large = any(
        (most := _most(node)) is not None and most > (_LIMIT if counts(node) else _LARGEST)
        for node in (*walk(filled.term), *products) if isinstance(node, (Const, Apply))
    )  # fmt: skip
    degree = max((_degree(node) for node in products if _most(node) is None), default=0)
    site.require(
        not large and degree <= _HIGHEST,
        "integers",
        "a product of integers may be larger than 64 bits",
    )
    names = sorted({name for node in products for name in _multiplied(node)})
    assumed = [f"products with `{name}` are smaller than 64 bits" for name in names]
    if degree > 1:
        limit = "2**53" if library == "torch" and divided else "64 bits"
        assumed.append(f"products of the loop variables are smaller than {limit}")
    return assumed


def _adds_integers(node: Term) -> bool:
    """Whether a term is a sum, or another fold, of what may be whole numbers and is none of the
    elements of an array alone: Python's have no largest."""
    return isinstance(node, Reduce) and counts(node.body) and _integer(node.body)


def _reads_state(filled: Filled) -> bool:
    return any(isinstance(n, Read) and n.value.kind == "state" for n in walk(filled.term))


def _multiplied(node: Term) -> list[str]:
    """The numbers of unknown size that an integer of the loop variables is multiplied with."""
    read = (n.value for n in walk(node) if isinstance(n, Read))
    return [value.name for value in read if not value.axes and value.dtype != "float"]


def _multiplies(node: Term) -> bool:
    """Whether a term is a product of whole numbers of Python's, a loop variable among them."""
    products = isinstance(node, Apply) and node.op in ("mul", "pow")
    return products and _integer(node) and counts(node)


def _most(term: Term) -> int | None:
    """What a whole number is no larger than, whatever its sign; None where nothing says so."""
    if isinstance(term, Const):
        return abs(term.value) if type(term.value) is int else None
    if isinstance(term, Index):
        length = extents.constant(term.extent)
        return None if length is None else abs(length)
    if not isinstance(term, Apply) or not term.args:
        return None
    sizes = [_most(arg) for arg in term.args]
    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes):
        return None
    if term.op in (COUNTED, "neg"):
        return known[0]
    if term.op in ("add", "sub"):
        return sum(known)
    if term.op == "mul":
        return math.prod(known)
    if term.op == "pow" and isinstance(term.args[1], Const) and known[1] <= _LONGEST:
        return int(known[0] ** known[1])
    return None


def _degree(term: Term) -> int:
    """How many loop variables are multiplied with one another as numbers of Python's: what is
    multiplied with an element of an array is of the array's type in a step as well."""
    if not isinstance(term, Apply) or _reads_arrays(term):
        return 0
    if term.op == COUNTED:
        return 1
    degrees = [_degree(arg) for arg in term.args]
    if term.op == "mul":
        return sum(degrees)
    exponent = term.args[-1]
    if term.op == "pow" and isinstance(exponent, Const) and type(exponent.value) is int:
        return degrees[0] * exponent.value
    return max(degrees, default=0)


def _reads_arrays(term: Term) -> bool:
    return any(isinstance(node, Read) and node.value.axes for node in walk(term))


def _integer(term: Term) -> bool:
    """Whether a term may be a whole number of Python's."""
    if isinstance(term, Apply):
        if term.op in (COUNTED, "cast:int64"):
            return True
        if term.op in _FLOATS:
            return False
        return all(map(_integer, term.args))
    if isinstance(term, Const):
        return isinstance(term.value, int)
    if isinstance(term, Reduce):
        return _integer(term.body)
    return not isinstance(term, Read) or term.value.dtype != "float"


def _bounded(power: Apply) -> bool:
    """Whether a power is one of floats, one that a step leaves in the type of an array, or a small
    one of a loop variable."""
    base, exponent = power.args
    if _reads_arrays(base):
        return True
    if not _integer(exponent) or not _integer(base):
        return True
    whole = isinstance(exponent, Const) and type(exponent.value) is int
    return whole and 0 <= exponent.value <= _HIGHEST  # type: ignore[attr-defined]


def _raised(filled: Filled) -> bool:
    """Whether integers that may be any are raised to a loop variable: as floats."""
    return any(
        isinstance(node, Apply) and node.op == "pow" and _integer(node.args[0])
        and any(isinstance(n, Apply) and n.op == FLOATED for n in walk(node.args[1]))
        for node in walk(filled.term)
    )  # fmt: skip


def power(base: Part, exponent: Part) -> Part:
    """An exponent with loop variables, as floats where the base is a number: what it is raised to
    may be larger than 64 bits."""
    if any(isinstance(node, Read) and node.value.axes for node in walk(base.term)):
        return exponent

    def change(node: Term) -> Term:
        floated = isinstance(node, Apply) and node.op == COUNTED
        return Apply(FLOATED, node.args) if floated else node  # type: ignore[attr-defined]

    return Part(exponent.axes, transform(exponent.term, change))


def say(code: Code, term: Apply) -> Said:
    """The integers that a loop variable counts. Raises ``CannotSay``."""
    (sub,) = term.args
    number = extents.constant(sub)
    if number is not None:
        return Said(str(number), (), 4 if number < 0 else 6)
    wide = code.torch or term.op == FLOATED
    return places(code, sub, ", dtype={}.float64" if wide else "")


def places(code: Code, sub: Term, options: str = "") -> Said:
    """The integers that a place counts, as an array. Raises ``CannotSay``."""
    inside = free_indices(sub)
    form = linear(sub, index) if len(inside) == 1 and (index := next(iter(inside))) else None
    if form is None or form[0] != 1:
        raise CannotSay("a number of several loop variables", "places")
    if code.library is None or code.torch is None:
        raise CannotSay("the arrays may be of NumPy or of torch", "library")
    held, integers = code.nest.walk(index), code.nest.expressions.integers
    low, high = (extents.add(end, form[1]) for end in (held.low, held.high))
    stride = extents.constant(held.stride)
    if stride is None:
        raise CannotSay("a loop variable that counts in unknown steps", "places")
    ends = [_alone(integers.text(end)) for end in (low, high)]
    if stride != 1:
        ends.append(str(stride))
    elif extents.constant(low) == 0:
        del ends[0]
    said = f"{', '.join(ends)}{options.format(code.library)}"
    return Said(f"{code.library}.arange({said})", (index,))


def _alone(text: str) -> str:
    """A text without the brackets that it has where something stands beside it."""
    inner = text[1:-1] if text.startswith("(") and text.endswith(")") else text
    return inner if "(" not in inner else text
