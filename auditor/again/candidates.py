"""Terms that may be computed again, by the text alone: costly ones in a loop that reads nothing the
loop changes, and costly ones that read the same names as others.

This is asked of every function of a file, before anything is lifted. What it leaves out is not
looked at again, so it errs on the side of keeping.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from auditor.again.costly import BUILDERS, costly_word
from auditor.again.objects import asks_an_object
from auditor.lift.call_effects import PRODUCTS
from auditor.lift.changes import Changes, changes, only_computes, reads
from auditor.lift.late import late
from auditor.lift.module import Module
from auditor.tree import ancestors, block_of, children, descendants

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LOOPS = (ast.For, ast.While, *COMPREHENSIONS)
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_NO_TERM = frozenset((*_INNER, ast.Name, ast.Constant))
_GROWING = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript, ast.Attribute, ast.Compare)

_ABOUT = re.compile(r"(?:\.(?:T|mT|H|data|shape|dtype|device|ndim))+$")

Loop = ast.For | ast.While | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(frozen=True)
class Term:
    """A costly expression with the loops around it, outermost first."""

    node: ast.expr
    word: str
    loops: tuple[Loop, ...]


@dataclass(frozen=True)
class Invariant:
    """An expression that a loop does not change. ``through`` are the statements of the loop that
    give names to what it reads."""

    node: ast.expr
    loop: Loop
    through: tuple[ast.Assign, ...] = ()


class Candidates:
    """The terms of one function, or of the statements outside of functions."""

    def __init__(self, module: Module, function: ast.FunctionDef | ast.Module) -> None:
        self.module = module
        self.function = function
        self.terms = list(_terms(module, function))
        self._changes: dict[ast.AST, Changes] = {}
        self._single: Mapping[str, ast.Assign] | None = None
        self._leaves: dict[str, frozenset[str]] = {}

    @property
    def parents(self) -> Mapping[ast.AST, ast.AST]:
        return self.module.parents(self.function)

    @property
    def single(self) -> Mapping[str, ast.Assign]:
        """The names that one assignment alone gives a value, with that assignment."""
        if self._single is None:
            counted: dict[str, int] = {}
            made: dict[str, ast.Assign] = {}
            for node in descendants(self.function):
                if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                    counted[node.id] = counted.get(node.id, 0) + 1
                elif isinstance(node, ast.arg):
                    counted[node.arg] = counted.get(node.arg, 0) + 1
                elif isinstance(node, ast.Assign) and len(node.targets) == 1:
                    (target,) = node.targets
                    if isinstance(target, ast.Name):
                        made[target.id] = node
            self._single = {name: node for name, node in made.items() if counted[name] == 1}
        return self._single

    def changes(self, loop: Loop) -> Changes:
        if loop not in self._changes:
            self._changes[loop] = changes(self.module, _body(loop))
        return self._changes[loop]

    # -- loops

    def invariants(self) -> list[Invariant]:
        """The largest expressions that a loop does not change and that hold a costly one, each
        with the outermost such loop."""
        found: dict[ast.expr, Invariant] = {}
        for term in self.terms:
            for loop in term.loops:
                one = self._invariant(term.node, loop)
                if one is not None:
                    found.setdefault(one.node, one)
                    break
        return [one for one in found.values() if not self._within_another(one.node, found)]

    def _within_another(self, node: ast.AST, found: Mapping[ast.expr, Invariant]) -> bool:
        return any(above in found for above in ancestors(node, self.parents))

    def _invariant(self, node: ast.expr, loop: Loop) -> Invariant | None:
        through = self._unchanged(node, loop)
        if through is None:
            return None
        while True:
            above = self.parents.get(node)
            whole = self._grown(node, above)
            if whole is None:
                return Invariant(node, loop, through)
            more = self._unchanged(whole, loop)
            if more is None:
                return Invariant(node, loop, through)
            node, through = whole, more

    def _grown(self, node: ast.expr, above: ast.AST | None) -> ast.expr | None:
        """The expression that ``node`` is a part of, if that is one operation on it."""
        if isinstance(above, ast.Attribute):
            call = self.parents.get(above)
            return call if isinstance(call, ast.Call) and call.func is above else above
        if isinstance(above, ast.keyword):
            above = self.parents.get(above)
        return above if isinstance(above, _GROWING) else None

    def _unchanged(self, node: ast.expr, loop: Loop) -> tuple[ast.Assign, ...] | None:
        """The definitions within the loop that ``node`` rests on, None where the loop changes what
        it reads."""
        if not only_computes(self.module, node) or self._asks(node):
            return None
        changed, through = self.changes(loop), list[ast.Assign]()
        waiting = list(reads(self.module, node))
        seen: set[str] = set()
        while waiting:
            path = waiting.pop()
            if path in seen or not changed.touches(path):
                continue
            seen.add(path)
            root = path.partition(".")[0]
            made = self.single.get(root)
            written = any(
                other.partition(".")[0] == root for other in changed.written | changed.grown
            )
            if made is None or written or len(through) > 4:
                return None
            if made in through:
                continue
            if not self._in(made, loop) or not only_computes(self.module, made.value):
                return None
            if self._asks(made.value):
                return None
            through.append(made)
            waiting += reads(self.module, made.value)
        return tuple(through)

    def _in(self, node: ast.AST, outer: ast.AST) -> bool:
        return node is outer or any(above is outer for above in ancestors(node, self.parents))

    # -- equal terms

    def alike(self) -> list[list[ast.expr]]:
        """Groups of terms of one kind that read the same, each in the order of the text, of which
        one is there whenever another one is computed."""
        found: dict[tuple[str, frozenset[str]], list[ast.expr]] = {}
        kinds: dict[str, int] = {}
        for term in self.terms:
            kinds[_kind(term.word)] = kinds.get(_kind(term.word), 0) + 1
        for term in self.terms:
            if term.word not in BUILDERS and kinds[_kind(term.word)] > 1:
                key = _kind(term.word), self.leaves(term.node)
                found.setdefault(key, []).append(term.node)
        return [
            group for group in found.values()
            if not any(map(self._asks, group))
            and any(self.goes_before(one, other)
                   for place, one in enumerate(group) for other in group[place + 1 :])
        ]  # fmt: skip

    def _asks(self, node: ast.expr) -> bool:
        return asks_an_object(self.module, self.function, self.single, node)

    def goes_before(self, one: ast.expr, other: ast.expr) -> bool:
        """Whether the statement of ``one`` is certainly executed before ``other`` is evaluated, or
        both are parts of it."""
        mine, at = self.statement_of(one), self.statement_of(other)
        if mine is at:
            inside = self._in(other, one) or self._in(one, other)
            return not inside
        block = self.block_of(mine)
        while True:
            if at in block:
                return block.index(mine) < block.index(at)
            above = self.parents.get(at)
            if above is None:
                return False
            if above is mine:
                return self._is_header(one, mine)
            while not isinstance(above, (ast.stmt, ast.Module)):
                above = self.parents[above]
            if not isinstance(above, ast.stmt) or above is self.function:
                return False
            at = above

    def _is_header(self, node: ast.AST, statement: ast.stmt) -> bool:
        """Whether ``node`` is evaluated before the body of ``statement``."""
        head = getattr(statement, "test", getattr(statement, "iter", None))
        return head is not None and self._in(node, head)

    def statement_of(self, node: ast.AST) -> ast.stmt:
        at = node
        while not isinstance(at, ast.stmt):
            at = self.parents[at]
        return at

    def block_of(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements that one stands among."""
        return block_of(self.parents[statement], statement)

    def leaves(self, node: ast.expr) -> frozenset[str]:
        """What an expression reads in the end, behind the names that are given once."""
        found: set[str] = set()
        for path in reads(self.module, node):
            root = path.partition(".")[0]
            if root not in self.single:
                found.add(_ABOUT.sub("", path))
                continue
            if root not in self._leaves:
                self._leaves[root] = frozenset((path,))  # while it is being looked at
                self._leaves[root] = self.leaves(self.single[root].value)
            found |= self._leaves[root]
        return frozenset(found)


