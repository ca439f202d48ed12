"""What results without notation may depend on, inside the loops that make them.

A call that has no meaning here gives a value of its own, and taken alone that value looks like an
input. Made by the body of a loop it is another one at each step, and where its arguments follow
from a carried value it may depend on that. Both are written into the loop's terms: such a read
becomes a function without algebra of the step and of those states.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from auditor.lift.changing import changed
from auditor.lift.objects import (
    Cell,
    Collected,
    Function,
    Growing,
    Instance,
    Literal,
    Method,
    Named,
    Obj,
    Record,
    Sequence,
    Unknown,
    Written,
)
from auditor.notation import (
    Apply,
    Index,
    Read,
    Reduce,
    Scan,
    Term,
    Trace,
    Value,
    definition,
    transform,
    walk,
)
from auditor.tree import OfNodes, descendants, everything_in

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter
    from auditor.lift.loops import Loop

States = frozenset[Value]
NOTHING: States = frozenset()
ANYTHING: States = frozenset((Value("anything", (), kind="state"),))
"""Stands for every state of the loop, also those that are found later."""
_ORDERS = ("lt", "le", "gt", "ge")


class Origins:
    """For each result without notation that a loop's body makes, the states it may depend on."""

    def __init__(self) -> None:
        self.known: dict[Obj, States] = {}
        self.handed: dict[Value, None] = {}
        self.touched: set[str] = set()
        self.places: dict[Obj, frozenset[ast.AST]] = {}
        self.attributes: set[str] = set()
        self.unbound: dict[Obj, str] = {}
        self.silent: dict[Obj, str] = {}
        self._mentions: dict[Obj, frozenset[str]] = {}
        self._singles: dict[Value, Value] = {}

    @property
    def varying(self) -> list[Value]:
        """The values without notation that may differ from step to step."""
        return [*(v for v in self.known if isinstance(v, Value)), *self.handed]

    def made(self, lifter: Lifter, node: ast.expr, result: Obj, env: Env) -> None:
        """Remember what ``node`` was made from, if its result has no notation and its loop makes
        it; and that a name was read before the loop's body binds it, or as an earlier step left it,
        which has no notation."""
        if isinstance(result, Unknown) and result in self.unbound:
            lifter.active[-1].early.add(self.unbound[result])
            self.known[result] = ANYTHING
        if isinstance(result, Unknown) and result in self.silent:
            lifter.active[-1].silent.add(self.silent[result])
        for part in _opaque_parts(result):
            if part in self.known or isinstance(node, (ast.Name, ast.Attribute)):
                continue
            varies, states = self._of_names(lifter, node, env)
            if varies:
                self._keep(lifter, part, states)
                self._mentions[part] = frozenset(
                    inner.id for inner in descendants(node) if isinstance(inner, ast.Name)
                )

    def left(self, lifter: Lifter, node: ast.stmt, results: Iterable[Obj], env: Env) -> None:
        """What a statement without notation leaves, made from the names that it mentions."""
        _, states = self._of_names(lifter, node, env)
        for result in results if lifter.active else ():
            self._keep(lifter, result, states)
            self._mentions[result] = frozenset(
                inner.id for inner in descendants(node) if isinstance(inner, ast.Name)
            )

    def passed_on(self, source: Obj, result: Obj) -> None:
        """``result`` is what ``source`` was bound to, or a part of it."""
        if source in self.known:
            self.known[result] = self.known[source]
            if source in self.places:
                self.places[result] = self.places[source]
            self._mentions[result] = self._mentions.get(source, frozenset())

    def sets(self, lifter: Lifter, path: str) -> None:
        """An attribute is assigned to, which each step may read as the one before left it."""
        if lifter.active:
            self.attributes.add(path)

    def anything(self, lifter: Lifter, result: Obj) -> None:
        """Nothing is known of where a result came from."""
        if lifter.active:
            self._keep(lifter, result, ANYTHING)

    def _keep(self, lifter: Lifter, result: Obj, states: States) -> None:
        """Remember what a result may depend on, and in which loops it is made: loops within these
        read the same one at each of their steps."""
        self.known[result] = states
        self.places[result] = frozenset(loop.node for loop in lifter.active)

    def carried(self, result: Obj) -> None:
        """A carried object without notation."""
        self.known[result] = ANYTHING

    def call(
        self, lifter: Lifter, node: ast.Call, args: Iterable[Obj], result: Obj, env: Env
    ) -> None:
        """A call that may remember earlier ones and change what it is given: the arrays that come
        from outside the loop, and what else is named in it."""
        _, states = self._of_names(lifter, node, env)
        for loop in lifter.active:
            loop.reached |= states
        for part in _opaque_parts(result):
            self._keep(lifter, part, ANYTHING)
        touched = {
            inner.id
            for inner in descendants(node)
            if isinstance(inner, ast.Name) and not isinstance(env.get(inner.id), Value)
        }
        self.touched |= touched
        for loop in lifter.active:
            loop.touched |= touched
            loop.handed.update(
                lifter.storage(arg) for arg in args if isinstance(arg, Value) and arg.axes
            )
        for arg in args:
            if isinstance(arg, Value) and arg.axes and not self._of(lifter, arg)[0]:
                self.handed[lifter.storage(arg)] = None

    def _of_names(self, lifter: Lifter, node: ast.AST, env: Env) -> tuple[bool, States]:
        """Whether an expression may differ from step to step, and the states it may read."""
        states: set[Value] = set()
        varies = False
        for inner in descendants(node):
            if isinstance(inner, ast.Call):
                varies = True
            elif isinstance(inner, ast.Name) and inner.id in env:
                moving, found = self._of(lifter, env[inner.id])
                varies = varies or moving
                states |= found
        return varies, frozenset(states)

    def _of(self, lifter: Lifter, obj: Obj) -> tuple[bool, States]:
        if obj in self.known:
            return True, self.known[obj]
        if isinstance(obj, Value):
            return self._of_value(lifter, obj)
        if isinstance(obj, (Cell, Growing, Written)):
            return True, ANYTHING
        if isinstance(obj, Collected):
            return self._of_term(lifter, obj.element, set())
        parts: list[Obj] = []
        if isinstance(obj, Sequence):
            parts = list(obj.items)
        elif isinstance(obj, Record):
            parts = list(obj.fields.values())
        elif isinstance(obj, Method):
            parts = [obj.receiver]
        elif isinstance(obj, Function):
            names = {n.id for n in descendants(obj.node) if isinstance(n, ast.Name)}
            parts = [obj.closure[name] for name in names if name in obj.closure]
        found = [self._of(lifter, part) for part in parts if not isinstance(part, Function)]
        return any(v for v, _ in found), NOTHING.union(*(states for _, states in found))

    def _of_value(self, lifter: Lifter, value: Value) -> tuple[bool, States]:
        if value.kind == "state":
            return True, frozenset((value,))
        return (False, NOTHING) if value.body is None else self._of_term(
            lifter, value.body, {value}
        )  # fmt: skip

    def _of_term(self, lifter: Lifter, term: Term, seen: set[Value]) -> tuple[bool, States]:
        steps = {loop.step for loop in lifter.active}
        states: set[Value] = set()
        varies = False
        stack = [term]
        while stack:
            for node in walk(stack.pop()):
                if node in steps:
                    varies = True
                elif isinstance(node, Read) and node.value not in seen:
                    seen.add(node.value)
                    if node.value in self.known:
                        varies = True
                        states |= self.known[node.value]
                    elif node.value.kind == "state":
                        varies = True
                        states.add(node.value)
                    elif node.value.body is not None:
                        stack.append(node.value.body)
        return varies, frozenset(states)

    def spelling(self, lifter: Lifter, unknown: Unknown) -> str:
        """How the source writes what has no notation, where that is short."""
        if unknown.span is not None and unknown.owner.startswith("expression at"):
            text = lifter.module.slice(unknown.span)
            if len(text) <= 40 and text.isprintable():
                return f"`{text}`"
        return unknown.owner

    def truth(self, lifter: Lifter, value: Value) -> Value:
        """The truth of an array of unknown rank. Python takes it only where there is one element,
        which is what "any of them" then says."""
        if (value.body is None and value.kind != "state") or not lifter.active:
            return lifter.ops.reduce("any", value, None)
        compared = isinstance(value.body, Apply) and value.body.op in _ORDERS
        lifter.ops.need_number(value, "as a condition on them says", items=not compared)
        axes = lifter.ops.fresh(value.axes)
        body = lifter.ops.element(value, axes)
        for axis in reversed(axes):
            body = Reduce("any", axis, body)
        name = f"bool({value.name})"
        made = Value(name, (), Apply("call:bool", (body,)), "bool", "derived", "python")
        self._singles[made] = value
        return made

    def whole(self, test: Value, *sides: Value) -> Value:
        """The comparison that ``test`` is the truth of, where what is chosen stands in it, so that
        both are aligned alike."""
        found = self._singles.get(test)
        if found is None or not isinstance(found.body, Apply) or found.body.op not in _ORDERS:
            return test
        read = {_read_from(node.value) for node in walk(found.body) if isinstance(node, Read)}
        stands = all(_read_from(side) in read for side in sides)
        return found if stands else test

    def shown(self, term: Term, loop: Loop, lost: States, around: Iterable[Loop] = ()) -> Term:
        """``term`` with what it reads without notation as functions of the step and the states;
        ``lost`` are the states whose updates have none."""
        every = [loop, *reversed([*around])]
        hidden: dict[Value, States | None] = {}
        begun: dict[Scan, Scan] = {}

        def change(node: Term) -> Term:
            if isinstance(node, Trace) and node.scan is not loop.scan:
                return _begun_from(node, change, begun)
            if not isinstance(node, Read):
                return node
            value, loops = node.value, every
            states = ANYTHING if value in lost else self.known.get(value)
            if (
                value.body is not None
                and value not in loop.changing.settled
                and definition(node) is None
            ):
                states = self._behind(value, loop, hidden)
            made = self.places.get(value)
            given = made is not None and loop.node not in made and value not in loop.handed
            touched = loop.touched if given else self.touched
            set_here = value.kind == "attribute" and value.name in self.attributes
            if set_here or not touched.isdisjoint(self._mentions.get(value, ())):
                states = ANYTHING
            elif given and value not in loop.changing.arrays and value not in lost:
                return node  # one array for this loop; for those around it is shown in their terms
            if states is None and value in loop.changing.arrays:
                states = ANYTHING
            if states is None and node.value in self.handed:
                states = NOTHING
            if states is None or not loops:
                return node
            states |= loops[0].reached
            carried = frozenset(s for one in loops for s in one.states.values()) - lost
            mine = carried if states >= ANYTHING or not states.isdisjoint(lost) else states
            where = [sub for sub in node.subs if not (isinstance(sub, Index) and sub.group)]
            read = [_any_element(state) for state in sorted(mine, key=lambda state: state.uid)]
            op = changed(value) if value in loop.changing.arrays else f"call:value {value.name}"
            return Apply(op, (loops[0].step, *where, *read))

        return transform(term, change)

    def _behind(self, value: Value, loop: Loop, known: dict[Value, States | None]) -> States | None:
        """The states that a definition reads which cannot be put in the value's place, as that is
        read broadcast; None where all that is read there has notation, and is found by who asks."""
        if value not in known:
            known[value] = None
            assert value.body is not None
            read = list(_read_in(value.body))
            found = [
                self.known[inner] if inner.body is None else self._behind(inner, loop, known)
                for inner in read
                if inner.body is not None or loop.node in self.places.get(inner, ())
            ]
            hidden = [states for states in found if states is not None]
            if hidden:
                mine = set(loop.states.values()).intersection(read)
                known[value] = NOTHING.union(mine, *hidden)
        return known[value]


