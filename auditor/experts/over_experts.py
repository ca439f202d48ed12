"""A loop of one step for each expert, which adds up or collects what each of them gives."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from auditor.experts.found import Found, Names
from auditor.experts.operations import Operations
from auditor.experts.values import (
    EMPTY,
    Filled,
    Listed,
    Mixture,
    Outputs,
    Place,
    Places,
    Plain,
    Routing,
    Rows,
    Tally,
    Thing,
)
from auditor.lift.module import Module
from auditor.syntax import constant, path_of
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.experts.reading import Reader


@dataclass
class _Body:
    """The body of such a loop, read by statement. ``bound`` is what the names of a step are,
    ``lists`` those that collect what the experts give, ``total`` the statement that adds up, what
    it adds, and the name of the sum; ``sparse`` says that it adds to chosen rows alone, ``skips``
    that experts without tokens may be left out, which is ``asked`` of the places that they have."""

    reader: Reader
    loop: ast.For
    names: Names
    place: Place
    bound: Names
    skips: bool
    lists: dict[str, Thing] = field(default_factory=dict)
    total: tuple[ast.stmt, Outputs, str] | None = None
    sparse: bool = False
    asked: set[Places] = field(default_factory=set)

    def read(self) -> bool:
        """Whether all statements are understood, and something is added up or collected."""
        body = list(self.loop.body)
        while body:
            statement = body.pop(0)
            inside = self._unless_empty(statement)
            if inside is not None:
                self.skips = True
                if inside and body:
                    return False
                body = list(inside) or body
            elif not self._statement(statement):
                return False
        return self.total is not None or bool(self.lists)

    def _unless_empty(self, statement: ast.stmt) -> list[ast.stmt] | None:
        """What runs where an expert has tokens: the rest (an empty list) after `if none: continue`,
        or the block of `if some:`; None for any other statement."""
        if not isinstance(statement, ast.If) or statement.orelse:
            return None
        test, none = statement.test, False
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, none = test.operand, True
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and not none:
            if constant(test.comparators[0]) != 0:
                return None
            none = isinstance(test.ops[0], ast.Eq)
            if not none and not isinstance(test.ops[0], (ast.Gt, ast.NotEq)):
                return None
            test = test.left
        counted, listed = _counted(test)
        found = self._value(counted)
        if isinstance(found, Rows) and found.listed == listed and found.hit.place is self.place:
            self.asked.add(found.hit.places)
        elif isinstance(found, Tally) and found.place is self.place:
            self.asked.add(found.places)
        else:
            return None
        if none:
            (first, *more) = statement.body
            return [] if isinstance(first, ast.Continue) and not more else None
        return statement.body

    def _value(self, node: ast.expr) -> Thing:
        return Operations(self.reader, self.bound).value(node)

    def _statement(self, statement: ast.stmt) -> bool:
        put = puts(statement)
        if put is not None:
            return self._put(statement, *put)
        over = _puts_over(self.reader.module, statement)
        added = _adds(statement) or over
        if added is not None:
            return self._added(statement, *added, over is not None)
        appended = _appends(statement)
        if appended is not None:
            return self._appended(*appended)
        return self._assigned(statement)

    def _put(
        self, statement: ast.stmt, name: str, rows: ast.expr, value: ast.expr, adds: bool
    ) -> bool:
        """The rows of the tokens that chose an expert get what it gives them."""
        made, start, where = self._value(value), self.names.get(name), self._value(rows)
        hit = made.hit if isinstance(made, Outputs) else None
        if not isinstance(made, Outputs) or hit is None:
            return False
        put_over = isinstance(statement, ast.Assign)
        if put_over or made.routing is None:  # each token has one expert alone
            if hit.layout != self.reader.leading:
                return False
        if made.routing is None:
            made = replace(made, routing=Routing(hit.places))
        fits = isinstance(where, Rows) and where.hit is hit and where.label == "t0"
        fits = fits and made.layout == ("m", "d") and (adds or hit.places.distinct)
        nothing = isinstance(start, Filled) and not start.number
        fresh = isinstance(start, Plain) and start.fresh and not put_over
        if not fits or not (nothing or fresh) or self.total is not None:
            return False
        if _uses(self.loop, name) != 1:
            return False
        if not self.asked <= {hit.places}:
            return False  # whether others chose the expert
        self.total = (statement, replace(made, layout=self.reader.tokens), name)
        self.sparse = True
        return True

    def _added(
        self, statement: ast.stmt, name: str, value: ast.expr, in_place: bool, over: bool
    ) -> bool:
        """What an expert gives all tokens is added to a sum, or put ``over`` its zeros."""
        made, start = self._value(value), self.names.get(name)
        nothing = isinstance(start, Filled) and start.number == 0
        if over and not (nothing and _single(made)):
            return False
        if not _is_part(self.reader, made, self.place) or self.total is not None:
            return False
        if name in self.lists:
            return False
        if in_place and not (
            isinstance(start, Filled) or (isinstance(start, Plain) and start.fresh)
        ):
            return False
        if _uses(self.loop, name) != (1 if in_place else 2):
            return False
        assert isinstance(made, Outputs)
        self.total = (statement, made, name)
        return True

    def _appended(self, name: str, value: ast.expr) -> bool:
        """A list that was empty collects what each expert gives."""
        start, made = self.names.get(name), self._value(value)
        if not isinstance(start, Listed) or start.item is not EMPTY or name in self.lists:
            return False
        if not isinstance(made, Outputs) or made.place is not self.place:
            return False
        self.lists[name] = Listed(item=made, place=self.place)
        return True

    def _assigned(self, statement: ast.stmt) -> bool:
        """Names of the step are bound, which changes nothing that was bound before."""
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return False
        target = statement.targets[0]
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        if not all(isinstance(part, ast.Name) for part in parts):
            return False
        before = dict(self.bound)
        self.reader._effects(statement, self.bound)
        if any(self.bound.get(n) is not before[n] for n in before):
            return False
        given = self._value(statement.value)
        self.reader._bind(target, given, self.bound, statement)
        return True


def over_experts(reader: Reader, loop: ast.For, names: Names, around: object) -> bool:
    """Whether a loop is one of a step for each expert, as which it is then read."""
    bound = dict(names)
    place = reader.step(loop.target, loop.iter, bound)
    if loop.orelse or place is None:
        return False
    body = _Body(reader, loop, names, place, bound, place.chosen)
    if not body.read() or (body.total is not None and body.skips and not body.sparse):
        return False
    own = {n.id for n in everything_in(loop)
           if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}  # fmt: skip
    names.update({name: Plain() for name in own})
    for name, collected in body.lists.items():
        reader.starts[collected] = names[name]
        names[name] = collected
        reader.made[collected] = loop
    if body.total is not None:
        statement, made, total = body.total
        mixture = Mixture(None, made.layout, made.tokens, made.of, place, made.routing, around,
                          None, composed=made.composed, skips=body.skips,
                          sparse=body.sparse)  # fmt: skip
        # what names meant before the loop, and still do
        there = {n: t for n, t in names.items() if n not in own or n == total}
        reader.found.append(Found(mixture, loop, loop, there, around, statement))
        names[total] = Plain(fresh=True)
    return True


def _is_part(reader: Reader, made: Thing, place: Place) -> bool:
    """One expert's share of the sum, laid out as the tokens are."""
    return (
        isinstance(made, Outputs)
        and not isinstance(made, Mixture)
        and made.place is place
        and made.routing is not None
        and made.layout == reader.tokens
    )


