"""What a file binds outside its functions: imports, functions, classes, constants."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from weakref import WeakKeyDictionary

from auditor.lift.in_place import spell_out
from auditor.notation import Span
from auditor.source import split_lines

# Common re-exports: one spelling for each thing that has a meaning.
_CANONICAL = {
    "torch.functional.": "torch.",
    "torch.special.": "torch.special.",
    "numpy.core.": "numpy.",
}


@dataclass
class ClassScope:
    """A class: its methods and, for the attributes of self, the ``__init__`` that sets them."""

    node: ast.ClassDef
    methods: dict[str, ast.FunctionDef] = field(default_factory=dict)


@dataclass
class Module:
    """One parsed file. ``names`` maps a module-level name to a dotted path it was imported as;
    ``respelled`` says that the tree is not quite the text's (``auditor.lift.in_place``)."""

    text: str
    tree: ast.Module
    names: dict[str, str] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    classes: dict[str, ClassScope] = field(default_factory=dict)
    constants: dict[str, ast.expr] = field(default_factory=dict)
    respelled: bool = False
    _spans: dict[ast.AST, Span] = field(default_factory=dict, repr=False)
    _bound_after: dict[ast.AST, frozenset[str]] = field(default_factory=dict, repr=False)

    @cached_property
    def lines(self) -> list[str]:
        return split_lines(self.text)

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        """Every statement in the order of the text, nested ones too."""
        return tuple(every_statement(self.tree.body))

    def called(self, name: str) -> list[ast.FunctionDef]:
        """The functions and methods of the file that a name may mean."""
        return self._by_name.get(name, [])

    @cached_property
    def _by_name(self) -> dict[str, list[ast.FunctionDef]]:
        found: dict[str, list[ast.FunctionDef]] = {}
        for node in self.statements:
            if isinstance(node, ast.FunctionDef):
                found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def shared_names(self) -> frozenset[str]:
        """Names that some function declares ``global`` or ``nonlocal``."""
        return frozenset(
            name
            for node in self.statements
            if isinstance(node, (ast.Global, ast.Nonlocal))
            for name in node.names
        )

    @cached_property
    def _ascii(self) -> bool:
        return self.text.isascii()

    def column(self, line: int, offset: int) -> int:
        """The 1-based character column of a UTF-8 offset."""
        if self._ascii:
            return offset + 1
        return len(self.lines[line - 1].encode()[:offset].decode(errors="replace")) + 1

    def span(self, node: ast.AST) -> Span:
        span = self._spans.get(node)
        if span is None:
            span = self._spans[node] = self._span(node)
        return span

    def _span(self, node: ast.AST) -> Span:
        line, end = node.lineno, node.end_lineno or node.lineno  # type: ignore[attr-defined]
        return Span(
            line,
            self.column(line, node.col_offset),  # type: ignore[attr-defined]
            end,
            self.column(end, node.end_col_offset or 0),  # type: ignore[attr-defined]
        )

    def source(self, node: ast.AST) -> str:
        """The text of a node as the user wrote it."""
        return self.slice(self.span(node))

    def brief(self, node: ast.AST, limit: int = 80) -> str:
        """The beginning of a node's text, on one line."""
        return " ".join(self.source(node).split())[:limit]

    def slice(self, span: Span) -> str:
        if span.line == span.end_line:
            return self.lines[span.line - 1][span.column - 1 : span.end_column - 1]
        first = self.lines[span.line - 1][span.column - 1 :]
        last = self.lines[span.end_line - 1][: span.end_column - 1]
        return "".join([first, *self.lines[span.line : span.end_line - 1], last])

    @cached_property
    def bound_at_top(self) -> dict[str, str]:
        """What the imports at the top of the file bind: readable from every function."""
        names: dict[str, str] = {}
        for statement in self.tree.body:
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                _import(names, statement)
        return names

    def bound_after(self, function: ast.Lambda | ast.FunctionDef) -> frozenset[str]:
        """The names that the scopes around a function bind after its definition."""
        if function not in self._bound_after:
            place = (function.lineno, function.col_offset)
            around: list[ast.FunctionDef | ast.Module] = [
                node for node in self.statements
                if isinstance(node, ast.FunctionDef)
                and node is not function
                and (node.lineno, node.col_offset) <= place
                and (function.end_lineno or 0) <= (node.end_lineno or 0)
            ]  # fmt: skip
            self._bound_after[function] = frozenset(
                name.id
                for scope in around or [self.tree]
                for name in _own_stores(scope.body)
                if (name.lineno, name.col_offset) > place
            )
        return self._bound_after[function]

    @cached_property
    def library(self) -> str | None:
        """The array library of the file, when it imports only one of torch and numpy."""
        roots = {path.split(".")[0] for path in self.names.values()}
        both = roots & {"torch", "numpy"}
        return both.pop() if len(both) == 1 else None


