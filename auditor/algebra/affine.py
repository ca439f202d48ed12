"""Terms as affine functions of carried values, and products as lists of factors.

The coefficients keep the user's own structure, so that they can be emitted as code: nothing is
expanded or cancelled beyond multiplying by one and adding zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from auditor.algebra.states import Dependence
from auditor.algebra.subterms import computed
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    Trace,
    Value,
    definition,
    free_indices,
    transform,
)


class NotAffine(Exception):
    """The term is not affine in the states; ``term`` is the part that is not, and why.

    ``certain`` is False where it may be affine and too little is known to say."""

    def __init__(self, term: Term, reason: str, certain: bool = True) -> None:
        super().__init__(reason)
        self.term = term
        self.reason = reason
        self.certain = certain

    def alone(self) -> NotAffine:
        """What it says, without the frames that it passed: to be kept."""
        return NotAffine(self.term, self.reason, self.certain)


@dataclass(frozen=True)
class Place:
    """An element of a state: its subscripts, and the indices that a sum around it binds."""

    state: Value
    subs: tuple[Term, ...]
    bound: tuple[Index, ...] = ()

    def at(self, axes: tuple[Term, ...]) -> bool:
        """Is it the element of the state at ``axes``?"""
        return not self.bound and self.subs == axes


@dataclass(frozen=True)
class Affine:
    """The sum of ``coefficients[place] * place`` and ``constant``; sums over ``place.bound``."""

    coefficients: dict[Place, Term] = field(default_factory=dict)
    constant: Term = ZERO

    def diagonal(self, axes: tuple[Term, ...]) -> bool:
        """Is every state read where the update writes?"""
        return all(place.at(axes) for place in self.coefficients)


def affine_in(
    term: Term, states: Iterable[Value], dependence: Dependence | None = None
) -> Affine | None:
    """``term`` as an affine function of ``states``, or None."""
    try:
        return interpret(term, frozenset(states), dependence or Dependence())
    except NotAffine:
        return None


def interpret(term: Term, states: frozenset[Value], dependence: Dependence) -> Affine:
    """``term`` as an affine function of ``states``; raises ``NotAffine`` with the reason."""
    if not dependence.mentions(term, states):
        return Affine(constant=term)
    if isinstance(term, Read):
        return _read(term, states, dependence)
    if isinstance(term, Reduce):
        return _sum(term, states, dependence)
    if isinstance(term, Trace):
        raise NotAffine(term, "an inner loop over the state", certain=False)
    if not isinstance(term, Apply):
        raise NotAffine(term, "an ordering of the state")
    op, args = term.op, term.args
    if op in ("add", "sub"):
        found = [interpret(arg, states, dependence) for arg in args]
        if op == "sub":
            found[1] = _scaled(found[1], Const(-1))
        return _total(found)
    if op == "neg":
        return _scaled(interpret(args[0], states, dependence), Const(-1))
    if op == "mul":
        moving = [arg for arg in args if dependence.mentions(arg, states)]
        if len(moving) > 1:
            raise NotAffine(term, "a product of states")
        rest = [arg for arg in args if arg is not moving[0]]
        return _scaled(interpret(moving[0], states, dependence), times(*rest))
    if op == "div":
        if dependence.mentions(args[1], states):
            raise NotAffine(term, "a division by the state")
        whole = interpret(args[0], states, dependence)
        return Affine(
            {place: divided(c, args[1]) for place, c in whole.coefficients.items()},
            divided(whole.constant, args[1]),
        )
    if op == "where":
        if dependence.mentions(args[0], states):
            raise NotAffine(term, "a branch that depends on the state")
        return _joined(args[0], *(interpret(arg, states, dependence) for arg in args[1:]))
    if op.startswith(("cast:float", "cast:bfloat", "cast:double", "cast:half", "cast:complex")):
        return interpret(args[0], states, dependence)
    raise NotAffine(term, function_of_state(op))


def function_of_state(op: str) -> str:
    """The reason why a function of the state ends the search."""
    if op.startswith("call:value "):
        return f"{op[11:]}, which may depend on the state,"
    if op.startswith("cast:"):
        dtype = op.removeprefix("cast:")
        dtype = "another array's dtype" if dtype.startswith("like ") else dtype
        return f"a cast of the state to {dtype}"
    return f"{op.removeprefix('call:')} of the state"


def inline(term: Term, states: frozenset[Value], dependence: Dependence) -> Term:
    """``term`` with the definitions that read ``states`` in their place, others kept as names."""
    return transform(term, _Inlining(states, dependence))


@dataclass(frozen=True)
class _Inlining:
    states: frozenset[Value]
    dependence: Dependence

    def __call__(self, node: Term) -> Term:
        if isinstance(node, Read) and node.value not in self.states:
            if not self.dependence.mentions(node, self.states):
                return node
            body = _defined(node)
            if body is not None:
                return transform(body, self)
        elif isinstance(node, Read) and node.aligned:
            subs = aligned_subs(node)
            return node if subs is None else Read(node.value, subs)
        return node


def _defined(read: Read) -> Term | None:
    body = definition(read)
    if body is None and read.aligned:
        known = aligned_subs(read)
        body = None if known is None else definition(Read(read.value, known))
    return body


def _read(read: Read, states: frozenset[Value], dependence: Dependence) -> Affine:
    value = read.value
    if value in states:
        if any(dependence.mentions(sub, states) for sub in read.subs):
            raise NotAffine(read, "an index that depends on the state")
        subs = read.subs
        if read.aligned:
            known = aligned_subs(read)
            if known is None:
                raise NotAffine(read, "a broadcast of the state", certain=False)
            subs = known
        return Affine({Place(value, tuple(map(_undone, subs))): ONE})
    body = _defined(read)
    if body is None and read.aligned:
        raise NotAffine(read, "a broadcast of the state", certain=False)
    if body is None:
        raise NotAffine(read, "an index that depends on the state")
    return interpret(body, states, dependence)


def _undone(sub: Term) -> Term:
    """i of ``n * (i // n) + i % n``: an axis that a view took apart and another merged."""
    if not isinstance(sub, Apply) or sub.op != "add" or len(sub.args) != 2:
        return sub
    for low, high in (sub.args, sub.args[::-1]):
        if isinstance(low, Apply) and low.op == "mod" and isinstance(high, Apply):
            index, size = low.args
            if high.op == "mul" and {*high.args} == {size, Apply("floordiv", (index, size))}:
                return index
    return sub


def aligned_subs(read: Read) -> tuple[Term, ...] | None:
    """The subscripts of a broadcast read that is certainly a plain one."""
    axes = read.value.axes
    count = len(read.subs) - len(axes)
    if count < 0 or (count and any(axis.group for axis in axes)):
        return None
    out: list[Term] = []
    for axis, sub in zip(axes, read.subs[count:], strict=True):
        if isinstance(sub, Index) and sub.group == axis.group and sub.extent is axis.extent:
            out.append(sub)
        elif axis.extent is ONE or sub is ZERO:
            out.append(ZERO)
        else:
            return None
    return tuple(out)


def _sum(term: Reduce, states: frozenset[Value], dependence: Dependence) -> Affine:
    if term.op != "sum":
        raise NotAffine(term, f"a {term.op} of the state")
    body = interpret(term.body, states, dependence)
    coefficients: dict[Place, Term] = {}
    for place, coefficient in body.coefficients.items():
        if any(term.index in free_indices(sub) for sub in place.subs):
            place = Place(place.state, place.subs, (*place.bound, term.index))
        else:
            coefficient = Reduce("sum", term.index, coefficient)
        coefficients[place] = plus(coefficients.get(place, ZERO), coefficient)
    constant = body.constant
    return Affine(
        coefficients, constant if constant is ZERO else Reduce("sum", term.index, constant)
    )


def _total(parts: list[Affine]) -> Affine:
    coefficients: dict[Place, Term] = {}
    constant: Term = ZERO
    for part in parts:
        for place, c in part.coefficients.items():
            coefficients[place] = plus(coefficients.get(place, ZERO), c)
        constant = plus(constant, part.constant)
    return Affine(coefficients, constant)


def _scaled(part: Affine, by: Term) -> Affine:
    return Affine(
        {place: times(by, c) for place, c in part.coefficients.items()},
        times(by, part.constant),
    )


def _joined(condition: Term, then: Affine, otherwise: Affine) -> Affine:
    places = {**then.coefficients, **otherwise.coefficients}
    return Affine(
        {
            place: chosen(
                condition,
                then.coefficients.get(place, ZERO),
                otherwise.coefficients.get(place, ZERO),
            )
            for place in places
        },
        chosen(condition, _zero(then.constant), _zero(otherwise.constant)),
    )


def _zero(term: Term) -> Term:
    """A term; zeros that have a name, which a choice puts in the place of the state, as zeros."""
    return ZERO if is_number(computed(term), 0) else term


def chosen(condition: Term, then: Term, otherwise: Term) -> Term:
    return then if then is otherwise else Apply("where", (condition, then, otherwise))


def is_number(term: Term, value: float) -> bool:
    return (
        isinstance(term, Const)
        and isinstance(term.value, (int, float))
        and not isinstance(term.value, bool)
        and term.value == value
    )


def plus(a: Term, b: Term) -> Term:
    if is_number(a, 0):
        return b
    return a if is_number(b, 0) else Apply("add", (a, b))


def times(*terms: Term) -> Term:
    kept = [term for term in terms if not is_number(term, 1)]
    if any(is_number(term, 0) for term in kept):
        return ZERO
    if not kept:
        return ONE
    minus = [term for term in kept if is_number(term, -1)]
    if minus and len(kept) > len(minus):
        rest = times(*(term for term in kept if not is_number(term, -1)))
        return rest if len(minus) % 2 == 0 else Apply("neg", (rest,))
    return kept[0] if len(kept) == 1 else Apply("mul", tuple(kept))


def divided(a: Term, b: Term) -> Term:
    return ZERO if is_number(a, 0) else Apply("div", (a, b))


@dataclass(frozen=True)
class Factor:
    """A factor of a product; below the line if ``inverse``; the exponential of ``term`` if
    ``exponential`` (products of those are exponentials of sums)."""

    term: Term
    inverse: bool = False
    exponential: bool = False


def factors(term: Term, *, split_exponentials: bool = False) -> list[Factor]:
    """The multiplicative factors of ``term`` as the user wrote them, so that a product can be
    grouped by the indices that each factor depends on."""
    found: list[Factor] = []
    stack = [(term, False)]
    while stack:
        node, inverse = stack.pop()
        if isinstance(node, Apply) and node.op == "mul":
            stack.extend((arg, inverse) for arg in reversed(node.args))
        elif isinstance(node, Apply) and node.op == "div":
            stack.append((node.args[1], not inverse))
            stack.append((node.args[0], inverse))
        elif isinstance(node, Apply) and node.op == "neg":
            stack.append((node.args[0], inverse))
            stack.append((Const(-1), False))
        elif split_exponentials and isinstance(node, Apply) and node.op == "exp":
            found.extend(Factor(part, inverse, exponential=True) for part in addends(node.args[0]))
        elif not is_number(node, 1):
            found.append(Factor(node, inverse))
    return found


def addends(term: Term) -> list[Term]:
    """The summands of ``term`` as the user wrote them."""
    if isinstance(term, Apply) and term.op == "add":
        return [part for arg in term.args for part in addends(arg)]
    if isinstance(term, Apply) and term.op == "sub":
        minus = [times(Const(-1), part) for part in addends(term.args[1])]
        return [*addends(term.args[0]), *minus]
    if isinstance(term, Apply) and term.op == "neg":
        return [times(Const(-1), part) for part in addends(term.args[0])]
    return [term]
