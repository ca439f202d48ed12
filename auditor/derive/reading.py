"""A ``for`` loop of plain Python as a fold: what it carries, how a step changes it, what it needs.

The body is run once on symbols. What does not depend on the carried values stays the user's own
text, one opaque scalar each; arithmetic, comparisons and branches become terms, so that the same
abstract domains answer as for any other loop. Elements are taken as scalars (numbers, strings,
records): that is what distinguishes a stream from an array. Whatever may have a side effect, or
may depend on the order of calls, is refused with its line.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from auditor.algebra.choices import plain_truths, settled
from auditor.algebra.derivation import components
from auditor.algebra.states import Dependence
from auditor.derive.aliases import other_name
from auditor.derive.around import Around
from auditor.derive.array_entries import entries_of, in_every_place, stays_whole
from auditor.derive.begun import bounded, constant, empty, width
from auditor.derive.behind import behind
from auditor.derive.called_functions import named
from auditor.derive.computed import Env
from auditor.derive.entries import (
    as_condition,
    entry_of,
    fresh,
    is_mapping,
    only_better,
    touch_of,
    touched_when_absent,
    where_touched,
)
from auditor.derive.executed import Executed, changed_in_place
from auditor.derive.expression import source
from auditor.derive.fold import ANSWER, STOPPED, Fold, Keyed, NotAFold
from auditor.derive.nested_entries import pairs_of
from auditor.derive.places import Place
from auditor.derive.placewise import LISTS
from auditor.derive.scopes import (
    names_of,
    target_names,
)
from auditor.derive.sequences import in_order
from auditor.notation import (
    FALSE,
    NONE,
    TRUE,
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Scan,
    Symbol,
    Term,
    Value,
    substitute,
    transform,
    walk,
)
from auditor.syntax import called_name
from auditor.tree import everything_in
from auditor.whole_file.own_arithmetic import own_operator


def read(place: Place, lazily: bool = False, keeping: bool = False) -> Fold:
    """The loop as a fold. ``lazily``: what only some steps ask of an element stays a question to
    it, which may raise for others. ``keeping``: lists may hold what was carried. Raises
    ``NotAFold``."""
    loop = place.loop
    if isinstance(loop, ast.While):
        raise NotAFold("a while loop: its elements are not a stream", loop.lineno)
    if isinstance(loop, ast.AsyncFor):
        raise NotAFold("an asynchronous loop", loop.lineno)
    try:
        return _Reader(place, loop, lazily=lazily, keeping=keeping).fold()
    except NotAFold as reason:
        if reason.running is None:
            raise
        return _Reader(place, loop, reason.running, lazily).fold()


def scan_of(place: Place) -> Fold | None:
    """The loop with the list that it appends to as running values, where it has one. Raises
    ``NotAFold``."""
    if not isinstance(place.loop, ast.For):
        return None
    around = Around(place, place.loop)
    running = next(filter(around.only_appended, around.stored), None)
    return None if running is None else _Reader(place, place.loop, running).fold()


def _declares(function: ast.AST) -> bool:
    """Whether a function says of names that they are the module's."""
    return any(isinstance(node, ast.Global) for node in everything_in(function))


