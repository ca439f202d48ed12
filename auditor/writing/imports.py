"""Adding imports to a module: whether a name is free, and where its import belongs.

Places follow isort's defaults as far as the file does: standard library, third party, first party,
relative; inside a section ``import x`` before ``from x import y``, each by name.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from auditor.notation import Span
from auditor.source import places
from auditor.tree import children, everything_in
from auditor.verdict import Edit

Import = tuple[str, str | None]
"""``("module", "name")`` for ``from module import name``, ``("module", None)`` for a module; the
name may be ``"name as other"``."""

_STANDARD, _THIRD_PARTY, _FIRST_PARTY, _RELATIVE = 1, 2, 3, 4
# What `from MODULE import *` brings from these has the name of one builtin only.
_NO_BUILTINS = frozenset({"math", "typing", "dataclasses", "collections", "itertools", "functools"})
_ANOTHER = ("math", "pow")
"""The builtin, of which `math` has another."""
_NAMESPACES = frozenset(("builtins", "__builtins__", "globals"))
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True)
class _Binding:
    """One binding of a name: where, whether by an import and by which if ``Import`` can say it, and
    the scope it is local to; ``typing`` says that it is there for type checkers only."""

    line: int
    source: Import | None
    scope: ast.AST | None
    fallback: bool
    imported: bool
    typing: bool


def bound_name(wanted: Import) -> str:
    """The name that an import statement binds."""
    module, name = wanted
    return name.rpartition(" as ")[2] if name else module.split(".", 1)[0]


def clash(tree: ast.Module, wanted: Import, lines: Collection[int]) -> str | None:
    """Why the import would not mean what it says at ``lines``, or None where it does."""
    name = bound_name(wanted)
    found = [b for b in _bindings(tree, name) if _reaches(b.scope, lines)]
    provided = _is_provided(tree, wanted)
    for binding in found:
        same = binding.source is not None and _provides(binding.source, wanted)
        if not same and not (binding.fallback and provided):
            return f"the name {name} is already taken at line {binding.line}"
    return None


class Unseen(Exception):
    """A name is imported only where other code sees it; the message says where."""


def unseen(tree: ast.Module, name: str, lines: Collection[int]) -> Import | None:
    """The import that code at ``lines`` lacks for ``name``, which is one of another function, or
    for type checkers only; None where it lacks none. Raises ``Unseen`` where that is not told."""
    every = _bindings(tree, name)
    run = [binding for binding in every if not binding.typing]
    if not every or not all(binding.imported for binding in every):
        return None
    if any(_reaches(binding.scope, lines) for binding in run):
        return None
    sources = {binding.source for binding in every}
    if len(sources) > 1 or None in sources:
        raise Unseen(f"the name {name} is imported for other code only, at line {every[0].line}")
    return sources.pop()


def shadowed(tree: ast.Module, name: str, lines: Collection[int]) -> str | None:
    """Why the builtin ``name`` would be something else at ``lines``, or None where it is not."""
    for binding in _bindings(tree, name):
        if _reaches(binding.scope, lines):
            return f"the name {name} is already taken at line {binding.line}"
    for binding in _bindings(tree, "*"):
        module = binding.source[0] if binding.source is not None else ""
        if module not in _NO_BUILTINS or (module, name) == _ANOTHER:
            return f"the import of every name at line {binding.line} may take the name {name}"
    if (line := _set_by_text(tree).get(name)) is not None:
        return f"line {line} may put something else in the place of {name}"
    return None


@lru_cache(maxsize=4)
def _set_by_text(tree: ast.Module) -> dict[str, int]:
    """The names that a file which changes builtins, or its own names, by their texts may mean, with
    the first line of each: ``builtins.sum = mine``, ``globals()["sum"] = mine``."""
    nodes = everything_in(tree)
    asks = any(
        (isinstance(node, ast.Name) and node.id in _NAMESPACES)
        or (isinstance(node, ast.Import) and any(a.name == "builtins" for a in node.names))
        for node in nodes
    )
    found: dict[str, int] = {}
    for node in nodes if asks else ():
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            found.setdefault(node.attr, node.lineno)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.setdefault(node.value.removeprefix("builtins."), node.lineno)
    return found


def optional(tree: ast.Module, library: str) -> int | None:
    """The line that imports ``library`` under a condition or in a function, where no other imports
    it always: the file can be imported without it."""

    def imports(node: ast.AST) -> bool:
        if isinstance(node, ast.Import):
            return any(alias.name.split(".")[0] == library for alias in node.names)
        return isinstance(node, ast.ImportFrom) and (
            node.level == 0 and (node.module or "").split(".")[0] == library
        )

    if any(imports(statement) for statement in tree.body):
        return None
    found = [node for node in everything_in(tree) if imports(node)]
    return min((node.lineno for node in found), default=None)  # type: ignore[attr-defined]


def _reaches(scope: ast.AST | None, lines: Collection[int]) -> bool:
    """Whether code at one of ``lines`` can see the names that are local to ``scope``."""
    if scope is None:
        return True
    first, last = getattr(scope, "lineno", 1), getattr(scope, "end_lineno", None) or 10**9
    return any(first <= line <= last for line in lines)


def _provides(source: Import, wanted: Import) -> bool:
    """``import a.b`` binds ``a`` too, so it provides ``import a``."""
    if source == wanted:
        return True
    return wanted[1] is None and source[1] is None and source[0].startswith(f"{wanted[0]}.")


def _is_provided(tree: ast.Module, wanted: Import) -> bool:
    """Whether the module imports it already, where running the module runs the import."""
    return any(
        binding.scope is None
        and binding.source is not None
        and not binding.typing
        and _provides(binding.source, wanted)
        for binding in _bindings(tree, bound_name(wanted))
    )


def _bindings(tree: ast.Module, name: str) -> list[_Binding]:
    """Every binding of ``name`` in the module."""
    return _bindings_by_name(tree).get(name, [])


@lru_cache(maxsize=4)
def _bindings_by_name(tree: ast.Module) -> dict[str, list[_Binding]]:
    """Every binding in the module, found once for all the fixes of a file."""
    found: dict[str, list[_Binding]] = {}
    stack: list[tuple[ast.AST, ast.AST | None, bool, bool]] = [(tree, None, False, False)]
    while stack:
        node, scope, fallback, typing = stack.pop()
        if type(node) in _BINDING:
            line = getattr(node, "lineno", 1)
            for bound, source in _bound_by(node):
                outer = None if isinstance(node, ast.Global) else scope
                imported = isinstance(node, (ast.Import, ast.ImportFrom))
                found.setdefault(bound, []).append(
                    _Binding(line, source, outer, fallback, imported, typing)
                )
        inner = node if isinstance(node, _SCOPES) else scope
        below = fallback or isinstance(node, ast.ExceptHandler)
        only = typing or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))
        for child in children(node):
            if type(child) is not ast.Name or not isinstance(child.ctx, ast.Load):
                stack.append((child, inner, below, only))
    return found


_BINDING = frozenset(
    kind for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST) and kind not in (ast.keyword, ast.alias)
    and (kind in (ast.Import, ast.ImportFrom, ast.Name, ast.Global)
         or {"arg", "name", "rest"} & set(kind._fields))
)  # fmt: skip
"""The nodes that bind names themselves."""


def _bound_by(node: ast.AST) -> Iterator[tuple[str, Import | None]]:
    """The names that this very node binds, with the import that does it."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            source = (alias.name, None) if alias.asname is None else None
            yield alias.asname or alias.name.split(".", 1)[0], source
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            renamed = alias.asname not in (None, alias.name)
            name = f"{alias.name} as {alias.asname}" if renamed else alias.name
            source_from = (node.module, name) if node.level == 0 and node.module else None
            yield alias.asname or alias.name, source_from
    elif isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id, None
    elif isinstance(node, ast.Global):
        for name in node.names:
            yield name, None
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name, None
    else:
        # Arguments, exception names, patterns and type parameters keep a name in a plain field.
        for field in ("arg", "name", "rest"):
            value = getattr(node, field, None)
            if isinstance(value, str) and not isinstance(node, (ast.keyword, ast.alias)):
                yield value, None


