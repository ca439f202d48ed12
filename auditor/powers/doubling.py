"""Linear recurrences over the integers, n steps at once.

A step of one or two carried integers is a constant matrix M, with a constant vector possibly added;
n steps are its n-th power. The powers M, M^2, M^4, ... come by squaring, and those in n's binary
digits are applied (Egyptian doubling). They commute, so that any order of applying them will do.

For two integers a power is ``p + q M``, two numbers instead of four: M^2 = t M - d with the trace t
and the determinant d of M (Cayley and Hamilton), so that ``(p + q M)^2 = (p^2 - d q^2) +
q (2 p + t q) M`` (Abelson and Sussman, "Structure and Interpretation of Computer Programs",
exercise 1.19).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from auditor.algebra.affine import affine_in
from auditor.lift import extents
from auditor.notation import ONE, ZERO, Apply, Const, Read, Term, Value, walk
from auditor.powers.reading import constant_over
from auditor.recurrences.recurrence import LoopRegion


@dataclass(frozen=True)
class LinearMap:
    """One step of integers ``names``: ``rows`` times them, plus ``constants``; ``modulus`` where
    each step reduces them. ``steps`` are the new values, as terms in the states."""

    names: tuple[str, ...]
    rows: tuple[tuple[Term, ...], ...]
    constants: tuple[Term, ...]
    steps: tuple[Term, ...]
    modulus: Term | None


def linear_map(region: LoopRegion) -> LinearMap | None:
    """The map of one step of the loop, or None where it is none, or is one of other numbers."""
    names = tuple(region.loop.finals)
    states = tuple(region.loop.states[name] for name in names)
    if not 1 <= len(names) <= 2 or not all(map(_is_integer, states)):
        return None
    rows, constants, steps, moduli = [], [], [], []
    for name in names:
        term = region.final_element(name, *states)
        if isinstance(term, Apply) and term.op == "mod":
            term, remainder_of = term.args
            moduli.append(remainder_of)
        found = affine_in(term, states)
        if found is None or any(place.bound or place.subs for place in found.coefficients):
            return None
        by_state = {place.state: c for place, c in found.coefficients.items()}
        rows.append(tuple(by_state.get(state, ZERO) for state in states))
        constants.append(found.constant)
        steps.append(term)
    every = [*constants, *moduli, *(entry for row in rows for entry in row)]
    if not all(_integers(term) and constant_over(region, term) for term in every):
        return None
    if len(set(moduli)) > 1 or not _settles(rows, states, len(moduli)):
        return None
    if len(names) == 2 and any(term is not ZERO for term in constants):
        return None
    if len(names) == 1 and (rows[0][0] in (ZERO, ONE) or constants[0] is ZERO):
        return None
    modulus = moduli[0] if moduli else None
    return LinearMap(names, tuple(rows), tuple(constants), tuple(steps), modulus)


def _settles(rows: Sequence[tuple[Term, ...]], states: Sequence[Value], reduced: int) -> bool:
    """Whether all values are remainders after two steps if some are after one: what is not reduced
    is a copy of what is."""
    if reduced in (0, len(states)):
        return True
    return sum(_copies(row) for row in rows) == len(states) - reduced


def _copies(row: tuple[Term, ...]) -> bool:
    return sorted(entry is ONE for entry in row) == [False, True] and ZERO in row


def _is_integer(state: Value) -> bool:
    return state.library == "python" and not state.axes and state.dtype == "int"


def _integers(term: Term) -> bool:
    """Whether a term is made of integers by sums and products."""
    for node in walk(term):
        if isinstance(node, Const):
            if type(node.value) is not int:
                return False
        elif isinstance(node, Read):
            if node.subs or node.value.dtype != "int" or node.value.library != "python":
                return False
        elif not isinstance(node, Apply):
            return False
        elif node.op == "pow":
            if not all(map(natural, node.args)):
                return False
        elif node.op not in ("add", "sub", "mul", "neg"):
            return False
    return True


def natural(term: Term) -> bool:
    return isinstance(term, Const) and isinstance(term.value, int) and term.value >= 0


class Doubling:
    """The statements that take many steps at once. ``write`` renders a term, ``taken`` are names
    that mean something already."""

    def __init__(self, found: LinearMap, write: Callable[[Term], str], taken: set[str]) -> None:
        self.found, self.write = found, write
        self.names = [fresh(name, taken) for name in ("p", "q", "left", "trace", "det")]

    def lines(self, count: str) -> list[str]:
        """``count`` steps, in the names of the state."""
        p, q, left, *_ = self.names
        if len(self.found.names) == 1:
            ((scale,),), (shift,) = self.found.rows, self.found.constants
            before: list[str] = []
            start = [self.write(scale), self.write(shift)]
            (name,) = self.found.names
            apply = [f"{p} * {name} + {q}"]
            square = [f"{p} * {p}", f"{p} * {q} + {q}"]
        else:
            start = ["0", "1"]
            before, trace, determinant = self._invariants()
            pairs = zip(self.found.names, self.found.steps, strict=True)
            apply = [self._applied(name, step) for name, step in pairs]
            square = [
                f"{p} * {p}" + _added(f"{q} * {q}", determinant, -1),
                f"{q} * (2 * {p}" + _added(q, trace, 1) + ")",
            ]
        modulus = (
            "" if self.found.modulus is None else f" % {_tight(self.write(self.found.modulus))}"
        )
        if modulus:
            apply, square = ([f"({text}){modulus}" for text in texts] for texts in (apply, square))
        return [
            *before,
            f"{p}, {q} = {', '.join(start)}",
            f"{left} = {count}",
            f"while {left} > 0:",
            f"    if {left} % 2:",
            f"        {', '.join(self.found.names)} = {', '.join(apply)}",
            f"    if {left} > 1:",
            f"        {p}, {q} = {', '.join(square)}",
            f"    {left} //= 2",
        ]

    def _applied(self, name: str, step: Term) -> str:
        p, q, *_ = self.names
        return f"{p} * {name} + {q} * {_tight(self.write(step))}"

    def _invariants(self) -> tuple[list[str], int | str, int | str]:
        """The statements that bind the trace and the determinant of the matrix where they are no
        plain numbers, and the two."""
        (a, b), (c, d) = self.found.rows
        trace = extents.add(a, d)
        determinant = extents.sub(extents.mul(a, d), extents.mul(b, c))
        lines: list[str] = []
        found: list[int | str] = []
        for name, term in zip(self.names[3:], (trace, determinant), strict=True):
            number = extents.constant(term)
            if number is None:
                lines.append(f"{name} = {self.write(term)}")
            found.append(name if number is None else number)
        return lines, found[0], found[1]


def _added(what: str, times: int | str, sign: int) -> str:
    """`` + times * what`` with a sign; nothing where that is 0."""
    if isinstance(times, str):
        return f" {'-' if sign < 0 else '+'} {times} * {what}"
    if times == 0:
        return ""
    size = "" if abs(times) == 1 else f"{abs(times)} * "
    return f" {'-' if sign * times < 0 else '+'} {size}{what}"


def _tight(text: str) -> str:
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def fresh(name: str, taken: set[str]) -> str:
    """A name that the function does not use."""
    while name in taken:
        name += "_"
    return name