class _Reader(Executed):
    def __init__(
        self,
        place: Place,
        node: ast.For,
        running: str | None = None,
        lazily: bool = False,
        keeping: bool = False,
    ) -> None:
        super().__init__(place, node, running, lazily, keeping)
        self.tree, self.function = place.tree, place.function
        self.scope = place.scope

    # -- the whole

    def fold(self) -> Fold:
        node = self.node
        if node.orelse:
            raise NotAFold("the loop has an else", node.orelse[0].lineno)
        names = target_names(node.target)
        if names is None:
            raise NotAFold("the loop's target is not made of names", node.lineno)
        changed = {*self.stored, *self.containers}
        for inner in everything_in(node.iter):
            if isinstance(inner, ast.Name) and inner.id in changed:
                raise NotAFold(f"it changes `{inner.id}` while it walks it", node.lineno)
        around: ast.AST = self.function or self.tree
        late = behind(self.tree if _declares(around) else around, [node.iter, *node.body])
        for name in sorted(late.keys() & changed):
            raise NotAFold(f"`{late[name]}` reads `{name}`, which it changes", node.lineno)
        for name in names:
            if self.around.read_first(name):
                raise NotAFold(f"`{name}` of the last element is used after it", node.lineno)
        same = other_name(self.around.body, node, set(self.records), self.purity.modules)
        if same is not None:
            raise NotAFold(
                f"`{same[1]}` may be another name of `{same[0]}`, which it changes", node.lineno
            )
        own = own_operator(self.tree, self.function, node)
        if own is not None and own.told:
            raise NotAFold(own.said, node.lineno)
        if own is not None:
            self.purity.assume(own.supposed)
        env: Env = {}
        for name in self.stored:
            if name not in names:
                env[name] = self._state(name)
        walked = [n.id for n in everything_in(node.iter) if isinstance(n, ast.Name)]
        wide = width(node.iter) or next(filter(None, map(self._width, walked)), None)
        for name in names:
            self.atoms[name] = Value(name, (), dtype=wide, kind="input")
            env[name] = self._atom(name)
        for name in sorted(self.containers):
            env |= {value: self._state(value) for value in self._values(name)}
            env[touch_of(name)] = FALSE
        start = dict(env)
        steps = self._without_preparation(node.body, env)
        begun = {**env, STOPPED: FALSE}
        if any(isinstance(n, ast.Return) for s in steps for n in everything_in(s)):
            begun[ANSWER] = self._state(ANSWER)
        after = self._block(steps, begun)
        if self._runs_on(after[STOPPED]):
            self.run_on, self.exits = True, []
            after = self._block(steps, begun)
        stopped = after.pop(STOPPED)
        if ANSWER in self.around.defined or STOPPED in self.around.defined:
            if self.exits:
                raise NotAFold(f"the names {STOPPED} and {ANSWER} are taken", node.lineno)
        return self._finished(start, after, stopped, names)

    def _finished(self, start: Env, after: Env, stopped: Term, names: tuple[str, ...]) -> Fold:
        live = self.around.live()
        carries: dict[str, Term] = {}
        answer: Term | None = None
        for name in self.states:
            if name in (STOPPED, ANSWER):
                continue
            if name in after and after[name] is not start.get(name):
                carries[name] = after[name]
        after, stopped = self._without_unchanged(carries, after, stopped)
        carries = {name: after[name] for name in carries}
        if self.exits:
            carries, answer = self._with_exits(carries, stopped, after.get(ANSWER, FALSE))
        entry = {value for name in self.keys for value in self._values(name)} & carries.keys()
        for name in self.records.keys() & self.keys.keys():
            if entry.isdisjoint(self._values(name)) or entry.issuperset(self._values(name)):
                continue
            raise NotAFold(f"some values of an entry of `{name}` never change", self.node.lineno)
        if self.running is not None:
            if entry:
                raise NotAFold(
                    f"`{self.running}` keeps values of a container, step by step", self.node.lineno
                )
            changed = changed_in_place(self.node, self.before) & carries.keys() & self.handed_on
            if changed:
                what = f"`{min(changed)}` is changed in place, and may be what each step keeps"
                raise NotAFold(what, self.node.lineno)
            live = live - {self.running} | self._looked_at(carries)
        kept = _needed(carries, live | entry, self.states) | entry
        if not kept:
            raise NotAFold("nothing that the loop computes is used after it", self.node.lineno)
        result = self.around.result()
        step = Index("t", Symbol("steps"))
        scan = Scan(step)
        initial = {name: self._initial(name) for name in carries if name in kept}
        found = tuple(
            Carry(self.states[name].name, self.states[name], initial[name], update)
            for name, update in carries.items()
            if name in kept
        )
        scan.carries = in_order(found, self.function, self.node)
        parameters = self._parameters(scan, names)
        out = [name for name in self.states if name in kept and name in live]
        out += [name for name in self.keys if not entry.isdisjoint(self._values(name))]
        # lists are joined by what adds numbers
        rows = None if self.rows != LISTS and _only_counts(scan) else self.rows
        whole = Fold(
            self.node, self.scope, self.function, self.tree, scan, names, tuple(self.prepare),
            parameters, tuple(out), tuple(self.purity.assumptions), None, result, answer,
            self.tables | self.around.starts() | self._limited(parameters), self.running,
            keys=self.drawn, rows=rows, chosen=self.chosen and rows is not None,
            begun={n: self.placed[n] for n in initial if n in self.placed}, library=self.library,
            arrays=self.arrays,
        )  # fmt: skip
        return self._side_by_side(whole, after) if entry else whole

    def _side_by_side(self, fold: Fold, after: Env) -> Fold:
        """The fold with its containers apart, none of which may need what else is carried."""
        entries = {self.states[v]: name for name in self.keys for v in self._values(name)
                   if v in self.states}  # fmt: skip
        groups = components(fold.scan, Dependence())
        for group in groups:
            held = next((entries[c.state] for c in group if c.state in entries), None)
            if held is not None and any(entries.get(c.state) != held for c in group):
                raise NotAFold(f"`{held}` is changed beside other carried values", self.node.lineno)
        parts = []
        plain = tuple(c for c in fold.scan.carries if c.state not in entries)
        if plain:
            live = tuple(name for name in fold.live if name not in self.keys)
            parts.append(replace(fold, scan=_of(fold.scan, plain), live=live, result=None))
        for name in dict.fromkeys(
            entries[c.state] for c in fold.scan.carries if c.state in entries
        ):
            own = tuple(c for c in fold.scan.carries if entries.get(c.state) == name)
            members = name in self.around.members
            touched = after[touch_of(name)]
            changes = not members and self._only_better(name, own, touched)
            when = None if members or changes else self._when(name, touched)
            if when is not None:
                own = tuple(replace(c, update=where_touched(c.update, touched)) for c in own)
            made = self.before.get(name)
            self._keeps_as_is(name, own)
            listed, text = made is not None and not is_mapping(made), self.keys[name]
            absent, *more = (self.absent.get(value) for value in self._values(name))
            keyed = Keyed(name, text, absent, fresh(made), when, listed, self.records.get(name),
                          tuple(more), members, changes, self._made_within(name))  # fmt: skip
            alone = replace(fold, scan=_of(fold.scan, own), keyed=keyed, live=(name,))
            parts.append(replace(alone, result=None))
        parts = [replace(one, assumptions=tuple(self.purity.assumptions)) for one in parts]
        fold = replace(fold, assumptions=tuple(self.purity.assumptions))
        (first, *others) = parts
        return replace(fold, parts=tuple(parts)) if others else replace(first, result=fold.result)

    def _made_within(self, name: str) -> str | None:
        """How the containers in a container are made, where its keys are pairs."""
        pairs = pairs_of(self.node)
        return pairs.inner[name][0] if pairs is not None and name in pairs.inner else None

    def _keeps_as_is(self, name: str, carries: tuple[Carry, ...]) -> None:
        """Refuses an array that makes something else of what is put into it at every step."""
        kind = entries_of(self.before.get(name), self.purity.modules)
        if kind == "unknown":
            self.purity.assume(f"`{name}` keeps what is put into it as it is")
        elif kind == "narrow":
            raise NotAFold(f"`{name}` holds integers that may wrap around", self.node.lineno)
        elif kind == "whole" and not stays_whole(c.update for c in carries):
            what = f"`{name}` holds whole numbers, and cuts what each step puts into it"
            raise NotAFold(what, self.node.lineno)

    def _only_better(self, name: str, carries: tuple[Carry, ...], touched: Term) -> bool:
        """Is an entry there exactly where it is another value than an absent one counts as?"""
        own, absent = self.states[entry_of(name)], self.absent.get(entry_of(name))
        number = isinstance(absent, Const) and isinstance(absent.value, (int, float))
        asks = Dependence().mentions(touched, {own})
        plain = fresh(self.before.get(name)) and len(carries) == 1
        return number and asks and plain and only_better(carries[0].update, own, touched)

    def _when(self, name: str, touched: Term) -> str | None:
        """When a step has an entry of a container, as source. What it holds may decide this only
        where a step that finds none makes one: for the others the update changes nothing."""
        if touched is TRUE:
            return None
        states = set(self.states.values())
        if not Dependence().mentions(touched, states):
            return source(as_condition(touched))
        own, absent = self.states[entry_of(name)], self.absent.get(entry_of(name))
        if absent is not None and touched_when_absent(touched, own, absent) is TRUE:
            return None
        raise NotAFold(
            f"whether `{name}` has an entry depends on what is carried", self.node.lineno
        )

    def _looked_at(self, carries: Env) -> set[str]:
        """The carried names that a step looks at, which have to be known to go on from there."""
        dependence = Dependence()
        terms = [*carries.values(), *self.kept_values]
        states = {state for term in terms for state in dependence.states(term)}
        return {name for name, state in self.states.items() if state in states}

    def _without_unchanged(self, carries: Env, after: Env, stopped: Term) -> tuple[Env, Term]:
        """What the body assigns and leaves as it was is no state, but what it begins as."""
        entries = {ANSWER, *(v for name in self.containers for v in self._values(name))}
        same = [n for n in self.states if n not in carries and n not in entries]
        by: dict[Term, Term] = {
            Read(self.states[n], ()): self._initial(n) for n in same if n in self.stored
        }
        for name in same:
            if name in self.stored:
                self.states.pop(name)
        return (
            {name: substitute(term, by) for name, term in after.items()},
            substitute(stopped, by),
        )

    def _runs_on(self, stopped: Term) -> bool:
        """May the steps from a return on be taken too? What is carried is not looked at by then,
        where the loop always returns the same."""
        answers = {answer for what, answer in self.exits if what == "return"}
        always = len(answers) == 1 and isinstance(next(iter(answers)), Const)
        only = all(what == "return" for what, _ in self.exits)
        return always and only and Dependence().mentions(stopped, set(self.states.values()))

    def _with_exits(
        self, carries: dict[str, Term], stopped: Term, answer: Term
    ) -> tuple[dict[str, Term], Term | None]:
        """The loop's exits as one more carried value, after which nothing changes."""
        where = self._state(STOPPED)
        returns = [answer for what, answer in self.exits if what == "return"]
        both = len(returns) not in (0, len(self.exits))
        if both:
            raise NotAFold("the loop both breaks and returns", self.node.lineno)
        if not returns and self._rests(carries, stopped):
            return carries, None
        constant = returns[0] if len(set(returns)) == 1 else None
        if self.run_on:
            self.purity.assume("the elements from the one where it returns on can be taken too")
            return {**carries, STOPPED: Apply("or", (where, stopped))}, constant
        frozen: dict[str, Term] = {
            name: Apply("where", (where, Read(self.states[name], ()), update))
            for name, update in carries.items()
        }
        frozen[STOPPED] = Apply("where", (where, TRUE, stopped))
        if returns and not isinstance(constant, Const):
            kept = self._state(ANSWER)
            frozen[ANSWER] = Apply("where", (where, kept, answer))
            return frozen, kept
        return frozen, constant

    def _rests(self, carries: dict[str, Term], stopped: Term) -> bool:
        """Does every step change nothing once one has left the loop, which asks for carried values
        alone?"""
        asked = plain_truths(stopped, set())
        element = {*(target_names(self.node.target) or ()), *self.prepared}
        inputs = {n.value.name for n in walk(asked) if isinstance(n, Read)
                  and n.value.kind == "input"}  # fmt: skip
        if any(element & names_of(text) for text in inputs):
            return False
        return all(
            settled(transform(update, lambda node: TRUE if node is asked else node), {})
            is Read(self.states[name], ())
            for name, update in carries.items()
        )

    def _limited(self, parameters: tuple[str, ...]) -> dict[str, str]:
        """How deques begin of which the length is given to the loop."""
        found = {}
        for name in self.stored:
            made = self.before.get(name)
            limit = bounded(made)
            if made is not None and limit is not None and ast.unparse(limit[1]) in parameters:
                found[name] = ast.unparse(made)
        return found

    # -- around the loop

    def _initial(self, name: str) -> Term:
        if name in (STOPPED, ANSWER):
            return FALSE if name == STOPPED else NONE
        held = next((one for one in self.keys if name in self._values(one)), None)
        if held is not None:
            absent = self.absent.get(name)
            begins = absent is not None and fresh(self.before.get(held))
            own = self.states[name].name
            return absent if begins and absent is not None else self._atom(own)
        made = self.before.get(name)
        known = None if made is None else constant(made)
        if known is not None:
            return known
        nothing = {"list": "[]", "tuple": "()", "set": "set()"}.get(empty(made) or "")
        if nothing is not None:
            return self._atom(nothing)
        if (limited := bounded(made)) is not None:
            return self._atom(f"{limited[0]}(_0, maxlen={ast.unparse(limited[1])})")
        if made is not None and _holds_entries(made, self.purity.modules):
            raise NotAFold(f"`{name}` begins as `{ast.unparse(made)}`, no number", self.node.lineno)
        if (filled := in_every_place(made, self.purity.modules)) is not None:
            self.library = named(filled[0], self.purity)
            self.placed[name] = filled[1]
        return self._atom(name)

    def _parameters(self, scan: Scan, names: tuple[str, ...]) -> tuple[str, ...]:
        calls = [
            node.op[5:]
            for carry in scan.carries
            for node in walk(carry.update)
            if isinstance(node, Apply) and node.op.startswith("call:")
        ]
        own = {*names, *self.prepared, *self.states, self.running}
        own |= {"entry", *(state.name for state in self.states.values())}
        own |= {f"_{n}" for n in range(99)}
        own |= {n for n in self.tables if not any(n in names_of(text) for text in self.atoms)}
        return self.around.parameters([*self.atoms, *self.prepare, *calls], own)


