"""Loops interpreted in abstract domains whose functions compose in closed form.

Each stage of a loop (carries that depend on each other) is interpreted once: its states are the
domain's generic element, everything else is an opaque input. If the update stays in the domain,
that is a proof that the loop is a scan over the domain's functions, and the coefficients found
are the scan's elements. There is no table of named idioms: a running maximum written with a
branch, with ``max`` or with ``relu`` is the same function of the state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from auditor.algebra.affine import Affine, NotAffine, Place, inline, interpret, is_number
from auditor.algebra.best import place_of_best, single_truths
from auditor.algebra.bits import linear_bits, takes_bits
from auditor.algebra.bounds import integral
from auditor.algebra.conjugates import floored, monomial_in, power_sum
from auditor.algebra.coupled import finite_control, joint_matrix, max_plus, ordered
from auditor.algebra.kept_places import kept_places
from auditor.algebra.limits import CannotSpell, TooLarge
from auditor.algebra.log_sums import exponentials, takes_logarithms
from auditor.algebra.max_times import greatest_products
from auditor.algebra.normal import Normaliser, depends
from auditor.algebra.piecewise import NEGATIVE_INF, Clamped, clamped, projective
from auditor.algebra.place_maps import tables_of_places
from auditor.algebra.polynomial import Poly
from auditor.algebra.scalars import unnested
from auditor.algebra.spell import spelled
from auditor.algebra.states import Dependence, stages
from auditor.algebra.subterms import everything, values_in
from auditor.algebra.summary import (
    LONGEST,
    Refused,
    Stage,
    Summary,
    fixed_width,
    integer,
    letters,
    rounded,
)
from auditor.algebra.tropical import boolean
from auditor.algebra.tropical_arrays import LOG, semiring_of
from auditor.algebra.truths import by_truth
from auditor.notation import (
    FALSE,
    INF,
    ONE,
    TRUE,
    ZERO,
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Scan,
    Term,
    Trace,
    Value,
    children,
    show,
    transform,
    walk,
)
from auditor.verdict import Numerics
from auditor.writing.readable import Naming

_BITWISE = {
    "call:bitwise_xor": ("exclusive or", "0"), "call:bitwise_or": ("bitwise or", "0"),
    "call:bitwise_and": ("bitwise and", "-1"), "xor": ("exclusive or", "False"),
}  # fmt: skip
# Rewrites and properties ask the same of a loop.
_known: WeakKeyDictionary[Scan, list[Stage]] = WeakKeyDictionary()
_left: WeakKeyDictionary[Carry, frozenset[Value]] = WeakKeyDictionary()
"""The states of a loop that the normal form of an update reads."""


def summarise(scan: Scan) -> list[Stage]:
    """Every stage of the loop, in the order in which they can be computed."""
    if scan not in _known:
        _known[scan] = _summarise(scan)
    return list(_known[scan])


def _summarise(scan: Scan) -> list[Stage]:
    dependence = Dependence()
    states = {carry.state for carry in scan.carries}
    everyone = tuple(range(len(scan.carries)))
    if dependence.mentions(scan.step.extent, states):
        return [Refused(everyone, "the number of steps depends on the state", True, final=True)]
    updates = [carry.update for carry in scan.carries]
    if any(isinstance(node, Trace) and node.scan is scan for node in everything(updates)):
        return [Refused(everyone, "a step reads earlier ones than the step before", certain=False)]
    return [_stage(scan, slots, dependence) for slots in stages(scan, dependence)]


def _stage(scan: Scan, slots: tuple[int, ...], dependence: Dependence) -> Stage:
    carries = [scan.carries[slot] for slot in slots]
    states = frozenset(carry.state for carry in carries)
    # a loop inside this one is summarised first
    from auditor.algebra.nested import flattened

    updates = [
        single_truths(unnested(flattened(inline(c.update, states, dependence), scan)), c.state.axes)
        for c in carries
    ]
    for carry, update in zip(carries, updates, strict=True):
        dropped = cancelled(carry, update, scan, dependence) or rounded(carry, update, dependence)
        if dropped is not None:
            return Refused(slots, dropped, certain=True, final=True)
    reasons: list[NotAffine] = []
    attempts: list[Callable[[], Summary | None]]
    if len(slots) == 1:
        one = _Single(slots, carries[0], updates[0], dependence, scan.step)
        attempts = [one.constant, one.finite, one.affine, one.clamp, one.modular, one.bitwise]
        attempts += [one.log_sum, one.projective, one.best, one.place, one.values, one.linear]
        attempts += [one.monomial, one.power_sum, one.floored, one.truth, one.product]
    else:
        given = (slots, carries, updates, dependence)
        attempts = [lambda: finite_control(*given), lambda: joint_matrix(*given, scan.step)]
        attempts += [lambda: max_plus(*given, scan.step), lambda: ordered(*given, scan.step)]
    attempts.append(lambda: _rows_of_bits(slots, carries, updates, dependence, scan.step))
    attempts.append(lambda: _places(slots, carries, updates, dependence, scan.step))
    attempts.append(lambda: greatest_products(slots, carries, updates, dependence, scan.step))
    for attempt in attempts:
        try:
            found = attempt()
        except NotAffine as reason:
            reasons.append(reason.alone())
            continue
        except TooLarge:
            continue
        if found is not None:
            return found
    return _refusal(slots, carries, reasons, scan.step)


def _rows_of_bits(
    slots: tuple[int, ...],
    carries: list[Carry],
    updates: list[Term],
    dependence: Dependence,
    step: Index,
) -> Summary | None:
    """Whole numbers that are linear in each other bit by bit."""
    found = linear_bits(carries, updates, dependence) if takes_bits(updates) else None
    if found is None:
        return None
    short = letters(carries, [*updates, *found.asked], step).show
    names = ", ".join(carry.name for carry in carries)
    begun = [carry.name for carry in carries if not isinstance(carry.init, Const)]
    asked = [short(term, LONGEST) for term in found.asked]
    narrow = [*(f"what {name} begins as" for name in begun), *asked]
    proof = f"{names} of {found.width} bits: each bit is a sum modulo 2 of bits of {names}"
    proof += " and of what is given" + (", the same ones at every step" if found.constant else "")
    if narrow:
        proof += f", where {', '.join(narrow)} is a whole number up to {(1 << found.width) - 1}"
    combine = "(A2, b2) . (A1, b1) = (A2 A1, A2 b1 ^ b2) with matrices A of bits"
    return Summary("bits", slots, combine, "(1, 0)", proof, "exact")


def _places(
    slots: tuple[int, ...],
    carries: list[Carry],
    updates: list[Term],
    dependence: Dependence,
    step: Index,
) -> Summary | None:
    """Values that are only ever looked up with."""
    tables = tables_of_places(carries, updates, step, dependence)
    if tables is None:
        return None
    names, read = (", ".join(one.name for one in some) for some in (carries, tables))
    is_place = "is a place" if len(carries) == 1 else "are places"
    return Summary(
        "places", slots, "looks up with the second what the first leaves, for every place",
        "every place itself", f"{names} {is_place} in {read}, which no step changes: a step is a "
        f"function of as many places as there are", "exact",
    )  # fmt: skip


def _refusal(
    slots: tuple[int, ...], carries: list[Carry], reasons: list[NotAffine], step: Index
) -> Refused:
    names = ", ".join(carry.name for carry in carries)
    short = letters(carries, [reason.term for reason in reasons], step).show
    if not reasons:
        return Refused(slots, f"no domain was found for {names}", certain=False)
    # the last domain that says what it cannot do with integers knows best
    first = next((r for r in reasons if r.reason.startswith("integers")), reasons[0])
    made = (first.term, *children(first.term))
    unknown = (
        not all(reason.certain for reason in reasons)
        or any(isinstance(node, Apply) and node.op.startswith("call:") for node in made)
        or any(
            isinstance(node, Apply) and node.op.startswith("call:value ")
            for carry in carries
            for node in walk(carry.update)
        )
    )
    return Refused(
        slots, f"{first.reason} in the update of {names}: {short(first.term)}", not unknown
    )


def cancelled(carry: Carry, update: Term, scan: Scan, dependence: Dependence) -> str | None:
    """A state that the update computes with and that vanishes from its normal form."""
    mine = {other.state for other in scan.carries}
    mentioned: set[Value] = set()
    sums = [n for n in walk(update) if isinstance(n, Apply) and n.op in ("add", "sub")]
    for node in sums:
        mentioned |= dependence.states(node) & mine
    if mentioned <= _left.get(carry, frozenset()):
        return None
    normaliser = Normaliser()
    try:
        left = values_in(normaliser.normal(carry.update))
        _left[carry], gone = frozenset(left & mine), mentioned - left
        if gone:  # in a sum, not because a limit decides
            forms = ((n, values_in(normaliser.normal(n))) for n in sums)
            gone &= {state for n, kept in forms for state in dependence.states(n) - kept}
    except TooLarge:
        return None
    lost = sorted(state.name for state in gone)
    if not lost:
        return None
    return (
        f"over the reals {', '.join(lost)} cancels out of the update of {carry.name}: "
        "a compensation for rounding, whose order is deliberate"
    )


@dataclass
class _Single:
    """A stage of one carry, tried in each domain."""

    slots: tuple[int, ...]
    carry: Carry
    update: Term
    dependence: Dependence
    step: Index

    def _summary(self, domain: str, combine: str, identity: str | None, proof: str,
                 numerics: Numerics, **elements: Term) -> Summary:  # fmt: skip
        return Summary(domain, self.slots, combine, identity, proof, numerics, elements)

    @property
    def name(self) -> str:
        return self.carry.name

    @cached_property
    def _naming(self) -> Naming:
        return letters([self.carry], [self.update], self.step)

    def short(self, term: Term) -> str:
        return self._naming.show(term, LONGEST)

    def constant(self) -> Summary | None:
        """The last element seen: the state is not read at all."""
        state = self.carry.state
        if self.dependence.mentions(self.update, (state,)):
            return None
        return self._summary(
            "selection", "x2", None, f"{self.name}' = {self.short(self.update)} does not read "
            f"{self.name}", "exact", x=self.update,
        )  # fmt: skip

    def finite(self) -> Summary | None:
        """A boolean state: the update is a table of two rows."""
        state = self.carry.state
        if not boolean(self.carry, self.update) or not _logical(
            self.update, state, self.dependence
        ):
            return None
        yes, no = (_with(self.update, state, value) for value in (TRUE, FALSE))
        return self._summary(
            "finite", "composes the tables {False, True} -> {False, True}",
            "the table that changes nothing",
            f"{self.name} is boolean, so the update is the table (False -> {self.short(no)}, "
            f"True -> {self.short(yes)})", "exact", if_true=yes, if_false=no,
        )  # fmt: skip

    def affine(self) -> Summary | None:
        state = self.carry.state
        found = interpret(self.update, frozenset((state,)), self.dependence)
        if not found.diagonal(state.axes):
            return joint_matrix(self.slots, [self.carry], [self.update], self.dependence, self.step)
        a, b = found.coefficients.get(Place(state, state.axes), ZERO), found.constant
        whole = f"{self.name}' = a {self.name} + b with a = {self.short(a)}, b = {self.short(b)}"
        exact = integer(self.carry)
        if is_number(a, 1):
            return self._summary(
                "sum", "b1 + b2", "0", f"{self.name}' = {self.name} + {self.short(b)}",
                "exact" if exact else "reassociated", a=ONE, b=b,
            )  # fmt: skip
        if is_number(b, 0):
            return self._summary(
                "product", "a2 a1", "1", f"{self.name}' = a {self.name} with a = {self.short(a)}",
                "exact" if exact else "conditioned", a=a, b=ZERO,
            )  # fmt: skip
        pair = "(a2, b2) . (a1, b1) = (a2 a1, a2 b1 + b2)"
        if _selects(a, b):
            return self._summary(
                "selection", "x2 where it replaces, else x1", "a step that copies",
                f"{self.name}' = {self.short(self.update)}: each step copies or replaces", "exact",
                a=a, b=b,
            )  # fmt: skip
        # numbers that are kept or left out are added in another order, no more
        sums = _selects(a, ZERO)
        return self._summary(
            "affine", pair, "(1, 0)", whole, "reassociated" if sums else "conditioned", a=a, b=b
        )

    def clamp(self) -> Summary | None:
        found = clamped(self.update, self.carry.state, self.dependence)
        elements = {"a": found.a, "b": found.b, "low": found.low, "high": found.high}
        if is_number(found.a, 1) and is_number(found.b, 0):
            return self._extremes(found)
        if fixed_width(self.carry):
            raise NotAffine(self.update, "integers that wrap around under a maximum")
        moved = is_number(found.a, 1)
        proof = f"{self.name}' = {self._shown(found)}"
        return self._summary(
            "max-plus" if moved else "clamped affine",
            "clamp after clamp is a clamp: (a2 a1, a2 b1 + b2, low and high through the second)",
            "(1, 0, -inf, inf)", proof, "reassociated" if moved else "conditioned", **elements,
        )  # fmt: skip

    def _shown(self, found: Clamped) -> str:
        """The update in short, with the coefficients after it."""
        text, given = self.name, []
        if not is_number(found.a, 1):
            text = f"a {text}"
            given.append(f"a = {self.short(found.a)}")
        if not is_number(found.b, 0):
            text += " + b"
            given.append(f"b = {self.short(found.b)}")
        if found.low is not NEGATIVE_INF:
            text = f"max({self.short(found.low)}, {text})"
        if found.high is not INF:
            text = f"min({self.short(found.high)}, {text})"
        return f"{text} with {', '.join(given)}" if given else text

    def _extremes(self, found: Clamped) -> Summary:
        for limit, other, name, identity in (
            (found.low, found.high is INF, "max", "-inf"),
            (found.high, found.low is NEGATIVE_INF, "min", "inf"),
        ):
            if other:
                return self._summary(
                    name, f"{name}(x1, x2)", identity,
                    f"{self.name}' = {name}({self.name}, {self.short(limit)})", "exact", x=limit,
                )  # fmt: skip
        return self._summary(
            "lattice", "clamp after clamp is a clamp", "(-inf, inf)",
            f"{self.name}' = {self._shown(found)}",
            "exact", low=found.low, high=found.high,
        )  # fmt: skip

    def modular(self) -> Summary | None:
        """Integers modulo a constant."""
        update = self.update
        if not isinstance(update, Apply) or update.op != "mod":
            return None
        inner, modulus = update.args
        state = self.carry.state
        if self.dependence.states(modulus) or depends(modulus, self.step):
            return None
        found = interpret(inner, frozenset((state,)), self.dependence)
        if not found.diagonal(state.axes):
            return None
        if fixed_width(self.carry):
            raise NotAffine(update, "integers that may wrap around under a modulus", certain=False)
        if not _whole(found):
            raise NotAffine(update, "integers are not certain under a modulus", certain=False)
        a = found.coefficients.get(Place(state, state.axes), ZERO)
        m = self.short(modulus)
        return self._summary(
            "affine modulo", f"(a2, b2) . (a1, b1) = (a2 a1, a2 b1 + b2) modulo {m}", "(1, 0)",
            f"{self.name}' = (a {self.name} + b) mod {m}, with a an integer, "
            f"a = {self.short(a)}, b = {self.short(found.constant)}",
            "exact" if integer(self.carry) else "reassociated",
            a=a, b=found.constant, modulus=modulus,
        )  # fmt: skip

    def bitwise(self) -> Summary | None:
        """A bitwise operation with what does not depend on the state."""
        update, state = self.update, self.carry.state
        word, identity = _BITWISE.get(update.op if isinstance(update, Apply) else "", ("", ""))
        if not isinstance(update, Apply) or not word:
            return None
        others = [
            arg for arg in update.args
            if not (isinstance(arg, Read) and arg.value is state and arg.subs == state.axes)
        ]  # fmt: skip
        if len(others) != 1 or self.dependence.mentions(others[0], (state,)):
            return None
        if not integer(self.carry):
            identity = f"{identity}, of whole numbers"
        return self._summary(
            word, f"x1 {word} x2", identity,
            f"{self.name}' = {self.short(update)}: {word} is associative", "exact",
            x=others[0],
        )  # fmt: skip

    def log_sum(self) -> Summary | None:
        """exp(update) is affine in exp(state): a sum in the log semiring."""
        states = frozenset((self.carry.state,))
        if not takes_logarithms(self.update, states):
            return None
        found = exponentials(self.update, states)
        if found is None or self.carry.state not in found:
            return None
        a, b = found[self.carry.state], found.get(None, Poly({}))
        try:
            scale, shift = spelled(a), spelled(b)
        except CannotSpell:
            return None
        return self._summary(
            "log-semiring", "(a2, b2) . (a1, b1) = (a2 + a1, logaddexp(a2 + b1, b2))",
            "(0, -inf)",
            f"exp({self.name}') = a exp({self.name}) + b with a = {self.short(scale)}, "
            f"b = {self.short(shift)}",
            "conditioned", a=Apply("log", (scale,)), b=Apply("log", (shift,)),
        )  # fmt: skip

    def projective(self) -> Summary | None:
        found = projective(self.update, self.carry.state, self.dependence)
        matrix = (found.a, found.b, found.c, found.d)
        # sympy is imported once an update has got this far
        from auditor.algebra.sympy_bridge import fractional_linear

        if not fractional_linear(self.update, self.carry.state, matrix):
            raise NotAffine(self.update, "a quotient that could not be confirmed", certain=False)
        shown = [self.short(x) for x in matrix]
        return self._summary(
            "projective", "the product of the matrices [[a, b], [c, d]]",
            "[[1, 0], [0, 1]]",
            f"{self.name}' = (a {self.name} + b) / (c {self.name} + d) with a = {shown[0]}, "
            f"b = {shown[1]}, c = {shown[2]}, d = {shown[3]}",
            "conditioned", a=found.a, b=found.b, c=found.c, d=found.d,
        )  # fmt: skip

    def monomial(self) -> Summary | None:
        """A power of the state, which is affine in its logarithm."""
        found = monomial_in(self.update, self.carry.state, self.dependence)
        if found is None or (isinstance(found.exponent, Const) and is_number(found.exponent, 0)):
            return None
        a, c = self.short(found.exponent), self.short(found.coefficient)
        given = "" if isinstance(found.exponent, Const) else (
            f", where {self.name} is positive or the exponents are whole"
        )  # fmt: skip
        return self._summary(
            "powers", "(a2, c2) . (a1, c1) = (a2 a1, c2 c1^a2)", "(1, 1)",
            f"{self.name}' = c {self.name}^a with a = {a}, c = {c}{given}", "conditioned",
            power=found.exponent, factor=found.coefficient,
        )  # fmt: skip

    def power_sum(self) -> Summary | None:
        """A root of what is affine in that power of the state."""
        found = power_sum(self.update, self.carry.state, self.dependence)
        if found is None:
            return None
        power = f"{self.name}^{found.power}"
        sums = is_number(found.a, 1)
        shown = f"u + {self.short(found.b)}" if sums else (
            f"a u + b with a = {self.short(found.a)}, b = {self.short(found.b)}"
        )  # fmt: skip
        return self._summary(
            "sum of powers" if sums else "affine in a power",
            "b1 + b2" if sums else "(a2, b2) . (a1, b1) = (a2 a1, a2 b1 + b2)",
            "0" if sums else "(1, 0)",
            f"with u = {power}, u' = {shown}, and {self.name}' is the root of u'",
            "reassociated" if sums else "conditioned", a=found.a, b=found.b,
            root=Const(found.power),
        )  # fmt: skip

    def floored(self) -> Summary | None:
        """Quotients of whole numbers: a quotient of a quotient is one by the product."""
        if fixed_width(self.carry):
            return None
        found = floored(self.update, self.carry, self.dependence)
        if found is None:
            return None
        return self._summary(
            "quotients", "(b2, m2) . (b1, m1) = (b1 + m1 b2, m1 m2)", "(0, 1)",
            f"{self.name}' = ({self.name} + b) // m of whole numbers with "
            f"b = {self.short(found.b)}, m = {found.m}", "exact", b=found.b, m=Const(found.m),
        )  # fmt: skip

    def place(self) -> Summary | None:
        """A place that is kept or replaced as its key compares."""
        found = place_of_best(self.update, self.carry.state, self.dependence)
        if found is None:
            return None
        new, key, tie = found
        return self._summary(
            "best", f"the better of both places, the {tie} one on a tie", None,
            f"{self.name}' is the better of {self.name} and {self.short(new)} by "
            f"{self.short(key)}", "exact", new=new, key=key,
        )  # fmt: skip

    def values(self) -> Summary | None:
        return finite_control(self.slots, [self.carry], [self.update], self.dependence)

    def truth(self) -> Summary | None:
        """A value of which only the truth is asked."""
        yes, no = by_truth(self.update, self.carry.state, self.dependence)
        return self._summary(
            "truth", "what the second leaves of a true or a false value of the first", "the state",
            f"{self.name}' is {self.short(yes)} where {self.name} counts as true, else "
            f"{self.short(no)}", "exact",
        )  # fmt: skip

    def product(self) -> Summary | None:
        """A carried array that a matrix of another semiring is multiplied with."""
        if not self.carry.state.axes or fixed_width(self.carry):
            return None
        semiring = semiring_of(self.update, self.carry.state, self.dependence)
        return self._summary(
            f"{semiring} product", f"the product of the matrices over {semiring}",
            "the unit matrix",
            f"{self.name}' = {self.short(self.update)} is linear in {self.name} over {semiring}",
            "conditioned" if semiring == LOG else "reassociated",
        )  # fmt: skip

    def linear(self) -> Summary | None:
        if not any(isinstance(node, Trace) for node in walk(self.update)):
            return None
        given = (self.slots, [self.carry], [self.update], self.dependence)
        return max_plus(*given, self.step)

    def best(self) -> Summary | None:
        """The first elements of the old ones and some new ones, ordered: top-k by merging."""
        found = kept_places(self.update, self.carry.state)
        if found is None or self.dependence.mentions(found.entry, (self.carry.state,)):
            return None
        count, way = show(found.kept), "largest" if found.largest else "smallest"
        return self._summary(
            "top-k", f"the {count} {way} of both", "no elements",
            f"{self.name}' is the {count} {way} of {self.name} and new elements",
            "exact", new=found.entry,
        )  # fmt: skip


_LOGICAL = frozenset(("and", "or", "xor", "not", "eq", "ne", "where", "cast:bool"))


def _logical(term: Term, state: Value, dependence: Dependence) -> bool:
    """Is the state only used as a truth value?"""
    if not dependence.mentions(term, (state,)):
        return True
    if isinstance(term, Read):
        return term.value is state and term.subs == state.axes
    return (
        isinstance(term, Apply)
        and term.op in _LOGICAL
        and all(_logical(arg, state, dependence) for arg in term.args)
    )


def _with(term: Term, state: Value, value: Const) -> Term:
    def change(node: Term) -> Term:
        return value if isinstance(node, Read) and node.value is state else node

    return transform(term, change)


def _whole(found: Affine) -> bool:
    """Are the factors of the state integers? Then what is a multiple of the modulus stays one."""
    normaliser = Normaliser()
    return all(integral(normaliser.normal(term)) for term in found.coefficients.values())


def _selects(a: Term, b: Term) -> bool:
    """Is ``a h + b`` always ``h``, or something without it?"""
    for one in (a, b):
        if isinstance(one, Apply) and one.op == "where":
            chosen = ((_branch(a, one, at), _branch(b, one, at)) for at in (1, 2))
            return all(_selects(*pair) for pair in chosen)
    return is_number(a, 0) or (is_number(a, 1) and is_number(b, 0))


def _branch(term: Term, choice: Apply, at: int) -> Term:
    """What a term is where ``choice`` is its argument ``at``, if both choose by the same."""
    if isinstance(term, Apply) and term.op == "where" and term.args[0] == choice.args[0]:
        return term.args[at]
    return term
