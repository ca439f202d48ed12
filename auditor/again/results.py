"""What happens to a result in the rest of its function: whether it is changed in place, whether it
leaves the function or is kept somewhere, which calls are given it that may do anything.

Followed by the text: through names, views, items and containers that hold it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from auditor.lift.call_effects import GROWS, Does, does
from auditor.lift.changes import base, dotted
from auditor.lift.module import Module
from auditor.lift.objects import Instance, Written
from auditor.notation import Value
from auditor.surroundings.region import Region
from auditor.syntax import path_of
from auditor.tree import children, descendants

_CLIMBED = (
    ast.Starred, ast.keyword, ast.IfExp, ast.BoolOp, ast.Tuple, ast.List, ast.Set, ast.Dict,
    ast.NamedExpr, ast.withitem, ast.Slice,
)  # fmt: skip
_ABOUT = frozenset("shape dtype device ndim is_cuda requires_grad layout itemsize nbytes".split())
_VIEWED = frozenset("T mT H mH data real imag values indices flat".split())
_KEEPS = frozenset("append extend insert add appendleft setdefault update".split())
_LAYOUT = frozenset("view view_as stride data_ptr is_contiguous as_strided numpy".split())
# Layers that leave what they are given alone.
_LAYERS = ("Linear", "Conv1d", "Conv2d", "Conv3d", "Embedding", "LayerNorm", "RMSNorm",
           "BatchNorm1d", "BatchNorm2d", "GroupNorm", "Bilinear")  # fmt: skip


@dataclass
class Uses:
    """Of one result: the lines that change it in place (``changed``), places where it leaves
    (``leaves``: is returned, kept in an attribute or an item) and calls that are given it and may
    do anything (``given``). ``kept`` are those that put it into a list, ``collected`` the
    comprehensions and items that hold the result of each step; ``laid`` says that it matters how it
    lies in memory, ``told_apart`` holds the lines that ask whether it is one and the same object as
    another."""

    changed: list[int] = field(default_factory=list)
    leaves: list[ast.AST] = field(default_factory=list)
    given: list[ast.Call] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    kept: list[ast.Call] = field(default_factory=list)
    collected: list[ast.AST] = field(default_factory=list)
    laid: bool = False
    told_apart: list[int] = field(default_factory=list)


def uses(region: Region, results: Iterable[ast.expr]) -> Uses:
    """What is done with what ``results`` evaluate to."""
    return _Follower(region).follow(results)


def _asks_which(test: ast.Compare) -> bool:
    """Whether a comparison asks if two objects are one, neither of them a constant as None is."""
    sides = [test.left, *test.comparators]
    return any(isinstance(op, (ast.Is, ast.IsNot)) for op in test.ops) and not any(
        isinstance(side, ast.Constant) for side in sides
    )


def harmless(region: Region, call: ast.Call) -> bool:
    """A layer of torch that changes nothing, or a function that was read in place of its call and
    leaves what it is given alone."""
    function = region.values.get(call.func)
    if isinstance(function, Instance):
        return function.path.rpartition(".")[2] in _LAYERS
    result = region.values.get(call)
    changes = call in region.lifted.lifter.changing
    return isinstance(result, Value) and result.kind == "derived" and not changes


class _Follower:
    def __init__(self, region: Region) -> None:
        self.region, self.module = region, region.module
        self.parents, self.values = region.parents, region.values
        self.script = isinstance(region.lifted.node, ast.Module)
        self.names: dict[str, list[ast.expr]] = {}
        self.places: dict[str, list[ast.expr]] = {}
        for node in region.nodes:
            if isinstance(node, ast.Name):
                self.names.setdefault(node.id, []).append(node)
            elif isinstance(node, ast.Attribute) and (path := dotted(node)) is not None:
                self.places.setdefault(path, []).append(node)
        self.found = Uses()
        self.listed = False

    def follow(self, results: Iterable[ast.expr]) -> Uses:
        waiting = list(results)
        self.listed = any(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) for n in waiting)
        followed: set[ast.expr] = set()
        while waiting:
            node = waiting.pop()
            if node in followed:
                continue
            followed.add(node)
            for name in self._step(node):
                if name in self.found.names:
                    continue
                self.found.names.add(name)
                waiting += (
                    self.names.get(name, []) if "." not in name else self.places.get(name, [])
                )
        return self.found

    def _step(self, node: ast.expr) -> set[str]:
        """Follow one occurrence upwards; the names that then hold it."""
        at: ast.AST = node
        if isinstance(node, ast.AST) and not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            above = self.parents[node]
            if isinstance(above, ast.AugAssign):
                self.found.changed.append(node.lineno)
            return set()
        while True:
            if at not in self.parents:
                return set()
            above = self.parents[at]
            if isinstance(above, ast.Subscript):
                if above.value is not at:
                    return set()
                if not isinstance(above.ctx, ast.Load):
                    self.found.changed.append(above.lineno)
                    return set()
                if self.listed and not self.found.kept:
                    return set()  # an item of a list is what was put into it
            elif isinstance(above, ast.Attribute):
                call = self.parents.get(above)
                if isinstance(call, ast.Call) and call.func is above:
                    at_next = self._method(call)
                    if at_next is None:
                        return set()
                    above = at_next
                elif not isinstance(above.ctx, ast.Load):
                    self.found.changed.append(above.lineno)
                    return set()
                elif above.attr in _ABOUT:
                    return set()
            elif isinstance(above, ast.Call):
                if not self._argument(above):
                    return self._kept_by(above)
            elif isinstance(above, _CLIMBED):
                if isinstance(above, ast.Slice):
                    return set()
            elif isinstance(above, ast.comprehension):
                return {n.id for n in descendants(above.target) if isinstance(n, ast.Name)}
            elif isinstance(above, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
                self.found.collected.append(above)  # its items: what it walks comes another way
            elif isinstance(above, ast.stmt):
                return self._statement(above, at)
            elif isinstance(above, ast.Compare) and _asks_which(above):
                self.found.told_apart.append(above.lineno)
                return set()
            elif isinstance(above, (ast.Yield, ast.YieldFrom)):
                self.found.leaves.append(above)
                return set()
            else:
                return set()
            at = above

    def _method(self, call: ast.Call) -> ast.Call | None:
        """The call of a method, where its result may share the memory."""
        assert isinstance(call.func, ast.Attribute)
        self.found.laid |= call.func.attr in _LAYOUT
        if self.listed and call.func.attr == "index":
            return None  # the place of an item
        what = does(self.module, call, isinstance(self.parents.get(call), ast.Expr))
        if what is Does.WRITES:
            # What is appended to is the list that holds the result, unless that is a list itself.
            if self.listed or call.func.attr not in GROWS:
                self.found.changed.append(call.lineno)
        elif what is Does.ANYTHING:
            self.found.given.append(call)
        return call if what is Does.VIEW else None

    def _argument(self, call: ast.Call) -> bool:
        """Whether the result of a call that is given it may share its memory."""
        if isinstance(call.func, ast.Attribute) and call.func.attr in _KEEPS:
            if path_of(self.module, call.func) is None:
                return False
        what = does(self.module, call)
        if what is Does.REPORTS:
            name = call.func.id if isinstance(call.func, ast.Name) else ""
            if name == "id":
                self.found.told_apart.append(call.lineno)
            return name in ("enumerate", "zip")
        if what is Does.ANYTHING:
            if call in self.region.lifted.lifter.changing:
                self.found.changed.append(call.lineno)
            if harmless(self.region, call):
                return not isinstance(self.values.get(call.func), Instance)
            self.found.given.append(call)
            return False
        if what is Does.WRITES:
            self.found.changed.append(call.lineno)
        return what is Does.VIEW

    def _kept_by(self, call: ast.Call) -> set[str]:
        """``outs.append(r)``: the list then holds it."""
        if isinstance(call.func, ast.Attribute) and call.func.attr in _KEEPS:
            holder = base(call.func.value)
            if holder is not None and path_of(self.module, call.func) is None:
                self.found.kept.append(call)
                if "." in holder:
                    self.found.leaves.append(call)
                return {holder}
        return set()

    def _statement(self, statement: ast.stmt, part: ast.AST) -> set[str]:
        if isinstance(statement, ast.Return):
            self.found.leaves.append(statement)
        elif isinstance(statement, ast.AugAssign):
            holder = self.values.get(statement.target)
            if isinstance(statement.target, ast.Name) and not isinstance(holder, Value):
                return {statement.target.id} if isinstance(part, (ast.List, ast.Tuple)) else set()
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            found: set[str] = set()
            for target in targets:
                found |= self._target(target)
            return found
        elif isinstance(statement, (ast.For, ast.AsyncFor)) and part is statement.iter:
            return {n.id for n in descendants(statement.target) if isinstance(n, ast.Name)}
        elif isinstance(statement, (ast.With, ast.AsyncWith, ast.Delete, ast.ClassDef)):
            pass
        return set()

    def _target(self, target: ast.expr) -> set[str]:
        if isinstance(target, ast.Name):
            if self.script:
                self.found.leaves.append(target)  # whoever imports the file may take it
            return {target.id}
        if isinstance(target, (ast.Tuple, ast.List)):
            return set[str]().union(*(self._target(part) for part in target.elts))
        if isinstance(target, ast.Starred):
            return self._target(target.value)
        if isinstance(target, ast.Subscript):
            held = self.values.get(target.value)
            held = held.original if isinstance(held, Written) else held
            if isinstance(held, Value) and held.library in ("torch", "numpy"):
                return set()  # copied into an array
            self.found.collected.append(target)
        self.found.leaves.append(target)
        holder = base(target)
        return {holder} if holder is not None else set()


def separate_outputs(module: Module, function: ast.AST, groups: list[list[ast.expr]]) -> bool:
    """Whether what leaves a function rests on one of ``groups`` here and on another one there, so
    that gradients may be taken of the two apart."""
    found = [outputs(module, function, group) for group in groups]
    every = set[ast.AST]().union(*found)
    marks = [frozenset(k for k, one in enumerate(found) if out in one) for out in every]
    return any(one.isdisjoint(other) for one in marks for other in marks)


def outputs(module: Module, function: ast.AST, group: list[ast.expr]) -> set[ast.AST]:
    """The values that leave a function, or are differentiated in it, that depend on ``group``; the
    items of a list are values of their own unless they are joined."""
    marked: set[str] = set()
    nodes = descendants(function)
    mine = set(group)

    def depends(node: ast.AST) -> bool:
        stack = [node]
        while stack:
            at = stack.pop()
            if at in mine or (isinstance(at, ast.Name) and at.id in marked):
                return True
            if isinstance(at, ast.Attribute) and dotted(at) in marked:
                return True
            stack += children(at)
        return False

    while True:
        before = len(marked)
        for node in nodes:
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                if node.value is not None and depends(node.value):
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    for target in targets:
                        for part in _targets(target):
                            marked |= {base(part) or ""}
            elif isinstance(node, (ast.For, ast.comprehension)) and depends(node.iter):
                marked |= {n.id for n in descendants(node.target) if isinstance(n, ast.Name)}
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in _KEEPS and any(map(depends, node.args)):
                    marked |= {base(node.func.value) or ""}
        if len(marked) == before:
            break
    found: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, (ast.Return, ast.Yield)) and node.value is not None:
            found |= {part for part in _displayed(module, node.value) if depends(part)}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("backward", "grad") and depends(node):
                found.add(node)
            elif node.func.attr in _KEEPS and any(map(depends, node.args)):
                if not _joined(module, nodes, base(node.func.value)):
                    found.add(node)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and depends(node.value):
                    found.add(node)
    return found


def _targets(target: ast.expr) -> list[ast.expr]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return [part for inner in target.elts for part in _targets(inner)]
    return [target]


def _joined(module: Module, nodes: Iterable[ast.AST], name: str | None) -> bool:
    """Whether a list is handed to a function that makes one value of it."""
    return any(
        isinstance(node, ast.Call)
        and any(isinstance(arg, ast.Name) and arg.id == name for arg in node.args)
        and does(module, node) is Does.FRESH
        for node in nodes
    )


def _displayed(module: Module, node: ast.expr) -> list[ast.expr]:
    """The values that a tuple, list, dictionary or object is written with, one by one."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return [part for inner in node.elts for part in _displayed(module, inner)]
    if isinstance(node, ast.Dict):
        return [part for inner in node.values for part in _displayed(module, inner)]
    if isinstance(node, ast.Call) and does(module, node) is Does.ANYTHING and node.keywords:
        given = [*node.args, *(k.value for k in node.keywords)]
        return [part for inner in given for part in _displayed(module, inner)]
    return [node]
