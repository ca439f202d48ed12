"""How many axes what a loop computes with has, where carried arrays are multiplied by it: for the
strategies of the generated test."""

from __future__ import annotations

import ast

from auditor.algebra.matrix_maps import SUM, is_of_arrays, ring_of, takes_matrices
from auditor.derive.expression import source
from auditor.derive.fold import Fold
from auditor.notation import Apply, Read, Term, walk
from auditor.tree import everything_in

_OF_TWO_AXES = ("outer(", "[:, None]", "[None, :]", "unsqueeze(")
_SAME = ("T", "copy", "clone", "float", "double")


def axes_of_texts(fold: Fold) -> dict[str, int]:
    """The numbers of axes of expressions, as they are written. What is carried is a vector, unless
    something says that it is a matrix."""
    found: dict[str, int] = {}
    for carry in fold.scan.carries:
        opaque = " ".join(n.value.name for n in walk(carry.update) if isinstance(n, Read))
        if takes_matrices(carry.update) or any(word in opaque for word in _OF_TWO_AXES):
            count = _carried(carry.update, carry.name, fold)
            axes = _Axes({carry.state.name: count}, count)
            axes.term(carry.update, count)
            found |= axes.known
    if found and fold.running is not None:
        kept = (n.args[0] for n in everything_in(fold.node) if isinstance(n, ast.Call) and n.args
                and ast.unparse(n.func) == f"{fold.running}.append")  # fmt: skip
        axes = _Axes(found)
        for one in kept:
            axes.text(one, 1)
    return found


def places_told(fold: Fold) -> int:
    """How many places there are along each axis, where what is carried begins with so many."""
    for carry in fold.scan.carries:
        begun = ast.parse(fold.starts.get(carry.name, "None"), mode="eval").body
        sizes = [n.value for n in everything_in(begun)
                 if isinstance(n, ast.Constant) and type(n.value) is int]  # fmt: skip
        if isinstance(begun, ast.Call) and sizes and 0 < sizes[0] < 6:
            return sizes[0]
    return 3


def begun_single(fold: Fold) -> bool:
    """Does what is multiplied by matrices begin in single precision, which takes no other?"""
    return any(
        fold.starts.get(carry.name, "").startswith("torch.")
        and "dtype" not in fold.starts[carry.name] and ring_of(carry.update) == SUM
        for carry in fold.scan.carries if takes_matrices(carry.update)
    )  # fmt: skip


def _carried(term: Term, name: str, fold: Fold) -> int:
    """Of how many axes a carried array is."""
    begun = fold.starts.get(name, "")
    if any(word in begun for word in ("eye(", "identity(")) or "((" in begun:
        return 2
    called = ast.parse(begun or "None", mode="eval").body
    if isinstance(called, ast.Call) and len(called.args) > 1:
        return 2
    ops = {node.op for node in _applied(term)}
    texts = [n.value.name for n in walk(term) if isinstance(n, Read)]
    reduced = any(op.startswith("total:") for op in ops)
    if not reduced and any(word in text for word in _OF_TWO_AXES for text in texts):
        return 2
    if ops & {"expand:2:", "total:sum:2", "total:max:2", "total:min:2", "total:logaddexp:2"}:
        return 2
    told = {int(op.split(":")[2]) for op in ops if op.startswith("expand:") and op[-1] != ":"}
    if told:
        return min(told)
    inner = [n for n in _applied(term) if n.op == "matmul"]
    both = any(_moving(n.args[0]) for n in inner) and any(_moving(n.args[1]) for n in inner)
    return 2 if both or ops & {"outer", "swapped"} else 1


def _applied(term: Term) -> list[Apply]:
    if not isinstance(term, Apply):
        return []
    return [term, *(n for arg in term.args for n in _applied(arg))]


def _moving(term: Term) -> bool:
    if isinstance(term, Read):
        return term.value.kind == "state"
    return isinstance(term, Apply) and any(map(_moving, term.args))


