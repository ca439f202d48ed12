"""The source around a computation: which names can be read where, what is used afterwards, which
lines a rewrite may drop. Everything here is about text and names; terms are not looked into."""

from __future__ import annotations

import ast
import itertools
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from auditor.lift import Lifted
from auditor.lift.call_effects import Does, does
from auditor.lift.objects import Literal, Obj, Unknown
from auditor.nests.memory import shared
from auditor.notation import ONE, ZERO, Const, Symbol, Term, Value
from auditor.surroundings.rebinding import binds, is_target, leaves_loop, same_range
from auditor.surroundings.text import FunctionText
from auditor.syntax import changes_gradients, path_of
from auditor.tree import ancestors, descendants, everything_in

_NUMBERS = frozenset(("shape", "dtype", "device", "ndim", "size"))
_LIBRARIES = ("torch", "numpy", "scipy", "math", "einops", "itertools", "functools", "warnings")


@dataclass(frozen=True)
class Binding:
    """The last binding of a name before a statement of the same block: what it is bound to (None
    where that is a part of something), whether the statement binds nothing else, and whether
    nothing in between reads it."""

    statement: ast.stmt
    value: ast.expr | None
    alone: bool
    unread: bool


class Region(FunctionText):
    """The function that a rewrite edits."""

    @cached_property
    def loads(self) -> dict[str, list[ast.Name]]:
        """Every place where a name is read, by name, in source order."""
        found: dict[str, list[ast.Name]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Load, ast.Del)):
                found.setdefault(node.id, []).append(node)
        for names in found.values():
            names.sort(key=lambda name: (name.lineno, name.col_offset))
        return found

    @cached_property
    def _changed(self) -> dict[str, list[ast.Name]]:
        """Every place where ``x += 1`` reads a name to bind it again."""
        found: dict[str, list[ast.Name]] = {}
        for node in self.nodes:
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                found.setdefault(node.target.id, []).append(node.target)
        return found

    @cached_property
    def stores(self) -> set[str]:
        """Every name that is bound anywhere in the function."""
        return self.bound | {node.arg for node in self.nodes if isinstance(node, ast.arg)}

    def free_name(self, name: str) -> str:
        """``name``, or one like it that neither the function nor the file uses."""
        used = self.stores | set(self.loads) | set(self.module.names)
        while name in used:
            name += "_"
        return name

    def means_builtin(self, name: str) -> bool:
        """Whether a builtin's name is given no other meaning."""
        return name not in self.module.bound and name not in self.stores

    @cached_property
    def bound(self) -> set[str]:
        """The names that statements of the function bind."""
        return {
            node.id for node in self.nodes
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }  # fmt: skip

    def of_a_library(self, source: str) -> bool:
        """Whether a call is of a library that reaches nothing but what it is given."""
        root = source.partition("(")[0].partition(".")[0].strip()
        return self.module.names.get(root, "").partition(".")[0] in _LIBRARIES

    def within(self, node: ast.AST, outer: ast.AST) -> bool:
        """Whether ``node`` is a part of ``outer``."""
        at: ast.AST | None = node
        while at is not None:
            if at is outer:
                return True
            at = self.parents.get(at)
        return False

    def records_elsewhere(self, loop: ast.AST, call: ast.AST) -> bool:
        """Whether gradients are recorded otherwise where ``call`` stands than where what it takes
        from ``loop`` is made: in a block of its own, or not in one of the loop's that turns them
        on."""
        mine, its = (self._gradient_blocks(node) for node in (loop, call))
        return bool(its - mine) or any(
            "no_grad" not in ast.unparse(item.context_expr)
            for block in mine - its
            for item in block.items
            if "_grad" in ast.unparse(item.context_expr)
        )

    def _gradient_blocks(self, node: ast.AST) -> set[ast.With]:
        return {
            block for block in (node, *ancestors(node, self.parents))
            if isinstance(block, ast.With)
            and any(self._may_change_gradients(item.context_expr) for item in block.items)
        }  # fmt: skip

    def _may_change_gradients(self, context: ast.expr) -> bool:
        """Whether a block under ``context`` may record gradients otherwise than the code around it:
        what another library or the file itself makes may well be ``torch.no_grad()``."""
        if changes_gradients(context):
            return True
        made = context.func if isinstance(context, ast.Call) else context
        path = path_of(self.module, made)
        if path is None:
            return not (isinstance(made, ast.Name) and made.id == "open")
        root = path.partition(".")[0]
        return root not in (*_LIBRARIES, "tqdm") and root not in sys.stdlib_module_names

    def withs(self, node: ast.AST) -> list[ast.With | ast.AsyncWith]:
        """The ``with`` blocks around a node."""
        around = ancestors(node, self.parents)
        return [block for block in around if isinstance(block, (ast.With, ast.AsyncWith))]

    def under_autocast(self, node: ast.AST) -> bool:
        """Whether torch may give products another dtype here than other operations."""
        said: list[ast.expr] = list(getattr(self.lifted.node, "decorator_list", []))
        said += [item.context_expr for block in self.withs(node) for item in block.items]
        return any("autocast" in ast.unparse(each) for each in said)

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that holds ``node``."""
        at = node
        while not isinstance(at, ast.stmt):
            at = self.parents[at]
        return at

    # -- names

    def scope(self, statement: ast.stmt) -> dict[str, Obj]:
        """The names bound before ``statement``."""
        return self.lifted.lifter.scopes.get(statement, {})

    def name_at(self, value: Value, statement: ast.stmt) -> str | None:
        """How ``value`` can be read just before ``statement``: its name, its attribute or, for a
        number, its literal."""
        named = [name for name, obj in self.scope(statement).items() if obj is value]
        if named:
            # A parameter that is a list has another name as an array.
            return named[-1 if value.kind == "input" else 0]
        if value.kind == "opaque":
            return self._unknown_at(value, statement)
        if value.kind == "free" and value.body is None and self.stores & {
            value.name, value.name.partition(".")[0]
        }:  # fmt: skip
            return None  # something else by that name
        if value.kind == "free" and value.dtype == "bool" and not _PATH.fullmatch(value.name):
            return self._truth_at(value, statement)
        if value.kind in ("attribute", "free") and value.body is None:
            return value.name
        if value.kind == "attribute":
            return value.name
        if value.kind == "input" and value.name not in self.scope(statement):
            return value.name if value.name in self._given else None
        held = self.lifted.lifter.attributes.get(value.name.removeprefix("self."))
        if isinstance(held, Value) and held.body is value.body and value.name.startswith("self."):
            # what the constructor set, and nothing else does
            return value.name
        return None

    def _unknown_at(self, value: Value, statement: ast.stmt) -> str | None:
        """The name of what has no notation and is read as ``value``."""
        leaves = self.lifted.lifter.leaves
        for name, obj in self.scope(statement).items():
            if isinstance(obj, Unknown) and obj.owner and leaves.get(obj.owner) is value:
                return name
        return None

    def _truth_at(self, value: Value, statement: ast.stmt) -> str | None:
        """How a condition without notation can be asked just before ``statement``: whether a value
        is None, or which word a parameter is."""
        lifter = self.lifted.lifter
        own = [(v.name, v) for v in lifter.leaves.values() if v.kind == "attribute"]
        for name, held in (*self.scope(statement).items(), *own):
            if isinstance(held, Value) and lifter.leaves.get(f"{held.uid} is None") is value:
                return f"{name} is None"
        word = _WORD.fullmatch(value.name)
        known = word is not None and word[1] in self._given - self.bound
        return value.name if known else None

    def dtype_at(self, dtype: str, statement: ast.stmt) -> str | None:
        """How a dtype that is known when the code runs (``like 7``, ``to 7``: see
        ``lift.tables.methods``) can be said just before ``statement``."""
        way, _, uid = dtype.partition(" ")
        for name, obj in self.scope(statement).items():
            if isinstance(obj, Literal) and obj.value == f"dtype:{dtype}":
                return name
            if isinstance(obj, Value) and str(obj.uid) == uid:
                return name if way == "to" else f"{name}.dtype"
        return None

    def scalar_at(self, term: Term, statement: ast.stmt) -> str | None:
        """A name bound to the integer ``term`` before ``statement``; 0 and 1 have none."""
        if term in (ZERO, ONE):
            return None
        for name, obj in self.scope(statement).items():
            if isinstance(obj, Value) and not obj.axes and obj.body is term:
                return name
        if isinstance(term, Const):
            return None
        return self._size_of_attribute(term) or self._size_of_rebound(term, statement)

    def _size_of_rebound(self, term: Term, statement: ast.stmt) -> str | None:
        """A size of an array whose name stood for something else before."""
        owner, dot, place = str(term).rpartition(".shape[")
        if not dot or not isinstance(term, Symbol):
            return None
        for name, obj in self.scope(statement).items():
            if isinstance(obj, Value) and obj.owner == owner != name:
                return f"{name}{dot}{place}"
        return None

    def _size_of_attribute(self, term: Term) -> str | None:
        """A size that the constructor was given, as one of what it made."""
        for name, obj in self.lifted.lifter.attributes.items():
            if isinstance(obj, Value) and not any(axis.group for axis in obj.axes):
                for place, axis in enumerate(obj.axes):
                    if self.lifted.facts.extent(axis.extent) is term:
                        return f"self.{name}.shape[{place}]"
        return None

    @cached_property
    def _given(self) -> set[str]:
        """The parameters of the function."""
        args = getattr(self.lifted.node, "args", None)
        return (
            {node.arg for node in everything_in(args) if isinstance(node, ast.arg)}
            if args
            else set()
        )

    def reads_outside(self, name: str, regions: tuple[ast.AST, ...]) -> list[ast.Name]:
        """Reads of a name outside the given nodes."""
        return [
            load
            for load in (*self.loads.get(name, []), *self._changed.get(name, []))
            if not any(self.within(load, region) for region in regions)
        ]

    def reads_of(self, obj: Obj, regions: tuple[ast.AST, ...] = ()) -> list[ast.Name]:
        """Reads that evaluate to ``obj``, outside the given nodes."""
        return [
            load
            for loads in self.loads.values()
            for load in loads
            if self.values.get(load) is obj
            and not any(self.within(load, region) for region in regions)
        ]

    def unread(self, name: str, gone: tuple[ast.AST, ...], statement: ast.stmt) -> bool:
        """Whether the binding of ``name`` by ``statement`` is read nowhere once ``gone`` is gone:
        no read before the next unconditional binding in the same block, nor anywhere else if there
        is none."""
        block = self.siblings(statement)
        after = block[block.index(statement) + 1 :]
        for later in after:
            if later not in gone:
                if any(self.within(load, later) for load in self.reads_outside(name, gone)):
                    return False
                if binds(later, name):
                    return True
                if leaves_loop(later):
                    break
        if isinstance(self.parents.get(statement), (ast.FunctionDef, ast.Module)):
            return not isinstance(self.lifted.node, ast.Module)
        return not self.reads_outside(name, (*gone, statement))

    def binding_before(
        self, statement: ast.stmt, name: str, unchanged: bool = True
    ) -> Binding | None:
        """The binding of ``name`` that ``statement`` certainly sees, from its own block;
        ``unchanged`` says that what it is bound to must still be what it was made as."""
        block = self.siblings(statement)
        reads: list[ast.Name] = []
        for earlier in reversed(block[: block.index(statement)]):
            if isinstance(earlier, (ast.Assign, ast.AnnAssign)) and binds(earlier, name):
                value, alone = _bound_value(earlier, name)
                made = unchanged and not isinstance(value, ast.Constant)
                if made and any(map(self._may_change, reads)):
                    return None
                return Binding(earlier, value, alone, not reads)
            for inner in descendants(earlier):
                if isinstance(inner, (ast.Name, ast.arg, ast.alias, ast.Global, ast.Nonlocal)):
                    if name in _identifiers(inner):
                        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                            reads.append(inner)
                        else:
                            return None
        return None

    def _may_change(self, load: ast.Name) -> bool:
        """Whether something may be put into what a name is read as, or taken out, there or by who
        is handed it: not where it is computed with."""
        above = self.parents.get(load)
        if isinstance(above, ast.Call) and load in above.args:
            return does(self.module, above) not in (Does.FRESH, Does.REPORTS)
        if isinstance(above, ast.Attribute):
            return above.attr not in _NUMBERS
        if isinstance(above, ast.Subscript):
            deeper = isinstance(self.parents.get(above), (ast.Attribute, ast.Subscript))
            return above.value is load and (not isinstance(above.ctx, ast.Load) or deeper)
        return not isinstance(above, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.If))

    def next_statement(self, statement: ast.stmt) -> ast.stmt | None:
        """What runs right after ``statement`` in its block."""
        block = self.siblings(statement)
        position = block.index(statement) + 1
        return block[position] if position < len(block) else None

    def read_after(
        self, statement: ast.stmt, name: str, counts: Callable[[ast.Name], bool] = lambda _: True
    ) -> bool:
        """Whether anything outside ``statement`` that ``counts`` may read what it leaves in
        ``name``."""
        reads = [load for load in self.reads_outside(name, (statement,)) if counts(load)]
        if not reads:
            return False
        around = ancestors(statement, self.parents)
        looping = any(isinstance(above, (ast.For, ast.While)) for above in around)
        block = self.siblings(statement)
        later = block[block.index(statement) + 1 :]
        for load in reads:
            before = (load.lineno, load.col_offset) < (statement.lineno, statement.col_offset)
            if before and not looping and not self.deferred(load, statement):
                continue
            if self._bound_in(load, name) or self._rebound(load, name, statement):
                continue
            holder = next((s for s in later if self.within(load, s)), None)
            if holder is not None:
                reach = later[: later.index(holder)]
            else:
                reach = self._passed(later, statement, load)
            if any(binds(s, name) or self._walks_again(s, name, statement) for s in reach):
                continue
            if isinstance(holder, ast.For) and is_target(holder.target, name):
                if any(self.within(load, part) for part in holder.body):
                    continue
            return True
        return False

    def _passed(self, later: list[ast.stmt], statement: ast.stmt, load: ast.Name) -> list[ast.stmt]:
        """Those of the statements behind ``statement`` in its block that control goes through on
        any way to a read outside of the block."""
        if self.deferred(load, statement):
            return []
        at: ast.AST = statement
        while at in self.parents and not self.within(load, at):
            if isinstance(at, (ast.With, ast.AsyncWith)):
                return []  # it may swallow an exception, from anywhere within
            at = self.parents[at]
            if isinstance(at, ast.Try):
                return []
        return list(itertools.takewhile(lambda one: not leaves_loop(one), later))

    def _walks_again(self, later: ast.stmt, name: str, statement: ast.stmt) -> bool:
        """Whether ``later`` is a loop over ``name`` that takes a step where ``statement`` took one:
        it surely takes any, or both walk a range of the same numbers."""
        from auditor.again.steps import certainly_runs  # which itself asks regions

        if not isinstance(later, ast.For) or not is_target(later.target, name):
            return False
        if certainly_runs(self, later):
            return True
        return isinstance(statement, ast.For) and same_range(
            statement.iter, later.iter, self._bindings
        )

    @cached_property
    def _bindings(self) -> Counter[str]:
        """How many places bind each name of the function."""
        return Counter(
            name
            for node in self.nodes
            for name in _identifiers(node)
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load)
        )

    def apart(self, written: Iterable[str], read: Iterable[str], statement: ast.stmt) -> list[str]:
        """What is assumed of arrays from outside the function that the loop ``statement`` writes
        and reads step by step, and the new code all at once."""
        memory, scope = self.lifted.lifter.memory, self.scope(statement)

        def outside(names: Iterable[str]) -> dict[str, frozenset[Value]]:
            found: dict[str, frozenset[Value]] = {}
            for name in sorted(names):
                free = (self.values.get(load) for load in self.loads.get(name, ()))
                held = scope[name] if name in scope else next(free, None)
                if isinstance(held, Value):
                    found[name] = memory(held)
            return {a: m for a, m in found.items() if any(v.kind in _OUTSIDE for v in m)}

        into = outside(written)
        pairs = itertools.product(into.items(), outside(read).items())
        twice = [f"no two elements of `{name}` share memory" for name in into]  # if expanded
        return [*twice, *(f"`{a}` and `{b}` do not overlap" for (a, one), (b, two) in pairs
                          if a != b and one.isdisjoint(two))]  # fmt: skip

    def overlapping(
        self, written: Iterable[str], read: Iterable[str], statement: ast.stmt
    ) -> tuple[str, str] | None:
        """Two names, one written and one read, whose arrays may share memory by what the function
        itself made of them: by notation as it is before ``statement``, or by the text."""
        memory, scope = self.lifted.lifter.memory, self.scope(statement)
        for a, b in itertools.product(sorted(set(written)), sorted(set(read))):
            met = shared(self, a, b) or not memory(scope.get(a)).isdisjoint(memory(scope.get(b)))
            if a != b and met:
                return a, b
        return None

    def comes_round(self, statement: ast.stmt, name: str) -> bool:
        """Whether a loop around ``statement`` may bring what it leaves in ``name`` back to it."""
        at: ast.AST = statement
        while at in self.parents:
            above = self.parents[at]
            if isinstance(at, ast.stmt) and at in self.siblings(at):
                block = self.siblings(at)
                if any(binds(before, name) for before in block[: block.index(at)]):
                    return False
            if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                return False
            if isinstance(above, (ast.For, ast.AsyncFor, ast.While)):
                return not (isinstance(above, ast.For) and is_target(above.target, name))
            at = above
        return False

    def brought_round(self, load: ast.Name, statement: ast.stmt) -> bool:
        """Whether a loop around ``statement`` may bring what that leaves to a read before it."""
        return any(
            isinstance(above, (ast.For, ast.AsyncFor, ast.While)) and self.within(load, above)
            for above in ancestors(statement, self.parents)
        ) and self.comes_round(self.statement_of(load), load.id)

    def deferred(self, load: ast.Name, statement: ast.stmt) -> bool:
        """A read in a nested function, which may run after ``statement``."""
        for above in ancestors(load, self.parents):
            if above is self.lifted.node:
                break
            if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
                return not self.within(statement, above)
        return False

    def _rebound(self, load: ast.Name, name: str, statement: ast.stmt) -> bool:
        """Whether a read comes after a binding in a block around it that ``statement`` is not in,
        or stands in a loop over that name: whatever that left, the block has bound it again."""
        at: ast.AST = load
        while at in self.parents:
            above = self.parents[at]
            if isinstance(above, (*_LATER, ast.ClassDef)) or self.within(statement, above):
                return False
            if isinstance(above, ast.For) and at in above.body and is_target(above.target, name):
                return True
            if isinstance(at, ast.stmt):
                block = self.siblings(at)
                if any(binds(earlier, name) for earlier in block[: block.index(at)]):
                    return True
            at = above
        return False

    def _bound_in(self, load: ast.Name, name: str) -> bool:
        """A read inside a comprehension, lambda or nested function that binds the name itself."""
        for at in ancestors(load, self.parents):
            if at is self.lifted.node:
                break
            generators = getattr(at, "generators", [])
            if any(is_target(g.target, name) for g in generators):
                if not self.within(load, generators[0].iter):  # evaluated outside
                    return True
            if isinstance(at, (ast.Lambda, ast.FunctionDef)) and self.within(load, at):
                given = {arg.arg for arg in everything_in(at.args) if isinstance(arg, ast.arg)}
                defaults = [*at.args.defaults, *filter(None, at.args.kw_defaults)]
                if name in given and not any(self.within(load, d) for d in defaults):
                    return True
        return False

    def effects_in(self, node: ast.AST, besides: str = "") -> bool:
        """Whether executing ``node`` does anything besides computing values, and effects of one
        kind."""
        span = self.module.span(node)
        return any(
            span.covers(effect.span)
            for effect in self.lifted.lifter.effects
            if effect.kind != besides
        )

    # -- text


def _identifiers(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.arg):
        return (node.arg,)
    if isinstance(node, ast.alias):
        return ((node.asname or node.name).split(".")[0],)
    return tuple(getattr(node, "names", ()))


def _bound_value(statement: ast.Assign | ast.AnnAssign, name: str) -> tuple[ast.expr | None, bool]:
    """What an assignment binds ``name`` to, and whether it binds nothing else."""
    if isinstance(statement, ast.AnnAssign):
        return statement.value, True
    targets = statement.targets
    if all(isinstance(target, ast.Name) for target in targets):
        return statement.value, len(targets) == 1
    if len(targets) == 1 and isinstance(targets[0], ast.Tuple):
        parts = targets[0].elts
        if isinstance(statement.value, ast.Tuple) and len(parts) == len(statement.value.elts):
            for part, value in zip(parts, statement.value.elts, strict=True):
                if isinstance(part, ast.Name) and part.id == name:
                    return value, False
    return None, False


# What is evaluated when it is called or asked for, not where it stands.
_LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp)
_PATH = re.compile(r"[\w.]+")
_WORD = re.compile(r"(\w+) [!=]= '[\w-]*'")
_OUTSIDE = ("input", "attribute", "free", "opaque")
"""The kinds of values that other code may hold as well."""

_EVERY_NAME = frozenset({"locals", "vars", "dir", "eval", "exec"})
_MODES = frozenset(
    ("set_grad_enabled", "__enter__", "__exit__", "enter_context", "set_default_dtype")
    + ("set_default_device", "set_default_tensor_type", "seterr")
)


def beyond_text(lifted: Lifted) -> str | None:
    """What a function does that no reading of its statements one by one shows: it looks at its own
    names as data, so that none may go, or switches gradients on or off for what follows."""
    for node in descendants(lifted.node):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            bare = node.func.id in ("eval", "exec") or not node.args
            if node.func.id in _EVERY_NAME and bare:
                return f"line {node.lineno} reads the names of the function as data"
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = ast.unparse(node.value.func).split(".")[-1]
            if called in _MODES:
                return f"line {node.lineno} switches how what follows is run"
    return None
