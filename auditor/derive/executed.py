"""The statements of a loop's body, run once on symbols: what the names are after a step.

A branch that leaves the step leaves the rest of it to the other branch; a method that changes a
carried container is the operation that it is.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from auditor.algebra.choices import decided
from auditor.algebra.states import Dependence
from auditor.derive.attempts import always_set
from auditor.derive.begun import bounded, called
from auditor.derive.computed import Computed, Env
from auditor.derive.entries import changed_member, entry_of, is_there, sets_default
from auditor.derive.expression import source
from auditor.derive.fold import ANSWER, STOPPED, NotAFold
from auditor.derive.inner import preparing
from auditor.derive.kept_items import given_away
from auditor.derive.places import Place
from auditor.derive.scopes import stored_names, target_names
from auditor.lift.call_effects import GROWS
from auditor.notation import FALSE, NONE, TRUE, Apply, Read, Term
from auditor.tree import everything_in

_LEAVING = (ast.Continue, ast.Break, ast.Return)


class Executed(Computed):
    """Runs statements. ``running`` is the list that each step appends a running value to,
    ``keeping`` says that lists may hold what was carried; ``prepare`` are the statements at the
    head of a step that only look at the element, which stay as they are."""

    def __init__(
        self, place: Place, node: ast.For, running: str | None, lazily: bool, keeping: bool
    ) -> None:
        super().__init__(place, node, lazily)
        self.node, self.keeping = node, keeping
        self.running, self.run_on = running, False
        self.kept_values: list[Term] = []
        self.handed_on: set[str] = set()
        self.prepare: list[str] = []
        self.prepared: set[str] = set()
        self.exits: list[tuple[str, Term | None]] = []
        self.stored = self.around.stored

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
                env = _joined(condition, then, other)
            elif isinstance(statement, ast.Continue):
                return env
            elif isinstance(statement, (ast.Break, ast.Return)):
                return self._exit(statement, env)
            else:
                self._simple(statement, env)
        return env

    def _merged(self, condition: Term, then: Env, other: Env) -> Env:
        """What the names are after a branch."""
        made = _joined(condition, then, other)
        if self.run_on and (then[STOPPED] is TRUE) != (other[STOPPED] is TRUE):
            goes = other if then[STOPPED] is TRUE else then
            return {**made, **goes, STOPPED: made[STOPPED]}
        return made

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
        growing = changed_in_place(self.node, self.before)
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


def _jumps(node: ast.If) -> bool:
    """Does a branch leave the step?"""
    return any(isinstance(n, _LEAVING) for n in everything_in(node))


def _joined(condition: Term, then: Env, other: Env) -> Env:
    """What the names are after a branch."""
    out: Env = {}
    for name in {**then, **other}:
        if name in then and name in other:
            out[name] = decided(Apply("where", (condition, then[name], other[name])))
        else:
            out[name] = then[name] if name in then else other[name]
    return out


def _made_anew(node: ast.expr) -> bool:
    """Is it a number or the like, that has nothing of the containers that it is computed from?"""
    called = isinstance(node, ast.Call) and ast.unparse(node.func) in ("sum", "len", "round")
    return called or isinstance(node, (ast.BinOp, ast.Compare))


def changed_in_place(loop: ast.For, before: Mapping[str, ast.expr]) -> set[str]:
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
