"""Arrays of objects, as the code says: each item has a type and operators of its own, which whole
arrays do not ask for in the same way, and what is computed of them are objects again. So it is with
NumPy's matrices, its arrays with masks and arrays of SciPy that are mostly zeros: these have
operators of their own as a whole."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable

from auditor.lift.module import Module
from auditor.syntax import bindings, is_name, path_of
from auditor.tree import children, everything_in
from auditor.verdict import Edit

_OBJECTS = ("object", "O")
_NUMBERS = frozenset(("len", "float", "int", "bool", "complex", "range"))
_ABOUT = frozenset(("shape", "ndim", "size", "astype", "item", "tolist"))
_WORDS = ("object", '"O"', "'O'", "full(")
_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_OTHERWISE = tuple(
    map(re.compile, ("matrix", r"mat\((?:(?<=\bmat\()|(?<=\bbmat\())", r"ma(?<=\bma)\b",
                     "MaskedArray", "sparse"))
)  # fmt: skip
"""Each begins with what is found at once."""
_MATRICES = frozenset(f"numpy.{name}" for name in ("matrix", "asmatrix", "mat", "bmat"))
_PLAIN = frozenset(
    ("array", "asarray", "ascontiguousarray", "toarray", "filled", "tolist", "item", "compressed")
)
"""What gives a plain array, or numbers, of any other."""

_Makes = Callable[[Module, ast.AST, set[str]], bool]


def of_objects(module: Module, function: ast.AST, edits: Iterable[Edit]) -> str | None:
    """Why the new code may not take some name as a whole: it holds an array of objects."""
    objects = any(word in module.text for word in _WORDS)
    otherwise = any(pattern.search(module.text) for pattern in _OTHERWISE)
    if not objects and not otherwise:
        return None
    named = {name for edit in edits for name in _WORD.findall(edit.content)}
    if objects and (found := sorted(named & _holding(module, function, _makes))):
        return f"`{found[0]}` holds objects, each with operators of its own"
    if otherwise and (found := sorted(named & _holding(module, function, _multiplies_otherwise))):
        return f"`{found[0]}` is no plain array, and has operators of its own"
    return None


def _holding(module: Module, function: ast.AST, makes: _Makes) -> set[str]:
    """The names that are bound to such arrays, or to what is taken or computed from them."""
    bound = list(bindings(function))
    held: set[str] = set()
    while True:
        more = {
            node.id for target, value in bound if makes(module, value, held)
            for node in everything_in(target) if isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store)
        }  # fmt: skip
        if more <= held:
            return held
        held |= more


def _makes(module: Module, node: ast.AST, held: set[str]) -> bool:
    """Whether an expression gives objects, or reads them."""
    if isinstance(node, ast.Name):
        return node.id in held or node.id == "object"
    if isinstance(node, ast.Attribute):
        numpys = (path_of(module, node) or "").rpartition(".")[2] == "object_"
        return numpys or (node.attr not in _ABOUT and _makes(module, node.value, held))
    if isinstance(node, ast.Call):
        if any(is_name(node.func, name) for name in _NUMBERS):
            return False
        given = [*node.args, *(word.value for word in node.keywords if word.arg == "dtype")]
        if any(isinstance(one, ast.Constant) and one.value in _OBJECTS for one in given):
            return True
        if path_of(module, node.func) == "numpy.full" and any(map(_is_none, node.args[1:])):
            return True
    return any(_makes(module, child, held) for child in children(node))


def _multiplies_otherwise(module: Module, node: ast.AST, held: set[str]) -> bool:
    """Whether an expression gives a matrix, an array with a mask or a sparse one."""
    if isinstance(node, ast.Name):
        return node.id in held
    if isinstance(node, ast.Attribute):
        plain = node.attr in _ABOUT or node.attr in ("A", "A1", "data", "mask")
        return not plain and _multiplies_otherwise(module, node.value, held)
    if isinstance(node, ast.Call):
        path = path_of(module, node.func) or ""
        if path in _MATRICES or path.startswith(("numpy.ma.", "scipy.sparse.")):
            return True
        name = (path or ast.unparse(node.func)).rpartition(".")[2]
        if name in _PLAIN | _NUMBERS:
            return False
    return any(_multiplies_otherwise(module, child, held) for child in children(node))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