def import_edits(
    text: str,
    tree: ast.Module,
    wanted: Iterable[Import],
    first_party: Collection[str] = (),
    before: int | None = None,
) -> tuple[Edit, ...]:
    """The edits that add the imports which are not there yet, before line ``before``."""
    missing = sorted({entry for entry in wanted if not _is_provided(tree, entry)}, key=str)
    layout = _Layout(text, tree, first_party, before)
    edits: list[Edit] = []
    statements: dict[int, list[Import]] = {}
    for module, name in missing:
        node = layout.statement_for(module) if name else None
        if node is not None and name:
            edits.append(layout.merged(node, name))
        else:
            statements.setdefault(layout.section(module), []).append((module, name))
    for section, entries in sorted(statements.items()):
        edits.extend(layout.added(section, _statements(entries)))
    return tuple(edits)


def _statements(entries: Sequence[Import]) -> list[tuple[Import, str]]:
    """One statement for each module, in isort's order."""
    modules = [(entry, f"import {entry[0]}") for entry in entries if entry[1] is None]
    names: dict[str, list[str]] = {}
    for module, name in entries:
        if name:
            names.setdefault(module, []).append(name)
    froms = [
        ((module, "from"), f"from {module} import {', '.join(sorted(group))}")
        for module, group in names.items()
    ]
    return sorted([*modules, *froms], key=lambda pair: _order(pair[0]))


