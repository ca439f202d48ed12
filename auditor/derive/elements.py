"""What the elements of a loop, and what it takes beside them, look like, as hypothesis strategies:
by how the body uses them, and where that does not tell, by what the function says of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from auditor.algebra.states import Dependence
from auditor.derive.annotations import annotated, held_by, part_of, says, walked
from auditor.derive.drawn_axes import axes_of_texts, begun_single, places_told
from auditor.derive.fold import Fold
from auditor.notation import Apply, Read, walk
from auditor.tree import children, everything_in

_NUMBER = "st.integers(-4, 9)"
_POSITIVE = "st.integers(1, 9)"
_OPTION = "st.integers(-3, 3)"
_PLACES = {1: 8, 2: 3}  # so many along each axis, fewer of more axes
_BEYOND = 2  # and so many more, for what stands beside a place
_ARGUMENTS = {
    "int": 'st.sampled_from("0123456789")',
    "float": 'st.sampled_from(["0.5", "1", "2.25", "-3"])',
    "ord": 'st.sampled_from("abcxyz ")',
    "len": "st.lists(st.integers(0, 3), max_size=4)",
    "set": "st.lists(st.integers(0, 3), max_size=4)",
}
_FOLDED = ("sum", "max", "min", "any", "all", "sorted")
_TEXT = {"strip", "lower", "upper", "lstrip", "rstrip", "title", "startswith", "endswith",
         "isdigit", "isalpha", "isspace", "isupper", "islower", "isalnum"}  # fmt: skip
_OF_TEXTS = frozenset(dir(str)).difference(dir(list), dir(dict), dir(set), dir(bytes)) | {
    "partition", "rpartition", "find", "rfind", "replace", "removeprefix", "removesuffix",
    "splitlines", "encode", "zfill", "center", "join", *_TEXT,
}  # fmt: skip
_OF_ARRAYS = frozenset("max min sum mean any all prod argmax argmin shape size ndim dot T item "
                       "tolist cumsum std var flatten ravel".split())  # fmt: skip
_OF_TWO_ARRAYS = _OF_ARRAYS | frozenset(
    "maximum minimum dot outer matmul inner kron vdot cross where logaddexp".split()
)
_MASKED = {"where": 0, "masked_fill": 0}
"""The functions that pick places, and which argument says where."""


def drawn_element(fold: Fold) -> tuple[str, int]:
    """A strategy, as source, for an element of a loop, and how many of them are drawn at most."""
    node = fold.node
    uses = _Uses(fold)
    element = uses.bound(node.target, node.iter, walked(node.iter, annotated(fold.function)))
    return element, 8 if "st.lists(" in element else 40


def drawn_option(fold: Fold, name: str) -> str:
    """A strategy, as source, for what the loop takes from around it under a name."""
    uses = _Uses(fold)
    default = f"{_OPTION}.map(float)" if uses.columns else _OPTION
    return uses.of(name, hint=annotated(fold.function).get(name), default=default)


def row_size(fold: Fold) -> int:
    """How many numbers a carried row has: as many as there are places along an axis of what the
    body takes whole rows or columns of."""
    uses = _Uses(fold)
    return uses.places + uses.beyond if uses.columns else 3


def _divides(fold: Fold) -> bool:
    """Is something divided by what a carried value and an element make together, which may be
    nearly nothing where their signs differ?"""
    dependence = Dependence()
    return any(
        isinstance(node, Apply)
        and node.op == "div"
        and dependence.states(node.args[1])
        and any(isinstance(n, Read) and n.value.kind == "input" for n in walk(node.args[1]))
        for carry in fold.scan.carries
        for node in walk(carry.update)
    )


def _words(asked: Sequence[str] = ()) -> str:
    """A strategy for texts that hold what is looked for in them."""
    parts = ", ".join(map(repr, dict.fromkeys([*(one for one in asked if one), "a", "b"])))
    return f'st.lists(st.sampled_from([{parts}]), max_size=4).map("".join)'


_NOTHING: ast.expr = ast.Constant(None)


class _Uses:
    """The places where names of the body occur, with what stands around them."""

    def __init__(self, fold: Fold) -> None:
        self.libraries = _libraries(fold.tree)
        self.arrays = (fold.arrays or "").partition(" ")[2]
        self.keys = fold.keys
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nodes: list[ast.AST] = []
        after = ast.parse(fold.result or "").body
        for statement in [*fold.node.body, *after]:
            for node in everything_in(statement):
                self.nodes.append(node)
                for child in children(node):
                    self.parents[child] = node
        # Python's integers outgrow what an array of a library takes
        counted = _POSITIVE if _divides(fold) else _NUMBER
        self.named = {node.id for node in self.nodes if isinstance(node, ast.Name)}
        of_arrays = self.arrays or self.named & self.libraries.keys()
        self.number = f"{counted}.map(float)" if of_arrays else counted
        self.columns = any(isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Tuple)
                           and any(isinstance(one, ast.Slice) for one in n.slice.elts)
                           for n in self.nodes)  # fmt: skip
        self.axes = axes_of_texts(fold)
        if self.axes:  # products of many are to stay exact
            drawn = "st.integers(1, 3)" if _divides(fold) else "st.integers(-2, 2)"
            self.number = f"{drawn}.map(float)"
        self.single = bool(self.axes) and begun_single(fold)
        if self.single:
            self.number = "st.integers(-1, 1).map(float)"
        self.beyond = 0 if self.axes else _BEYOND
        self.places = places_told(fold) if self.axes else self._counted()
        self.asked = self._looked_for()
        self.begun = {
            name: like
            for name, text in fold.starts.items()
            if (like := self._like(ast.parse(text, mode="eval").body)) is not None
        }

    # -- what the loop binds

    def bound(self, target: ast.expr, iterated: ast.expr, hint: ast.expr | None) -> str:
        """A strategy for what ``target`` is bound to."""
        text = ast.unparse(iterated)
        if isinstance(target, (ast.Tuple, ast.List)):
            hints = [part_of(hint, n) for n in range(len(target.elts))]
            parts = [self.bound(t, _NOTHING, h) for t, h in zip(target.elts, hints, strict=True)]
            if text.startswith("enumerate(") and len(parts) == 2:
                parts[0] = self._place(target.elts[0]) or "st.integers(0, 20)"
            return f"st.tuples({', '.join(parts)})"
        if isinstance(target, ast.Name) and self.keys.get(target.id):
            return f"st.sampled_from({list(self.keys[target.id])!r})"
        place = self._place(target)
        if text.startswith("range("):
            return place or "st.integers(0, 20)"
        if isinstance(target, ast.Name):
            return place or self.of(target.id, hint=hint)
        return self.number

    def _place(self, target: ast.expr) -> str | None:
        """A strategy for a name that tells where to look into something else."""
        if not isinstance(target, ast.Name) or not any(
            isinstance(n, ast.Name) and n.id == target.id
            for node in self.nodes
            if isinstance(node, ast.Subscript)
            and isinstance(node.ctx, ast.Load)
            and not _is_asked_by_key(node)
            for n in everything_in(node.slice)
        ):
            return None
        behind = [
            node.right.value
            for node in self.nodes
            if isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Sub)
            and isinstance(node.left, ast.Name)
            and node.left.id == target.id
            and isinstance(node.right, ast.Constant)
            and isinstance(node.right.value, int)
        ]
        first = min(max(behind, default=0), self.places - 1)
        return f"st.integers({first}, {self.places - 1})"

    def _counted(self) -> int:
        """How many places there are along each axis of what the body looks into."""
        deepest = 1
        for node in self.nodes:
            depth = 0
            while isinstance(node, ast.Subscript):
                depth += len(node.slice.elts) if isinstance(node.slice, ast.Tuple) else 1
                node = node.value
            deepest = max(deepest, depth)
        return _PLACES.get(deepest, 2)

    def _looked_for(self) -> list[str]:
        """The texts that the body looks for in others."""
        found: list[Any] = []
        for node in self.nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                found += [c.value for c in node.args if isinstance(c, ast.Constant)]
            elif isinstance(node, ast.Compare):
                found += _constants(node)
        return list(dict.fromkeys(one for one in found if isinstance(one, str)))

    def _like(self, start: ast.expr) -> str | None:
        """A strategy for what is like the value that a carried name begins as."""
        if isinstance(start, ast.Constant) and isinstance(start.value, str):
            return _words(self.asked)
        if isinstance(start, ast.Tuple):
            parts = [self._like(part) or self.number for part in start.elts]
            return f"st.tuples({', '.join(parts)})" if parts else None
        return None

    # -- what is used

    def of(
        self,
        name: str,
        seen: frozenset[str] = frozenset(),
        hint: ast.expr | None = None,
        default: str | None = None,
    ) -> str:
        """A strategy for what ``name`` holds."""
        places = [
            node
            for node in self.nodes
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        ]
        return self.among([*places], seen | {name}, hint, default)

    def among(
        self,
        places: list[ast.AST],
        seen: frozenset[str],
        hint: ast.expr | None = None,
        default: str | None = None,
    ) -> str:
        """A strategy for a value that occurs at all these places."""
        drawn = self._something(places, seen, hint, default)
        return f"st.none() | {drawn}" if any(map(self._may_be_none, places)) else drawn

    def _may_be_none(self, node: ast.AST) -> bool:
        """Is it asked whether this is ``None``?"""
        asked = self.parents.get(node)
        return isinstance(asked, ast.Compare) and any(
            isinstance(other, ast.Constant) and other.value is None for other in asked.comparators
        )

    def _something(
        self,
        places: list[ast.AST],
        seen: frozenset[str],
        hint: ast.expr | None,
        default: str | None,
    ) -> str:
        """A strategy for a value that occurs at all these places, and is not ``None``."""
        texts = (ast.unparse(one) for one in places if isinstance(one, ast.expr))
        axes = next((self.axes[text] for text in texts if text in self.axes), None)
        if axes is not None:
            return self._of_axes(axes, hint)
        entries: dict[str, list[ast.AST]] = {}
        attributes: dict[str, list[ast.AST]] = {}
        looked_into: list[ast.Subscript] = []
        words: list[Any] = []
        plain: list[str] = []
        truth, array = False, ""
        waiting = list(places)
        for node in waiting:
            parent = self.parents.get(node)
            if isinstance(parent, ast.Subscript) and parent.value is node:
                if isinstance(parent.slice, ast.Constant):
                    entries.setdefault(repr(parent.slice.value), []).append(parent)
                else:
                    looked_into.append(parent)
            elif isinstance(parent, ast.Attribute):
                found = self._method(parent, seen)
                if found is not None:
                    plain.append(found)
                elif parent.attr in _OF_ARRAYS and self.libraries:
                    array = array or self._library(hint)
                elif not isinstance(self.parents.get(parent), ast.Call):
                    attributes.setdefault(parent.attr, []).append(parent)
            elif isinstance(parent, ast.Call):
                called = ast.unparse(parent.func)
                key = next((ast.unparse(k.value) for k in parent.keywords if k.arg == "key"), "")
                if called in ("max", "min") and key in _ARGUMENTS:
                    plain.append(_ARGUMENTS[key])
                elif called in _FOLDED and len(parent.args) == 1:
                    plain.append(f"st.lists({self.number}, min_size=1, max_size=4)")
                elif called in _ARGUMENTS:
                    plain.append(_ARGUMENTS[called])
                elif called.endswith((".log", ".sqrt")):
                    plain.append("st.integers(1, 20)")
                elif (mask := self._mask(parent, node)) is not None:
                    plain.append(mask)
                elif self._takes_arrays(called):
                    array = called.partition(".")[0]
                elif called in ("max", "min"):
                    plain += self._beside(node, parent.args)
                elif called == "zip":
                    plain.append(f"st.lists({self.number}, min_size=3, max_size=3)")
            elif isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is node:
                inner = self.bound(parent.target, _NOTHING, held_by(hint))
                plain.append(f"st.lists({inner}, max_size=4)")
            elif isinstance(parent, ast.Compare):
                words += _constants(parent)
                if any(isinstance(op, (ast.In, ast.NotIn)) for op in parent.ops):
                    words += [c for w in _constants(parent) if isinstance(w, str) for c in w]
                else:
                    plain += self._beside(node, [parent.left, *parent.comparators])
            elif isinstance(parent, ast.Assign) and parent.value is node:
                if isinstance(parent.targets[0], ast.Tuple):
                    parts = [self.of(t.id, seen) for t in parent.targets[0].elts
                             if isinstance(t, ast.Name)]  # fmt: skip
                    plain.append(f"st.tuples({', '.join(parts)})")
                else:
                    plain += self._beside(node, parent.targets)
            elif isinstance(parent, ast.AugAssign) and isinstance(parent.op, ast.Add):
                plain += self._beside(node, [parent.target])
            elif isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult):
                array = array or self._library(hint)
            elif isinstance(parent, ast.BinOp) and isinstance(parent.op, (ast.BitAnd, ast.BitOr)):
                other = parent.right if parent.left is node else parent.left
                if isinstance(other, ast.Call) and ast.unparse(other.func) == "set":
                    plain.append("st.sets(st.integers(0, 3))")
            elif isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add):
                plain += self._beside(node, [parent.left, parent.right])
                if plain:
                    waiting.append(parent)
            elif isinstance(parent, (ast.If, ast.IfExp)) and parent.test is node:
                truth = True
            elif isinstance(parent, ast.IfExp):
                waiting.append(parent)
        if looked_into:
            constants = [n for nodes in entries.values() for n in nodes]
            return self._sequence(looked_into, constants, seen, hint, bool(array))
        if entries:
            return self._record(entries, seen)
        if array:
            return self._array(f"st.lists({self.number}, min_size=3, max_size=3)", array)
        if attributes:
            inside = ", ".join(
                f"{name}={self.among(nodes, seen)}" for name, nodes in attributes.items()
            )
            return f"st.builds(SimpleNamespace, {inside})"
        said = self._said(hint)
        if plain:
            best = plain[0]
            return said if said and ".join" in said and best.startswith("st.lists(") else best
        numbers = [w for w in words if not isinstance(w, str)]
        if words and not numbers:
            listed = ", ".join(map(repr, dict.fromkeys([*words, "x", "y"])))
            return f"st.sampled_from([{listed}])"
        if numbers and any(not -4 <= n <= 9 for n in numbers):
            listed = ", ".join(map(repr, dict.fromkeys(
                near for n in numbers for near in (n, n - 1, n + 1))))  # fmt: skip
            return f"st.sampled_from([{listed}])"
        if said is not None:
            return said
        return "st.booleans()" if truth and len(places) == 1 else default or self.number

    def _beside(self, node: ast.AST, others: Sequence[ast.expr]) -> list[str]:
        """Strategies for what is compared with, or joined to, what is no number."""
        found = []
        for other in others:
            if other is node:
                continue
            if isinstance(other, ast.Name) and other.id in self.begun:
                found.append(self.begun[other.id])
            elif isinstance(other, ast.JoinedStr) or (
                isinstance(other, ast.Constant)
                and isinstance(other.value, str)
                and not isinstance(self.parents.get(node), ast.Compare)
            ):
                found.append(_words(self.asked))
        return found

    def _sequence(
        self,
        looked_into: list[ast.Subscript],
        constants: list[ast.AST],
        seen: frozenset[str],
        hint: ast.expr | None,
        array: bool,
    ) -> str:
        """A strategy for what is looked into at places that are not written out."""
        axes = max(len(n.slice.elts) if isinstance(n.slice, ast.Tuple) else 1 for n in looked_into)
        if axes == 1 and any(_is_text(n) for n in looked_into):
            return f"st.dictionaries(st.sampled_from(['a', 'b', 'x']), {self.number})"
        inside = [n for n in looked_into if not isinstance(n.slice, ast.Slice)]
        value = self.number
        if axes == 1:
            value = self.among([*inside, *constants], seen, held_by(hint))
        size = self.places + self.beyond
        scaled = (n for i in looked_into for n in everything_in(i.slice))
        if any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult) for n in scaled):
            size *= 4
        for _ in range(axes):
            value = f"st.lists({value}, min_size={size}, max_size={size})"
        whole = array or axes > 1 or says(hint, "ndarray", "Tensor")
        return self._array(value, self._library(hint)) if whole else value

    def _array(self, value: str, library: str) -> str:
        """The lists that a strategy draws as arrays of a library."""
        kind = "tensor" if self.libraries.get(library) == "torch" else "array"
        single = kind == "tensor" and self.single
        dtype = f"{library}.float{32 if single else 64}"
        if "st.booleans()" in value:
            dtype = f"{library}.bool" if kind == "tensor" else "bool"
        make = f".map(partial({library}.{kind}, dtype={dtype}))"
        return f"{value.replace(make, '')}{make}"

    def _of_axes(self, axes: int, hint: ast.expr | None) -> str:
        """A strategy for arrays of so many axes."""
        value, size = self.number, self.places
        for _ in range(axes):
            value = f"st.lists({value}, min_size={size}, max_size={size})"
        return self._array(value, self.arrays or self._library(hint)) if axes else value

    def _library(self, hint: ast.expr | None) -> str:
        """The name of the library of which a value is an array."""
        named = {kind: name for name, kind in self.libraries.items()}
        called = {self.libraries[word] for word in self.named & self.libraries.keys()}
        wanted = "torch" if says(hint, "Tensor") or called == {"torch"} else "numpy"
        return named.get(wanted) or next(iter(self.libraries), "np")

    def _mask(self, call: ast.Call, node: ast.AST) -> str | None:
        """A strategy for what says which places are picked, if a call takes it for that."""
        if not isinstance(call.func, ast.Attribute):
            return None
        place = _MASKED.get(call.func.attr)
        if place is None or not self.libraries or call.args[place : place + 1] != [node]:
            return None
        base, named = call.func.value, {kind: name for name, kind in self.libraries.items()}
        library = named.get("torch", "")  # only its arrays have methods that take a mask
        if isinstance(base, ast.Name) and base.id in self.libraries:
            library = base.id
        if not library:
            return None
        return self._array("st.lists(st.booleans(), min_size=3, max_size=3)", library)

    def _takes_arrays(self, called: str) -> bool:
        """Is it a function of arrays, and of no number? Torch has no others."""
        library, _, name = called.partition(".")
        kind = self.libraries.get(library)
        return kind == "torch" or (kind == "numpy" and name in _OF_TWO_ARRAYS)

    def _said(self, hint: ast.expr | None) -> str | None:
        """A strategy by what the function says of a value."""
        if says(hint, "str"):
            return _words(self.asked)
        if says(hint, "bool"):
            return "st.booleans()"
        if says(hint, "tuple") and part_of(hint, 0) is not None and not says(hint, "..."):
            parts: list[str] = []
            while (part := part_of(hint, len(parts))) is not None:
                parts.append(self._said(part) or self.number)
            return f"st.tuples({', '.join(parts)})"
        inner = held_by(hint)
        if inner is not None:
            return f"st.lists({self._said(inner) or self.number}, max_size=4)"
        return None

    def _asked(self, method: str) -> list[list[Any]]:
        """What methods of strings are asked for anywhere in the body."""
        return [
            [c.value for c in node.args if isinstance(c, ast.Constant)]
            for node in self.nodes
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _TEXT
        ]

    def _record(self, entries: dict[str, list[ast.AST]], seen: frozenset[str]) -> str:
        values = {key: self.among(nodes, seen) for key, nodes in entries.items()}
        if all(key.isdigit() for key in values):
            width = max(map(int, values)) + 1
            inside = ", ".join(values.get(str(n), self.number) for n in range(width))
            return f"st.tuples({inside}{',' if width == 1 else ''})"
        inside = ", ".join(f"{key}: {value}" for key, value in values.items())
        return f"st.fixed_dictionaries({{{inside}}})"

    def _method(self, node: ast.Attribute, seen: frozenset[str]) -> str | None:
        """The text that a method of strings is asked of."""
        call = self.parents.get(node)
        if not isinstance(call, ast.Call) or call.func is not node:
            return None
        if node.attr == "get" and call.args and isinstance(call.args[0], ast.Constant):
            return None
        above = self.parents.get(call)
        if node.attr in ("append", "extend"):
            return f"st.lists({self.number}, max_size=4)"
        if node.attr == "split":
            separator = repr(call.args[0].value) if call.args and isinstance(
                call.args[0], ast.Constant) else "' '"  # fmt: skip
            parts = None
            if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name):
                parts = self.of(above.targets[0].id, seen)
            elif (
                isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Tuple)
            ) or isinstance(above, ast.Subscript):
                parts = self.among([call], seen)
            if parts is not None and parts.startswith("st.tuples("):
                return f"{parts}.map(lambda parts: {separator}.join(map(str, parts)))"
            return 'st.sampled_from(["a", "b c", "a b", ""])'
        if node.attr in _TEXT:
            deeper = self.among([call], seen)
            asked = [c.value for c in call.args if isinstance(c, ast.Constant)]
            asked += [c for other in self._asked(node.attr) for c in other if c not in asked]
            if asked:
                return f"st.sampled_from([{', '.join(map(repr, [*asked, 'x', ' y ']))}])"
            wording = deeper if deeper.startswith("st.sampled_from([") or ".join(" in deeper else ""
            return wording or 'st.sampled_from(["a", "B", " b ", "7", ""])'
        counts = node.attr in ("count", "index") and any(
            isinstance(c, ast.Constant) and isinstance(c.value, str) for c in call.args
        )
        return _words(self.asked) if counts or node.attr in _OF_TEXTS else None


def _constants(node: ast.Compare) -> list[Any]:
    """The numbers and strings that something is compared with."""
    found: list[Any] = []
    for side in (node.left, *node.comparators):
        listed = side.elts if isinstance(side, (ast.Tuple, ast.List, ast.Set)) else [side]
        found += [
            one.value
            for one in listed
            if isinstance(one, ast.Constant) and isinstance(one.value, (str, int, float))
        ]
    return found


def _is_asked_by_key(node: ast.Subscript) -> bool:
    """Is an entry looked up by a name that is written out?"""
    return isinstance(node.slice, ast.Constant)


def _is_text(node: ast.Subscript) -> bool:
    """Is it looked up by a text?"""
    return any(isinstance(n, ast.JoinedStr) for n in everything_in(node.slice))


def _libraries(tree: ast.Module) -> dict[str, str]:
    """The libraries of arrays that a file imports, by the names that it gives them."""
    return {
        alias.asname or alias.name: alias.name
        for node in everything_in(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name in ("numpy", "torch")
    }
