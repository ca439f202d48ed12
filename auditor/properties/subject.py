"""What a property is asked of: a computation's results with their normal forms, computed once
for all six properties, and the bodies under their sums and maxima."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, repeat
from typing import TYPE_CHECKING

from auditor.algebra.binders import opened
from auditor.algebra.domains import summarise
from auditor.algebra.kinds import UNKNOWN, Kinds
from auditor.algebra.limits import CannotSpell
from auditor.algebra.nested import flattened
from auditor.algebra.normal import Normaliser, expand
from auditor.algebra.polynomial import Atom, Poly, parts, place
from auditor.algebra.spell import displayed
from auditor.algebra.subterms import everything
from auditor.algebra.summary import Refused, Summary
from auditor.lift.opaque import made_from
from auditor.notation import (
    ONE,
    Apply,
    Computation,
    Index,
    Order,
    Read,
    Reduce,
    Scan,
    Symbol,
    Term,
    Trace,
    Value,
    free_indices,
    walk,
)
from auditor.writing.readable import Naming, named

_OTHERS = "the other axes"
SOME = "call:some"
"""The reduction that stands for any function of all elements."""

if TYPE_CHECKING:
    from auditor.properties.refused import Derived
    from auditor.written import Written


@dataclass(frozen=True)
class Result:
    """A term that the computation makes, over ``indices``, and the ``place`` in an array that it
    is put at, where that is known to be another than these."""

    name: str
    indices: tuple[Index, ...]
    term: Term
    place: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Body:
    """What stands under a binder (``op``: a reduction, an ``order`` of values, ``places`` in one),
    or a result as a whole (``op`` empty).

    ``bound`` are the variables of this binder, ``around`` all that are in scope; ``term`` is what
    the source spells, where it does; ``outer`` says that it is at once a reduction of its own,
    ``running`` that it only runs up to the output's own place (``cumsum``)."""

    op: str
    bound: tuple[Atom, ...]
    around: tuple[Atom, ...]
    poly: Poly
    term: Term | None = None
    outer: bool = False
    running: bool = False


