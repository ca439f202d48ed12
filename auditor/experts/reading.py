"""Reads a method statement by statement for a sum, over all experts, of what each gives for the
tokens times a gate that is zero where a token did not choose the expert.

Names are followed from value to value. What is written in place is followed where it is an array
that the method has just made; after any other write in place nothing is known any more.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from auditor.experts.found import Found, Names, Product
from auditor.experts.layers import Holder, Layers
from auditor.experts.operations import Operations
from auditor.experts.over_experts import over_experts
from auditor.experts.over_tokens import over_tokens
from auditor.experts.values import (
    Alone,
    Count,
    Expert,
    Experts,
    Filled,
    Gate,
    Gathered,
    Hit,
    Key,
    Keyed,
    Last,
    Layout,
    Listed,
    Mixture,
    Outputs,
    Pair,
    Place,
    Places,
    Plain,
    Rows,
    Size,
    Slot,
    Slots,
    Thing,
)
from auditor.lift.module import Module
from auditor.syntax import changes_gradients, owner, path_of
from auditor.tree import everything_in


@dataclass
class Reader:
    """``rank`` is how many axes the tokens have besides the features, None where that must not
    matter."""

    module: Module
    holder: Holder | None
    held: dict[str, Layers]
    """The lists and dictionaries of modules."""
    rank: int | None
    found: list[Found] = field(default_factory=list)
    products: list[Product] = field(default_factory=list)
    made: dict[Thing, ast.stmt] = field(default_factory=dict)
    read_as: dict[ast.Name, Thing] = field(default_factory=dict)
    supposed: dict[Thing, Places] = field(default_factory=dict)
    """What is compared with an expert's number must be the places of the tokens."""
    around: object = None
    masks: dict[tuple[Thing, Thing], Hit] = field(default_factory=dict)
    """Which tokens chose an expert, one by one, by places and expert."""
    picks: dict[tuple[Places, Slot | None], Place] = field(default_factory=dict)
    starts: dict[Thing, Thing] = field(default_factory=dict)
    """The empty lists that were filled."""

    def read(self, method: ast.FunctionDef) -> list[Found]:
        args = method.args
        names: Names = {
            arg.arg: Plain() for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)
        }
        self._block(method.body, names, method)
        return self.found

    # -- statements

    def _block(self, body: list[ast.stmt], names: Names, around: object) -> None:
        self.around = around
        for statement in body:
            self._statement(statement, names, around)

    def _statement(self, statement: ast.stmt, names: Names, around: object) -> None:
        if isinstance(statement, ast.For) and (
            over_experts(self, statement, names, around)
            or over_tokens(self, statement, names, around)
        ):
            return
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            before = dict(names)
            self._block(statement.body, names, statement)
            self.around = around
            if any(changes_gradients(item.context_expr) for item in statement.items):
                names.update(
                    {name: Plain() for name, thing in names.items()
                     if before.get(name) is not thing and not _without_gradient(thing)}
                )  # fmt: skip
            return
        inside = [getattr(statement, part, []) for part in ("body", "orelse", "finalbody")]
        inside += [handler.body for handler in getattr(statement, "handlers", [])]
        if any(inside):
            self._apart(statement, inside, names)
            self.around = around
            return
        self._effects(statement, names)
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            value = self._value(statement.value, names, statement, around)
            for target in targets:
                self._bind(target, value, names, statement)
        elif isinstance(statement, ast.AugAssign):
            self._value(statement.value, names, statement, around)
            self._augmented(statement, names)
        elif isinstance(statement, (ast.Return, ast.Expr)) and statement.value is not None:
            self._value(statement.value, names, statement, around)

    def _apart(self, statement: ast.stmt, inside: list[list[ast.stmt]], names: Names) -> None:
        """Blocks that may run, or several times: what they bind is not known before or after."""
        loops = isinstance(statement, (ast.For, ast.AsyncFor, ast.While))
        stored = {node.id for node in everything_in(statement)
                  if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}  # fmt: skip
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names[statement.name] = Plain()
            return
        if loops:
            names.update({name: Plain() for name in stored})
            for name in set(_written(statement)) & names.keys():
                held = names[name]  # at the second step no longer what it was
                own = isinstance(held, Filled) or (isinstance(held, Plain) and held.fresh)
                names[name] = Plain(fresh=own)
        for block in inside:
            copied = dict(names)
            self._block(block, copied, statement)
            if any(copied.get(name) is not names[name] for name in names if name not in stored):
                names.update({name: Plain() for name in names})  # something was written in place
        names.update({name: Plain() for name in stored})

    def _bind(self, target: ast.expr, value: Thing, names: Names, statement: ast.stmt) -> None:
        if isinstance(target, ast.Name):
            names[target.id] = value
            self.made.setdefault(value, statement)
        elif isinstance(target, (ast.Tuple, ast.List)):
            parts: list[Thing] = [Plain() for _ in target.elts]
            if isinstance(value, Pair) and len(parts) == 2:
                parts = [value.values, value.places]
            if isinstance(value, Alone) and len(parts) == 1 and not value.column:
                parts = [value.item]
            if parts and _is_shape(value.node):
                assert value.node is not None
                parts = [Plain(ast.Subscript(value.node, ast.Constant(at), ast.Load()))
                         for at in range(len(parts))]  # fmt: skip
                parts[-1] = Size(value.node)
            for part, found in zip(target.elts, parts, strict=True):
                self._bind(part, found, names, statement)
        elif isinstance(target, ast.Subscript) and not self._fills(target, statement, names):
            self._forget(names)

    def _fills(self, target: ast.Subscript, statement: ast.stmt, names: Names) -> bool:
        """``scores[scores < least] = -inf``: an array of the method's own with another one's name
        for it afterwards."""
        base = target.value
        held = names.get(base.id) if isinstance(base, ast.Name) else None
        if held is None or not isinstance(base, ast.Name) or not isinstance(statement, ast.Assign):
            return False
        alone = sum(thing is held for thing in names.values()) == 1
        views = any(name != base.id and _mentions(thing.node, base.id) and not _reduces(thing)
                    for name, thing in names.items())  # fmt: skip
        mask = Operations(self, names).value(target.slice)
        if not alone or views or not isinstance(mask, Gate) or not mask.turned:
            return False
        call = ast.Call(ast.Attribute(base, "masked_fill", ast.Load()),
                        [target.slice, statement.value], [])  # fmt: skip
        made = Operations(self, names).value(ast.copy_location(call, statement))
        if not isinstance(made, Gate):
            return False
        names[base.id] = replace(made, node=None, said=())
        return True

    def _augmented(self, statement: ast.AugAssign, names: Names) -> None:
        """``x *= y``: in place, unless it is a number."""
        target = statement.target
        held = names.get(target.id) if isinstance(target, ast.Name) else None
        if not isinstance(target, ast.Name) or held is None:
            self._forget(names)
            return
        views = [n for n, thing in names.items() if n != target.id
                 and (thing is held or _mentions(thing.node, target.id))]  # fmt: skip
        if isinstance(held, Plain) and held.fresh and not views:
            names[target.id] = Plain(fresh=True)
            return
        load = ast.Name(id=target.id, ctx=ast.Load())
        node = ast.BinOp(left=load, op=statement.op, right=statement.value)
        after = Operations(self, names).value(node)
        if isinstance(held, (Slots, Gate)) and type(after) is type(held) and _own_memory(held):
            names.update({name: Plain() for name in views})
            names[target.id] = replace(after, node=None)
            return
        self._forget(names)

    def _forget(self, names: Names) -> None:
        names.update({name: Plain() for name in names if not isinstance(names[name], Experts)})

    def _effects(self, statement: ast.stmt, names: Names) -> None:
        """What a statement may change in place besides what it binds."""
        for node in everything_in(statement):
            if not isinstance(node, ast.Call):
                continue
            function = node.func
            if any(word.arg == "out" for word in node.keywords):
                self._forget(names)
                return
            if isinstance(function, ast.Attribute) and _in_place(function.attr):
                if not self._known_write(node, function, names):
                    self._forget(names)
                    return
            elif not self._harmless(function, statement, names):
                given = [*node.args, *(word.value for word in node.keywords)]
                if any(isinstance(inner, ast.Name) and isinstance(names.get(inner.id), Thing)
                       for each in given for inner in everything_in(each)):  # fmt: skip
                    self._forget(names)
                    return

    def _known_write(self, node: ast.Call, function: ast.Attribute, names: Names) -> bool:
        """``zeros.scatter_(...)`` of an array that one name, or none, holds."""
        base = function.value
        if not isinstance(base, ast.Name):
            made = Operations(self, names).value(base)
            return isinstance(made, (Filled, Gate)) or (isinstance(made, Plain) and made.fresh)
        held = names.get(base.id)
        if not isinstance(held, (Filled, Gate)):
            return isinstance(held, Plain) and held.fresh
        if sum(thing is held for thing in names.values()) != 1:
            return False
        plain = ast.Attribute(value=base, attr=function.attr.rstrip("_"), ctx=ast.Load())
        call = ast.Call(func=plain, args=node.args, keywords=node.keywords)
        made = Operations(self, names).value(call)
        names[base.id] = made if isinstance(made, Gate) else Plain()
        return True

    def _harmless(self, function: ast.expr, statement: ast.stmt, names: Names) -> bool:
        """Whether a call leaves what it is given as it is. That of a list's modules is another
        question."""
        path = path_of(self.module, function)
        if path is not None:
            return path.startswith(("torch.", "einops.", "math.", "numpy.", "typing."))
        if isinstance(function, ast.Name):
            walked = any(isinstance(n, ast.Name) and n.id == function.id
                         for c in everything_in(statement) if isinstance(c, ast.comprehension)
                         for n in everything_in(c.target))  # fmt: skip
            if walked or isinstance(names.get(function.id), Expert):
                return True
            return function.id in _BUILTINS and function.id not in self.module.bound
        if not isinstance(function, ast.Attribute):
            return isinstance(function, ast.Subscript) and "inplace" not in self.module.text
        if isinstance(function.value, ast.Name) and function.value.id == "self":
            method = self.holder.klass.methods.get(function.attr) if self.holder else None
            if method is None:
                return "inplace" not in self.module.text
            return _WRITES.search(self.module.source(method)) is None
        name = owner(function.value)
        # a method of an array, or of a list; not of another object
        return name is None or (name in names and name != "self")

    # -- loops

    def step(self, target: ast.expr, walked: ast.expr, names: Names) -> Place | None:
        """Bind what one step for each expert is given; None where the steps are others."""
        called = ""
        if isinstance(walked, ast.Call) and isinstance(walked.func, ast.Name):
            called = "" if walked.func.id in self.module.bound else walked.func.id
        if called not in ("range", "enumerate", "zip"):
            return self._items([target], [walked], names)
        assert isinstance(walked, ast.Call)
        if walked.keywords:
            return None
        if called == "range":
            if len(walked.args) != 1 or not isinstance(target, ast.Name):
                return None
            place = self._steps(walked.args[0], names)
            if place is not None:
                names[target.id] = place
            return place
        if not isinstance(target, ast.Tuple):
            return None
        if called == "zip":
            return self._items(list(target.elts), list(walked.args), names)
        if len(walked.args) != 1 or len(target.elts) != 2:
            return None
        first, second = target.elts
        place = self.step(second, walked.args[0], names)
        if place is None or not isinstance(first, ast.Name):
            return None
        names[first.id] = place
        return place

    def _items(self, targets: list[ast.expr], walked: list[ast.expr], names: Names) -> Place | None:
        """The modules of a list, beside columns of gates."""
        held = [Operations(self, names).value(each) for each in walked]
        if len(targets) == 1 and isinstance(held[0], Count) and held[0].chosen:
            return self._chosen(targets[0], held[0].hit, names)
        if len(targets) == 1 and isinstance(held[0], Keyed):
            return _entries(targets[0], held[0], names)
        lists = [each for each in held if isinstance(each, Experts)]
        given = [each for each in held if isinstance(each, Listed) and _one_each(each)]
        if len(targets) != len(held) or len(given) > 1 or not (lists or given):
            return None
        place = given[0].place if given else Place(of=lists[0].attribute)
        if not all(self.covers(place, each.attribute) for each in lists):
            return None
        for target, each in zip(targets, held, strict=True):
            if not isinstance(target, ast.Name):
                return None
            if isinstance(each, Experts):
                names[target.id] = Expert(None, place, each.attribute)
            elif each in given and isinstance(each, Listed):
                names[target.id] = each.item
            elif isinstance(each, Listed) and isinstance(each.item, Gate):
                names[target.id] = replace(each.item, place=place)
            else:
                return None
        return place

    def _chosen(self, target: ast.expr, hit: Hit, names: Names) -> Place | None:
        """The numbers of the experts that some token chose, of as many as there may be."""
        if not isinstance(target, ast.Name) or hit.count is None or self.holder is None:
            return None
        count = self.holder.number(hit.count)
        if count is None:
            return None
        place = Place(count=count, chosen=True)
        names[target.id] = place
        return place

    def _steps(self, number: ast.expr, names: Names) -> Place | None:
        """The steps of a loop over so many numbers, where the number is that of some modules."""
        held = Operations(self, names).value(number)
        node = held.node if isinstance(held, Plain) else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            if node.func.id == "len" and len(node.args) == 1:
                inner = Operations(self, names).value(node.args[0])
                return Place(of=inner.attribute) if isinstance(inner, (Experts, Keyed)) else None
        if isinstance(node, ast.Attribute) and _own(node):
            count = self.holder.number(node) if self.holder is not None else None
            return None if count is None else Place(count=count)
        return None

    def counts(self, place: Place) -> str | None:
        """The text of how many steps ``place`` counts."""
        return place.count if place.of is None else self.held[place.of].count

    def picked(self, places: Places, at: Slot | None) -> Place:
        """The expert that the token of a step has at one of its places, the same for each read."""
        return self.picks.setdefault((places, at), Place(picked=places))

    def covers(self, place: Place, attribute: str) -> bool:
        """Whether the steps that ``place`` counts are those of all modules of a list, or one of
        them that is picked."""
        if place.picked is not None:
            return True
        count = self.held[attribute].count
        return place.of == attribute or (count is not None and count == self.counts(place))

    def mask(self, hit: Hit) -> Hit:
        """The same for all masks of the tokens that chose an expert: they go by token, where
        ``torch.where`` may go by place first."""
        assert hit.place is not None
        return self.masks.setdefault((hit.places, hit.place), hit)

    @property
    def tokens(self) -> Layout:
        return (*self.leading, "d")

    @property
    def leading(self) -> Layout:
        return ("T",) if self.rank is None else tuple(f"t{i}" for i in range(self.rank))

    # -- expressions

    def _value(self, node: ast.expr, names: Names, statement: ast.stmt, around: object) -> Thing:
        """What an expression of a statement is. The first in it that is the whole sum is found."""
        operations = Operations(self, names)
        value = operations.value(node)
        for inner, made in operations.seen.items():
            if isinstance(made, Gathered):
                self.products.append(Product(made, inner, statement, dict(names), around))
        for inner, made in operations.seen.items():
            if isinstance(made, Mixture) and made.layout == self.tokens:
                chain = tuple(self._chain(operations, inner, names))
                self.found.append(Found(made, inner, statement, dict(names), around, None, chain))
                break
        return value

    def _chain(self, operations: Operations, node: ast.expr, names: Names) -> Iterator[ast.stmt]:
        """The statements that made what the experts give, back from ``node``."""
        waiting, seen = [node], set[ast.stmt]()
        while waiting:
            for inner in everything_in(waiting.pop()):
                if not isinstance(inner, ast.Name) or not isinstance(inner.ctx, ast.Load):
                    continue
                thing = self.read_as.get(inner, names.get(inner.id))
                for made in (thing, self.starts.get(thing)) if thing is not None else ():
                    statement = None
                    if isinstance(made, (Outputs, Listed)):
                        statement = self.made.get(made)
                    if statement is not None and statement not in seen:
                        seen.add(statement)
                        yield statement
                        waiting.append(statement)  # type: ignore[arg-type]


