"""Summaries whose state is the carried values themselves: an associative operation, the first
element that meets a condition, the few largest in order, a clamp."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction

from auditor.algebra.affine import NotAffine, affine_in
from auditor.algebra.distinct import distinct
from auditor.algebra.domains import summarise
from auditor.algebra.few_best import few_best
from auditor.algebra.kept_best import best
from auditor.algebra.kept_first import first
from auditor.algebra.kept_last import last
from auditor.algebra.kept_window import window
from auditor.algebra.monoid import Part, field, start_of
from auditor.algebra.overtaken import overtaken
from auditor.algebra.remainders import asked
from auditor.algebra.semirings import SUMS, NotLinear
from auditor.algebra.shifts import joined_bits
from auditor.algebra.states import Dependence
from auditor.algebra.summary import Summary
from auditor.notation import (
    FALSE,
    INF,
    NONE,
    ONE,
    TRUE,
    ZERO,
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Scan,
    Symbol,
    Term,
    Value,
    walk,
)


def _read(carry: Carry) -> Term:
    return Read(carry.state, ())


# -- one associative operation

_IDENTITIES: dict[str, Term] = {
    "bitxor": ZERO, "bitor": ZERO, "bitand": Const(-1), "gcd": ZERO, "lcm": ONE,
}  # fmt: skip
_WORDS = {
    "bitxor": "exclusive or", "bitor": "bitwise or", "bitand": "bitwise and", "gcd": "the greatest "
    "common divisor", "lcm": "the least common multiple", "concat": "concatenation",
    "union": "the union of sets", "common": "the intersection of sets",
}  # fmt: skip
SOME_TEXT = "''"
"""What a carried value is called that begins as a text, of which nothing else is known."""

_OF_INTEGERS = frozenset(("bitxor", "bitor", "bitand", "gcd", "lcm"))
_DIVISORS = frozenset(("gcd", "lcm"))
"""What is of whole numbers alone: begun with anything, it is what it began as until a step."""
_IN_ORDER = frozenset(("concat",))


def operation(carries: list[Carry], dependence: Dependence) -> Part | None:
    """``s' = s op e`` with an associative operation of Python."""
    if len(carries) != 1:
        return None
    (carry,) = carries
    update, state = carry.update, _read(carry)
    condition: Term | None = None
    if isinstance(update, Apply) and update.op == "where":
        test, then, other = update.args
        if dependence.mentions(test, (carry.state,)) or state not in (then, other):
            return None
        condition = test if other is state else Apply("not", (test,))
        update = then if other is state else other
    if not isinstance(update, Apply) or len(update.args) != 2:
        return None
    op, (first, second) = update.op, update.args
    sequence = isinstance(carry.init, Const) and isinstance(carry.init.value, str)
    listed = isinstance(carry.init, Read) and carry.init.value.name in ("[]", "()")
    if op == "add" and (sequence or listed):
        op = "concat"
    if op not in _WORDS:
        return None
    whole = _begins_whole(carry)
    if op in _OF_INTEGERS - _DIVISORS and not whole:
        return None  # with no element there is no error either
    optional = op == "common" or (op in _DIVISORS and not whole)
    before = first is not state and op in _IN_ORDER  # `s = c + s`: what comes later stands in front
    if first is not state:
        if second is not state:
            return None
        first, second = second, first
    if dependence.mentions(second, (carry.state,)):
        return None
    identity = NONE if optional else _identity(op, carry)
    part = field(carry.name, f"{carry.name} of the piece alone", identity)

    def together(early: Term, late: Term) -> Term:
        first, second = (late, early) if before else (early, late)
        both = Apply(op, (first, second))
        return _when(_absent(first), second, both) if optional else both

    updated, combined = together(part.left, second), together(part.left, part.right)
    if optional:
        combined = _when(_absent(part.right), part.left, combined)
    if condition is not None:
        updated = Apply("where", (condition, updated, part.left))
    begun = carry.init
    empty = isinstance(begun, Read) and begun.value.name in ("[]", "()", "set()")
    finish: Term = part.left if empty else together(start_of(carry), part.left)
    if optional:
        finish = _when(_absent(part.left), start_of(carry), Apply(op, (start_of(carry), part.left)))
    said = f"element {op} {carry.name}" if before else f"{carry.name} {op} element"
    return Part(
        (carry.state,), (part,), (updated,), (combined,), (finish,),
        _WORDS[op], f"{carry.name}' = {said}, and {_WORDS[op]} is associative",
        "exact", commutes=op not in _IN_ORDER,
    )  # fmt: skip


