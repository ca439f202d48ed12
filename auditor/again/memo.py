"""Whether a function is one of its arguments alone, and what kind of thing it returns: what has to
hold for its results to be kept."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field

from auditor.again.candidates import LOOPS
from auditor.again.held_around import changed_around
from auditor.lift.changes import base
from auditor.lift.module import Module
from auditor.syntax import path_of, subscripted
from auditor.tree import children, descendants

_PURE = frozenset(
    "min max abs len range sum any all int float str bool tuple sorted reversed enumerate zip ord"
    " chr round divmod pow isinstance frozenset list set dict hash complex".split()
)
_TEXT = frozenset(
    "startswith endswith lower upper strip find index count join split isdigit isalpha replace"
    " bit_length items keys values get copy".split()
)
_GROWS = frozenset("append extend insert add update appendleft remove discard pop sort".split())
_CALMS = ("math.", "operator.", "cmath.")
_FRESH = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_FORBIDDEN = {
    ast.Global: "it writes names of the module", ast.Nonlocal: "it writes names around it",
    ast.Yield: "it is a generator", ast.YieldFrom: "it is a generator",
    ast.Await: "it waits", ast.With: "it opens something", ast.Import: "it imports",
    ast.ImportFrom: "it imports", ast.Lambda: "it makes functions",
    ast.Delete: "it deletes something", ast.ClassDef: "it makes a class",
    ast.NamedExpr: "it binds names in expressions",
}  # fmt: skip


def inside(function: ast.FunctionDef) -> list[ast.AST]:
    """The nodes of a function's body; its decorators and annotations are left out."""
    return [node for statement in function.body for node in descendants(statement)]


def locals_of(function: ast.FunctionDef) -> set[str]:
    """The parameters of a function and the names that it binds."""
    found = {node.arg for node in descendants(function) if isinstance(node, ast.arg)}
    return found | {
        node.id for node in descendants(function)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }  # fmt: skip


def impurity(module: Module, function: ast.FunctionDef, around: frozenset[str]) -> str | None:
    """What a function does besides computing a value; ``around`` are functions being asked."""
    own = _own_containers(function)
    for node in inside(function):
        if type(node) in _FORBIDDEN:
            return _FORBIDDEN[type(node)]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return "it makes functions"
        if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            if base(node) not in own:
                return f"it writes into `{module.brief(node)}`"
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            given = {arg.arg for arg in descendants(function) if isinstance(arg, ast.arg)}
            if node.target.id in given and not _counted(node):
                return f"it may change `{node.target.id}` in place"
        if isinstance(node, ast.Call):
            reason = _called(module, function, node, own, around | {function.name})
            if reason is not None:
                return reason
    return None


def _counted(node: ast.AugAssign) -> bool:
    return isinstance(node.value, ast.Constant)


def _own_containers(function: ast.FunctionDef) -> set[str]:
    """The names of lists and the like that a function makes and binds to nothing else."""
    made: set[str] = set()
    other: set[str] = set()
    for node in descendants(function):
        if isinstance(node, ast.Assign):
            fresh = isinstance(node.value, _FRESH)
            if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name):
                fresh = node.value.func.id in ("list", "dict", "set", "sorted")
            for target in node.targets:
                if isinstance(target, ast.Name):
                    (made if fresh else other).add(target.id)
        elif isinstance(node, ast.arg):
            other.add(node.arg)
    return made - other


def _called(
    module: Module, function: ast.FunctionDef, call: ast.Call, own: set[str],
    around: frozenset[str],
) -> str | None:  # fmt: skip
    name = module.brief(call.func)
    if isinstance(call.func, ast.Name):
        if call.func.id in around:
            return None
        if call.func.id in module.functions and call.func.id not in locals_of(function):
            inner = module.functions[call.func.id]
            reason = impurity(module, inner, around)
            reason = reason or reads_changing(module, inner, None)
            return f"it calls `{name}`: {reason}" if reason else None
        known = call.func.id in _PURE or call.func.id.endswith(("Error", "Exception"))
        taken = call.func.id in module.bound or call.func.id in locals_of(function)
        known = known and hasattr(builtins, call.func.id) and not taken
        return None if known else f"it calls `{name}`"
    path = path_of(module, call.func)
    if path is not None:
        return None if path.startswith(_CALMS) else f"it calls `{name}`"
    if isinstance(call.func, ast.Attribute):
        if call.func.attr in _TEXT:
            return None
        if call.func.attr in _GROWS and base(call.func.value) in own:
            return None
    return f"it calls `{name}`"


