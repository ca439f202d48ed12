"""Do nearby outputs need only nearby inputs?

Every subscript of every read is compared with the place of what is made, in normal form: the
output's indices, or where a loop puts it. A difference that is bounded gives a radius; a subscript
that runs over a whole axis needs all of it, which is still local in blocks when other operands are
reused across that axis.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from auditor.algebra.binders import replaced
from auditor.algebra.bounds import highest, lowest
from auditor.algebra.polynomial import (
    Atom,
    Number,
    Poly,
    add,
    number,
    of,
    parts,
    place,
    scale,
    subtract,
)
from auditor.notation import ONE, Computation, Index, Value
from auditor.properties.subject import Body, Result, Subject, atoms, without_notation
from auditor.verdict import Verdict


@dataclass
class _Reach:
    """What the reads of a computation reach."""

    offsets: dict[tuple[Value, Atom], list[int]] = field(default_factory=dict)
    places: dict[Value, dict[tuple[Poly, ...], str]] = field(default_factory=dict)
    turned: list[str] = field(default_factory=list)
    window: list[str] = field(default_factory=list)
    full: list[str] = field(default_factory=list)
    reused: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    far: list[str] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    strided: dict[tuple[Value, Atom, int], dict[int, str]] = field(default_factory=dict)
    wrapped: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    fixed: dict[tuple[Value, int], str] = field(default_factory=dict)
    moving: set[tuple[Value, int]] = field(default_factory=set)
    directions: dict[Atom, set[int]] = field(default_factory=dict)
    seen: int = 0


@dataclass(frozen=True)
class _Made:
    """What is made: the variables that it is over, and its ``place``, a term for each axis. Without
    a ``placed`` one the place is the variables."""

    output: tuple[Atom, ...]
    place: tuple[Poly, ...]
    placed: bool

    def near(self, sub: Poly) -> list[Poly]:
        """The places along the axes that a subscript moves with."""
        return [q for q in self.place if not q.free.isdisjoint(sub.free & set(self.output))]

    def told(self, subject: Subject) -> str:
        """Where a loop puts it, if that is not beside its own indices."""
        place = ", ".join(map(subject.show, self.place))
        own = self.place == tuple(of(v) for v in self.output)
        return "" if own else f" for what is put at [{place}]"


def _made(result: Result, subject: Subject, reach: _Reach) -> _Made:
    output = subject.variables(result)
    place = tuple(subject.form(term) for term in result.place)
    for q in place:
        if any(_is_data(inner) for inner in atoms(q)):
            reach.data.append(f"{result.name} is put at {subject.show(q)}")
    scan = subject.computation.scan
    if place and scan is not None:
        step = subject.normaliser.variable(scan.step)
        slopes = [q.terms.get(frozenset(((step, 1),)), 0) for q in place if step in q.free]
        reach.directions.setdefault(step, set()).update(-1 if a < 0 else 1 for a in slopes)
    return _Made(output, place or tuple(of(v) for v in output), bool(place))


def ask(computation: Computation | Subject) -> Verdict:
    subject = computation if isinstance(computation, Subject) else Subject(computation)
    reach = _Reach()
    for result in subject.results:
        made = _made(result, subject, reach)
        output = made.output
        for body in subject.bodies(result):
            subject.rename()
            for atom in atoms(body.poly):
                if without_notation(atom):
                    reach.data.append(f"{subject.show(of(atom))} has no notation")
                elif atom.kind == "trace" and not subject.own_trace(atom):
                    reach.inner.append(f"{subject.show(of(atom))} is what another loop leaves")
                elif atom.kind == "read":
                    own = [of(v) for v in output]
                    if len(atom.args[2]) > 1 and all(sub in own for sub in atom.args[2]):
                        known = reach.places.setdefault(atom.args[0], {})
                        known.setdefault(atom.args[2], subject.show(of(atom)))
                    if _out_of_order(atom.args[2], made, subject):
                        reach.turned.append(f"{subject.show(of(atom))} is read{made.told(subject)}")
                    for place, sub in enumerate(atom.args[2]):
                        _fixed(atom, place, sub, output, subject, reach)
                        _subscript(atom, sub, body, made, subject, reach)
    _side_by_side(reach)
    carried = _carried(subject)
    if reach.data:
        return Verdict("unknown", None, _unclear(reach.data[0]))
    if reach.unclear:
        return Verdict("unknown", None, f"{reach.unclear[0]}: how far that is is not known")
    if subject.opaque is not None:
        return Verdict(
            "unknown", None, f"{subject.opaque} has no notation: what it reads is not known"
        )
    turned = _turned(reach, subject)
    if turned is not None:
        return Verdict("fails", "structure", turned)
    if any(len(ways) > 1 for ways in reach.directions.values()):
        both = next(
            (text for text in reach.window if "backwards" in text), "some are read backwards"
        )
        return Verdict("fails", "structure", f"{both}, and others forwards: the distance grows")
    anchored = next((reach.fixed[key] for key in reach.fixed if key in reach.moving), None)
    if anchored is not None:
        return Verdict(
            "fails", "structure", f"{anchored} is read at every place: the distance grows"
        )
    if reach.far:
        return Verdict("fails", "structure", f"{reach.far[0]}: the distance grows with the index")
    if reach.full and reach.reused:
        return Verdict(
            "partial", "structure",
            f"{reach.full[0]}, but {reach.reused[0]}: blocks are local after reordering",
        )  # fmt: skip
    if reach.full:
        return Verdict("fails", "structure", reach.full[0])
    if reach.blocks:
        return Verdict(
            "partial", "structure",
            f"{reach.blocks[0]}, though the distance grows with the index",
        )  # fmt: skip
    if reach.turned:
        return Verdict(
            "fails", "structure",
            f"{reach.turned[0]}, with the axes in another order: the distance grows",
        )  # fmt: skip
    if reach.inner:
        return Verdict("unknown", None, f"{reach.inner[0]}: what that reads is not followed")
    if not reach.seen and carried is None:
        return Verdict("fails", "structure", "not applicable: nothing is read at an index")
    shown = sorted(dict.fromkeys(reach.window), key=lambda text: "within 0" in text)[:2]
    shown = shown or reach.beside[:1]
    if reach.wrapped:
        others = [_radius(reach) + "; ".join(shown)] if shown else []
        return Verdict("partial", "structure", "; ".join([reach.wrapped[0], *others]))
    text = _radius(reach) + "; ".join(shown or ["every read is at the output's own index"])
    return Verdict("holds", "structure", text if carried is None else f"{text}; {carried}")


def _radius(reach: _Reach) -> str:
    """How wide the window is in which one array is read along one index."""
    widths = [max(found) - min(found) for found in reach.offsets.values()]
    width = max(widths, default=0)
    if not width:
        return "" if reach.window or reach.beside else "radius 0: "
    return f"radius {(width + 1) // 2} around the middle of a window of {width + 1} elements: "


def _turned(reach: _Reach, subject: Subject) -> str | None:
    """One array read with its axes in two orders, as a matrix plus its transpose."""
    for value, places in reach.places.items():
        for (one, first), (two, second) in itertools.combinations(places.items(), 2):
            if one != two and set(one) == set(two):
                return f"{value.name} is read at {first} and at {second}: the distance grows"
    return None


def _out_of_order(subs: tuple[Poly, ...], made: _Made, subject: Subject) -> bool:
    """Is an element read at what are the output's own places along other axes? In which order the
    axes of what a loop carries come beside its steps says nothing."""
    if subject.computation.scan is not None and not made.placed:
        return False
    at = [made.place.index(sub) for sub in subs if sub.free and sub in made.place]
    return at != sorted(at)


def _unclear(read: str) -> str:
    if read.endswith("has no notation"):
        return f"{read}: where it reads is not known"
    return f"{read}: an index that depends on data"


def _carried(subject: Subject) -> str | None:
    scan = subject.computation.scan
    if scan is None or not scan.carries:
        return None
    names = ", ".join(carry.name for carry in scan.carries)
    step = subject.name(subject.normaliser.variable(scan.step))
    return f"each step needs {names} of the step before: radius 1 in {step}"


def _fixed(
    atom: Atom,
    place: int,
    sub: Poly,
    output: tuple[Atom, ...],
    subject: Subject,
    reach: _Reach,
) -> None:
    """Tell axes that are read at one place from those that are read along."""
    value = atom.args[0]
    extent = value.axes[place].extent if place < len(value.axes) else ONE
    if any(v in sub.free for v in output):
        reach.moving.add((value, place))
    elif extent is not ONE and not sub.free:
        reach.fixed.setdefault((value, place), subject.show(of(atom)))


def _subscript(
    atom: Atom, sub: Poly, body: Body, made: _Made, subject: Subject, reach: _Reach
) -> None:
    """Enter one subscript of one read."""
    output = made.output
    reach.seen += 1
    while sub.atom is not None and sub.atom.kind == "bcast":
        sub = sub.atom.args[0]
    shown = subject.show(of(atom))
    # the step of a loop around an expression is one place, not a range
    inner = [v for v in body.around if v in sub.free and v in subject.bound]
    own = [v for v in output if v in sub.free]
    if not inner and not own:
        return  # whatever data says it
    if any(_is_data(part) for part in atoms(sub)):
        reach.data.append(f"{shown} is read")
        return
    moving = subject.computation.scan is not None and not made.placed
    if sub in made.place and own:
        if moving:
            reach.directions.setdefault(own[0], set()).add(1)
        reach.offsets.setdefault((atom.args[0], own[0]), []).append(0)
        return
    back = _backwards(sub, subject) if moving else None
    if back is not None:
        step, sub = back
        reach.directions.setdefault(step, set()).add(-1)
        if sub == of(step):
            reach.window.append(f"{shown} is read backwards, one element a step")
            return
    elif moving:
        for v in own:
            reach.directions.setdefault(v, set()).add(1)
    distances = [(subtract(sub, q), q) for q in made.near(sub)]
    bounds = [(*b, next(v for v in output if v in q.free)) for d, q in distances
              if (b := _bound(d, q) or _clamped(d, q)) is not None]  # fmt: skip
    if bounds:
        low, high, along = min(bounds, key=lambda b: max(-b[0], b[1]))
        reach.offsets.setdefault((atom.args[0], along), []).extend((low, high))
        radius = max(-low, high)
        reach.window.append(f"{shown} is read within {radius} of the output's index")
    elif any(d.free.isdisjoint((*output, *subject.bound)) for d, _ in distances):
        reach.window.append(f"{shown} is read at a fixed distance from the output's index")
    elif inner:
        _range(atom, sub, shown, inner, body, made, subject, reach)
    elif (stride := _stride(sub, own)) is not None:
        slope, offset = stride
        known = reach.strided.setdefault((atom.args[0], own[0], slope), {})
        known.setdefault(offset, f"{shown} is read{made.told(subject)}")
    elif _bent(sub, own):
        reach.far.append(f"{shown} is read{made.told(subject)}")
    elif (around := _around(sub, own)) is not None:
        places = "1 place" if around == 1 else f"{around} places"
        reach.wrapped.append(f"{shown} is {places} away, but for the end of the axis")
    elif _regrouped(sub, own):
        reach.blocks.append(
            f"{shown} is read through a view: along one axis neighbours need neighbours"
        )
    else:
        reach.far.append(f"{shown} is read{made.told(subject)}")


def _stride(sub: Poly, own: list[Atom]) -> tuple[int, int] | None:
    """``s`` and ``c`` of a subscript ``s * i + c`` that are whole numbers, ``s`` more than 1."""
    if len(own) != 1:
        return None
    slope = sub.terms.get(frozenset(((own[0], 1),)))
    apart = subtract(sub, scale(of(own[0]), slope)).constant if slope is not None else None
    if slope is None or apart is None or slope <= 1 or slope != int(slope) or apart != int(apart):
        return None
    return int(slope), int(apart)


def _side_by_side(reach: _Reach) -> None:
    """Reads ``s`` places apart, for all of which together the places in between are read too, are
    of blocks that lie side by side; others are far."""
    for (_, _, slope), offsets in reach.strided.items():
        read = next(iter(offsets.values()))
        if len({offset % slope for offset in offsets}) == slope:
            reach.blocks.append(f"{read} with all that lies between: neighbouring blocks")
        else:
            reach.far.append(read)


def _bent(sub: Poly, own: list[Atom]) -> bool:
    """Is a subscript, or what it takes a quotient or remainder of, no multiple of an index plus
    something?"""
    return any(
        sum(exponent for atom, exponent in factors if atom in own) > 1
        for poly in (sub, *_inside(sub))
        for factors in poly.terms
    )


def _regrouped(sub: Poly, own: list[Atom]) -> bool:
    """Is it the place in an array whose axes were split or joined? Joined, it moves by one with one
    index and farther with the others; split, it is the quotient or the remainder of one."""
    inside = _inside(sub)
    if len(own) == 1 and not inside:
        return False
    return any(
        [poly.terms.get(frozenset(((v, 1),))) in (1, -1) for v in own].count(True) == 1
        for poly in (sub, *inside)
    )


def _inside(sub: Poly) -> list[Poly]:
    """What a subscript takes quotients and remainders of."""
    return [
        part for atom in atoms(sub) if atom.kind == "fn"
        for part in parts(atom.args) if isinstance(part, Poly)
    ]  # fmt: skip


def _around(sub: Poly, own: list[Atom]) -> int | None:
    """How far ``(i + k) % n`` is from i before it begins again."""
    straight = sub
    for factors, weight in sub.terms.items():
        if any(atom.kind == "fn" and not atom.free.isdisjoint(own) for atom, _ in factors):
            straight = subtract(straight, Poly({factors: weight}))
    for v in own:
        far = subtract(straight, of(v)).constant
        if far is not None and straight != sub:
            return abs(int(far))
    return None


def _is_data(atom: Atom) -> bool:
    """An element of an array, which is known only once the data is; a scalar that the code is
    given is a size like any other."""
    if atom.kind == "read":
        value = atom.args[0]
        return bool(atom.args[2]) or value.kind in ("opaque", "state")
    if without_notation(atom):
        return True
    return atom.kind in ("state", "arg", "order", "trace")


def _backwards(sub: Poly, subject: Subject) -> tuple[Atom, Poly] | None:
    """A subscript that falls as the steps go on, counted from the other end."""
    scan = subject.computation.scan
    if scan is None:
        return None
    step = subject.normaliser.variable(scan.step)
    if sub.terms.get(frozenset(((step, 1),))) != -1:
        return None
    turned = subtract(subtract(subject.form(scan.step.extent), of(step)), number(1))
    return step, replaced(sub, {step: turned})


def _range(
    atom: Atom,
    sub: Poly,
    shown: str,
    inner: list[Atom],
    body: Body,
    made: _Made,
    subject: Subject,
    reach: _Reach,
) -> None:
    """Enter a subscript that runs over an axis of its own."""
    output = made.output
    moving = _window(sub, inner, made, atom, subject, reach)
    if moving is not None:
        reach.window.append(f"{shown} is read {moving} the output's index")
        return
    if any(v in index.args[1].free for v in output for index in inner):
        # A window that moves with the output's index, or all that is before it.
        moves = any(part in output for part in atoms(sub))
        found = reach.unclear if moves else reach.far
        found.append(f"{shown} is read for {subject.every(inner)}")
        return
    if _harmless(inner, subject):
        near = [subtract(sub, q) for q in made.near(sub)]
        if near and all(any(v in d.free for v in output) for d in near):
            block = _block(sub, output, subject)
            if block is None:
                reach.far.append(f"{shown} is read{made.told(subject)}")
            else:
                reach.blocks.append(f"{shown} is read within {block}: neighbouring blocks")
            return
        fixed = all(v.args[1].constant is not None for v in inner)
        why = "of a fixed number" if fixed else "not along the steps"
        reach.beside.append(f"{shown} is read for {subject.every(inner)}, {why}")
        return
    banded = _band(inner, output, body, subject)
    if banded is not None:
        reach.window.append(banded)
        return
    reach.full.append(f"{shown} is read for {subject.every(inner)}")
    others = [a for a in atoms(body.poly) if a.kind == "read" and a is not atom]
    missing = [v for v in output if v not in atom.free and any(v in a.free for a in others)]
    if missing:
        reach.reused.append(f"the same {shown} serves {subject.every(missing)}")


def _block(sub: Poly, output: tuple[Atom, ...], subject: Subject) -> str | None:
    """Beside what multiple of an index a subscript stays, where the windows of neighbours leave
    nothing out between them."""
    for v in output:
        slope = sub.terms.get(frozenset(((v, 1),)))
        bounds = None if slope is None else _bound(subtract(sub, scale(of(v), slope)), of(v))
        if (
            slope is not None
            and bounds is not None
            and bounds[1] - bounds[0] + 1 >= abs(int(slope))
        ):
            return f"{max(-bounds[0], bounds[1])} of {subject.show(scale(of(v), slope))}"
    return None


def _window(
    sub: Poly, inner: list[Atom], made: _Made, atom: Atom, subject: Subject, reach: _Reach
) -> str | None:
    """How far a window reaches whose ends move with the output's index, perhaps cut off at the ends
    of the array."""
    if len(inner) != 1 or sub.terms.get(frozenset(((inner[0], 1),))) != 1:
        return None
    (v,) = inner
    low = subtract(sub, of(v))
    high = add(low, v.args[1], number(-1))
    for u, q in [(u, q) for q in made.place for u in made.output if u in q.free]:
        ends = subtract(_loosened(low, 1), q), subtract(_loosened(high, -1), q)
        if any(end.free or _reads_data(end) for end in ends) or v in low.free:
            continue
        near, far = (end.constant for end in ends)
        if near is None or far is None:
            return None if _as_wide(ends, atom, subject) else "at a bounded distance from"
        reach.offsets.setdefault((atom.args[0], u), []).extend((int(near), int(far)))
        return f"within {int(max(-near, far, 0))} of"
    return None


def _as_wide(ends: tuple[Poly, Poly], atom: Atom, subject: Subject) -> bool:
    """Does the array's own extent say how far a window reaches?"""
    own = {part for axis in atom.args[0].axes for part in atoms(subject.form(axis.extent))}
    return any(not own.isdisjoint(atoms(end)) for end in ends)