def _begins_whole(carry: Carry) -> bool:
    """Whether a value begins as a whole number: bits are not those of a set or a dictionary."""
    if isinstance(carry.init, Const):
        return isinstance(carry.init.value, int)
    return carry.state.dtype is not None and carry.state.dtype.startswith(("int", "uint", "bool"))


def _absent(term: Term) -> Term:
    return Apply("is", (term, NONE))


def _when(condition: Term, then: Term, other: Term) -> Term:
    return Apply("where", (condition, then, other))


def _identity(op: str, carry: Carry) -> Term:
    if op == "concat":
        if isinstance(carry.init, Const) and isinstance(carry.init.value, str):
            return Const("")
        if isinstance(carry.init, Read) and carry.init.value.name == SOME_TEXT:
            return Const("")
        made = isinstance(carry.init, Read) and carry.init.value.name == "()"
        return Read(Value("()" if made else "[]", (), kind="input"), ())
    if op == "union":
        return Read(Value("set()", (), kind="input"), ())
    if isinstance(carry.init, Const) and isinstance(carry.init.value, bool):
        return {"bitor": FALSE, "bitand": TRUE, "bitxor": FALSE}.get(op, _IDENTITIES[op])
    return _IDENTITIES[op]


# -- the few largest

_COMPARISONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b, "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
}  # fmt: skip


def insertion(carries: list[Carry], dependence: Dependence) -> Part | None:
    """The k largest (or smallest) in order, kept in k variables: the update, whatever its
    branches, must insert the element in each of the orders that the values can have."""
    if not 2 <= len(carries) <= 4:
        return None
    states = [c.state for c in carries]
    elements = {
        arg
        for c in carries
        for node in walk(c.update)
        if isinstance(node, Apply) and node.op in (*_COMPARISONS, "max", "min")
        for arg in node.args
        if not dependence.mentions(arg, states)
    }
    if len(elements) != 1:
        return None
    (element,) = elements
    for descending in (True, False):
        for order in itertools.permutations(carries):
            if _inserts(order, element, descending):
                return _insertion_part(order, element, descending)
    return None


def _inserts(order: Sequence[Carry], element: Term, descending: bool) -> bool:
    count = len(order)
    starts = [c.init.value for c in order if isinstance(c.init, Const)
              and isinstance(c.init.value, (int, float))]  # fmt: skip
    if len(starts) != count or sorted(starts, reverse=descending) != starts:
        return False
    for held in itertools.combinations_with_replacement(range(0, 2 * count, 2), count):
        values = sorted((Fraction(v) for v in held), reverse=descending)
        for place in range(-1, 2 * count):
            new = Fraction(place)
            given = {c.state: v for c, v in zip(order, values, strict=True)}
            try:
                after = [_valued(c.update, given, element, new) for c in order]
            except KeyError:
                return False
            if after != sorted([*values, new], reverse=descending)[:count]:
                return False
    return True


def _valued(
    term: Term, given: dict[Value, Fraction], element: Term, new: Fraction
) -> Fraction | bool:
    """``term`` as a choice among values; KeyError where it is more than that."""
    if term is element:
        return new
    if isinstance(term, Read):
        return given[term.value]
    if isinstance(term, Const) and isinstance(term.value, bool):
        return term.value
    if not isinstance(term, Apply):
        raise KeyError(term)

    def value(arg: Term) -> Fraction | bool:
        return _valued(arg, given, element, new)

    op, args = term.op, term.args
    if op == "where":
        return value(args[1] if value(args[0]) else args[2])
    if op in ("and", "or"):
        sides = [bool(value(arg)) for arg in args]
        return all(sides) if op == "and" else any(sides)
    if op == "not":
        return not value(args[0])
    if op in ("max", "min"):
        return (max if op == "max" else min)(value(arg) for arg in args)
    return _COMPARISONS[op](Fraction(value(args[0])), Fraction(value(args[1])))


