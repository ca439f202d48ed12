"""Attributes that a file sets, and on what: whether a method or a part of an object is sure to be
the one that its class says."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from auditor.lift.bound import bound_in
from auditor.lift.filled import Filling
from auditor.lift.moved import moves
from auditor.lift.remade import MADE_WITH, remade
from auditor.tree import descendants, every_statement, everything_in, statements_in

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Setting:
    """A place that sets an attribute: on ``self`` in a method of ``klass``, else on anything."""

    klass: ast.ClassDef | None = None
    method: str = ""


@dataclass
class Settings:
    """What a file sets on objects, and which of its classes derive from which."""

    tree: ast.Module
    text: str
    libraries: frozenset[str]
    _heirs: dict[ast.ClassDef, frozenset[ast.ClassDef]] = field(default_factory=dict)
    _families: dict[ast.ClassDef, frozenset[ast.ClassDef]] = field(default_factory=dict)
    _bodies: dict[ast.ClassDef, Counter[str]] = field(default_factory=dict)
    _filled: dict[ast.ClassDef, set[str]] = field(default_factory=dict)

    def replaced(self, klass: ast.ClassDef, name: str, method: str = "") -> bool:
        """Whether something may set the attribute on an object of ``klass``, but for ``method`` of
        the class itself."""
        if name in self._in_calls:
            return True
        places = [*self._places.get(name, ())]
        places += [place for pattern, place in self._computed if pattern.fullmatch(name)]
        if not places:
            return False
        klass = self._own(klass)
        kin = self._kin(klass)
        return any(
            place.klass is None
            or (place.klass is klass and place.method != method)
            or place.klass in kin
            for place in places
        )

    def remade(self, name: str, looked_up: Iterable[str]) -> bool:
        """Whether something may set what the layer that is an attribute of this name looks up."""
        known = self._remade.get(name, set()) | self._remade.get("*", set())
        return not known.isdisjoint(looked_up)

    @cached_property
    def _remade(self) -> dict[str, set[str]]:
        by_name = MADE_WITH & self._in_calls
        if not by_name and MADE_WITH.isdisjoint(self._places):
            return {}
        statements = every_statement(self.tree.body)
        found = remade(self.tree, [target for node in statements for target in targets_of(node)])
        found.setdefault("*", set()).update(by_name)
        return found

    def filled(self, klass: ast.ClassDef) -> set[str]:
        """The attributes of objects that code outside of ``klass`` may write into:
        ``model.layer.bias.data.mul_(2)``."""
        klass = self._own(klass)
        if klass not in self._filled:
            self._filled[klass] = self._filled_outside(klass)
        return self._filled[klass]

    def _filled_outside(self, klass: ast.ClassDef) -> set[str]:
        kin = self._kin(klass)
        found: set[str] = set()
        for owner, filling in self._fillings:
            if owner is not klass:
                found |= filling.attributes if owner in kin else filling.of_others
        return found

    @cached_property
    def _fillings(self) -> list[tuple[ast.ClassDef | None, Filling]]:
        """What writes into arrays: functions and statements, with the class that has them."""
        found: list[tuple[ast.ClassDef | None, Filling]] = []
        waiting: list[tuple[ast.ClassDef | None, ast.stmt]] = [(None, s) for s in self.tree.body]
        for owner, statement in waiting:  # grows while it is walked
            if isinstance(statement, ast.ClassDef):
                waiting += [(statement, inner) for inner in statement.body]
            else:
                found.append((owner, Filling.of(statement)))
        return [(owner, filling) for owner, filling in found if filling.written]

    def overridden(self, klass: ast.ClassDef, name: str) -> bool:
        """Whether a class that derives from ``klass`` binds the name."""
        return any(name in self._body(heir) for heir in self.heirs(klass))

    def computed(self, klass: ast.ClassDef, name: str) -> bool:
        """Whether asking an object of ``klass`` for the attribute may run code of the file: a
        property of a class of its family, or one that answers for attributes that are not set."""
        if not self._hooked and name not in self._properties:
            return False
        klass = self._own(klass)
        family = {klass} | self._kin(klass)
        if not family.isdisjoint(self._properties.get(name, ())):
            return True
        answers = any("__getattr__" in self._body(one) for one in family)
        bound = name in self._places or any(name in self._body(one) for one in family)
        return (answers and not bound) or any("__getattribute__" in self._body(c) for c in family)

    @cached_property
    def _hooked(self) -> bool:
        return "__getattr" in self.text

    @cached_property
    def _properties(self) -> dict[str, set[ast.ClassDef]]:
        """The classes whose bodies decorate a function, by its name."""
        found: dict[str, set[ast.ClassDef]] = {}
        for klass in self._classes:
            for node in klass.body:
                if isinstance(node, _FUNCTIONS) and node.decorator_list:
                    found.setdefault(node.name, set()).add(klass)
        return found

    def in_classes(self, name: str) -> bool:
        """Whether the body of some class binds the name."""
        return any(name in self._body(klass) for klass in self._classes)

    def binds_once(self, klass: ast.ClassDef, name: str) -> bool:
        return self._body(self._own(klass))[name] == 1

    def _own(self, klass: ast.ClassDef) -> ast.ClassDef:
        """The class in this tree: in a plainer spelling of the file it is another node."""
        if klass in self._classes:
            return klass
        same = (c for c in self._classes if (c.name, c.lineno) == (klass.name, klass.lineno))
        return next(same, klass)

    def heirs(self, klass: ast.ClassDef) -> frozenset[ast.ClassDef]:
        """The classes of the file that may derive from ``klass``."""
        klass = self._own(klass)
        if klass not in self._heirs:
            found = set(self._derived[None])
            waiting = [klass, *found]
            while waiting:
                more = set(self._derived.get(waiting.pop().name, ())) - found
                found |= more
                waiting += more
            self._heirs[klass] = frozenset(found - {klass})
        return self._heirs[klass]

    def family(self, klass: ast.ClassDef) -> frozenset[ast.ClassDef]:
        """``klass`` and the others that may have a part in an object of it."""
        klass = self._own(klass)
        return self._kin(klass) | {klass}

    def _kin(self, klass: ast.ClassDef) -> frozenset[ast.ClassDef]:
        """The classes of the file that may have a part in an object of ``klass`` or of a class that
        derives from it."""
        if klass not in self._families:
            every = {klass, *self.heirs(klass)}
            above = frozenset().union(*map(self._forebears, every))
            self._families[klass] = (above | every) - {klass}
        return self._families[klass]

    def _forebears(self, klass: ast.ClassDef) -> frozenset[ast.ClassDef]:
        return frozenset(other for other in self._classes if klass in self.heirs(other))

    @cached_property
    def _derived(self) -> dict[str | None, list[ast.ClassDef]]:
        """The classes that may derive from one of a name; under None those that may derive from any
        class: a base is neither a class of the file nor of a library."""
        known = {other.name for other in self._classes} | self.libraries
        found: dict[str | None, list[ast.ClassDef]] = {None: []}
        for klass in self._classes:
            for base in klass.bases:
                inner = base.value if isinstance(base, ast.Subscript) else base
                root = inner
                while isinstance(root, ast.Attribute):
                    root = root.value
                if not isinstance(root, ast.Name) or root.id not in known:
                    found[None].append(klass)
                    continue
                found.setdefault(root.id, []).append(klass)
                if isinstance(inner, ast.Attribute):
                    found.setdefault(inner.attr, []).append(klass)
        return found

    @cached_property
    def _classes(self) -> dict[ast.ClassDef, None]:
        """Every class of the file."""
        every = every_statement(self.tree.body)
        return {node: None for node in every if isinstance(node, ast.ClassDef)}

    def _body(self, klass: ast.ClassDef) -> Counter[str]:
        """How often the body of a class of the file binds each name."""
        if klass not in self._classes:
            return Counter()
        if klass not in self._bodies:
            self._bodies[klass] = Counter(bound.name for bound in bound_in(klass.body))
        return self._bodies[klass]

    @cached_property
    def _places(self) -> dict[str, list[Setting]]:
        found: dict[str, list[Setting]] = {}
        for name, place in _stores(self.tree.body, None, "", ""):
            found.setdefault(name, []).append(place)
        return found

    @cached_property
    def _computed(self) -> list[tuple[re.Pattern[str], Setting]]:
        """The places that set attributes of which they compute the names: ``setattr(model, name,
        value)``, ``self.__dict__.update(given)``, each with what the names may be."""
        if not any(word in self.text for word in ("setattr(", "__dict__", "vars(")):
            return []
        return list(_by_computed_names(self.tree.body, None))

    @cached_property
    def _in_calls(self) -> frozenset[str]:
        """The attributes that calls like ``setattr(model, "step", other)`` may set."""
        words = ("setattr", "patch", "register_", "add_module", *_HOLDING)
        if not any(word in self.text for word in words):
            return frozenset()
        return frozenset(_named_in_calls(self.tree))


def _stores(
    body: list[ast.stmt], klass: ast.ClassDef | None, method: str, this: str
) -> Iterator[tuple[str, Setting]]:
    """The attributes that statements set; ``this`` is what a method calls its object."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _stores(node.body, node, "", "")
            continue
        if isinstance(node, _FUNCTIONS):
            given = [*node.args.posonlyargs, *node.args.args]
            first = given[0].arg if given else ""
            if klass is not None and not method:
                yield from _stores(node.body, klass, node.name, first)
            else:
                inner = "" if any(arg.arg == this for arg in given) else this
                yield from _stores(node.body, klass, f"{method}.{node.name}", inner)
            continue
        for target in () if moves(node) else targets_of(node):
            for part in () if isinstance(target, ast.Name) else everything_in(target):
                if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load):
                    own = isinstance(part.value, ast.Name) and part.value.id == this
                    yield part.attr, Setting(klass, method) if own and this else Setting()
        inside = statements_in(node)
        if inside:
            yield from _stores(inside, klass, method, this)


