"""Operators that classes of the file define: ``a + b`` of their objects has laws of its own, so
that what is proven of numbers is not proven of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from auditor.tree import everything_in

BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.MatMult: "matmul", ast.Div: "truediv",
    ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow", ast.BitAnd: "and", ast.BitOr: "or",
    ast.BitXor: "xor", ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne",
}  # fmt: skip
_ORDERS = ("lt", "gt")

_classes: WeakKeyDictionary[ast.AST, Mapping[str, frozenset[str]]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Own:
    """An operator of a class of the file that a loop may run: where ``told``, it is known that an
    object of the class is there, under ``name`` if it has one."""

    klass: str
    operator: str
    told: bool
    name: str | None = None

    @property
    def said(self) -> str:
        """Where it is told: why the laws of numbers say nothing."""
        what = f"`{self.name}` may be" if self.name else "there is"
        return f"{what} an object of `{self.klass}`, which has its own `{self.operator}`"

    @property
    def supposed(self) -> str:
        return f"nothing is an object of `{self.klass}`, which has its own `{self.operator}`"


def own_operator(
    tree: ast.Module, function: ast.FunctionDef | ast.AsyncFunctionDef | None, loop: ast.AST
) -> Own | None:
    """What a loop runs of the classes of its file, or may: first what is known to be there."""
    defined = _defined(tree)
    used = set(_used(loop)) if defined else set()
    found = {klass: sorted(own & used) for klass, own in defined.items() if own & used}
    if not found:
        return None
    for name, klass in _objects(tree, function, loop):
        if klass in found:
            return Own(klass, found[klass][0], True, name)
    klass = next(iter(found))
    return Own(klass, found[klass][0], False)


def _defined(tree: ast.Module) -> Mapping[str, frozenset[str]]:
    """The classes of the file that define operators, also by what they are derived from."""
    if tree not in _classes:
        classes = [node for node in everything_in(tree) if isinstance(node, ast.ClassDef)]
        own = {klass.name: set(_methods(klass)) for klass in classes}
        for _ in classes:  # what is inherited is inherited on
            for klass in classes:
                for base in klass.bases:
                    if isinstance(base, ast.Name) and base.id in own:
                        own[klass.name] |= own[base.id]
        _classes[tree] = {name: frozenset(methods) for name, methods in own.items() if methods}
    return _classes[tree]


def _methods(klass: ast.ClassDef) -> Iterator[str]:
    words = {*BINARY.values(), *COMPARED.values()}
    for statement in klass.body:
        names = [statement.name] if isinstance(statement, ast.FunctionDef) else []
        if isinstance(statement, ast.Assign):
            names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
        for name in names:
            word = name.removeprefix("__").removesuffix("__")
            if f"__{word}__" == name:
                yield from (f"__{one}__" for one in words if word in (one, f"r{one}", f"i{one}"))


def _used(loop: ast.AST) -> Iterator[str]:
    """The operators of a loop, by the methods that define them."""
    for node in everything_in(loop):
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in BINARY:
            yield f"__{BINARY[type(node.op)]}__"
        elif isinstance(node, ast.Compare):
            yield from (f"__{COMPARED[type(op)]}__" for op in node.ops if type(op) in COMPARED)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("max", "min", "sum"):
            words = ("add",) if ast.unparse(node.func) == "sum" else _ORDERS
            yield from (f"__{word}__" for word in words)


def _objects(
    tree: ast.Module, function: ast.FunctionDef | ast.AsyncFunctionDef | None, loop: ast.AST
) -> Iterator[tuple[str | None, str]]:
    """The names of a loop that hold objects, and of which class they may be; what the loop makes
    itself has none."""
    names = {node.id for node in everything_in(loop) if isinstance(node, ast.Name)}
    if function is not None:
        given = function.args
        for arg in (*given.posonlyargs, *given.args, *given.kwonlyargs):
            if arg.arg in names and arg.annotation is not None:
                yield from ((arg.arg, word) for word in _words(arg.annotation))
    for statement in everything_in(function) if function is not None else tree.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in targets:
                if isinstance(target, ast.Name) and target.id in names:
                    yield from ((target.id, word) for word in _words(statement))
    for node in everything_in(loop):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield None, node.func.id


def _words(node: ast.AST) -> Iterator[str]:
    """The names in an annotation, also one that is a text, or in an assignment."""
    for inner in everything_in(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
            yield inner.id
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield from re.findall(r"\w+", inner.value)
