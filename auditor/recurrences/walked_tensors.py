"""Whether what a loop walks is certainly a tensor: the kernels take no lists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from auditor.folds.measured import measured, walked_names
from auditor.lift.annotations import in_container
from auditor.lift.objects import Named
from auditor.notation import Order, Read, Term, Value, walk
from auditor.recurrences.after_loop import finals
from auditor.rewrite import Site
from auditor.syntax import called_name

if TYPE_CHECKING:
    from auditor.recurrences.recurrence import LoopRegion


_ARRAYS_HAVE = frozenset(
    ("T", "all", "any", "argmax", "argmin", "argpartition", "argsort", "astype", "base", "byteswap")
    + ("choose", "clip", "compress", "conj", "conjugate", "copy", "ctypes", "cumprod", "cumsum")
    + ("data", "device", "diagonal", "dot", "dtype", "dump", "dumps", "fill", "flags", "flat")
    + ("flatten", "getfield", "imag", "item", "itemset", "itemsize", "mT", "max", "mean", "min")
    + ("nbytes", "ndim", "newbyteorder", "nonzero", "partition", "prod", "ptp", "put", "ravel")
    + ("real", "repeat", "reshape", "resize", "round", "searchsorted", "setfield", "setflags")
    + ("shape", "size", "sort", "squeeze", "std", "strides", "sum", "swapaxes", "take", "tobytes")
    + ("tofile", "tolist", "tostring", "trace", "transpose", "var", "view", "count", "index")
)
_TAKE_ARRAYS = ("from_numpy", "frombuffer", "manual_seed")
_TAKE_LISTS = ("stack", "cat", "concat", "concatenate", "tensor", "as_tensor", "vstack", "hstack",
               "meshgrid", "broadcast_tensors", "block_diag", "FloatTensor", "Tensor")  # fmt: skip


def walks_numpy(region: LoopRegion) -> bool:
    """Whether the loop certainly walks or fills an array of NumPy."""
    updates = [carry.update for carry in region.scan.carries]
    written = (write.original for write in region.loop.written.values())
    return any(value.library == "numpy" for value in (*_walked(region, *updates), *written))


def require_tensors(region: LoopRegion, site: Site, *terms: Term) -> Iterator[str]:
    """The kernel takes tensors, or arrays: something that the loop walks must certainly be one, or
    what it carries. Yields what is assumed of the rest."""
    kind = "an array" if region.of_numpy else "a tensor"
    walked = _walked(region, *terms)
    numpy = any(value.library == "numpy" for value in walked) and not region.of_numpy
    tensors, loose = _held(region, walked)
    library = region.words.library
    states = all(state.library == library for state in region.loop.states.values())
    numbers = _may_stay_numbers(region, loose)
    known = (
        not numpy
        and not numbers
        and bool(
            tensors or states or region.loop.lists or (region.of_numpy and region.loop.written)
        )
    )
    site.require(known, "tensors", f"the loop is not known to walk {kind.split()[1]}s")
    for value in sorted(walked - tensors - loose, key=lambda value: value.name):
        site.require(not _sorted(value), "tensors", f"`{value.name}` is a list, as `sorted` gives")
        if value.kind in ("input", "free", "attribute", "opaque"):
            site.require(
                value.kind != "opaque", "tensors", f"`{value.name}` is not known to be {kind}"
            )
            yield f"`{value.name}` is {kind}"
            continue
        origin = _origin(value)
        if origin is not value and origin.kind in ("input", "free") and origin.library is None:
            listed = stated_list(region, origin)
            site.require(
                not listed, "tensors", f"`{origin.name}` is a list, of which a part is walked"
            )
            yield f"`{origin.name}` is {kind}"
    if region.of_numpy:
        asked = any(called_name(node) in ("errstate", "seterr") for node in region.nodes
                    if isinstance(node, ast.Call))  # fmt: skip
        site.require(
            not (asked and loose), "tensors", "numbers of Python do not ask how NumPy treats errors"
        )
        for name in sorted({value.name for value in loose} & _iterated(region)):
            yield f"`{name}` is no iterator"
    for name, write in sorted(region.loop.written.items()) if region.of_numpy else ():
        listed = write.original.library == "python"
        site.require(not listed, "tensors", f"`{name}` is a list, into which numbers are written")
        if write.original.library is None and not _used_as_tensor(region, write.original, True):
            yield f"`{name}` is an array"


def _iterated(region: LoopRegion) -> set[str]:
    """The names that the loop asks for one item after the other, of which nothing asks for more."""
    if not isinstance(region.node, ast.For):
        return set()
    walked = region.node.iter
    backwards = isinstance(walked, ast.Call) and called_name(walked) == "reversed"
    names = [] if backwards else walked_names(walked) or []
    return {name for name in names if not measured(region, region.node, name)}


def _may_stay_numbers(region: LoopRegion, loose: set[Value]) -> bool:
    """Whether a number that is read after the loop meets nothing there that must be a tensor."""
    last = finals(region)
    return any(
        carry.name in last
        and region.loop.states[carry.name].library != region.words.library
        and _walked(region, carry.update) <= loose
        for carry in region.scan.carries
        if carry.name in region.loop.states
    )


def loose_rows(region: LoopRegion, terms: Iterable[Term]) -> set[Value]:
    """What is walked row by row and may as well be a list of rows."""
    return _held(region, _walked(region, *terms))[1]


def stated_list(region: LoopRegion, value: Value) -> bool:
    """Whether an annotation says that a parameter is a list or another container."""
    arguments = (n for n in region.nodes if isinstance(n, ast.arg) and n.arg == value.name)
    return any(in_container(argument.annotation) for argument in arguments)


def _held(region: LoopRegion, walked: set[Value]) -> tuple[set[Value], set[Value]]:
    """Those of ``walked`` that are tensors, and those of which only the rows are asked for."""
    tensors = {value for value in walked if value.library == region.words.library}
    numpy = any(value.library == "numpy" for value in walked)
    only = (not numpy and region.lifted.lifter.library == "torch") or bool(region.loop.lists)
    only |= region.of_numpy
    tensors |= {value for value in walked - tensors if _used_as_tensor(region, value, only)}
    loose = {
        value for value in walked - tensors
        if value.kind in ("input", "free") and value.body is None and value.library is None
    }  # fmt: skip
    return tensors, loose


def _walked(region: LoopRegion, *terms: Term) -> set[Value]:
    return {
        node.value
        for term in terms
        for node in walk(region.inlined(term))
        if isinstance(node, Read) and any(region.step in walk(sub) for sub in node.subs)
    }


def _used_as_tensor(region: LoopRegion, value: Value, only: bool) -> bool:
    """Whether a value is computed, or the function does something with it that a list would
    not bear (and, unless tensors are the ``only`` arrays there, an array of NumPy neither)."""
    value = _origin(value)
    if _sorted(value):
        return False
    if value.body is not None or value.library is not None:
        return value.library == "torch" or (only and value.library != "python")
    given = region.nodes if value.kind == "input" else ()  # others only have a parameter's name
    arguments = [n for n in given if isinstance(n, ast.arg) and n.arg == value.name]
    for argument in arguments:
        if argument.annotation is not None:
            text = ast.unparse(argument.annotation)
            many = re.search(r"[Ll]ist|[Ss]equence|[Ii]ter|[Tt]uple", text)
            if "Tensor" in text and many is None:
                return True
    return any(
        isinstance(held, Value)
        and isinstance(node, ast.expr)
        and (held is value or (not only and _origin(held) is value))
        and _needs_tensor(region, node, only)
        for node, held in region.values.items()
    )


def _sorted(value: Value) -> bool:
    """Whether a value is what ``sorted`` gives: a list, of whatever it has sorted."""
    return isinstance(value.body, Order) and value.library is None


def _origin(value: Value) -> Value:
    """The array that a value is an element or a part of."""
    while isinstance(value.body, Read):
        value = value.body.value
    return value


_JOINING = ("torch.cat", "torch.concat", "torch.concatenate", "torch.stack", "torch.hstack")


def _needs_tensor(region: LoopRegion, node: ast.expr, only: bool) -> bool:
    parent = region.parents.get(node)
    if isinstance(parent, ast.Attribute):
        if not only and parent.attr == "size":
            return isinstance(region.parents.get(parent), ast.Call)
        return not hasattr(list, parent.attr) and (only or parent.attr not in _ARRAYS_HAVE)
    if isinstance(parent, ast.Subscript) and parent.value is node:
        if not only:
            return _needs_tensor(region, parent, only)
        part = isinstance(parent.slice, ast.Slice) and _needs_tensor(region, parent, only)
        return part or isinstance(parent.slice, ast.Tuple)
    if isinstance(parent, (ast.List, ast.Tuple)):
        call = region.parents.get(parent)
        called = region.values.get(call.func) if isinstance(call, ast.Call) else None
        return isinstance(called, Named) and called.path in _JOINING
    if isinstance(parent, ast.BinOp):
        return only and not isinstance(parent.op, (ast.Add, ast.Mult))
    if isinstance(parent, ast.Call) and node in parent.args:
        called = region.values.get(parent.func)
        path = called.path if isinstance(called, Named) else ""
        name = path.split(".")[-1]
        return path.startswith("torch.") and name not in (*_TAKE_LISTS, *_TAKE_ARRAYS)
    return False