_BUILTINS = frozenset(
    "len range enumerate zip print int float bool min max sum isinstance list tuple str abs".split()
)
_WRITES = re.compile(r"\w_\(|\]\s*[-+*/]?=(?!=)|[-+*/]=")


def _written(statement: ast.stmt) -> Iterator[str]:
    """The names of arrays that a statement writes into."""
    for node in everything_in(statement):
        held: ast.expr | None = None
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            held = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            held = node.func.value if _in_place(node.func.attr) else None
        name = None if held is None else owner(held)
        if name is not None:
            yield name


def _in_place(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__") and name != "requires_grad_"


def _mentions(node: ast.expr | None, name: str) -> bool:
    return node is not None and any(
        isinstance(inner, ast.Name) and inner.id == name for inner in everything_in(node)
    )


def _is_shape(node: ast.expr | None) -> bool:
    """``x.shape``, ``x.size()``."""
    if isinstance(node, ast.Call) and not node.args and isinstance(node.func, ast.Attribute):
        return node.func.attr == "size"
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def _own_memory(thing: Thing) -> bool:
    """Whether what made a value made a new array, and no view or the same one."""
    node = thing.node
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        return name in ("softmax", "sigmoid", "topk", "scatter", "scatter_", "where", "one_hot")
    return node is None or isinstance(node, ast.BinOp)  # a part of a top-k has none


def _own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _reduces(thing: Thing) -> bool:
    """Whether a value that an array was used for has memory of its own: the best of some scores."""
    return isinstance(thing, (Pair, Places, Slots, Last))


def _entries(target: ast.expr, walked: Keyed, names: Names) -> Place | None:
    """The keys of a dictionary of modules, or its keys and modules."""
    place = Place(of=walked.attribute)
    key, made = Key(None, place, walked.attribute), Expert(None, place, walked.attribute)
    given = target.elts if walked.items and isinstance(target, ast.Tuple) else [target]
    if len(given) != 1 + walked.items or not all(isinstance(each, ast.Name) for each in given):
        return None
    names.update(zip((n.id for n in given if isinstance(n, ast.Name)), (key, made), strict=False))
    return place


def _one_each(listed: Listed) -> bool:
    """Whether a list holds what each expert gives."""
    return isinstance(listed.item, Outputs) and listed.item.place is listed.place


def _without_gradient(thing: Thing) -> bool:
    """Whether something is made of whole numbers or truths alone, or of experts, of which a rewrite
    asks itself where they are called."""
    if isinstance(thing, Hit):
        return thing.weights is None
    return isinstance(thing, (Places, Rows, Alone, Count, Size, Outputs))
