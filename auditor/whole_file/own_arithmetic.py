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
_ORDERED = {op: word for op, word in COMPARED.items() if word not in ("eq", "ne")}

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
    used = dict(_used(loop)) if defined else {}
    found = {klass: sorted(own & used.keys()) for klass, own in defined.items()}
    found = {klass: methods for klass, methods in found.items() if methods}
    for klass, methods in found.items():
        for method in methods:
            operands = _behind(loop, used[method])
            for name, word in _objects(tree, function, operands):
                if word == klass:
                    return Own(klass, method, True, name)
    return next((Own(klass, methods[0], False) for klass, methods in found.items()), None)


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


def _used(loop: ast.AST) -> Iterator[tuple[str, list[ast.expr]]]:
    """The operators of a loop, by the methods that define them, each with all that it is used
    on."""
    used: dict[str, list[ast.expr]] = {}
    for node in everything_in(loop):
        words: list[str] = []
        operands: list[ast.expr] = []
        if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
            words, operands = [BINARY[type(node.op)]], [node.left, node.right]
        elif isinstance(node, ast.AugAssign) and type(node.op) in BINARY:
            words, operands = [BINARY[type(node.op)]], [node.target, node.value]
        elif isinstance(node, ast.Compare):
            words = [_ORDERED[type(op)] for op in node.ops if type(op) in _ORDERED]
            operands = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("max", "min", "sum"):
            words = ["add"] if ast.unparse(node.func) == "sum" else ["lt", "gt"]
            operands = node.args
        for word in words:
            used.setdefault(f"__{word}__", []).extend(operands)
    yield from used.items()


def _behind(loop: ast.AST, operands: list[ast.expr]) -> list[ast.expr]:
    """The operands, and what those that a loop binds are taken from."""
    names = {node.id for node in operands if isinstance(node, ast.Name)}
    walked = [
        node.iter for node in everything_in(loop)
        if isinstance(node, (ast.For, ast.comprehension))
        and any(isinstance(n, ast.Name) and n.id in names for n in everything_in(node.target))
    ]  # fmt: skip
    return [*operands, *(n for one in walked for n in everything_in(one)
                         if isinstance(n, ast.expr))]  # fmt: skip


def _objects(
    tree: ast.Module,
    function: ast.FunctionDef | ast.AsyncFunctionDef | None,
    operands: list[ast.expr],
) -> Iterator[tuple[str | None, str]]:
    """The operands that are objects, by their names, and of which class they may be; what is made
    where it is used has no name."""
    names = {node.id for node in operands if isinstance(node, ast.Name)}
    if function is not None:
        given = function.args
        for arg in (*given.posonlyargs, *given.args, *given.kwonlyargs):
            if arg.arg in names and arg.annotation is not None:
                yield from ((arg.arg, word) for word in _words(arg.annotation))
    for statement in everything_in(function) if function is not None else tree.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            if statement.target.id in names:
                yield from ((statement.target.id, word) for word in _words(statement.annotation))
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in targets:
                if isinstance(target, ast.Name) and target.id in names:
                    yield from ((target.id, word) for word in _made(statement.value))
    for node in operands:
        yield from ((None, word) for word in _made(node))


def _made(node: ast.expr) -> Iterator[str]:
    """What is called in an expression."""
    for inner in everything_in(node):
        if isinstance(inner, ast.Call):
            called = inner.func
            while isinstance(called, ast.Attribute):
                called = called.value
            if isinstance(called, ast.Name):
                yield called.id


def _words(node: ast.AST) -> Iterator[str]:
    """The names in an annotation, also in one that is a text."""
    for inner in everything_in(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
            yield inner.id
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield from re.findall(r"\w+", inner.value)
