"""Calls of a module's own layers: ``self.fc(x)`` where the class makes ``self.fc`` a linear layer,
once and nothing else of it.

Such a layer computes and does nothing else. Dropout draws random numbers and a batch norm keeps
statistics: they are none. A layer that the class hands to another function (to be normalised, say)
may have been changed to do more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from auditor.lift.module import Module
from auditor.syntax import is_name, path_of
from auditor.tree import children, descendants, every_statement

_LAYERS = {
    "Linear": "linear", "Bilinear": "bilinear", "Conv1d": "conv1d", "Conv2d": "conv2d",
    "Conv3d": "conv3d", "LayerNorm": "layer_norm", "GroupNorm": "group_norm",
    "RMSNorm": "rms_norm",
}  # fmt: skip

MOVES = frozenset((
    "to", "type", "float", "double", "half", "bfloat16", "cuda", "cpu", "train", "eval",
    "requires_grad_",
))  # fmt: skip
"""Methods of a module that give it back, moved, cast or set."""

_known: WeakKeyDictionary[ast.ClassDef, dict[str, str]] = WeakKeyDictionary()


def layer_word(module: Module, node: ast.AST) -> str | None:
    """The operation that a call of an own layer is."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if not is_name(node.func.value, "self") or len(node.args) != 1 or node.keywords:
        return None
    around = [
        klass for klass in module.every_class
        if klass.lineno <= node.lineno <= (klass.end_lineno or 0)
    ]  # fmt: skip
    for klass in sorted(around, key=lambda klass: -klass.lineno):
        if klass not in _known:
            _known[klass] = _own(module, klass)
        if node.func.attr in _known[klass]:
            return _known[klass][node.func.attr]
    return None


def layers_in(module: Module, node: ast.AST) -> list[str]:
    """The own layers that an expression calls."""
    calls = [inner for inner in descendants(node) if layer_word(module, inner) is not None]
    return [ast.unparse(call.func) for call in calls if isinstance(call, ast.Call)]


_HANDING = frozenset((ast.Call, ast.keyword, ast.AugAssign, ast.AnnAssign, ast.Delete))


def _own(module: Module, klass: ast.ClassDef) -> dict[str, str]:
    """The layers that a class makes and hands to nobody, with their operations."""
    made: dict[str, list[str | None]] = {}
    for node in every_statement(klass.body):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for part in descendants(target):
                    if isinstance(part, ast.Attribute) and is_name(part.value, "self"):
                        plain = part is target and len(node.targets) == 1
                        word = _made(module, node.value) if plain else None
                        made.setdefault(part.attr, []).append(word)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            made.setdefault(node.name, []).append(None)
    found = {
        name: words[0] for name, words in made.items()
        if len(words) == 1 and words[0] is not None
    }  # fmt: skip
    for handed in _handed(klass) if found else ():
        found.pop(handed, None)
    return found


def _handed(klass: ast.ClassDef) -> Iterator[str]:
    """The attributes of its objects that a class gives to a call, or changes."""
    for node in descendants(klass):
        if type(node) not in _HANDING:
            continue
        for part in node.args if isinstance(node, ast.Call) else children(node):
            if isinstance(part, ast.Attribute) and is_name(part.value, "self"):
                yield part.attr


def _made(module: Module, node: ast.expr) -> str | None:
    while (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and node.func.attr in MOVES and isinstance(node.func.value, ast.Call)
    ):  # fmt: skip
        node = node.func.value
    path = path_of(module, node.func) if isinstance(node, ast.Call) else None
    library, _, name = (path or "").rpartition(".")
    return _LAYERS.get(name) if library == "torch.nn" else None
