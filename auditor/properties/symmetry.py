"""Does a transformation leave it unchanged, or change the result in a known way?

Asked of pairs of indices (exchanging them keeps the body or flips its sign, up to factors of one
index), of shifts (a body that depends on a difference, a stencil), and of permutations of what is
reduced. Each is a substitution followed by a comparison of normal forms; of a loop that is not
symmetric, two steps are exchanged and the loop is run.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

from auditor.algebra.binders import replaced
from auditor.algebra.choices import settled
from auditor.algebra.joint import one_pass
from auditor.algebra.polynomial import (
    Atom,
    Poly,
    add,
    monomial,
    multiply,
    number,
    of,
    scale,
    split_content,
    subtract,
)
from auditor.algebra.states import Dependence
from auditor.algebra.summary import Summary
from auditor.notation import FALSE, TRUE, Computation, Const, Scan, Value
from auditor.properties.subject import (
    SOME,
    Body,
    Subject,
    atoms,
    deep_atoms,
    drawn,
    loose,
    rests_on,
    without_notation,
)
from auditor.verdict import Verdict

_COMMUTING = frozenset(
    ("sum", "product", "max", "min", "top-k", "sum of powers")
    + ("exclusive or", "bitwise or", "bitwise and")
)


def ask(computation: Computation | Subject) -> Verdict:
    subject = computation if isinstance(computation, Subject) else Subject(computation)
    bodies = [body for result in subject.results for body in subject.bodies(result)]
    scan = subject.computation.scan
    checks = [_exchange, _half, _difference, _stencil]
    if scan is not None and scan.carries:
        # what a step does to the state says nothing of the loop; what it sums up may
        bodies = [body for body in bodies if body.op and not _carried(body.poly)]
        checks = [_exchange, _half, _difference]
    lost = [atom for b in bodies for atom in deep_atoms(b.poly) if _unlike(atom)]
    bodies = [b for b in bodies if not any(map(_unlike, deep_atoms(b.poly)))]
    for check in checks:
        for body in bodies:
            subject.rename()
            evidence = check(body, subject)
            if evidence is not None:
                return Verdict("holds", "proof", evidence)
    if scan is not None and scan.carries:
        if subject.unfollowed is not None:
            return Verdict("unknown", None, subject.unfollowed)
        return _of_loop(subject, scan)
    if subject.opaque is not None:
        return Verdict("unknown", None, f"{subject.opaque} has no notation")
    if lost:
        why = "is drawn at random" if drawn(lost[0]) else "has no notation"
        return Verdict("unknown", None, f"{subject.show(of(lost[0]))} {why}")
    evidence = _permutation(subject)
    if evidence is not None:
        return Verdict("holds", "proof", evidence)
    # running needs NumPy, which most audits never do
    from auditor.properties.exchange import exchanged_elements

    refuted = exchanged_elements(subject)
    if refuted is not None:
        return refuted
    deep = [atom for b in bodies for atom in deep_atoms(b.poly)]
    left = next((atom for atom in deep if atom.kind == "trace"), None)
    if left is not None:
        reason = f"it rests on what a loop leaves, {subject.show(of(left))}"
        return Verdict("unknown", None, reason)
    if any(atom.kind == "bind" and atom.args[0] == SOME for atom in deep):
        return Verdict("unknown", None, "it rests on lengths of items")
    if (looked_up := next((atom for atom in deep if _looks_up(atom)), None)) is not None:
        # elements and the places that are looked up may be permuted together
        reason = f"it reads at places that are looked up, {subject.show(of(looked_up))}"
        return Verdict("unknown", None, reason)
    return Verdict(
        "fails", "structure",
        "no exchange of two indices, shift or permutation of a reduced axis leaves it unchanged",
    )  # fmt: skip


def _unlike(atom: Atom) -> bool:
    """Whether nothing says that a result goes along with its places."""
    return without_notation(atom) or drawn(atom)


def _looks_up(atom: Atom) -> bool:
    """Whether an element is read at a place that is an element itself."""
    subs = atom.args[2] if atom.kind == "read" else ()
    return any(each.kind == "read" for sub in subs for each in deep_atoms(sub))


def _carried(p: Poly) -> bool:
    return any(
        atom.kind in ("state", "trace") or (atom.kind == "read" and atom.args[0].kind == "state")
        for atom in deep_atoms(p)
    )


def _exchange(body: Body, subject: Subject) -> str | None:
    """f(i, j) = +-f(j, i), where each product has a factor over both or the indices' own ones."""
    for u, v in itertools.combinations(body.around, 2):
        p = body.poly
        if u not in p.free or v not in p.free or u.args[1] != v.args[1] or not p.terms:
            continue
        core, single = _core(p, u, v)
        if u not in core.free or v not in core.free:
            core, single = p, number(1)
        if _arrays(core, u) != _arrays(core, v):
            continue
        swapped = replaced(core, {u: of(v), v: of(u)})
        sign = "" if swapped == core else "-" if swapped == scale(core, -1) else None
        if sign is None:
            continue
        i, j = subject.name(u), subject.name(v)
        upto = f" up to the factor {subject.show(single)}" if single.constant is None else ""
        return f"f({i}, {j}) = {sign}f({j}, {i}){upto}, f = {subject.show(core)}"
    return None


