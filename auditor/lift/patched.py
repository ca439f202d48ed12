"""Attributes of libraries that a file sets: what such a path means is no longer what the library
says."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator

from auditor.lift.settings import targets_of
from auditor.tree import descendants, everything_in

_LIBRARIES = frozenset(
    "torch numpy scipy math cmath random statistics functools itertools operator heapq bisect"
    " collections builtins".split()
)
_ASKING = ("getattr", "hasattr")
_GIVING = re.compile(r"setattr|patch(?:\b|\w*\([\w.\s]+,(?:\s|#[^\n]*)*[a-zA-Z]*[\"'])")
"""What a text says that gives something the name of an attribute. (Images are cut into patches.)"""


def patched(
    tree: ast.Module, text: str, statements: Iterable[ast.stmt],
    path_of: Callable[[ast.expr], str | None],
) -> frozenset[str]:  # fmt: skip
    """The dotted paths that statements set, or calls that are given an object and the name of an
    attribute (``setattr(torch, "softmax", mine)``), or the whole path (``patch("torch.softmax")``).
    With a method its class is another one."""
    found = {path for path in _set(statements, path_of) if path}
    if _GIVING.search(text) is not None:
        found |= {path for path in _given(tree, path_of) if path}
    ours = {path for path in found if path.partition(".")[0] in _LIBRARIES}
    above = {path.rpartition(".")[0] for path in ours}
    return frozenset(ours | {path for path in above if path.rpartition(".")[2][:1].isupper()})


def _set(
    statements: Iterable[ast.stmt], path_of: Callable[[ast.expr], str | None]
) -> Iterator[str | None]:
    for statement in statements:
        for target in targets_of(statement):
            for part in () if isinstance(target, ast.Name) else everything_in(target):
                if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load):
                    yield path_of(part)


def _given(tree: ast.Module, path_of: Callable[[ast.expr], str | None]) -> Iterator[str | None]:
    for call in descendants(tree):
        if not isinstance(call, ast.Call) or not call.args:
            continue
        words = [n.value if isinstance(n, ast.Constant) else None for n in call.args[:2]]
        called = call.func
        if isinstance(called, ast.Name) and called.id in _ASKING:
            continue
        if isinstance(words[-1], str) and len(words) == 2:
            base = path_of(call.args[0])
            yield None if base is None else f"{base}.{words[-1]}"
        if isinstance(words[0], str) and "." in words[0] and ast.unparse(called).endswith("patch"):
            yield words[0]
        elif isinstance(words[0], str) and "." in words[0] and len(words) == 2:
            if ast.unparse(called).endswith("setattr"):
                yield words[0]
