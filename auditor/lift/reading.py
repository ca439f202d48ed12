"""Reading a function's statements, and again from the middle when a new fact needs it.

Before each statement of the function itself the state of the lifter is marked. A fact about a
parameter matters from the first statement that mentions it, a fact about anything else from the
statement that made it; what was read before stays as it is. A statement within another one, in a
loop say, is read again by itself where it made what the fact is about.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from auditor.lift import statements
from auditor.lift.facts import Equalities, Facts, Refine
from auditor.lift.lifter import Env, Lifter
from auditor.lift.module import ClassScope, Module
from auditor.lift.objects import Obj
from auditor.lift.runs import LAST, Picked
from auditor.lift.spoken import spoken_library
from auditor.notation import Apply, Const, Symbol, Term, Value, walk
from auditor.tree import descendants

if TYPE_CHECKING:
    from auditor.lift.loop_arrays import ArrayWrite
    from auditor.lift.loops import Loop

_ROUNDS = 120


class Contradiction(Exception):
    """Facts that cannot all hold; the function is not lifted."""


@dataclass
class Reading:
    """A function, read as far as is known of it. ``superseded`` are parameters as they were taken
    before more was learnt about them."""

    node: ast.FunctionDef | ast.Module
    scope: str
    lifter: Lifter
    parameters: Env
    superseded: dict[Obj, str] = field(default_factory=dict)

    def on(self, start: int, env: Env) -> None:
        """Read the statements from one on. When a fact is learnt, what was read before the first
        statement that it could matter to stays as it is."""
        lifter, facts, body = self.lifter, self.lifter.facts, self.node.body
        for _ in range(_ROUNDS):
            try:
                statements.block(lifter, body[start:], env)
            except Refine as fact:
                assumed, again = {*facts.assumptions}, {fact.owner}
                if facts.learn(fact):
                    again |= assumed - facts.assumptions.keys()  # what rested on it
                    start = min(map(self._first, again))
                elif facts.give_up(lifter.ops.located()):
                    start = facts.position
                else:
                    message = f"{fact.owner}: {fact.what} {fact.amount}"
                    raise Contradiction(message) from None
                start = 0 if lifter.afresh else min(start, facts.position)
                env = self._back(start)
                if lifter.afresh:
                    # What an earlier reading found equal may have rested on a wrong rank.
                    facts.forget_extents()
                    lifter.marks.clear()
                    lifter.afresh = False
                self._supersede(again & self.parameters.keys(), env)
            else:
                return
        raise Contradiction(f"the shapes in `{self.scope}` do not settle")

    def settle(self, before: dict[Term, Term]) -> bool:
        """Read again what was read before more extents than ``before`` were found equal; False
        where that is the whole function."""
        lifter, facts = self.lifter, self.lifter.facts
        fresh = {one for one, other in facts.extents.items() if before.get(one) is not other}
        start = min((self._made(term) for term in fresh), default=0)
        if not start:
            return False
        if start < len(self.node.body):
            equalities = facts.equalities()
            env = self._back(start)
            facts.restore(equalities)
            lifter.afresh = True
            changed = {
                name
                for name, obj in self.parameters.items()
                if isinstance(obj, Value) and any(axis.extent in fresh for axis in obj.axes)
            }
            self._supersede(changed, env)
            self.on(start, env)
        return True

    def _first(self, owner: str) -> int:
        """The first statement that a fact about ``owner`` could matter to."""
        if owner in self.parameters:
            return _first_mention(self.node.body, owner)
        return self.lifter.facts.touched.get(owner, 0)

    def _made(self, extent: Term) -> int:
        """The first statement that could read an extent."""
        named = self.lifter.facts.named
        first = len(self.node.body)
        for atom in walk(extent):
            if isinstance(atom, Symbol):
                shown, shape, _ = atom.name.rpartition(".shape[")
                first = min(first, self._first(named.get(shown, shown)) if shape else 0)
            elif not isinstance(atom, (Const, Apply)):
                return 0
        return first

    def _back(self, start: int) -> Env:
        """Go back to before a statement: the names bound there."""
        facts = self.lifter.facts
        facts.position = start
        facts.touched = {owner: at for owner, at in facts.touched.items() if at < start}
        return _rewind(self.lifter, start) or dict(self.parameters)

    def _supersede(self, changed: set[str], env: Env) -> None:
        """Take parameters as they are known by now, in the place of what they were."""
        lifter, parameters = self.lifter, self.parameters
        for owner in changed:
            self.superseded[parameters[owner]] = owner
            parameters[owner] = lifter.parameter(owner)
        for old, owner in self.superseded.items():
            lifter.leaves[owner] = parameters[owner]  # type: ignore[assignment]
            env.update({name: parameters[owner] for name, obj in env.items() if obj is old})


def read_function(
    module: Module,
    scope: str,
    node: ast.FunctionDef | ast.Module,
    klass: ClassScope | None,
    attributes: Mapping[str, Obj],
    facts: Facts,
    parameters_of: Callable[[Lifter], Env],
    picked: Picked = LAST,
) -> Reading:
    """Read the statements of a function."""
    facts.position, facts.touched = 0, {}
    lifter = Lifter(module, facts, node, klass, attributes, picked=picked)
    lifter.library = lifter.library or spoken_library(module, node, klass)
    lifter.order = {statement: place for place, statement in enumerate(node.body)}
    parameters = parameters_of(lifter)
    lifter.afresh = bool(facts.extents)
    reading = Reading(node, scope, lifter, parameters)
    reading.on(0, dict(parameters))
    return reading


def _first_mention(body: list[ast.stmt], name: str) -> int:
    """The place of the first statement that mentions a name."""
    for place, statement in enumerate(body):
        if any(
            isinstance(inner, ast.Name) and inner.id == name for inner in descendants(statement)
        ):
            return place
    return len(body)


@dataclass(frozen=True)
class _Before:
    """The state before a statement within another one: the lifter's, what the loops that are being
    read fill in, and how many owners something had been asked of."""

    mark: Mark
    inside: list[tuple[Loop | ArrayWrite, dict[str, Any]]]
    known: int

    def precedes(self, owner: str, facts: Facts) -> bool:
        """Whether nothing can have rested on what was not known of an owner."""
        return owner not in self.mark.kept["leaves"] and owner not in islice(
            facts.touched, self.known
        )

    def again(self, lifter: Lifter, env: Env) -> None:
        """Go back to it."""
        env.clear()
        env.update(_restored(lifter, self.mark))
        for part, kept in self.inside:
            vars(part).update(_copies(kept))


def resumed(
    lifter: Lifter,
    body: list[ast.stmt],
    env: Env,
    execute: Callable[[Lifter, list[ast.stmt], Env, Callable[[], None]], bool],
) -> bool:
    """Execute the statements of a block that stands within a statement. With each fact that is
    learnt about what they made it goes on from the one that made it: nothing before can have rested
    on that."""
    facts, reached = lifter.facts, list[_Before]()

    def reach() -> None:
        inside = [(part, _copies(vars(part))) for part in _filled(lifter.active)]
        reached.append(_Before(_held(lifter, env), inside, len(facts.touched)))

    while True:
        try:
            return execute(lifter, body[len(reached) :], env, reach)
        except Refine as fact:
            while reached and not reached[-1].precedes(fact.owner, facts):
                reached.pop()
            if lifter.afresh or not reached or not facts.learn(fact):
                raise
            reached.pop().again(lifter, env)


def _filled(loops: list[Loop]) -> list[Loop | ArrayWrite]:
    """What the statements of loops that are being read fill in."""
    writes = [write for loop in loops for write in (*loop.arrays.values(), *loop.written.values())]
    return [*loops, *(write for write in dict.fromkeys(writes) if write is not None)]


def _copies(held: dict[str, Any]) -> dict[str, Any]:
    return {
        name: one.copy() if isinstance(one, (dict, list, set)) else one
        for name, one in held.items()
    }


@dataclass
class Mark:
    """The state of a lifter between two statements: lengths of what only grows, copies of the
    rest."""

    env: Env
    sizes: dict[str, int]
    kept: dict[str, Any]
    equalities: Equalities


_FIXED = ("attributes", "picked", "order", "marks", "setting", "declined")
_LONG = ("values", "scopes")
_EMPTY: tuple[()] = ()
_Fields = tuple[list[str], list[str], list[str]]
_fields: dict[type[Lifter], _Fields] = {}


def _fields_of(lifter: Lifter) -> _Fields:
    """The fields that only grow, those to copy and the counts; the same for all lifters."""
    known = _fields.get(type(lifter))
    if known is None:
        held = {name: one for name, one in vars(lifter).items() if name not in _FIXED}
        growing = [n for n, one in held.items() if n in _LONG or isinstance(one, list)]
        copied = [n for n, one in held.items()
                  if isinstance(one, (set, dict)) and n not in growing]  # fmt: skip
        counts = [n for n, one in held.items() if isinstance(one, int)]
        known = _fields[type(lifter)] = growing, copied, counts
    return known


def mark(lifter: Lifter, place: int, env: Env) -> None:
    """Remember what there is before the ``place``-th statement of the function."""
    lifter.facts.position = place
    lifter.marks[place] = _held(lifter, env)


def _held(lifter: Lifter, env: Env) -> Mark:
    growing, copied, counts = _fields_of(lifter)
    held = vars(lifter)
    sizes = {name: len(held[name]) for name in growing}
    kept = {name: one.copy() if (one := held[name]) else _EMPTY for name in copied}
    kept |= {name: held[name] for name in counts}
    return Mark(dict(env), sizes, kept, lifter.facts.equalities())


def _rewind(lifter: Lifter, place: int) -> Env | None:
    """Go back to before the ``place``-th statement: the names bound there, or None where that
    statement was never reached."""
    found = lifter.marks.get(place)
    return None if found is None else _restored(lifter, found)


def _restored(lifter: Lifter, found: Mark) -> Env:
    """Go back to a mark: the names bound there."""
    for name, size in found.sizes.items():
        held = getattr(lifter, name)
        if isinstance(held, list):
            del held[size:]
        else:
            while len(held) > size:
                held.popitem()
    for name, kept in found.kept.items():
        if isinstance(kept, int):
            setattr(lifter, name, kept)
        else:  # in place: who is reading may hold it
            held = getattr(lifter, name)
            held.clear()
            held.update(kept)
    lifter.facts.restore(found.equalities)
    return dict(found.env)
