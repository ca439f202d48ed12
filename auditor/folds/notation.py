"""A loop of folds in notation, from its folds: each carried value is combined with an input of the
step. For loops whose bodies have no notation (the attributes of records, an early return), where
the text shows all the same that nothing but the fold reads what is carried."""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.algebra.domains import summarise
from auditor.algebra.summary import Refused
from auditor.folds.loop import Fold, FoldLoop
from auditor.lift.module import Module
from auditor.notation import (
    Apply,
    Carry,
    Computation,
    Const,
    Index,
    Read,
    Scan,
    Symbol,
    Term,
    Value,
)
from auditor.properties.subject import Subject
from auditor.rewrite import Site
from auditor.syntax import constant

_COMBINE = {"sum": "add", "prod": "mul", "max": "max", "min": "min", "any": "or", "all": "and"}


def computation_of(site: Site, loop: FoldLoop) -> Computation | None:
    """What the loop computes: as it was lifted where that is a scan, else from its folds. None
    where the notation shows that it is no scan."""
    computation = site.computation
    scan = computation.scan
    names = {name for fold in loop.folds for name in fold.names}
    # Where only the place of the best is kept, its value is read back through it at every step.
    by_place = any(fold.name is None and fold.place is not None for fold in loop.folds)
    lifted = scan is not None and names <= {carry.name for carry in scan.carries}
    if scan is not None and lifted and not by_place:
        if Subject(computation).unfollowed is None:
            stages = summarise(scan)
            refused = [stage for stage in stages if isinstance(stage, Refused)]
            if any(stage.certain for stage in refused):
                return None
            if not refused:
                return computation
    return replace(
        computation, outputs=(), scan=_Notation(site.lifted.module, loop).scan(), per_step=(),
        effects=(),
    )  # fmt: skip


class _Notation:
    def __init__(self, module: Module, loop: FoldLoop) -> None:
        self.module, self.loop = module, loop
        size = Symbol(f"len({self._text(loop.generators[0].iter)})")
        self.step = Index("t", size)
        self.inputs: dict[str, Value] = {}

    def scan(self) -> Scan:
        """The loop as a scan over its inputs."""
        carries = [carry for fold in self.loop.folds for carry in self._carries(fold)]
        made = Scan(self.step, self.module.span(self.loop.node))
        made.carries = tuple(carries)
        return made

    def _text(self, node: ast.expr) -> str:
        text = ast.unparse(node)
        tight = isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
        return text if tight else f"({text})"

    def _at_step(self, node: ast.expr) -> Term:
        """The value of an expression at each step; a literal is itself."""
        number = constant(node)
        if isinstance(number, (bool, int, float)):
            return Const(number)
        text = self._text(node)
        if text not in self.inputs:
            self.inputs[text] = Value(text, (self.step,), None, None, "input")
        return Read(self.inputs[text], (self.step,))

    def _carries(self, fold: Fold) -> list[Carry]:
        unnamed = "the answer" if fold.op == "set" else "the best"
        held = Value(fold.name or unnamed, (), None, None, "state")
        value = self._at_step(fold.value)
        if fold.op in ("argmax", "argmin"):
            assert fold.place is not None and fold.payload is not None
            place = Value(fold.place, (), None, None, "state")
            way = ("gt" if fold.keeps_first else "ge") if fold.op == "argmax" else (
                "lt" if fold.keeps_first else "le")  # fmt: skip
            better = Apply(way, (value, Read(held, ())))
            payload = Apply("where", (better, self._at_step(fold.payload), Read(place, ())))
            best = Apply("where", (better, value, Read(held, ())))
            return [self._carry(held, best, fold), self._carry(place, payload, fold)]
        if fold.op == "set":
            return [self._carry(held, value, fold)]
        if fold.negative:
            value = Apply("neg", (value,))
        return [self._carry(held, Apply(_COMBINE[fold.op], (Read(held, ()), value)), fold)]

    def _carry(self, state: Value, update: Term, fold: Fold) -> Carry:
        for condition in reversed(fold.conditions):
            test = self._at_step(condition.test)
            kept = Read(state, ())
            then, otherwise = (update, kept) if condition.holds else (kept, update)
            update = Apply("where", (test, then, otherwise))
        start = Value(f"{state.name} before", (), None, None, "input")
        return Carry(state.name, state, Read(start, ()), update)