@dataclass
class Subject:
    """A computation being asked about. ``kinds`` is what the inputs are said to hold, ``written``
    what the source computes, place by place."""

    computation: Computation
    kinds: Kinds = UNKNOWN
    written: tuple[Written, ...] = ()
    normaliser: Normaliser = field(default_factory=Normaliser)
    _expansions: dict[Term, Term] = field(default_factory=dict)
    _forms: dict[Term, Poly] = field(default_factory=dict)
    _line: Naming | None = None

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """The terms worth asking about: of a loop its updates and what it collects."""
        computation = self.computation
        scan = computation.scan
        places = chain(computation.places, repeat(()))
        if scan is None:
            return tuple(
                Result(_called(value), value.axes, flattened(value.body, None), at)
                for value, at in zip(computation.outputs, places, strict=False)
                if value.body is not None
            )
        found = []
        for carry, at in zip(scan.carries, places, strict=False):
            term = flattened(carry.update, scan)
            found.append(Result(carry.name, (*carry.state.axes, scan.step), term, at))
        carried = {axis for carry in scan.carries for axis in carry.state.axes}
        for update, at in zip(computation.per_step, places, strict=False):
            term = flattened(update, scan)
            axes = sorted(free_indices(term) - carried - {scan.step}, key=lambda axis: axis.uid)
            found.append(Result("each step's result", (*axes, scan.step), term, at))
        return tuple(found)

    @cached_property
    def stages(self) -> list[Summary | Refused]:
        scan = self.computation.scan
        return [] if scan is None else summarise(scan)

    @property
    def monoid(self) -> Derived | None:
        """What the dearer algebras derive of a loop, whatever it is given."""
        return None if self.derived is None or self.derived.asked else self.derived

    @cached_property
    def derived(self) -> Derived | None:
        """What the dearer algebras derive of a loop: asked where a stage is no scan by itself, or
        where the order of the steps does not matter as far as one can see."""
        scan = self.computation.scan
        if scan is None or not scan.carries:
            return None
        from auditor.properties.refused import derived

        return derived(scan, self.kinds.whole)

    @cached_property
    def terms(self) -> list[Term]:
        """Every subterm of the results, through definitions."""
        return list(everything(result.term for result in self.results))

    @cached_property
    def orders(self) -> list[Order]:
        """Every order that the results take places of, with the place as it is asked for."""
        return [node for node in self.nodes if isinstance(node, Order)]

    @cached_property
    def nodes(self) -> list[Term]:
        """Every node of the results, definitions in the places of the reads of them."""
        found = [node for result in self.results for node in walk(self._expanded(result.term))]
        return list(dict.fromkeys(found))

    @cached_property
    def unfollowed(self) -> str | None:
        """What the code does that leaves its notation behind: then nothing is proven or run."""
        for kind, what in self.computation.effects:
            if kind == "carry":
                return f"the loop {what}"
            if kind == "exit":
                return f"the loop {what}: how far it runs is not followed"
            own = what.startswith("changes `") and "which other names reach" not in what
            if kind == "mutation" and not own:
                return f"the loop {what}: later steps may see it"
        return None

    def form(self, term: Term) -> Poly:
        if term not in self._forms:
            self._forms[term] = self.normaliser.normal(term)
        return self._forms[term]

    @cached_property
    def opaque(self) -> str | None:
        """A call within the code asked about whose result has no notation."""
        whole = self.computation.span
        for node in self.terms:
            if isinstance(node, Read) and node.value.kind == "opaque":
                span = node.value.span
                inside = span is not None and (
                    (whole.line, whole.column) <= (span.line, span.column)
                    and (span.end_line, span.end_column) <= (whole.end_line, whole.end_column)
                )
                if inside:
                    return node.value.name
        return None

    @cached_property
    def of_its_step(self) -> str | None:
        """A result without notation that a loop or a comprehension makes at each step."""
        for node in self.terms:
            if isinstance(node, Apply) and node.op.startswith("call:value "):
                return node.op.removeprefix("call:value ")
        return None

    @property
    def hidden(self) -> str | None:
        """Something within the code asked about that has no notation."""
        return self.opaque or self.of_its_step

    @cached_property
    def bound(self) -> frozenset[Atom]:
        """The variables that some reduction or order in the source binds."""
        return frozenset(
            self.normaliser.variable(node.index)
            for result in self.results
            for node in walk(self._expanded(result.term))
            if isinstance(node, (Reduce, Order))
        )

    @cached_property
    def outputs(self) -> frozenset[Atom]:
        """The variables that some result is over."""
        return frozenset(v for result in self.results for v in self.variables(result))

    def own_trace(self, atom: Atom) -> bool:
        """Is it a value that the loop itself carries?"""
        scan = self.computation.scan
        return scan is not None and self._loops.get(atom.args[0]) is scan

    def variables(self, result: Result) -> tuple[Atom, ...]:
        return tuple(self.normaliser.variable(index) for index in result.indices)

    def bodies(self, result: Result) -> Iterator[Body]:
        """The result, and what stands under each reduction that the source spells."""
        free = self.variables(result)
        yield Body("", free, free, self.form(result.term), result.term)
        for node in walk(self._expanded(result.term)):
            if not isinstance(node, (Reduce, Order)) or _marks(node):
                continue
            bound = self.normaliser.variable(node.index)
            truth = isinstance(node, Reduce) and node.op in ("any", "all")
            inside = _running(node)
            poly = self.normaliser.truth(inside) if truth else self.form(inside)
            others = [v for v in poly.free if v not in free and v is not bound]
            around = (*free, *sorted(others, key=self.name), bound)
            ordered = "places" if isinstance(node, Order) and node.what == "indices" else "order"
            op = node.op if isinstance(node, Reduce) else ordered
            outer = isinstance(inside, Reduce) and inside.op == op
            running = inside is not node.body
            yield Body(op, (bound,), around, poly, inside, outer, running)

    def normal_bodies(self, result: Result) -> Iterator[Body]:
        """The result's normal form, and what stands under each binder that is left in it."""
        free = self.variables(result)
        yield Body("", free, free, self.form(result.term))
        stack = [(self.form(result.term), free)]
        while stack:
            p, around = stack.pop()
            for atom in atoms(p):
                if atom.kind == "bind" and atom.args[0] != SOME:
                    variables, body = opened(atom)
                    inner = (*around, *variables)
                    yield Body(atom.args[0], tuple(variables), inner, body)
                    stack.append((body, inner))

    def _expanded(self, term: Term) -> Term:
        if term not in self._expansions:
            self._expansions[term] = expand(term)
        return self._expansions[term]

    @cached_property
    def _bound_names(self) -> dict[Poly, list[str]]:
        """How the source names bound indices of each extent."""
        found: dict[Poly, list[str]] = {}
        for node in self.terms:
            if isinstance(node, (Reduce, Order)):
                found.setdefault(self.form(node.index.extent), []).append(node.index.name)
        return found

    def rename(self) -> None:
        """Begin another line of evidence: indices get their letters afresh."""
        self._line = None

    @property
    def _naming(self) -> Naming:
        if self._line is not None:
            return self._line
        self._line = naming = Naming()
        for node in self.terms:
            if isinstance(node, (Read, Symbol)):
                naming.avoid(node)
        for result in self.results:
            for index in result.indices:
                if not index.group:
                    naming.letter(index, index.name)
        return naming

    def name(self, variable: Atom) -> str:
        key = variable.args[0]
        if isinstance(key, Index):
            return _OTHERS if key.group else self._naming.letter(key, key.name)
        wanted = next(iter(self._bound_names.get(variable.args[1], ())), "k")
        return self._naming.letter(variable, wanted)

    def names(self, variables: Iterable[Atom]) -> str:
        return ", ".join(self.name(variable) for variable in variables)

    def every(self, variables: Iterable[Atom]) -> str:
        """``every i, j``, of what is read along all of some axes."""
        names = list(map(self.name, variables))
        own = ", ".join(name for name in names if name != _OTHERS)
        return " and ".join([f"every {own}"] * bool(own) + [f"all {_OTHERS}"] * (_OTHERS in names))

    def show(self, p: Poly) -> str:
        """A normal form in the source's names, shortened."""
        scope: dict[Atom, Term] = {}
        for v in sorted(p.free, key=place):
            if not isinstance(v.args[0], Index):
                scope[v] = index = Index(self.name(v), ONE)
                self._naming.call(index, index.name)
        try:
            return self.write(displayed(p, scope, self._bound_names, self._loops))
        except CannotSpell:
            return "a term of the loop"

    def write(self, term: Term) -> str:
        """A term with the letters that this computation's indices have."""
        return self._naming.show(term)

    @cached_property
    def _loops(self) -> dict[tuple[Poly, ...], Scan]:
        """The loops that stand in normal forms, by their structure."""
        found: dict[tuple[Poly, ...], Scan] = {}
        for node in self.terms:
            if isinstance(node, Trace):
                atom = self.form(node).atom
                if atom is not None and atom.kind == "trace":
                    found[atom.args[0]] = node.scan
        return found


