"""What a property is asked of: a computation's results with their normal forms, computed once
for all six properties, and the bodies under their sums and maxima."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from auditor.algebra.binders import opened
from auditor.algebra.domains import Refused, Summary, summarise
from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import Atom, Poly, parts
from auditor.algebra.sampling import everything
from auditor.algebra.spell import CannotSpell, spelled
from auditor.notation import ONE, Computation, Index, Order, Reduce, Term, Value, show


@dataclass(frozen=True)
class Result:
    """A term that the computation makes, over ``indices``."""

    name: str
    indices: tuple[Index, ...]
    term: Term


@dataclass(frozen=True)
class Body:
    """What stands under a binder (``op``), or a result as a whole (``op`` empty).

    ``bound`` are the variables of this binder, ``around`` all that are in scope."""

    op: str
    bound: tuple[Atom, ...]
    around: tuple[Atom, ...]
    poly: Poly


@dataclass
class Subject:
    """A computation being asked about."""

    computation: Computation
    normaliser: Normaliser = field(default_factory=Normaliser)
    _names: dict[Atom, str] = field(default_factory=dict)
    _forms: dict[Term, Poly] = field(default_factory=dict)

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """The terms worth asking about: of a loop its updates and what it collects."""
        computation = self.computation
        scan = computation.scan
        if scan is None:
            return tuple(
                Result(value.name, value.axes, value.body)
                for value in computation.outputs
                if value.body is not None
            )
        found = [
            Result(carry.name, (*carry.state.axes, scan.step), carry.update)
            for carry in scan.carries
        ]
        for place, term in enumerate(computation.per_step):
            output = computation.outputs[place] if place < len(computation.outputs) else None
            name, axes = (output.name, output.axes) if output else ("result", (scan.step,))
            found.append(Result(name, axes, term))
        return tuple(found)

    @cached_property
    def stages(self) -> list[Summary | Refused]:
        scan = self.computation.scan
        return [] if scan is None else summarise(scan)

    @cached_property
    def terms(self) -> list[Term]:
        """Every subterm of the results, through definitions."""
        return list(everything(result.term for result in self.results))

    def form(self, term: Term) -> Poly:
        if term not in self._forms:
            self._forms[term] = self.normaliser.normal(term)
        return self._forms[term]

    def variables(self, result: Result) -> tuple[Atom, ...]:
        return tuple(self.normaliser.variable(index) for index in result.indices)

    def bodies(self, result: Result) -> Iterator[Body]:
        """The result and everything under its binders, outside in."""
        p = self.form(result.term)
        free = self.variables(result)
        yield Body("", free, free, p)
        yield from self._inside(p, free)

    def _inside(self, p: Poly, around: tuple[Atom, ...]) -> Iterator[Body]:
        for atom in atoms(p):
            if atom.kind == "bind":
                variables, body = opened(atom)
                for variable in variables:
                    self._name_bound(variable, around)
                inner = (*around, *variables)
                yield Body(atom.args[0], tuple(variables), inner, body)
                yield from self._inside(body, inner)

    def _name_bound(self, variable: Atom, around: tuple[Atom, ...]) -> None:
        taken = {self.name(other) for other in around}
        for name in self._bound_names.get(variable.args[1], []):
            if name not in taken:
                self._names[variable] = name
                return
        self._names[variable] = next(n for n in "kjlpqrsuvwxyz" if n not in taken)

    @cached_property
    def _bound_names(self) -> dict[Poly | None, list[str]]:
        """How the source names indices of each extent."""
        found: dict[Poly | None, list[str]] = {}
        for node in self.terms:
            if isinstance(node, (Reduce, Order)):
                extent = self.form(node.index.extent)
                found.setdefault(extent, []).append(node.index.name)
        return found

    def name(self, variable: Atom) -> str:
        if variable in self._names:
            return self._names[variable]
        key = variable.args[0]
        return show(key) if isinstance(key, Index) else "k"

    def names(self, variables: Iterator[Atom] | tuple[Atom, ...] | list[Atom]) -> str:
        return ", ".join(self.name(variable) for variable in variables)

    def show(self, p: Poly) -> str:
        """A normal form in the source's names, shortened."""
        scope: dict[Atom, Term] = {v: Index(self.name(v), ONE) for v in p.free if v in self._names}
        try:
            text = show(spelled(p, scope))
        except CannotSpell:
            return "a term of the loop"
        return text if len(text) <= 70 else text[:67] + "..."


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
            stack.extend(atom for factors in node.terms for atom, _ in factors)
            continue
        yield node
        if node.kind == "bind":
            continue
        if node.kind == "trace":  # what the loop does is asked of its updates
            stack.extend((node.args[2], *node.args[3]))
            continue
        if node.kind in ("exp", "pow"):
            stack.extend(atom for atom, _ in node.args[-1])
        if node.kind != "var":
            stack.extend(parts(node.args))


def reads(p: Poly) -> list[tuple[Value, tuple[Poly, ...]]]:
    """The elements that ``p`` reads outside of its binders."""
    return [(a.args[0], a.args[2]) for a in atoms(p) if a.kind == "read"]
