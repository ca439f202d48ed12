"""Cells whose places are looked up in an array, as one call that adds to all of them: NumPy's
``ufunc.at`` and torch's ``index_put_`` take a cell as often as it is named, as the loop does."""

from __future__ import annotations

from dataclasses import replace

from auditor.nests.adding import combined
from auditor.nests.code import Code
from auditor.nests.gathers import counted, in_pairs
from auditor.nests.integers import CannotSay
from auditor.nests.parts import Filled, lookups
from auditor.nests.said import Said
from auditor.notation import (
    Apply,
    Carry,
    Computation,
    Const,
    Index,
    Read,
    Scan,
    Symbol,
    Term,
    Value,
    free_indices,
    walk,
)

_AT = {"add": "add", "max": "maximum", "min": "minimum"}
_REDUCED = {"max": "amax", "min": "amin"}


def line(code: Code, filled: Filled) -> str:
    """The call. Raises ``CannotSay``."""
    if code.torch is None or code.library is None:
        raise CannotSay("the arrays may be of NumPy or of torch", "library")
    op, value = combination(filled)
    if op == "set":
        return _set(code, filled, value)
    name = _AT[op]
    if not code.torch and isinstance(value, Apply) and value.op == "neg":
        name, value = "subtract", value.args[0]
    together = _together(code, filled)
    before, places, behind = _places(code, filled, together)
    said = code.arranged(code.said(value), (*before, *together, *behind))
    if not code.torch:
        at = places[0] if len(places) == 1 else f"({', '.join(places)})"
        return f"{code.library}.{name}.at({filled.name}, {at}, {said.whole})"
    if before:
        return _moved(code, filled, (op, value), (before, places, behind), together)
    given = _of_type(value, said, filled.name)
    if op == "add":
        at = f"({', '.join(places)}{',' if len(places) == 1 else ''})"
        return f"{filled.name}.index_put_({at}, {given}, accumulate=True)"
    if len(places) > 1 or behind or said.axes != together or len(together) != 1:
        raise CannotSay("torch keeps extrema of vectors only", "places")
    return f'{filled.name}.scatter_reduce_(0, {places[0]}, {given}, "{_REDUCED[op]}")'


def _set(code: Code, filled: Filled, value: Term) -> str:
    """Cells that are set: all to one number, or each by one step alone."""
    together = _together(code, filled)
    before, places, behind = _places(code, filled, together)
    said = code.arranged(code.said(value), (*before, *together, *behind))
    one = isinstance(value, Const)
    given = said.whole if one or not code.torch else _of_type(value, said, filled.name)
    at = [":" if place == "slice(None)" else place for place in places]
    return f"{filled.name}[{', '.join(at)}] = {given}"


def _moved(
    code: Code, filled: Filled, way: tuple[str, Term],
    laid: tuple[list[Index], list[str], list[Index]], together: tuple[Index, ...],
) -> str:  # fmt: skip
    """The call where a later axis is looked up, which a view has first: torch adds to the first
    axes only. Raises ``CannotSay``."""
    (op, value), (before, places, behind) = way, laid
    looked = places[len(before) :]
    if op != "add" or len(looked) != 1:
        raise CannotSay("torch adds to the first axes only", "places")
    said = code.arranged(code.said(value), (*together, *before, *behind))
    given = _of_type(value, said, filled.name)
    base = f"{filled.name}.movedim({len(before)}, 0)"
    return f"{base}.index_put_(({looked[0]},), {given}, accumulate=True)"


def combination(filled: Filled) -> tuple[str, Term]:
    """How a step changes the cell that it names, and with what."""
    return combined(filled.term, filled.old) or ("set", filled.term)


def looked_up_in(sub: Term) -> list[str]:
    """The arrays that a place is an element of, where it need not be an integer by what is done to
    it."""
    if any(isinstance(node, Apply) and node.op == "cast:int64" for node in walk(sub)):
        return []
    return sorted({n.value.name for n in walk(sub) if isinstance(n, Read) and free_indices(n)})


def computation(loop: Computation, scattered: list[Filled]) -> Computation:
    """What the steps that name a cell do to it, one after the other."""
    step = Index("t", Symbol("steps"))
    made = Scan(step, loop.span)
    carries = []
    for filled in scattered:
        op, value = combination(filled)
        state = Value(f"a cell of {filled.name}", (), None, filled.array.dtype, "state")
        given = Value("each step's value", (step,), None, None, "input")
        start = Value(f"{filled.name} before", (), None, None, "input")
        added = value if isinstance(value, Const) else Read(given, (step,))
        update = added if op == "set" else Apply(op, (Read(state, ()), added))
        carries.append(Carry(state.name, state, Read(start, ()), update))
    made.carries = tuple(carries)
    places = tuple(filled.place for filled in scattered)
    return replace(loop, outputs=(), scan=made, per_step=(), effects=(), places=places)


def _together(code: Code, filled: Filled) -> tuple[Index, ...]:
    """The indices that the looked up places move with, in the order of the loops."""
    moved = {index for sub in filled.place for index in lookups(sub)}
    known = [index for index in code.nest.loops if index in moved]
    return (*known, *sorted(moved.difference(known), key=lambda index: index.uid))


def _places(
    code: Code, filled: Filled, together: tuple[Index, ...]
) -> tuple[list[Index], list[str], list[Index]]:
    """The axes before the looked up places, the entries up to the last of these, the axes behind
    it."""
    last = max(p for p, sub in enumerate(filled.place) if lookups(sub))
    before: list[Index] = []
    entries: list[str] = []
    advanced = False
    for position, sub in enumerate(filled.place[: last + 1]):
        if lookups(sub):
            said = code.arranged(code.said(in_pairs(sub)), together)
            entries.append(said.whole)
            advanced = True
            continue
        text, index = code.item(filled.array, position, sub)
        if index is None:
            entries.append(text)
            advanced = True
        elif index in together:
            entries.append(code.arranged(counted(code, sub, index), together).whole)
            advanced = True
        elif advanced or text != ":":
            raise CannotSay("the looked up places do not stand together", "places")
        else:
            before.append(index)
            entries.append("slice(None)")
    behind: list[Index] = []
    for position, sub in enumerate(filled.place[last + 1 :], last + 1):
        text, index = code.item(filled.array, position, sub)
        if index is None or text != ":":
            raise CannotSay("the looked up places do not stand together", "places")
        behind.append(index)
    return before, entries, behind


def _of_type(value: Term, said: Said, name: str) -> str:
    """What is added, in the type of what it is added to."""
    if isinstance(value, Const):
        return f"{name}.new_ones(())" if value.value == 1 else f"{name}.new_tensor({said.whole})"
    return f"{said.inside(6)}.to({name}.dtype)"
