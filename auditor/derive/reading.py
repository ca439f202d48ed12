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

from auditor.algebra.choices import decided, plain_truths, settled
from auditor.algebra.derivation import components
from auditor.algebra.states import Dependence
from auditor.derive.aliases import other_name
from auditor.derive.around import Around
from auditor.derive.array_entries import entries_of, stays_whole
from auditor.derive.attempts import always_set
from auditor.derive.begun import bounded, called, constant, empty, width
from auditor.derive.behind import behind
from auditor.derive.computed import Computed, Env
from auditor.derive.entries import (
    as_condition,
    changed_member,
    entry_of,
    fresh,
    is_mapping,
    is_there,
    only_better,
    sets_default,
    touch_of,
    touched_when_absent,
    where_touched,
)
from auditor.derive.expression import source
from auditor.derive.fold import ANSWER, STOPPED, Fold, Keyed, NotAFold
from auditor.derive.inner import preparing
from auditor.derive.kept_items import given_away
from auditor.derive.places import Place
from auditor.derive.scopes import (
    names_of,
    stored_names,
    target_names,
)
from auditor.derive.sequences import in_order
from auditor.lift.call_effects import GROWS
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


class _Reader(Computed):
    def __init__(
        self,
        place: Place,
        node: ast.For,
        running: str | None = None,
        lazily: bool = False,
        keeping: bool = False,
    ) -> None:
        super().__init__(place, node, lazily)
        self.keeping = keeping
        self.running, self.run_on = running, False
        self.kept_values: list[Term] = []
        self.handed_on: set[str] = set()
        self.tree, self.node, self.function = place.tree, node, place.function
        self.scope = place.scope
        self.prepare: list[str] = []
        self.prepared: set[str] = set()
        self.exits: list[tuple[str, Term | None]] = []
        self.stored = self.around.stored

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
            changed = _changed_in_place(self.node, self.before) & carries.keys() & self.handed_on
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
        whole = Fold(
            self.node, self.scope, self.function, self.tree, scan, names, tuple(self.prepare),
            parameters, tuple(out), tuple(self.purity.assumptions), None, result, answer,
            self.tables | self.around.starts() | self._limited(parameters), self.running,
            keys=self.drawn, rows=self.rows,
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
                          tuple(more), members, changes)  # fmt: skip
            alone = replace(fold, scan=_of(fold.scan, own), keyed=keyed, live=(name,))
            parts.append(replace(alone, result=None))
        parts = [replace(one, assumptions=tuple(self.purity.assumptions)) for one in parts]
        fold = replace(fold, assumptions=tuple(self.purity.assumptions))
        (first, *others) = parts
        return replace(fold, parts=tuple(parts)) if others else replace(first, result=fold.result)

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

    def _merged(self, condition: Term, then: Env, other: Env) -> Env:
        """What the names are after a branch."""
        made = _merged(condition, then, other)
        if self.run_on and (then[STOPPED] is TRUE) != (other[STOPPED] is TRUE):
            goes = other if then[STOPPED] is TRUE else then
            return {**made, **goes, STOPPED: made[STOPPED]}
        return made

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

    # -- statements

    def _without_preparation(self, body: list[ast.stmt], env: Env) -> list[ast.stmt]:
        """The body without the statements at its head that only look at the element: those are
        kept as they are."""
        rest = list(body)
        states = {name for name in env if name in self.states}
        states |= {*self.containers, *self.records}
        count = preparing(rest, self.around.live())
        made = set(stored_names(rest[:count]))
        read = {n.id for s in rest[:count] for n in everything_in(s) if isinstance(n, ast.Name)}
        if count and not read & states - made:
            for statement in rest[:count]:
                for node in everything_in(statement):
                    if isinstance(node, ast.Call):
                        self._check(node)
                self.prepare.append(ast.unparse(statement))
            for name in made:
                states.discard(name)
                self.states.pop(name, None)
                env[name] = self._atom(name)
                self.prepared.add(name)
            rest = rest[count:]
        while rest:
            statement = rest[0]
            if any(isinstance(node, ast.Try) for node in everything_in(statement)):
                if not self._prepares(statement, env):
                    break
                rest.pop(0)
                continue
            if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
                break
            names = target_names(statement.targets[0])
            if names is None or not set(names) <= states:
                break
            read = {n.id for n in everything_in(statement.value) if isinstance(n, ast.Name)}
            if read & states or any(self.stored.count(n) > names.count(n) for n in names):
                break
            if any(name in self.around.live() for name in names):
                break
            alone = isinstance(statement.targets[0], ast.Name)
            if alone and isinstance(statement.value, (ast.Constant, ast.Name)):
                break
            self._check(statement.value)
            self.prepare.append(ast.unparse(statement))
            for name in names:
                states.discard(name)
                self.states.pop(name, None)
                env[name] = self._atom(name)
                self.prepared.add(name)
            rest.pop(0)
        return rest or [ast.Pass()]

    def _prepares(self, statement: ast.stmt, env: Env) -> bool:
        """Whether a statement with a ``try`` only looks at the element, and sets names of its own;
        if so it is kept as it is."""
        own = always_set(statement)
        stored = stored_names([statement])
        values = [n.value for n in everything_in(statement) if isinstance(n, ast.Assign)]
        read = {n.id for value in values for n in everything_in(value) if isinstance(n, ast.Name)}
        moving = {name for name in env if name in self.states} - set(own or ())
        moving |= {*self.containers, *self.records}
        if own is None or read & moving or set(own) & self.around.live():
            return False
        if any(self.stored.count(name) > stored.count(name) for name in own):
            return False
        for node in everything_in(statement):
            if isinstance(node, ast.expr):
                self._check(node)
        self.prepare.append(ast.unparse(statement))
        for name in own:
            self.states.pop(name, None)
            env[name] = self._atom(name)
            self.prepared.add(name)
        return True

    def _block(self, body: list[ast.stmt], env: Env) -> Env:
        for number, statement in enumerate(body):
            if isinstance(statement, ast.If):
                condition = self._truth(statement.test, env)
                rest = body[number + 1 :]
                self.choices += 1
                if _jumps(statement):
                    then = self._block([*statement.body, *rest], dict(env))
                    other = self._block([*statement.orelse, *rest], dict(env))
                    self.choices -= 1
                    return self._merged(condition, then, other)
                then = self._block(statement.body, dict(env))
                other = self._block(statement.orelse, dict(env))
                self.choices -= 1
                env = _merged(condition, then, other)
            elif isinstance(statement, ast.Continue):
                return env
            elif isinstance(statement, (ast.Break, ast.Return)):
                return self._exit(statement, env)
            else:
                self._simple(statement, env)
        return env

    def _exit(self, statement: ast.Break | ast.Return, env: Env) -> Env:
        answer: Term | None = None
        if isinstance(statement, ast.Return):
            answer = NONE if statement.value is None else self._of(statement.value, env)
        self.exits.append((type(statement).__name__.lower(), answer))
        return {**env, STOPPED: TRUE, **({} if answer is None else {ANSWER: answer})}

    def _simple(self, statement: ast.stmt, env: Env) -> None:
        if isinstance(statement, ast.Pass):
            return
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            self._set(statement, env)
        elif isinstance(statement, ast.Expr):
            self._call(statement, env)
        else:
            words = {"Try": "a try", "With": "a with", "For": "an inner loop",
                     "While": "an inner while loop", "Raise": "it raises",
                     "Assert": "an assertion", "Match": "a match"}  # fmt: skip
            kind = type(statement).__name__
            raise NotAFold(words.get(kind, f"`{kind.lower()}` in the body"), statement.lineno)

    def _call(self, statement: ast.Expr, env: Env) -> None:
        """A method that changes a carried container, as the operation that it is."""
        call = statement.value
        if isinstance(call, ast.Constant):
            return
        if sets_default(call):
            self._of(call, env)
            return
        member = changed_member(statement)
        if member is not None and member[0] in self.around.members:
            self._member(statement, member, env)
            return
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            base, method = call.func.value, call.func.attr
            changes = {"append": "concat", "extend": "concat", "add": "union", "update": "union"}
            plain = len(call.args) == 1 and not isinstance(call.args[0], ast.Starred)
            if method in changes and plain and not call.keywords:
                name = None
                if sets_default(base):
                    base = self._defaulted(base, env)
                if isinstance(base, ast.Name):
                    name = base.id
                elif isinstance(base, ast.Subscript):
                    name = self._touched(base, env)
                limited = bounded(self.before.get(name)) if name is not None else None
                if name is not None and limited is not None and method == "append":
                    self._pushed(name, limited[1], call.args[0], env)
                    return
                if name is not None:
                    if not self._takes(base, method):
                        known = f"what `{ast.unparse(base)}` is, is not known"
                        raise NotAFold(f"{known}, and what `{method}` does", call.lineno)
                    if name not in env:
                        env[name] = self._state(name)
                    item = self._of(call.args[0], env)
                    if name == self.running:
                        self.kept_values.append(item)
                        if not _made_anew(call.args[0]):
                            read = Dependence().states(item)
                            self.handed_on |= {n for n, s in self.states.items() if s in read}
                        return
                    holds = Dependence().mentions(item, self.states.values())
                    if holds and self.keeping and method == "append":
                        self._kept_item(name, statement, item, env)
                        return
                    if holds:
                        said = f"`{ast.unparse(call)}` keeps a carried value"
                        running = method == "append" and self.around.only_appended(name)
                        raise NotAFold(said, call.lineno, name if running else None)
                    shape = {"append": "[{}]", "extend": "list({})", "add": "{{{}}}",
                             "update": "set({})"}[method]  # fmt: skip
                    late = self.lazily and self.choices > 0
                    added = (
                        Apply(f"call:{shape.format('_0')}", (item,)) if late
                        else self._atom(shape.format(source(item)))
                    )  # fmt: skip
                    env[name] = Apply(changes[method], (env[name], added))
                    return
        raise NotAFold(f"it runs `{ast.unparse(call)}`, a side effect", statement.lineno)

    def _kept_item(self, name: str, statement: ast.Expr, item: Term, env: Env) -> None:
        """A list with what is carried put into it."""
        growing = _changed_in_place(self.node, self.before)
        other = given_away(self.node, statement, growing)
        if other is not None:
            raise NotAFold(f"`{other}` may grow where `{name}` holds it", statement.lineno)
        env[name] = Apply("concat", (env[name], Apply("call:[_0]", (item,))))

    def _member(self, statement: ast.Expr, member: tuple[str, str, ast.expr], env: Env) -> None:
        """An element that is put into a set, or taken out."""
        name, method, element = member
        if method == "remove" and not is_there(self.node, statement):
            what = f"`{ast.unparse(statement)}` raises where there is none"
            raise NotAFold(what, statement.lineno)
        entry = ast.Subscript(ast.Name(name, ast.Load()), element, ast.Store())
        touched = self._touched(ast.copy_location(entry, statement), env)
        env[touched] = TRUE if method == "add" else FALSE

    def _pushed(self, name: str, limit: ast.expr, item: ast.expr, env: Env) -> None:
        """A deque of limited length with one more element."""
        if name not in env:
            env[name] = self._state(name)
        if isinstance(limit, ast.Name):
            if limit.id in self.stored:
                raise NotAFold(f"`{limit.id}` changes, and how much `{name}` holds", item.lineno)
            self.purity.assume(f"`{limit.id}` is at least 1")
        text = f"(_0 + [_1])[-{ast.unparse(limit)}:]"
        env[name] = Apply(f"call:{text}", (env[name], self._of(item, env)))

    def _limited(self, parameters: tuple[str, ...]) -> dict[str, str]:
        """How deques begin of which the length is given to the loop."""
        found = {}
        for name in self.stored:
            made = self.before.get(name)
            limit = bounded(made)
            if made is not None and limit is not None and ast.unparse(limit[1]) in parameters:
                found[name] = ast.unparse(made)
        return found

    def _defaulted(self, node: ast.expr, env: Env) -> ast.Subscript:
        """The entry of ``d.setdefault(key, default)``."""
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        subscript = ast.copy_location(
            ast.Subscript(node.func.value, node.args[0], ast.Load()), node
        )
        assert isinstance(node.func.value, ast.Name)
        self._entry(subscript, env)
        self._counts_as(node, node.func.value.id, node.args[1:], env)
        return subscript

    def _takes(self, base: ast.expr, method: str) -> bool:
        """Whether a method puts its elements into a list or a set. What is made elsewhere may be
        either, but `update` is also what counters, dictionaries and objects of the file have."""
        if isinstance(base, ast.Subscript):
            held = base.value.id if isinstance(base.value, ast.Name) else ""
            absent = self.absent.get(entry_of(held))
            of_sets = isinstance(absent, Read) and absent.value.name == "set()"
            return method != "update" or of_sets
        made = self.before.get(base.id) if isinstance(base, ast.Name) else None
        if made is None:
            return method != "update"
        if method in ("append", "extend"):
            return isinstance(made, (ast.List, ast.ListComp)) or called(made, "list", "deque")
        return isinstance(made, (ast.Set, ast.SetComp)) or called(made, "set")

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


