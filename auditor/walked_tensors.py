"""Whether what a loop walks is certainly a tensor: the kernels take no lists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.lift.objects import Named
from auditor.notation import Read, Term, Value, walk
from auditor.rewrite import Site

if TYPE_CHECKING:
    from auditor.loop_rewrite import LoopRegion


_TAKE_LISTS = ("stack", "cat", "concat", "concatenate", "tensor", "as_tensor", "vstack", "hstack",
               "meshgrid", "broadcast_tensors", "block_diag", "FloatTensor", "Tensor")  # fmt: skip


def require_tensors(region: LoopRegion, site: Site, *terms: Term) -> Iterator[str]:
    """The kernel takes tensors: something that the loop walks must certainly be one. Yields
    what is assumed of the rest."""
    walked = {
        node.value
        for term in terms
        for node in walk(region.inlined(term))
        if isinstance(node, Read) and any(region.step in walk(sub) for sub in node.subs)
    }
    tensors = {value for value in walked if value.library == "torch"}
    numpy = any(value.library == "numpy" for value in walked)
    unknown = walked - tensors
    if (not numpy and region.lifted.lifter.library == "torch") or region.loop.lists:
        tensors |= {value for value in unknown if _used_as_tensor(region, value)}
    site.require(not numpy and bool(tensors), "tensors", "the loop is not known to walk tensors")
    for value in sorted(unknown - tensors, key=lambda value: value.name):
        if value.kind in ("input", "free", "attribute", "opaque"):
            site.require(
                value.kind != "opaque", "tensors", f"`{value.name}` is not known to be a tensor"
            )
            yield f"`{value.name}` is a tensor"


def _used_as_tensor(region: LoopRegion, value: Value) -> bool:
    """Whether a value is computed, or the function does something with it that a list would
    not bear. A list whose items are asked for by number passes for a tensor."""
    while isinstance(value.body, Read):
        value = value.body.value
    if value.body is not None or value.library is not None:
        return value.library != "python"
    arguments = [n for n in region.nodes if isinstance(n, ast.arg) and n.arg == value.name]
    for argument in arguments:
        if argument.annotation is not None:
            text = ast.unparse(argument.annotation)
            many = re.search(r"[Ll]ist|[Ss]equence|[Ii]ter|[Tt]uple", text)
            if "Tensor" in text and many is None:
                return True
    return any(
        held is value and isinstance(node, ast.expr) and _needs_tensor(region, node)
        for node, held in region.values.items()
    )


def _needs_tensor(region: LoopRegion, node: ast.expr) -> bool:
    parent = region.parents.get(node)
    if isinstance(parent, ast.Attribute):
        return not hasattr(list, parent.attr)
    if isinstance(parent, ast.Subscript) and parent.value is node:
        return isinstance(parent.slice, ast.Tuple) or region.within(parent, region.node)
    if isinstance(parent, ast.BinOp):
        return not isinstance(parent.op, (ast.Add, ast.Mult))
    if isinstance(parent, ast.Call) and node in parent.args:
        called = region.values.get(parent.func)
        path = called.path if isinstance(called, Named) else ""
        return path.startswith("torch.") and path.split(".")[-1] not in _TAKE_LISTS
    return False
