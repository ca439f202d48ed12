"""A monoid run on small inputs beside the loop that it was derived from: a proof is about terms,
and this is what would catch a mistake in one."""

from __future__ import annotations

import ast
import math
import operator
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from auditor.algebra.choices import truth
from auditor.algebra.monoid import Monoid
from auditor.notation import Apply, Const, Read, Scan, Term, Value, walk

ROUNDS = 60
Varying = Callable[[Value], bool]
_LONGEST = 7
_NOTHING = "[]"


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
        isinstance(n, Apply) and n.op in ("joined", "repeat", "union", "common")
        for carry in scan.carries
        for n in walk(carry.update)
    )
    if sequenced:
        return Trial(0)
    moving = [(v, _among(v, choices)) for v in inputs if varying(v)]
    around = [v for v in inputs if not varying(v)]
    runs = _Runs(scan, monoid)
    for _ in range(ROUNDS):
        start = {c.state: _initial(c.init, numbers) for c in scan.carries}
        fixed = {v: numbers.choice(choices) for v in around}
        elements = [
            fixed | {value: numbers.choice(among) for value, among in moving}
            for _ in range(numbers.randint(0, _LONGEST))
        ]
        try:
            wanted = runs.looped(start, elements)
            got = runs.in_pieces({**start, **fixed}, elements, numbers)
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


Held = dict[Value, Any]
Run = Callable[[Held], Any]


class _Runs:
    """The terms of a loop and of its monoid as functions of what they read."""

    def __init__(self, scan: Scan, monoid: Monoid) -> None:
        made: dict[Term, Run] = {}
        self.step = [(c.state, run_of(c.update, made)) for c in scan.carries]
        self.identity = [run_of(term, made) for term in monoid.init]
        self.own = [f.own for f in monoid.fields]
        self.other = [f.other for f in monoid.fields]
        self.update = [run_of(term, made) for term in monoid.update]
        self.parts = [
            (len(part.fields), part.guarded, [run_of(term, made) for term in part.combine])
            for part in monoid.parts
        ]
        self.finish = [(carry, run_of(term, made)) for carry, term in monoid.finish.items()]

    def looped(self, start: Held, elements: Sequence[Held]) -> Held:
        """What is carried after the elements."""
        carried = start
        for element in elements:
            held = {**carried, **element}
            carried = {state: run(held) for state, run in self.step}
        return carried

    def in_pieces(self, start: Held, elements: Sequence[Held], numbers: random.Random) -> Held:
        """What is carried after three pieces that are combined in either order."""
        cuts = sorted(numbers.randint(0, len(elements)) for _ in range(2))
        pieces = [elements[: cuts[0]], elements[cuts[0] : cuts[1]], elements[cuts[1] :]]
        empty = [run({}) for run in self.identity]
        a, b, c = (self._folded(piece, empty) for piece in pieces)
        if numbers.random() < 0.5:
            whole = self._combined(empty, self._combined(empty, a, b), c)
        else:
            whole = self._combined(empty, a, self._combined(empty, b, c))
        held = {**start, **dict(zip(self.own, whole, strict=True))}
        return {carry: run(held) for carry, run in self.finish}

    def _folded(self, piece: Sequence[Held], empty: list[Any]) -> list[Any]:
        state = empty
        for element in piece:
            held = {**element, **dict(zip(self.own, state, strict=True))}
            state = [run(held) for run in self.update]
        return state

    def _combined(self, empty: list[Any], a: list[Any], b: list[Any]) -> list[Any]:
        out: list[Any] = []
        held = dict(zip(self.own, a, strict=True)) | dict(zip(self.other, b, strict=True))
        place = 0
        for width, guarded, runs in self.parts:
            end = place + width
            if guarded and b[place:end] == empty[place:end]:
                out += a[place:end]
            elif guarded and a[place:end] == empty[place:end]:
                out += b[place:end]
            else:
                out += [run(held) for run in runs]
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
    found: list[Any] = [-2, -1, 0, 1, 2, 3]
    for carry in scan.carries:
        for node in walk(carry.update):
            if isinstance(node, Const) and isinstance(node.value, str):
                return [*found[1:5], node.value]
    return found


def _among(value: Value, choices: Sequence[Any]) -> Sequence[Any]:
    """What is drawn for an input: of lists that are written out, lists of one."""
    if truth(Read(value, ())):
        return (True, False)
    return [[one] for one in choices] if value.name.startswith("[") else choices


def _initial(term: Term, numbers: random.Random) -> Any:
    if isinstance(term, Const):
        return _exact(term.value)
    if isinstance(term, Read) and term.value.name == _NOTHING:
        return []
    return numbers.randint(-3, 3)


