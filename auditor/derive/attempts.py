"""``try`` around what only looks at the element, as a question to the element: did it raise?

    try:                          try:
        total += int(x)               tried = int(x)
    except ValueError:                raised = 0
        bad += 1                  except ValueError:
                                      tried, raised = None, 1
                                  if raised == 0:
                                      total += tried
                                  else:
                                      bad += 1

What is left of the body may raise none of what is caught, or it would be caught no more.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Container
from dataclasses import dataclass, field

from auditor.derive.begun import before, constant, empty
from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.derive.scopes import local_names, stored_names, target_names, top_level_names
from auditor.tree import everything_in

# what sums and comparisons of numbers, and lists that grow, never raise
_CAUGHT = frozenset(
    "ValueError KeyError IndexError TypeError AttributeError LookupError UnicodeDecodeError "
    "JSONDecodeError InvalidOperation UnicodeError StopIteration".split()
)
_NUMBERS = frozenset(("int", "float", "len", "bool"))
_OF_NUMBERS = frozenset(("max", "min", "abs"))


def asking(place: Place) -> Place:
    """The place with the ``try`` statements of its loop as questions, in a copy of the file; the
    same place where there is none that is one."""
    if not any(isinstance(node, ast.Try) for node in everything_in(place.loop)):
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, place.loop)
    if found is None or not isinstance(found.loop, ast.For):
        return place
    loop = found.loop
    names = {n.id for n in everything_in(tree) if isinstance(n, ast.Name)}
    if _NUMBERS & {
        *local_names(found.function),
        *(n for s in tree.body for n in top_level_names(s)),
    }:
        return place
    attempts = _Attempts(loop, found.function or tree, before(found, loop), names)
    for statement in list(loop.body):
        if isinstance(statement, ast.Try):
            attempts.put(statement)
    ast.fix_missing_locations(loop)
    return found


@dataclass
class _Attempts:
    """The ``try`` statements of one loop, what the loop is part of, how its names begin, and the
    names that are taken."""

    loop: ast.For
    around: ast.AST
    begun: dict[str, ast.expr]
    taken: set[str]
    carried: set[str] = field(init=False)
    above: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self.carried = set(stored_names(self.loop.body))

    def put(self, node: ast.Try) -> None:
        """A statement as the question that it is, where it is one."""
        body = self.loop.body
        self.above = self._above(body.index(node))
        made = _by_key(node, self.begun) or self._asked(node)
        if made is None:
            return
        at = body.index(node)
        body[at : at + 1] = [ast.copy_location(one, node) for one in made]
        if isinstance(made[0], ast.Try):
            attempt: ast.stmt = body.pop(at)
            at = self._earliest(attempt, at)
            while at and (guarded := self._guarded(attempt, body[at - 1])) is not None:
                attempt = guarded
                at = self._earliest(attempt, at - 1)
            body.insert(at, attempt)

    def _guarded(self, attempt: ast.stmt, before: ast.stmt) -> ast.stmt | None:
        """An attempt, put before what leaves out some elements: these are not tried."""
        if not isinstance(before, ast.If) or before.orelse or len(before.body) != 1:
            return None
        if not isinstance(before.body[0], ast.Continue) or not self._of_element(before.test):
            return None
        names = dict.fromkeys(stored_names([attempt]))
        nothing: list[ast.stmt] = [_assign(name, ast.Constant(None)) for name in names]
        return ast.copy_location(ast.If(copy.deepcopy(before.test), nothing, [attempt]), before)

    def _earliest(self, attempt: ast.stmt, at: int) -> int:
        """The first place in the body at which all that it looks at is known."""
        read = {n.id for n in everything_in(attempt) if isinstance(n, ast.Name)}
        for place in range(at - 1, -1, -1):
            if read & set(stored_names([self.loop.body[place]])):
                return place + 1
            if any(isinstance(n, _LEAVING) for n in everything_in(self.loop.body[place])):
                return place + 1  # the elements that are left out may raise something else
        return 0

    def _asked(self, node: ast.Try) -> list[ast.stmt] | None:
        if node.finalbody or not node.handlers or not all(map(_handled, node.handlers)):
            return None
        head: list[ast.Assign] = []
        known: dict[str, str] = {}
        rest = list(node.body)
        while rest and (value := self._bound(rest[0], known)) is not None:
            name, text = value
            put = _renamed(text, known)
            known[name] = known.get(name) or self._free(name)
            head.append(_assign(known[name], put))
            rest.pop(0)
        if rest:
            rest[0], parts = self._taken_out(rest[0], known)
            head += parts
        numbers = {_name(one) for one in head if _a_number(one.value, set())}
        numbers |= {name for name, other in known.items() if other in numbers}
        caught = "".join(ast.unparse(h.type) for h in node.handlers if h.type is not None)
        quiet = _Quiet(self.loop, self.begun, numbers, "Type" in caught or "Attr" in caught)
        if not head or not all(map(quiet.fine, rest)) or self._set_before(node, head, known):
            return None
        return self._as_question(node, head, known, rest)

    def _set_before(self, node: ast.Try, head: list[ast.Assign], known: dict[str, str]) -> bool:
        """May a name be looked at elsewhere that is set before something raises?"""
        early = {_name(one) for one in head[:-1]}
        names = {name for name, other in known.items() if other in early}
        own = {n for s in (*node.body, *node.orelse) for n in everything_in(s)}
        return any(
            isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in names
            for n in everything_in(self.around)
            if n not in own
        )

    def _as_question(
        self, node: ast.Try, head: list[ast.Assign], known: dict[str, str], rest: list[ast.stmt]
    ) -> list[ast.stmt]:
        raised = self._free("raised")
        made = list(map(_name, head))
        failing = []
        for number, handler in enumerate(node.handlers, 1):
            nothing = [_assign(name, ast.Constant(None)) for name in dict.fromkeys(made)]
            code: list[ast.stmt] = [*nothing, _assign(raised, ast.Constant(number))]
            failing.append(ast.ExceptHandler(handler.type, None, code))
        attempt = ast.Try(
            [*head, _assign(raised, ast.Constant(0))], failing, [], []
        )  # fmt: skip
        given: list[ast.stmt] = [_assign(n, ast.Name(by, ast.Load())) for n, by in known.items()]
        branch = [*given, *rest, *node.orelse] or [ast.Pass()]
        last: list[ast.stmt] = node.handlers[-1].body
        for number, handler in reversed(list(enumerate(node.handlers[:-1], 1))):
            last = [ast.If(_is(raised, number), handler.body, last)]
        return [attempt, ast.If(_is(raised, 0), branch, last)]

    def _bound(self, statement: ast.stmt, known: Container[str]) -> tuple[str, ast.expr] | None:
        """A name, and what of the element it is set to."""
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        target = statement.targets[0]
        if not isinstance(target, ast.Name) or not self._of_element(statement.value, known):
            return None
        return target.id, statement.value

    def _of_element(self, node: ast.expr, known: Container[str] = ()) -> bool:
        """Does an expression look at nothing that the steps change, but for what is known of the
        element when the attempt is made?"""
        read = {n.id for n in everything_in(node) if isinstance(n, ast.Name)}
        return all(name in known or name in self.above for name in read & self.carried)

    def _above(self, at: int) -> set[str]:
        """The names that each step sets by the element alone before a place in the body."""
        found: set[str] = set()
        for statement in self.loop.body[:at]:
            names = {n for t in getattr(statement, "targets", ()) for n in target_names(t) or ()}
            found -= set(stored_names([statement]))
            if isinstance(statement, ast.Assign):
                read = {n.id for n in everything_in(statement.value) if isinstance(n, ast.Name)}
                found |= set() if read & (self.carried - found) else names
        return found

    def _taken_out(
        self, statement: ast.stmt, known: dict[str, str]
    ) -> tuple[ast.stmt, list[ast.Assign]]:
        """A statement with names for what it asks of the element, and what these are."""
        parts: list[ast.Assign] = []
        statement = copy.deepcopy(statement)

        def named(node: ast.expr) -> ast.expr:
            if not isinstance(node, _RISKY) or not self._of_element(node, known):
                return node
            name = self._free("tried")
            parts.append(_assign(name, _renamed(node, known)))
            return ast.copy_location(ast.Name(name, ast.Load()), node)

        if isinstance(statement, (ast.Assign, ast.AugAssign)):
            statement.value = named(statement.value)
        elif isinstance(statement, ast.If) and self._of_element(statement.test, known):
            statement.test = named(ast.Call(ast.Name("bool", ast.Load()), [statement.test], []))
        elif isinstance(statement, ast.If) and isinstance(statement.test, ast.Compare):
            statement.test.left = named(statement.test.left)
            statement.test.comparators[:1] = map(named, statement.test.comparators[:1])
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            statement.value.args = [named(arg) for arg in statement.value.args]
        return statement, parts

    def _free(self, name: str) -> str:
        found = next(n for n in (f"{name}_{k}" if k else f"{name}_" for k in range(99))
                     if n not in self.taken)  # fmt: skip
        self.taken.add(found)
        return found


_LEAVING = (ast.Continue, ast.Break, ast.Return)
_RISKY = (ast.Call, ast.Subscript, ast.BinOp, ast.Attribute)


def _handled(handler: ast.ExceptHandler) -> bool:
    """Does a handler catch what is named, and not look at it?"""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = [ast.unparse(kind).rpartition(".")[2] if kind else "" for kind in kinds]
    used = (n.id for s in handler.body for n in everything_in(s) if isinstance(n, ast.Name))
    raising = any(isinstance(n, ast.Raise) for s in handler.body for n in everything_in(s))
    return _CAUGHT.issuperset(names) and handler.name not in set(used) and not raising


def _by_key(node: ast.Try, begun: dict[str, ast.expr]) -> list[ast.stmt] | None:
    """``try: d[k] += e`` with ``except KeyError`` as the question whether the key is there."""
    if len(node.body) != 1 or len(node.handlers) != 1 or node.orelse or node.finalbody:
        return None
    (statement,), (handler,) = node.body, node.handlers
    if not isinstance(statement, ast.AugAssign) or not _handled(handler):
        return None
    target = statement.target
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return None
    made = begun.get(target.value.id)
    plain = empty(made) == "dict"
    quiet = isinstance(target.slice, ast.Name) and isinstance(
        statement.value, (ast.Name, ast.Constant)
    )
    if not plain or not quiet or ast.unparse(handler.type or target) != "KeyError":
        return None
    there = ast.Compare(target.slice, [ast.In()], [ast.Name(target.value.id, ast.Load())])
    return [ast.If(there, [statement], handler.body)]


@dataclass(frozen=True)
class _Quiet:
    """Which statements raise nothing of what is caught: numbers that are added and compared, lists
    that grow. ``numbers`` are names of numbers; ``types`` says whether what is caught tells of
    types."""

    loop: ast.For
    begun: dict[str, ast.expr]
    numbers: set[str]
    types: bool

    def fine(self, statement: ast.stmt) -> bool:
        if isinstance(statement, (ast.Pass, ast.Continue)):
            return True
        if isinstance(statement, ast.If):
            inside = (*statement.body, *statement.orelse)
            return self._compared(statement.test) and all(map(self.fine, inside))
        if isinstance(statement, ast.AugAssign):
            adds = isinstance(statement.op, (ast.Add, ast.Sub))
            known = not self.types or self._number(statement.target)
            return adds and known and self._number(statement.value)
        if isinstance(statement, ast.Assign):
            names = [t.id for t in statement.targets if isinstance(t, ast.Name)]
            plain = isinstance(statement.value, (ast.Name, ast.Constant))
            plain = plain and self.numbers.isdisjoint(names)
            return len(names) == len(statement.targets) and (plain or self._number(statement.value))
        return isinstance(statement, ast.Expr) and self._grows(statement.value)

    def _number(self, node: ast.expr) -> bool:
        names = {n.id for n in everything_in(node) if isinstance(n, ast.Name)}
        return _a_number(node, self.numbers | set(filter(self._counts, names)))

    def _counts(self, name: str) -> bool:
        """Does a name begin as a number, and is it nowhere made anything else?"""
        first = constant(self.begun[name]) if name in self.begun else None
        made = [n.value for n in everything_in(self.loop)
                if isinstance(n, (ast.Assign, ast.AugAssign)) and name in stored_names([n])
                and n.value is not None]  # fmt: skip
        known = self.numbers | {name}
        return type(getattr(first, "value", None)) in (int, float) and all(
            _a_number(value, known) for value in made
        )

    def _compared(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.numbers
        return isinstance(node, ast.Compare) and all(
            map(self._number, (node.left, *node.comparators))
        )

    def _grows(self, node: ast.expr) -> bool:
        call = node if isinstance(node, ast.Call) else None
        if call is None or not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
            return False
        base = call.func.value
        made = self.begun.get(base.id) if isinstance(base, ast.Name) else None
        listed = isinstance(made, ast.List) or empty(made) == "list"
        return listed and call.func.attr == "append" and isinstance(
            call.args[0], (ast.Name, ast.Constant))  # fmt: skip


def _a_number(node: ast.expr, known: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in known
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        extreme = node.func.id in _OF_NUMBERS and not node.keywords
        return node.func.id in _NUMBERS or (
            extreme and all(_a_number(arg, known) for arg in node.args)
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        return _a_number(node.left, known) and _a_number(node.right, known)
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _renamed(node: ast.expr, names: dict[str, str]) -> ast.expr:
    class Put(ast.NodeTransformer):
        def visit_Name(self, one: ast.Name) -> ast.Name:
            return ast.Name(names.get(one.id, one.id), one.ctx)

    return Put().visit(copy.deepcopy(node))  # type: ignore[no-any-return]


def _name(statement: ast.Assign) -> str:
    return ast.unparse(statement.targets[0])


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _is(name: str, number: int) -> ast.expr:
    return ast.Compare(ast.Name(name, ast.Load()), [ast.Eq()], [ast.Constant(number)])


def always_set(statement: ast.stmt) -> set[str] | None:
    """The names that a statement sets whatever happens in it; None where it does anything else, or
    sets some of them only at times."""
    if isinstance(statement, ast.Assign):
        names = {t.id for t in statement.targets if isinstance(t, ast.Name)}
        return names if len(names) == len(statement.targets) else None
    if isinstance(statement, ast.If):
        blocks = [statement.body, statement.orelse]
    elif isinstance(statement, ast.Try) and not statement.orelse and not statement.finalbody:
        blocks = [statement.body, *(handler.body for handler in statement.handlers)]
    else:
        return None
    found = []
    for block in blocks:
        sets = [always_set(one) for one in block]
        if any(one is None for one in sets):
            return None
        found.append({name for one in sets for name in one or ()})
    return found[0] if all(one == found[0] for one in found) else None
