"""A nest over pairs as a function of one pair, and the call that adds up what it gives."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from auditor.pairs.loops import MATH, Pairs, Sum, stored
from auditor.rewrite import Refused
from auditor.surroundings.region import Region
from auditor.syntax import constant, path_of
from auditor.tree import everything_in


def listed(pairs: Pairs) -> str:
    names = sorted(set(pairs.rows) & set(pairs.columns)) or sorted({*pairs.rows, *pairs.columns})
    return ", ".join(f"`{name}`" for name in names)


_DOUBLED = "dtype=float"


def uses_math(region: Region, pairs: Pairs) -> bool:
    return any(_of_math(region, node) for node in everything_in(pairs.inner))


def _of_math(region: Region, node: ast.AST) -> bool:
    """Whether a node is a call of a function of numbers."""
    if not isinstance(node, ast.Call):
        return False
    return (path_of(region.module, node.func) or "").startswith("math.")


class _Numbers:
    """What of a nest is a number of Python's, as the functions of ``math`` give it: computed with
    doubles, whatever the arrays hold. Beside an element it has the element's type."""

    def __init__(self, region: Region, pairs: Pairs) -> None:
        self.region = region
        known: set[str] = set()
        for statement in pairs.statements:
            names = {name.id for name in stored(statement)}
            plain = isinstance(statement, ast.Assign) and self._number(statement.value, known)
            known = known | names if plain else known - names
        self.sums = [self._number(each.value, known) for each in pairs.sums]
        self.used = uses_math(region, pairs)
        self.all = self.used and all(self.sums)
        self.assumed: list[str] = []
        if self.used and not self.all:
            kind = "float64" if any(self.sums) else "numbers of one floating-point type"
            self.assumed = [f"{listed(pairs)} hold {kind}, as `math` does not tell"]

    def _number(self, node: ast.expr, known: set[str]) -> bool:
        """Whether a term is certainly a number of Python's."""
        if isinstance(node, ast.BinOp):
            return self._number(node.left, known) and self._number(node.right, known)
        if isinstance(node, ast.UnaryOp):
            return self._number(node.operand, known)
        if isinstance(node, ast.Name):
            return node.id in known
        return _of_math(self.region, node) or isinstance(constant(node), (int, float))


