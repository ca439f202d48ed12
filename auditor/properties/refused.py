"""What is said of a loop of which some stage is no scan in any of the abstract domains.

First the whole loop is given to the algebras that derive a monoid (several values linear in each
other, also modulo a number, under finite control or one element late). Where these find none, the
loop is run: that what its steps do to the state needs more and more numbers to be told refutes it.
What is neither proven nor refuted is unknown, but for functions that nothing composes with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from auditor.algebra.affine import NotAffine, inline
from auditor.algebra.as_fold import ScalarFold, as_fold
from auditor.algebra.derivation import NoMonoid, derive
from auditor.algebra.domains import summarise
from auditor.algebra.few_values import few_values, known_inputs
from auditor.algebra.limits import CannotEvaluate, CannotSpell, TooLarge
from auditor.algebra.max_times import max_times
from auditor.algebra.monoid import Monoid
from auditor.algebra.nested import flattened
from auditor.algebra.normal import Normaliser
from auditor.algebra.related import with_related
from auditor.algebra.scalars import unnested
from auditor.algebra.small_tables import table
from auditor.algebra.spell import spelled
from auditor.algebra.states import Dependence
from auditor.algebra.summary import Refused, fixed_width, letters
from auditor.algebra.trial import disagreement
from auditor.notation import Apply, Carry, Const, Read, Scan, Value, walk
from auditor.properties.associativity import GRADES
from auditor.verdict import Verdict

_MOST_CARRIES = 6
_FIRST_TRIES = 4
"""Sequences of inputs that a branch is tried on before anything dearer is."""
_BENDING = frozenset("where max min abs relu clip".split())
_POLYNOMIAL = frozenset("add sub mul neg pow square".split())
_NONLINEAR = (
    "a product of states", "tanh of", "sigmoid of", "sin of", "cos of", "exp of", "square of",
    "softplus of", "gelu of", "silu of", "elu of", "erf of",
)  # fmt: skip


def decided(
    scan: Scan, stage: Refused, monoid: Derived | None, integers: frozenset[str]
) -> Verdict:
    """The verdict on associativity of a loop with a stage that no domain knows; ``monoid`` is what
    was derived of it, ``integers`` are the inputs that are said to hold whole numbers."""
    if monoid is not None:
        if monoid.asked:
            names = ", ".join(sorted(monoid.asked))
            text = (
                f"{stage.reason}; nothing says that {names} holds whole numbers, and only of such"
            )
            return Verdict("unknown", None, f"{text} is it proven: {told(monoid.found)}")
        text = told(monoid.found)
        if monoid.whole:
            text += f"; where {', '.join(sorted(value.name for value in monoid.whole))} is whole"
        return Verdict("holds", "proof", text, monoid.found.numerics)
    if stage.final:
        return Verdict("fails", "structure", stage.reason)
    single = _element_by_element(scan)
    if single is not None:
        return single
    products = _greatest_products(scan, stage)
    if products is not None:
        return products
    fold = as_fold(scan) if len(scan.carries) <= _MOST_CARRIES else None
    fold = None if fold is None else with_related(fold, scan.step)
    carries = [] if fold is None else [fold.scan.carries[slot] for slot in stage.state]
    rows = None if fold is None else table(fold, carries, integers)
    if rows is not None:
        return Verdict("holds", "proof", f"{rows}, and tables compose", "exact")
    mixed = None if fold is None or len(carries) != 1 else _mixed(fold, carries[0], integers)
    if mixed is not None:
        return Verdict("fails", "counterexample", f"{stage.reason}; {mixed}")
    if fold is not None and few_values(fold, carries, integers):
        return Verdict("unknown", None, f"{stage.reason}; it is one of finitely many values")
    if fold is None:
        witness = _at_small_size(scan, stage)
    else:
        witness = _witness(fold, stage, integers)
    if witness is not None:
        return Verdict("fails", "counterexample", f"{stage.reason}; {witness}")
    nonlinear = stage.reason.startswith(_NONLINEAR)
    if fold is not None:
        nonlinear = not fold.moving and (nonlinear or _polynomial(fold, stage))
    if stage.certain and nonlinear:
        return Verdict("fails", "structure", stage.reason)
    return Verdict("unknown", None, stage.reason)


def _polynomial(fold: ScalarFold, stage: Refused) -> bool:
    """Is every update that no domain knows a polynomial, so that degrees multiply step by step?"""
    nodes = [node for slot in stage.state for node in walk(fold.scan.carries[slot].update)]
    applied = [node for node in nodes if isinstance(node, Apply)]
    whole = all(
        isinstance(node.args[1], Const) and isinstance(node.args[1].value, int)
        and node.args[1].value > 0
        for node in applied if node.op == "pow"
    )  # fmt: skip
    return whole and all(node.op in _POLYNOMIAL for node in applied)


def _greatest_products(scan: Scan, stage: Refused) -> Verdict | None:
    """Maxima of products with factors of which nobody says that they are never negative."""
    carries = [scan.carries[slot] for slot in stage.state]
    if any(map(fixed_width, carries)):
        return None
    dependence, states = Dependence(), frozenset(carry.state for carry in carries)
    updates = [unnested(flattened(inline(c.update, states, dependence), scan)) for c in carries]
    try:
        found = max_times(carries, updates, dependence)
    except (NotAffine, TooLarge):
        return None
    naming = letters(carries, updates, scan.step)
    factors = ", ".join(dict.fromkeys(naming.show(factor, 60) for factor in found.asked))
    names = ", ".join(carry.name for carry in carries)
    return Verdict(
        "partial", "proof", f"{names} (max-times): linear over (max, *), which composes as the "
        f"product of matrices does, only where {factors} is never negative", "conditioned",
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Derived:
    """A loop's monoid, and the inputs that have to be ``whole`` numbers for it, of which nothing
    says that those that are ``asked`` hold such."""

    found: Monoid
    whole: frozenset[Value]
    asked: frozenset[str] = frozenset()


def derived(scan: Scan, integers: frozenset[str]) -> Derived | None:
    """The monoid of a loop with a stage that no domain knows, if one is derived and agrees with
    the loop where it is run. ``integers`` are the inputs that are said to hold whole numbers."""
    refused = [stage for stage in summarise(scan) if isinstance(stage, Refused)]
    if len(scan.carries) > _MOST_CARRIES or any(s.final for s in refused):
        return None
    fold = as_fold(scan)
    if fold is None:
        return None
    for form in (_as_it_is, _plainly):
        if form is _plainly and _quickly(with_related(fold, scan.step), refused, integers):
            return None  # what grows as it is run has no summary, however it is spelled
        try:
            made = form(fold)
            found = None if made is None else derive(made.scan, made.varying)
        except (TooLarge, CannotEvaluate, CannotSpell):
            continue
        if made is None or found is None or isinstance(found, NoMonoid):
            continue
        if disagreement(fold.scan, found, fold.varying) is not None:
            continue
        whole = asked_whole(found)
        names = {n.value.name for v in whole for n in walk(fold.terms[v]) if isinstance(n, Read)}
        return Derived(found, frozenset(whole), frozenset(names - integers))
    return None


def _as_it_is(fold: ScalarFold) -> ScalarFold | None:
    return fold


def _plainly(fold: ScalarFold) -> ScalarFold | None:
    """The loop with its updates in normal form, where powers are multiplied out and sums cancel."""
    normaliser = Normaliser()
    scan = Scan(fold.scan.step)
    scan.carries = tuple(
        replace(carry, update=spelled(normaliser.normal(carry.update)))
        for carry in fold.scan.carries
    )
    same = all(a.update is b.update for a, b in zip(scan.carries, fold.scan.carries, strict=True))
    return None if same else replace(fold, scan=scan)


def asked_whole(found: Monoid) -> set[Value]:
    """The inputs that a monoid asks to be whole numbers."""
    nodes = (node for term in found.update for node in walk(term))
    asked = [node for node in nodes if isinstance(node, Apply) and node.op == "index"]
    return {n.value for one in asked for n in walk(one) if isinstance(n, Read)}


def told(found: Monoid) -> str:
    """A derived monoid in one line."""
    parts = [f"{part.algebra}: {part.proof}" for part in found.parts]
    size = len(found.fields)
    values = "value" if size == 1 else "values"
    return f"{' | '.join(parts)}; a summary of {size} {values}, with an identity"


def _quickly(fold: ScalarFold, refused: Sequence[Refused], integers: frozenset[str]) -> str | None:
    """What is seen to grow at the first tries, which take less than most proofs do."""
    from auditor.properties.pieces import degrees, grows

    carries = [fold.scan.carries[slot] for stage in refused for slot in stage.state]
    if len(refused) != 1 or len(carries) != 1 or few_values(fold, carries, integers):
        return None
    (carry,) = carries
    known, moving = known_inputs(fold, integers), _moving(fold)
    try:
        ops = {node.op for node in walk(carry.update) if isinstance(node, Apply)}
        if ops & _BENDING:
            return grows(carry, moving, known, _FIRST_TRIES)
        return degrees(carry, moving, known) if ops <= _POLYNOMIAL else None
    except (CannotEvaluate, TooLarge):
        return None


def _moving(fold: ScalarFold) -> Callable[[Value], bool]:
    """What is another value at another step."""
    states = {carry.state for carry in fold.scan.carries}
    return lambda value: value in states or fold.varying(value)


def _element_by_element(scan: Scan) -> Verdict | None:
    """What the abstract domains say of the elements of arrays whose sizes the code says."""
    from auditor.algebra.small_size import at_own_size

    own = at_own_size(scan)
    if own is None:
        return None
    stages = summarise(own.fold.scan)
    found = [stage for stage in stages if not isinstance(stage, Refused)]
    if len(found) < len(stages):
        return None
    each = " | ".join(f"{one.proof}; combine {one.combine}" for one in found)
    numerics = max((one.numerics for one in found), key=GRADES.index)
    return Verdict("holds", "proof", f"each element by itself: {each}", numerics)


def _at_small_size(scan: Scan, stage: Refused) -> str | None:
    """What was seen to grow as a loop over arrays was run at one small size."""
    from auditor.algebra.small_size import at_small_size

    small = at_small_size(scan)
    if small is None:
        return None
    fold = with_related(small.fold, scan.step)
    mine = {carry.state for slot in stage.state for carry in small.elements[slot]}
    carries = [carry for carry in fold.scan.carries if carry.state in mine]
    names = ", ".join(scan.carries[slot].name for slot in stage.state)
    several = f", of {len(carries)} elements," if len(carries) > 1 else ""
    grown = _freedom(fold, carries, names + several)
    return grown or _together(fold, carries, frozenset())


def _freedom(fold: ScalarFold, carries: Sequence[Carry], names: str) -> str | None:
    """How the degrees of freedom of what the steps do grow, if they do."""
    # running needs NumPy, which most audits never do
    from auditor.algebra.freedom import growth

    try:
        ranks = growth(fold, carries)
    except (CannotEvaluate, TooLarge):
        return None
    if ranks is None:
        return None
    steps = ", ".join(str(n + 1) for n in range(len(ranks)))
    return (
        f"after {steps} steps what they do to {names} has {', '.join(map(str, ranks))} "
        "degrees of freedom: no summary of bounded size"
    )


def _together(fold: ScalarFold, carries: Sequence[Carry], integers: frozenset[str]) -> str | None:
    """How the pieces grow that values which need each other make of each other, if they do."""
    from auditor.properties.coupled_pieces import grow_together

    try:
        return grow_together(fold, carries, integers) if len(carries) > 1 else None
    except (CannotEvaluate, TooLarge):
        return None


def _mixed(fold: ScalarFold, carry: Carry, integers: frozenset[str]) -> str | None:
    """How many functions of a few bits the steps make, where bits are mixed with sums."""
    from auditor.properties.word_functions import mixes

    try:
        return mixes(fold, carry, known_inputs(fold, integers))
    except TooLarge:
        return None


def _witness(fold: ScalarFold, stage: Refused, integers: frozenset[str]) -> str | None:
    """What was seen to grow as the loop was run, on whole numbers where it takes such."""
    from auditor.properties.pieces import degrees, grows, stretches

    carries = [fold.scan.carries[slot] for slot in stage.state]
    known = known_inputs(fold, integers)
    whole = frozenset(value.name for value, interval in known.items() if interval.whole)
    quickly = _quickly(fold, (stage,), whole)
    if quickly is not None:
        return quickly
    grown = _freedom(fold, carries, ", ".join(carry.name for carry in carries))
    if grown is not None:
        return grown
    moving = _moving(fold)
    for carry in carries if len(carries) == 1 else ():
        for check in (grows, stretches, degrees):
            try:
                found = check(carry, moving, known)
            except (CannotEvaluate, TooLarge):
                continue
            if found is not None:
                return found
    return _together(fold, carries, integers)
