"""From the statements of a loop to its folds.

Reads a loop through guards, ``continue``, temporaries and nested loops. Whatever else the body does
is an objection, a named reason why the loop must stay. Everything here is about the text of the
loop.
"""

from __future__ import annotations

import ast

from auditor.arrays.facts import Arrays
from auditor.folds.loop import Collected, Condition, Fold, FoldLoop, Generator, NotAFold
from auditor.folds.updates import assigned, branched, from_nothing, truth_value
from auditor.lift.managers import swallows
from auditor.lift.module import Module
from auditor.surroundings.purity import impurity
from auditor.surroundings.region import Region
from auditor.syntax import called_name, constant, infinite, is_name, mentions, path_of, same
from auditor.tree import ancestors, everything_in


def read(region: Region, node: ast.For | ast.While, *, prefixes: bool = False) -> FoldLoop:
    """The folds of a loop; with ``prefixes`` what each step collects of them is recorded, else it
    is an objection. Raises ``NotAFold``."""
    return _Reader(region, node, prefixes).read()


class _Reader:
    def __init__(self, region: Region, node: ast.For | ast.While, prefixes: bool) -> None:
        self.region, self.module, self.node = region, region.module, node
        self.prefixes = prefixes
        self.collected: list[Collected] = []
        self.generators: list[Generator] = []
        self.folds: list[Fold] = []
        self.temporaries: dict[str, ast.expr] = {}
        self.statements: list[ast.stmt] = []
        self.objections: list[tuple[str, str]] = []
        self.returns: bool | None = None
        self.counter: str | None = None
        self.counter_start: ast.stmt | None = None
        self.innermost: ast.AST = node

    def object(self, condition: str, reason: str) -> None:
        """State a reason why the loop must stay."""
        self.objections.append((condition, reason))

    def read(self) -> FoldLoop:
        body = self._header(self.node)
        self._body(body)
        if not self.folds:
            raise NotAFold
        self._check()
        return FoldLoop(self.node, self.generators, self.folds, self.temporaries, self.statements,
                        self.objections, self.returns, self.counter_start,
                        self.innermost, self.collected)  # fmt: skip

    # -- what is walked

    def _header(self, node: ast.For | ast.While) -> list[ast.stmt]:
        if node.orelse:
            self.object("exit", "the loop has an `else` clause")
        if isinstance(node, ast.For):
            walked = rows_of(self.module, node.iter)
            self.generators.append(Generator(node.target, walked))
            reason = impurity(self.module, walked)
            if reason is not None and not self._known_iterator(walked):
                self.object("effects", f"what the loop walks {reason}")
            return node.body
        return self._while(node)

    def _known_iterator(self, node: ast.expr) -> bool:
        """Calls whose result is only walked: ``enumerate``, ``zip``, ``reversed``, ``sorted``."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            return False
        known = ("enumerate", "zip", "reversed", "sorted", "range", "set", "list", "iter", "tuple")
        return node.func.id in known and all(
            impurity(self.module, arg) is None or self._known_iterator(arg) for arg in node.args
        )

    def _while(self, node: ast.While) -> list[ast.stmt]:
        """``while i < n`` that ends in ``i += 1``, as ``for i in range(start, n)``."""
        test, last = node.test, node.body[-1]
        if not (
            isinstance(test, ast.Compare) and len(test.ops) == 1
            and isinstance(test.ops[0], ast.Lt) and isinstance(test.left, ast.Name)
            and isinstance(last, ast.AugAssign) and isinstance(last.op, ast.Add)
            and is_name(last.target, test.left.id) and constant(last.value) == 1
            and len(node.body) > 1
        ):  # fmt: skip
            raise NotAFold
        name = test.left.id
        stop = test.comparators[0]
        if impurity(self.module, stop) is not None:
            raise NotAFold
        stored = {
            inner.id for statement in node.body[:-1] for inner in everything_in(statement)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, (ast.Store, ast.Del))
        }  # fmt: skip
        if name in stored or any(mentions(stop, other) for other in stored):
            raise NotAFold
        if self.module.span(stop) not in self.region.lifted.facts.counted:
            self.object("bound", f"`{self.module.brief(stop)}` may be no integer")
        if any(isinstance(n, ast.Continue) for s in node.body for n in everything_in(s)):
            raise NotAFold
        start = self.region.binding_before(node, name)
        if start is None or not isinstance(constant(start.value), int):
            raise NotAFold
        self.counter_start = start.statement
        self.counter = name
        number = constant(start.value)
        assert isinstance(number, int)
        first: list[ast.expr] = [] if number == 0 else [ast.Constant(number)]
        made = ast.Call(ast.Name("range", ast.Load()), [*first, stop], [])
        self.generators.append(Generator(ast.Name(name, ast.Store()), made))
        return node.body[:-1]

    # -- the body

    def _body(self, body: list[ast.stmt]) -> None:
        self.carried = _carried(body)
        if len(body) == 1 and isinstance(body[0], ast.For):
            self.innermost = body[0]
            self._body(self._header(body[0]))
            return
        self._block(body, ())

    def _block(self, body: list[ast.stmt], guards: tuple[Condition, ...]) -> None:
        for position, statement in enumerate(body):
            if isinstance(statement, ast.Pass) or (
                isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            ):
                continue
            if isinstance(statement, ast.If) and self._skips(statement):
                self._pure(statement.test)
                self._block(body[position + 1 :], (*guards, Condition(statement.test, False)))
                return
            self._statement(statement, guards, body[position + 1 :])
            if isinstance(statement, (ast.Break, ast.Return, ast.Continue)):
                return

    def _skips(self, node: ast.If) -> bool:
        """``if test: continue``."""
        return len(node.body) == 1 and isinstance(node.body[0], ast.Continue) and not node.orelse

    def _statement(
        self, node: ast.stmt, guards: tuple[Condition, ...], rest: list[ast.stmt]
    ) -> None:
        if isinstance(node, ast.If):
            self._if(node, guards)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self._augmented(node, node.target.id, guards)
        elif isinstance(node, ast.AnnAssign) and node.value is not None and node.simple:
            assert isinstance(node.target, ast.Name)
            self._assign(node, node.target.id, node.value, guards)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if self.prefixes and not guards and self._collects(node):
                return
            if isinstance(target, ast.Name):
                self._assign(node, target.id, node.value, guards)
            elif (
                isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                and len(target.elts) == len(node.value.elts)
                and all(isinstance(part, ast.Name) for part in target.elts)
            ):  # fmt: skip
                names = [part.id for part in target.elts if isinstance(part, ast.Name)]
                for name, value in zip(names, node.value.elts, strict=True):
                    if any(mentions(value, other) for other in names if other != name):
                        raise NotAFold
                    self._assign(node, name, value, guards)
            elif isinstance(target, ast.Tuple) and self._of_array(node.value):
                for place, part in enumerate(target.elts):
                    if not isinstance(part, ast.Name):
                        raise NotAFold
                    element = ast.Subscript(node.value, ast.Constant(place), ast.Load())
                    self._assign(node, part.id, element, guards)
            else:
                raise NotAFold
        elif isinstance(node, ast.Break):
            self._leave(guards)
        elif isinstance(node, ast.Return):
            self._return(node, guards)
        elif isinstance(node, ast.Expr) and self.prefixes and not guards and self._collects(node):
            return
        elif isinstance(node, ast.Expr):
            self.object("effects", f"the loop calls `{self.module.source(node.value)[:50]}`")
        elif isinstance(node, ast.Assert):
            self.object("effects", f"the loop asserts (line {node.lineno})")
        else:
            raise NotAFold

    def _of_array(self, node: ast.expr) -> bool:
        """Whether an expression is an item of what certainly is an array."""
        return isinstance(node, ast.Subscript) and Arrays(self.region).certain(node.value)

    def _collects(self, node: ast.Assign | ast.Expr) -> bool:
        """``out.append(total)`` or ``out[t] = total``, after the step's update."""
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            if not (isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)):
                return False
        else:
            call = node.value
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
                return False
            if call.func.attr != "append" or len(call.args) != 1 or call.keywords:
                return False
            target, value = call.func.value, call.args[0]
        copied = False
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            if value.func.attr in ("clone", "copy") and not value.args and not value.keywords:
                value, copied = value.func.value, True
        done = [name for fold in self.folds for name in fold.names]
        if not (isinstance(value, ast.Name) and value.id in done):
            return False
        appended = isinstance(node, ast.Expr)
        if appended and not isinstance(target, ast.Name):
            return False
        self.collected.append(Collected(target, value.id, copied or not appended, appended))
        return True

    def _leave(self, guards: tuple[Condition, ...]) -> None:
        """``break``: harmless where it only spares steps that would change nothing."""
        if len(self.folds) == 1 and self.folds[0].op == "set":
            if self.folds[0].conditions == guards:
                self.folds[0].stops = True
                return
        self.object("exit", "the loop may stop early, depending on what it has seen")

    def _return(self, node: ast.Return, guards: tuple[Condition, ...]) -> None:
        value = constant(node.value)
        if not isinstance(value, bool) or not guards or self.folds:
            raise NotAFold
        after = self.region.next_statement(self.node)
        if not (isinstance(after, ast.Return) and constant(after.value) is (not value)):
            raise NotAFold
        self.returns = value
        assert node.value is not None
        self.folds.append(Fold("set", None, node.value, node, guards, stops=True))

    def _if(self, node: ast.If, guards: tuple[Condition, ...]) -> None:
        fold = None if node.orelse else branched(node, guards, self.carried)
        if fold is not None:
            self._add(fold)
            return
        if self._either(node, guards):
            return
        if self.prefixes and (chosen := _chosen(node)) is not None:
            self._statement(chosen, guards, [])
            return
        self._pure(node.test)
        self._block(node.body, (*guards, Condition(node.test)))
        if node.orelse:
            self._block(node.orelse, (*guards, Condition(node.test, False)))

    def _either(self, node: ast.If, guards: tuple[Condition, ...]) -> bool:
        """``if x < lo: lo = x, elif x > hi: hi = x``: where both start from the same element, none
        is below the least and above the greatest, and each is a fold of its own."""
        if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
            return False
        other = node.orelse[0]
        alone = ast.If(node.test, node.body, [])
        one, two = branched(alone, guards, self.carried), branched(other, guards, self.carried)
        if one is None or two is None or other.orelse or {one.op, two.op} != {"max", "min"}:
            return False
        starts = [self.region.binding_before(self.node, fold.name or "") for fold in (one, two)]
        values = [start.value for start in starts if start is not None]
        first, second = (*values, None, None)[:2]
        if first is None or second is None or not same(first, second):
            return False
        if not same(one.value, two.value) or infinite(self.module, first):
            return False
        one.statement = node
        self._add(one)
        self._add(two)
        return True

    def _pure(self, test: ast.expr) -> None:
        reason = impurity(self.module, test)
        if reason is not None:
            self.object("effects", f"a condition {reason}")

    # -- updates

    def _augmented(self, node: ast.AugAssign, name: str, guards: tuple[Condition, ...]) -> None:
        operation = {ast.Add: "sum", ast.Sub: "sum", ast.Mult: "prod", ast.BitOr: "any",
                     ast.BitAnd: "all"}.get(type(node.op))  # fmt: skip
        if operation is None or name in self.temporaries or mentions(node.value, name):
            raise NotAFold
        if operation in ("any", "all") and not truth_value(node.value):
            raise NotAFold
        self._add(Fold(operation, name, node.value, node, guards,  # type: ignore[arg-type]
                       negative=isinstance(node.op, ast.Sub), augmented=True))  # fmt: skip

    def _assign(
        self, node: ast.stmt, name: str, value: ast.expr, guards: tuple[Condition, ...]
    ) -> None:
        if name not in self.carried:
            if guards or mentions(value, name) or name in self.temporaries:
                raise NotAFold
            reason = impurity(self.module, value)
            if reason is not None:
                self.object("effects", f"the loop {reason}")
            self.temporaries[name] = value
            self.statements.append(node)
            return
        if isinstance(constant(value), bool) and guards:
            self._add(Fold("set", name, value, node, guards))
            return
        fold = assigned(self.module, node, name, value)
        if fold is None and self.prefixes:
            fold = from_nothing(self.module, node, name, value)
        if fold is None or mentions(fold.value, name):
            raise NotAFold
        if fold.op == "logsumexp" and not self.prefixes:
            raise NotAFold
        fold.conditions = guards
        self._add(fold)

    def _add(self, fold: Fold) -> None:
        reason = impurity(self.module, fold.value)
        if reason is not None:
            self.object("effects", f"the loop {reason}")
        self.folds.append(fold)

    # -- what must hold of the whole

    def _check(self) -> None:
        names = [name for fold in self.folds for name in fold.names]
        if len(names) != len(set(names)) and not all(f.op == "set" for f in self.folds):
            raise NotAFold
        if len(names) != len(set(names)):
            raise NotAFold
        reads: list[ast.AST] = [g.iter for g in self.generators]
        reads += [c.test for g in self.generators for c in g.conditions]
        reads += list(self.temporaries.values())
        for fold in self.folds:
            reads += [fold.value, *(c.test for c in fold.conditions)]
            reads += [fold.payload] if fold.payload is not None else []
        if any(mentions(node, name) for node in reads for name in names):
            raise NotAFold
        if any(mentions(g.iter, name) for g in self.generators for name in self.temporaries):
            raise NotAFold  # what is walked was settled before a step gave the name another value
        targets = {n.id for g in self.generators for n in everything_in(g.target)
                   if isinstance(n, ast.Name)}  # fmt: skip
        if targets & set(names) or targets & set(self.temporaries):
            raise NotAFold
        if any(fold.stops for fold in self.folds) and len(self.folds) > 1:
            self.object("exit", "the loop may stop early, depending on what it has seen")
        self.leaking(targets | set(self.temporaries))
        if self._caught():
            self.object("exceptions", "an exception in the loop leaves what was folded so far")

    def _caught(self) -> bool:
        """Whether the function goes on after an exception in the loop."""
        return any(
            (isinstance(above, ast.Try) and above.handlers) or swallows(self.module, above)
            for above in ancestors(self.node, self.region.parents)
        )

    def leaking(self, names: set[str]) -> None:
        """Loop variables and temporaries that are read after the loop."""
        for name in sorted(names):
            if self.region.read_after(self.node, name):
                self.object("names", f"`{name}` of the loop is used after it")


