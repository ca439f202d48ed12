"""Objects that hold options: attributes, or items by their words, are read of them, and nothing
else is done."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from auditor.lift.bound import own_names
from auditor.tree import OfNodes, children, descendants

if TYPE_CHECKING:
    from auditor.lift.module import Module

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_ARRAYS = frozenset(
    ("shape", "dtype", "device", "ndim", "size", "data", "grad", "real", "imag", "layout")
    + ("T", "mT", "H", "mH", "requires_grad", "flat", "nbytes", "itemsize", "is_cuda", "strides")
)

_OF_FRAMES = frozenset(("pandas", "xarray"))
_ASKING = frozenset(("get", "items", "keys", "values", "copy"))

Options = Mapping[tuple[str, str], float]
"""For ``(name, attribute)``, or the name and the word of an item as it is written in brackets, the
line up to which it holds one value."""


def options_of(module: Module, root: ast.FunctionDef | ast.Module) -> Options:
    """The attributes and items of parameters, and of what a call gives once, of which these are
    read and nothing else is done until some line: no call is given the object or is one of its
    methods, and none of its attributes is an array's. Those that are set are left out."""
    known = _KNOWN.get(root)
    if known is not None:
        return known
    found = _found(root, module.parents(root))
    if _asks_more(module):
        found = {(name, part): line for (name, part), line in found.items()
                 if not part.startswith("[")}  # fmt: skip
    return _KNOWN.keep(root, found)


def held_options(module: Module) -> frozenset[str]:
    """The attributes of objects of which, in all of the file, items are read by their words and
    nothing else is done, but for setting the attribute itself and asking as dictionaries let."""
    known = _HELD.get(module.tree)
    if known is not None:
        return known
    items, others = set[str](), set[str]()
    parents = module.parents(module.tree)
    for node in descendants(module.tree):
        if not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Store):
            continue
        above = parents[node]
        by_word = isinstance(above, ast.Subscript) and item_word(above) is not None
        if by_word and isinstance(above.ctx, ast.Load):  # type: ignore[attr-defined]
            items.add(node.attr)
        elif not (
            isinstance(above, ast.Attribute) and above.attr in _ASKING
            and _is_called(above, parents)
        ):  # fmt: skip
            others.add(node.attr)
    return _HELD.keep(
        module.tree, frozenset[str]() if _asks_more(module) else frozenset(items - others)
    )


def _asks_more(module: Module) -> bool:
    """Whether what an item is asked of may be a frame, or reading one may run a method of the file
    that does not merely compute."""
    from auditor.surroundings.purity import does_more

    if module.arrays & _OF_FRAMES:
        return True
    return ("__getitem__" in module.text or "__missing__" in module.text) and any(
        isinstance(node, ast.FunctionDef) and node.name in ("__getitem__", "__missing__")
        and does_more(module, node)
        for klass in module.every_class for node in klass.body
    )  # fmt: skip


_KNOWN = OfNodes[Options]("options")
_HELD = OfNodes[frozenset[str]]("held_options")


def _found(root: ast.FunctionDef | ast.Module, parents: Mapping[ast.AST, ast.AST]) -> Options:
    given = [node.arg for node in children(root.args) if isinstance(node, ast.arg)] if isinstance(
        root, ast.FunctionDef) else []  # fmt: skip
    bound = dict.fromkeys(given, 1)
    read: dict[str, set[str]] = {}
    written: dict[str, set[str]] = {}
    until: dict[str, float] = {}
    every = descendants(root)[1:]
    inner = any(isinstance(node, _FUNCTIONS) for node in every)
    for node in _of_scope(root) if inner else every:
        if not isinstance(node, ast.Name):
            continue
        above = parents[node]
        if not isinstance(node.ctx, ast.Load):
            once = isinstance(above, ast.Assign) and isinstance(above.value, ast.Call)
            bound[node.id] = bound.get(node.id, 0) + (1 if once else 2)
        elif (part := _part(above, node)) is not None and not _is_called(above, parents):
            of = read if isinstance(above.ctx, ast.Load) else written  # type: ignore[attr-defined]
            of.setdefault(node.id, set()).add(part)
        elif not _lists_attributes(above):
            until[node.id] = min(until.get(node.id, math.inf), _first_line(node, root, parents))
    return {
        (name, attribute): until.get(name, math.inf)
        for name, attributes in read.items()
        if bound.get(name) == 1 and not _ARRAYS & attributes
        for attribute in attributes - written.get(name, set())
    }


def _of_scope(root: ast.AST, hidden: frozenset[str] = frozenset()) -> Iterator[ast.AST]:
    """The nodes below ``root`` but for names that a function within has of its own."""
    for node in children(root):
        if isinstance(node, ast.Name):
            if node.id not in hidden:
                yield node
            continue
        yield node
        own = own_names(node).keys() if isinstance(node, _FUNCTIONS) else ()
        yield from _of_scope(node, hidden | frozenset(own))


def _part(node: ast.AST, of: ast.Name) -> str | None:
    """Which attribute or item of an object a node is."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return item_word(node) if isinstance(node, ast.Subscript) and node.value is of else None


def item_word(node: ast.Subscript) -> str | None:
    """The word of an item, in brackets: ``['rate']``."""
    word = node.slice.value if isinstance(node.slice, ast.Constant) else None
    return f"[{word!r}]" if isinstance(word, str) else None


def _is_called(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    above = parents[node]
    return isinstance(above, ast.Call) and above.func is node


def _lists_attributes(node: ast.AST) -> bool:
    """``vars(args)``."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "vars"


def _first_line(node: ast.AST, root: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> float:
    """The first line that may run after ``node`` did: that of the outermost loop around it; none is
    sure where a function within has it, which may be called anywhere."""
    line: float = getattr(node, "lineno", 0)
    while node is not root:
        node = parents[node]
        if isinstance(node, (ast.For, ast.While, ast.AsyncFor)):
            line = node.lineno
        elif node is not root and isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            return 0
    return line