def reads_changing(
    module: Module, function: ast.FunctionDef, outer: ast.FunctionDef | None
) -> str | None:
    """Why what a function reads of the scopes around it may not stay: a name of the module that is
    no constant, a variable of ``outer`` that is bound or written again."""
    own = locals_of(function)
    theirs = locals_of(outer) if outer is not None else set()
    inherited = {
        node.id for node in inside(function)
        if isinstance(node, ast.Name) and node.id not in own and node.id != function.name
    }  # fmt: skip
    for name in sorted(inherited):
        if name in theirs:
            assert outer is not None
            if name in _PURE:
                return f"it calls `{name}`, which is no builtin here"
            reason = _written_around(module, outer, function, name)
            if reason is not None:
                return reason
        elif name in module.constants:
            if not _immutable(module.constants[name]):
                return f"it reads `{name}`, which may be changed"
        elif name in module.functions or name in module.names:
            continue
        elif name in module.bound or not hasattr(builtins, name):
            return f"it reads `{name}`, which may be changed"
    return None


def _immutable(node: ast.expr) -> bool:
    if isinstance(node, (ast.Tuple, ast.UnaryOp, ast.BinOp)):
        return all(_immutable(part) for part in children(node) if isinstance(part, ast.expr))
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("float", "int", "frozenset")
    return isinstance(node, ast.Constant) or (
        isinstance(node, ast.Attribute) and node.attr in ("inf", "pi", "e")
    )


def _written_around(
    module: Module, outer: ast.FunctionDef, function: ast.FunctionDef, name: str
) -> str | None:
    bound = [
        node for node in descendants(outer)
        if (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.arg) and node.arg == name)
    ]  # fmt: skip
    reason = f"it reads `{name}`, which is bound or written again"
    if len(bound) > 1 or any(_comes_round(outer, function, node) for node in bound):
        return reason
    changed = changed_around(module, outer, function, name)
    return None if changed is None else f"{changed} may change `{name}`, which it reads"


def _comes_round(outer: ast.FunctionDef, function: ast.FunctionDef, binding: ast.AST) -> bool:
    """Whether a loop brings another value to a name while the inner function stays the same, or
    after it was made."""
    around = [
        node for node in descendants(outer)
        if isinstance(node, (*LOOPS, ast.AsyncFor)) and binding in descendants(node)
    ]  # fmt: skip
    if not around:
        return False
    made_anew = function in descendants(around[-1])
    line = getattr(binding, "lineno", 0)
    return not made_anew or line > function.lineno


def leaves(outer: ast.FunctionDef, function: ast.FunctionDef) -> bool:
    """Whether an inner function is used other than by calling it."""
    called = {node.func for node in descendants(outer) if isinstance(node, ast.Call)}
    return any(
        isinstance(node, ast.Name) and node.id == function.name and node not in called
        for node in descendants(outer)
    )


# -- what is returned


@dataclass
class Returned:
    """``changeable`` is a returned expression that may be changed in place; ``items`` are those of
    which nothing is known."""

    changeable: ast.expr | None = None
    items: list[str] = field(default_factory=list)
    anything: bool = False


def returned(module: Module, function: ast.FunctionDef) -> Returned:
    """What a function returns."""
    kinds = _Kinds(module, function)
    for node in descendants(function):
        if isinstance(node, ast.Return) and node.value is not None:
            kinds.found.anything |= not (
                isinstance(node.value, ast.Constant) and node.value.value is None
            )
            kinds.ask(node.value, node.value)
    return kinds.found


