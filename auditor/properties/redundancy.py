"""Is the same thing computed, stored or ordered more than needed?

Asked of orders of which only some places are used, of monotone maps under a comparison, of
prefixes reduced again for every index, of terms of a loop that do not change from step to step, of
equal terms under two names, of powers by repeated multiplication; and of a loop whose carried
state saves the outputs from starting over (``partial``: it is the cache).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.algebra.binders import replaced
from auditor.algebra.bounds import lowest
from auditor.algebra.polynomial import Atom, Poly, add, number, of, subtract
from auditor.algebra.states import Dependence
from auditor.algebra.subterms import computed, everything
from auditor.algebra.summary import Summary
from auditor.lift.inline import depends
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Computation,
    Const,
    Index,
    Order,
    Read,
    Reduce,
    Scan,
    Term,
    Value,
    children,
    free_indices,
    walk,
)
from auditor.properties.made import made_by
from auditor.properties.subject import Subject, deep_atoms, reads
from auditor.verdict import Verdict
from auditor.writing.readable import named

if TYPE_CHECKING:
    from auditor.written import Written

INCREASING = frozenset(
    ("sqrt", "exp", "log", "log1p", "expm1", "sigmoid", "tanh", "exp2", "log2", "log10", "sinh",
     "softplus", "erf")
)  # fmt: skip
_SETTLING = frozenset(("abs", "relu", "floor", "ceil", "max", "min"))
_SHORT = 3
_COSTLY = frozenset(
    ("exp", "log", "sqrt", "rsqrt", "sin", "cos", "tan", "tanh", "sigmoid", "softplus", "silu",
     "gelu", "erf", "pow", "log1p", "expm1", "exp2", "logaddexp", "atan2", "sinh", "cosh")
)  # fmt: skip


def ask(computation: Computation | Subject) -> Verdict:
    subject = computation if isinstance(computation, Subject) else Subject(computation)
    checks = (
        _ordering, _monotone, _best_so_far, _compared, _inverted, _unused, _prefix, _window,
        _invariant, _lifted_out, _power, _repeated, _written_twice, _given_twice, _idempotent,
    )  # fmt: skip
    for check in checks:
        evidence = check(subject)
        if evidence is not None:
            return Verdict("holds", "structure", evidence)
    scan = subject.computation.scan
    if scan is not None and scan.carries and subject.computation.per_step:
        names = ", ".join(carry.name for carry in scan.carries)
        return Verdict(
            "partial", "structure",
            f"nothing is computed twice within a step; {names} is the cache that saves each step "
            "from starting over",
        )  # fmt: skip
    if subject.hidden is not None:
        return Verdict("unknown", None, f"{subject.hidden} has no notation")
    perhaps = _repeated(subject, changed=True) or _written_twice(subject, changed=True)
    if perhaps is not None:
        return Verdict("unknown", None, f"{perhaps}, unless what happens in between changes it")
    product = made_by(subject, ("kron",))
    if product is not None and any(isinstance(node, Reduce) for node in subject.terms):
        return Verdict("unknown", None, f"{product}: its factors one by one may be cheaper")
    return Verdict("fails", "structure", "no term is computed twice and no order is wasted")


def _ordering(subject: Subject) -> str | None:
    for stage in subject.stages:
        if isinstance(stage, Summary) and stage.domain == "top-k":
            return f"{stage.proof}: the order of the rest is never needed"
    for node in subject.orders:
        extent = node.index.extent
        ordered = f"{subject.write(extent)} elements are ordered"
        if isinstance(node.rank, Index):
            if subject.form(node.rank.extent) != subject.form(extent):
                return f"{ordered}, {subject.write(node.rank.extent)} are used"
        elif not free_indices(node.rank):
            return f"{ordered}, the one at {subject.write(node.rank)} is used"
        elif (few := _some_places(subject, node)) is not None:
            return f"{ordered}, {few} are used"
    return None


def _some_places(subject: Subject, node: Order) -> str | None:
    """How many places are read in a row, where these are not all there are (``s[1:-1]``)."""
    free = free_indices(node.rank)
    if len(free) != 1:
        return None
    (index,) = free
    apart = subtract(subject.form(node.rank), subject.form(index))
    fewer = _fewer(subject.form(index.extent), subject.form(node.index.extent))
    return subject.write(index.extent) if fewer and not apart.free else None


def increasing(term: Term | None) -> Read | None:
    """What a term is an increasing function of: an exponential, a root and the like."""
    if not isinstance(term, Apply) or not term.args or not isinstance(term.args[0], Read):
        return None
    if term.op in INCREASING and len(term.args) == 1:
        return term.args[0]
    exponent = term.args[1] if term.op == "pow" else None
    if isinstance(exponent, Const) and isinstance(exponent.value, float):
        # of what is no less than 0; of the rest it is NaN
        return term.args[0] if exponent.value > 0 and exponent.value % 1 else None
    return None


def multiple_of(term: Term | None) -> Read | None:
    """x of a positive multiple of it, or of it with a number added: both are in one order."""
    scales = isinstance(term, Apply) and term.op in ("mul", "div", "add", "sub")
    if not isinstance(term, Apply) or not scales or len(term.args) != 2:
        return None
    one, other = term.args
    if isinstance(one, Const) and term.op in ("mul", "add"):
        one, other = other, one
    if not isinstance(one, Read) or not isinstance(other, Const):
        return None
    number = other.value
    if not isinstance(number, (int, float)) or isinstance(number, bool):
        return None
    return one if term.op in ("add", "sub") or number > 0 else None


def _monotone(subject: Subject) -> str | None:
    for node in subject.terms:
        if not isinstance(node, (Reduce, Order)):
            continue
        body: Term | None = node.body
        while isinstance(body, Reduce) and isinstance(node, Reduce) and body.op == node.op:
            body = body.body
        while isinstance(body, Read) and body.value.body is not None:
            body = _share(body.value.body)
            body = multiple_of(body) or body
        if not isinstance(body, Apply) or increasing(body) is None:
            continue
        if subject.form(body.args[0]).imaginary:  # complex numbers are ordered otherwise
            continue
        shown = subject.write(node)
        if isinstance(node, Reduce) and node.op in ("max", "min"):
            return f"{body.op} is increasing, so it may be applied to what wins alone: {shown}"
        if isinstance(node, Order) or node.op in ("argmax", "argmin"):
            return f"{body.op} is increasing, so it does not change which place wins: {shown}"
    return None


def _best_so_far(subject: Subject) -> str | None:
    """The least or the largest of what an increasing function gives, which nothing else reads."""
    scan = subject.computation.scan
    for stage in subject.stages if scan is not None else ():
        if not isinstance(stage, Summary) or stage.domain not in ("min", "max"):
            continue
        best = computed(stage.elements["x"])
        if not isinstance(best, Apply) or best.op not in INCREASING or len(best.args) != 1:
            continue
        if subject.form(best.args[0]).imaginary:
            continue
        chosen = {
            slot for one in subject.stages
            if one is stage or (isinstance(one, Summary) and one.domain == "selection")
            for slot in one.state
        }  # fmt: skip
        assert scan is not None
        kept = [c.update for slot, c in enumerate(scan.carries) if slot not in chosen]
        if best not in everything((*kept, *subject.computation.per_step)):
            return (
                f"{best.op} is increasing, so it may be applied to what wins alone: the "
                f"{stage.domain} of {subject.write(best)}"
            )
    return None


def _compared(subject: Subject) -> str | None:
    """An increasing function of elements that is only held against a number."""
    tests = [n for n in subject.terms if isinstance(n, Apply) and n.op in ("lt", "le", "gt", "ge")]
    below = [child for node in subject.terms if tests for child in children(node)]
    uses = Counter(child.value if isinstance(child, Read) else child for child in below)
    for node in tests:
        for one, other in (node.args, node.args[::-1]):
            once = True
            while once and isinstance(one, Read) and one.value.body is not None:
                once, one = uses[one.value] == 1, one.value.body
            once = once and uses[one] <= 1
            if once and increasing(one) is not None and not _of_elements(other):
                assert isinstance(one, Apply)
                if not subject.form(one.args[0]).imaginary:
                    return (
                        f"{one.op} is increasing, so the number may be turned instead of every "
                        f"element: {subject.write(node)}"
                    )
    return None


def _share(term: Term) -> Term:
    """What is divided by its sum: the order among the parts is that of the whole."""
    if isinstance(term, Apply) and term.op == "div" and isinstance(term.args[0], Read):
        total = term.args[1]
        while isinstance(total, Read) and total.value.body is not None:
            total = total.value.body
        if isinstance(total, Reduce) and total.op == "sum" and isinstance(total.body, Read):
            if total.body.value is term.args[0].value:
                return term.args[0]
    return term


def _inverted(subject: Subject) -> str | None:
    """An inverse that is a factor of a product."""
    for node in subject.terms:
        if isinstance(node, Reduce) and node.op == "sum" and isinstance(node.body, Apply):
            for factor in node.body.args if node.body.op == "mul" else ():
                at = _behind(factor)
                if not isinstance(at, Read) or at.value.made is None:
                    continue
                if at.value.made[0] == "inverse":
                    return (
                        f"every entry of the {at.value.name} is computed for a product that the"
                        " factorisation it starts from gives by itself"
                    )
    return None


def _unused(subject: Subject) -> str | None:
    """A product of which only some entries are read."""
    partly: dict[Value, Read] = {}
    wholly: set[Value] = set()
    for node in subject.terms:
        if not (isinstance(node, Read) and _is_product(node.value.body)):
            continue
        if len(node.subs) == len(node.value.axes) and _leaves_out(subject, node):
            partly.setdefault(node.value, node)
        else:
            wholly.add(node.value)
    for value, read in partly.items():
        if value not in wholly:
            places = ", ".join(map(subject.write, read.subs))
            assert value.body is not None
            return f"of {subject.write(value.body)} only the entries at ({places}) are used"
    return None


def _is_product(term: Term | None) -> bool:
    if not (isinstance(term, Reduce) and term.op == "sum" and isinstance(term.body, Apply)):
        return False
    reads = [arg for arg in term.body.args if isinstance(arg, Read) and term.index in arg.subs]
    return term.body.op == "mul" and len(reads) == len(term.body.args) == 2


def _leaves_out(subject: Subject, read: Read) -> bool:
    """Whether a read is of a diagonal, of one row or column, or of the first few."""
    known = [sub for sub in read.subs if isinstance(sub, Index)]
    if len(set(known)) < len(known):
        return True
    for sub, axis in zip(read.subs, read.value.axes, strict=True):
        if axis.extent is ONE or axis.group:
            continue
        if not free_indices(sub):
            return True
        if isinstance(sub, Index) and _fewer(subject.form(sub.extent), subject.form(axis.extent)):
            return True
    return False


def _fewer(some: Poly, every: Poly) -> bool:
    """Is one extent no more than another, and not the same? Two that differ as they are written
    may be equal."""
    rest = subtract(every, some)
    least = lowest(rest)
    return bool(rest.terms) and least is not None and all(c >= 0 for c in least.terms.values())


def _behind(factor: Term) -> Term:
    """What a factor is up to views, its sign and one number."""
    at = factor
    while True:
        if isinstance(at, Read) and at.value.body is not None:
            at = at.value.body
        elif isinstance(at, Apply) and at.op in ("neg", "mul"):
            arrays = [arg for arg in at.args if isinstance(arg, Read) and arg.subs]
            if len(arrays) != 1:
                return at
            at = arrays[0]
        else:
            return at


def _prefix(subject: Subject) -> str | None:
    for node in subject.terms:
        if isinstance(node, Reduce):
            outer = free_indices(node.index.extent) - {node.index}
            if outer and not outer & free_indices(node.body) and not _hides(subject, node.body):
                names = ", ".join(index.name for index in outer)
                return (
                    f"{subject.write(node)} runs over its prefix again for every {names}: half of "
                    "n * n terms instead of n"
                )
    return None


def _hides(subject: Subject, term: Term) -> bool:
    """Does it read what a loop makes without notation, perhaps at each of its steps?"""
    return any(
        (isinstance(node, Apply) and node.op.startswith("call:value "))
        or (isinstance(node, Read) and _made_inside(subject, node.value))
        for node in everything((term,))
    )


def _invariant(subject: Subject) -> str | None:
    """A costly term of a loop's body that is the same at every step."""
    scan = subject.computation.scan
    if scan is None:
        return None
    dependence = Dependence()
    sometimes = {one.value.body for one in subject.written if one.inside and not one.always}
    spelled = _spelled_inside(subject)
    for term in _body_terms(subject, scan):
        if not _costly(term) or dependence.states(term) or term in sometimes:
            continue
        if spelled is not None and subject.form(term).look not in spelled:
            continue  # named before the loop, and shown here by its definition
        if any(one.inside and one.varies and _computes(subject, one.value, subject.form(term))
               for one in subject.written):  # fmt: skip
            continue
        if _steady(subject, subject.form(term), scan.step):
            return (
                f"{subject.write(term)} does not depend on {scan.step.name} and is computed "
                f"{subject.write(scan.step.extent)} times"
            )
    return None


