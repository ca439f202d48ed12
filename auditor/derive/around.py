"""What stands around a loop: how its names begin, what is looked at after it, what it takes from
outside."""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Container

from auditor.derive.begun import before, called
from auditor.derive.entries import containers, member_sets
from auditor.derive.places import Place
from auditor.derive.scopes import local_names, stored_names, top_level_names
from auditor.lift.bound import free_names
from auditor.tree import children, everything_in

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Around:
    """The function or file that a loop is part of."""

    def __init__(self, place: Place, loop: ast.For) -> None:
        self.tree, self.loop, self.function = place.tree, loop, place.function
        self.outer = place.outer
        self.stored = stored_names(loop.body)
        self.before = before(place, loop)
        self.members = member_sets(loop, self.before)
        self.containers = containers(loop) | self.members
        self.body: ast.AST = place.function if place.function is not None else place.tree
        self.defined = {n.id for n in everything_in(self.body) if isinstance(n, ast.Name)}

    def starts(self) -> dict[str, str]:
        """How the names that the body changes begin, where that needs nothing of the function."""
        local = local_names(self.function)
        found = {}
        for name in dict.fromkeys([*self.stored, *sorted(self.containers)]):
            made = self.before.get(name)
            if made is None:
                continue
            names = {n.id for n in everything_in(made) if isinstance(n, ast.Name)}
            if self.function is not None and names & local:
                continue
            if self.function is None and names & self.defined - self._known():
                continue
            found[name] = ast.unparse(made)
        return found

    def _known(self) -> set[str]:
        """What the file defines once and for all: imports, functions and classes."""
        kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
        return {n for s in self.tree.body if isinstance(s, kinds) for n in top_level_names(s)}

    def live(self) -> set[str]:
        """Names that are looked at after the loop."""
        end = self.loop.end_lineno or self.loop.lineno
        if self.function is None:
            return set(self.stored) | self.containers
        found = set()
        for node in everything_in(self.function):
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                found |= set(node.names)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                again = any(
                    loop.lineno <= node.lineno <= (loop.end_lineno or 0) for loop in self.outer
                )
                if node.lineno > end or (again and node.lineno < self.loop.lineno):
                    found.add(node.id)
        return found

    def read_first(self, name: str) -> bool:
        """Is the first thing that happens to a name after the loop that it is read?"""
        if self.function is None:
            return False
        end = self.loop.end_lineno or self.loop.lineno
        own: set[ast.AST] = set()
        for node in everything_in(self.function):
            if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
                bound = {n.id for g in node.generators for n in everything_in(g.target)
                         if isinstance(n, ast.Name)}  # fmt: skip
                if name in bound:
                    own |= set(everything_in(node))
        after = [
            (n.lineno, n.col_offset, n)
            for n in everything_in(self.function)
            if isinstance(n, ast.Name) and n.id == name and n.lineno > end and n not in own
        ]
        return bool(after) and isinstance(min(after)[2].ctx, ast.Load)

    def only_appended(self, name: str) -> bool:
        """Whether the loop does nothing with a list but append to it, to its end."""
        made = self.before.get(name)
        listed = isinstance(made, ast.List) or (made is not None and called(made, "list"))
        inside = everything_in(self.loop)
        leaves = any(isinstance(node, (ast.Break, ast.Return)) for node in inside)
        uses = [node for node in inside if isinstance(node, ast.Name) and node.id == name]
        appends = [
            node for node in inside
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Attribute) and node.value.func.attr == "append"
            and isinstance(node.value.func.value, ast.Name) and node.value.func.value.id == name
        ]  # fmt: skip
        return listed and not leaves and len(uses) == len(appends)

    def result(self) -> str | None:
        """What the function returns right after the loop."""
        body = self.function.body if self.function is not None else []
        for statement, following in itertools.pairwise(body):
            if statement is self.loop and isinstance(following, ast.Return) and following.value:
                return ast.unparse(following.value)
        return None

    def own_function(self, node: ast.Call) -> ast.FunctionDef | None:
        """The function of the file that a call runs, where it is told by its name, takes plain
        arguments and reads no name that the loop's own function binds."""
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name is None or node.keywords or name in local_names(self.function):
            return None
        stored = [s for s in self.tree.body if name in top_level_names(s)]
        if len(stored) != 1 or not isinstance(found := stored[0], ast.FunctionDef):
            return None
        given, plain = found.args, [a for a in node.args if not isinstance(a, ast.Starred)]
        odd = (given.vararg, given.kwarg, *given.kwonlyargs, *given.posonlyargs, *given.defaults)
        if any(odd) or found.decorator_list or len(given.args) != len(plain):
            return None
        if len(plain) != len(node.args) or free_names(found) & local_names(self.function):
            return None
        return None if _assigned_elsewhere(self.tree, found) else found

    def parameters(self, texts: list[str], own: Container[str | None]) -> tuple[str, ...]:
        """The names that texts of the body take from around the loop, but for ``own``."""
        hidden = _bound_within(self.loop) - {*free_in(self.loop)}
        read = [n for text in texts for n in free_in(ast.parse(text)) if n not in hidden]
        globals_ = {name for statement in self.tree.body for name in top_level_names(statement)}
        local = local_names(self.function)
        found = []
        for name in read:
            if name in own or name in found or (hasattr(builtins, name) and name not in local):
                continue
            if name not in globals_ or name in local:
                found.append(name)
        return tuple(found)


def _assigned_elsewhere(tree: ast.Module, function: ast.FunctionDef) -> bool:
    """Is a function's name given to something else by a function that says it is the module's?"""
    return any(
        isinstance(node, ast.Global) and function.name in node.names for node in everything_in(tree)
    )


def _bound_within(loop: ast.stmt) -> set[str]:
    """The names that comprehensions of a loop bind."""
    made = (g for n in everything_in(loop) for g in getattr(n, "generators", ()))
    return {n.id for g in made for n in everything_in(g.target) if isinstance(n, ast.Name)}


def free_in(tree: ast.AST) -> list[str]:
    """The names that an expression or statement reads, without what its own comprehensions bind."""
    found: list[str] = []
    for child in children(tree):
        inner = free_in(child)
        if isinstance(child, _COMPREHENSIONS):
            bound = {n.id for g in child.generators for n in everything_in(g.target)
                     if isinstance(n, ast.Name)}  # fmt: skip
            inner = [name for name in inner if name not in bound]
        elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load):
            inner = [child.id]
        found += inner
    return found
