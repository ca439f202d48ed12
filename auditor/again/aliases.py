"""Which names of a function may lead to the same array, by the text alone: by assignment, as parts
of containers and objects, through the functions that are given them.

Wider than the memory that the lifter follows, which ends at objects and calls. What an operation of
arrays computes is new, and so is taken to be what a part of ``self`` (a layer) gives back.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from auditor.again.results import harmless
from auditor.lift.call_effects import given_back
from auditor.lift.changes import changes
from auditor.nests.memory import bound, put_into
from auditor.notation import Value
from auditor.surroundings.region import Region
from auditor.syntax import is_name
from auditor.tree import children, descendants

_COMPUTED = (ast.Compare, ast.Constant, ast.JoinedStr)
_ABOUT = frozenset(("shape", "dtype", "device", "ndim"))


class Aliases:
    """What the names of a function may lead to."""

    def __init__(self, region: Region) -> None:
        self._region, self._module = region, region.module
        self._next: dict[str, set[str]] = {}
        self._inner: dict[str, set[str]] = {}
        for node in region.nodes:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node in region.parents:
                self._inner.setdefault(node.name, set()).update(_loaded(node))

    def reached(self, names: Iterable[str]) -> set[str]:
        """The names whose arrays some names may lead to, these among them."""
        found, waiting = set[str](), [*names]
        while waiting:
            at = waiting.pop()
            if at not in found:
                found.add(at)
                waiting += self._behind(at)
        return found

    def meet(self, names: Iterable[str], others: Iterable[str]) -> bool:
        """Whether names of the function may lead to what others of them lead to."""
        own, read = ({n for n in each if n in self._region.stores} for each in (names, others))
        return not self.reached(own).isdisjoint(self.reached(read))

    def held(self, node: ast.expr) -> set[str]:
        """The names whose arrays the value of an expression may be, or hold."""
        return set(self._held(node))

    def changed(
        self,
        names: set[str],
        start: tuple[int, int],
        stop: tuple[int, int],
        besides: Iterable[str] = (),
        calls: bool = True,
    ) -> bool:
        """Whether what stands between two places writes, by its text, into what ``names`` may lead
        to, or (``calls``) hands that to a call that may; by other names than those ``besides``."""
        inside = {
            node for node in self._region.nodes
            if isinstance(node, (ast.expr, ast.stmt))
            and start <= (node.lineno, node.col_offset)
            and (node.end_lineno or 0, node.end_col_offset or 0) <= stop
        }  # fmt: skip
        roots = [node for node in inside if self._region.parents.get(node) not in inside]
        found = changes(self._module, roots)
        written = {path.partition(".")[0] for path in found.written}
        for call in found.calls if calls else ():
            if not harmless(self._region, call) and not _of_self(call.func):
                written |= _loaded(call)
        written.difference_update(besides)
        return bool(written) and self.meet(written, names)

    def alone(self, name: str) -> bool:
        """Whether nothing is put into what a name stands for."""
        return not any(True for _ in put_into(self._region, name))

    def _behind(self, name: str) -> set[str]:
        if name not in self._next:
            given = [*bound(self._region, name), *put_into(self._region, name)]
            self._next[name] = {one for node in given for one in self._held(node)}
            self._next[name] |= self._inner.get(name, set())
        return self._next[name]

    def _held(self, node: ast.AST) -> Iterator[str]:
        """The names whose arrays the value of an expression may be, or hold."""
        value = self._region.values.get(node) if isinstance(node, ast.expr) else None
        if isinstance(value, Value) and value.library == "python" and not value.axes:
            return  # a number
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, _COMPUTED) or (
            isinstance(node, ast.Attribute) and node.attr in _ABOUT
        ):
            return
        elif isinstance(node, ast.UnaryOp):
            if isinstance(node.op, ast.UAdd):
                yield from self._held(node.operand)
        elif isinstance(node, ast.BinOp):
            if any(isinstance(side, (ast.List, ast.Tuple)) for side in (node.left, node.right)):
                yield from (*self._held(node.left), *self._held(node.right))
        elif isinstance(node, ast.Subscript):
            yield from self._held(node.value)
        elif isinstance(node, ast.Lambda):
            yield from _loaded(node)
        elif isinstance(node, ast.Call):
            parts = given_back(self._module, node)
            yield from (one for part in parts for one in self._held(part))
        else:
            yield from (one for part in children(node) for one in self._held(part))


def _of_self(function: ast.expr) -> bool:
    """``self.proj``: a layer, or a method."""
    return isinstance(function, ast.Attribute) and is_name(function.value, "self")


def _loaded(node: ast.AST) -> set[str]:
    """The names that a function reads."""
    return {
        inner.id for inner in descendants(node)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)
    }  # fmt: skip


def aliases(region: Region) -> Aliases:
    """The aliases of a function, worked out once."""
    once = region.lifted.once
    if "aliases" not in once:
        once["aliases"] = Aliases(region)
    found: Aliases = once["aliases"]
    return found
