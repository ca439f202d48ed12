"""Generators whose items may be computed after what they read has changed.

``(f(x) for x in xs)`` takes ``xs`` where it stands and computes each item when somebody asks for
it; what it reads is what the names mean then. As a list may be read what is taken at once and
whole (``sum(...)``, ``list(...)``), what a loop walks that changes nothing the items read, and what
has a name while nothing that the items read is changed before the name is last used. All others
are late: of these nothing is told where they stand.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from auditor.lift.call_effects import given_back
from auditor.lift.changes import Changes, changes, reads
from auditor.lift.module import Module
from auditor.tree import children, descendants

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_AT_ONCE = frozenset(
    "sum list tuple set frozenset sorted max min any all dict len join extend update fsum prod "
    "reduce fromiter Counter deque OrderedDict bytes bytearray nlargest nsmallest".split()
)
_HANDS_ON = frozenset(
    "enumerate zip map filter iter islice chain accumulate takewhile dropwhile pairwise starmap "
    "tqdm zip_longest".split()
)


def late(module: Module, node: ast.AST) -> bool:
    """Whether ``node``, a generator or a call of ``map`` or ``filter``, is such a one."""
    if module.tree not in module.late:
        module.late[module.tree] = frozenset(_late(module))
    return node in module.late[module.tree]


def _late(module: Module) -> Iterator[ast.AST]:
    lazy = [node for node in descendants(module.tree) if _is_lazy(node)]
    if not lazy:
        return
    parents = {child: node for node in descendants(module.tree) for child in children(node)}
    seen: dict[ast.AST, _Function] = {}
    for node in lazy:
        function = _function_of(node, parents)
        if function not in seen:
            seen[function] = _Function(module, function, parents)
        if seen[function].is_late(node):
            yield node


def _is_lazy(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
        return node.func.id in ("map", "filter") and isinstance(node.args[0], ast.Lambda)
    return isinstance(node, ast.GeneratorExp)


def _function_of(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.AST:
    while node in parents and not isinstance(node, _FUNCTIONS):
        node = parents[node]
    return node


class _Function:
    """One function, or the file outside of functions, and the generators in it."""

    def __init__(
        self, module: Module, function: ast.AST, parents: Mapping[ast.AST, ast.AST]
    ) -> None:
        self.module, self.function, self.parents = module, function, parents
        self.linked = _Links(module, function)

    def is_late(self, node: ast.AST) -> bool:
        then, now = self._read_by(node)
        return self._from(node, then, now)

    def _read_by(self, node: ast.AST) -> tuple[set[str], set[str]]:
        """What is read with each item, and what is walked: of that only the contents may change."""
        if isinstance(node, ast.Call):
            walked = {path for arg in node.args[1:] for path in reads(self.module, arg)}
            function = node.args[0]
            assert isinstance(function, ast.Lambda)
            own = {arg.arg for arg in descendants(function.args) if isinstance(arg, ast.arg)}
            found = reads(self.module, function.body)
            return {path for path in found if path.partition(".")[0] not in own}, walked
        assert isinstance(node, ast.GeneratorExp)
        first = node.generators[0].iter
        return reads(self.module, node), reads(self.module, first)

    def _from(self, at: ast.AST, then: set[str], walked: set[str]) -> bool:
        """Whether what ``at`` makes may be taken late."""
        above = self.parents.get(at)
        if isinstance(above, (ast.IfExp, ast.BoolOp, ast.keyword, ast.NamedExpr)):
            return isinstance(above, ast.NamedExpr) or self._from(above, then, walked)
        if isinstance(above, (ast.Starred, ast.Compare)):
            return False
        if isinstance(above, ast.Call) and at is not above.func:
            name = getattr(above.func, "attr", getattr(above.func, "id", ""))
            if name in _AT_ONCE:
                return False
            return name not in _HANDS_ON or self._from(above, then, walked)
        if isinstance(above, (ast.For, ast.AsyncFor)):
            return self._changed([*above.body], then, walked)
        if isinstance(above, ast.comprehension):
            owner = self.parents[above]
            if isinstance(owner, ast.GeneratorExp):
                return self._from(owner, then, walked)
            parts = [part for part in children(owner) if part is not above]
            return self._changed(parts, then - self._own(owner), walked)
        if isinstance(above, ast.Assign):
            (target, *others) = above.targets
            if isinstance(target, (ast.Tuple, ast.List)) and not others:
                return False
            if isinstance(target, ast.Name) and not others:
                return self._named(above, target.id, then, walked)
        return True

    def _own(self, owner: ast.AST) -> set[str]:
        return {
            name.id for part in descendants(owner) if isinstance(part, ast.comprehension)
            for name in descendants(part.target) if isinstance(name, ast.Name)
        }  # fmt: skip

    def _named(self, made: ast.Assign, name: str, then: set[str], walked: set[str]) -> bool:
        """Whether what has a name may be taken late, at one of the places where that is read."""
        uses = [
            node for node in descendants(self.function)
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        ]  # fmt: skip
        if any(self._from(use, then, walked) for use in uses):
            return True
        last = max((use.lineno for use in uses), default=made.lineno)
        between = [
            node for node in descendants(self.function)
            if isinstance(node, ast.stmt) and not isinstance(node, _FUNCTIONS)
            and made.lineno < node.lineno <= last
        ]  # fmt: skip
        around: ast.AST | None = made
        while around is not None and around is not self.function:
            if isinstance(around, (ast.For, ast.While)):
                between += around.body
            around = self.parents.get(around)
        return self._changed(between, then, walked, self._from_start(made))

    def _from_start(self, made: ast.Assign) -> set[str]:
        return {name.id for name in descendants(made.targets[0]) if isinstance(name, ast.Name)}

    def _changed(
        self,
        nodes: Iterable[ast.AST],
        then: set[str],
        walked: set[str],
        but: Iterable[str] = (),
    ) -> bool:
        found = changes(self.module, nodes)
        found.bound.difference_update(but)
        if found.hands_over or any(path.partition(".")[0] in found.bound for path in then):
            return True
        return self.linked.reached(found, then | walked)


class _Links:
    """Which names may be of one memory, by how they are assigned."""

    def __init__(self, module: Module, function: ast.AST) -> None:
        self._module = module
        self._of: dict[str, str] = {}
        for node in descendants(function):
            pairs: list[tuple[ast.AST, ast.AST]] = []
            if isinstance(node, ast.Assign):
                pairs = [(target, node.value) for target in node.targets]
            elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
                pairs = [(node.target, node.value)]
            elif isinstance(node, (ast.For, ast.comprehension)):
                pairs = [(node.target, node.iter)]
            for target, value in pairs:
                roots = {*_roots(target), *self._parts(value)}
                for root in roots:
                    self._join(root, min(roots))

    def _top(self, name: str) -> str:
        while self._of.get(name, name) != name:
            name = self._of[name]
        return name

    def _join(self, one: str, other: str) -> None:
        self._of[self._top(one)] = self._top(other)

    def _parts(self, value: ast.AST) -> set[str]:
        """The names of what an expression may give a part of."""
        inside: list[ast.expr] = []
        if isinstance(value, ast.IfExp):
            inside = [value.body, value.orelse]
        elif isinstance(value, (ast.Tuple, ast.List)):
            inside = value.elts
        elif isinstance(value, ast.Call):
            inside = given_back(self._module, value)
        elif isinstance(value, (ast.Subscript, ast.Starred, ast.Attribute)):
            inside = [value.value]
        elif isinstance(value, ast.Name):
            return {value.id}
        return {name for part in inside for name in self._parts(part)}

    def reached(self, found: Changes, paths: Iterable[str]) -> bool:
        """Whether what is changed, or given to what may change it, may be what ``paths`` name."""
        mine = {self._top(path.partition(".")[0]) for path in paths}
        given = {
            name.id for call in found.calls for name in descendants(call)
            if isinstance(name, ast.Name)
        }  # fmt: skip
        written = {path.partition(".")[0] for path in found.written | found.grown}
        return any(self._top(root) in mine for root in written | given)


def _roots(target: ast.AST) -> set[str]:
    return {node.id for node in descendants(target) if isinstance(node, ast.Name)}
