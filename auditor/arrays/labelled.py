"""Series and frames of pandas, and arrays of xarray: their operators go by labels, not by places.

``close[1:] - close[:-1]`` of two parts of a series lines up what has the same label, where a loop
over places takes neighbours; and what is computed of a frame is a frame again, where NumPy's
function of it gave an array. So no rewrite takes one for an array. What Python's own functions walk
through is the same items as before.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from auditor.lift.module import Module
from auditor.syntax import bindings, called_name, path_of
from auditor.tree import children, descendants, everything_in
from auditor.verdict import Edit

_LIBRARIES = ("pandas.", "xarray.")
_ANNOTATED = re.compile(r"(?<!pl\.)\b(Series|DataFrame|DataArray)\b")
_CALLED_SO = re.compile(r"df|df_\w+|\w+_df|dataframe")
_OWN = frozenset(
    "iloc loc rolling ewm expanding shift dropna groupby iterrows itertuples sort_values "
    "reset_index set_index sort_index fillna ffill bfill to_frame pct_change value_counts "
    "isin columns nlargest nsmallest to_numpy".split()
)
"""Attributes that arrays have not."""
_ABOUT = frozenset(("shape", "ndim", "size", "values", "dtype", "empty"))
_PLAIN = frozenset(
    "array asarray ascontiguousarray to_numpy tolist to_list item len float int bool range unique "
    "isna isnull notna notnull zeros zeros_like empty empty_like ones full".split()
)
"""What gives a plain array, or numbers, of any."""
_PARTS = frozenset(("groupby", "iterrows", "items", "rolling"))
_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*\b(?!\.(?:values|to_numpy|shape|size|ndim)\b)")
_WALKED = re.compile(
    r"(?:\bin |\b(?:sum|max|min|any|all|len|list|enumerate|zip|sorted|accumulate)\()"
    r"(?:[\w.]+, )*[A-Za-z_]\w*(?=[,):]| for\b| if\b|$)",
    re.MULTILINE,
)


def labelled(module: Module, function: ast.AST, edits: Iterable[Edit]) -> str | None:
    """Why the new code may not take some name for an array."""
    if not module.arrays & {"pandas", "xarray"}:
        return None
    every = list(edits)
    named = {name for edit in every for name in _WORD.findall(_WALKED.sub("", edit.content))}
    if not named:
        return None
    held = _Holding(module, function, min(edit.span.line for edit in every)).names
    found = sorted(named & held)
    return f"`{found[0]}` goes by labels, as a Series or DataFrame does" if found else None


class _Holding:
    """The names of a function that hold something with labels where the code of a line runs."""

    def __init__(self, module: Module, function: ast.AST, line: int) -> None:
        self._module = module
        self.names = self._told(function)
        walked = _walked(function)
        bound = [pair for pair in bindings(function) if pair[1] not in walked]
        anything = {node.id for node in everything_in(function) if isinstance(node, ast.Name)}
        arrays = {
            name for name, value in _last(function, line) if not self._labelled(value, anything)
        }
        while True:
            more = {
                node.id for target, value in bound if self._labelled(value, self.names)
                for node in everything_in(target) if isinstance(node, ast.Name)
                and isinstance(node.ctx, ast.Store)
            }  # fmt: skip
            if more - arrays <= self.names:
                self.names -= arrays
                return
            self.names |= more - arrays

    def _told(self, function: ast.AST) -> set[str]:
        """The names that annotations say so of, or what is asked of them, or their spelling."""
        found = set[str]()
        for node in descendants(function):
            if isinstance(node, ast.arg):
                told = "" if node.annotation is None else ast.unparse(node.annotation)
                if _ANNOTATED.search(told) or _CALLED_SO.fullmatch(node.arg):
                    found.add(node.arg)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                if node.attr in _OWN:
                    found.add(node.value.id)
        return found

    def _labelled(self, node: ast.AST, held: set[str]) -> bool:
        """Whether an expression gives something with labels; ``held`` are the names that do."""
        if isinstance(node, ast.Name):
            return node.id in held
        if isinstance(node, ast.Attribute):
            return node.attr not in _ABOUT and self._labelled(node.value, held)
        if isinstance(node, ast.Call):
            path = path_of(self._module, node.func) or ""
            if called_name(node) in _PLAIN:
                return False
            if path.startswith(_LIBRARIES):
                return True
        return any(self._labelled(child, held) for child in children(node))


def _walked(function: ast.AST) -> set[ast.expr]:
    """What loops walk through for its items, which have no labels themselves."""
    return {
        node.iter for node in everything_in(function)
        if isinstance(node, (ast.For, ast.comprehension))
        and not (isinstance(node.iter, ast.Call) and called_name(node.iter) in _PARTS)
    }  # fmt: skip


def _last(function: ast.AST, line: int) -> Iterator[tuple[str, ast.expr]]:
    """What names are certainly bound to where a line runs: the last of it."""
    found: dict[str, ast.expr] = {}
    for node in getattr(function, "body", []):
        if isinstance(node, ast.Assign) and node.lineno < line:
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found[target.id] = node.value
    yield from found.items()