def _loosened(p: Poly, sign: int) -> Poly:
    """``p`` with ``max(q, 0)`` as q where that makes it no larger (``sign`` 1) or no smaller."""
    for factors, weight in p.terms.items():
        (one, *others) = factors if factors else (None,)
        if one is not None and not others and one[0].kind == "relu" and one[1] == 1:
            if weight * sign > 0:
                p = add(p, scale(of(one[0]), -weight), scale(one[0].args[0], weight))
    return p


def _harmless(inner: list[Atom], subject: Subject) -> bool:
    """A range that does not grow with the data; in a loop, one that is not along its steps."""
    extents = [v.args[1] for v in inner]
    if all(extent.constant is not None for extent in extents):
        return True
    scan = subject.computation.scan
    if scan is not None and all(isinstance(v.args[0], Index) and v.args[0].group for v in inner):
        return True  # axes that the elements may have, not along the steps
    return scan is not None and bool(scan.carries) and subject.form(scan.step.extent) not in extents


def _bound(distance: Poly, anchor: Poly) -> tuple[int, int] | None:
    """The least and the greatest distance, where they depend neither on the anchor's variables nor
    on an extent."""
    if not anchor.free.isdisjoint(distance.free):
        return None
    high, low = highest(distance), lowest(distance)
    if high is None or low is None or high.constant is None or low.constant is None:
        return None
    return int(low.constant), int(high.constant)