def read(text: str) -> Module:
    """Parse a file. Raises SyntaxError."""
    tree = ast.parse(text)
    module = Module(text, tree, respelled=spell_out(tree))
    for node in module.statements:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            _import(module.names, node)
    for statement in module.tree.body:
        _rebound(module.names, statement)
        if isinstance(statement, ast.FunctionDef):
            module.functions[statement.name] = statement
        elif isinstance(statement, ast.ClassDef):
            methods = {s.name: s for s in statement.body if isinstance(s, ast.FunctionDef)}
            module.classes[statement.name] = ClassScope(statement, methods)
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name):
                module.constants[target.id] = statement.value
    return module


def _own_stores(body: list[ast.stmt]) -> Iterator[ast.Name]:
    """Where the statements of a scope bind names, those of scopes within it left out."""
    waiting: list[ast.AST] = [*body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)


def descendants(node: ast.AST) -> tuple[ast.AST, ...]:
    """What ``ast.walk`` gives, remembered as long as the node lives: the same loops and functions
    are looked through many times. Not for a tree that changes afterwards."""
    below = _below.get(node)
    if below is None:
        below = _below[node] = tuple(everything_in(node)[1:])
    return (node, *below)


def everything_in(node: ast.AST) -> list[ast.AST]:
    """What ``ast.walk`` gives, in the same order, in a third of the time."""
    found = [node]
    for inner in found:  # grows while it is walked
        values = inner.__dict__
        for name in inner._fields:
            value = values.get(name)
            if isinstance(value, list):
                found += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                found.append(value)
    return found


_below: WeakKeyDictionary[ast.AST, tuple[ast.AST, ...]] = WeakKeyDictionary()


def every_statement(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement in the order of the text, nested ones too, without a look at expressions."""
    for node in body:
        yield node
        inner = statements_in(node)
        if inner:
            yield from every_statement(inner)


def statements_in(node: ast.stmt) -> list[ast.stmt]:
    """The statements that a compound statement is made of, not those within them."""
    found: list[ast.stmt] = []
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        inner = getattr(node, part, ())
        if part in ("handlers", "cases"):
            found += [statement for clause in inner for statement in clause.body]
        else:
            found += inner
    return found


def _rebound(names: dict[str, str], statement: ast.stmt) -> None:
    """A name that was imported and means something else now. (Not under a condition: there it is
    the stand-in for what cannot be imported.)"""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        names.pop(statement.name, None)
    elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            for inner in ast.walk(target):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    names.pop(inner.id, None)


def _import(names: dict[str, str], node: ast.Import | ast.ImportFrom) -> None:
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                names[alias.asname] = alias.name
            else:
                names[alias.name.split(".")[0]] = alias.name.split(".")[0]
        return
    if node.level:
        return
    for alias in node.names:
        names[alias.asname or alias.name] = canonical(f"{node.module}.{alias.name}")


def canonical(path: str) -> str:
    """One spelling of a dotted path."""
    for prefix, better in _CANONICAL.items():
        if path.startswith(prefix):
            return better + path[len(prefix) :]
    return path


_CONVERSIONS = ("torch.from_numpy", "torch.tensor", "torch.as_tensor", "torch.Tensor")
_TENSORS_HAVE = frozenset(
    "softmax log_softmax masked_fill masked_fill_ unsqueeze bmm matmul permute contiguous".split()
)


def speaks_torch(module: Module, node: ast.AST, klass: ClassScope | None) -> bool:
    """Whether a function of a file that imports several array libraries is about tensors: it calls
    torch (not to convert something) or methods that only tensors have, and never NumPy."""
    found = klass is not None and any(
        (path_of(module, base) or "").startswith("torch.nn.") for base in klass.node.bases
    )
    for inner in descendants(node):
        if isinstance(inner, ast.Name):
            if (module.names.get(inner.id) or "").startswith("numpy"):
                return False
        elif isinstance(inner, ast.Call):
            path = path_of(module, inner.func) or ""
            if path in _CONVERSIONS:
                return False
            found |= path.startswith("torch.")
            if isinstance(inner.func, ast.Attribute):
                found |= inner.func.attr in _TENSORS_HAVE
    return found


def path_of(module: Module, node: ast.expr) -> str | None:
    """The dotted path of an imported name or of something below it."""
    below: list[str] = []
    while isinstance(node, ast.Attribute):
        below.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in module.names:
        return None
    return canonical(".".join([module.names[node.id], *reversed(below)]))