def targets_of(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, (ast.Assign, ast.Delete)):
        return node.targets
    if isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor)):
        return [node.target]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [item.optional_vars for item in node.items if item.optional_vars is not None]
    return []


def _by_computed_names(
    body: list[ast.stmt], klass: ast.ClassDef | None
) -> Iterator[tuple[re.Pattern[str], Setting]]:
    """What the names may be that statements compute of attributes that they set, with the class
    whose methods do that to their own object."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _by_computed_names(node.body, node)
            continue
        given: list[ast.arg] = []
        if isinstance(node, _FUNCTIONS) and klass is not None:
            given = [*node.args.posonlyargs, *node.args.args][:1]
        for inner in descendants(node):
            found = _sets(inner)
            if found is not None:
                held, named = found
                mine = isinstance(held, ast.Name) and held.id in (arg.arg for arg in given)
                yield _pattern(named), Setting(klass, "by name") if mine else Setting()


def _sets(node: ast.AST) -> tuple[ast.expr, ast.expr | None] | None:
    """The object of which a call or an assignment sets an attribute whose name is computed, and
    that name, None where it may be several."""
    if isinstance(node, ast.Call):
        function = node.func
        named = function.id if isinstance(function, ast.Name) else ""
        if named == "setattr" and len(node.args) > 1:
            first, second = node.args[:2]
            return None if isinstance(second, ast.Constant) else (first, second)
        if isinstance(function, ast.Attribute) and function.attr == "update":
            held = _held_by(function.value)
            return None if held is None else (held, None)
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        held = _held_by(node.value)
        if held is not None and not isinstance(node.slice, ast.Constant):
            return held, node.slice
    return None


def _held_by(node: ast.expr) -> ast.expr | None:
    """The object of ``self.__dict__`` and ``vars(self)``."""
    if isinstance(node, ast.Call):
        names = isinstance(node.func, ast.Name) and node.func.id == "vars"
        return node.args[0] if names and node.args else None
    return node.value if isinstance(node, ast.Attribute) and node.attr == "__dict__" else None


def _pattern(named: ast.expr | None) -> re.Pattern[str]:
    """What a name may be: ``f"{kind}_scale"`` ends with what it says."""
    parts = named.values if isinstance(named, ast.JoinedStr) else [named]
    said = (
        re.escape(part.value)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
        else ".*"
        for part in parts
    )
    return re.compile("".join(said))


def _named_in_calls(tree: ast.Module) -> Iterator[str]:
    """The names of attributes that calls like ``setattr(model, "step", other)`` are given, and
    those that ``model.register_buffer("bias", other)`` and ``model._buffers["bias"]`` set."""
    for node in descendants(tree):
        if isinstance(node, ast.Call) and len(node.args) > 1:
            first, second, function = node.args[0], node.args[1], node.func
            asks = isinstance(function, ast.Name) and function.id in ("getattr", "hasattr")
            if isinstance(second, ast.Constant) and isinstance(second.value, str) and not asks:
                yield second.value
            if isinstance(function, ast.Attribute) and function.attr in _REGISTERING:
                own = isinstance(function.value, ast.Name) and function.value.id == "self"
                if isinstance(first, ast.Constant) and isinstance(first.value, str) and not own:
                    yield first.value
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            held = node.value.attr if isinstance(node.value, ast.Attribute) else ""
            if held in _HOLDING and isinstance(node.slice, ast.Constant):
                yield str(node.slice.value)


_REGISTERING = ("register_buffer", "register_parameter", "register_module", "add_module")
_HOLDING = ("_buffers", "_parameters", "_modules", "__dict__")
