"""What the elements of a loop look like, as a hypothesis strategy, by how the body uses them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from auditor.tree import children, everything_in

_NUMBER = "st.integers(-4, 9)"
_ARGUMENTS = {
    "int": 'st.sampled_from("0123456789")',
    "float": 'st.sampled_from(["0.5", "1", "2.25", "-3"])',
    "ord": 'st.sampled_from("abcxyz ")',
    "len": "st.lists(st.integers(0, 3), max_size=4)",
}
_FOLDED = ("sum", "max", "min", "any", "all", "sorted")
_TEXT = {"strip", "lower", "upper", "lstrip", "rstrip", "title", "startswith", "endswith",
         "isdigit", "isalpha", "isspace", "isupper", "islower", "isalnum"}  # fmt: skip


def strategy(target: ast.expr, iterated: ast.expr, body: Sequence[ast.stmt]) -> str:
    """A strategy, as source, for the elements that ``target`` is bound to."""
    uses = _Uses(body)
    text = ast.unparse(iterated)
    if isinstance(target, (ast.Tuple, ast.List)):
        parts = [strategy(t, _NOTHING, body) for t in target.elts]
        if text.startswith("enumerate(") and len(parts) == 2:
            parts[0] = "st.integers(0, 20)"
        return f"st.tuples({', '.join(parts)})"
    if text.startswith("range("):
        return "st.integers(0, 20)"
    if isinstance(target, ast.Name):
        return uses.of(target.id)
    return _NUMBER


_NOTHING: ast.expr = ast.Constant(None)


class _Uses:
    """The places where names of the body occur, with what stands around them."""

    def __init__(self, body: Sequence[ast.stmt]) -> None:
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nodes: list[ast.AST] = []
        for statement in body:
            for node in everything_in(statement):
                self.nodes.append(node)
                for child in children(node):
                    self.parents[child] = node

    def of(self, name: str, seen: frozenset[str] = frozenset()) -> str:
        """A strategy for what ``name`` holds."""
        places = [
            node
            for node in self.nodes
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        ]
        return self.among([*places], seen | {name})

    def among(self, places: list[ast.AST], seen: frozenset[str]) -> str:
        """A strategy for a value that occurs at all these places."""
        entries: dict[str, list[ast.AST]] = {}
        attributes: dict[str, list[ast.AST]] = {}
        words: list[Any] = []
        plain: list[str] = []
        truth = False
        for node in places:
            parent = self.parents.get(node)
            if isinstance(parent, ast.Subscript) and parent.value is node:
                if isinstance(parent.slice, ast.Constant):
                    entries.setdefault(repr(parent.slice.value), []).append(parent)
            elif isinstance(parent, ast.Attribute):
                found = self._method(parent, seen)
                if found is not None:
                    plain.append(found)
                elif not isinstance(self.parents.get(parent), ast.Call):
                    attributes.setdefault(parent.attr, []).append(parent)
            elif isinstance(parent, ast.Call):
                called = ast.unparse(parent.func)
                key = next((ast.unparse(k.value) for k in parent.keywords if k.arg == "key"), "")
                if called in ("max", "min") and key in _ARGUMENTS:
                    plain.append(_ARGUMENTS[key])
                elif called in _FOLDED and len(parent.args) == 1:
                    plain.append(f"st.lists({_NUMBER}, min_size=1, max_size=4)")
                elif called in _ARGUMENTS:
                    plain.append(_ARGUMENTS[called])
                elif called.endswith((".log", ".sqrt")):
                    plain.append("st.integers(1, 20)")
            elif isinstance(parent, ast.For) and parent.iter is node:
                inner = strategy(parent.target, _NOTHING, parent.body)
                plain.append(f"st.lists({inner}, max_size=4)")
            elif isinstance(parent, ast.Compare):
                words += _constants(parent)
                if any(isinstance(op, (ast.In, ast.NotIn)) for op in parent.ops):
                    words += [c for w in _constants(parent) if isinstance(w, str) for c in w]
            elif isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Tuple):
                if parent.value is node:
                    parts = [self.of(t.id, seen) for t in parent.targets[0].elts
                             if isinstance(t, ast.Name)]  # fmt: skip
                    plain.append(f"st.tuples({', '.join(parts)})")
            elif isinstance(parent, (ast.If, ast.IfExp)) and parent.test is node:
                truth = True
        if entries:
            return self._record(entries, seen)
        if attributes:
            inside = ", ".join(
                f"{name}={self.among(nodes, seen)}" for name, nodes in attributes.items()
            )
            return f"st.builds(SimpleNamespace, {inside})"
        if plain:
            return plain[0]
        numbers = [w for w in words if not isinstance(w, str)]
        if words and not numbers:
            listed = ", ".join(map(repr, dict.fromkeys([*words, "x", "y"])))
            return f"st.sampled_from([{listed}])"
        if numbers and any(not -4 <= n <= 9 for n in numbers):
            listed = ", ".join(map(repr, dict.fromkeys(
                near for n in numbers for near in (n, n - 1, n + 1))))  # fmt: skip
            return f"st.sampled_from([{listed}])"
        return "st.booleans()" if truth and len(places) == 1 else _NUMBER

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
            inside = ", ".join(values.get(str(n), _NUMBER) for n in range(width))
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
        return None


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
