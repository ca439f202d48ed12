"""A ``for`` loop of plain Python as a fold: what it carries, how a step changes it, what it needs.

The body is run once on symbols. What does not depend on the carried values stays the user's own
text, one opaque scalar each; arithmetic, comparisons and branches become terms, so that the same
abstract domains answer as for any other loop. Elements are taken as scalars (numbers, strings,
records): that is what distinguishes a stream from an array. Whatever may have a side effect, or
may depend on the order of calls, is refused with its line.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import replace

from auditor.algebra.choices import decided, plain_truths
from auditor.algebra.derivation import components
from auditor.algebra.states import Dependence
from auditor.derive.aliases import other_name
from auditor.derive.around import Around
from auditor.derive.begun import called, constant, maker, width
from auditor.derive.behind import behind
from auditor.derive.calls import Purity, refusal
from auditor.derive.entries import (
    ENTRY,
    default,
    entry_of,
    fresh,
    is_empty_set,
    is_mapping,
    sets_default,
    touch_of,
    touched_when_absent,
)
from auditor.derive.expression import source
from auditor.derive.fold import ANSWER, STOPPED, Fold, Keyed, NotAFold
from auditor.derive.inner import preparing
from auditor.derive.places import Place
from auditor.derive.scopes import (
    stored_names,
    target_names,
)
from auditor.derive.sequences import in_order
from auditor.notation import (
    FALSE,
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
    walk,
)
from auditor.tree import everything_in


def read(place: Place, lazily: bool = False) -> Fold:
    """The loop as a fold. ``lazily``: what only some steps ask of an element stays a question to
    it, which may raise for others. Raises ``NotAFold``."""
    loop = place.loop
    if isinstance(loop, ast.While):
        raise NotAFold("a while loop: its elements are not a stream", loop.lineno)
    if isinstance(loop, ast.AsyncFor):
        raise NotAFold("an asynchronous loop", loop.lineno)
    try:
        return _Reader(place, loop, lazily=lazily).fold()
    except NotAFold as reason:
        if reason.running is None:
            raise
        return _Reader(place, loop, reason.running, lazily).fold()


def scan_of(place: Place) -> Fold | None:
    """The loop with the list that it appends to as running values, where it has one. Raises
    ``NotAFold``."""
    if not isinstance(place.loop, ast.For):
        return None
    for name in dict.fromkeys(stored_names(place.loop.body)):
        reader = _Reader(place, place.loop, name)
        if reader.only_appended(ast.Name(name, ast.Load())):
            return reader.fold()
    return None


Env = dict[str, Term]
_BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.BitXor: "bitxor", ast.BitOr: "bitor", ast.BitAnd: "bitand",
    ast.LShift: "shl",
}  # fmt: skip
_COMPARE = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt",
            ast.GtE: "ge"}  # fmt: skip
_FUNCTIONS = {
    "math.exp": "exp", "math.log": "log", "math.sqrt": "sqrt", "math.gcd": "gcd",
    "math.lcm": "lcm", "abs": "abs", "math.fabs": "abs", "max": "max", "min": "min",
    "gcd": "gcd", "exp": "exp", "sqrt": "sqrt", "log": "log",
}  # fmt: skip


_BINDERS = (
    ast.Lambda, ast.NamedExpr, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp
)  # fmt: skip


def _declares(function: ast.AST) -> bool:
    """Whether a function says of names that they are the module's."""
    return any(isinstance(node, ast.Global) for node in everything_in(function))


