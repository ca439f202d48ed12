"""What is said of values where an expression is replaced: names and texts that still mean them
there, and the statements that nothing reads any more."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from auditor.experts.found import Names
from auditor.experts.reading import Reader
from auditor.experts.values import Thing
from auditor.surroundings.purity import is_pure
from auditor.surroundings.region import Region
from auditor.syntax import tight
from auditor.tree import everything_in


class Spoken:
    """A place of a function with what the names are bound to there."""

    def __init__(self, region: Region, reader: Reader, names: Names, statement: ast.stmt) -> None:
        self.region, self.reader, self.names, self.statement = region, reader, names, statement
        self.module = region.module

    def say(self, thing: Thing) -> str | None:
        """A value as code at the mixture: its name, or the text that made it."""
        names = self.names
        for name, held in names.items():
            if held is thing and self._bound(name):
                return name
        node = thing.node
        if node is None or not hasattr(node, "lineno") or not self._still(node, names):
            return None
        return tight(" ".join(self.module.source(node).split()))

    def _bound(self, name: str) -> bool:
        """Whether a name means what it was read as where the mixture stands."""
        return name.isidentifier()

    def _still(self, node: ast.expr, names: Names) -> bool:
        """Whether an expression would give the same where the mixture stands."""
        for inner in everything_in(node):
            if isinstance(inner, ast.Name) and inner.id not in self.module.names:
                if names.get(inner.id) is not self.reader.read_as.get(inner):
                    return False
            if isinstance(inner, ast.Call) and not is_pure(self.module, inner):
                return False
            if isinstance(inner, (ast.NamedExpr, ast.Await, ast.Lambda, ast.comprehension)):
                return False
        return True

    def unread(self, text: str, node: ast.AST, chain: tuple[ast.stmt, ...] = ()) -> list[ast.stmt]:
        """The assignments before the mixture whose names nothing reads but what goes."""
        region = self.region
        block = region.siblings(self.statement)
        said = {n.id for n in everything_in(ast.parse(text)) if isinstance(n, ast.Name)}
        gone: list[ast.stmt] = [*chain]
        parts: list[ast.AST] = [node, *chain]
        for statement in reversed(block[: block.index(self.statement)]):
            if statement in gone or not isinstance(statement, ast.Assign):
                continue
            names = set(stored(statement))
            plain = len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)
            loads = [load for name in names for load in region.loads.get(name, [])]
            bound = [name for node in region.nodes if isinstance(node, ast.Assign)
                     for name in stored(node)]  # fmt: skip
            once = all(bound.count(name) == 1 for name in names)
            if not plain or not once or names & said or not loads:
                continue
            calls = (n for n in everything_in(statement) if isinstance(n, ast.Call))
            if not all(self._computes(each) for each in calls):
                continue
            if all(any(region.within(load, part) for part in parts) for load in loads):
                gone.append(statement)
                parts.append(statement)
        return [each for each in gone if each not in chain]

    def _computes(self, call: ast.Call) -> bool:
        """Whether a call does nothing but compute: what it writes in place is of its own making."""
        if is_pure(self.module, call):
            return True
        function = call.func
        if not isinstance(function, ast.Attribute):
            return False
        if function.attr in ("scatter_", "masked_fill_"):
            made = function.value
            name = getattr(made.func, "attr", "") if isinstance(made, ast.Call) else ""
            return name in ("zeros_like", "zeros", "new_zeros", "full_like", "full", "new_full")
        return function.attr in _COMPUTING


_COMPUTING = frozenset("scatter scatter_add masked_fill new_zeros new_full type_as expand".split())


def stored(statement: ast.AST) -> Iterable[str]:
    for node in everything_in(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            and node.func.attr == "append" and isinstance(node.func.value, ast.Name)
        ):  # fmt: skip
            yield node.func.value.id