def _chosen(node: ast.If) -> ast.Assign | None:
    """``if test: name = a``, ``else: name = b`` as one assignment."""
    if len(node.body) != 1 or len(node.orelse) != 1:
        return None
    one, other = node.body[0], node.orelse[0]
    if not (isinstance(one, ast.Assign) and isinstance(other, ast.Assign)):
        return None
    names = [part.id for part in (*one.targets, *other.targets) if isinstance(part, ast.Name)]
    if len(one.targets) != 1 or len(other.targets) != 1 or len(names) != 2 or len({*names}) != 1:
        return None
    value = ast.copy_location(ast.IfExp(node.test, one.value, other.value), node)
    return ast.copy_location(ast.Assign(one.targets, value), node)


def _carried(body: list[ast.stmt]) -> set[str]:
    """Names that a step may read or leave as an earlier step bound them."""
    step = _Step()
    step.block(body, True)
    return step.carried


class _Step:
    """What one step binds for certain, and what it may read or leave as it was."""

    def __init__(self) -> None:
        self.bound: set[str] = set()
        self.carried: set[str] = set()

    def block(self, statements: list[ast.stmt], certain: bool) -> None:
        for statement in statements:
            if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
                self._reads(statement.value)
                many = (
                    statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                )
                for target in many:
                    for inner in everything_in(target):
                        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                            (self.bound if certain else self.carried).add(inner.id)
            elif isinstance(statement, ast.AugAssign):
                self._reads(statement.value)
                target = statement.target
                if isinstance(target, ast.Name) and target.id not in self.bound:
                    self.carried.add(target.id)
            elif isinstance(statement, ast.If):
                self._reads(statement.test)
                self.block(statement.body, False)
                self.block(statement.orelse, False)
            elif isinstance(statement, ast.For):
                self._reads(statement.iter)
                self.block(statement.body, False)
            else:
                self._reads(statement)

    def _reads(self, node: ast.AST) -> None:
        for inner in everything_in(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                if inner.id not in self.bound:
                    self.carried.add(inner.id)


def rows_of(module: Module, walked: ast.expr) -> ast.expr:
    """What is walked, said without ``unbind``: a tensor's rows are what a loop over it meets."""
    if not isinstance(walked, ast.Call) or called_name(walked) != "unbind":
        return walked
    method = path_of(module, walked.func) is None and isinstance(walked.func, ast.Attribute)
    given = [walked.func.value, *walked.args] if method else walked.args  # type: ignore[attr-defined]
    given = [*given, *(word.value for word in walked.keywords if word.arg == "dim")]
    named = all(word.arg == "dim" for word in walked.keywords)
    first = len(given) == 1 or (len(given) == 2 and constant(given[1]) == 0)
    known = method or path_of(module, walked.func) == "torch.unbind"
    return given[0] if known and named and first else walked