def _half(body: Body, subject: Subject) -> str | None:
    """f(i, j) = f(j, i) of a body of which only the pairs i < j (or j < i) are walked."""
    for u, v in itertools.permutations(body.around, 2):
        extent, whole = v.args[1], u.args[1]
        if extent is None or whole is None or u not in extent.free:
            continue
        other = Atom("var", -1, whole)
        places = [of(other)] if extent == of(u) else []
        if u not in add(extent, of(u)).free:  # j counts from i, or from the place after it
            places = [add(of(other), scale(of(u), -1), number(-first)) for first in (0, 1)]
        for place in places:
            p = replaced(body.poly, {v: place})
            if v in p.free or u not in p.free or _arrays(p, u) != _arrays(p, other):
                continue
            if replaced(p, {u: of(other), other: of(u)}) == p:
                i, j = subject.name(u), subject.name(other)
                return (
                    f"f({i}, {j}) = f({j}, {i}), of which half the pairs are walked: "
                    f"{subject.show(p)}"
                )
    return None


def _arrays(p: Poly, variable: Atom) -> set[Value]:
    """What is read at places that depend on a variable."""
    return {a.args[0] for a in deep_atoms(p) if a.kind == "read" and variable in a.free}


def _core(p: Poly, u: Atom, v: Atom) -> tuple[Poly, Poly]:
    """``p`` without the common factors that depend on one of the two indices only."""
    content, rest = split_content(p)
    factors, coefficient = next(iter(content.terms.items()))
    single = [(a, e) for a, e in factors if (u in a.free) != (v in a.free)]
    both = monomial(factors - frozenset(single), coefficient)
    return multiply(both, rest), monomial(frozenset(single))


def _difference(body: Body, subject: Subject) -> str | None:
    """A body, or a factor of it, that depends on i - j alone."""
    for u, v in itertools.combinations(body.around, 2):
        for factors in body.poly.terms:
            for atom, _ in factors:
                if u not in atom.free or v not in atom.free or atom.kind in ("if", "ifnot"):
                    continue
                p = of(atom)
                one = number(1)
                shift = {u: add(of(u), one), v: add(of(v), one)}
                # each read has to stay where it is: a finite set of places cannot all move on
                places = (sub for a in deep_atoms(p) if a.kind == "read" for sub in a.args[2])
                if any(replaced(sub, shift) != sub for sub in places):
                    continue
                if replaced(p, shift) == p:
                    i, j = subject.name(u), subject.name(v)
                    return f"{subject.show(p)} depends on {i} - {j} alone"
    return None


def _stencil(body: Body, subject: Subject) -> str | None:
    """Every read is at an output index plus an offset: it commutes with shifts."""
    if body.op:
        return None
    deep = list(deep_atoms(body.poly))
    for u in body.around:
        offsets = False
        moved = {a.args[0] for a in deep if a.kind == "read" and u in a.free}
        if any(a.kind == "read" and a.args[0] in moved and u not in a.free for a in deep):
            continue
        if any(a.kind == "read" and rests_on(a.args[0], moved) for a in deep):
            continue
        for atom in deep:
            if u not in atom.free or atom.kind in ("bind", "exp", "poly", "fn", "relu", "abs"):
                continue
            if atom == u:
                continue
            if atom.kind != "read":
                break
            moving = [sub for sub in atom.args[2] if u in sub.free]
            rests = [subtract(sub, of(u)) for sub in moving]
            # with another index it would be the place in an axis that was split
            if len(moving) != 1 or not rests[0].free.isdisjoint(subject.outputs):
                break
            offsets = offsets or rests[0].constant != 0
        else:
            if offsets and not loose(body.poly, u):
                return f"shifting the inputs along {subject.name(u)} shifts the result"
    return None


def _permutation(subject: Subject) -> str | None:
    """May every reduced variable be permuted, together with all that runs over the same axes?

    The variables that read an axis are permuted alike; that is an invariance if each only ever is
    a whole subscript, and those axes are read by nothing else."""
    subject.rename()
    shown: dict[object, str] = {}
    for result in subject.results:
        output = subject.variables(result)
        bodies = list(subject.bodies(result))
        read = {a for body in bodies for a in atoms(body.poly) if a.kind == "read"}
        deep = {a for body in bodies for a in deep_atoms(body.poly)}
        if any(a.kind == "trace" for a in deep):
            return None  # what a loop leaves may depend on the order of what it reads
        every = {a.args[0] for a in deep if a.kind == "read"}
        for body in bodies[1:]:
            if body.op not in ("sum", "max", "min", "any", "all", "prod", "order") or body.running:
                return None
            together, places = _together(body.bound[0], read)
            if any(value.kind == "derived" for value, _ in places):
                return None  # the numbers 0, 1, 2, ... cannot be permuted
            if any(len(a.args[2]) <= axis for a in read for v, axis in places if a.args[0] is v):
                return None  # read broadcast, with some of its axes left out
            permuted = {value for value, _ in places}
            if any(rests_on(value, permuted) for value in every):
                return None
            if not places or any(v.args[1] is None or v.args[1].free for v in together):
                return None
            if any(loose(b.poly, v) for b in bodies for v in together):
                return None
            subs = [a.args[2][axis] for a in read for value, axis in places if a.args[0] is value]
            if not all(sub.atom in together for sub in subs):
                return None
            names = ", ".join(sorted({value.name for value, _ in places}))
            moved = [v for v in output if v in together]
            effect = (
                f"permutes {subject.names(moved)} in the same way" if moved else "changes nothing"
            )
            said = f"permuting {subject.name(body.bound[0])} in {names} {effect}"
            shown.setdefault((frozenset(places), tuple(moved)), said)
    return "; ".join(shown.values()) or None