def _clamped(distance: Poly, anchor: Poly) -> tuple[int, int] | None:
    """The least and the greatest distance of ``max(i - 5, 0)``, ``min(i + 5, n - 1)`` or
    ``abs(i - 5)`` from i: on either side of the corner, up to the end of the axis."""
    v = anchor.atom
    corner = next((a for a in atoms(distance) if a.kind in ("relu", "abs")), None)
    weight = None if corner is None else distance.terms.get(frozenset(((corner, 1),)))
    if v is None or v.kind != "var" or corner is None or weight is None or v.args[1] is None:
        return None
    inside = corner.args[0]
    slope = inside.terms.get(frozenset(((v, 1),)))
    straight = subtract(distance, scale(of(corner), weight))
    if slope not in (1, -1) or v not in inside.free:
        return None
    above = add(straight, scale(inside, weight))
    below = straight if corner.kind == "relu" else subtract(straight, scale(inside, weight))
    turn = scale(subtract(inside, scale(of(v), slope)), -slope)
    end = number(0) if slope == 1 else add(v.args[1], number(-1))
    found = [above.constant, *(replaced(below, {v: at}).constant for at in (turn, end))]
    if any(one is None for one in found):
        return None
    known = [int(one) for one in found if one is not None]
    return min(known), max(known)


