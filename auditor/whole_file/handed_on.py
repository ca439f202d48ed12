"""What a file hands to compilers that make machine code or trace: by a call, an alias, a decorator
of its own, through other functions that use it.

``conv = nb.njit(_conv)``, ``fast = njit(cache=True)`` and ``@fast``, ``map(njit, [_conv])``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from weakref import WeakKeyDictionary

from auditor.lift.changes import dotted, paths_bound
from auditor.lift.module import Module
from auditor.tree import children, descendants, everything_in

# What lies below these reads a function's text or runs it on stand-ins for its arguments.
_COMPILERS = tuple(
    "numba. taichi. triton. cython. warp. transonic. pyccel. dace. jax. cupyx.jit. cupy.fuse "
    "codon. bodo. pythran. tensorflow.function tensorflow.autograph. mlx.core.compile".split()
)
_OTHERWISE = tuple(
    "numba.typed. numba.types. numba.prange jax.numpy jax.random jax.tree triton.testing. "
    "triton.language triton.cdiv".split()
)
_NAMED = ("jit", "njit")
_ROOTS = (*{path.partition(".")[0] for path in _COMPILERS}, *_NAMED)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINED = (*_FUNCTIONS, ast.ClassDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)


_known: WeakKeyDictionary[ast.AST, Compilers | None] = WeakKeyDictionary()


def compilers_of(module: Module) -> Compilers | None:
    """The compilers that a file imports anywhere; None where it has none of them."""
    if module.tree not in _known:
        imported = _imported(module) if any(map(module.text.__contains__, _ROOTS)) else {}
        _known[module.tree] = Compilers(module, imported) if imported else None
    return _known[module.tree]


def _imported(module: Module) -> dict[str, str]:
    """The names that imports of such libraries bind, wherever they stand."""
    found: dict[str, str] = {}
    for node in everything_in(module.tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                path = one.name if one.asname else one.name.partition(".")[0]
                found[one.asname or path] = path
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update({one.asname or one.name: f"{node.module}.{one.name}"
                          for one in node.names})  # fmt: skip
    return {
        name: path for name, path in found.items()
        if path.partition(".")[0] in _ROOTS or _by_its_name(path)
    }  # fmt: skip


class Compilers:
    """The names of a file that stand for compilers, or for what makes one: ``names``."""

    def __init__(self, module: Module, imported: Mapping[str, str]) -> None:
        self._imported = imported
        self._nodes = descendants(module.tree)
        self._functions = frozenset(n.name for n in self._nodes if isinstance(n, _FUNCTIONS))
        self._names: set[str] = set()
        before = -1
        while len(self._names) > before:
            before = len(self._names)
            self._names.update(name for node in self._nodes for name in self._made(node))

    def decorates(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
        """Whether a decorator of a definition is a compiler."""
        return any(map(self._mentioned, node.decorator_list))

    def meets(self, names: Iterable[str]) -> bool:
        """Whether what goes by one of ``names`` is handed to a compiler, or a function or class
        that uses it is."""
        known = {*names}
        before = -1
        while len(known) > before:
            before = len(known)
            for node in self._nodes:
                known.update(self._given(node, known))
        return any(
            self._hands(node, known) if isinstance(node, ast.Call)
            else isinstance(node, _DEFINED) and node.name in known and self.decorates(node)
            for node in self._nodes
        )  # fmt: skip

    def _given(self, node: ast.AST, known: set[str]) -> Iterator[str]:
        """The names that a node gives to what has one of those ``known``, or to what uses it."""
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            if node.value is not None and _handed(node.value, known):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                yield from (name for target in targets for name in paths_bound(target))
        elif isinstance(node, _LOOPS):
            if _handed(node.iter, known):
                yield from paths_bound(node.target)
        elif isinstance(node, _DEFINED) and node.name not in known:
            if any(_is_one(inner, known) for inner in descendants(node)):
                yield node.name

    def _hands(self, call: ast.Call, known: set[str]) -> bool:
        given = (*call.args, *(word.value for word in call.keywords))
        return any(_handed(part, known) for part in given) and self._mentioned(call)

    def _made(self, node: ast.AST) -> Iterator[str]:
        """The names that a node gives to a compiler: ``fast = njit(cache=True)``, a function that
        gives back what one makes of its argument; but not to what is compiled."""
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            value = node.value
            if value is None or not self._mentioned(value) or _handed(value, self._functions):
                return
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (name for target in targets for name in paths_bound(target))
        elif isinstance(node, _FUNCTIONS) and not self.decorates(node):
            inner = [part for part in descendants(node) if part is not node]
            made = any(isinstance(p, _FUNCTIONS) and self.decorates(p) for p in inner)
            returned = [p.value for p in inner if isinstance(p, ast.Return) and p.value]
            if made or any(map(self._mentioned, returned)):
                yield node.name

    def _mentioned(self, node: ast.AST) -> bool:
        """Whether a compiler is named anywhere in an expression."""
        path = dotted(node)
        if path is None:
            return any(map(self._mentioned, children(node)))
        root, dot, rest = path.partition(".")
        whole = f"{self._imported[root]}{dot}{rest}" if root in self._imported else ""
        compiles = _by_its_name(whole) or whole.startswith(_COMPILERS)
        return (compiles and not whole.startswith(_OTHERWISE)) or path in self._names


def _by_its_name(path: str) -> bool:
    """``from settings import njit``, whatever library that is of; torch reads scripts in its own
    way."""
    return path.rpartition(".")[2] in _NAMED and not path.startswith("torch.")


def _handed(node: ast.AST, known: Iterable[str]) -> bool:
    """Whether an expression holds what has one of some names, and does not merely call it."""
    if _is_one(node, known):
        return True
    parts = [*node.args, *node.keywords] if isinstance(node, ast.Call) else [*children(node)]
    if isinstance(node, ast.Call) and not isinstance(node.func, ast.Name):
        parts += children(node.func)
    return any(_handed(part, known) for part in parts)


def _is_one(node: ast.AST, known: Iterable[str]) -> bool:
    """Whether a node is one of some names, an attribute or a key like it."""
    if isinstance(node, ast.Name):
        return node.id in known
    if isinstance(node, ast.Attribute):
        return node.attr in known
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in known