def _uses(loop: ast.For, name: str) -> int:
    """How often a loop names an array, but for its dtype, device or shape."""
    about = {
        node.value for node in everything_in(loop)
        if isinstance(node, ast.Attribute) and node.attr in ("dtype", "device", "shape")
    }  # fmt: skip
    return sum(
        isinstance(node, ast.Name) and node.id == name and node not in about
        for node in everything_in(loop)
    )


def _counted(node: ast.expr) -> tuple[ast.expr, bool]:
    """What ``rows.numel()``, ``rows.shape[0]``, ``len(rows)`` count, which are places, and what
    ``mask.any()`` and ``mask.sum()`` do, which are not."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in ("numel", "size") and len(node.args) <= 1:
            return node.func.value, True
        if node.func.attr in ("any", "sum") and not node.args:
            return node.func.value, False
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
        return node.args[0] if node.args else node, True
    if isinstance(node, ast.Subscript) and constant(node.slice) == 0:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            return node.value.value, True
    return node, False


def puts(statement: ast.stmt) -> tuple[str, ast.expr, ast.expr, bool] | None:
    """``out.index_add_(0, rows, e)``, ``out[rows] += e``, and ``out[rows] = e``, which is added to
    zeros: the name, the rows, what is added, and whether rows that occur twice are added twice."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        named = isinstance(call.func.value, ast.Name) and not call.keywords
        if call.func.attr == "index_add_" and named and len(call.args) == 3:
            assert isinstance(call.func.value, ast.Name)
            if constant(call.args[0]) == 0:
                return call.func.value.id, call.args[1], call.args[2], True
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        target = statement.target
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            return target.value.id, target.slice, statement.value, False
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        (place,) = statement.targets
        if isinstance(place, ast.Subscript) and isinstance(place.value, ast.Name):
            return place.value.id, place.slice, statement.value, False
    return None


def _adds(statement: ast.stmt) -> tuple[str, ast.expr, bool] | None:
    """``out = out + e``, ``out += e``: the name, what is added, and whether in place."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        if isinstance(statement.target, ast.Name):
            return statement.target.id, statement.value, True
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
        if isinstance(target, ast.Name) and isinstance(value, ast.BinOp):
            if isinstance(value.op, ast.Add):
                for one, other in ((value.left, value.right), (value.right, value.left)):
                    if isinstance(one, ast.Name) and one.id == target.id:
                        return target.id, other, False
    return None


def _puts_over(module: Module, statement: ast.stmt) -> tuple[str, ast.expr, bool] | None:
    """``out = torch.where(mask, e, out)``: the name, and where it is not zero the same sum as
    ``out + mask * e``, if no token is masked twice."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    (target,), call = statement.targets, statement.value
    if not isinstance(call, ast.Call) or path_of(module, call.func) != "torch.where":
        return None
    if len(call.args) != 3 or call.keywords or not isinstance(target, ast.Name):
        return None
    mask, made, kept = call.args
    if not isinstance(kept, ast.Name) or kept.id != target.id:
        return None
    return target.id, ast.BinOp(mask, ast.Mult(), made), False


def _single(made: Thing) -> bool:
    """Whether what an expert gives is that of tokens that have no other."""
    routing = made.routing if isinstance(made, Outputs) else None
    return routing is not None and routing.places.single and not (routing.weights or routing.gate)


def _appends(statement: ast.stmt) -> tuple[str, ast.expr] | None:
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        if call.func.attr == "append" and isinstance(call.func.value, ast.Name):
            if len(call.args) == 1:
                return call.func.value.id, call.args[0]
    return None