def _together(variable: Atom, read: set[Atom]) -> tuple[set[Atom], set[tuple[Value, int]]]:
    """The variables that read the same array axes as ``variable``, and those axes."""
    together = {variable}
    while True:
        places = {
            (a.args[0], axis)
            for a in read
            for axis, sub in enumerate(a.args[2])
            if not sub.free.isdisjoint(together)
        }
        more = {
            v for a in read for value, axis in places if a.args[0] is value
            for sub in a.args[2][axis : axis + 1] for v in sub.free
        }  # fmt: skip
        if more <= together:
            return together, places
        together |= more


def _of_loop(subject: Subject, scan: Scan) -> Verdict:
    stages = subject.stages
    summaries = [stage for stage in stages if isinstance(stage, Summary)]
    if any(isinstance(c.init, Const) and isinstance(c.init.value, str) for c in scan.carries):
        return Verdict("unknown", None, "a sum of texts minds the order of its elements")
    exact = not any(
        kind in ("exit", "mutation", "carry") for kind, _ in subject.computation.effects
    )
    if len(summaries) == len(stages) and _one_element_a_step(subject, scan) and exact:
        commuting = all(stage.domain in _COMMUTING or _sets(stage) for stage in summaries)
        lifted = one_pass(scan, summaries)
        if (commuting and _independent(scan)) or (lifted is not None and lifted.domain == "lifted"):
            step = subject.name(subject.normaliser.variable(scan.step))
            names = ", ".join(carry.name for carry in scan.carries)
            if subject.computation.per_step:
                return Verdict(
                    "partial", "proof",
                    f"the combine commutes, so the last {names} does not depend on the order of "
                    f"the steps {step}; what each step leaves does",
                )  # fmt: skip
            return Verdict(
                "holds", "proof",
                f"the combine commutes: permuting the steps {step} does not change {names}",
            )  # fmt: skip
    # running needs NumPy, which most audits never do
    from auditor.properties.exchange import exchanged_elements, exchanged_steps, left_by

    seen = exchanged_steps(scan, subject.kinds)
    if seen.verdict == "unknown" and seen.evidence.startswith("which inputs"):
        seen = exchanged_elements(subject, left_by(scan)) or seen
    if seen.verdict == "partial" and subject.computation.per_step:
        names = ", ".join(carry.name for carry in scan.carries)
        return replace(seen, evidence=f"of the last {names} alone: {seen.evidence}")
    if seen.verdict not in ("partial", "unknown") or subject.computation.per_step or not exact:
        return seen
    monoid = subject.monoid if _one_element_a_step(subject, scan) else None
    if monoid is None or not monoid.found.commutes:
        return seen
    names = ", ".join(carry.name for carry in scan.carries)
    text = f"the combine commutes: the order of the steps does not change {names}"
    return Verdict("holds", "proof", text)


def _sets(stage: Summary) -> bool:
    """A truth value that is only ever set, or only ever cleared."""
    if stage.domain != "finite":
        return False
    table = {name: settled(term, {}) for name, term in stage.elements.items()}
    return table.get("if_true") is TRUE or table.get("if_false") is FALSE


def _independent(scan: Scan) -> bool:
    dependence = Dependence()
    states = {carry.state for carry in scan.carries}
    return all(dependence.states(c.update) & states <= {c.state} for c in scan.carries)


def _one_element_a_step(subject: Subject, scan: Scan) -> bool:
    """Does the step only occur as a place in arrays, and in each of them as one place?"""
    step = subject.normaliser.variable(scan.step)
    places: dict[tuple[Value, int], Poly] = {}
    for carry in scan.carries:
        p = subject.form(carry.update)
        if loose(p, step):
            return False
        for atom in deep_atoms(p):
            if without_notation(atom):
                return False
            if atom.kind != "read" or step not in atom.free:
                continue
            for axis, place in enumerate(atom.args[2]):
                sub = place
                if step not in sub.free:
                    continue
                while sub.atom is not None and sub.atom.kind == "bcast":
                    sub = sub.atom.args[0]
                rests = [subtract(sub, of(step)), add(sub, of(step))]
                if all(rest.free for rest in rests):
                    return False
                if places.setdefault((atom.args[0], axis), sub) != sub:
                    return False
    return True
