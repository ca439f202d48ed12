"""Do nearby outputs need only nearby inputs?

Every subscript of every read is compared with the output's indices in normal form. A difference
that is bounded gives a radius; a subscript that runs over a whole axis needs all of it, which is
still local in blocks when other operands are reused across that axis.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from auditor.algebra.bounds import highest, lowest
from auditor.algebra.polynomial import Atom, Poly, add, of, scale, subtract
from auditor.notation import Computation
from auditor.properties.subject import Body, Subject, atoms
from auditor.verdict import Verdict


@dataclass
class _Reach:
    """What the reads of a computation reach."""

    radius: int = 0
    window: list[str] = field(default_factory=list)
    full: list[str] = field(default_factory=list)
    reused: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    far: list[str] = field(default_factory=list)
    seen: int = 0


def ask(computation: Computation | Subject) -> Verdict:
    subject = computation if isinstance(computation, Subject) else Subject(computation)
    reach = _Reach()
    for result in subject.results:
        output = subject.variables(result)
        for body in subject.bodies(result):
            _reads_of(body, output, subject, reach)
    if reach.data:
        return Verdict("unknown", None, f"{reach.data[0]}: an index that depends on data")
    if reach.far:
        return Verdict("fails", "structure", f"{reach.far[0]}: the distance grows with the index")
    carried = _carried(subject)
    if reach.full and reach.reused:
        return Verdict(
            "partial", "structure",
            f"{reach.full[0]}, but {reach.reused[0]}: blocks are local after reordering",
        )  # fmt: skip
    if reach.full and carried is None:
        return Verdict("fails", "structure", reach.full[0])
    if not reach.seen and carried is None:
        return Verdict("fails", "structure", "not applicable: nothing is read at an index")
    shown = reach.window[:2] or ["every read is at the output's own index"]
    if carried is not None:
        whole = f"; {reach.full[0]}" if reach.full else ""
        return Verdict(
            "partial" if reach.full else "holds", "structure",
            f"{'; '.join(shown)}; {carried}{whole}",
        )  # fmt: skip
    return Verdict("holds", "structure", f"radius {reach.radius}: {'; '.join(shown)}")


def _carried(subject: Subject) -> str | None:
    scan = subject.computation.scan
    if scan is None or not scan.carries:
        return None
    names = ", ".join(str(carry.state.at(*carry.state.axes)) for carry in scan.carries)
    return f"each step needs the carry {names} of the step before: radius 1 in {scan.step.name}"


def _reads_of(body: Body, output: tuple[Atom, ...], subject: Subject, reach: _Reach) -> None:
    found = [atom for atom in atoms(body.poly) if atom.kind == "read"]
    for atom in found:
        value, _, subs = atom.args
        if value.kind == "state":
            continue
        for sub in subs:
            reach.seen += 1
            _subscript(atom, sub, body, output, subject, reach)


def _subscript(
    atom: Atom, sub: Poly, body: Body, output: tuple[Atom, ...], subject: Subject, reach: _Reach
) -> None:
    shown = subject.show(of(atom))
    if any(inner.kind in ("read", "state", "arg", "order") for inner in atoms(sub)):
        reach.data.append(f"{shown} is read")
        return
    inner = [v for v in body.around if v in sub.free and v not in output]
    own = [v for v in output if v in sub.free]
    if not inner and (not own or sub in [of(v) for v in own]):
        return
    anchor = next((v for v in own if v.args[0] is not None), None)
    distance = sub if anchor is None else subtract(sub, of(anchor))
    bound = _bound(distance, inner, body, anchor)
    if bound is not None and (anchor is not None or not inner):
        reach.radius = max(reach.radius, bound)
        if bound:
            reach.window.append(f"{shown} is read within {bound} of the output's index")
    elif inner:
        banded = _band(inner, output, body, subject)
        if banded:
            reach.window.append(banded)
            return
        names = subject.names(inner)
        reach.full.append(f"{shown} is read for every {names}")
        missing = [v for v in output if v not in atom.free]
        if missing and len(output) > 0:
            reach.reused.append(f"the same {shown} serves every {subject.names(missing)}")
    elif any(inside.kind == "fn" for inside in atoms(sub)):
        reach.window.append(f"{shown} is read through a view")
    else:
        reach.far.append(f"{shown} is read")


def _bound(distance: Poly, inner: list[Atom], body: Body, anchor: Atom | None) -> int | None:
    """The largest absolute value, where it does not depend on an extent."""
    if anchor is not None and anchor in distance.free:
        return None
    high, low = highest(distance), lowest(distance)
    if high is None or low is None or high.constant is None or low.constant is None:
        return None
    return int(max(abs(high.constant), abs(low.constant)))


def _band(inner: list[Atom], output: tuple[Atom, ...], body: Body, subject: Subject) -> str | None:
    """A guard |i - j| <= w keeps the reads near the output."""
    below: set[tuple[Atom, Atom]] = set()
    above: set[tuple[Atom, Atom]] = set()
    for atom in atoms(body.poly):
        if atom.kind not in ("if", "ifnot"):
            continue
        p: Poly = atom.args[1]
        for i in output:
            for j in inner:
                if i not in p.free or j not in p.free:
                    continue
                if atom.args[0] == "eq":
                    return f"a guard keeps {subject.name(j)} at {subject.name(i)}"
                if any(a.kind == "abs" and {i, j} <= a.free for a in atoms(p)):
                    return f"a guard keeps {subject.name(j)} near {subject.name(i)}"
                weight = p.terms.get(frozenset(((j, 1),)))
                other = p.terms.get(frozenset(((i, 1),)))
                rest = add(p, scale(of(j), -(weight or 0)), scale(of(i), -(other or 0)))
                if weight is None or other != -weight or rest.free:
                    continue
                forward = (weight > 0) == (atom.kind == "if")
                (above if forward else below).add((i, j))
    if below & above:
        i, j = next(iter(below & above))
        return f"a guard keeps {subject.name(j)} in a band around {subject.name(i)}"
    return None