def _exact(value: Any) -> Any:
    return Fraction(value) if isinstance(value, float) and math.isfinite(value) else value


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda *a: sum(a[1:], a[0]), "concat": operator.add, "sub": operator.sub,
    "mul": lambda *a: math.prod(a),
    "div": lambda a, b: _quotient(a, b), "neg": operator.neg, "abs": abs, "max": max, "min": min,
    "floordiv": operator.floordiv, "mod": operator.mod, "eq": operator.eq,
    "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt, "ge": operator.ge, "is": operator.is_,
    "not": operator.not_, "exp": math.exp, "log": math.log,
    "sqrt": math.sqrt, "pow": lambda a, b: _power(a, b),
    "bitxor": lambda a, b: _int(a) ^ _int(b), "xor": lambda a, b: bool(a) != bool(b),
    "bitor": lambda a, b: _int(a) | _int(b),
    "bitand": lambda a, b: _int(a) & _int(b), "gcd": lambda a, b: math.gcd(_int(a), _int(b)),
    "logaddexp": lambda a, b: _logaddexp(a, b), "index": lambda a: _index(a),
    "lcm": lambda a, b: math.lcm(_int(a), _int(b)), "shl": lambda a, b: _shifted(a, b),
}  # fmt: skip


def _quotient(a: Any, b: Any) -> Any:
    return Fraction(a) / b if isinstance(a, int) else a / b


def _power(a: Any, b: Any) -> Any:
    if abs(b) > 64:
        raise CannotRun("a large power")
    return Fraction(a) ** b if isinstance(a, int) else a**b


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


def run_of(term: Term, made: dict[Term, Run]) -> Run:
    """A scalar term as a function of what it reads, exactly where exact numbers allow; those that
    are ``made`` are not made again."""
    run = made.get(term)
    if run is None:
        run = made[term] = _made(term, made)
    return run


def _made(term: Term, made: dict[Term, Run]) -> Run:
    if isinstance(term, Const):
        value = _exact(term.value)
        return lambda held: value
    if isinstance(term, Read):
        empty = term.value.name == _NOTHING and term.value.kind == "input"
        return (lambda held: []) if empty else partial(_looked_up, term.value)
    if not isinstance(term, Apply):
        return partial(_cannot, str(term))
    op, runs = term.op, [run_of(arg, made) for arg in term.args]
    if op == "where":
        test, then, other = runs
        return lambda held: then(held) if test(held) else other(held)
    if op in ("and", "or"):
        first, second = runs[:2]
        if op == "and":
            return lambda held: first(held) and second(held)
        return lambda held: first(held) or second(held)
    operation = _OPERATIONS.get(op) or _display(op)
    if operation is None:
        return partial(_cannot, op)
    if len(runs) == 1:
        (only,) = runs
        return lambda held: operation(only(held))
    if len(runs) == 2:
        left, right = runs
        return lambda held: operation(left(held), right(held))
    return lambda held: operation(*[run(held) for run in runs])


def _display(op: str) -> Callable[..., Any] | None:
    """A tuple or a list that is written out, of its parts; nothing else of a text is run."""
    if not op.startswith("call:"):
        return None
    make = _shaped(ast.parse(op.removeprefix("call:"), mode="eval").body)
    return None if make is None else lambda *parts: make(parts)


def _shaped(node: ast.expr) -> Callable[[Sequence[Any]], Any] | None:
    if isinstance(node, ast.Name) and node.id[:1] == "_" and node.id[1:].isdigit():
        return operator.itemgetter(int(node.id[1:]))
    if not isinstance(node, (ast.Tuple, ast.List)):
        return None
    inside = [_shaped(one) for one in node.elts]
    made = [one for one in inside if one is not None]
    if len(made) < len(inside):
        return None
    kind = tuple if isinstance(node, ast.Tuple) else list
    return lambda parts: kind(one(parts) for one in made)


def _looked_up(value: Value, held: Held) -> Any:
    if value not in held:
        raise CannotRun(value.name)
    return held[value]


def _cannot(what: str, held: Held) -> Any:
    raise CannotRun(what)


def _rounded(node: Term) -> bool:
    """A constant that is no exact number, as 0.9 is: algebra takes it for the decimal."""
    number = node.value if isinstance(node, Const) else 0
    return isinstance(number, float) and math.isfinite(number) and number != int(number)


def _same(a: Any, b: Any, exact: bool) -> bool:
    if not exact or isinstance(a, float) or isinstance(b, float):
        if isinstance(a, (int, float, Fraction)) and isinstance(b, (int, float, Fraction)):
            return bool(a == b) or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    return bool(a == b)