def _spelled_inside(subject: Subject) -> set[int] | None:
    """How what the source computes inside the loop looks, whatever its indices are called."""
    if not subject.written:
        return None
    return {
        subject.form(node).look
        for one in subject.written
        if one.inside and one.value.body is not None
        for node in walk(one.value.body)
        if isinstance(node, (Apply, Reduce)) and _costly(node)
    }


def _steady(subject: Subject, form: Poly, step: Index) -> bool:
    """Is it the same at every step? What a read that is not followed reads may be made at each."""
    read = {atom.args[0] for atom in deep_atoms(form) if atom.kind == "read"}
    known: dict[Value | Scan, bool] = {}
    moving = any(
        value.kind != "state" and (depends(value, step, known) or _made_inside(subject, value))
        for value in read
    )
    return subject.normaliser.variable(step) not in form.free and not moving


def _made_inside(subject: Subject, value: Value) -> bool:
    """Is it a result without notation that a loop makes, perhaps another one at each step?"""
    scan = subject.computation.scan
    made = value.body is None and value.kind in ("opaque", "free")
    return made and scan is not None and _within(value, scan)


def _body_terms(subject: Subject, scan: Scan) -> Iterator[Term]:
    """Subterms that the source computes inside the loop: definitions are followed where they lie
    inside it or speak of its step or states; what is named before the loop is computed once."""
    dependence = Dependence()
    stack = [carry.update for carry in scan.carries] + list(subject.computation.per_step)
    seen: set[Term] = set()
    while stack:
        for node in walk(stack.pop()):
            if node in seen:
                continue
            seen.add(node)
            yield node
            if isinstance(node, Read) and node.value.body is not None:
                body = node.value.body
                if _within(node.value, scan) or dependence.states(body) or scan.step in walk(body):
                    stack.append(body)