def rests_on(value: Value, others: Iterable[Value]) -> bool:
    """May a result without notation have been made from one of the others?"""
    if value.kind != "opaque" or value in others:
        return False
    names = made_from(value)
    return names is None or not names.isdisjoint(other.name for other in others)


def _called(value: Value) -> str:
    """How evidence calls a result: what the source does not name has only its beginning for one."""
    return value.name if named(value) else "the result"


def _marks(node: Reduce | Order) -> bool:
    """Does it only say that a result may depend on all elements?"""
    return isinstance(node, Reduce) and node.op == SOME


def _running(node: Reduce | Order) -> Term:
    """What is reduced; of a running sum or maximum (``cumsum``), which no library computes by
    multiplying with a triangle, what runs."""
    body = node.body
    if isinstance(node, Reduce) and isinstance(body, Apply) and body.op == "where":
        condition, running, _ = body.args
        if isinstance(condition, Apply) and condition.op == "le":
            left, right = condition.args
            if left is node.index and isinstance(right, Index) and not right.group:
                return running
    return body


def atoms(p: Poly) -> Iterator[Atom]:
    """The atoms of ``p`` at any depth, but not what is under their binders."""
    stack: list[Atom | Poly] = [p]
    seen: set[Atom | Poly] = set()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, Poly):
            found = {atom: None for factors in node.terms for atom, _ in factors}
            stack.extend(sorted(found, key=place))
            continue
        yield node
        if node.kind == "bind":
            continue
        if node.kind == "trace":  # what the loop does is asked of its updates
            stack.extend((node.args[2], *node.args[3]))
            continue
        if node.kind in ("exp", "pow"):
            stack.extend(sorted((atom for atom, _ in node.args[-1]), key=place))
        if node.kind != "var":
            stack.extend(sorted(parts(node.args), key=place))


def without_notation(atom: Atom) -> bool:
    """Is it a result that a loop makes, of which nothing is known but what it may depend on?"""
    return atom.kind == "fn" and str(atom.args[0]).startswith("call:value ")


def drawn(atom: Atom) -> bool:
    """Is it made with random numbers, of which each place has its own?"""
    return atom.kind == "fn" and str(atom.args[0]) == "call:dropout"


def deep_atoms(p: Poly) -> Iterator[Atom]:
    """The atoms of ``p`` at any depth, under binders too."""
    stack = [p]
    while stack:
        for atom in atoms(stack.pop()):
            yield atom
            if atom.kind == "bind":
                stack.append(atom.args[2])


def reads(p: Poly) -> list[tuple[Value, tuple[Poly, ...]]]:
    """The elements that ``p`` reads outside of its binders."""
    return [(a.args[0], a.args[2]) for a in atoms(p) if a.kind == "read"]


def loose(p: Poly, u: Atom) -> bool:
    """Does the index occur outside of the reads' subscripts?"""
    stack: list[Poly | Atom] = [p]
    while stack:
        node = stack.pop()
        if isinstance(node, Atom):
            if node == u:
                return True
            if node.kind == "read" or u not in node.free:
                continue
            stack.extend(x for x in _arguments(node) if isinstance(x, (Atom, Poly)))
        else:
            stack.extend(atom for factors in node.terms for atom, _ in factors)
    return False


def _arguments(atom: Atom) -> list[Poly | Atom]:
    extra = [a for a, _ in atom.args[-1]] if atom.kind in ("exp", "pow") else []
    return [*parts(atom.args), *extra]