class PairCode:
    """The nest as a function of one pair."""

    def __init__(self, region: Region, pairs: Pairs) -> None:
        self.region = region
        self.pairs = pairs
        self.used = region.stores | set(region.loads) | set(region.module.names)
        for names, place in ((pairs.rows, pairs.row), (pairs.columns, pairs.column)):
            for array, element in names.items():
                names[array] = element or self._free(f"{array.rpartition('.')[2]}_{place}")
        self.function, self.near = self._free("pair"), self._free("near")
        self.numbers = _Numbers(region, pairs)

    def _free(self, name: str) -> str:
        while name in self.used:
            name = f"{name}_"
        self.used = self.used | {name}
        return name

    def lines(self) -> list[str]:
        pairs = self.pairs
        sums = [e for side in ("rows", "columns", "all") for e in pairs.sums if e.side == side]
        given = ", ".join([*pairs.rows.values(), *pairs.columns.values()])
        values = ", ".join(self._text(each.value) for each in sums)
        above = self.region.module.lines[pairs.outer.lineno - 2].strip()
        lines = [] if not above or above.endswith(":") else [""]
        lines += self._near(given)
        lines += [f"def {self.function}({given}):"]
        lines += [f"    {self._text(statement)}" for statement in pairs.statements]
        lines += [f"    return {values}", ""]
        call = f"pairwise_reduce({', '.join(self._arguments(sums))})"
        if len(sums) == 1:
            if self._counted(sums[0]):
                call = f"float({call})"
            return [*lines, _adding(sums[0]) + call]
        names = [self._free(f"{each.name}_{self._ending(each)}") for each in sums]
        lines.append(f"{', '.join(names)} = {call}")
        for each, name in zip(sums, names, strict=True):
            lines.append(_adding(each) + (f"float({name})" if self._counted(each) else name))
        return lines

    def _near(self, given: str) -> list[str]:
        """The function that tells which pairs count."""
        pairs = self.pairs
        if not pairs.tests:
            return []
        sides = [(each.left, each.right) for each in pairs.tests]
        read = _loaded(side for pair in sides for side in pair)
        needed: list[str] = []
        for statement in reversed(pairs.statements[: pairs.tested]):
            if read & {name.id for name in stored(statement)}:
                needed.insert(0, f"    {self._text(statement)}")
                read |= _loaded([statement])
        tests = [f"{self._text(t.left)} {t.sign} {self._text(t.right)}" for t in pairs.tests]
        whole = tests[0] if len(tests) == 1 else " & ".join(f"({test})" for test in tests)
        return [f"def {self.near}({given}):", *needed, f"    return {whole}", ""]

    def begins_whole(self, each: Sum) -> bool:
        """Whether a sum stays a whole number where there are no pairs."""
        if not self._counted(each):
            return False
        binding = self.region.binding_before(self.pairs.outer, each.name)
        return binding is None or not isinstance(constant(binding.value), float)

    def _counted(self, each: Sum) -> bool:
        """Whether a sum is a number of Python's."""
        return each.side == "all" and self.numbers.all and not _whole(each.value)

    def _ending(self, each: Sum) -> str:
        if each.part is not None:
            return str(each.part)
        return {"rows": self.pairs.row, "columns": self.pairs.column}.get(each.side, "sum")

    def _arguments(self, sums: list[Sum]) -> list[str]:
        pairs = self.pairs
        found = [
            self.function,
            f"({pairs.counts[0]}, {pairs.counts[1]})",
            _tuple(pairs.rows),
            _tuple(pairs.columns),
        ]
        for side in ("rows", "columns"):
            names = [self._meant(each) for each in sums if each.side == side]
            if names:
                found.append(f"to_{side}={_tuple(names)}")
        totals = [each.name for each in sums if each.side == "all"]
        if totals:
            found.append(f"totals={_tuple(totals)}")
        if pairs.kind != "all":
            found.append(f'pairs="{pairs.kind}"')
        if pairs.tests:
            found.append(f"near={self.near}")
        return found

    def _meant(self, each: Sum) -> str:
        """The array that a sum is for. A sum that a row makes of its own has its dtype."""
        if each.start is None:
            return each.array
        start = each.start
        if isinstance(start, ast.Call) and len(start.args) == 1 and not start.keywords:
            element = start.args[0]
            if self._element(element) is not None and isinstance(element, ast.Subscript):
                return f"{each.array} + {ast.unparse(start.func)}({ast.unparse(element.value)})"
        read = {n.id for n in everything_in(start) if isinstance(n, ast.Name)}
        if read & {self.pairs.row, *self._own()}:
            raise Refused("start", f"the sum that `{each.name}` takes starts as something else")
        return f"{each.array} + {ast.unparse(start)}"

    def _own(self) -> set[str]:
        """Names that the body binds."""
        return {name.id for statement in self.pairs.statements for name in stored(statement)}

    def _text(self, node: ast.AST) -> str:
        """Source text with elements by their names."""
        text = self.region.module.source(node)
        if "\n" in text or "#" in text:
            return ast.unparse(_Renamed(self).visit(ast.parse(ast.unparse(node)))).strip()
        changes = []
        start = self.region.module.span(node).column
        for inner in everything_in(node):
            new = self._element(inner)
            if new is not None:
                span = self.region.module.span(inner)
                changes.append((span.column - start, span.end_column - start, new))
            elif self.doubled(inner):
                end = self.region.module.span(inner).end_column - start - 1
                changes.append((end, end, f", {_DOUBLED}"))
        for first, last, new in sorted(changes, reverse=True):
            text = text[:first] + new + text[last:]
        return text

    def _element(self, node: ast.AST) -> str | None:
        """What an element, or a function of numbers, is called in the function of a pair."""
        if isinstance(node, ast.Subscript):
            at, rest = node.slice, ""
            if isinstance(at, ast.Tuple) and at.elts:
                others = ", ".join(ast.unparse(each) for each in at.elts[1:])
                at, rest = at.elts[0], f"[{others}]"
            places = {self.pairs.row: self.pairs.rows, self.pairs.column: self.pairs.columns}
            if isinstance(at, ast.Name) and at.id in places:
                name = places[at.id].get(ast.unparse(node.value))
                return None if name is None else f"{name}{rest}"
        if isinstance(node, (ast.Name, ast.Attribute)):
            path = path_of(self.region.module, node) or ""
            if path.startswith("math.") and path.removeprefix("math.") in MATH:
                return f"{self._numpy()}.{MATH[path.removeprefix('math.')][0]}"
        return None

    def doubled(self, node: ast.AST) -> bool:
        """Whether a node is a call whose function of NumPy has to be told to compute in doubles."""
        return self.numbers.all and _of_math(self.region, node)

    def _numpy(self) -> str:
        names = self.region.module.names
        found = [name for name, path in names.items() if path == "numpy"]
        if not found:
            raise Refused("arrays", "the file does not import numpy")
        return found[0]


class _Renamed(ast.NodeTransformer):
    """Elements by their names, in a tree of their own."""

    def __init__(self, code: PairCode) -> None:
        self.code = code

    def generic_visit(self, node: ast.AST) -> ast.AST:
        new = self.code._element(node)
        if new is not None:
            return ast.parse(new, mode="eval").body
        doubled = self.code.doubled(node)
        changed = super().generic_visit(node)
        if doubled and isinstance(changed, ast.Call):
            changed.keywords.append(ast.keyword("dtype", ast.Name("float", ast.Load())))
        return changed


def _loaded(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that are read."""
    return {n.id for node in nodes for n in everything_in(node)
            if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store)}  # fmt: skip


def _whole(value: ast.expr) -> bool:
    """Whether each pair adds the same whole number."""
    return type(constant(value)) is int


def _adding(each: Sum) -> str:
    if each.start is not None:
        whole = f"{each.name}[:]" if each.part is None else each.array
        return f"{whole} = {'-' if each.sign == '-' else ''}"
    if each.rebound:
        return f"{each.name} = {each.name} {each.sign} "
    return f"{each.array} {each.sign}= "


def _tuple(names: dict[str, str] | list[str]) -> str:
    listed = list(names)
    return f"({listed[0]},)" if len(listed) == 1 else f"({', '.join(listed)})"