_LEAVING = (ast.Continue, ast.Break, ast.Return)


def _jumps(node: ast.If) -> bool:
    """Does a branch leave the step?"""
    return any(isinstance(n, _LEAVING) for n in everything_in(node))


def _merged(condition: Term, then: Env, other: Env) -> Env:
    """What the names are after a branch."""
    out: Env = {}
    for name in {**then, **other}:
        if name in then and name in other:
            out[name] = decided(Apply("where", (condition, then[name], other[name])))
        else:
            out[name] = then[name] if name in then else other[name]
    return out


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


def _made_anew(node: ast.expr) -> bool:
    """Is it a number or the like, that has nothing of the containers that it is computed from?"""
    called = isinstance(node, ast.Call) and ast.unparse(node.func) in ("sum", "len", "round")
    return called or isinstance(node, (ast.BinOp, ast.Compare))


def _changed_in_place(loop: ast.For, before: Mapping[str, ast.expr]) -> set[str]:
    """The names of lists and other containers that the steps change by a method or by ``+=``."""
    lists = {name for name, made in before.items() if isinstance(made, (ast.List, ast.Set))}
    grown = {n.target.id for n in everything_in(loop) if isinstance(n, ast.AugAssign)
             and isinstance(n.target, ast.Name)}  # fmt: skip
    return lists & grown | {
        node.func.value.id
        for node in everything_in(loop)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.attr in GROWS
    }
