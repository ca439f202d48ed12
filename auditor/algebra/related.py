"""Inputs of a loop that are made of the same numbers, as functions of these: where a loop is run on
numbers, what is given has to be something that can be given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from auditor.algebra.as_fold import ScalarFold
from auditor.algebra.choices import truth
from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import Poly
from auditor.algebra.subterms import everything
from auditor.notation import (
    Apply,
    Const,
    Index,
    Read,
    Scan,
    Term,
    Value,
    definition,
    rebuild,
    transform,
)
from auditor.writing.readable import Naming

_OPENED = frozenset(
    "add sub mul div neg max min abs square where lt le gt ge eq ne and or not".split()
)


def with_related(fold: ScalarFold, step: Index) -> ScalarFold:
    """The loop with the inputs that share a part as functions of their parts; ``step`` is that of
    the loop that it was made from."""
    normaliser = Normaliser()
    parts = {
        value: {normaliser.normal(part) for part in _parts(term)}
        for value, term in fold.terms.items()
    }
    shared = [
        value for value, mine in parts.items()
        if any(mine & others for other, others in parts.items() if other is not value)
    ]  # fmt: skip
    if not shared:
        return fold
    opening = _Opening(fold, step, normaliser)
    by = {value: opening.of(fold.terms[value]) for value in shared}

    def change(node: Term) -> Term:
        return by.get(node.value, node) if isinstance(node, Read) else node

    scan = Scan(fold.scan.step)
    scan.carries = tuple(
        replace(carry, update=transform(carry.update, change)) for carry in fold.scan.carries
    )
    return ScalarFold(scan, frozenset(opening.moving), opening.terms)


def _parts(term: Term) -> Iterator[Term]:
    """What a term is made of by operations that are made again here."""
    opened = _definition(term)
    if opened is not None:
        yield from _parts(opened)
    elif isinstance(term, Apply) and term.op in _OPENED:
        for arg in term.args:
            yield from _parts(arg)
    elif not isinstance(term, Const):
        yield term


def _definition(term: Term) -> Term | None:
    return definition(term) if isinstance(term, Read) else None


class _Opening:
    def __init__(self, fold: ScalarFold, step: Index, normaliser: Normaliser) -> None:
        self.terms, self.moving = dict(fold.terms), set(fold.moving)
        self._step, self._normaliser, self._naming = step, normaliser, Naming()
        self._naming.letter(step, step.name)
        self._known: dict[Poly, Value] = {
            normaliser.normal(term): value for value, term in fold.terms.items()
            if list(_parts(term)) == [term]
        }  # fmt: skip

    def of(self, term: Term) -> Term:
        opened = _definition(term)
        if opened is not None:
            return self.of(opened)
        if isinstance(term, Const):
            return term
        if isinstance(term, Apply) and term.op in _OPENED:
            return rebuild(term, tuple(map(self.of, term.args)))
        key = self._normaliser.normal(term)
        if key not in self._known:
            kind = "bool" if truth(term) else None
            value = Value(self._naming.show(term, 60), (), None, kind, "input")
            if self._step in set(everything([term])):
                self.moving.add(value)
            self._known[key], self.terms[value] = value, term
        return Read(self._known[key], ())
