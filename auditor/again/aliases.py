"""Which names of a function may lead to the same array, by the text alone: by assignment, as parts
of containers and objects, through the functions that are given them.

Wider than the memory that the lifter follows, which ends at objects and calls. What an operation of
arrays computes is new, and so is taken to be what a part of ``self`` (a layer) gives back.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from auditor.again.calls import GROWS, Does, does
from auditor.again.changes import changes
from auditor.again.results import harmless
from auditor.lift.bound import names_bound
from auditor.nests.memory import bound
from auditor.notation import Value
from auditor.region import Region
from auditor.syntax import is_name
from auditor.tree import children, descendants

_COMPUTED = (ast.UnaryOp, ast.Compare, ast.Constant, ast.JoinedStr)
_ABOUT = frozenset(("shape", "dtype", "device", "ndim"))
_ITEMS = (ast.Subscript, ast.Attribute)


class Aliases:
    """What the names of a function may lead to."""

    def __init__(self, region: Region) -> None:
        self._region, self._module = region, region.module
        self._next: dict[str, set[str]] = {}
        self._inner: dict[str, set[str]] = {}
        for node in region.nodes:
            if isinstance(node, ast.Match):
                for case in node.cases:
                    for part in descendants(case.pattern):
                        for name in names_bound(part):
                            self._inner.setdefault(name, set()).update(self._held(node.subject))
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node in region.parents:
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

    def changed(
        self,
        names: set[str],
        start: tuple[int, int],
        stop: tuple[int, int],
        besides: Iterable[str] = (),
    ) -> bool:
        """Whether what stands between two places writes, by its text, into what ``names`` may lead
        to, or hands that to a call that may; by other names than those ``besides``."""
        inside = {
            node for node in self._region.nodes
            if isinstance(node, (ast.expr, ast.stmt))
            and start <= (node.lineno, node.col_offset)
            and (node.end_lineno or 0, node.end_col_offset or 0) <= stop
        }  # fmt: skip
        roots = [node for node in inside if self._region.parents.get(node) not in inside]
        found = changes(self._module, roots)
        written = {path.partition(".")[0] for path in found.written}
        for call in found.calls:
            if not harmless(self._region.values, call) and not _of_self(call.func):
                written |= _loaded(call)
        written.difference_update(besides)
        return bool(written) and self.meet(written, names)

    def alone(self, name: str) -> bool:
        """Whether nothing is put into what a name stands for."""
        return not self._put_into(name)

    def _behind(self, name: str) -> set[str]:
        if name not in self._next:
            given = [*bound(self._region, name), *self._put_into(name)]
            self._next[name] = {one for node in given for one in self._held(node)}
            self._next[name] |= self._inner.get(name, set())
        return self._next[name]

    def _put_into(self, name: str) -> list[ast.expr]:
        """What is put into a container or set on an object; what is assigned to items of an array
        is copied."""
        loads = self._region.loads.get(name, ())
        array = any(isinstance(self._region.values.get(load), Value) for load in loads)
        return [
            given for node in self._region.nodes for holder, parts, item in puts(node)
            if is_name(holder, name) and not (array and item) for given in parts
        ]  # fmt: skip

    def _held(self, node: ast.AST) -> Iterator[str]:
        """The names whose arrays the value of an expression may be, or hold."""
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, _COMPUTED) or (
            isinstance(node, ast.Attribute) and node.attr in _ABOUT
        ):
            return
        elif isinstance(node, ast.BinOp):
            if any(isinstance(side, (ast.List, ast.Tuple)) for side in (node.left, node.right)):
                yield from (*self._held(node.left), *self._held(node.right))
        elif isinstance(node, ast.Subscript):
            yield from self._held(node.value)
        elif isinstance(node, ast.Lambda):
            yield from _loaded(node)
        elif isinstance(node, ast.Call):
            if not self._anew(node):
                yield from (one for part in children(node) for one in self._held(part))
        else:
            yield from (one for part in children(node) for one in self._held(part))

    def _anew(self, call: ast.Call) -> bool:
        """Whether a call gives what is none of what it is given."""
        if _of_self(call.func):
            return True
        shallow = isinstance(call.func, ast.Attribute) and call.func.attr == "copy"
        return does(self._module, call) is Does.FRESH and not shallow


def puts(node: ast.AST) -> Iterator[tuple[ast.expr, list[ast.expr], bool]]:
    """What a node puts something into, what it puts there, and whether as an item by a subscript:
    ``d.update(a=x)``, ``o.a = x``, ``d["a"] = x``."""
    if isinstance(node, ast.Call):
        given = [*node.args, *(word.value for word in node.keywords)]
        if isinstance(node.func, ast.Attribute) and node.func.attr in GROWS | {"setdefault"}:
            yield node.func.value, given, False
        elif is_name(node.func, "setattr") and given:
            yield given[0], given[1:], False
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            at, item = target, True
            while isinstance(at, _ITEMS):
                item = item and isinstance(at, ast.Subscript)
                at = at.value
            if at is not target and not is_name(at, "self"):
                yield at, [node.value], item


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
