"""Lists of modules that an object holds: how many there are, and what the constructor makes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.lift.module import ClassScope, Module
from auditor.syntax import constant, path_of
from auditor.tree import everything_in

_LISTS = ("torch.nn.ModuleList",)


@dataclass(frozen=True)
class Layers:
    """The modules of ``self.<attribute>``; ``count`` is the text of how many there are."""

    attribute: str
    count: str | None
    made: tuple[ast.expr, ...]


class Holder:
    """The class whose method holds and calls the modules."""

    def __init__(self, module: Module, klass: ClassScope) -> None:
        self.module, self.klass = module, klass
        self.maker = klass.methods.get("__init__")

    def set_by(self, attribute: str) -> list[ast.expr]:
        """What the constructor sets an attribute to."""
        return list(_set(self.maker, attribute))

    def settled(self, attribute: str) -> bool:
        """Whether nothing but the constructor sets it."""
        return not self.module.settings.replaced(self.klass.node, attribute, "__init__")

    def layers(self, attribute: str) -> Layers | None:
        """The list of modules that an attribute holds, None where it is none."""
        given = self.set_by(attribute)
        if len(given) != 1 or not isinstance(given[0], ast.Call) or not self.settled(attribute):
            return None
        if self._handled(attribute):
            return None
        call = given[0]
        if path_of(self.module, call.func) not in _LISTS or call.keywords or len(call.args) > 1:
            return None
        items = call.args[0] if call.args else ast.List(elts=[])
        if isinstance(items, ast.List) and not items.elts:
            return self._appended(attribute)
        if isinstance(items, (ast.ListComp, ast.GeneratorExp)) and len(items.generators) == 1:
            (each,) = items.generators
            if each.ifs or not isinstance(each.iter, ast.Call) or _told(items.elt, each.target):
                return None
            return Layers(attribute, self._counted(each.iter), (items.elt,))
        if isinstance(items, (ast.List, ast.Tuple)) and items.elts:
            if any(isinstance(item, ast.Starred) for item in items.elts):
                return None
            return Layers(attribute, str(len(items.elts)), tuple(items.elts))
        return Layers(attribute, None, (items,))  # modules that were given, of whatever kind

    def _handled(self, attribute: str) -> bool:
        """Whether the constructor does more with the list than putting modules behind each other
        and counting them: others may be in it then, or they may be changed."""
        inside = everything_in(self.maker) if self.maker is not None else []
        appended = {
            node.value.func.value for node in inside  # type: ignore[attr-defined]
            if _appends(node, attribute)
        }  # fmt: skip
        counted = {
            node.args[0] for node in inside
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            and node.func.id == "len" and len(node.args) == 1
        }  # fmt: skip
        read = [node for node in inside if is_own(node, attribute)]
        mine = [node for node in read if isinstance(getattr(node, "ctx", None), ast.Load)]
        made = self.set_by(attribute)
        filled = bool(made and isinstance(made[0], ast.Call) and made[0].args
                      and not isinstance(made[0].args[0], ast.List))  # fmt: skip
        return any(node not in counted and (filled or node not in appended) for node in mine)

    def _appended(self, attribute: str) -> Layers | None:
        """Modules that are put one behind the other by a loop of the constructor."""
        if self.maker is None:
            return None
        for loop in self.maker.body:
            if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Call):
                continue
            for inner in loop.body:
                if _appends(inner, attribute):
                    assert isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Call)
                    once = sum(_appends(n, attribute) for n in everything_in(self.maker)) == 1
                    count = self._counted(loop.iter)
                    item = inner.value.args[0]
                    alike = not _told(item, loop.target, *loop.body)
                    return Layers(attribute, count, (item,)) if once and alike else None
        return None

    def _counted(self, walked: ast.expr) -> str | None:
        called = isinstance(walked, ast.Call) and isinstance(walked.func, ast.Name)
        if not called or walked.func.id != "range" or len(walked.args) != 1:  # type: ignore[attr-defined]
            return None
        return self.number(walked.args[0])  # type: ignore[attr-defined]

    def number(self, node: ast.expr) -> str | None:
        """The text of a number in terms of what the constructor was given."""
        if isinstance(node, ast.Constant):
            return repr(node.value)
        if isinstance(node, ast.Name):
            return node.id if node.id in self._given() else None
        if not isinstance(node, ast.Attribute):
            return None
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            given = self.set_by(node.attr)
            if len(given) == 1 and self.settled(node.attr):
                return self.number(given[0])
            return None
        base = self.number(node.value)
        return None if base is None else f"{base}.{node.attr}"

    def _given(self) -> frozenset[str]:
        """The constructor's parameters that it does not bind to something else."""
        if self.maker is None:
            return frozenset()
        args = self.maker.args
        names = {arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
        stored = {n.id for n in everything_in(self.maker)
                  if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}  # fmt: skip
        return frozenset(names - stored)


def _set(maker: ast.FunctionDef | None, attribute: str) -> Iterator[ast.expr]:
    for node in everything_in(maker) if maker is not None else ():
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if is_own(target, attribute):
                    yield node.value
                elif isinstance(target, ast.Tuple) and any(
                    is_own(part, attribute) for part in target.elts
                ):
                    yield from _part(target, node.value, attribute)


def _part(target: ast.Tuple, value: ast.expr, attribute: str) -> Iterator[ast.expr]:
    """``self.a, self.b = b, c``: what one of them is set to; the whole where it is taken apart."""
    if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
        for part, given in zip(target.elts, value.elts, strict=True):
            if is_own(part, attribute):
                yield given
    else:
        yield ast.Starred(value=value, ctx=ast.Load())


def is_own(node: ast.AST, attribute: str) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == attribute
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )


def _told(item: ast.expr, *steps: ast.AST) -> bool:
    """Whether what is made at a step depends on which step it is: modules of several widths may
    give results of several shapes."""
    bound = {
        node.id for step in steps for node in everything_in(step)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }  # fmt: skip
    return any(isinstance(n, ast.Name) and n.id in bound for n in everything_in(item))


def _appends(node: ast.AST, attribute: str) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "append"
        and is_own(call.func.value, attribute)
        and len(call.args) == 1
    )