def _band(inner: list[Atom], output: tuple[Atom, ...], body: Body, subject: Subject) -> str | None:
    """A guard on |i - j|, or one on each side, keeps the reads near the output: all that are added
    up, as what one guard leaves out another may let in."""
    wide = {
        extent
        for read in atoms(body.poly)
        if read.kind == "read"
        for axis in read.args[0].axes
        for extent in atoms(subject.form(axis.extent))
    }
    said: str | None = None
    for factors, weight in body.poly.terms.items():
        part = Poly({factors: weight})
        if any(a.kind == "read" and not a.free.isdisjoint(inner) for a in atoms(part)):
            kept = _kept(part, wide, inner, output, subject)
            if kept is None:
                return None
            said = said or kept
    return said


def _kept(
    part: Poly, wide: set[Atom], inner: list[Atom], output: tuple[Atom, ...], subject: Subject
) -> str | None:
    """What keeps the reads of a product near the output."""
    below: set[tuple[Atom, Atom]] = set()
    above: set[tuple[Atom, Atom]] = set()
    for guard in atoms(part):
        if guard.kind not in ("if", "ifnot"):
            continue
        how, p = guard.args
        if not wide.isdisjoint(atoms(p)) and how != "eq":
            continue  # as wide as an array
        for i, j in [(i, j) for i in output for j in inner]:
            names = subject.name(j), subject.name(i)
            if _small_distance(p if guard.kind == "if" else scale(p, -1), i, j):
                return f"a guard keeps {names[0]} near {names[1]}"
            slope = _slope(p, i, j)
            if slope is None:
                continue
            if how == "eq" and guard.kind == "if":
                return f"a guard keeps {names[0]} at {names[1]}"
            if how == "lt":
                (above if (slope > 0) == (guard.kind == "if") else below).add((i, j))
    if below & above:
        i, j = min(below & above, key=lambda pair: (place(pair[0]), place(pair[1])))
        return f"a guard keeps {subject.name(j)} in a band around {subject.name(i)}"
    return None


def _small_distance(p: Poly, i: Atom, j: Atom) -> bool:
    """Is ``p < 0`` a bound on |j - i| by what depends on no index?"""
    for factors, weight in p.terms.items():
        for atom, exponent in factors:
            if atom.kind == "abs" and weight > 0 and exponent == 1 and len(factors) == 1:
                rest = subtract(p, scale(of(atom), weight))
                inside = _slope(atom.args[0], i, j)
                return inside is not None and not rest.free and not _reads_data(rest)
    return False


def _slope(p: Poly, i: Atom, j: Atom) -> Number | None:
    """The weight of j in a multiple of j - i, plus what depends on no index or data."""
    weight = p.terms.get(frozenset(((j, 1),)))
    if weight is None or p.terms.get(frozenset(((i, 1),))) != -weight:
        return None
    rest = add(p, scale(of(j), -weight), scale(of(i), weight))
    return None if rest.free or _reads_data(rest) else weight


def _reads_data(p: Poly) -> bool:
    """Does it read an element of an array? A scalar that the code is given is a size."""
    return any(
        atom.kind in ("state", "trace") or (atom.kind == "read" and bool(atom.args[2]))
        for atom in atoms(p)
    )
