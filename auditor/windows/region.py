"""An expression of windows, and what its code says of them."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.arrays.facts import leaves
from auditor.expressions.rebound import ReboundRegion
from auditor.expressions.region import Text
from auditor.notation import Value
from auditor.rewrite import Refused
from auditor.verdict import Verdict
from auditor.windows.reading import Slid

LOCAL = Verdict("holds", "structure", "each result is computed of one window")
_UNFOLD = ("dimension", "size", "step")
_SLIDING = ("window_shape", "axis")


@dataclass(frozen=True)
class Laid:
    """How windows along one axis are written: how long they are, and from one to the next."""

    axis: int
    size: Text
    step: Text


class WindowRegion(ReboundRegion):
    """The expression that computes with windows."""

    def laid(self, found: Slid) -> tuple[Laid, ...] | None:
        """The windows as the code lays them out, by their axes; None where it cannot be said."""
        laid: list[Laid] = []
        for view in reversed(found.views):
            written = self._written(view)
            if written is None:
                return None
            laid += written
        laid.sort(key=lambda one: one.axis)
        return tuple(laid) if [one.axis for one in laid] == found.places else None

    def _written(self, view: Value) -> list[Laid] | None:
        """The windows that one view lays out."""
        call, source = self.origin(view), view.made[1] if view.made is not None else None
        if not isinstance(call, ast.Call) or source is None:
            return None
        method = isinstance(call.func, ast.Attribute) and call.func.attr == "unfold"
        given = call.args if method else call.args[1:]
        words = _UNFOLD if method else _SLIDING
        bound = dict(zip(words, given, strict=False))
        bound |= {word.arg: word.value for word in call.keywords if word.arg is not None}
        if method:
            return self._unfolded(bound, source)
        sizes = _items(bound.get("window_shape"))
        axes = _items(bound["axis"]) if "axis" in bound else None
        places = list(range(len(sizes))) if axes is None else [_place(a, source) for a in axes]
        said = [self.source_text(size) for size in sizes]
        if len(places) != len(said):
            return None
        one = Text("1")
        pairs = zip(places, said, strict=True)
        return [Laid(at, size, one) for at, size in pairs if at is not None and size is not None]

    def _unfolded(self, bound: dict[str, ast.expr], source: Value) -> list[Laid] | None:
        dim = bound.get("dimension", bound.get("dim"))
        if dim is None or "size" not in bound or "step" not in bound:
            return None
        at = _place(dim, source)
        size, step = self.source_text(bound["size"]), self.source_text(bound["step"])
        return None if at is None or size is None or step is None else [Laid(at, size, step)]

    def functional(self) -> str:
        """How the file says ``torch.nn.functional``."""
        names = {path: name for name, path in self.module.names.items()}
        if "torch.nn.functional" in names:
            return names["torch.nn.functional"]
        if "torch.nn" in names:
            return f"{names['torch.nn']}.functional"
        if "torch" not in names:
            raise Refused("torch", "the file does not import torch")
        return f"{names['torch']}.nn.functional"

    @property
    def numpy(self) -> str:
        """How the file says ``numpy``, or will once it imports that."""
        names = {path: name for name, path in self.module.names.items()}
        return names.get("numpy", "numpy")

    @property
    def lacking(self) -> tuple[tuple[str, str | None], ...]:
        """The import of NumPy that the file lacks."""
        return () if "numpy" in self.module.names.values() else (("numpy", None),)

    def assumed(self, *values: Value) -> list[str]:
        """What the axes of values are taken to be."""
        stated = self.lifted.facts.assumptions
        names = dict.fromkeys(name for value in values for name in sorted(leaves(value)))
        return [stated[name] for name in names if name in stated]


def once(words: list[str]) -> str:
    """What is given for each axis, once where that is always the same."""
    return words[0] if len({*words}) == 1 else f"({', '.join(words)})"


def _items(node: ast.expr | None) -> list[ast.expr]:
    if node is None:
        return []
    return list(node.elts) if isinstance(node, (ast.Tuple, ast.List)) else [node]


def _place(node: ast.expr, source: Value) -> int | None:
    """The axis of an array that a number stands for."""
    try:
        number = ast.literal_eval(node)
    except ValueError:
        return None
    if type(number) is not int or any(axis.group for axis in source.axes):
        return None
    return number % len(source.axes) if -len(source.axes) <= number < len(source.axes) else None
