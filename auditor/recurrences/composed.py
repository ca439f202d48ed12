"""Steps of a recurrence as elements that compose, with the code of the step and of the composition.

A step of a carried value that stays in one of the domains of ``auditor.algebra`` is a function with
a few coefficients: ``min(high, max(low, scale * h + shift))``, ``(a * h + b) / (c * h + d)``,
``logaddexp(h + log_scale, log_shift)``, or a matrix for values that move jointly. Two such
functions in turn are one of the same form; ``combine`` computes its coefficients.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from auditor.algebra.affine import NotAffine, inline, interpret, is_number
from auditor.algebra.limits import CannotSpell
from auditor.algebra.normal import Normaliser
from auditor.algebra.piecewise import NEGATIVE_INF, clamped, projective
from auditor.algebra.polynomial import Poly
from auditor.algebra.spell import spelled
from auditor.algebra.states import Dependence
from auditor.algebra.summary import Summary
from auditor.assumed import listed
from auditor.notation import (
    INF,
    ZERO,
    Apply,
    Const,
    Read,
    Reduce,
    Term,
    Value,
    definition,
    walk,
)
from auditor.recurrences.array_types import AffineRow
from auditor.recurrences.recurrence import LoopRegion

_FEW = 3
"""Values that may move jointly: nine entries of a matrix."""


@dataclass(frozen=True)
class Part:
    """A coefficient: its name, its term, and the slot over whose axes the term stands."""

    name: str
    term: Term
    slot: int


@dataclass(frozen=True)
class Composed:
    """``states`` are the names of the state in ``step``, whose results are expressions in them and
    in the parts' names. ``combine`` are statements and ``combined`` expressions in the parts'
    names with 1 and 2 behind them. ``{module}`` stands for the name of the library. ``objection``
    says why it would never pay. ``rows`` are the matrix of values that move jointly, or of one
    value that is kept within bounds."""

    form: str
    parts: tuple[Part, ...]
    states: tuple[str, ...]
    step: tuple[str, ...]
    combined: tuple[str, ...]
    combine: tuple[str, ...] = ()
    numerics: str = "reassociated"
    assumption: str | None = None
    objection: str | None = None
    rows: tuple[AffineRow, ...] = ()

    @property
    def bounded(self) -> bool:
        return any(bounds for *_, bounds in self.rows)


def composed(region: LoopRegion, summary: Summary) -> Composed | None:
    """The code of a stage, or None where it is no scan of this kind."""
    carries = [region.scan.carries[slot] for slot in summary.state]
    states = tuple(carry.state for carry in carries)
    dependence = Dependence()
    updates = [
        inline(region.final_element(carry.name, *states), frozenset(states), dependence)
        for carry in carries
    ]
    try:
        if summary.domain == "matrix":
            return _matrix(summary.state, updates, states, dependence)
        if len(states) > 1:
            return None
        (slot,), (update,), (state,) = summary.state, updates, states
        if summary.domain in ("max-plus", "clamped affine", "lattice", "max", "min"):
            return _clamp(slot, update, state, dependence)
        if summary.domain == "projective":
            return _fraction(slot, update, state, dependence)
        if summary.domain == "log-semiring":
            return _log_sum(slot, update, state)
    except (NotAffine, CannotSpell):
        return None
    return None


# ------------------------------------------------------------------------------------- clamps


def _clamp(slot: int, update: Term, state: Value, dependence: Dependence) -> Composed:
    found = clamped(update, state, dependence)
    scaled, shifted = not is_number(found.a, 1), not is_number(found.b, 0)
    low, high = _settled(found.low), _settled(found.high)
    sometimes = any(
        bound not in (INF, NEGATIVE_INF) and _infinite(bound) for bound in (low, high, found.b)
    )
    signed = scaled and not not_negative(found.a)
    if not signed and isinstance(low, Apply) and low.op == "min" and low.args[1] is high:
        # the step takes the smaller of it and `high` by itself, and so does the composition
        low = low.args[0]
    terms = {"scale": found.a if scaled else None, "shift": found.b if shifted else None}
    terms["low"] = low if signed or low is not NEGATIVE_INF else None
    terms["high"] = high if signed or high is not INF else None
    parts = tuple(Part(name, term, slot) for name, term in terms.items() if term is not None)
    names = {part.name for part in parts}
    bounds = tuple(part.term for part in parts if part.name in ("low", "high"))
    h = _state_names((state,), parts)

    def moved(what: str, by: str = "") -> str:
        text = f"scale{by} * {what}" if scaled else what
        return f"{text} + shift{by}" if shifted else text

    def bounded(text: str, by: str = "") -> str:
        if {"low", "high"} <= names:
            # clamp has no gradient where both bounds are one
            return f"{{module}}.minimum({{module}}.maximum({text}, low{by}), high{by})"
        if "low" in names:
            return f"{{module}}.maximum({text}, low{by})"
        return f"{{module}}.minimum({text}, high{by})"

    combined = {"scale": "scale2 * scale1", "shift": moved("shift1", "2")}
    statements: tuple[str, ...] = ()
    if signed:
        statements = (
            f"one, other = {moved('low1', '2')}, {moved('high1', '2')}",
            "least, most = {module}.minimum(one, other), {module}.maximum(one, other)",
        )
        combined |= {"low": bounded("least", "2"), "high": bounded("most", "2")}
    else:
        combined |= {end: bounded(moved(f"{end}1", "2"), "2") for end in ("low", "high")}
    return Composed(
        "an affine map kept within bounds"
        if scaled
        else "a sum kept within bounds"
        if shifted
        else "a bound",
        parts,
        h,
        (bounded(moved(h[0])),),
        tuple(combined[part.name] for part in parts),
        statements,
        "conditioned" if scaled else "reassociated",
        assumption=_below_zero(found.b, bounds),
        objection="a bound is infinite at some steps only" if sometimes else None,
        rows=((((found.a, slot),), found.b, bounds),),
    )


def _below_zero(shift: Term, bounds: tuple[Term, ...]) -> str | None:
    """What is assumed of arrays that are added up above a negative number: it is none of unsigned
    integers, among which a library's ``clip`` alone takes it."""
    numbers = [bound.value for bound in bounds if isinstance(bound, Const)]
    if not any(isinstance(number, (int, float)) and number < 0 for number in numbers):
        return None
    reads = {node.value for node in walk(shift) if isinstance(node, Read)}
    names = sorted(value.name for value in reads if value.axes and value.dtype is None)
    holds = "holds" if len(names) == 1 else "hold"
    said = listed(f"`{name}`" for name in names)
    return f"{said} {holds} no unsigned integers" if names else None