def _order(entry: Import) -> tuple[bool, str]:
    """isort's place in a section: plain imports first, each kind by module."""
    return entry[1] is not None, entry[0].lower()


_Node = ast.Import | ast.ImportFrom


class _Layout:
    """The import statements of one module, and the places between them."""

    def __init__(
        self, text: str, tree: ast.Module, first_party: Collection[str], before: int | None
    ) -> None:
        self._places = places(text)
        self._first_party = first_party
        self._body = tree.body
        self._run = self._first_run(before)

    def _first_run(self, before: int | None) -> list[_Node]:
        """The first unbroken run of top-level imports, ``__future__`` left out."""
        run: list[_Node] = []
        for node in self._body:
            if before is not None and node.lineno >= before:
                break
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                if not _is_future(node):
                    run.append(node)
            elif run:
                break
        return run

    def section(self, module: str) -> int:
        """The section that a module belongs to."""
        root = module.split(".", 1)[0]
        if root in sys.stdlib_module_names:
            return _STANDARD
        return _FIRST_PARTY if root in self._first_party else _THIRD_PARTY

    def _section_of(self, node: _Node) -> int:
        if isinstance(node, ast.ImportFrom):
            return _RELATIVE if node.level else self.section(node.module or "")
        return self.section(node.names[0].name)

    def statement_for(self, module: str) -> ast.ImportFrom | None:
        """An import statement of the run that takes names from ``module``."""
        for node in self._run:
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == module:
                return node if all(alias.name != "*" for alias in node.names) else None
        return None

    def merged(self, node: ast.ImportFrom, name: str) -> Edit:
        """``name`` among the names of ``node``, in order, in the style of the statement."""
        for alias in node.names:
            if alias.name.lower() > name.lower():
                place = self._characters(alias.lineno, alias.col_offset)
                return _insertion(place, f"{name}{self._separator(node, alias)}")
        last = node.names[-1]
        place = self._characters(last.end_lineno or 0, last.end_col_offset or 0)
        return _insertion(place, f"{self._separator(node, last)}{name}")

    def _separator(self, node: ast.ImportFrom, alias: ast.alias) -> str:
        """A comma, and a new line where each name has its own."""
        head = self._places.lines[node.lineno - 1]
        if alias.lineno == node.lineno or "(" not in head:
            return ", "
        line = self._places.lines[alias.lineno - 1]
        return f",\n{line[: len(line) - len(line.lstrip())]}"

    def _characters(self, line: int, column: int) -> tuple[int, int]:
        """The place that ast gives in UTF-8 bytes from 0, in characters from 1."""
        head = self._places.lines[line - 1].encode()[:column]
        return line, len(head.decode()) + 1

    def added(self, section: int, statements: Sequence[tuple[Import, str]]) -> Iterator[Edit]:
        """New statements at their places in ``section``."""
        members = [node for node in self._run if self._section_of(node) == section]
        if not members:
            yield self._new_section(section, [text for _, text in statements])
            return
        ordered = _is_ordered(members)
        for entry, text in statements:
            before = [n for n in members if not ordered or _order(_entry(n)) <= _order(entry)]
            if before:
                yield self._after(before[-1], f"{text}\n")
            elif self._has_comment_above(members[0]):
                yield self._after(members[0], f"{text}\n")
            else:
                yield _insertion((members[0].lineno, 1), f"{text}\n")

    def _new_section(self, section: int, statements: list[str]) -> Edit:
        """Statements of a section that the file does not have yet."""
        text = "".join(f"{statement}\n" for statement in statements)
        earlier = [node for node in self._run if self._section_of(node) < section]
        if earlier:
            return self._after(earlier[-1], text if self._is_packed(earlier[-1]) else f"\n{text}")
        if self._run:
            return _insertion((self._run[0].lineno, 1), f"{text}\n")
        return self._at_the_top(text)

    def _at_the_top(self, text: str) -> Edit:
        """After the docstring and ``__future__`` imports, or above the first statement."""
        head: ast.stmt | None = None
        for node in self._body:
            if not (_is_docstring(node) or _is_future(node)):
                break
            head = node
        if head is not None:
            follows = self._places.lines[(head.end_lineno or 0) : (head.end_lineno or 0) + 1]
            return self._after(head, f"\n{text}" + ("\n" if follows and follows[0].strip() else ""))
        first = self._body[0] if self._body else None
        decorators = getattr(first, "decorator_list", [])
        line = min((n.lineno for n in (first, *decorators) if n), default=1)
        comments = line
        while comments > 1 and self._places.lines[comments - 2].startswith("#"):
            comments -= 1
        # A comment block that begins the file is its header; any other belongs to the statement.
        defines = isinstance(first, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        blank = "\n\n" if defines else "\n"
        return _insertion((line if comments == 1 else comments, 1), f"{text}{blank}")

    def _after(self, node: ast.stmt, text: str) -> Edit:
        """``text`` on the lines below a statement."""
        line = (node.end_lineno or node.lineno) + 1
        last = self._places.lines[-1]
        if line > len(self._places.lines) and last == last.rstrip("\r\n"):
            return _insertion((line, 1), "\n" + text.removesuffix("\n"))
        return _insertion((line, 1), text)

    def _is_packed(self, node: _Node) -> bool:
        """Whether the next import follows without a blank line."""
        following = [other for other in self._run if other.lineno > (node.end_lineno or 0)]
        return bool(following) and not self._blank_above(following[0])

    def _blank_above(self, node: _Node) -> bool:
        return node.lineno > 1 and not self._places.lines[node.lineno - 2].strip()

    def _has_comment_above(self, node: _Node) -> bool:
        return node.lineno > 1 and self._places.lines[node.lineno - 2].lstrip().startswith("#")


def _is_ordered(members: Sequence[_Node]) -> bool:
    orders = [_order(_entry(node)) for node in members]
    return orders == sorted(orders)


def _entry(node: _Node) -> Import:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "", "from")
    return (node.names[0].name, None)


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _insertion(place: tuple[int, int], text: str) -> Edit:
    return Edit(Span(*place, *place), text)
