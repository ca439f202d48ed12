"""A monoid run on small inputs beside the loop that it was derived from: a proof is about terms,
and this is what would catch a mistake in one."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from auditor.algebra.choices import truth
from auditor.algebra.monoid import Monoid
from auditor.notation import Apply, Const, Read, Scan, Term, Value, walk

ROUNDS = 60
Varying = Callable[[Value], bool]
_LONGEST = 7


class CannotRun(Exception):
    """A term has an operation that numbers are not enough for."""


@dataclass(frozen=True)
class Trial:
    """On how many inputs pieces and loop were compared, and the first on which they differ."""

    compared: int
    wrong: str | None = None


def disagreement(scan: Scan, monoid: Monoid, varying: Varying = lambda _: True) -> str | None:
    """The first input on which pieces give something else than the loop."""
    return tried(scan, monoid, varying).wrong


def tried(scan: Scan, monoid: Monoid, varying: Varying = lambda _: True) -> Trial:
    """Pieces against the loop on a fixed pseudo-random selection of inputs; what cannot be run on
    numbers is not compared. ``varying`` says of an input whether it differs from element to
    element."""
    compared = 0
    numbers = random.Random(11)
    inputs = _inputs(scan)
    exact = not any(_rounded(node) for carry in scan.carries for node in walk(carry.update))
    choices = _constants(scan)
    sequenced = any(
        isinstance(n, Apply) and n.op in ("concat", "joined", "repeat", "union", "common")
        for carry in scan.carries
        for n in walk(carry.update)
    )
    if sequenced:
        return Trial(0)
    for _ in range(ROUNDS):
        start = {c.state: _initial(c.init, numbers) for c in scan.carries}
        fixed = {v: numbers.choice(choices) for v in inputs if not varying(v)}
        elements = [
            fixed
            | {
                value: numbers.choice((True, False) if _asked(value) else choices)
                for value in inputs
                if varying(value)
            }
            for _ in range(numbers.randint(0, _LONGEST))
        ]
        try:
            wanted = start
            for element in elements:
                held = {**wanted, **element}
                wanted = {c.state: value_of(c.update, held) for c in scan.carries}
            got = _in_pieces(monoid, {**start, **fixed}, elements, numbers)
        except (CannotRun, ArithmeticError, TypeError, ValueError):
            continue
        compared += 1
        for carry, value in got.items():
            if carry in wanted and not _same(wanted[carry], value, exact):
                shown = [tuple(element.values()) for element in elements]
                return Trial(
                    compared, f"{carry.name} is {wanted[carry]} after {shown}, in pieces {value}"
                )
    return Trial(compared)


def _in_pieces(
    monoid: Monoid, start: dict[Value, Any], elements: Sequence[dict[Value, Any]],
    numbers: random.Random,
) -> dict[Value, Any]:  # fmt: skip
    cuts = sorted(numbers.randint(0, len(elements)) for _ in range(2))
    pieces = [elements[: cuts[0]], elements[cuts[0] : cuts[1]], elements[cuts[1] :]]
    identity = [value_of(term, {}) for term in monoid.init]
    states = []
    for piece in pieces:
        state = identity
        for element in piece:
            own = {f.own: v for f, v in zip(monoid.fields, state, strict=True)}
            state = [value_of(term, {**element, **own}) for term in monoid.update]
        states.append(state)
    a, b, c = states
    if numbers.random() < 0.5:
        whole = _combined(monoid, identity, _combined(monoid, identity, a, b), c)
    else:
        whole = _combined(monoid, identity, a, _combined(monoid, identity, b, c))
    own = {f.own: v for f, v in zip(monoid.fields, whole, strict=True)}
    return {carry: value_of(term, {**start, **own}) for carry, term in monoid.finish.items()}


def _combined(monoid: Monoid, identity: list[Any], a: list[Any], b: list[Any]) -> list[Any]:
    out: list[Any] = []
    held = {f.own: v for f, v in zip(monoid.fields, a, strict=True)}
    held |= {f.other: v for f, v in zip(monoid.fields, b, strict=True)}
    place = 0
    for part in monoid.parts:
        end = place + len(part.fields)
        if part.guarded and b[place:end] == identity[place:end]:
            out += a[place:end]
        elif part.guarded and a[place:end] == identity[place:end]:
            out += b[place:end]
        else:
            out += [value_of(term, held) for term in part.combine]
        place = end
    return out


def _inputs(scan: Scan) -> list[Value]:
    found: list[Value] = []
    for carry in scan.carries:
        for node in walk(carry.update):
            if isinstance(node, Read) and node.value.kind == "input" and node.value not in found:
                found.append(node.value)
    return found


def _constants(scan: Scan) -> list[Any]:
    found: list[Any] = [Fraction(n) for n in (-2, -1, 0, 1, 2, 3)]
    for carry in scan.carries:
        for node in walk(carry.update):
            if isinstance(node, Const) and isinstance(node.value, str):
                return [*found[1:5], node.value]
    return found


def _asked(value: Value) -> bool:
    return truth(Read(value, ()))


def _initial(term: Term, numbers: random.Random) -> Any:
    if isinstance(term, Const):
        return _exact(term.value)
    return Fraction(numbers.randint(-3, 3))


def _exact(value: Any) -> Any:
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    return Fraction(value) if plain and math.isfinite(value) else value


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda *a: sum(a[1:], a[0]), "sub": lambda a, b: a - b, "mul": lambda *a: math.prod(a),
    "div": lambda a, b: a / b, "neg": lambda a: -a, "abs": abs, "max": max, "min": min,
    "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b, "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b, "is": lambda a, b: a is b,
    "not": lambda a: not a, "exp": lambda a: math.exp(a), "log": lambda a: math.log(a),
    "sqrt": lambda a: math.sqrt(a), "pow": lambda a, b: _power(a, b),
    "bitxor": lambda a, b: _int(a) ^ _int(b), "xor": lambda a, b: bool(a) != bool(b),
    "bitor": lambda a, b: _int(a) | _int(b),
    "bitand": lambda a, b: _int(a) & _int(b), "gcd": lambda a, b: math.gcd(_int(a), _int(b)),
    "logaddexp": lambda a, b: _logaddexp(a, b), "index": lambda a: _index(a),
    "lcm": lambda a, b: math.lcm(_int(a), _int(b)), "shl": lambda a, b: _shifted(a, b),
}  # fmt: skip


def _power(a: Any, b: Any) -> Any:
    if abs(b) > 64:
        raise CannotRun("a large power")
    return a**b


def _shifted(a: Any, b: Any) -> int:
    if not 0 <= b <= 64:
        raise CannotRun("a shift to the right, or a large one")
    return _int(a) << _int(b)


def _logaddexp(a: Any, b: Any) -> float:
    low, high = sorted((float(a), float(b)))
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


def _index(value: Any) -> Any:
    if value != int(value):
        raise CannotRun("a factor that is not whole")
    return value


def _int(value: Any) -> int:
    return value if isinstance(value, bool) else int(value)


def value_of(term: Term, held: dict[Value, Any]) -> Any:
    """What a scalar term is, exactly where exact numbers allow."""
    if isinstance(term, Const):
        return _exact(term.value)
    if isinstance(term, Read):
        if term.value not in held:
            raise CannotRun(term.value.name)
        return held[term.value]
    if not isinstance(term, Apply):
        raise CannotRun(str(term))
    if term.op == "where":
        return value_of(term.args[1 if value_of(term.args[0], held) else 2], held)
    if term.op in ("and", "or"):
        first = value_of(term.args[0], held)
        return value_of(term.args[1], held) if bool(first) == (term.op == "and") else first
    if term.op not in _OPERATIONS:
        raise CannotRun(term.op)
    return _OPERATIONS[term.op](*(value_of(arg, held) for arg in term.args))


def _rounded(node: Term) -> bool:
    """A constant that is no exact number, as 0.9 is: algebra takes it for the decimal."""
    number = node.value if isinstance(node, Const) else 0
    return isinstance(number, float) and math.isfinite(number) and number != int(number)


def _same(a: Any, b: Any, exact: bool) -> bool:
    if not exact or isinstance(a, float) or isinstance(b, float):
        if isinstance(a, (int, float, Fraction)) and isinstance(b, (int, float, Fraction)):
            return bool(a == b) or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    return bool(a == b)
