"""Names that were bound again, and mean what they meant once the statements that did so are gone:
``x = x - x.mean()``, of which what follows is replaced by an operation on the first ``x``."""

from __future__ import annotations

import ast
from collections.abc import Collection

from auditor.expressions.region import ExpressionRegion, Text
from auditor.notation import Value
from auditor.rewrite import Refused
from auditor.syntax import is_name


class Restored:
    """The names by which an expression says values in this way."""

    def __init__(self, region: ExpressionRegion) -> None:
        self.region = region
        self.names: list[tuple[str, ast.stmt | None]] = []
        self.values: list[Value] = []
        self.alive: set[ast.stmt] = set()
        """The statements that first bound them, which must stay."""

    def say(self, value: Value) -> Text | None:
        """A name that was bound to ``value`` and bound again since. It reads nothing of what is
        bound now."""
        region = self.region
        if region.lifted.parameters.get(value.name) is value:
            self.names.append((value.name, None))
            self.values.append(value)
            return Text(value.name, named=True)
        bound = self._bound(value)
        if bound is None:
            return None
        name, statement = bound
        self.names.append((name, statement))
        self.values.append(value)
        self.alive.add(statement)
        return Text(name, named=True)

    def _bound(self, value: Value) -> tuple[str, ast.stmt] | None:
        """The name that a value was bound to, and the statement that did so."""
        region = self.region
        node = region.origin(value) or self._unread(value)
        if node is None:
            return self._unpacked(value)
        statement = region.statement_of(node)
        if isinstance(statement, ast.Assign) and statement.value is node:
            (target,) = statement.targets if len(statement.targets) == 1 else (None,)
            return (target.id, statement) if isinstance(target, ast.Name) else None
        return None

    def _unpacked(self, value: Value) -> tuple[str, ast.stmt] | None:
        """The same of one of several names, which are bound together."""
        region = self.region
        for statement in region.nodes:
            (target,) = statement.targets[:1] if isinstance(statement, ast.Assign) else (None,)
            if not isinstance(target, ast.Tuple) or not isinstance(statement, ast.Assign):
                continue
            following = region.next_statement(statement)
            held = region.scope(following) if following is not None else {}
            for part in target.elts:
                if isinstance(part, ast.Name) and held.get(part.id) is value:
                    return part.id, statement
        return None

    def _unread(self, value: Value) -> ast.expr | None:
        """What is bound to the name of a value of which no more is known than that."""
        region = self.region
        made = (
            node.value for node in region.nodes
            if isinstance(node, ast.Assign) and is_name(node.targets[0], value.name)
            and value.kind == "opaque" and region.module.span(node.value) == value.span
        )  # fmt: skip
        return next(made, None)

    def require_unbound(self, gone: Collection[ast.stmt]) -> None:
        """That nothing which stays binds such a name before the expression, or writes into what it
        stood for. Raises ``Refused``."""
        region = self.region
        for (_, made), value in zip(self.names, self.values, strict=True):
            self._require_kept(value, made, gone)
        for name, statement in self.names:
            start = statement.lineno if statement is not None else 0
            for node in region.nodes:
                if not isinstance(node, ast.Name) or node.id != name:
                    continue
                if not isinstance(node.ctx, ast.Store) or node.lineno <= start:
                    continue
                holder = region.statement_of(node)
                if holder is statement or any(region.within(holder, g) for g in gone):
                    continue
                if node.lineno < region.node.lineno or region.site.inside:
                    raise Refused("layout", f"`{name}` is bound again before the result is made")

    def _require_kept(
        self, value: Value, made: ast.stmt | None, gone: Collection[ast.stmt]
    ) -> None:
        region, lifter = self.region, self.region.lifted.lifter
        memory, start = lifter.memory(value), (made.end_lineno or 0) if made is not None else 0
        for touched, span in lifter.overwritten:
            before = (span.line, span.column - 1) < (region.node.lineno, region.node.col_offset)
            stays = not any(region.module.span(one).covers(span) for one in gone)
            written = start < span.line and before and stays and not memory.isdisjoint(touched)
            region.site.require(
                not written, "effects", f"line {span.line} writes into what would be read later"
            )