def _read_in(term: Term) -> Iterable[Value]:
    """What a term reads, and what the loops in it begin with."""
    for node in walk(term):
        if isinstance(node, Read):
            yield node.value
        elif isinstance(node, Trace):
            for carry in node.scan.carries:
                yield from _read_in(carry.init)


def _begun_from(trace: Trace, change: Callable[[Term], Term], known: dict[Scan, Scan]) -> Trace:
    """What a loop within the loop leaves, with ``change`` made to what it begins with and reads."""
    scan = trace.scan
    if scan not in known:
        own = {carry.state for carry in scan.carries}

        def within(node: Term) -> Term:
            return node if isinstance(node, Read) and node.value in own else change(node)

        carries = tuple(
            replace(
                carry,
                init=transform(carry.init, change),
                update=transform(carry.update, within),
            )
            for carry in scan.carries
        )
        known[scan] = scan
        if any(
            new.init is not old.init or new.update is not old.update
            for new, old in zip(carries, scan.carries, strict=True)
        ):
            known[scan] = Scan(scan.step, scan.span)
            known[scan].carries = carries
    return replace(trace, scan=known[scan])


def made_anew(lifter: Lifter, element: ast.expr) -> frozenset[Value]:
    """What each item of a comprehension makes by a call that has no notation."""
    found: set[Value] = set()
    for node in everything_in(element):
        made = lifter.values.get(node) if isinstance(node, ast.Call) else None
        if isinstance(made, Unknown) and made.owner in lifter.leaves:
            found.add(lifter.leaves[made.owner])
    return frozenset(found)