def _terms(module: Module, function: ast.AST) -> Iterator[Term]:
    """The costly expressions in the order of the text, outer ones first."""
    stack: list[tuple[ast.AST, tuple[Loop, ...]]] = [(function, ())]
    while stack:
        node, loops = stack.pop()
        if isinstance(node, (ast.Call, ast.BinOp)):
            word = costly_word(module, node) or _share(module, node)
            if word is not None:
                yield Term(node, word, loops)
        elif isinstance(node, ast.GeneratorExp) and late(module, node, overlapping=True):
            stack.append((node.generators[0].iter, loops))
            continue
        elif isinstance(node, LOOPS):
            inner = list(_parts(node, loops))
            stack += [each for each in reversed(inner) if not isinstance(each[0], _INNER)]
            continue
        stack += [(part, loops) for part in reversed(children(node)) if type(part) not in _NO_TERM]


_KINDS = dict.fromkeys((*PRODUCTS, "sum", "trace"), "product") | {
    "softmax": "share", "mean": "share", "average": "share", "amax": "max", "amin": "min",
    "inverse": "inv", "sorted": "sort",
}  # fmt: skip


def _kind(word: str) -> str:
    """What may be another spelling of the same is of one kind."""
    return _KINDS.get(word, word)


def _share(module: Module, node: ast.AST) -> str | None:
    """``e / e.sum()``."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return None
    folds = (costly_word(module, part) for part in descendants(node.right))
    return "share" if any(folds) else None


def _parts(node: Loop, loops: tuple[Loop, ...]) -> Iterator[tuple[ast.AST, tuple[Loop, ...]]]:
    """What is directly below a loop, each with the loops around it."""
    if isinstance(node, (ast.For, ast.While)):
        if isinstance(node, ast.For):
            yield node.iter, loops
        else:
            yield node.test, (*loops, node)
        for statement in node.body:
            yield statement, (*loops, node)
        for statement in node.orelse:
            yield statement, loops
    else:
        yield node.generators[0].iter, loops
        for part in _body(node):
            yield part, (*loops, node)


def _body(loop: Loop) -> list[ast.AST]:
    """What a loop does at every step, its own variables included."""
    if isinstance(loop, ast.For):
        return [loop.target, *loop.body]
    if isinstance(loop, ast.While):
        return [loop.test, *loop.body]
    parts: list[ast.AST] = []
    for place, generator in enumerate(loop.generators):
        parts += [generator.target, *generator.ifs]
        parts += [generator.iter] if place else []
    if isinstance(loop, ast.DictComp):
        return [*parts, loop.key, loop.value]
    return [*parts, loop.elt]