class _Axes:
    def __init__(self, known: dict[str, int], carried: int = 1) -> None:
        self.known, self.carried = known, carried

    def term(self, term: Term, axes: int) -> None:
        """``term`` has so many axes."""
        if isinstance(term, Read):
            if term.value.kind != "state":
                self.text(ast.parse(term.value.name, mode="eval").body, axes)
            return
        if not isinstance(term, Apply):
            return
        op, args = term.op, term.args
        if op == "matmul":
            moving = [_moving(one) for one in args]
            for one, moves in zip(args, moving, strict=True):
                if axes == 1 and self.carried == 2:  # a matrix times a vector
                    self.term(one, 2 if moves else 1)
                else:
                    self.term(one, 1 if axes == 1 and moves else 2)
        elif op == "outer":
            for one in args:
                self.term(one, 1)
        elif op.startswith("expand:"):
            self.term(args[0], axes - 1)
        elif op.startswith("total:"):
            self.term(args[0], axes + 1)
        elif op == "where":
            for one in args[1:]:
                self.term(one, axes)
        elif op == "mul" and axes == self.carried == 2 and len([*filter(_moving, args)]) == 1:
            for one in args:
                self.term(one, 2 if _moving(one) else 0)
        elif op in ("add", "sub", "mul", "div", "neg", "max", "min", "swapped") or is_of_arrays(op):
            for one in args:
                self.term(one, axes)
        elif op.startswith("call:"):
            self.text(ast.parse(source(term), mode="eval").body, axes)

    def text(self, node: ast.expr, axes: int) -> None:
        """An expression of the element has so many axes."""
        if isinstance(node, ast.Constant) or axes < 0:
            return
        if isinstance(node, ast.Attribute) and node.attr in _SAME:
            self.text(node.value, axes)
        elif isinstance(node, (ast.Name, ast.Attribute)):
            self.known.setdefault(ast.unparse(node), axes)
        elif isinstance(node, ast.UnaryOp):
            self.text(node.operand, axes)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            carried = self.known.get(ast.unparse(node.right)) == 2 and axes == 1
            self.text(node.left, 1 if carried else 2)
            self.text(node.right, axes)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and axes == 2:
            outer = [isinstance(side, ast.Call) for side in (node.left, node.right)]
            self.text(node.left, 0 if outer == [False, True] else axes)
            self.text(node.right, 0 if outer == [True, False] else axes)
        elif isinstance(node, ast.BinOp):
            self.text(node.left, axes)
            self.text(node.right, axes)
        elif isinstance(node, ast.Subscript):
            self._within(node, axes)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            self._called(node, node.func.attr, axes)

    def _within(self, node: ast.Subscript, axes: int) -> None:
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        new = sum(ast.unparse(part).endswith(("None", "newaxis")) for part in parts)
        if new:
            self.text(node.value, axes - new)
        elif isinstance(node.slice, ast.Constant):
            self.known.setdefault(ast.unparse(node), axes)
        elif isinstance(node.slice, ast.Tuple):
            kept = sum(isinstance(part, ast.Slice) for part in parts)
            self.known.setdefault(ast.unparse(node.value), axes - kept + len(parts))
        else:
            self.known.setdefault(ast.unparse(node.value), axes + 1)

    def _called(self, node: ast.Call, word: str, axes: int) -> None:
        if word == "outer":
            for one in node.args:
                self.text(one, 1)
        elif word == "diag":
            self.text(node.args[0], 1)
        elif word in ("unsqueeze", "expand_dims"):
            inner = node.func.value if word == "unsqueeze" else node.args[0]  # type: ignore[attr-defined]
            self.text(inner, axes - 1)
        elif word in ("dot", "matmul") and len(node.args) == 2:
            self.text(node.args[0], 2)
            self.text(node.args[1], axes)
        elif word in _SAME or word in ("t", "transpose"):
            self.text(node.func.value, axes)  # type: ignore[attr-defined]
        elif word in ("exp", "log", "tanh", "asarray", "array"):
            for one in node.args[:1]:
                self.text(one, axes)