_ARITHMETIC = frozenset("add sub mul div neg".split())


def _only_counts(scan: Scan) -> bool:
    """Is what is carried only added, multiplied and divided, which rows take as numbers do?"""
    dependence, states = Dependence(), {carry.state for carry in scan.carries}
    return all(
        node.op in _ARITHMETIC
        for carry in scan.carries
        for node in walk(carry.update)
        if isinstance(node, Apply) and dependence.mentions(node, states)
    )


def _of(scan: Scan, carries: tuple[Carry, ...]) -> Scan:
    """Some of what a loop carries."""
    part = Scan(scan.step)
    part.carries = carries
    return part


def _needed(carries: dict[str, Term], live: set[str], states: dict[str, Value]) -> set[str]:
    """The carried names that what is used after the loop depends on."""
    dependence = Dependence()
    names = {state: name for name, state in states.items()}
    stack = [name for name in carries if name in live or name in (STOPPED, ANSWER)]
    kept: set[str] = set()
    while stack:
        name = stack.pop()
        if name in kept:
            continue
        kept.add(name)
        if name in carries:
            stack += [names[s] for s in dependence.states(carries[name]) if s in names]
    return {name for name in kept if name in carries}


_NO_NUMBERS = frozenset("dict Counter defaultdict OrderedDict deque timedelta bytearray".split())


def _holds_entries(made: ast.expr, modules: Mapping[str, str]) -> bool:
    """Whether something begins as what no number can be added to: a dictionary, a counter, a time
    span, under whatever name it is imported."""
    if isinstance(made, ast.Constant):
        return isinstance(made.value, bytes)
    if isinstance(made, ast.Call):
        name = called_name(made) or ""
        return modules.get(name, name).rpartition(".")[2] in _NO_NUMBERS
    return isinstance(made, (ast.Dict, ast.DictComp, ast.Set, ast.SetComp, ast.ListComp))