def _insertion_part(order: Sequence[Carry], element: Term, descending: bool) -> Part:
    top, low = ("max", "min") if descending else ("min", "max")
    bottom = Const(float("-inf")) if descending else INF
    words = "largest" if descending else "smallest"
    fields = [
        field(c.name, f"number {n + 1} of the {words} of the piece", bottom)
        for n, c in enumerate(order)
    ]

    def merged(left: list[Term], right: list[Term]) -> list[Term]:
        """The first of two ordered lists together: the k-th is the best, over all ways to take
        k of both, of the worst taken."""
        out = []
        for k in range(1, len(order) + 1):
            candidates: list[Term] = []
            for i in range(k + 1):
                chosen = [t for t in (left[i - 1] if i else None, right[k - i - 1] if k - i else
                                      None) if t is not None]  # fmt: skip
                if any(c is bottom for c in chosen):
                    continue
                candidates.append(chosen[0] if len(chosen) == 1 else Apply(low, tuple(chosen)))
            whole = candidates[0]
            for other in candidates[1:]:
                whole = Apply(top, (whole, other))
            out.append(whole)
        return out

    own, other = [f.left for f in fields], [f.right for f in fields]
    start = [start_of(c) for c in order]
    new = [element, *[bottom] * (len(order) - 1)]
    names = ", ".join(c.name for c in order)
    return Part(
        tuple(c.state for c in order), tuple(fields), tuple(merged(own, new)),
        tuple(merged(own, other)), tuple(merged(start, own)), f"the {len(order)} {words}, in order",
        f"({names}) are kept in order, and a step inserts the element: checked in every order that "
        "the values can have; the first of two ordered lists merge", "exact", commutes=True,
    )  # fmt: skip


# -- clamps


def single(carries: list[Carry], dependence: Dependence) -> Part | None:
    """One carried value that is clamped."""
    if len(carries) != 1:
        return None
    (carry,) = carries
    update = carry.update
    bounded = [n for n in walk(update) if isinstance(n, Apply) and n.op in ("max", "min", "where")]
    if not bounded:
        return None
    scan = Scan(Index("t", Symbol("steps")))
    scan.carries = (carry,)
    try:
        (stage,) = summarise(scan)
    except NotAffine:
        return None
    if not isinstance(stage, Summary) or stage.domain not in ("max-plus", "lattice", _SCALED):
        return None
    found = stage.elements
    if stage.domain == _SCALED:
        return _scaled_clamp(carry, stage)
    low, high = found["low"], found["high"]
    if low is Const(float("-inf")) or high is INF:
        return None
    shift = found.get("b", ZERO)
    fields = (
        field(f"{carry.name}_shift", f"what the piece adds to {carry.name} before its limits",
              ZERO),
        field(f"{carry.name}_low", f"the least {carry.name} that the piece leaves",
              Const(float("-inf"))),
        field(f"{carry.name}_high", f"the most {carry.name} that the piece leaves", INF),
    )  # fmt: skip
    own = tuple(f.left for f in fields)
    other = tuple(f.right for f in fields)
    step = (shift, low, high)
    start = start_of(carry)
    return Part(
        (carry.state,), fields, _clamped(own, step), _clamped(own, other),
        (_limited(SUMS.add(start, own[0]), own[1], own[2]),), "clamped shifts",
        f"{stage.proof}; a clamp after a clamp is a clamp", "reassociated",
    )  # fmt: skip


_SCALED = "clamped affine"


