"""Lists that a loop fills, and the one call that makes an array of each."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.lift.objects import Collected, Named, Unknown
from auditor.lift.stated import stated
from auditor.notation import ONE, Index, Value, walk
from auditor.recurrences.merged_axes import parted
from auditor.surroundings.outliving import is_list, left

if TYPE_CHECKING:
    from auditor.recurrences.recurrence import LoopRegion

_STACKS = {
    "torch.stack": "stack",
    "torch.cat": "cat",
    "torch.concat": "cat",
    "torch.concatenate": "cat",
    "numpy.stack": "stack",
    "numpy.array": "stack",
    "numpy.asarray": "stack",
    "numpy.concatenate": "cat",
    "numpy.vstack": "rows",
}


_MADE = ("numpy.array", "numpy.asarray")


@dataclass(frozen=True)
class Stacked:
    """A list that the loop filled and the one call that turns it into an array: ``position`` is
    where the call puts the loop's axis, ``joined`` the items' axis of extent 1 that a
    concatenation uses for it, ``dropped`` statements between that only turned the list round,
    ``merged`` the places in the layout of axes that are merged with the one behind, ``dtype`` the
    type that the call gives the array."""

    name: str
    items: Collected
    call: ast.expr
    position: int
    joined: int | None = None
    dropped: tuple[ast.stmt, ...] = ()
    merged: tuple[int, ...] = ()
    dtype: ast.expr | None = None

    def order(self, step: Index) -> tuple[Index, ...]:
        """The layout of the array."""
        order = [axis for p, axis in enumerate(self.items.axes) if p != self.joined]
        order.insert(self.position, step)
        return tuple(order)


def stacked_lists(region: LoopRegion) -> list[Stacked]:
    """Lists that are consumed by one stack each. Raises ``Refused`` for any other use."""
    found = []
    for name in region.loop.lists:
        turned = _turned(region, name)
        reads = [
            load
            for load in region.reads_outside(name, (region.node, *turned))
            if _holds_list(region, load)
        ]
        stacked = _stacked(region, name, reads[0], turned) if len(reads) == 1 else None
        region.site.require(
            stacked is not None,
            "list-use",
            f"the list `{name}` is used other than by one call that stacks it",
        )
        if stacked is not None:
            found.append(stacked)
    return found


def outliving(region: LoopRegion, stacks: list[Stacked]) -> set[str]:
    """The lists that another file may read."""
    if not isinstance(region.lifted.node, ast.Module):
        return set()
    bound = left(region.lifted.node)
    return {s.name for s in stacks if s.name in bound and is_list(bound[s.name])}


def _holds_list(region: LoopRegion, load: ast.Name) -> bool:
    """Whether a name read outside the loop is the list that the loop filled."""
    held = region.values.get(load)
    if isinstance(held, Collected):
        return held.scan is region.scan
    if region.deferred(load, region.node):
        return True
    if _leaves_before(region, load):
        return False
    later = (load.lineno, load.col_offset) > (region.node.lineno, region.node.col_offset)
    around = not later and region.brought_round(load, region.node)
    return (later or around) and not isinstance(held, Value)


def _leaves_before(region: LoopRegion, load: ast.Name) -> bool:
    """Whether the function returns, once the loop was run, before it comes to a read."""
    at: ast.AST = region.node
    returns = False
    while at is not region.lifted.node:
        if isinstance(at, ast.stmt) and not returns:
            block = region.siblings(at)
            if any(region.within(load, statement) for statement in block):
                return False
            returns = isinstance(block[-1], ast.Return)
        at = region.parents[at]
        if isinstance(at, ast.Try) and region.within(load, at):
            return False  # handlers may go on, what is done finally comes after a return
    return returns


def _turned(region: LoopRegion, name: str) -> tuple[ast.stmt, ...]:
    """`outs.reverse()` statements after the loop."""
    block = region.siblings(region.node)
    return tuple(
        statement
        for statement in block[block.index(region.node) + 1 :]
        if isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Attribute)
        and statement.value.func.attr == "reverse"
        and isinstance(statement.value.func.value, ast.Name)
        and statement.value.func.value.id == name
    )


def _stacked(
    region: LoopRegion, name: str, load: ast.Name, turned: tuple[ast.stmt, ...]
) -> Stacked | None:
    """The stack call around a read of the list."""
    node: ast.expr = load
    call = region.parents.get(node)
    while isinstance(call, ast.expr) and isinstance(region.values.get(call), Collected):
        # list(...), reversed(...), [::-1]: still the list.
        node, call = call, region.parents.get(call)
    if not isinstance(call, ast.Call) or not call.args or call.args[0] is not node:
        return None
    if region.records_elsewhere(region.node, call):
        return None
    function = region.values.get(call.func)
    items = region.values.get(node)
    if not isinstance(function, Named) or not isinstance(items, Collected):
        return None
    kind = _STACKS.get(function.path)
    if kind is None or not isinstance(region.values.get(call), (Value, Unknown)):
        return None
    if function.path.partition(".")[0] != region.words.library:
        return None  # NumPy's array of tensors, or of what nobody says the kind of
    given = call.args[1] if len(call.args) > 1 else None
    made = function.path in _MADE
    if made and given is not None:
        return None  # a type by its place
    dtype: ast.expr | None = None
    for keyword in call.keywords:
        if made and keyword.arg == "dtype":
            dtype = keyword.value
        elif not made and keyword.arg in ("dim", "axis"):
            given = keyword.value
        else:
            return None
    dim = 0 if given is None else _integer(region, given)
    if dim is None:
        return None
    if kind == "rows":
        if not items.axes or items.axes[0].group:
            return None
        kind = "cat" if len(items.axes) > 1 else "stack"
    stacked = _placed(region, name, items, call, kind, dim, turned)
    return stacked if stacked is None or dtype is None else replace(stacked, dtype=dtype)


def _placed(
    region: LoopRegion,
    name: str,
    items: Collected,
    call: ast.Call,
    kind: str,
    dim: int,
    turned: tuple[ast.stmt, ...],
) -> Stacked | None:
    rank = len(items.axes)
    group = next((p for p, axis in enumerate(items.axes) if axis.group), None)
    if kind == "stack":
        if group is not None and not (0 <= dim <= group or group - rank <= dim < 0):
            return None
        at = dim if dim >= 0 else rank + 1 + dim
        items, pairs = parted(items)
        position = at + sum(place < at + p for p, place in enumerate(pairs))
        merged = tuple(place + (place >= position) for place in pairs)
        return Stacked(name, items, call, position, None, turned, merged)
    if group is not None and not (0 <= dim < group or group - rank < dim < 0):
        return None
    at = dim if dim >= 0 else rank + dim
    if not 0 <= at < rank:
        return None
    if items.axes[at].extent is ONE:
        return Stacked(name, items, call, at, at, turned)
    if (
        (group is not None and dim < 0)
        or items.prefix
        or region.step in walk(items.axes[at].extent)
    ):
        return None
    return Stacked(name, items, call, at, None, turned, (at,))


def _integer(region: LoopRegion, node: ast.expr) -> int | None:
    number = stated(region.lifted.lifter, region.values.get(node))
    return number if isinstance(number, int) else None