def _within(value: Value, scan: Scan) -> bool:
    if value.span is None or scan.span is None:
        return False
    first, last = (scan.span.line, scan.span.column), (scan.span.end_line, scan.span.end_column)
    return first <= (value.span.line, value.span.column) < last


def _costly(term: Term) -> bool:
    if isinstance(term, Reduce):
        return True
    return isinstance(term, Apply) and term.op in _COSTLY and not all(
        isinstance(arg, Const) for arg in term.args
    )  # fmt: skip


def _power(subject: Subject) -> str | None:
    scan = subject.computation.scan
    if scan is None:
        return None
    place, dependence = subject.normaliser.variable(scan.step), Dependence()
    for stage in subject.stages:
        if isinstance(stage, Summary) and _needed_each_step(subject, scan, stage):
            continue
        if isinstance(stage, Summary) and (stage.domain == "product" or _product(stage)):
            a = stage.elements["a" if stage.domain == "product" else "a00"]
            if place not in subject.form(a).free and not dependence.states(a):
                n = subject.write(scan.step.extent)
                factor = subject.write(a)
                return f"{factor} is multiplied {n} times: log2({n}) squarings give the power"
    return None


def _needed_each_step(subject: Subject, scan: Scan, stage: Summary) -> bool:
    """Is what a stage carries read at every step, by others or by what the steps leave?"""
    dependence = Dependence()
    own = {scan.carries[slot].state for slot in stage.state}
    others = [c.update for n, c in enumerate(scan.carries) if n not in stage.state]
    return any(own & dependence.states(term) for term in (*others, *subject.computation.per_step))