def _scaled_clamp(carry: Carry, stage: Summary) -> Part | None:
    """Scaled by one positive number before it is clamped: the limits are scaled with the value."""
    scale, shift = stage.elements["a"], stage.elements["b"]
    if not isinstance(scale, Const) or not isinstance(scale.value, (int, float)):
        return None
    if not 0 < scale.value <= 1:
        return None  # what grows without limit leaves the numbers, though the loop does not
    fields = (
        field(f"{carry.name}_scale", f"what the piece multiplies to {carry.name}", ONE),
        field(f"{carry.name}_shift", "what it adds then, before its limits", ZERO),
        field(f"{carry.name}_low", f"the least {carry.name} that the piece leaves",
              Const(float("-inf"))),
        field(f"{carry.name}_high", f"the most {carry.name} that the piece leaves", INF),
    )  # fmt: skip
    step = (scale, shift, stage.elements["low"], stage.elements["high"])
    own, other = tuple(f.left for f in fields), tuple(f.right for f in fields)
    begun = SUMS.add(_times(own[0], start_of(carry)), own[1])
    return Part(
        (carry.state,), fields, _after(own, step), _after(own, other),
        (_limited(begun, own[2], own[3]),), "clamped affine functions",
        f"{stage.proof}; a clamp after a clamp is a clamp", "conditioned",
    )  # fmt: skip


def _after(first: tuple[Term, ...], second: tuple[Term, ...]) -> tuple[Term, ...]:
    """One scaled clamp after another. A limit that is infinite stays so under any scale."""
    scale, shift, low, high = second

    def moved(limit: Term, infinite: Term) -> Term:
        scaled = SUMS.add(_times(scale, limit), shift)
        return _limited(_when(Apply("eq", (limit, infinite)), limit, scaled), low, high)

    return (
        _times(scale, first[0]), SUMS.add(_times(scale, first[1]), shift),
        moved(first[2], Const(float("-inf"))), moved(first[3], INF),
    )  # fmt: skip


def _times(first: Term, second: Term) -> Term:
    return first if second is ONE else Apply("mul", (first, second))


def _limited(term: Term, low: Term, high: Term) -> Term:
    above = term if low is Const(float("-inf")) else Apply("max", (low, term))
    return above if high is INF else Apply("min", (high, above))


def _clamped(first: tuple[Term, ...], second: tuple[Term, ...]) -> tuple[Term, ...]:
    """The limits and the shift of one clamp after another."""
    shift, low, high = second
    return (
        SUMS.add(first[0], shift),
        _limited(SUMS.add(first[1], shift), low, high),
        _limited(SUMS.add(first[2], shift), low, high),
    )


# -- quotients of whole numbers


def quotient(carries: list[Carry], dependence: Dependence) -> Part | None:
    """``s' = (s + e) // m``: a quotient of a quotient is one by the product, if all are whole."""
    if len(carries) != 1:
        return None
    (carry,) = carries
    update = carry.update
    start = carry.init.value if isinstance(carry.init, Const) else 0
    if not isinstance(update, Apply) or update.op != "floordiv" or not isinstance(start, int):
        return None
    form = affine_in(update.args[0], [carry.state], dependence)
    by = update.args[1]
    whole = isinstance(by, Const) and isinstance(by.value, int) and by.value > 0
    if form is None or not whole or [*form.coefficients.values()] != [ONE]:
        return None
    try:
        element = asked(form.constant)
    except NotLinear:
        return None
    added = field(f"{carry.name}_added", "what the piece adds before it divides", ZERO)
    divisor = field(f"{carry.name}_by", "what the piece divides by", ONE)

    def then(more: Term, also: Term) -> tuple[Term, Term]:
        scaled = more if more is ZERO else Apply("mul", (divisor.left, more))
        return SUMS.add(added.left, scaled), Apply("mul", (divisor.left, also))

    finish = Apply("floordiv", (SUMS.add(start_of(carry), added.left), divisor.left))
    return Part(
        (carry.state,), (added, divisor), then(element, by), then(added.right, divisor.right),
        (finish,), "quotients of whole numbers",
        f"{carry.name}' = ({carry.name} + b) // m: a quotient of a quotient is one by the product",
        "exact",
    )  # fmt: skip


ATTEMPTS: tuple[Callable[[list[Carry], Dependence], Part | None], ...] = (
    operation, first, last, best, insertion, few_best, single, quotient, joined_bits, distinct,
    overtaken, window,
)  # fmt: skip
