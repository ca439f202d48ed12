"""What a file binds outside its functions: imports, functions, classes, constants."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeVar

from auditor.lift import extents
from auditor.lift.bound import Bound, bound_in, free_names, own_names
from auditor.lift.in_place import may_spell, spell_out
from auditor.lift.lambdas import kept
from auditor.lift.namespace import rebound
from auditor.lift.patched import patched
from auditor.lift.place_numbers import as_ranges
from auditor.lift.settings import Settings
from auditor.lift.single_items import as_appends
from auditor.notation import Span
from auditor.source import split_lines
from auditor.syntax import called_name
from auditor.tree import children, descendants, every_statement

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
    """One parsed file. ``names`` maps a name to the one dotted path that it is imported as;
    ``functions``, ``classes`` and ``constants`` hold what is bound once, at the top, and nowhere
    else; ``bound`` everything that the file binds outside its functions. ``patched`` are the paths
    of libraries that it sets itself, which mean nothing known. ``respelled`` says that the tree is
    not quite the text's (``auditor.lift.in_place``), ``once`` keeps what was worked out about the
    whole file."""

    text: str
    tree: ast.Module
    names: dict[str, str] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    classes: dict[str, ClassScope] = field(default_factory=dict)
    constants: dict[str, ast.expr] = field(default_factory=dict)
    bound: dict[str, list[Bound]] = field(default_factory=dict)
    patched: frozenset[str] = frozenset()
    respelled: bool = False
    once: dict[str, Any] = field(default_factory=dict, repr=False)
    late: dict[ast.AST, Mapping[ast.AST, Any]] = field(default_factory=dict, repr=False)
    _above: dict[ast.AST, Mapping[ast.AST, ast.AST]] = field(default_factory=dict, repr=False)
    grown: dict[ast.AST, frozenset[str]] = field(default_factory=dict, repr=False)
    _spans: dict[ast.AST, Span] = field(default_factory=dict, repr=False)
    _bound_after: dict[ast.AST, frozenset[str]] = field(default_factory=dict, repr=False)
    _local: dict[ast.AST, frozenset[str]] = field(default_factory=dict, repr=False)
    _free: dict[ast.AST, frozenset[str]] = field(default_factory=dict, repr=False)

    def release(self) -> None:
        """Let go of the tree and of what was worked out about it, once nothing is asked any more:
        what was read of functions refers to all of it (``Lifted.release``)."""
        vars(self).clear()
        extents.forget()

    @cached_property
    def lines(self) -> list[str]:
        return split_lines(self.text)

    @cached_property
    def block_indent(self) -> str:
        """What the file indents a block by."""
        for node in self.tree.body:
            body = getattr(node, "body", ())
            if body and body[0].lineno > node.lineno:
                line: str = self.lines[body[0].lineno - 1]
                return line[: len(line) - len(line.lstrip())]
        return "    "

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
    def properties(self) -> dict[str, list[ast.FunctionDef]]:
        """The methods of the file's classes that run where an attribute is read."""
        found: dict[str, list[ast.FunctionDef]] = {}
        for node in self.statements:
            if isinstance(node, ast.FunctionDef) and any(map(_is_property, node.decorator_list)):
                found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def every_class(self) -> list[ast.ClassDef]:
        """The classes of the file, those within others or within functions too."""
        return [node for node in self.statements if isinstance(node, ast.ClassDef)]

    @cached_property
    def answering(self) -> list[tuple[ast.ClassDef, ast.FunctionDef]]:
        """The methods that run where an attribute of any name is read, each with its class."""
        if "__getattr" not in self.text:
            return []
        return [
            (klass, node) for klass in self.every_class for node in klass.body
            if isinstance(node, ast.FunctionDef)
            and node.name in ("__getattr__", "__getattribute__")
        ]  # fmt: skip

    @cached_property
    def shared_names(self) -> frozenset[str]:
        """Names that some function declares ``global`` or ``nonlocal``."""
        return self.inner_names | {
            name for node in self.statements if isinstance(node, ast.Global) for name in node.names
        }

    def declared_within(self, function: ast.AST) -> frozenset[str]:
        """The names that functions within one declare ``nonlocal``."""
        if not self.inner_names:
            return frozenset()
        return frozenset(
            name for node in descendants(function) if isinstance(node, ast.Nonlocal)
            for name in node.names
        )  # fmt: skip

    @cached_property
    def inner_names(self) -> frozenset[str]:
        """Names of functions that some function within declares ``nonlocal``."""
        return frozenset(
            name
            for node in self.statements
            if isinstance(node, ast.Nonlocal)
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
        return self.text if node is self.tree else self.slice(self.span(node))

    def brief(self, node: ast.AST, limit: int = 80) -> str:
        """The beginning of a node's text, on one line."""
        return " ".join(self.source(node).split())[:limit]

    def slice(self, span: Span) -> str:
        """The text of a place, which may end where the line after the last would begin."""
        if span.line == span.end_line:
            return "".join(self.lines[span.line - 1 : span.line])[
                span.column - 1 : span.end_column - 1
            ]
        first = self.lines[span.line - 1][span.column - 1 :]
        last = "".join(self.lines[span.end_line - 1 : span.end_line])[: span.end_column - 1]
        return "".join([first, *self.lines[span.line : span.end_line - 1], last])

    @cached_property
    def bound_at_top(self) -> dict[str, str]:
        """What the imports at the top of the file bind: readable from every function."""
        names: dict[str, str] = {}
        for statement in self.tree.body:
            if isinstance(statement, _IMPORTS):
                names.update(_import(statement))
        return {name: path for name, path in names.items() if self.names.get(name) == path}

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
                bound.name
                for scope in around or [self.tree]
                for bound in bound_in(scope.body)
                if bound.place > place
            )
        return self._bound_after[function]

    def local_names(self, function: ast.FunctionDef) -> frozenset[str]:
        """The names that a function or one around it binds, and which mean nothing of the module
        there. An import that says what the name means everywhere else is left out."""
        if function not in self._local:
            found: set[str] = set()
            at: ast.FunctionDef | ast.AsyncFunctionDef | None = function
            while at is not None:
                found |= {
                    name
                    for name, node in own_names(at).items()
                    if name not in self.names or not isinstance(node, _IMPORTS)
                }
                at = self._around.get(at)
            self._local[function] = frozenset(found)
        return self._local[function]

    def seen_from(self, function: ast.FunctionDef) -> Module:
        """The file as a function sees it: without what its own names hide."""
        hidden = self.local_names(function) & self.settled
        if not hidden:
            return self
        return replace(
            self,
            names=_without(self.names, hidden),
            functions=_without(self.functions, hidden),
            classes=_without(self.classes, hidden),
            constants=_without(self.constants, hidden),
            grown={},
            _local={},
        )

    def free_names(self, function: ast.FunctionDef | ast.Lambda) -> frozenset[str]:
        """The names that a function reads of the scopes around it."""
        if function not in self._free:
            self._free[function] = free_names(function)
        return self._free[function]

    @cached_property
    def settled(self) -> frozenset[str]:
        """The names whose meaning outside of functions is certain."""
        return frozenset({*self.names, *self.functions, *self.classes, *self.constants})

    def parents(self, root: ast.AST) -> Mapping[ast.AST, ast.AST]:
        """What each part of ``root`` stands in, worked out once for all that ask."""
        found = self._above.get(root)
        if found is None:
            nodes = descendants(root)
            found = self._above[root] = {child: node for node in nodes for child in children(node)}
        return found

    def outermost(self, node: ast.AST) -> ast.AST | None:
        """The function in whose lines something stands that stands in no other function."""
        line = getattr(node, "lineno", 0)
        place = bisect_right(self._first_lines, line) - 1
        if place < 0:
            return None
        found = self._outer[place]
        return found if line <= (found.end_lineno or found.lineno) else None

    @cached_property
    def _first_lines(self) -> list[int]:
        return [node.lineno for node in self._outer]

    @cached_property
    def _outer(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """The functions that stand in no other, in the order of the text."""
        found: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
        last = 0
        for node in self.statements:
            if isinstance(node, _FUNCTIONS) and node.lineno > last:
                found.append(node)
                last = node.end_lineno or node.lineno
        return found

    @cached_property
    def _around(self) -> dict[ast.AST, ast.FunctionDef | ast.AsyncFunctionDef]:
        """For each function within another the innermost such."""
        return {
            function: node
            for node in self.statements  # outer ones first
            if isinstance(node, _FUNCTIONS)
            for inner in every_statement(node.body)
            for function in (
                (inner,) if isinstance(inner, _FUNCTIONS) else (f for _, f in self.lambdas(inner))
            )
        }

    @cached_property
    def _has_lambdas(self) -> bool:
        return "lambda" in self.text

    def lambdas(self, statement: ast.stmt) -> list[tuple[str, ast.FunctionDef]]:
        """The lambdas that a statement keeps, as functions of their own."""
        if not self._has_lambdas:
            return []
        known = self.once.setdefault("lambdas", {})
        if statement not in known:
            known[statement] = kept(statement)
        found: list[tuple[str, ast.FunctionDef]] = known[statement]
        return found

    @cached_property
    def settings(self) -> Settings:
        """What the file sets on objects."""
        elsewhere = {
            alias.asname or alias.name.split(".")[0]
            for node in self.statements
            if isinstance(node, _IMPORTS)
            for alias in node.names
        }
        return Settings(self.tree, self.text, frozenset(elsewhere) | {*dir(builtins)})

    @cached_property
    def generators(self) -> frozenset[str]:
        """The names of functions of the file that may yield."""
        if "yield" not in self.text:
            return frozenset()
        return frozenset(
            node.name
            for node in self.statements
            if isinstance(node, _FUNCTIONS) and "yield" in self.source(node)
        )

    @cached_property
    def hooks(self) -> bool:
        """Whether the file puts hooks on modules."""
        return "register_" in self.text and _HOOKS.search(self.text) is not None

    @cached_property
    def autocast(self) -> bool:
        """Whether the file has regions in which torch chooses dtypes by the operation."""
        if "autocast" not in self.text:
            return False
        calls = (node for node in descendants(self.tree) if isinstance(node, ast.Call))
        return any(_casts(call) for call in calls)

    def setters(self, name: str, klass: ast.ClassDef | None = None) -> list[ast.ClassDef]:
        """The classes of the file (of those that may have a part in an object of ``klass``, where
        that is given) by which setting the attribute may run code: they say what setting any does,
        have a decorated function of that name (a property), or a ``property`` or an object of a
        class of the file (a descriptor)."""
        if not _SETTING.search(self.text):
            return []
        made = {"property", *(klass.name for klass in self.every_class)}
        classes = self.every_class
        if klass is not None:
            family = self.settings.family(klass)
            classes = [one for one in classes if one in family]
        return [klass for klass in classes if any(_sets(n, name, made) for n in klass.body)]

    def method(self, klass: ClassScope, name: str, heirs: bool = True) -> ast.FunctionDef | None:
        """The method that ``name`` is on every object of the class, as far as the file says; with
        ``heirs``, of classes that derive from it too."""
        node, settings = klass.methods.get(name), self.settings
        if (
            node is None
            or "__getattribute__" in klass.methods
            or not settings.binds_once(klass.node, name)
            or settings.replaced(klass.node, name)
            or (heirs and settings.overridden(klass.node, name))
        ):
            return None
        return node

    @cached_property
    def arrays(self) -> frozenset[str]:
        """The libraries that the file imports and that may have to do with arrays."""
        roots = {path.split(".")[0] for path in self.names.values()}
        return frozenset(roots - sys.stdlib_module_names)

    @cached_property
    def imports_torch(self) -> bool:
        """Whether the file imports torch, or something that is named after it."""
        paths = (
            path for node in self.statements if isinstance(node, _IMPORTS)
            for path in (getattr(node, "module", None) or "", *(name.name for name in node.names))
        )  # fmt: skip
        return any("torch" in path for path in paths)

    @cached_property
    def library(self) -> str | None:
        """The array library of the file, when it imports only one of torch and numpy."""
        both = self.arrays & {"torch", "numpy"}
        return min(both) if len(both) == 1 else None


_Held = TypeVar("_Held")


def _without(held: Mapping[str, _Held], names: frozenset[str]) -> dict[str, _Held]:
    return {name: what for name, what in held.items() if name not in names}


def read(text: str) -> Module:
    """Parse a file. Raises SyntaxError."""
    tree = ast.parse(text)
    calls = may_spell(text) and spell_out(tree)
    changed = [calls, as_ranges(text, tree), as_appends(text, tree)]
    module = Module(text, tree, respelled=any(changed))
    for bound in bound_in(tree.body):
        module.bound.setdefault(bound.name, []).append(bound)
    for node in module.statements:
        if isinstance(node, ast.Global):
            for name in node.names:
                module.bound.setdefault(name, []).append(Bound(name, node, False))
    for name, place in rebound(tree, text):
        module.bound.setdefault(name, []).append(Bound(name, place, False))
    module.names.update(_imported(module))
    set_here = patched(tree, text, module.statements, lambda node: path_of(module, node))
    module.patched = frozenset(map(canonical, set_here))
    module.names = {n: path for n, path in module.names.items() if path not in module.patched}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and _settled(module, statement.name):
            module.functions[statement.name] = statement
        elif isinstance(statement, ast.ClassDef) and _settled(module, statement.name):
            methods = {s.name: s for s in statement.body if isinstance(s, ast.FunctionDef)}
            module.classes[statement.name] = ClassScope(statement, methods)
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and _settled(module, target.id):
                module.constants[target.id] = statement.value
    return module


_HOOKS = re.compile(r"\bregister_\w*hook\b")
_SETTING = re.compile(r"__setattr__|__set__|setter\b|\bproperty\(")
_IMPORTS = (ast.Import, ast.ImportFrom)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _casts(call: ast.Call) -> bool:
    """``autocast(...)``, unless that is turned off."""
    if not ast.unparse(call.func).endswith(("autocast", "autocast_enabled")):
        return False
    told = [word.value for word in call.keywords if word.arg == "enabled"]
    return not any(isinstance(node, ast.Constant) and node.value is False for node in told)


def _sets(node: ast.stmt, name: str, made: set[str]) -> bool:
    """Whether a statement of a class makes setting the attribute run code: of ``made`` is what is
    called to make a property or descriptor."""
    if isinstance(node, _FUNCTIONS):
        return node.name == "__setattr__" or (node.name == name and bool(node.decorator_list))
    if not isinstance(node, (ast.Assign, ast.AnnAssign)):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    named = any(isinstance(target, ast.Name) and target.id == name for target in targets)
    return named and isinstance(node.value, ast.Call) and called_name(node.value) in made


def _settled(module: Module, name: str) -> bool:
    """Whether one place of the file binds a name, and no star import after it may."""
    (first, *others) = module.bound[name]
    return not others and all(star.place < first.place for star in module.bound.get("*", ()))


def _imported(module: Module) -> dict[str, str]:
    """What imported names mean, where all imports of a name agree and it is nothing else."""
    found: dict[str, set[str]] = {}
    for node in module.statements:
        if isinstance(node, _IMPORTS):
            for name, path in _import(node):
                found.setdefault(name, set()).add(path)
    return {
        name: path
        for name, (path, *others) in found.items()
        if path and not others and not _means_more(name, module.bound.get(name, []))
    }


def _means_more(name: str, bound: list[Bound]) -> bool:
    """Whether a name that is imported may mean something else. (What is bound under a condition, as
    the import is, stands in for what cannot be imported.)"""
    if not bound:
        return hasattr(builtins, name)  # imported in a function: elsewhere it is the builtin
    sure = any(isinstance(b.node, _IMPORTS) and not b.conditional for b in bound)
    return any(not isinstance(b.node, _IMPORTS) and (sure or not b.conditional) for b in bound)


def _import(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """The names that an import binds, with what they mean: nothing known for a relative one."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            root = alias.name.split(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (root, root)
        else:
            path = "" if node.level else canonical(f"{node.module}.{alias.name}")
            yield alias.asname or alias.name, path


def canonical(path: str) -> str:
    """One spelling of a dotted path."""
    for prefix, better in _CANONICAL.items():
        if path.startswith(prefix):
            return better + path[len(prefix) :]
    return path


def path_of(module: Module, node: ast.expr) -> str | None:
    """The dotted path of an imported name or of something below it; None where the file sets it."""
    below: list[str] = []
    while isinstance(node, ast.Attribute):
        below.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in module.names:
        return None
    path = canonical(".".join([module.names[node.id], *reversed(below)]))
    above = accumulate(path.split("."), "{}.{}".format)
    return None if module.patched and not module.patched.isdisjoint(above) else path


def chained(node: ast.expr) -> tuple[str, list[ast.expr]] | None:
    """The array and the places of ``a[i][j]``; None for any other expression."""
    parts: list[ast.expr] = []
    while isinstance(node, ast.Subscript):
        inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        parts[:0] = inside
        node = node.value
    if not isinstance(node, ast.Name) or len(parts) < 2:
        return None
    return node.id, parts


def _is_property(decorator: ast.expr) -> bool:
    name = decorator.attr if isinstance(decorator, ast.Attribute) else None
    return (decorator.id if isinstance(decorator, ast.Name) else name or "").endswith("property")