def _product(stage: Summary) -> bool:
    """Is one matrix multiplied by others?"""
    added = stage.elements.get("b0")
    return stage.domain == "matrix" and set(stage.elements) == {"a00", "b0"} and added is ZERO


def _window(subject: Subject) -> str | None:
    """A reduction over a window that moves with the output by one place: what the next one has in
    common with it is reduced again."""
    for result in subject.results:
        for body in subject.bodies(result):
            if body.op not in ("sum", "max", "min") or body.running:
                continue
            (inner,) = body.bound
            extent = inner.args[1]
            if extent is None or extent.free or _few(extent):
                continue
            alone = {sub.atom for _, subs in reads(body.poly) for sub in subs}
            for outer in subject.variables(result):
                if outer not in body.poly.free or inner not in body.poly.free:
                    continue
                if not alone.isdisjoint((outer, inner)):
                    continue  # what is read there is another element after the move
                moved = {outer: add(of(outer), number(1)), inner: add(of(inner), number(-1))}
                if replaced(body.poly, moved) == body.poly:
                    shown = f"{body.op} of {subject.show(body.poly)} over {subject.name(inner)}"
                    return (
                        f"the {shown} moves by one place with {subject.name(outer)}: all but one "
                        f"of {subject.show(extent)} terms are those of the place before"
                    )
    return None


