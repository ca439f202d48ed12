"""Sums and averages of what a product of matrices, or a linear layer, gives: the factors are summed
up, or averaged, before."""

from __future__ import annotations

import ast

from auditor.assumed import hold, listed
from auditor.expressions.region import Text
from auditor.lift import extents
from auditor.lift.dtypes import NO_NARROW, kind_of
from auditor.lift.objects import Instance, Literal
from auditor.matrices.added_up import AddedUp
from auditor.matrices.outer import Outer, vectors_of
from auditor.matrices.part_of_product import PartRegion, Product, product_of
from auditor.notation import ONE, Const, Read, Value, walk
from auditor.rewrite import Match


class Totals(PartRegion):
    """The expression that sums up a product."""

    def total(self, value: Value, found: AddedUp) -> Match | None:
        """What is multiplied summed up, or averaged, before."""
        if not self._averages(found):
            return None
        product = product_of(found.made)
        if product is not None:
            return self._multiplied(value, found, product)
        vectors = vectors_of(found.made)
        if vectors is not None:
            return self._of_vectors(value, found, vectors)
        layer = self.layer_of(found.made)
        return self._layer_total(found, *layer) if layer is not None else None

    def _multiplied(self, value: Value, found: AddedUp, product: Product) -> Match | None:
        summed, left, right = found.summed, product.left, product.right
        if left.subs[-1:] != (product.inner,) or right.subs[:1] != (product.inner,):
            return None
        if len(right.subs) != 2 or product.value.axes != (*left.subs[:-1], right.subs[1]):
            return None
        if any(axis.group for axis in right.value.axes):
            return None
        columns = right.subs[1] in summed
        if summed != right.subs[1:] and (len(left.subs) != 2 or left.value.axes[0].group):
            return None
        every = (value, product.value, left.value, right.value)
        if any(one.dtype is not None and kind_of(one.dtype) < 2 for one in every):
            return None  # whole numbers, which may wrap around elsewhere
        if not self.tensors([left.value, right.value]) and any(
            map(_made_of_any, (left.value, right.value))
        ):
            return None
        parts: list[str] = []
        said: list[Text] = []
        for read, dim, gone in ((left, 0, left.subs[0] in summed), (right, 1, columns)):
            text = self.say(read.value)
            if text is None:
                return None
            said.append(text)
            added = f"{text.dotted()}.{self._added(found, str(dim), found.kept)}"
            parts.append(added if gone else text.multiplied())
        floats = [one.value.dtype for one in (left, right)]
        assumed = [] if any(d is not None and kind_of(d) >= 2 for d in floats) else [
            f"`{left.value.name}` holds floating-point numbers"
        ]  # fmt: skip
        message = "all entries of a product are summed up: the factors can be, before"
        lettered: dict[Value, int | None] = {
            read.value: None if any(axis.group for axis in read.value.axes) else len(read.subs)
            for read in (left, right)
        }
        made = self._stepped(found, f"{parts[0]} @ {parts[1]}", columns, said)
        if made is None:
            return None
        whole, doubts, more = made
        return self.part(product.value, whole, said, message, doubts, [*assumed, *more], lettered)

    def _of_vectors(self, value: Value, found: AddedUp, outer: Outer) -> Match | None:
        """The sum of all products of two vectors' elements, or of those of each row or column."""
        column, row = outer.column, outer.row
        assert isinstance(column, Value) and isinstance(row, Value)
        if found.steps or found.kept or outer.scales:
            return None
        known = {column.dtype, row.dtype, value.dtype}
        if any(dtype is not None and kind_of(dtype) < 2 for dtype in known):
            return None  # whole numbers, which may wrap around elsewhere
        texts = [self.say(column), self.say(row)]
        said = [text for text in texts if text is not None]
        numpy = next((n for n, path in self.module.names.items() if path == "numpy"), None)
        tensors = self.tensors([column, row])
        if len(said) < len(texts) or not (tensors or numpy):
            return None
        way = "sum" if found.by is None else "mean"
        parts = []
        for text, axis in zip(said, found.made.axes, strict=True):
            added = f"{text.dotted()}.{way}()" if tensors else f"{numpy}.{way}({text.text})"
            parts.append(added if axis in found.summed else text.multiplied())
        if not tensors and len(found.summed) == 1 and not self._arrays([column, row]):
            return None
        names = list(dict.fromkeys(f"`{text.text}`" for text in said))
        assumed = list[str]()
        if column.dtype is None or row.dtype is None:
            if any(map(_made_of_any, (column, row))):
                return None
            assumed.append(hold(names, NO_NARROW))
            assumed += [f"{listed(names)} are of one type"] if len(names) > 1 else []
        elif column.dtype != row.dtype:
            return None
        message = "all products of two vectors' elements are summed up: the vectors can be, before"
        parent = self.parents.get(self.node)
        tight = isinstance(parent, (ast.Attribute, ast.Subscript, ast.UnaryOp, ast.BinOp))
        whole = " * ".join(parts)
        whole = f"({whole})" if tight else whole
        return self.part(found.made, whole, said, message, [], assumed, {column: 1, row: 1})

    def _arrays(self, values: list[Value]) -> bool:
        """Whether these are arrays, which a number multiplies element by element."""
        return all(value.library == "numpy" for value in values)

    def _added(self, found: AddedUp, dim: str, kept: bool = False) -> str:
        """The method that sums up, or averages, along an axis."""
        method = "sum" if found.by is None else "mean"
        if not kept:
            return f"{method}({dim})"
        return f"{method}({dim}, {'keepdim' if self.tensors([found.made]) else 'keepdims'}=True)"

    def _averages(self, found: AddedUp) -> bool:
        """Whether a sum that is divided is an average: one call, by how many it adds up."""
        if found.by is None:
            return True
        extent = self.lifted.facts.extent
        count = extents.mul(ONE, *(extent(axis.extent) for axis in found.summed))
        return isinstance(self.node, ast.Call) and extent(found.by) is extent(count)

    def _stepped(
        self, found: AddedUp, made: str, columns: bool, said: list[Text], added: bool = False
    ) -> tuple[str, list[str], list[str]] | None:
        """What was made, and ``added`` to where that is so, after the steps; with what is doubtful
        and what is assumed of these."""
        doubts, assumed = list[str](), list[str]()
        for step in found.steps:
            if step.sign in "*/":
                made, added = f"({made})" if added else made, False
            elif found.by is None and not (columns and isinstance(step.other, Value)
                                           and len(found.summed) == 1):  # fmt: skip
                return None  # as many times as there are rows
            else:
                added = True
            if isinstance(step.other, Const):
                made = f"{made} {step.sign} {step.other.value!r}"
                continue
            vector = self.say(step.other)
            if vector is None:
                return None
            said.append(vector)
            other = self._of_columns(found, step.other, vector, columns, assumed)
            made = f"{made} {step.sign} {other}"
            if columns and not self._one_each(step.other, found.made):
                doubts.append(
                    f"the sum differs unless `{vector.text}` has one number for each column"
                )
        parent = self.parents.get(self.node)
        tight = isinstance(parent, (ast.Attribute, ast.Subscript, ast.UnaryOp, ast.BinOp))
        return f"({made})" if tight else made, doubts, assumed

    def _of_columns(
        self, found: AddedUp, vector: Value, said: Text, columns: bool, assumed: list[str]
    ) -> str:
        """What is added of a vector that is added to each column: as an array, which decides of
        the dtype, where the result is one."""
        if not columns:
            return said.multiplied()
        same = vector.dtype is not None and vector.dtype == found.made.dtype
        scalar = len(found.summed) == len(found.made.axes) and not found.kept
        ranked = not any(axis.group for axis in found.made.axes)
        if same or scalar or not ranked:
            if not same and not scalar:
                assumed.append(f"`{said.text}` has the dtype of what it is added to")
            return f"{said.dotted()}.{self._added(found, '')}"
        return f"{said.dotted()}.{self._added(found, '0', kept=True)}"

    def _one_each(self, vector: Value, made: Value) -> bool:
        """Whether a vector has a number for each column, and is broadcast to none."""
        facts = self.lifted.facts
        own = vector.axes[0].extent
        same = facts.extent(own) is facts.extent(made.axes[-1].extent)
        return len(vector.axes) == 1 and same and facts.certain(own)

    def _layer_total(self, found: AddedUp, call: ast.Call, layer: Instance) -> Match | None:
        """The sum of the outputs of a linear layer: its weights summed up before."""
        given = self.values.get(call.args[0]) if len(call.args) == 1 and not call.keywords else None
        if not isinstance(given, Value) or found.summed != found.made.axes[-1:]:
            return None
        bias = layer.keywords.get("bias", layer.args[2] if len(layer.args) > 2 else None)
        if isinstance(bias, Value) and isinstance(bias.body, Const):
            bias = Literal(bias.body.value)
        rows = self.say(given)
        if rows is None or not (bias is None or isinstance(bias, Literal)):
            return None
        site, name = self.site, self.one_line(call.func)
        site.require(not self.module.hooks, "hooks", "the file puts hooks on modules")
        site.require(not self.autocast(), "autocast", "under autocast a sum has another dtype")
        turned = ".T" if found.kept else ""
        made = f"{rows.multiplied()} @ {name}.weight.{self._added(found, '0', found.kept)}{turned}"
        biased = bias is None or bool(bias.value)
        if biased:
            made += f" + {name}.bias.{self._added(found, '')}"
        said = [rows, Text("", frozenset((name.partition(".")[0],)))]
        stepped = self._stepped(found, made, True, said, biased)
        if stepped is None:
            return None
        text, doubts, assumed = stepped
        doubts = [f"hooks on `{name}`, or another module in its place, are left out", *doubts]
        message = "the outputs of a linear layer are summed up: its weights can be, before"
        return self.part(found.made, text, said, message, doubts, assumed, {given: None})


def _made_of_any(value: Value) -> bool:
    """Whether something of which nothing is known made a value, of whatever type: of narrow
    integers as well as of other numbers."""
    if value.dtype is not None:
        return False
    inside = (
        [] if value.body is None else [n.value for n in walk(value.body) if isinstance(n, Read)]
    )
    return value.kind == "opaque" or any(map(_made_of_any, inside))
