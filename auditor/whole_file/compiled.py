"""Functions that something else than Python runs: it reads their text, or what they do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.lift import Lifted
from auditor.lift.module import Module
from auditor.syntax import path_of
from auditor.tree import descendants, everything_in
from auditor.whole_file.handed_on import compilers_of
from auditor.whole_file.known_as import bound_to, names_of

_COMPILERS = ("script", "script_method", "script_if_tracing", "export", "jit", "njit", "vectorize")
_UNREAD = ("jit.ignore", "jit.unused")
_READERS = ("jit.script", "symbolic_trace")
_EXPORTED = re.compile(r"^#\s*pythran export\b", re.MULTILINE)


def loops_are_compiled(lifted: Lifted) -> bool:
    """Whether a compiler makes machine code of the function: its loops cost nothing, and what
    would stand in their place may be no part of the language."""
    module = lifted.module
    if "pythran" in module.text and _EXPORTED.search(module.text) is not None:
        return True
    compilers = compilers_of(module)
    if compilers is None:
        return False
    if any(compilers.decorates(node) for node in _around(lifted)):
        return True
    function = isinstance(lifted.node, ast.FunctionDef)
    return function and compilers.meets(names_of(lifted))


def _around(lifted: Lifted) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """The function, and the functions and classes that it stands in."""
    if isinstance(lifted.node, ast.FunctionDef):
        line = lifted.node.lineno
        for node in everything_in(lifted.module.tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                if node.lineno <= line <= (node.end_lineno or 0):
                    yield node


def _called(node: ast.FunctionDef | ast.ClassDef) -> Iterator[ast.expr]:
    for decorator in node.decorator_list:
        yield decorator.func if isinstance(decorator, ast.Call) else decorator


def compiled_from_source(lifted: Lifted) -> bool:
    """Whether TorchScript or another compiler that knows no kernels reads the function's text, or
    FX its operations with no values to decide by."""
    node, klass = lifted.node, lifted.lifter.klass
    if not isinstance(node, ast.FunctionDef):
        return False
    if _compiles(node) or (klass is not None and _compiles(klass.node)):
        return True
    if not any(name in lifted.module.text for name in ("script", "symbolic_trace")):
        return False
    own, compiled = _with_users(lifted.module, names_of(lifted))
    readers = _readers(lifted.module)
    return compiled or any(
        isinstance(call, ast.Call)
        and (ast.unparse(call.func) in readers
             or (path_of(lifted.module, call.func) or ast.unparse(call.func)).endswith(_READERS))
        and any(isinstance(n, (ast.Name, ast.Attribute))
                and (n.id if isinstance(n, ast.Name) else n.attr) in own
                for arg in call.args for n in everything_in(arg))
        for call in descendants(lifted.module.tree)
    )  # fmt: skip


def _compiles(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Whether a definition says itself that a compiler reads it."""
    if isinstance(node, ast.ClassDef):
        return any("ScriptModule" in ast.unparse(base) for base in node.bases)
    return any(ast.unparse(called).split(".")[-1] in _COMPILERS for called in _called(node))


def _with_users(module: Module, names: frozenset[str]) -> tuple[frozenset[str], bool]:
    """The names of a function and of all functions and classes of the file that go on to use it: a
    compiler that reads these reads it too. Whether one of them says that a compiler does."""
    known, compiled = set(names), False
    others = [
        node for node in module.statements
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not _passed_over(node)
    ]  # fmt: skip
    before = -1
    while len(known) > before:
        before = len(known)
        for node in others:
            if node.name not in known and _mentions(node, known):
                known.add(node.name)
                compiled = compiled or _compiles(node)
        known = set(bound_to(known, module.statements))
    return frozenset(known), compiled


def _passed_over(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Whether TorchScript leaves a definition to Python."""
    return any(ast.unparse(called).endswith(_UNREAD) for called in _called(node))


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id in names for inner in descendants(node))


def _readers(module: Module) -> frozenset[str]:
    """The names that the file gives to what reads a function's text."""
    return frozenset(
        ast.unparse(target)
        for node in module.statements if isinstance(node, ast.Assign)
        if (path_of(module, node.value) or "").endswith(_READERS)
        for target in node.targets
    )  # fmt: skip
