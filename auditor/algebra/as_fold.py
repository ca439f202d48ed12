"""A loop of notation as a fold over scalars, for the algebras that derive a monoid: what does not
depend on the carried values is one opaque input each, named as it is written."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.algebra.affine import inline
from auditor.algebra.best import single_truths
from auditor.algebra.choices import truth
from auditor.algebra.monoid import start_of
from auditor.algebra.nested import flattened
from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import Poly
from auditor.algebra.scalars import as_scalars, unnested
from auditor.algebra.states import Dependence
from auditor.algebra.subterms import everything
from auditor.algebra.summary import fixed_width
from auditor.notation import (
    ZERO,
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Scan,
    Symbol,
    Term,
    Trace,
    Value,
    definition,
    walk,
)
from auditor.writing.readable import Naming

_NAMES = {"bitwise_xor": "bitxor", "bitwise_and": "bitand", "bitwise_or": "bitor"}
_SAME_NUMBER = ("cast:float", "cast:double", "cast:half", "cast:bfloat", "call:detach")
_MOST_NODES = 400


@dataclass(frozen=True, eq=False)
class ScalarFold:
    """``scan`` has scalar states and reads inputs without subscripts; ``moving`` are those that
    differ from step to step, ``terms`` what each input stands for."""

    scan: Scan
    moving: frozenset[Value]
    terms: dict[Value, Term]

    def varying(self, value: Value) -> bool:
        return value in self.moving


class _NoFold(Exception):
    """A state is used otherwise than by functions of scalars."""


def as_fold(scan: Scan) -> ScalarFold | None:
    """The loop over scalars; None where a step does more than functions of single elements, or
    the states are integers that wrap around."""
    dependence = Dependence()
    states = frozenset(carry.state for carry in scan.carries)
    if any(fixed_width(carry) for carry in scan.carries):
        return None
    own = everything(carry.update for carry in scan.carries)
    if any(isinstance(node, Trace) and node.scan is scan for node in own):
        return None  # a step reads earlier ones than the step before
    updates = [
        single_truths(unnested(flattened(inline(c.update, states, dependence), scan)), c.state.axes)
        for c in scan.carries
    ]
    if sum(1 for update in updates for _ in walk(update)) > _MOST_NODES:
        return None
    scalar = as_scalars(scan.carries, updates)
    if scalar is None:
        return None
    carries, updates = scalar[0], list(scalar[1])
    reader = _Reader(scan, frozenset(carry.state for carry in carries))
    made = Scan(Index(scan.step.name, Symbol("steps")))
    try:
        made.carries = tuple(
            Carry(carry.name, carry.state, start_of(carry), reader.of(update))
            for carry, update in zip(carries, updates, strict=True)
        )
    except _NoFold:
        return None
    return ScalarFold(made, frozenset(reader.moving), reader.terms)


class _Reader:
    def __init__(self, scan: Scan, states: frozenset[Value]) -> None:
        self.scan, self.states = scan, states
        self.moving: set[Value] = set()
        self.terms: dict[Value, Term] = {}
        self._inputs: dict[Poly, Value] = {}
        self._dependence, self._normaliser, self._naming = Dependence(), Normaliser(), Naming()
        self._naming.letter(scan.step, scan.step.name)

    def of(self, term: Term) -> Term:
        if isinstance(term, Const):
            return term
        if not self._dependence.mentions(term, self.states):
            made = definition(term) if isinstance(term, Read) else None
            return made if isinstance(made, Const) else Read(self._input(term), ())
        if isinstance(term, Read) and term.value in self.states:
            return Read(term.value, ())
        if not isinstance(term, Apply) or term.op.startswith("call:value "):
            raise _NoFold
        op, args = term.op, tuple(map(self.of, term.args))
        if op == "relu":
            return Apply("max", (*args, ZERO))
        if op == "square":
            return Apply("mul", (*args, *args))
        if op.startswith(_SAME_NUMBER):
            return args[0]
        return Apply(_NAMES.get(op, op), args)

    def _input(self, term: Term) -> Value:
        key = self._normaliser.normal(term)
        if key not in self._inputs:
            name = self._naming.show(term, 60)
            taken = {value.name for value in self._inputs.values()}
            while name in taken:
                name += " "
            value = Value(name, (), None, "bool" if truth(term) else None, "input")
            if self.scan.step in set(everything([term])):
                self.moving.add(value)
            self._inputs[key], self.terms[value] = value, term
        return self._inputs[key]