def _few(extent: Poly) -> bool:
    return extent.constant is not None and extent.constant <= _SHORT


def _lifted_out(subject: Subject) -> str | None:
    """A costly term in a loop within the loop, or in a comprehension, that is the same at every
    step of that."""
    dependence = Dependence()
    for one in subject.written:
        body = one.value.body
        if (
            not one.inside
            or not one.always
            or one.step is None
            or body is None
            or not _costs(one.value)
        ):
            continue
        if one.varies or dependence.states(body) & one.states:
            continue
        if _steady(subject, subject.form(body), one.step):
            shown, times = subject.write(body), subject.write(one.step.extent)
            return f"{shown} does not depend on the step and is computed {times} times"
    return None


def _costs(value: Value) -> bool:
    """Does the expression itself compute something costly?"""
    return value.body is not None and _costly(value.body)


def _written_twice(subject: Subject, changed: bool = False) -> str | None:
    """One costly expression at two places; ``changed`` where something in between may change it."""
    seen: dict[tuple[Poly, ...], list[Written]] = {}
    read = {node.value for node in subject.terms if isinstance(node, Read)}
    for one in subject.written:
        if not _costs(one.value):
            continue
        key = _over_places(subject, one.value)
        for other in seen.setdefault(key, []):
            used = one.inside or other.inside or {one.value, other.value} <= read
            again = used and other.value.span != one.value.span
            again = again and (changed or one.changes == other.changes)
            if again and other.step is one.step and not one.apart(other):
                assert one.value.body is not None
                return f"{subject.write(one.value.body)} is computed twice"
        seen[key].append(one)
    return None


def _idempotent(subject: Subject) -> str | None:
    """A function that gives its argument back."""
    for node in subject.terms:
        if isinstance(node, Apply) and node.op in _SETTLING and _of_elements(node):
            form = subject.form(node)
            if any(_infinite(arg) for arg in node.args):
                continue  # where a loop for an extremum begins
            for arg in node.args:
                if not isinstance(arg, Const) and subject.form(arg) == form:
                    return f"{subject.write(node)} is {subject.write(arg)} already"
    return None


