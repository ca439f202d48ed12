"""What a file binds by way of its own namespace: ``globals()["step"] = other``, ``setattr`` on its
own module, ``exec``. Such a name need not mean what the text defines it as."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from auditor.lift.bound import names_bound
from auditor.lift.settings import targets_of
from auditor.syntax import called_name, is_name
from auditor.tree import descendants, everything_in

ANY = "*"
"""Any name at all: which one is computed, or what is run is."""

_REACHED = re.compile(
    r"\b(?:globals|vars|locals|exec)\(|__globals__|\bf_globals\b|__code__|__k?w?defaults__"
    r"|\[__name__\]|(?:import_module|__import__)\(__name__"
)
# What it finds has one of these, which are found at once.
_WORDS = (
    "globals(", "vars(", "locals(", "exec(", "__globals__", "f_globals", "__code__", "defaults__",
    "[__name__]", "(__name__",
)  # fmt: skip
_BODY = ("__code__", "__defaults__", "__kwdefaults__")
_CHANGING = ("update", "setdefault", "__setitem__", "pop", "popitem", "clear", "__delitem__")
_READING = frozenset(
    "getattr hasattr eval getmembers len list sorted dict id print isinstance type vars dir set"
    " tuple iter getsource getfile getmodule testmod get keys values items".split()
)


def rebound(tree: ast.Module, text: str) -> Iterator[tuple[str, ast.AST]]:
    """The names, or ``ANY``, each with what may bind it."""
    if not any(word in text for word in _WORDS) or _REACHED.search(text) is None:
        return
    nodes = descendants(tree)
    held = {
        target.id for node in nodes if isinstance(node, ast.Assign) and _is_own(node.value, set())
        for target in node.targets if isinstance(target, ast.Name)
    }  # fmt: skip
    outside = {id(node) for statement in tree.body for node in _run_at_once(statement)}
    for node in nodes:
        if isinstance(node, ast.Call):
            found = _by_call(node, held, id(node) in outside)
        elif isinstance(node, ast.stmt):
            found = _by_targets(targets_of(node), held)
        else:
            continue
        for name in found:
            yield name, node if id(node) in outside else tree.body[-1]


def _run_at_once(statement: ast.AST) -> Iterable[ast.AST]:
    """What is run where the file is, and not where a function of it is called."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return ()
    return everything_in(statement)


def _is_own(node: ast.expr, held: set[str]) -> bool:
    """Whether an expression is the file's namespace, or its module."""
    if isinstance(node, ast.Name):
        return node.id in held
    if isinstance(node, ast.Attribute):
        if node.attr == "__dict__":
            return _is_own(node.value, held)
        return node.attr in ("f_globals", "__globals__")
    if isinstance(node, ast.Subscript):
        return is_name(node.slice, "__name__")
    if isinstance(node, ast.Call):
        name, given = called_name(node), [*node.args, *(word.value for word in node.keywords)]
        if name in ("globals", "vars", "locals") and not given:
            return True
        if name == "vars":
            return _is_own(given[0], held)
        return name in ("import_module", "__import__") and is_name(given[0], "__name__")
    return False


def _by_targets(targets: list[ast.expr], held: set[str]) -> Iterator[str]:
    for target in targets:
        for part in everything_in(target):
            stored = isinstance(getattr(part, "ctx", None), (ast.Store, ast.Del))
            if isinstance(part, ast.Attribute) and stored:
                if part.attr in _BODY and isinstance(part.value, ast.Name):
                    yield part.value.id
                elif _is_own(part.value, held):
                    yield part.attr
            elif isinstance(part, ast.Subscript) and stored and _is_own(part.value, held):
                yield _said(part.slice)


def _by_call(call: ast.Call, held: set[str], outside: bool) -> Iterator[str]:
    name = called_name(call) or ""
    if isinstance(call.func, ast.Attribute) and _is_own(call.func.value, held):
        if name in _CHANGING:
            yield from _given(call, name)
    elif name in ("setattr", "delattr") and call.args and _is_own(call.args[0], held):
        yield _said(call.args[1]) if len(call.args) > 1 else ANY
    elif name == "exec":
        if call.args and (outside if len(call.args) == 1 else _is_own(call.args[1], held)):
            yield from _run(call.args[0])
    elif name not in _READING and any(_is_whole(arg, held) for arg in call.args):
        yield ANY


def _is_whole(node: ast.expr, held: set[str]) -> bool:
    """Whether a call is given all the names: what a function calls ``locals()`` are its own."""
    own = isinstance(node, ast.Call) and called_name(node) in ("vars", "locals")
    return _is_own(node, held) and not own


def _given(call: ast.Call, name: str) -> Iterator[str]:
    """The names that a method of the namespace is given."""
    if name in ("clear", "popitem"):
        yield ANY
    elif name != "update":
        yield _said(call.args[0]) if call.args else ANY
    else:
        for word in call.keywords:
            yield word.arg or ANY
        for arg in call.args:
            keys = arg.keys if isinstance(arg, ast.Dict) else [None]
            yield from (_said(key) for key in keys)


def _said(node: ast.expr | None) -> str:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else ANY


def _run(code: ast.expr) -> Iterator[str]:
    """The names that a text binds that is run."""
    text = _said(code)
    if text == ANY:
        yield ANY
        return
    with suppress(SyntaxError):
        yield from (name for node in descendants(ast.parse(text)) for name in names_bound(node))