class _Reader:
    def __init__(
        self, place: Place, node: ast.For, running: str | None = None, lazily: bool = False
    ) -> None:
        self.running, self.lazily, self.choices, self.run_on = running, lazily, 0, False
        self.kept_values: list[Term] = []
        self.entered: list[ast.FunctionDef] = []
        self.tree, self.node, self.function = place.tree, node, place.function
        self.scope = place.scope
        self.atoms: dict[str, Value] = {}
        self.states: dict[str, Value] = {}
        self.prepare: list[str] = []
        self.prepared: set[str] = set()
        self.exits: list[tuple[str, Term | None]] = []
        self.keys: dict[str, str] = {}
        self.absent: dict[str, Term | None] = {}
        self.purity = Purity(place.tree, node)
        self.around = Around(place, node)
        self.stored, self.before = self.around.stored, self.around.before
        self.containers = self.around.containers

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
        same = other_name(self.around.body, node)
        if same is not None:
            raise NotAFold(
                f"`{same[1]}` may be another name of `{same[0]}`, which it changes", node.lineno
            )
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
            env[entry_of(name)] = self._state(entry_of(name))
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
        entry = {entry_of(name) for name in self.keys} & carries.keys()
        if self.running is not None:
            if entry:
                raise NotAFold(
                    f"`{self.running}` keeps values of a container, step by step", self.node.lineno
                )
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
        out += [name for name in self.keys if entry_of(name) in entry]
        whole = Fold(
            self.node, self.scope, self.function, self.tree, scan, names, tuple(self.prepare),
            parameters, tuple(out), tuple(self.purity.assumptions), None, result, answer,
            self.around.starts(), self.running,
        )  # fmt: skip
        return self._side_by_side(whole, after) if entry else whole

    def _side_by_side(self, fold: Fold, after: Env) -> Fold:
        """The fold with its containers apart, none of which may need what else is carried."""
        entries = {self.states[entry_of(name)]: name for name in self.keys}
        groups = components(fold.scan, Dependence())
        for group in groups:
            held = next((entries[c.state] for c in group if c.state in entries), None)
            if held is not None and len(group) > 1:
                raise NotAFold(f"`{held}` is changed beside other carried values", self.node.lineno)
        parts = []
        plain = tuple(c for c in fold.scan.carries if c.state not in entries)
        if plain:
            live = tuple(name for name in fold.live if name not in self.keys)
            parts.append(replace(fold, scan=_of(fold.scan, plain), live=live, result=None))
        for carry in fold.scan.carries:
            if carry.state not in entries:
                continue
            name = entries[carry.state]
            when = self._when(name, after[touch_of(name)])
            made = self.before.get(name)
            listed, text = made is not None and not is_mapping(made), self.keys[name]
            keyed = Keyed(name, text, self.absent.get(name), fresh(made), when, listed)
            alone = replace(fold, scan=_of(fold.scan, (carry,)), keyed=keyed, live=(name,))
            parts.append(replace(alone, result=None))
        (first, *others) = parts
        return replace(fold, parts=tuple(parts)) if others else replace(first, result=fold.result)

    def _when(self, name: str, touched: Term) -> str | None:
        """When a step has an entry of a container, as source. What it holds may decide this only
        where a step that finds none makes one: for the others the update changes nothing."""
        if touched is TRUE:
            return None
        states = set(self.states.values())
        if not Dependence().mentions(touched, states):
            return source(plain_truths(touched, set()))
        own, absent = self.states[entry_of(name)], self.absent.get(name)
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
        entries = {ANSWER, *map(entry_of, self.containers)}
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

    # -- statements

    def _without_preparation(self, body: list[ast.stmt], env: Env) -> list[ast.stmt]:
        """The body without the statements at its head that only look at the element: those are
        kept as they are."""
        rest = list(body)
        states = {name for name in env if name in self.states}
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
            if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
                break
            names = target_names(statement.targets[0])
            if names is None or not set(names) <= states:
                break
            read = {n.id for n in everything_in(statement.value) if isinstance(n, ast.Name)}
            if read & states or any(self.stored.count(name) > 1 for name in names):
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
            answer = Const(None) if statement.value is None else self._of(statement.value, env)
        self.exits.append((type(statement).__name__.lower(), answer))
        return {**env, STOPPED: TRUE, **({} if answer is None else {ANSWER: answer})}

    def _simple(self, statement: ast.stmt, env: Env) -> None:
        if isinstance(statement, ast.Pass):
            return
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            self._assign(statement, env)
        elif isinstance(statement, ast.AugAssign):
            self._augment(statement, env)
        elif isinstance(statement, ast.Expr):
            self._call(statement, env)
        else:
            words = {"Try": "a try", "With": "a with", "For": "an inner loop",
                     "While": "an inner while loop", "Raise": "it raises",
                     "Assert": "an assertion", "Match": "a match"}  # fmt: skip
            kind = type(statement).__name__
            raise NotAFold(words.get(kind, f"`{kind.lower()}` in the body"), statement.lineno)

    def _assign(self, statement: ast.Assign | ast.AnnAssign, env: Env) -> None:
        if statement.value is None:
            return
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if isinstance(targets[0], ast.Tuple) and isinstance(statement.value, ast.Tuple):
            if len(targets) == 1 and len(targets[0].elts) == len(statement.value.elts):
                values = [self._of(value, env) for value in statement.value.elts]
                for target, value in zip(targets[0].elts, values, strict=True):
                    self._store(target, value, env)
                return
        value = self._of(statement.value, env)
        for target in targets:
            self._store(target, value, env)

    def _store(self, target: ast.expr, value: Term, env: Env) -> None:
        if isinstance(target, ast.Name):
            env[target.id] = value
        elif isinstance(target, ast.Subscript):
            env[self._touched(target, env)] = value
        else:
            raise NotAFold(f"it assigns to `{ast.unparse(target)}`", target.lineno)

    def _augment(self, statement: ast.AugAssign, env: Env) -> None:
        op = _BINARY.get(type(statement.op))
        if op is None:
            raise NotAFold(f"`{ast.unparse(statement)}` has no algebra here", statement.lineno)
        target = statement.target
        value = self._of(statement.value, env)
        if isinstance(target, ast.Name):
            name = target.id
        elif isinstance(target, ast.Subscript):
            name = self._touched(target, env)
        else:
            raise NotAFold(f"it assigns to `{ast.unparse(target)}`", statement.lineno)
        env[name] = Apply(op, (env[name], value))

    def _call(self, statement: ast.Expr, env: Env) -> None:
        """A method that changes a carried container, as the operation that it is."""
        call = statement.value
        if isinstance(call, ast.Constant):
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
                if name is not None:
                    if not self._takes(base, method):
                        known = f"what `{ast.unparse(base)}` is, is not known"
                        raise NotAFold(f"{known}, and what `{method}` does", call.lineno)
                    if name not in env:
                        env[name] = self._state(name)
                    item = self._of(call.args[0], env)
                    if name == self.running:
                        self.kept_values.append(item)
                        return
                    if Dependence().mentions(item, self.states.values()):
                        said = f"`{ast.unparse(call)}` keeps a carried value"
                        running = method == "append" and self.only_appended(base)
                        kept = ast.unparse(base) if running else None
                        raise NotAFold(said, call.lineno, kept)
                    shape = {"append": "[{}]", "extend": "list({})", "add": "{{{}}}",
                             "update": "set({})"}[method]  # fmt: skip
                    added = self._atom(shape.format(source(item)))
                    env[name] = Apply(changes[method], (env[name], added))
                    return
        raise NotAFold(f"it runs `{ast.unparse(call)}`, a side effect", statement.lineno)

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

    def only_appended(self, base: ast.expr) -> bool:
        """Whether the loop does nothing with a list but append to it, to its end."""
        if not isinstance(base, ast.Name):
            return False
        made = self.before.get(base.id)
        listed = isinstance(made, ast.List) or (made is not None and called(made, "list"))
        leaves = any(isinstance(n, (ast.Break, ast.Return)) for n in everything_in(self.node))
        uses = [n for n in everything_in(self.node) if isinstance(n, ast.Name) and n.id == base.id]
        appends = [
            n for n in everything_in(self.node)
            if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call)
            and isinstance(n.value.func, ast.Attribute) and n.value.func.attr == "append"
            and isinstance(n.value.func.value, ast.Name) and n.value.func.value.id == base.id
        ]  # fmt: skip
        return listed and not leaves and len(uses) == len(appends)

    def _takes(self, base: ast.expr, method: str) -> bool:
        """Whether a method puts its elements into a list or a set. What is made elsewhere may be
        either, but `update` is also what counters, dictionaries and objects of the file have."""
        if isinstance(base, ast.Subscript):
            held = base.value.id if isinstance(base.value, ast.Name) else ""
            absent = self.absent.get(held)
            empty = absent.value.name if isinstance(absent, Read) else None
            return method != "update" or empty == "set()"
        made = self.before.get(base.id) if isinstance(base, ast.Name) else None
        if made is None:
            return method != "update"
        if method in ("append", "extend"):
            return isinstance(made, (ast.List, ast.ListComp)) or called(made, "list", "deque")
        return isinstance(made, (ast.Set, ast.SetComp)) or called(made, "set")

    def _entry(self, target: ast.Subscript, env: Env) -> str:
        """One entry of a container, carried as a scalar; every step must name the same key."""
        sliced = any(isinstance(node, ast.Slice) for node in everything_in(target.slice))
        if not isinstance(target.value, ast.Name) or sliced:
            raise NotAFold(f"it writes to `{ast.unparse(target)}`", target.lineno)
        key = self._of(target.slice, env)
        if Dependence().mentions(key, self.states.values()):
            raise NotAFold(f"the key of `{ast.unparse(target)}` is a carried value", target.lineno)
        name, text = target.value.id, source(key)
        if name not in self.keys:
            self.keys[name] = text
            self.absent[name] = default(self.before.get(name), self._atom)
        if self.keys[name] != text:
            raise NotAFold("a step changes more than one entry", target.lineno)
        return entry_of(name)

    def _touched(self, target: ast.Subscript, env: Env) -> str:
        """One entry of a container that a step sets, or makes by reading it."""
        name = self._entry(target, env)
        assert isinstance(target.value, ast.Name)
        env[touch_of(target.value.id)] = TRUE
        return name

    # -- expressions

    def _truth(self, node: ast.expr, env: Env) -> Term:
        return self._of(node, env)

    def _of(self, node: ast.expr, env: Env) -> Term:
        known = constant(node)
        if known is not None:
            return known
        if isinstance(node, ast.Name):
            self._parts_only(node)
            return env[node.id] if node.id in env else self._atom(node.id)
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            left, right = self._of(node.left, env), self._of(node.right, env)
            return Apply(_BINARY[type(node.op)], (left, right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
            op = "neg" if isinstance(node.op, ast.USub) else "not"
            return Apply(op, (self._of(node.operand, env),))
        if isinstance(node, ast.BoolOp):
            op = "and" if isinstance(node.op, ast.And) else "or"
            out = self._of(node.values[0], env)
            self.choices += 1
            for value in node.values[1:]:
                then = dict(env)
                asked, out = out, Apply(op, (out, self._of(value, then)))
                self._touch_where(asked, *((then, env) if op == "and" else (env, then)), env)
            self.choices -= 1
            return out
        if isinstance(node, ast.IfExp):
            test, then, other = self._of(node.test, env), dict(env), dict(env)
            self.choices += 1
            parts = (test, self._of(node.body, then), self._of(node.orelse, other))
            self.choices -= 1
            self._touch_where(test, then, other, env)
            return decided(Apply("where", parts))
        if isinstance(node, ast.Compare):
            return self._compare(node, env)
        if isinstance(node, ast.Call):
            found = self._function(node, env)
            if found is not None:
                return found
        if isinstance(node, ast.Subscript) and self._is_entry(node, env):
            return env[self._looked_up(node, env)]
        return self._opaque(node, env)

    def _touch_where(self, condition: Term, then: Env, other: Env, env: Env) -> None:
        """The entries that a choice within an expression reads."""
        for name in map(touch_of, self.containers):
            env[name] = decided(Apply("where", (condition, then[name], other[name])))

    def _compare(self, node: ast.Compare, env: Env) -> Term:
        sides = [node.left, *node.comparators]
        out: Term | None = None
        for op, a, b in zip(node.ops, sides, sides[1:], strict=False):
            one: Term
            if type(op) in _COMPARE:
                one = Apply(_COMPARE[type(op)], (self._of(a, env), self._of(b, env)))
            elif isinstance(op, (ast.Is, ast.IsNot)) and isinstance(b, ast.Constant):
                one = Apply("is", (self._of(a, env), Const(b.value)))  # type: ignore[arg-type]
                if isinstance(op, ast.IsNot):
                    one = Apply("not", (one,))
            elif isinstance(op, (ast.In, ast.NotIn)) and self._held(a, b, env):
                held = env[entry_of(b.id)]  # type: ignore[attr-defined]
                one = Apply("not", (Apply("is", (held, Const(None))),))
                if isinstance(op, ast.NotIn):
                    one = one.args[0]
            elif len(node.ops) == 1:
                return self._opaque(node, env)
            else:
                raise NotAFold(f"`{ast.unparse(node)}`", node.lineno)
            out = one if out is None else Apply("and", (out, one))
        assert out is not None
        return out

    def _held(self, key: ast.expr, container: ast.expr, env: Env) -> bool:
        """Is it asked whether the entry that the step changes is there?"""
        if not isinstance(container, ast.Name) or container.id not in self.containers:
            return False
        subscript = ast.Subscript(container, key, ast.Load())
        ast.copy_location(subscript, key)
        self._entry(subscript, env)
        if self.absent.get(container.id) is None:
            self.absent[container.id] = Const(None)
        return True

    def _looked_up(self, node: ast.Subscript, env: Env) -> str:
        """An entry that is read, which a `defaultdict` makes by that."""
        assert isinstance(node.value, ast.Name)
        made = self.before.get(node.value.id)
        makes = isinstance(made, ast.Call) and maker(made) == "defaultdict"
        return (self._touched if makes or made is None else self._entry)(node, env)

    def _is_entry(self, node: ast.Subscript, env: Env) -> bool:
        return isinstance(node.value, ast.Name) and node.value.id in self.containers

    def _function(self, node: ast.Call, env: Env) -> Term | None:
        name = ast.unparse(node.func)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            base = node.func.value
            if isinstance(base, ast.Name) and base.id in self.containers and node.args:
                return self._get(node, base, env)
        called = self._called(node, env)
        if called is not None:
            return called
        op = _FUNCTIONS.get(name)
        if (
            op in ("max", "min")
            and len(node.args) > 1
            and [k.arg for k in node.keywords] == ["key"]
        ):
            return self._best(node, env) if self.purity.means(name) else None
        if op is None or node.keywords or not self.purity.means(name):
            return None
        if any(isinstance(arg, ast.Starred) for arg in node.args):
            return None
        args = [self._of(arg, env) for arg in node.args]
        if op in ("max", "min", "gcd", "lcm"):
            if len(args) < 2:
                return None
            out = args[0]
            for other in args[1:]:
                out = Apply(op, (out, other))
            return out
        return Apply(op, tuple(args)) if len(args) == 1 else None

    def _called(self, node: ast.Call, env: Env) -> Term | None:
        """What a function of the file computes of carried values, where it does no more."""
        found = self.around.own_function(node)
        if found is None or found in self.entered:
            return None
        names = [arg.arg for arg in found.args.args]
        given = {name: self._of(arg, env) for name, arg in zip(names, node.args, strict=True)}
        dependence, states = Dependence(), set(self.states.values())
        if not any(dependence.mentions(value, states) for value in given.values()):
            return None
        choices = self.choices
        self.entered.append(found)
        try:
            return self._returned(found.body, {**given, STOPPED: FALSE})
        except NotAFold:
            return None
        finally:
            self.entered.pop()
            self.choices = choices

    def _returned(self, body: list[ast.stmt], env: Env) -> Term | None:
        """What the statements of a function return, where each way through them returns."""
        for number, statement in enumerate(body):
            if isinstance(statement, ast.Return):
                return Const(None) if statement.value is None else self._of(statement.value, env)
            if isinstance(statement, ast.If):
                rest = body[number + 1 :]
                condition = self._of(statement.test, env)
                self.choices += 1
                then = self._returned([*statement.body, *rest], dict(env))
                other = self._returned([*statement.orelse, *rest], dict(env))
                self.choices -= 1
                if then is None or other is None:
                    return None
                return decided(Apply("where", (condition, then, other)))
            if not isinstance(statement, (ast.Assign, ast.AugAssign)):
                return None
            if any(not isinstance(t, ast.Name) for t in _targets(statement)):
                return None
            self._simple(statement, env)
        return None

    def _best(self, node: ast.Call, env: Env) -> Term:
        """``max(a, b, key=f)``: the first of those by which the key is largest."""
        key = node.keywords[0].value
        better = ast.Gt() if ast.unparse(node.func) == "max" else ast.Lt()
        out = node.args[0]
        for other in node.args[1:]:
            sides = [applied(key, other), applied(key, out)]
            test = ast.Compare(sides[0], [better], [sides[1]])
            out = ast.copy_location(ast.IfExp(test, other, out), node)
        return self._of(ast.fix_missing_locations(out), env)

    def _get(self, node: ast.Call, base: ast.Name, env: Env) -> Term:
        """``d.get(key, default)`` of the entry that the step changes."""
        subscript = ast.Subscript(base, node.args[0], ast.Load())
        ast.copy_location(subscript, node)
        entry = self._entry(subscript, env)
        self._counts_as(node, base.id, node.args[1:], env)
        return env[entry]

    def _counts_as(self, node: ast.Call, name: str, given: list[ast.expr], env: Env) -> None:
        """What a call says that an absent entry of a container counts as."""
        absent = constant(given[0]) if given else Const(None)
        if absent is None and is_empty_set(given[0]):
            absent = self._atom("set()")
        elif absent is None and isinstance(given[0], (ast.List, ast.Dict)):
            absent = self._of(given[0], env)
        if absent is None or self.absent.get(name) not in (None, absent):
            raise NotAFold(f"`{ast.unparse(node)}` has a default of its own", node.lineno)
        self.absent[name] = absent

    def _opaque(self, node: ast.expr, env: Env) -> Term:
        """What only looks at the element, as its own text."""
        self._check(node)
        inner = dict.fromkeys(n.id for n in everything_in(node) if isinstance(n, ast.Name))
        by = {name: env[name] for name in inner if name in env}
        states, dependence = set(self.states.values()), Dependence()
        carried = [name for name, term in by.items() if dependence.mentions(term, states)]
        if carried or self._put_off(node):
            carried = list(by)  # what it takes of the element is kept beside what is carried
        entries = {self.states[entry_of(name)] for name in self.containers}
        if any(dependence.mentions(by[name], entries) for name in carried):
            raise NotAFold(f"`{ast.unparse(node)}` looks at a carried value", node.lineno)
        self._parts_only(node)
        holes: Env = {
            name: Read(Value(f"_{n}", (), kind="input"), ()) for n, name in enumerate(carried)
        }
        put = _Substituted({**by, **holes}).visit(copy.deepcopy(node))
        try:
            text = ast.unparse(put)
        except ValueError:  # a backslash within an f-string, which older versions cannot write
            said = f"`{ast.unparse(node)}` has no text of its own"
            raise NotAFold(said, node.lineno) from None
        if not carried:
            return self._atom(text)
        # what is asked of a carried value: opaque, with a hole for each
        return Apply(f"call:{text}", tuple(by[name] for name in carried))

    def _put_off(self, node: ast.expr) -> bool:
        """Is it asked of some elements only, and may it raise for others?"""
        raises = (ast.Call, ast.Subscript, ast.BinOp)
        return self.lazily and self.choices > 0 and isinstance(node, raises)

    def _parts_only(self, node: ast.expr) -> None:
        """Nothing may depend on the other entries of a container that the steps change."""
        for inner in everything_in(node):
            if isinstance(inner, ast.Name) and inner.id in self.containers:
                raise NotAFold(
                    f"`{ast.unparse(node)}` depends on other entries of `{inner.id}`", node.lineno
                )

    def _check(self, node: ast.expr) -> None:
        reason = refusal(node, self.purity)
        if reason is not None:
            raise NotAFold(reason, node.lineno)

    def _atom(self, text: str) -> Term:
        if text not in self.atoms:
            self.atoms[text] = Value(text, (), kind="input")
        return Read(self.atoms[text], ())

    def _width(self, name: str) -> str | None:
        return width(self.before.get(name))

    def _state(self, name: str) -> Term:
        if name not in self.states:
            dtype = self._width(name)
            own = "entry" if name.startswith(ENTRY) else name
            self.states[name] = Value(own, (), dtype=dtype, kind="state")
        return Read(self.states[name], ())

    # -- around the loop

    def _initial(self, name: str) -> Term:
        if name in (STOPPED, ANSWER):
            return FALSE if name == STOPPED else Const(None)
        held = next((one for one in self.keys if entry_of(one) == name), None)
        if held is not None:
            absent = self.absent.get(held)
            empty = absent is not None and fresh(self.before.get(held))
            return absent if empty and absent is not None else self._atom("entry")
        made = self.before.get(name)
        known = None if made is None else constant(made)
        if known is not None:
            return known
        if isinstance(made, (ast.List, ast.Tuple)) and not made.elts:
            return self._atom(ast.unparse(made))
        if made is not None and ast.unparse(made) in ("list()", "set()"):
            return self._atom("[]" if ast.unparse(made) == "list()" else "set()")
        return self._atom(name)

    def _parameters(self, scan: Scan, names: tuple[str, ...]) -> tuple[str, ...]:
        calls = [
            node.op[5:]
            for carry in scan.carries
            for node in walk(carry.update)
            if isinstance(node, Apply) and node.op.startswith("call:")
        ]
        own = {*names, *self.prepared, *self.states, self.running, "entry"}
        own |= {f"_{n}" for n in range(99)}
        return self.around.parameters([*self.atoms, *self.prepare, *calls], own)


class _Substituted(ast.NodeTransformer):
    """Names of values that the body computed, replaced by what they are."""

    def __init__(self, by: Env) -> None:
        self._by = by

    def visit_Name(self, node: ast.Name) -> ast.AST:
        term = self._by.get(node.id)
        if term is None or not isinstance(node.ctx, ast.Load):
            return node
        return ast.parse(source(term), mode="eval").body


def applied(function: ast.expr, value: ast.expr) -> ast.expr:
    """A function of one argument, called: a lambda as its body."""
    if not isinstance(function, ast.Lambda):
        return ast.Call(function, [value], [])
    arguments = function.args
    plain = len(arguments.args) == 1 and ast.unparse(arguments) == arguments.args[0].arg
    inner = any(isinstance(n, _BINDERS) for n in everything_in(function.body))
    if not plain or inner:
        return ast.Call(function, [value], [])
    name = arguments.args[0].arg

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return copy.deepcopy(value) if node.id == name else node

    return Put().visit(copy.deepcopy(function.body))  # type: ignore[no-any-return]


def _targets(statement: ast.Assign | ast.AugAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def _jumps(node: ast.If) -> bool:
    """Does a branch leave the step?"""
    return any(isinstance(n, (ast.Continue, ast.Break, ast.Return)) for n in everything_in(node))


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