def _settled(bound: Term) -> Term:
    """The bound with extremes of numbers taken."""
    if not isinstance(bound, Apply) or bound.op not in ("max", "min"):
        return bound
    args = [_settled(arg) for arg in bound.args]
    values = [arg.value for arg in args if isinstance(arg, Const)]
    numbers = [value for value in values if isinstance(value, (int, float))]
    if len(numbers) == len(args):
        return Const(max(numbers) if bound.op == "max" else min(numbers))
    return Apply(bound.op, tuple(args))


def _infinite(term: Term) -> bool:
    return any(
        isinstance(node, Const) and node.value in (INF.value, NEGATIVE_INF.value)
        for node in walk(term)
    )


_POSITIVE = frozenset(("exp", "exp2", "sigmoid", "abs", "square", "sqrt", "softplus", "relu"))


def not_negative(term: Term) -> bool:
    """Whether the term is at least zero whatever its inputs, as its structure shows."""
    if isinstance(term, Const):
        return isinstance(term.value, (int, float)) and term.value >= 0
    if isinstance(term, Read):
        inner = definition(term)
        return inner is not None and not_negative(inner)
    if isinstance(term, Reduce):
        return term.op in ("sum", "prod", "max", "min", "mean") and not_negative(term.body)
    if not isinstance(term, Apply):
        return False
    op, args = term.op, term.args
    if op == "pow" and isinstance(args[1], Const):
        return args[1].value in (0.5, 2, 4, 6) or not_negative(args[0])
    if op == "mul" and args[0] is args[1]:
        return True
    if op in ("add", "mul", "div", "min"):
        return all(map(not_negative, args))
    if op == "sub":
        return is_number(args[0], 1) and _at_most_one(args[1])
    if op == "max":
        return any(map(not_negative, args))
    if op == "where":
        return all(map(not_negative, args[1:]))
    if op.startswith("cast:"):
        return not_negative(args[0])
    return op in _POSITIVE


def _at_most_one(term: Term) -> bool:
    if isinstance(term, Const):
        return isinstance(term.value, (int, float)) and term.value <= 1
    if isinstance(term, Read):
        inner = definition(term)
        return inner is not None and _at_most_one(inner)
    return isinstance(term, Apply) and term.op in ("sigmoid", "tanh", "sin", "cos")


# ---------------------------------------------------------------------------------- fractions


def _fraction(slot: int, update: Term, state: Value, dependence: Dependence) -> Composed:
    found = projective(update, state, dependence)
    terms = zip("abcd", (found.a, found.b, found.c, found.d), strict=True)
    parts = tuple(Part(name, term, slot) for name, term in terms)
    h = _state_names((state,), parts)
    return Composed(
        "a fraction of affine maps",
        parts,
        h,
        (f"(a * {h[0]} + b) / (c * {h[0]} + d)",),
        tuple(f"{name} / size" for name in "abcd"),
        (
            "a, b = a2 * a1 + b2 * c1, a2 * b1 + b2 * d1",
            "c, d = c2 * a1 + d2 * c1, c2 * b1 + d2 * d1",
            "size = {module}.maximum(a.abs() + b.abs(), c.abs() + d.abs())",
        ),
        "conditioned",
        f"no step of `{state.name.partition('[')[0]}` divides by zero",
    )


