"""The shapes of what expressions give, and of which library it is, as far as the notation tells."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor import tree
from auditor.lift import Lifted, extents
from auditor.lift.objects import (
    Collected,
    Obj,
    Record,
    Sequence,
)
from auditor.notation import (
    Index,
    Symbol,
    Term,
    Value,
)
from auditor.syntax import path_of

Extents = tuple[Term, ...]

DOUBLE = 8


@dataclass
class Shapes:
    """What is known of the expressions of a function; ``known`` and ``libraries`` are what names
    were before it."""

    lifted: Lifted
    known: dict[str, Extents]
    libraries: dict[str, str]

    def __post_init__(self) -> None:
        self.values = self.lifted.lifter.values
        roots = {path.split(".")[0] for path in self.lifted.module.names.values()}
        self.library = self.lifted.module.library or next(
            (name for name in ("torch", "numpy") if name in roots), "python"
        )

    def of(self, node: ast.expr) -> Extents | None:
        """The shape of an array; () for a number, None where it is not known."""
        value: Obj | None = self.values.get(node)
        if isinstance(value, Record):
            value = next(iter(value.fields.values()), None)
        if isinstance(value, Value) and not has_group(value):
            return self.extents(value)
        if isinstance(value, Collected):
            return tuple(map(self.extent, (value.step, *value.axes)))
        if isinstance(node, ast.Name) and node.id in self.known:
            return self.known[node.id]
        if isinstance(node, ast.Call) and (value is None or _opaque(value)):
            shapes = [shape for part in node.args if (shape := self.of(part))]
            return max(shapes, key=len, default=None)
        if isinstance(node, ast.Subscript):
            return self.taken(node)
        if isinstance(value, Value) or isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare)):
            # As its operands, where its own number of axes is not known.
            shapes = [shape for part in operands_of(node) if (shape := self.of(part))]
            own = self.extents(value) if isinstance(value, Value) else None
            return max(shapes, key=len, default=own)
        return None

    def taken(self, node: ast.Subscript) -> Extents | None:
        """The shape of a part of an array, of which the notation does not tell it: without the axes
        that a place is named of, and with those of arrays of places."""
        whole = self.of(node.value)
        if whole is None:
            return None
        items = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        items = [item for item in items if not (isinstance(item, ast.Constant) and (
            item.value is None or item.value is ...))]  # fmt: skip
        kept = [
            self.sliced(item, extent) for item, extent in zip(items, whole, strict=False)
            if isinstance(item, ast.Slice)
        ]  # fmt: skip
        places = [shape for item in items if (shape := self.of(item))]
        return (*max(places, key=len, default=()), *kept, *whole[len(items) :])

    def sliced(self, item: ast.Slice, extent: Term) -> Term:
        """How long a slice is: as long as from one number to another, or the axis at most."""
        if item.lower is None or item.upper is None:
            return extent
        ends = self.number(item.lower), self.number(item.upper)
        if ends[0] is None or ends[1] is None:
            return extent
        return extents.canonical(extents.sub(ends[1], ends[0]))

    def counts(self, node: ast.expr) -> Extents:
        """The numbers in a tuple of sizes."""
        value = self.values.get(node)
        items = value.items if isinstance(value, Sequence) else ()
        return tuple(
            item.body for item in items if isinstance(item, Value) and item.body and not item.axes
        )

    def number(self, node: ast.expr) -> Term | None:
        """The whole number that an expression is."""
        value = self.values.get(node)
        if not isinstance(value, Value) or value.axes or value.dtype != "int":
            return None
        return value.body if value.body is not None else Symbol(value.name)

    def extents(self, value: Value) -> Extents:
        return tuple(map(self.extent, value.axes))

    def extent(self, axis: Index) -> Term:
        return self.lifted.facts.extent(axis.extent)

    def is_array(self, node: ast.expr) -> bool:
        return self.library_of(node) != "python"

    def library_of(self, *nodes: ast.expr) -> str:
        """Whose operation it is: the first library that one of the operands is of."""
        for node in nodes:
            value = self.values.get(node)
            if isinstance(value, Record):
                value = next(iter(value.fields.values()), None)
            if isinstance(value, Collected):
                continue
            if isinstance(value, Value):
                if value.library in ("torch", "numpy"):
                    return value.library
                if value.library is None and value.axes:
                    return self.library
            elif isinstance(node, ast.Name) and node.id in self.libraries:
                return self.libraries[node.id]
            elif isinstance(node, ast.Name) and self.known.get(node.id):
                return self.library
            elif isinstance(node, ast.Call):
                root = (path_of(self.lifted.module, node.func) or "").split(".")[0]
                if root in ("torch", "numpy"):
                    return root
        return "python"

    def width(self, node: ast.expr) -> int:
        value = self.values.get(node)
        return (
            bytes_of(value) if isinstance(value, Value) else (8 if self.library == "numpy" else 4)
        )


def has_group(value: Value) -> bool:
    """Whether the number of its axes is not known."""
    return any(axis.group for axis in value.axes)


def _opaque(value: Obj) -> bool:
    return not isinstance(value, Value) or value.body is None


def operands_of(node: ast.expr) -> list[ast.expr]:
    """The expressions that one is made of, without the name of what is called."""
    if isinstance(node, ast.Call):
        parts: list[ast.expr] = [*node.args, *(keyword.value for keyword in node.keywords)]
        return [node.func.value, *parts] if isinstance(node.func, ast.Attribute) else parts
    return [part for part in tree.children(node) if isinstance(part, ast.expr)]


def bytes_of(value: Value) -> int:
    """Bytes for an element."""
    wide = ("float64", "int64", "float", "int", "complex64")
    narrow = ("float16", "bfloat16", "int16")
    if value.dtype in wide or (value.dtype is None and value.library == "numpy"):
        return DOUBLE
    return 2 if value.dtype in narrow else 1 if value.dtype in ("bool", "uint8", "int8") else 4