def of_each_item(term: Term, own: frozenset[Value], step: Index) -> Term:
    """``term`` with what each item makes as a function of the item."""

    def change(node: Term) -> Term:
        if not isinstance(node, Read) or node.value not in own:
            return node
        where = [sub for sub in node.subs if not (isinstance(sub, Index) and sub.group)]
        return Apply(f"call:value {node.value.name}", (step, *where))

    return transform(term, change) if own else term


def _read_from(value: Value) -> Value:
    """The array that a value is an element or a part of."""
    while isinstance(value.body, Read):
        value = value.body.value
    return value


@dataclass(frozen=True, eq=False)
class Given:
    """What an expression is made from: itself, and the arrays that its names stand for. Few results
    are asked for the names of these."""

    node: ast.AST
    arrays: tuple[Value, ...]

    @classmethod
    def to(cls, node: ast.AST, env: Env) -> Given | None:
        """None where the expression may be made from anything."""
        words = _SPELLED.get(node)
        if words is None:
            inner = everything_in(node)
            found = tuple({one.id: None for one in inner if isinstance(one, ast.Name)})
            words = _SPELLED.keep(node, found)
        arrays: list[Value] = []
        for word in words:
            held = env.get(word)
            if isinstance(held, Value):
                arrays.append(held)
            elif held is not None and not isinstance(held, (Function, Instance, Literal, Named)):
                return None
        return cls(node, tuple(arrays))

    def __call__(self) -> frozenset[str] | None:
        """The names of the arrays, through their definitions; None where one of these may be made
        from anything."""
        return self._names

    @cached_property
    def _names(self) -> frozenset[str] | None:
        found = list(map(made_from, self.arrays))
        names = [each for each in found if each is not None]
        if len(names) < len(found):
            return None
        inner = everything_in(self.node)
        spelled = (ast.unparse(one) for one in inner if isinstance(one, ast.Attribute))
        return frozenset(spelled).union(*names)


