"""Loops that fold: every carried name is combined with one value a step.

Reads the statements of a loop, through guards, ``continue``, temporaries and nested loops, into
``Fold``s: which operation, of which value, under which conditions. Whatever else the body does is
an objection, a named reason why the loop must stay. Everything here is about the text of the loop;
what its values are is the business of ``auditor.vectorise`` and of the rewrites.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Literal

from auditor.lift.module import Module
from auditor.region import Region

Operation = Literal["sum", "prod", "max", "min", "set", "any", "all", "argmax", "argmin",
                    "logsumexp"]  # fmt: skip


@dataclass(frozen=True)
class Condition:
    """A guard of a step; ``holds`` is False where the step happens when the test does not."""

    test: ast.expr
    holds: bool = True


@dataclass
class Generator:
    """One ``for`` of the loop nest, with the conditions that stand directly inside it."""

    target: ast.expr
    iter: ast.expr
    conditions: list[Condition] = field(default_factory=list)


@dataclass
class Fold:
    """``name = name op value`` at each step where ``conditions`` hold.

    ``set`` binds a constant; ``any`` and ``all`` are ``or`` and ``and``. For argmax and argmin
    ``name`` is the extremum (None when only the place is kept), ``place`` the name of the payload
    and ``payload`` what it is bound to. ``keeps_first`` says what happens among equals;
    ``from_none`` that the first value is taken whatever it is. ``call`` is the two-argument
    function that the code calls (``torch.maximum``), ``augmented`` whether it is ``op=``.
    """

    op: Operation
    name: str | None
    value: ast.expr
    statement: ast.stmt
    conditions: tuple[Condition, ...] = ()
    negative: bool = False
    keeps_first: bool = True
    from_none: bool = False
    augmented: bool = False
    call: str | None = None
    place: str | None = None
    payload: ast.expr | None = None
    stops: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in (self.name, self.place) if name is not None)


@dataclass
class FoldLoop:
    """A loop whose carried names are all folds. ``objections`` are (condition, reason)."""

    node: ast.For | ast.While
    generators: list[Generator]
    folds: list[Fold]
    temporaries: dict[str, ast.expr]
    statements: list[ast.stmt]
    objections: list[tuple[str, str]]
    returns: bool | None = None
    counter_start: ast.stmt | None = None
    innermost: ast.AST | None = None
    collected: list[Collected] = field(default_factory=list)


@dataclass(frozen=True)
class Collected:
    """What a step leaves behind of the fold so far: appended to a list (``target`` is its name) or
    written into an element of an array. ``copied`` where it is a copy that is kept."""

    target: ast.expr
    name: str
    copied: bool
    appended: bool


class NotAFold(Exception):
    """The loop carries something that is no fold."""


PURE_BUILTINS = frozenset(
    ("abs", "len", "float", "int", "bool", "complex", "round", "min", "max", "sum", "ord", "chr")
    + ("isinstance", "range", "pow", "divmod", "str", "tuple", "hasattr", "all", "any")
)
PURE_METHODS = frozenset(
    ("sum", "mean", "abs", "exp", "log", "sqrt", "square", "pow", "item", "float", "double", "int")
    + ("long", "bool", "half", "to", "astype", "gather", "squeeze", "unsqueeze", "max", "min")
    + ("prod", "norm", "dot", "matmul", "transpose", "permute", "reshape", "view", "flatten", "t")
    + ("clamp", "tanh", "sigmoid", "relu", "sin", "cos", "softmax", "log_softmax", "any", "all")
    + ("amax", "amin", "type", "get", "lower", "upper", "strip", "startswith", "endswith", "count")
    + ("size", "dim", "numel", "contiguous", "tolist", "is_floating_point", "argmax", "argmin")
    + ("isdigit", "isalpha", "items", "keys", "values", "detach", "clone", "conj", "real", "log1p")
)
PURE_MODULES = ("torch.", "numpy.", "math.", "operator.", "cmath.")
IMPURE_PATHS = (
    ("torch.rand", "torch.normal", "torch.bernoulli", "torch.multinomial", "numpy.random")
    + ("torch.manual_seed", "torch.save", "torch.nn.init", "numpy.save", "torch.dropout")
    + ("torch.nn.functional.dropout", "torch.empty", "torch.distributed")
)


def path_of(module: Module, node: ast.expr) -> str | None:
    """The dotted path that a name or attribute chain was imported as."""
    if isinstance(node, ast.Name):
        return module.names.get(node.id)
    if isinstance(node, ast.Attribute):
        base = path_of(module, node.value)
        return None if base is None else f"{base}.{node.attr}"
    return None


def impurity(module: Module, node: ast.expr) -> str | None:
    """What evaluating ``node`` may do besides computing a value, or None."""
    for inner in ast.walk(node):
        if isinstance(inner, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)):
            return f"binds or waits: `{module.source(inner)}`"
        if not isinstance(inner, ast.Call):
            continue
        path = path_of(module, inner.func)
        if path is not None:
            pure = path.startswith(PURE_MODULES) and not path.startswith(IMPURE_PATHS)
            pure = pure and not path.rsplit(".", 1)[-1].endswith("_")
        elif isinstance(inner.func, ast.Name):
            pure = inner.func.id in PURE_BUILTINS and inner.func.id not in module.functions
        else:
            pure = isinstance(inner.func, ast.Attribute) and inner.func.attr in PURE_METHODS
        pure = pure and not any(k.arg == "out" for k in inner.keywords)
        if not pure:
            return f"calls `{module.source(inner.func)}`"
    return None


def same(left: ast.AST, right: ast.AST) -> bool:
    """Whether two expressions are spelt alike, up to layout."""
    return _dump(left) == _dump(right)


def _dump(node: ast.AST) -> str:
    return ast.dump(node).replace("Store()", "Load()")


def mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node))


def is_name(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def constant(node: ast.AST | None) -> object:
    """The value of a literal, a signed one too; ``Ellipsis`` for anything else."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = constant(node.operand)
        if isinstance(inner, (int, float)) and not isinstance(inner, bool):
            return -inner
    return ...


