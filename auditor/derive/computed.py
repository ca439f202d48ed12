"""What the expressions and assignments of a step compute, as terms of what is carried.

What does not depend on the carried values stays the user's own text, one opaque scalar each;
arithmetic, comparisons, choices and functions of the file that do no more become terms.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from auditor.algebra.choices import decided
from auditor.algebra.ordered_few import ordered
from auditor.algebra.states import Dependence
from auditor.derive.around import Around
from auditor.derive.array_terms import array_operation, library_of
from auditor.derive.begun import constant, empty, maker, width
from auditor.derive.called_functions import called, log_of_one_more
from auditor.derive.calls import Purity, refusal
from auditor.derive.entries import ENTRY, default, entry_of, touch_of
from auditor.derive.entry_records import (
    made_of,
    parts_of,
    place_of,
    records,
    value_of,
    values_of,
)
from auditor.derive.expression import source
from auditor.derive.fold import STOPPED, WITHOUT_LIBRARY, NotAFold
from auditor.derive.nested_entries import pairs_of
from auditor.derive.order_statistics import order_statistic
from auditor.derive.places import Place
from auditor.derive.placewise import LISTS, extremes, zipped
from auditor.derive.scopes import local_names, names_of, target_names, top_level_names
from auditor.derive.tables import Tables
from auditor.derive.taken_apart import apart
from auditor.derive.texts import is_text
from auditor.notation import FALSE, NONE, TRUE, Apply, Const, Read, Term, Value, walk
from auditor.tree import everything_in, replaced

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
    "gcd": "gcd", "exp": "exp", "sqrt": "sqrt", "log": "log", "math.log1p": "log1p",
    "log1p": "log1p",
}  # fmt: skip
_BINDERS = (
    ast.Lambda, ast.NamedExpr, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp
)  # fmt: skip


class Computed:
    """The expressions of one loop. ``atoms`` are the texts that stay as they are, ``states`` what
    is carried; ``keys`` the entries of containers that a step changes, ``absent`` what they count
    as where there are none; ``choices`` how many choices what is read stands in. ``tables`` are
    those that are written out and looked up with what is carried, ``drawn`` what names in their
    keys may be."""

    def __init__(self, place: Place, node: ast.For, lazily: bool) -> None:
        self.place, self.node = place, node
        self.around = Around(place, node)
        self.before, self.containers = self.around.before, self.around.containers
        self.records = records(node, self.containers, self.before)
        self.purity = Purity(place.tree, node)
        for sentence in place.assumptions:
            self.purity.assume(sentence)
        self.lazily, self.choices = lazily, 0
        self.entered: list[ast.FunctionDef] = []
        self.atoms: dict[str, Value] = {}
        self.states: dict[str, Value] = {}
        self.keys: dict[str, str] = {}
        self.absent: dict[str, Term | None] = {}
        self.tables: dict[str, str] = {}
        self.drawn: dict[str, tuple[Any, ...]] = {}
        self.rows: str | None = None
        self.chosen = False
        self.library: str | None = None
        self.arrays: str | None = None
        self.placed: dict[str, Term] = {}

    @cached_property
    def _own_names(self) -> frozenset[str]:
        """What the file and the function bind, which may be names of Python's."""
        outside = (name for one in self.place.tree.body for name in top_level_names(one))
        return frozenset((*local_names(self.place.function), *outside))

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
            self._numbers(node.right, left)
            self._numbers(node.left, right)
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
        statistic = order_statistic(node, self.purity)
        if statistic is not None and self._carried(statistic.items, env):
            terms = [self._of(item, env) for item in statistic.items]
            return ordered(terms, lambda op, a, b: Apply(op, (a, b)))[statistic.place]
        found_at = self._in_record(node)
        if found_at is not None:
            entry, name = found_at
            self._looked_up(entry, env)
            return env[name]
        if isinstance(node, ast.Subscript) and self._is_entry(node, env):
            return env[self._looked_up(node, env)]
        inside = self._within_entry(node, env)
        if inside is not None:
            return inside
        if isinstance(node, ast.ListComp):
            row = self._zipped(node, env)
            if row is not None:
                return row
        if isinstance(node, (ast.Subscript, ast.Call)):
            found = self._by_table(node, env)
            if found is not None:
                return found
        return self._of_arrays(node, env) or self._opaque(node, env)

    def _of_arrays(self, node: ast.expr, env: Env) -> Term | None:
        """Products and reductions of carried arrays."""
        around = self.place.function or self.place.tree
        operation = array_operation(node, self.purity, library_of(around, self.purity))
        if operation is None or not self._carried(operation.args, env):
            return None
        self.arrays = self.arrays or operation.library or WITHOUT_LIBRARY
        return Apply(operation.op, tuple(self._of(one, env) for one in operation.args))

    def _within_entry(self, node: ast.expr, env: Env) -> Term | None:
        """A part of an entry that is kept as a whole: ``latest[key]["at"]``."""
        part = isinstance(node, ast.Attribute) or (
            isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
        )
        base = getattr(node, "value", None)
        if not part or not isinstance(base, ast.Subscript) or not self._is_entry(base, env):
            return None
        if base.value.id in self.records:  # type: ignore[attr-defined]
            return None
        held = env[self._looked_up(base, env)]
        shape = copy.deepcopy(node)
        shape.value = ast.Name("_0", ast.Load())  # type: ignore[attr-defined]
        return Apply(f"call:{ast.unparse(shape)}", (held,))

    def _carried(self, nodes: Iterable[ast.expr], env: Env) -> bool:
        """Do expressions depend on what is carried?"""
        states, dependence = set(self.states.values()), Dependence()
        names = {n.id for one in nodes for n in everything_in(one) if isinstance(n, ast.Name)}
        return any(name in env and dependence.mentions(env[name], states) for name in names)

    def _in_rows(self, library: str, node: ast.expr) -> None:
        if self.rows not in (None, library):
            raise NotAFold(f"`{ast.unparse(node)}`: rows of two kinds", node.lineno)
        self.rows = library

    def _zipped(self, node: ast.ListComp, env: Env) -> Term | None:
        """A comprehension over rows side by side, as what it makes of one place."""
        found = zipped(node) if self.purity.means("zip") else None
        if found is None or not self._carried(found[0].values(), env):
            return None
        places, made = found
        if not isinstance(made, (ast.BinOp, ast.Call, ast.IfExp)):
            return None
        term = self._of(made, {**env, **{n: self._of(s, env) for n, s in places.items()}})
        if {n.id for n in everything_in(made) if isinstance(n, ast.Name)} - {"max", "min", *places}:
            return None
        self._in_rows(LISTS, node)
        return term

    def _by_table(self, node: ast.Subscript | ast.Call, env: Env) -> Term | None:
        """What a table that is written out says of a carried value."""
        states, dependence = set(self.states.values()), Dependence()
        names = {n.id for n in everything_in(node) if isinstance(n, ast.Name)}
        if not any(n in env and dependence.mentions(env[n], states) for n in names):
            return None
        tables = Tables(
            self.place.tree, self.node, frozenset(local_names(self.place.function)), self.before,
            lambda part: self._of(part, env), lambda term: dependence.mentions(term, states),
            source, self._atom,
        )  # fmt: skip
        found = tables.looked_up(node, lambda: self._opaque(node, env))
        if found is None:
            return None
        self.tables |= found.start
        self.drawn |= found.keys
        return found.term

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
            elif isinstance(op, (ast.In, ast.NotIn)) and self._listed(b, env):
                one = self._any_of(a, b.elts, env)  # type: ignore[attr-defined]
                if isinstance(op, ast.NotIn):
                    one = Apply("not", (one,))
            elif isinstance(op, (ast.In, ast.NotIn)) and self._held(a, b, env):
                held = env[entry_of(b.id)]  # type: ignore[attr-defined]
                one = Apply("not", (Apply("is", (held, NONE)),))
                if b.id in self.around.members:  # type: ignore[attr-defined]
                    one = Apply("not", (Apply("not", (held,)),))
                if isinstance(op, ast.NotIn):
                    one = one.args[0]
            elif len(node.ops) == 1:
                return self._opaque(node, env)
            else:
                raise NotAFold(f"`{ast.unparse(node)}`", node.lineno)
            out = one if out is None else Apply("and", (out, one))
        assert out is not None
        return out

    def _listed(self, node: ast.expr, env: Env) -> bool:
        """Are carried values written out, side by side?"""
        written = isinstance(node, (ast.Tuple, ast.List, ast.Set)) and bool(node.elts)
        starred = any(isinstance(part, ast.Starred) for part in getattr(node, "elts", ()))
        return written and not starred and self._carried([node], env)

    def _any_of(self, node: ast.expr, parts: list[ast.expr], env: Env) -> Term:
        """Is something equal to one of what is written out?"""
        value = self._of(node, env)
        out: Term | None = None
        for part in parts:
            same = Apply("eq", (value, self._of(part, env)))
            out = same if out is None else Apply("or", (out, same))
        assert out is not None
        return out

    def _held(self, key: ast.expr, container: ast.expr, env: Env) -> bool:
        """Is it asked whether the entry that the step changes is there?"""
        if not isinstance(container, ast.Name) or container.id not in self.containers:
            return False
        subscript = ast.Subscript(container, key, ast.Load())
        ast.copy_location(subscript, key)
        self._entry(subscript, env)
        if self.absent.get(entry_of(container.id)) is None:
            for value in self._values(container.id):
                self.absent[value] = NONE
        return True

    def _looked_up(self, node: ast.Subscript, env: Env) -> str:
        """An entry that is read, which a `defaultdict` makes by that."""
        assert isinstance(node.value, ast.Name)
        made = self.before.get(node.value.id)
        makes = isinstance(made, ast.Call) and maker(made) == "defaultdict"
        return (self._touched if makes or made is None else self._entry)(node, env)

    def _in_record(self, node: ast.expr) -> tuple[ast.Subscript, str] | None:
        """The entry that a value stands in, and what the value is carried as."""
        found = place_of(node)
        if found is None or found[0].value.id not in self.records:  # type: ignore[attr-defined]
            return None
        name, keys = found[0].value.id, self.records[found[0].value.id].keys  # type: ignore[attr-defined]
        return found[0], value_of(name, keys.index(found[1]))

    def _values(self, container: str) -> list[str]:
        """What an entry of a container is carried as, value by value."""
        record = self.records.get(container)
        return [value_of(container, n) for n in range(1 if record is None else record.width)]

    def _is_entry(self, node: ast.Subscript, env: Env) -> bool:
        return isinstance(node.value, ast.Name) and node.value.id in self.containers

    def _function(self, node: ast.Call, env: Env) -> Term | None:
        name = ast.unparse(node.func)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "setdefault"):
            base = node.func.value
            if isinstance(base, ast.Name) and base.id in self.containers and node.args:
                found = self._get(node, base, env)
                if node.func.attr == "setdefault":
                    subscript = ast.Subscript(base, node.args[0], ast.Store())
                    env[self._touched(ast.copy_location(subscript, node), env)] = found
                return found
        rows = extremes(node, self.purity)
        if rows is not None and self._carried(rows.sides, env):
            self._in_rows(rows.library, node)
            limited = self._of(rows.row, env)
            for extreme, side in rows.others:
                limited = Apply(extreme, (limited, self._of(side, env)))
            return limited
        computes = called(node, self.purity)
        if computes is not None and self._carried(computes.arguments, env):
            if computes.library is not None:
                self._in_rows(computes.library, node)
            self.chosen = self.chosen or computes.library is not None
            return computes.term([self._of(one, env) for one in computes.arguments])
        own = self._called(node, env)
        if own is not None:
            return own
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
        if len(args) != 1:
            return None
        return log_of_one_more(*args) if op == "log1p" else Apply(op, tuple(args))

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
                return NONE if statement.value is None else self._of(statement.value, env)
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
            self._set(statement, env)
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
        if base.id not in self.records and len(node.args) == 2 and not node.keywords:
            given = self._of(node.args[1], env)
            if self._varies(given):
                if self.absent.get(entry) not in (None, NONE):
                    raise NotAFold(f"`{ast.unparse(node)}` has a default of its own", node.lineno)
                self.absent[entry] = NONE
                there = env[entry]
                return decided(Apply("where", (Apply("is", (there, NONE)), given, there)))
        self._counts_as(node, base.id, node.args[1:], env)
        return env[entry]

    def _varies(self, term: Term) -> bool:
        """Does a default depend on the element, or on what is carried?"""
        own = {*(target_names(self.node.target) or ()), *self.around.stored}
        return any(
            isinstance(n, Read) and (n.value.kind == "state" or own & names_of(n.value.name))
            for n in walk(term)
        )

    def _counts_as(self, node: ast.Call, name: str, given: list[ast.expr], env: Env) -> None:
        """What a call says that an absent entry of a container counts as."""
        if name in self.records:
            self._make_absent(name, values_of(given[0]) if given else None, node)
            return
        absent = constant(given[0]) if given else NONE
        if absent is None and empty(given[0]) == "set":
            absent = self._atom("set()")
        elif absent is None and isinstance(given[0], (ast.List, ast.Dict)):
            absent = self._of(given[0], env)
        self._make_absent(name, None if absent is None else (absent,), node)

    def _make_absent(self, name: str, given: tuple[Term, ...] | None, node: ast.expr) -> None:
        """What the values of an absent entry count as, which is said once."""
        values = self._values(name)
        if given is None or len(given) != len(values):
            raise NotAFold(f"`{ast.unparse(node)}` has a default of its own", node.lineno)
        for value, absent in zip(values, given, strict=True):
            if self.absent.get(value) not in (None, absent):
                raise NotAFold(f"`{ast.unparse(node)}` has a default of its own", node.lineno)
            self.absent[value] = absent

    def _opaque(self, node: ast.expr, env: Env) -> Term:
        """What only looks at the element, as its own text."""
        self._check(node)
        inner = dict.fromkeys(n.id for n in everything_in(node) if isinstance(n, ast.Name))
        by = {name: env[name] for name in inner if name in env}
        states, dependence = set(self.states.values()), Dependence()
        carried = [name for name, term in by.items() if dependence.mentions(term, states)]
        if carried or self._put_off(node):
            carried = list(by)  # what it takes of the element is kept beside what is carried
        if carried and "sorted" in inner and not self.purity.means("sorted"):
            raise NotAFold(f"`{ast.unparse(node)}` looks at a carried value", node.lineno)
        entries = {self.states[v] for name in self.containers for v in self._values(name)}
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

    def _numbers(self, node: ast.expr, other: Term) -> None:
        """Nothing that is carried may be joined with a text, as if that were a number."""
        states = set(self.states.values())
        if is_text(node, self.before) and Dependence().mentions(other, states):
            raise NotAFold(f"`{ast.unparse(node)}` is a text", node.lineno)

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
            own = name
            if name.startswith(ENTRY):
                held, _, place = name.removeprefix(ENTRY).partition(", ")
                own = f"entry_{place or 0}" if held in self.records else "entry"
            self.states[name] = Value(own, (), dtype=dtype, kind="state")
        return Read(self.states[name], ())

    # -- assignments

    def _set(self, statement: ast.Assign | ast.AnnAssign | ast.AugAssign, env: Env) -> None:
        """What an assignment leaves."""
        if isinstance(statement, ast.AugAssign):
            self._augment(statement, env)
        else:
            self._assign(statement, env)

    def _assign(self, statement: ast.Assign | ast.AnnAssign, env: Env) -> None:
        if statement.value is None:
            return
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if len(targets) == 1 and self._kept_as_record(targets[0], statement.value, env):
            return
        if isinstance(targets[0], ast.Tuple) and len(targets) == 1:
            parts = apart(statement.value, len(targets[0].elts), self._own_names)
            if parts is not None:
                values = [self._of(part, env) for part in parts]
                for target, value in zip(targets[0].elts, values, strict=True):
                    self._store(target, value, env)
                return
        value = self._of(statement.value, env)
        for target in targets:
            self._store(target, value, env)

    def _kept_as_record(self, target: ast.expr, value: ast.expr, env: Env) -> bool:
        """Whether an entry of several values is set, or taken apart."""
        if isinstance(target, ast.Subscript) and self._is_entry(target, env):
            name = target.value.id  # type: ignore[attr-defined]
            if name not in self.records:
                return False
            made = self._made_record(value, env)
            self._touched(target, env)
            env.update(zip(self._values(name), made, strict=True))
            return True
        if not isinstance(target, ast.Tuple):
            return False
        varied: list[Term] | None = None
        if isinstance(value, ast.Subscript) and self._is_entry(value, env):
            name = value.value.id  # type: ignore[attr-defined]
            if name in self.records:
                self._looked_up(value, env)
        elif (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Attribute)
            and isinstance(value.func.value, ast.Name)
            and value.func.value.id in self.records
        ):
            name = value.func.value.id
            varied = self._given_record(value, name, env)
            if varied is None:
                self._get(value, value.func.value, env)
        else:
            return False
        if name not in self.records or len(target.elts) != self.records[name].width:
            return False
        for place, held in enumerate(self._values(name)):
            self._store(target.elts[place], env[held] if varied is None else varied[place], env)
        return True

    def _given_record(self, node: ast.Call, name: str, env: Env) -> list[Term] | None:
        """The values of an entry, or of a default that depends on the element."""
        parts = parts_of(node.args[1]) if len(node.args) == 2 else None
        if parts is None or values_of(node.args[1]) is not None:
            return None
        given = [self._of(part, env) for part in parts.values()]
        subscript = ast.Subscript(ast.Name(name, ast.Load()), node.args[0], ast.Load())
        self._entry(ast.copy_location(subscript, node), env)
        values = self._values(name)
        self._make_absent(name, tuple(NONE for _ in values), node)
        absent = Apply("is", (env[values[0]], NONE))
        return [
            decided(Apply("where", (absent, new, env[held])))
            for new, held in zip(given, values, strict=True)
        ]

    def _made_record(self, node: ast.expr, env: Env) -> list[Term]:
        """The values of an entry that is written out."""
        if isinstance(node, ast.IfExp):
            test = self._of(node.test, env)
            sides = (self._made_record(node.body, env), self._made_record(node.orelse, env))
            return [decided(Apply("where", (test, a, b))) for a, b in zip(*sides, strict=True)]
        parts = parts_of(node)
        assert parts is not None
        return [self._of(part, env) for part in parts.values()]

    def _store(self, target: ast.expr, value: Term, env: Env) -> None:
        if isinstance(target, ast.Name):
            env[target.id] = value
        elif (found := self._in_record(target)) is not None:
            self._touched(found[0], env)
            env[found[1]] = value
        elif isinstance(target, ast.Subscript):
            env[self._touched(target, env)] = value
        else:
            raise NotAFold(f"it assigns to `{ast.unparse(target)}`", target.lineno)

    def _augment(self, statement: ast.AugAssign, env: Env) -> None:
        op = _BINARY.get(type(statement.op))
        if isinstance(statement.op, ast.MatMult):
            op, self.arrays = "matmul", self.arrays or WITHOUT_LIBRARY
        if op is None:
            raise NotAFold(f"`{ast.unparse(statement)}` has no algebra here", statement.lineno)
        target = statement.target
        value = self._of(statement.value, env)
        if is_text(statement.value, self.before):
            raise NotAFold(f"`{ast.unparse(statement.value)}` is a text", statement.lineno)
        if isinstance(target, ast.Name):
            name = target.id
        elif (found := self._in_record(target)) is not None:
            self._touched(found[0], env)
            name = found[1]
        elif isinstance(target, ast.Subscript):
            name = self._touched(target, env)
        else:
            raise NotAFold(f"it assigns to `{ast.unparse(target)}`", statement.lineno)
        env[name] = Apply(op, (env[name], value))

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
            begun = self.before.get(name)
            pairs = pairs_of(self.node)
            if pairs is not None and name in pairs.inner:
                begun = pairs.inner[name][1]
            self.absent[entry_of(name)] = default(begun, self._atom)
            made = values_of(made_of(self.before.get(name)) or target)
            if name in self.records and made is not None:
                self.absent |= dict(zip(self._values(name), made, strict=True))
        if self.keys[name] != text:
            raise NotAFold("a step changes more than one entry", target.lineno)
        return entry_of(name)

    def _touched(self, target: ast.Subscript, env: Env) -> str:
        """One entry of a container that a step sets, or makes by reading it."""
        name = self._entry(target, env)
        assert isinstance(target.value, ast.Name)
        env[touch_of(target.value.id)] = TRUE
        return name


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

    def put(node: ast.AST) -> ast.expr | None:
        mine = isinstance(node, ast.Name) and node.id == name
        return copy.deepcopy(value) if mine else None

    made: ast.expr = replaced(copy.deepcopy(function.body), put)
    return made


def _targets(statement: ast.Assign | ast.AugAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]
