"""What the new code takes for arrays, and the old code need not: a function of NumPy takes lists as
well, a step reads or writes one item of either. It is an assumption that arguments, and what all
steps are written into at once, are arrays."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from auditor.arrays.containers import is_container
from auditor.assumed import together
from auditor.lift.objects import Obj
from auditor.nests.evidence import Evidence
from auditor.notation import Value
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, parsed, path_of, subscripted
from auditor.tree import everything_in

_OF_LISTS = frozenset(
    "append clear copy count extend index insert pop remove reverse sort items keys values".split()
)
"""Methods of lists and other containers."""
_FROM_LISTS = frozenset(
    "tensor as_tensor stack cat concat concatenate hstack vstack dstack column_stack block_diag"
    " broadcast_tensors cartesian_prod meshgrid is_tensor".split()
)
"""Functions of torch that take lists."""
_OF_NUMBERS = frozenset(
    "view reshape permute expand repeat tile sum mean amax amin prod flip append extend".split()
)
"""Methods that take lists of numbers, or are those of lists."""
_OF_TYPES = (".result_type", ".promote_types")
"""What asks an array for its type."""
_JOINING = (ast.Add, ast.Mult)
"""Operators that lists have."""


def taken_for_arrays(site: Site, match: Match) -> list[str]:
    """What a fix assumes of what its code takes for arrays. Raises ``Refused`` where one is stated
    to be a list."""
    region = Region(site.lifted)
    place = site.loop.node if site.loop is not None else site.statement
    there = region.scope(place) if isinstance(place, ast.stmt) else {}
    leaves = site.lifted.lifter.leaves
    unknown = {
        name: value for name, value in leaves.items()
        if value.kind == "input" and value.axes and value.library is None
        and (name not in region.bound or there.get(name) is value)
    }  # fmt: skip
    trees = [tree for edit in match.edits if (tree := parsed(edit.content)) is not None]
    filled = {
        text: node for text, node in _filled(trees).items()
        if not _library(there.get(_owner(node)) or leaves.get(_owner(node)))
        and not any(_binds(tree, _owner(node)) for tree in trees)
    }  # fmt: skip
    if not unknown and not filled:
        return []
    kernels = {name for module, name in match.imports if module == "auditor.kernels" and name}
    kernels.discard("per_step")  # takes lists
    uses = _Uses(region, kernels)
    wanted = {name for tree in trees for name in uses.as_arrays(tree)} & unknown.keys()
    said = {
        name for sentence in (match.reason or "").split(";") if "array" in sentence
        for name in re.findall(r"`(\w+)`", sentence)
    }  # fmt: skip
    named = {name: _load(region, name, place) for name in wanted}
    unproven = [name for name in sorted({*named, *filled}) if not uses.known(name)]
    for name in unproven:
        site.require(
            not is_container(region, filled.get(name) or named[name]),
            "containers",
            f"`{name}` is a list, or another container, and no array",
        )
    taken = [name for name in unproven if name not in said]
    arrays = [
        name for name in taken
        if name in filled or not all(axis.group for axis in unknown[name].axes)
    ]  # fmt: skip
    given = {name for tree in trees for name in uses.given_to_numpy(tree)} & unknown.keys()
    arrays += [name for name in sorted(given - said - {*taken}) if uses.only_multiplied(name)]
    return [
        *together(f"`{name}` is an array" for name in arrays),
        *(f"`{name}` is an array or a number" for name in taken if name not in arrays),
    ]


def _load(region: Region, name: str, place: ast.AST | None) -> ast.Name:
    """Where the old code reads a name, as far as it does."""
    loads = region.loads.get(name, [])
    there = (load for load in loads if place is not None and region.within(load, place))
    return next(there, ast.Name(name, ast.Load()))


def _filled(trees: list[ast.AST]) -> dict[str, ast.expr]:
    """What code writes several items of at once, by its text: a list takes them one by one."""
    return {
        ast.unparse(node.value): node.value for tree in trees for node in everything_in(tree)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
        and isinstance(node.slice, ast.Slice)
    }  # fmt: skip


def _binds(tree: ast.AST, name: str) -> bool:
    """Whether new code gives a name to something itself."""
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        for node in everything_in(tree)
    )


def _owner(node: ast.expr) -> str:
    """The text of what something is an item of."""
    return ast.unparse(subscripted(node))


def _library(held: Obj | None) -> bool:
    """Whether something is of a library of arrays."""
    return isinstance(held, Value) and held.library in ("torch", "numpy")


class _Uses:
    """What the uses of names in code, old and new, ask of what they stand for."""

    def __init__(self, region: Region, kernels: Iterable[str]) -> None:
        self._region, self._kernels = region, kernels
        self._evidence = Evidence(region)
        self._torch = region.module.library == "torch"

    def as_arrays(self, tree: ast.AST) -> set[str]:
        """The names that code uses as no list can be used."""
        found: set[str] = set()
        for node in everything_in(tree):
            if isinstance(node, ast.BinOp):
                for one, other in ((node.left, node.right), (node.right, node.left)):
                    if not self._makes_array(other):
                        found |= _root(one)
            elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
                found |= _root(node.operand)
            elif isinstance(node, ast.Compare) and _of_numbers(node):
                found |= {name for side in (node.left, *node.comparators) for name in _root(side)}
            elif (isinstance(node, ast.Attribute) and node.attr not in _OF_LISTS) or (
                isinstance(node, ast.Subscript) and _picks(node)
            ):
                found |= _root(node.value)
            elif isinstance(node, ast.Call) and self._takes_arrays(node):
                found |= {name for given in node.args for name in _root(given)}
        return found

    def _takes_arrays(self, call: ast.Call) -> bool:
        kernel = any(is_name(call.func, name) for name in self._kernels)
        return kernel or (path_of(self._region.module, call.func) or "").endswith(_OF_TYPES)

    def _makes_array(self, node: ast.expr) -> bool:
        """Whether an operand makes an array of a list beside it, which only arrays of NumPy do."""
        if isinstance(node, ast.BinOp):
            return self._makes_array(node.left) or self._makes_array(node.right)
        if isinstance(node, (ast.Subscript, ast.Attribute)):
            return self._makes_array(node.value)
        if isinstance(node, ast.Call):
            path = path_of(self._region.module, node.func)
            if path is not None:
                return path.partition(".")[0] == "numpy"
            return isinstance(node.func, ast.Attribute) and self._makes_array(node.func.value)
        loads = self._region.loads.get(node.id, []) if isinstance(node, ast.Name) else []
        return not self._torch and any(map(self._evidence.array, loads[:1]))

    def given_to_numpy(self, tree: ast.AST) -> Iterator[str]:
        """The names that code hands to functions of NumPy."""
        for node in everything_in(tree):
            if isinstance(node, ast.Call):
                path = path_of(self._region.module, node.func) or ""
                if path.partition(".")[0] == "numpy":
                    yield from (name for given in node.args for name in _root(given))

    def only_multiplied(self, name: str) -> bool:
        """Whether all that the code as it is does with a name is matrix products and asking for
        its shape, as a sparse matrix would be used as well."""
        loads = self._region.loads.get(name, [])
        return name not in self._region.bound and bool(loads) and all(map(self._multiplied, loads))

    def _multiplied(self, load: ast.Name) -> bool:
        parent = self._region.parents.get(load)
        if isinstance(parent, ast.BinOp):
            return isinstance(parent.op, ast.MatMult)
        return isinstance(parent, ast.Attribute) and parent.attr in ("dot", "shape", "T")

    def known(self, name: str) -> bool:
        """Whether the code as it is takes a name for an array already."""
        loads = self._region.loads.get(name, [])
        return any(map(self._evidence.array, loads[:1])) or any(map(self._needs_array, loads))

    def _needs_array(self, load: ast.Name) -> bool:
        """Whether a list would raise where a name is read."""
        parent = self._region.parents.get(load)
        if isinstance(parent, ast.BinOp):
            other = parent.right if parent.left is load else parent.left
            number = isinstance(constant(other), (int, float))
            return self._torch or (number and not isinstance(parent.op, _JOINING))
        if isinstance(parent, ast.UnaryOp):
            return not isinstance(parent.op, ast.Not)
        if isinstance(parent, ast.Attribute):
            return parent.attr not in _OF_LISTS
        if isinstance(parent, ast.Call) and load in parent.args:
            if self._torch and isinstance(parent.func, ast.Attribute):
                if parent.func.attr in _OF_NUMBERS:
                    return False
                if path_of(self._region.module, parent.func) is None:
                    return True  # a method of a tensor
            root, _, rest = (path_of(self._region.module, parent.func) or "").partition(".")
            return root == "torch" and rest.rpartition(".")[2] not in _FROM_LISTS
        return False


def _of_numbers(node: ast.Compare) -> bool:
    """Whether a comparison is one of arrays, number by number."""
    return all(isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for op in node.ops)


def _root(node: ast.expr) -> set[str]:
    """The name of what is a list where the name stands for one: itself, or a slice of it."""
    while isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def _picks(node: ast.Subscript) -> bool:
    """A subscript that lists do not have: several items, a new axis."""
    return isinstance(node.slice, ast.Tuple) or (
        isinstance(node.slice, ast.Constant) and node.slice.value is None
    )
