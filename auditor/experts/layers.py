"""Lists and dictionaries of modules that an object holds: how many there are, and what the
constructor makes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.lift.module import ClassScope, Module
from auditor.syntax import constant, is_name, path_of
from auditor.tree import everything_in

_CHANGES = frozenset(
    "append extend insert add_module register_module update pop popitem clear setdefault"
    " __setitem__ __delitem__".split()
)
"""Methods of a list or dictionary of modules after which there are others in it."""
_LIST, _DICTIONARY = "torch.nn.ModuleList", "torch.nn.ModuleDict"


@dataclass(frozen=True)
class Keys:
    """The keys of a dictionary in order: what stands ``before`` and ``behind`` the number of each,
    or words of their own, where both are None."""

    before: str | None = None
    behind: str | None = None


@dataclass(frozen=True)
class Layers:
    """The modules of ``self.<attribute>``; ``count`` is the text of how many there are, ``keys``
    are those of a dictionary."""

    attribute: str
    count: str | None
    made: tuple[ast.expr, ...]
    keys: Keys | None = None


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
        """The list or dictionary of modules that an attribute holds, None where it is none."""
        given = self.set_by(attribute)
        if len(given) != 1 or not isinstance(given[0], ast.Call) or not self.settled(attribute):
            return None
        if self._handled(attribute) or self._refilled(attribute):
            return None
        call = given[0]
        path = path_of(self.module, call.func)
        if path not in (_LIST, _DICTIONARY) or call.keywords or len(call.args) > 1:
            return None
        if path == _DICTIONARY:
            return self._keyed(attribute, call)
        items = call.args[0] if call.args else ast.List(elts=[])
        if isinstance(items, ast.List) and not items.elts:
            return self._filled(attribute, False)
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

    def _keyed(self, attribute: str, call: ast.Call) -> Layers | None:
        items = call.args[0] if call.args else ast.Dict(keys=[], values=[])
        if isinstance(items, ast.Dict) and not items.keys:
            return self._filled(attribute, True)
        if isinstance(items, ast.Dict):
            words = [None if key is None else constant(key) for key in items.keys]
            if len(set(words)) < len(words) or not all(isinstance(word, str) for word in words):
                return None
            return Layers(attribute, str(len(words)), tuple(items.values), Keys())
        if not isinstance(items, ast.DictComp) or len(items.generators) != 1:
            return None
        (each,) = items.generators
        keys = numbered(items.key, each.target)
        if each.ifs or keys is None or _told(items.value, each.target):
            return None
        return Layers(attribute, self._counted(each.iter), (items.value,), keys)

    def _handled(self, attribute: str) -> bool:
        """Whether the constructor does more with the list than putting modules behind each other
        and counting them: others may be in it then, or they may be changed."""
        inside = everything_in(self.maker) if self.maker is not None else []
        put = [_put(node, attribute) for node in inside]
        appended = {each.into for each in put if each is not None}
        counted = {
            node.args[0] for node in inside
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            and node.func.id == "len" and len(node.args) == 1
        }  # fmt: skip
        read = [node for node in inside if is_own(node, attribute)]
        mine = [node for node in read if isinstance(getattr(node, "ctx", None), ast.Load)]
        made = self.set_by(attribute)
        filled = bool(made and isinstance(made[0], ast.Call) and made[0].args
                      and not isinstance(made[0].args[0], (ast.List, ast.Dict)))  # fmt: skip
        return any(node not in counted and (filled or node not in appended) for node in mine)

    def _refilled(self, attribute: str) -> bool:
        """Whether the file puts other modules into it, or takes some out, after it was made."""
        module = self.module
        found = module.once.setdefault("modules changed", {}) or _changed(module)
        module.once["modules changed"] = found
        family = module.settings.family(self.klass.node)
        made = set(everything_in(self.maker)) if self.maker is not None else set()
        return any(
            held not in made and (owner is None or owner in family)
            for held, owner in found.get(attribute, [])
        )

    def _filled(self, attribute: str, keyed: bool) -> Layers | None:
        """Modules that are put one behind the other by a loop of the constructor."""
        inside = everything_in(self.maker) if self.maker is not None else []
        if self.maker is None or sum(_put(n, attribute) is not None for n in inside) != 1:
            return None
        for loop in self.maker.body:
            if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Call):
                continue
            for put in (_put(inner, attribute) for inner in loop.body):
                if put is None:
                    continue
                keys = None if put.key is None else numbered(put.key, loop.target)
                if _told(put.item, loop.target, *loop.body) or keyed is not (keys is not None):
                    return None
                return Layers(attribute, self._counted(loop.iter), (put.item,), keys)
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


def _changed(module: Module) -> dict[str, list[tuple[ast.expr, ast.ClassDef | None]]]:
    """Where the file changes the items of attributes, by their names; with the class, where it is
    the object's own."""
    found: dict[str, list[tuple[ast.expr, ast.ClassDef | None]]] = {"": []}
    own = set[ast.AST]()
    for klass in (*(scope.node for scope in module.classes.values()), None):
        for node in everything_in(klass or module.tree):
            held = _changes(node)
            if not isinstance(held, ast.Attribute) or held in own:
                continue
            if klass is None or is_own(held, held.attr):
                own.add(held)
                found.setdefault(held.attr, []).append((held, klass))
    return found


def _changes(node: ast.AST) -> ast.expr | None:
    """The list or dictionary whose items a part of a statement changes."""
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return node.value
    if isinstance(node, ast.AugAssign):
        return node.target
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.value if node.func.attr in _CHANGES else None
    return None


@dataclass(frozen=True)
class _Put:
    """An item that is put ``into`` a list, or a dictionary under a ``key``."""

    item: ast.expr
    into: ast.expr
    key: ast.expr | None = None


def _put(node: ast.AST, attribute: str) -> _Put | None:
    """``self.experts.append(e)``, ``self.experts[key] = e``."""
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        appends = call.func.attr == "append" and is_own(call.func.value, attribute)
        return _Put(call.args[0], call.func.value) if appends and len(call.args) == 1 else None
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        (target,) = node.targets
        if isinstance(target, ast.Subscript) and is_own(target.value, attribute):
            return _Put(node.value, target.value, target.slice)
    return None


def numbered(key: ast.expr, number: ast.expr) -> Keys | None:
    """The keys that ``f"expert_{number}"`` or ``str(number)`` is one of."""
    if not isinstance(number, ast.Name):
        return None
    if isinstance(key, ast.Call) and is_name(key.func, "str") and len(key.args) == 1:
        return Keys("", "") if is_name(key.args[0], number.id) and not key.keywords else None
    if not isinstance(key, ast.JoinedStr):
        return None
    texts = [""]
    for part in key.values:
        if isinstance(part, ast.Constant):
            texts[-1] += str(part.value)
            continue
        assert isinstance(part, ast.FormattedValue)
        plain = is_name(part.value, number.id) and part.conversion == -1
        if not plain or part.format_spec is not None:
            return None
        texts.append("")
    return Keys(*texts) if len(texts) == 2 else None