_SPELLED = OfNodes[tuple[str, ...]]("spelled")
"""The names in expressions."""


def made_from(value: Value) -> frozenset[str] | None:
    """The names of the leaves that a value is made of; None where that may be anything."""
    found: set[str] = set()
    waiting, seen = [value], {value}
    while waiting:
        at = waiting.pop()
        if at.body is None:
            given = at.given() if at.given is not None else None
            if at.kind == "opaque" and given is None and at.made is None:
                return None
            found |= {at.name, *(given or ())}
            inner = [at.made[1]] if at.made is not None else []
        else:
            inner = [node.value for node in walk(at.body) if isinstance(node, Read)]
        waiting += (one for one in inner if one not in seen)
        seen.update(inner)
    return frozenset(found)


def _opaque_parts(result: Obj) -> Iterable[Obj]:
    if isinstance(result, Unknown):
        yield result
    elif isinstance(result, Value):
        if result.body is None and result.kind in ("free", "opaque"):
            yield result
    elif isinstance(result, Record):
        for part in result.fields.values():
            yield from _opaque_parts(part)
    elif isinstance(result, Sequence):
        for item in result.items:
            yield from _opaque_parts(item)


def _any_element(state: Value) -> Term:
    """Something that depends on every element of a state."""
    axes = tuple(Index(axis.name, axis.extent, axis.group) for axis in state.axes)
    term: Term = Read(state, axes)
    for axis in reversed(axes):
        term = Reduce("call:some", axis, term)
    return term