class _Kinds:
    def __init__(self, module: Module, function: ast.FunctionDef) -> None:
        self.module, self.function = module, function
        self.found = Returned()
        self.seen: set[str] = set()
        self.given = {node.arg for node in descendants(function) if isinstance(node, ast.arg)}

    def ask(self, node: ast.expr, whole: ast.expr) -> None:
        """Look at what ``node`` may evaluate to, as a part of a returned expression."""
        if isinstance(node, (*_FRESH, ast.GeneratorExp, ast.Lambda)):
            self.found.changeable = self.found.changeable or whole
        elif isinstance(node, (ast.Constant, ast.Compare, ast.JoinedStr)):
            return
        elif isinstance(node, ast.BinOp):
            self.ask(node.left, whole)
            self.ask(node.right, whole)
        elif isinstance(node, ast.UnaryOp):
            self.ask(node.operand, whole)
        elif isinstance(node, ast.IfExp):
            self.ask(node.body, whole)
            self.ask(node.orelse, whole)
        elif isinstance(node, (ast.BoolOp, ast.Tuple)):
            for part in node.values if isinstance(node, ast.BoolOp) else node.elts:
                self.ask(part.value if isinstance(part, ast.Starred) else part, whole)
        elif isinstance(node, ast.Call):
            self._call(node, whole)
        elif isinstance(node, ast.Name):
            self._name(node.id, whole)
        elif not (isinstance(node, ast.Subscript) and self._is_own(node.value)):
            self.found.items.append(self.module.brief(node))

    def _is_own(self, node: ast.expr) -> bool:
        """Whether an expression is a result of the function itself, or a part of one."""
        node = subscripted(node)
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id == self.function.name
        if not isinstance(node, ast.Name):
            return False
        values: list[ast.expr] = []
        for inner in descendants(self.function):
            if not isinstance(inner, ast.Assign):
                continue
            for target in inner.targets:
                if isinstance(target, ast.Name) and target.id == node.id:
                    values.append(inner.value)
                elif isinstance(target, ast.Tuple) and isinstance(inner.value, ast.Tuple):
                    values += [
                        value for one, value in zip(target.elts, inner.value.elts, strict=False)
                        if isinstance(one, ast.Name) and one.id == node.id
                    ]  # fmt: skip
        return bool(values) and all(
            isinstance(v, ast.Call) and isinstance(v.func, ast.Name)
            and v.func.id == self.function.name
            for v in values
        )  # fmt: skip

    def _call(self, call: ast.Call, whole: ast.expr) -> None:
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name == self.function.name:
            return
        if name in ("min", "max", "sum", "tuple", "frozenset", "abs"):
            for arg in call.args:
                if isinstance(arg, (ast.GeneratorExp, ast.ListComp)):
                    self._comprehension(arg, whole)
                elif len(call.args) > 1 or isinstance(arg, (ast.List, ast.Tuple)):
                    parts = arg.elts if isinstance(arg, (ast.List, ast.Tuple)) else [arg]
                    for part in parts:
                        self.ask(part.value if isinstance(part, ast.Starred) else part, whole)
                elif not isinstance(arg, ast.Starred):
                    self.found.items.append(self.module.brief(call))
        elif name in ("list", "sorted", "dict", "set"):
            self.found.changeable = self.found.changeable or whole
        elif name in self.module.functions:
            inner = returned(self.module, self.module.functions[name])
            if inner.changeable is not None:
                self.found.changeable = self.found.changeable or whole
            self.found.items += inner.items

    def _comprehension(self, node: ast.GeneratorExp | ast.ListComp, whole: ast.expr) -> None:
        self.ask(node.elt, whole)

    def _name(self, name: str, whole: ast.expr) -> None:
        if name in self.seen or name in self.given:
            return
        self.seen.add(name)
        for node in descendants(self.function):
            if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if node.value is None:
                    continue
                for target in targets:
                    if isinstance(target, ast.Name) and target.id == name:
                        self.ask(node.value, whole)
                    elif isinstance(target, (ast.Tuple, ast.List)):
                        if any(isinstance(n, ast.Name) and n.id == name for n in target.elts):
                            self._unpacked(target, node.value, name, whole)

    def _unpacked(
        self, target: ast.Tuple | ast.List, value: ast.expr, name: str, whole: ast.expr
    ) -> None:
        if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
            for one, part in zip(target.elts, value.elts, strict=True):
                if isinstance(one, ast.Name) and one.id == name:
                    self.ask(part, whole)
            return
        self.ask(value, whole)