def infinite(module: Module, node: ast.expr | None) -> int:
    """1 for a spelling of infinity, -1 for minus infinity, else 0."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -infinite(module, node.operand)
    if isinstance(node, ast.Call) and is_name(node.func, "float") and len(node.args) == 1:
        text = constant(node.args[0])
        if isinstance(text, str):
            word = text.strip().lower().lstrip("+")
            return {"inf": 1, "infinity": 1, "-inf": -1, "-infinity": -1}.get(word, 0)
    if node is not None and path_of(module, node) in ("math.inf", "numpy.inf", "torch.inf"):
        return 1
    return 0


_PAIRWISE: dict[str, Operation] = {
    "max": "max", "min": "min", "torch.maximum": "max", "torch.minimum": "min",
    "numpy.maximum": "max", "numpy.minimum": "min", "torch.max": "max", "torch.min": "min",
    "torch.logaddexp": "logsumexp",
}  # fmt: skip
_OPPOSITE = {ast.Gt: ast.Lt, ast.Lt: ast.Gt, ast.GtE: ast.LtE, ast.LtE: ast.GtE}


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
            self.generators.append(Generator(node.target, node.iter))
            reason = impurity(self.module, node.iter)
            if reason is not None and not self._known_iterator(node.iter):
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
            inner.id for statement in node.body[:-1] for inner in ast.walk(statement)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, (ast.Store, ast.Del))
        }  # fmt: skip
        if name in stored or any(mentions(stop, other) for other in stored):
            raise NotAFold
        if any(isinstance(n, ast.Continue) for s in node.body for n in ast.walk(s)):
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
        if not node.orelse and self._extremum(node, guards):
            return
        self._pure(node.test)
        self._block(node.body, (*guards, Condition(node.test)))
        if node.orelse:
            self._block(node.orelse, (*guards, Condition(node.test, False)))

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
        if operation in ("any", "all") and not _boolean(node.value):
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
        fold = self._binary(node, name, value) or self._called(node, name, value)
        fold = fold or self._chosen(node, name, value)
        if fold is None or mentions(fold.value, name):
            raise NotAFold
        fold.conditions = guards
        self._add(fold)

    def _add(self, fold: Fold) -> None:
        reason = impurity(self.module, fold.value)
        if reason is not None:
            self.object("effects", f"the loop {reason}")
        self.folds.append(fold)

    def _binary(self, node: ast.stmt, name: str, value: ast.expr) -> Fold | None:
        if isinstance(value, ast.BoolOp) and len(value.values) == 2:
            first, second = value.values
            if is_name(first, name) and _boolean(second):
                op: Operation = "any" if isinstance(value.op, ast.Or) else "all"
                return Fold(op, name, second, node)
            return None
        if not isinstance(value, ast.BinOp):
            return None
        if isinstance(value.op, ast.Mult):
            for mine, other in ((value.left, value.right), (value.right, value.left)):
                if is_name(mine, name):
                    return Fold("prod", name, other, node)
            return None
        if isinstance(value.op, ast.Sub) and is_name(value.left, name):
            return Fold("sum", name, value.right, node, negative=True)
        if isinstance(value.op, ast.Add):
            if is_name(value.left, name):
                return Fold("sum", name, value.right, node)
            if is_name(value.right, name):
                return Fold("sum", name, value.left, node)
            return self._chain(node, name, value)
        return None

    def _chain(self, node: ast.stmt, name: str, value: ast.BinOp) -> Fold | None:
        """``total + a + b``, parsed as ``(total + a) + b``."""
        rest: list[ast.expr] = []
        at: ast.expr = value
        while isinstance(at, ast.BinOp) and isinstance(at.op, ast.Add):
            rest.append(at.right)
            at = at.left
        if not is_name(at, name):
            return None
        addend = rest.pop()
        while rest:
            addend = ast.BinOp(addend, ast.Add(), rest.pop())
        return Fold("sum", name, addend, node)

    def _called(self, node: ast.stmt, name: str, value: ast.expr) -> Fold | None:
        """``max(m, x)``, ``torch.maximum(m, x)``."""
        if not (isinstance(value, ast.Call) and len(value.args) == 2 and not value.keywords):
            return None
        path = path_of(self.module, value.func)
        if path is None and isinstance(value.func, ast.Name):
            path = value.func.id
        op = _PAIRWISE.get(path or "")
        if op == "logsumexp" and not self.prefixes:
            return None
        if op is None:
            return None
        first, second = value.args
        if is_name(first, name) == is_name(second, name):
            return None
        other = second if is_name(first, name) else first
        called = None if path in ("max", "min") else self.module.source(value.func)
        return Fold(op, name, other, node, keeps_first=is_name(first, name),
                    call=called)  # fmt: skip

    def _chosen(self, node: ast.stmt, name: str, value: ast.expr) -> Fold | None:
        """``x if x > m else m`` and its mirror images."""
        if not (isinstance(value, ast.IfExp) and isinstance(value.test, ast.Compare)):
            return None
        found = _comparison(value.test, name)
        if found is None:
            return None
        op, strict, other = found
        if is_name(value.orelse, name) and same(value.body, other):
            return Fold(op, name, other, node, keeps_first=strict)
        if is_name(value.body, name) and same(value.orelse, other):
            flipped: Operation = "min" if op == "max" else "max"
            return Fold(flipped, name, other, node, keeps_first=not strict)
        return None

    def _extremum(self, node: ast.If, guards: tuple[Condition, ...]) -> bool:
        """``if x > m: m = x``, with a payload or without, and ``if x[i] > x[best]: best = i``."""
        test, from_none = node.test, None
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) and len(test.values) == 2:
            first, second = test.values
            if (
                isinstance(first, ast.Compare) and len(first.ops) == 1
                and isinstance(first.ops[0], ast.Is) and isinstance(first.left, ast.Name)
                and isinstance(first.comparators[0], ast.Constant)
                and first.comparators[0].value is None
            ):  # fmt: skip
                from_none, test = first.left.id, second
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1):
            return False
        bound = _bindings(node.body)
        if bound is None or not 1 <= len(bound) <= 2:
            return False
        for name, value in bound:
            found = _comparison(test, name)
            if found is None or name not in self.carried or not same(value, found[2]):
                continue
            op, strict, other = found
            if from_none is not None and from_none != name:
                return False
            payload = next(((n, v) for n, v in bound if n != name), None)
            if mentions(other, name):
                return False
            fold = Fold(op, name, other, node, guards, keeps_first=strict,
                        from_none=from_none is not None)  # fmt: skip
            if payload is not None:
                fold.op = "argmax" if op == "max" else "argmin"
                fold.place, fold.payload = payload
                if any(mentions(payload[1], n) for n, _ in bound):
                    return False
            self._add(fold)
            return True
        return len(bound) == 1 and self._by_place(test, bound[0], node, guards)

    def _by_place(
        self, test: ast.Compare, bound: tuple[str, ast.expr], node: ast.If,
        guards: tuple[Condition, ...],
    ) -> bool:  # fmt: skip
        name, at = bound
        if name not in self.carried or not isinstance(at, ast.Name):
            return False
        left, right = test.left, test.comparators[0]
        for value, held, op in ((left, right, type(test.ops[0])),
                                (right, left, _OPPOSITE.get(type(test.ops[0])))):  # fmt: skip
            if op not in _OPPOSITE or mentions(value, name) or not mentions(value, at.id):
                continue
            if not same(renamed(value, at.id, ast.Name(name, ast.Load())), held):
                continue
            way: Operation = "argmax" if op in (ast.Gt, ast.GtE) else "argmin"
            strict = op in (ast.Gt, ast.Lt)
            self._add(Fold(way, None, value, node, guards, keeps_first=strict, place=name,
                           payload=at))  # fmt: skip
            return True
        return False

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
        targets = {n.id for g in self.generators for n in ast.walk(g.target)
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
        at = self.region.parents.get(self.node)
        while at is not None:
            if isinstance(at, ast.Try) and at.handlers:
                return True
            if isinstance(at, (ast.With, ast.AsyncWith)):
                for item in at.items:
                    call = item.context_expr
                    if isinstance(call, ast.Call) and "suppress" in ast.unparse(call.func):
                        return True
            at = self.region.parents.get(at)
        return False

    def leaking(self, names: set[str]) -> None:
        """Loop variables and temporaries that are read after the loop."""
        for name in sorted(names):
            if self.region.read_after(self.node, name):
                self.object("names", f"`{name}` of the loop is used after it")


def renamed(node: ast.expr, name: str, by: ast.expr) -> ast.expr:
    """A copy of ``node`` with a name replaced."""

    class Change(ast.NodeTransformer):
        def visit_Name(self, found: ast.Name) -> ast.expr:
            return by if found.id == name else found

    copied: ast.expr = ast.parse(ast.unparse(node), mode="eval").body
    changed: ast.expr = Change().visit(copied)
    return changed


def _boolean(node: ast.expr) -> bool:
    """An expression whose value is certainly a truth value of its own library."""
    if isinstance(node, ast.Compare):
        return True
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return True
    if isinstance(node, ast.BoolOp):
        return all(map(_boolean, node.values))
    return isinstance(constant(node), bool)


def _comparison(test: ast.Compare, name: str) -> tuple[Operation, bool, ast.expr] | None:
    """``x > m`` as (max, strict, x), whichever side the name is on."""
    if len(test.ops) != 1:
        return None
    left, op, right = test.left, type(test.ops[0]), test.comparators[0]
    if is_name(left, name) and op in _OPPOSITE:
        left, op, right = right, _OPPOSITE[op], left
    if not is_name(right, name) or op not in _OPPOSITE:
        return None
    return ("max" if op in (ast.Gt, ast.GtE) else "min"), op in (ast.Gt, ast.Lt), left


def _bindings(body: list[ast.stmt]) -> list[tuple[str, ast.expr]] | None:
    """The plain assignments that a block consists of."""
    found: list[tuple[str, ast.expr]] = []
    for statement in body:
        if not (isinstance(statement, ast.Assign) and len(statement.targets) == 1):
            return None
        target, value = statement.targets[0], statement.value
        if isinstance(target, ast.Name):
            found.append((target.id, value))
        elif (
            isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            and len(target.elts) == len(value.elts)
            and all(isinstance(part, ast.Name) for part in target.elts)
        ):  # fmt: skip
            names = [part.id for part in target.elts if isinstance(part, ast.Name)]
            found.extend(zip(names, value.elts, strict=True))
        else:
            return None
    return found


def _carried(body: list[ast.stmt]) -> set[str]:
    """Names that a step may read or leave as an earlier step bound them."""
    bound: set[str] = set()
    carried: set[str] = set()

    def reads(node: ast.AST) -> None:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                if inner.id not in bound:
                    carried.add(inner.id)

    def block(statements: list[ast.stmt], certain: bool) -> None:
        for statement in statements:
            if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
                reads(statement.value)
                many = (
                    statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                )
                for target in many:
                    for inner in ast.walk(target):
                        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                            (bound if certain else carried).add(inner.id)
            elif isinstance(statement, ast.AugAssign):
                reads(statement.value)
                if isinstance(statement.target, ast.Name) and statement.target.id not in bound:
                    carried.add(statement.target.id)
            elif isinstance(statement, ast.If):
                reads(statement.test)
                block(statement.body, False)
                block(statement.orelse, False)
            elif isinstance(statement, ast.For):
                reads(statement.iter)
                block(statement.body, False)
            else:
                reads(statement)

    block(body, True)
    return carried
