"""Operations that classes of the file define: ``a @ b`` and ``d.mean()`` may be theirs, unless it
is known what `a` and `d` are. Arithmetic of a class has laws of its own, and so has an order that
it defines by several methods; its others matter where they do more than compute and would be
called less often.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from weakref import WeakKeyDictionary

from auditor.lift import Lifted
from auditor.lift.bound import COMPREHENSIONS
from auditor.lift.module import Module
from auditor.notation import Span, Value
from auditor.surroundings.purity import does_more
from auditor.syntax import path_of
from auditor.tree import descendants
from auditor.verdict import Finding
from auditor.whole_file.own_arithmetic import BINARY, COMPARED

_UNARY: Mapping[type[ast.unaryop], str] = {ast.USub: "neg", ast.Invert: "invert"}
_ARITHMETIC = frozenset(
    f"__{way}{word}__" for way in ("", "r", "i") for word in BINARY.values()
)  # fmt: skip
_OTHERS = frozenset(
    (*(f"__{word}__" for word in (*_UNARY.values(), *COMPARED.values())),
     "__getitem__", "__iter__", "__next__", "__len__")
)  # fmt: skip
_ORDER = frozenset(f"__{word}__" for word in COMPARED.values()) - {"__eq__", "__ne__"}
_WALKING = frozenset("sum max min any all sorted list tuple set enumerate zip".split())

_SHARING = ("RED501", "RED502")
"""Rules that let something be computed less often."""

_defined: WeakKeyDictionary[ast.AST, Mapping[str, str]] = WeakKeyDictionary()


def without_own(findings: list[Finding], lifted: Lifted) -> list[Finding]:
    """The findings of a function; those whose code may call what a class of the file defines are
    not safe."""
    if not any(one.fix is not None and one.fix.applicability == "safe" for one in findings):
        return findings
    defined = _operations(lifted.module)
    if not defined:
        return findings
    return [
        _doubted(one, lifted, defined)
        if one.fix is not None and one.fix.applicability == "safe" else one
        for one in findings
    ]  # fmt: skip


def _doubted(finding: Finding, lifted: Lifted, defined: Mapping[str, str]) -> Finding:
    assert finding.fix is not None
    for name in _called(lifted, finding.span):
        if name in defined and (name in _ARITHMETIC | _ORDER or finding.code in _SHARING):
            doubt = f"an operand may be an object of `{defined[name]}`, which has its own `{name}`"
            return replace(finding, fix=finding.fix.doubted(doubt))
    return finding


def _operations(module: Module) -> Mapping[str, str]:
    """The operations that classes of a file define, each with the name of a class."""
    if module.tree not in _defined:
        _defined[module.tree] = {
            method.name: klass.name
            for klass in module.every_class for method in klass.body
            if isinstance(method, ast.FunctionDef) and _matters(module, klass, method)
        }  # fmt: skip
    return _defined[module.tree]


def _matters(module: Module, klass: ast.ClassDef, method: ast.FunctionDef) -> bool:
    if method.name in _ARITHMETIC:
        return True
    if method.name in _ORDER:  # what replaces a loop may ask the other way round
        named = {each.name for each in klass.body if isinstance(each, ast.FunctionDef)}
        if len(named & _ORDER) > 1:
            return True
    asked = method.name in _OTHERS or not method.name.startswith("__")
    return asked and does_more(module, method)


def _called(lifted: Lifted, span: Span) -> Iterator[str]:
    """The methods that the code of a span may run on objects of which nothing is known."""
    unknown = partial(_unknown, lifted)
    for node in descendants(lifted.node):
        if not isinstance(node, (ast.expr, ast.stmt)) or not span.covers(lifted.module.span(node)):
            continue
        if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
            word = BINARY[type(node.op)]
            yield from (f"__{word}__" for _ in unknown(node.left))
            yield from (f"__r{word}__" for _ in unknown(node.right))
        elif isinstance(node, ast.AugAssign) and type(node.op) in BINARY:
            word = BINARY[type(node.op)]
            either = [*unknown(node.target), *unknown(node.value)]
            yield from (f"__{way}{word}__" for way in ("i", "", "r") for _ in either[:1])
        elif isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
            yield from (f"__{_UNARY[type(node.op)]}__" for _ in unknown(node.operand))
        elif isinstance(node, ast.Compare):
            words = [COMPARED[type(op)] for op in node.ops if type(op) in COMPARED]
            either = [one for part in (node.left, *node.comparators) for one in unknown(part)]
            yield from (f"__{word}__" for word in words for _ in either[:1])
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            yield from ("__getitem__" for _ in unknown(node.value))
        elif isinstance(node, ast.For):
            yield from ("__iter__" for _ in unknown(node.iter))
        elif isinstance(node, COMPREHENSIONS):
            yield from ("__iter__" for each in node.generators for _ in unknown(each.iter))
        elif isinstance(node, ast.Call):
            yield from _by_call(lifted.module, node, unknown)


def _by_call(
    module: Module, node: ast.Call, unknown: Callable[[ast.expr], Iterator[ast.expr]]
) -> Iterator[str]:
    called = node.func
    if isinstance(called, ast.Attribute) and path_of(module, called) is None:
        yield from (called.attr for _ in unknown(called.value))
    elif isinstance(called, ast.Name) and called.id in _WALKING:
        yield from ("__iter__" for arg in node.args for _ in unknown(arg))


def _unknown(lifted: Lifted, node: ast.expr) -> Iterator[ast.expr]:
    """The expression, if nothing says of which library it is."""
    found = lifted.lifter.values.get(node)
    if isinstance(found, Value) and found.library is None and found.dtype is None:
        yield node