# -------------------------------------------------------------------------------- logarithms


def _log_sum(slot: int, update: Term, state: Value) -> Composed | None:
    """exp(update) = scale exp(state) + shift, both of them sums of exponentials."""
    normaliser = Normaliser()
    place = normaliser.normal(Read(state, state.axes)).atom
    grown = normaliser.normal(Apply("exp", (update,)))
    scales: list[Term] = []
    shifts: list[Term] = []
    for factors, coefficient in grown.terms.items():
        if coefficient != 1 or any(atom.kind != "exp" for atom, _ in factors):
            return None  # the logarithm of a factor that may be negative
        exponent = {atom.args[-1]: power for atom, power in factors}
        moving = exponent.pop(frozenset(((place, 1),)), 0)
        if moving not in (0, 1):
            return None
        (scales if moving else shifts).append(spelled(Poly(exponent)) if exponent else ZERO)
    if not scales or not shifts:
        return None
    scale, shift = (_joined(terms) for terms in (scales, shifts))
    scaled = not is_number(scale, 0)
    parts = ((Part("log_scale", scale, slot),) if scaled else ()) + (
        Part("log_shift", shift, slot),
    )
    h = _state_names((state,), parts)
    grown_state = f"{h[0]} + log_scale" if scaled else h[0]
    carried = "log_shift1 + log_scale2" if scaled else "log_shift1"
    combined = (f"{{module}}.logaddexp({carried}, log_shift2)",)
    return Composed(
        "an affine map of the exponential",
        parts,
        h,
        (f"{{module}}.logaddexp({grown_state}, log_shift)",),
        ("log_scale1 + log_scale2", *combined) if scaled else combined,
        (),
        "conditioned",
    )


def _joined(terms: list[Term]) -> Term:
    joined = terms[0]
    for term in terms[1:]:
        joined = Apply("logaddexp", (joined, term))
    return joined


# ----------------------------------------------------------------------------------- matrices


def _matrix(
    slots: tuple[int, ...],
    updates: list[Term],
    states: tuple[Value, ...],
    dependence: Dependence,
) -> Composed | None:
    """Values that move jointly: a matrix and a vector for each element."""
    size = len(slots)
    if not 1 < size <= _FEW or len({len(state.axes) for state in states}) > 1:
        return None
    entries: dict[tuple[int, int], Term] = {}
    constants: list[Term] = []
    for row, update in enumerate(updates):
        found = interpret(update, frozenset(states), dependence)
        for place, coefficient in found.coefficients.items():
            if not _same_place(place.subs, states[row].axes) or place.bound:
                return None
            entries[row, states.index(place.state)] = coefficient
        constants.append(found.constant)
    driven = not all(is_number(term, 0) for term in constants)
    every = range(size)
    parts = [
        Part(f"a{row}{column}", entries.get((row, column), ZERO), slots[row])
        for row in every
        for column in every
    ]
    if driven:
        parts += [Part(f"b{row}", constants[row], slots[row]) for row in every]
    names = _state_names(states, parts)
    rows = tuple(
        (tuple((entries[place], slots[place[1]]) for place in entries if place[0] == row),
         constants[row], ())
        for row in every
    )  # fmt: skip

    def product(row: int, by: str, right: Iterable[str]) -> str:
        return " + ".join(f"a{row}{k}{by} * {each}" for k, each in zip(every, right, strict=True))

    step = [product(row, "", names) + (f" + b{row}" if driven else "") for row in every]
    combined = [
        product(row, "_2", [f"a{k}{column}_1" for k in every]) for row in every for column in every
    ]
    if driven:
        combined += [product(row, "_2", [f"b{k}_1" for k in every]) + f" + b{row}_2"
                     for row in every]  # fmt: skip
    return Composed(
        f"a {size} by {size} matrix",
        tuple(parts),
        names,
        tuple(step),
        tuple(combined),
        (),
        "conditioned",
        rows=rows,
    )


def _same_place(subs: tuple[Term, ...], axes: tuple[Term, ...]) -> bool:
    return len(subs) == len(axes) and all(a is b for a, b in zip(subs, axes, strict=True))


def _state_names(states: tuple[Value, ...], parts: Iterable[Part]) -> tuple[str, ...]:
    """The user's names where they are names and none of the parts'."""
    names = [state.name.partition("[")[0] for state in states]
    taken = {part.name for part in parts} | {"element", "first", "second", "torch"}
    good = all(name.isidentifier() and name not in taken for name in names)
    if good and len(set(names)) == len(names):
        return tuple(names)
    return tuple(f"h{row}" for row in range(len(states))) if len(states) > 1 else ("h",)