def _infinite(term: Term) -> bool:
    return isinstance(term, Const) and isinstance(term.value, float) and math.isinf(term.value)


def _of_elements(node: Term) -> bool:
    """Is it made of elements of arrays? What is made of sizes alone says where a slice ends."""
    return any(isinstance(inner, Read) and inner.subs for inner in walk(node))


def _repeated(subject: Subject, changed: bool = False) -> str | None:
    """Equal terms that are not one term: two reductions, or two names for one array; ``changed``
    where something in between may change them."""
    since: dict[object, int] = {}
    for one in subject.written if not changed else ():
        assert one.value.body is not None
        for part in (one.value, *walk(one.value.body)):
            since.setdefault(part, one.changes)

    def alike(one: object, other: object) -> bool:
        return one not in since or other not in since or since[one] == since[other]

    forms: dict[Poly, Term] = {}
    for node in subject.terms:
        if isinstance(node, Reduce) and node.op in ("sum", "prod", "max", "min"):
            form = subject.form(node)
            other = forms.setdefault(form, node)
            again = other is not node and alike(node, other)
            if again and (subject.computation.scan is None or _places(subject, form) > 1):
                return f"{subject.write(node)} is computed twice"
    arrays: dict[tuple[Poly, ...], Value] = {}
    for value in _named(subject):
        assert value.body is not None
        if not any(_costly(node) for node in walk(value.body)):
            continue
        key = _over_places(subject, value)
        twin = arrays.setdefault(key, value)
        if twin is not value and twin.name != value.name and alike(value, twin):
            if not (named(twin) and named(value)):
                return f"{_spelt(subject, twin)} is computed twice"
            return f"{twin.name} and {value.name} are the same array, computed twice"
    return None


def _places(subject: Subject, form: Poly) -> int:
    """At how many places of a loop a reduction is computed: what one computes and several carried
    values take in stands in the notation of each of these."""
    spans = [
        one.value.span
        for one in subject.written
        if one.inside and one.value.span is not None and _computes(subject, one.value, form)
    ]
    alone = [s for s in dict.fromkeys(spans) if not any(o.covers(s) for o in spans if o != s)]
    return len(alone)


def _computes(subject: Subject, value: Value, form: Poly) -> bool:
    return value.body is not None and any(
        isinstance(node, (Apply, Reduce)) and subject.form(node) == form
        for node in walk(value.body)
    )


def _given_twice(subject: Subject) -> str | None:
    """Two results of an expression that are the same array."""
    arrays: dict[tuple[Poly, ...], Value] = {}
    outputs = subject.computation.outputs if subject.computation.scan is None else ()
    for value in outputs:
        if isinstance(value.body, (Apply, Reduce, Order)):
            twin = arrays.setdefault(_over_places(subject, value), value)
            if twin is not value:
                return f"{_spelt(subject, twin)} is computed twice"
    return None


def _spelt(subject: Subject, value: Value) -> str:
    """A value by its name, or else as it is made."""
    return value.name if named(value) or value.body is None else subject.write(value.body)


def _named(subject: Subject) -> list[Value]:
    found: dict[Value, None] = {}
    for node in subject.terms:
        if isinstance(node, Read) and node.value.kind == "derived" and node.value.body is not None:
            found[node.value] = None
    return list(found)


def _over_places(subject: Subject, value: Value) -> tuple[Poly, ...]:
    """The array's form over variables that are the same for all arrays of these extents."""
    assert value.body is not None
    form = subject.form(value.body)
    # a group's own extent is named after the place; its operands' groups are in the form
    extents = [subject.form(ONE if axis.group else axis.extent) for axis in value.axes]
    naming = {
        subject.normaliser.variable(axis): of(Atom("var", n - len(extents), extent))
        for n, (axis, extent) in enumerate(zip(value.axes, extents, strict=True))
    }
    return (replaced(form, naming), *extents)
