"""What goes with an expression that is replaced: the statements that only served it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.lift.objects import Collected, Unknown
from auditor.notation import (
    Span,
    Value,
)
from auditor.rewrite import Site
from auditor.surroundings.liveness import Liveness
from auditor.surroundings.own_writes import own_writes
from auditor.surroundings.purity import impurity
from auditor.surroundings.region import Region
from auditor.tree import everything_in
from auditor.verdict import Edit

if TYPE_CHECKING:
    from auditor.expressions.region import Text


@dataclass(frozen=True)
class Removal:
    """What goes once an expression is replaced, and the edits that make it go."""

    gone: frozenset[ast.stmt]
    edits: tuple[Edit, ...]


class ServedRegion(Region):
    """An expression of a function, and the statements that serve it."""

    def __init__(self, site: Site) -> None:
        super().__init__(site.lifted)
        assert site.node is not None and site.statement is not None
        self.site = site
        self.node: ast.expr = site.node
        self.statement: ast.stmt = site.statement
        self.written: dict[ast.expr, Text] = {}

    @property
    def origins(self) -> dict[object, list[ast.expr]]:
        """The expressions of this function that evaluate to an object, names last."""
        found: dict[object, list[ast.expr]] | None = self.lifted.once.get("origins")
        if found is None:
            found = self.lifted.once["origins"] = self._origins()
        return found

    def _origins(self) -> dict[object, list[ast.expr]]:
        found: dict[object, list[ast.expr]] = {}
        for node in self.nodes:
            if isinstance(node, ast.expr) and node in self.values:
                found.setdefault(self.stands_for(node), []).append(node)
        for nodes in found.values():
            nodes.sort(key=lambda n: (isinstance(n, ast.Name), n.lineno, n.col_offset))
        return found

    def stands_for(self, node: ast.expr) -> object:
        """What an expression evaluates to: of one without notation, which only computes, the array
        that it is taken for where it meets others."""
        made = self.values[node]
        if isinstance(made, Unknown) and made.owner and impurity(self.module, node) is None:
            return self.lifted.lifter.leaves.get(made.owner, made)
        return made

    def origin(self, value: Value) -> ast.expr | None:
        """The expression that computed ``value``."""
        nodes = [n for n in self.origins.get(value, []) if not isinstance(n, ast.Name)]
        return nodes[0] if nodes else None

    def one_line(self, node: ast.expr) -> str:
        if not hasattr(node, "lineno"):
            return ast.unparse(node)  # made here, of what is said in other words
        source = self.module.source(node)
        if "\n" not in source:
            return source
        if "#" in source or '"""' in source or "'''" in source:
            return ast.unparse(node)
        joined = re.sub(r"\s*\n\s*", " ", source)
        return re.sub(r",? ([)\]])", r"\1", re.sub(r"([(\[]) ", r"\1", joined))

    def removal(
        self,
        replaced: Mapping[ast.expr, Text],
        alive: Iterable[ast.stmt] = (),
        loops: Iterable[ast.stmt] = (),
    ) -> Removal:
        """The statements that only served the replaced expressions; ``alive`` are to stay,
        ``loops`` may go as well."""
        function = self.lifted.node
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return Removal(frozenset(), ())
        before = Liveness(function, self._pure).settle()
        reads = {node: text.reads for node, text in replaced.items()}
        # What was dead before stays, and so does what it reads.
        stay = frozenset(alive) | before
        writes = own_writes(self.module, self.nodes, replaced)
        masked = self.lifted.lifter.masked
        own = ((node, name) for node, name in masked.items() if node in self.parents)
        writes |= {self.statement_of(node): name for node, name in own}

        def pure(node: ast.AST) -> bool:
            return self._pure(node, node in writes)

        gone = Liveness(function, pure, reads, stay, frozenset(loops), writes).settle()
        edits = [self._with_blank(edit, gone) for edit in self._drop_all(function.body, gone)]
        return Removal(frozenset(gone), tuple(edits))

    def collecting(self, values: Iterable[Value]) -> list[ast.stmt]:
        """The statements that fill the lists out of which an expression is made."""
        made = [node for v in values if (node := self.origin(v)) is not None]
        lists = {
            known
            for node in (self.node, *made)
            for inner in everything_in(node)
            if isinstance(inner, ast.Name)
            and isinstance(known := self.values.get(inner), Collected)
        }
        found: list[ast.stmt] = []
        for loop in self.lifted.lifter.loops:
            if isinstance(loop.node, ast.stmt) and lists & set(loop.lists.values()):
                found.append(loop.node)
                lists -= set(loop.lists.values())
        for known in lists:
            origins = (node for node in self.origins[known] if not isinstance(node, ast.Name))
            found += [self.statement_of(node) for node in origins]
        return [part for part in found if part is not self.statement]

    def _with_blank(self, edit: Edit, gone: set[ast.stmt]) -> Edit:
        """A removal between two blank lines, or between the start of a block and a blank line,
        takes the second one along."""
        span = edit.span
        if edit.content or span.column != 1 or span.end_column != 1:
            return edit
        lines = self.module.lines
        removed = {n for s in gone for n in range(s.lineno, (s.end_lineno or s.lineno) + 1)}
        before = span.line - 1
        while before in removed:
            before -= 1
        if before < 1 or span.end_line > len(lines) or lines[span.end_line - 1].strip():
            return edit
        above = lines[before - 1].strip()
        if above and not above.endswith(":"):
            return edit
        return Edit(Span(span.line, 1, span.end_line + 1, 1), "")

    def _pure(self, node: ast.AST, writes: bool = False) -> bool:
        """Whether a statement computes values and does nothing else but fill arrays, or write
        cells of one."""
        if isinstance(node, ast.stmt) and ";" in "".join(
            self.module.lines[node.lineno - 1 : node.end_lineno]
        ):
            return False
        if not writes:
            return not self.effects_in(node, besides="fills")
        written = node.targets[0] if isinstance(node, ast.Assign) else node
        span, whole = self.module.span(written), self.module.span(node)
        effects = self.lifted.lifter.effects
        return all(
            effect.kind == "mutation" and effect.span == span
            for effect in effects
            if whole.covers(effect.span)
        )

    def _drop_all(self, body: list[ast.stmt], gone: set[ast.stmt]) -> Iterable[Edit]:
        for statement in body:
            if statement in gone:
                pieces = self.pieces(body, statement)
                if statement is pieces[0] and gone.issuperset(pieces):
                    yield self.drop(statement, gone)
                continue
            for name in ("body", "orelse", "finalbody"):
                inner = getattr(statement, name, None)
                if not isinstance(inner, list) or not inner or isinstance(statement, ast.ClassDef):
                    continue
                if not isinstance(inner[0], ast.stmt):
                    continue
                if all(part in gone for part in inner):
                    yield self._emptied(statement, name, inner)
                else:
                    yield from self._drop_all(inner, gone)
            for handler in getattr(statement, "handlers", []):
                yield from self._drop_all(handler.body, gone)

    def _emptied(self, statement: ast.stmt, name: str, inner: list[ast.stmt]) -> Edit:
        """A branch with nothing left: an ``else`` goes, another block keeps a ``pass``."""
        last = inner[-1].end_lineno or inner[-1].lineno
        chained = isinstance(inner[0], ast.If) and self._is_elif(inner[0])
        if name == "orelse" and isinstance(statement, ast.If) and not chained:
            line = inner[0].lineno - 1
            while line > 0 and not self.module.lines[line - 1].strip().startswith("else"):
                line -= 1
            return Edit(Span(line, 1, last + 1, 1), "")
        if name == "orelse" and chained:
            return Edit(Span(inner[0].lineno, 1, last + 1, 1), "")
        return Edit(Span(inner[0].lineno, 1, last + 1, 1), f"{self.indent(inner[0])}pass\n")

    def _is_elif(self, node: ast.If) -> bool:
        return self.module.lines[node.lineno - 1].strip().startswith("elif")

    def require_gone(
        self, removal: Removal, values: Iterable[Value], root: ast.expr, condition: str
    ) -> None:
        """Everything that computed ``values`` is gone or in ``root``; else some other code uses one
        of them."""
        for value in values:
            node = self.origin(value)
            if node is None or self.within(node, root):
                continue
            statement = self.statement_of(node)
            if any(self.within(statement, gone) for gone in removal.gone):
                continue
            line = self._user(value, removal, root)
            self.site.require(
                False,
                condition,
                f"`{value.name if value.name.isidentifier() else self.one_line(node)[:40]}` is also"
                f" used at line {line or statement.lineno}",
            )

    def _user(self, value: Value, removal: Removal, root: ast.expr) -> int | None:
        for load in self.reads_of(value, (root,)):
            if not any(self.within(load, gone) for gone in removal.gone):
                return load.lineno
        return None
