"""Values kept together, as one name each: a tuple, a list of few items, a dict with literal keys, a
named tuple, a dataclass that a loop reads and binds field by field.

``out["h"].append(h)`` appends to ``out_h``, ``state = State(m, v)`` binds ``state_m`` and
``state_v``. Where the whole is used after the loop it is put together there; one that can be
changed only if nothing happens to it afterwards, since it is another object then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from auditor.lift.module import Module
from auditor.plain.text import Written, loads_in, name, swap
from auditor.syntax import path_of
from auditor.tree import descendants, replaced
from auditor.verdict import Edit

Key = str | int


@dataclass
class _Form:
    """How the parts are put together: ``text`` of the whole from those of its parts."""

    keys: tuple[Key, ...]
    kind: str
    made: str = ""

    @property
    def fixed(self) -> bool:
        """Whether the whole cannot be changed."""
        return self.kind in ("tuple", "named")

    def whole(self, parts: list[str]) -> str:
        if self.kind == "tuple":
            return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        if self.kind == "list":
            return f"[{', '.join(parts)}]"
        if self.kind == "dict":
            pairs = zip(self.keys, parts, strict=True)
            return "{" + ", ".join(f"{key!r}: {part}" for key, part in pairs) + "}"
        pairs = zip(self.keys, parts, strict=True)
        return f"{self.made}({', '.join(f'{key}={part}' for key, part in pairs)})"


class _NotPlain(Exception):
    """The value is used in a way that needs the whole."""


def records(written: Written) -> Iterator[list[Edit]]:
    """One after the other, each value of the function whose parts may be names."""
    loops = [n for n in written.nodes if isinstance(n, (ast.For, ast.While))]
    inside = {id(inner) for loop in loops for inner in descendants(loop)}
    for word in sorted(n for n in written.stored if not n.startswith("__")):
        uses = written.names.get(word, [])
        if not any(id(use) in inside for use in uses):
            continue
        try:
            yield _Parted(written, word, uses, inside).edits()
        except _NotPlain:
            continue


@dataclass
class _Parted:
    """The parts of one value as names."""

    written: Written
    word: str
    uses: list[ast.Name]
    inside: set[int]
    form: _Form | None = None
    names: dict[Key, str] = field(default_factory=dict)
    found: list[Edit] = field(default_factory=list)

    def edits(self) -> list[Edit]:
        written, parents = self.written, self.written.parents
        if self.word in written.arguments:
            raise _NotPlain
        stores = [use for use in self.uses if isinstance(use.ctx, ast.Store)]
        if not stores or any(isinstance(use.ctx, ast.Del) for use in self.uses):
            raise _NotPlain
        bindings: list[tuple[ast.Assign, dict[Key, ast.expr]]] = []
        for store in sorted(stores, key=_place):
            statement = parents[store]
            if not isinstance(statement, ast.Assign) or statement.targets != [store]:
                raise _NotPlain
            try:
                bindings.append((statement, self._made(statement.value)))
            except _NotPlain:
                if not bindings or id(statement) in self.inside:
                    raise
                # the name means something else from here on
                siblings = getattr(parents[statement], "body", [])
                if bindings[0][0] not in siblings or statement not in siblings:
                    raise
                end = (statement.end_lineno or 0, statement.end_col_offset or 0)
                self.uses = [use for use in self.uses if use is not store and _place(use) < end]
                stores = [use for use in self.uses if isinstance(use.ctx, ast.Store)]
                break
        assert self.form is not None
        if self.form.kind == "defaults":
            self._keys_from_uses()
        if not self.form.keys:
            raise _NotPlain
        self._name()
        for statement, parts in bindings:
            self._bind(statement, parts)
        bound = {id(inner) for statement, _ in bindings for inner in descendants(statement)}
        wholes: list[ast.Name] = []
        fields: list[ast.AST] = []
        for use in self.uses:
            if not isinstance(use.ctx, ast.Load):
                continue
            node = parents[use]
            if self._nested(use):
                raise _NotPlain
            key = self._key(use, node)
            if key is not None:
                fields.append(node)
                if id(use) not in bound:
                    self.found.append(written.swapped(node, self.names[key]))
            elif id(use) in bound:
                raise _NotPlain
            elif not self._unpacked(use, node) and not self._listed(use, node):
                wholes.append(use)
        self._wholes(wholes, stores)
        if not any(id(node) in self.inside for node in (*fields, *stores)):
            raise _NotPlain
        return self.found

    # -- what it is made of

    def _made(self, value: ast.expr) -> dict[Key, ast.expr]:
        """The parts that an expression puts together."""
        form, parts = _taken_apart(self.written.module, value)
        if self.form is None:
            self.form = form
        if (form.kind, form.keys, form.made) != (self.form.kind, self.form.keys, self.form.made):
            raise _NotPlain
        return parts

    def _keys_from_uses(self) -> None:
        """A dict that makes its lists when they are asked for."""
        assert self.form is not None
        keys: dict[Key, None] = {}
        for use in self.uses:
            node = self.written.parents[use]
            if isinstance(use.ctx, ast.Load):
                if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
                    raise _NotPlain
                keys[node.slice.value] = None  # type: ignore[index]
        self.form = _Form(tuple(keys), "defaults")

    def _name(self) -> None:
        assert self.form is not None
        taken: set[str] = set()
        for key in self.form.keys:
            made = f"{self.word}_{key}"
            if not made.isidentifier():
                raise _NotPlain
            self.names[key] = self.written.fresh(made, taken)

    def _bind(self, statement: ast.Assign, parts: dict[Key, ast.expr]) -> None:
        """``state = State(m, v)`` as an assignment to each part."""
        assert self.form is not None
        if self.form.kind == "defaults":
            parts = {key: ast.List([], ast.Load()) for key in self.form.keys}
        by: dict[Key, ast.expr] = {key: self._inner(part) for key, part in parts.items()}
        targets: list[ast.expr] = [name(self.names[key], ast.Store()) for key in by]
        values = list(by.values())
        news = {self.names[key] for key in by}
        if len(by) > 1 and any(loads_in(value) & news for value in values):
            pair = ast.Tuple(targets, ast.Store()), ast.Tuple(values, ast.Load())
            made: list[ast.stmt] = [ast.Assign([pair[0]], pair[1], lineno=0)]
        else:
            made = [ast.Assign([t], v, lineno=0) for t, v in zip(targets, values, strict=True)]
        edit = self.written.replaced([statement], made)
        if edit is None:
            raise _NotPlain
        self.found.append(edit)

    def _inner(self, part: ast.expr) -> ast.expr:
        """A new part, with the old ones that it reads."""

        def field_of(node: ast.AST) -> ast.Name | None:
            below = getattr(node, "value", None)
            if not isinstance(below, ast.Name) or below.id != self.word:
                return None
            key = self._key(below, node)
            return None if key is None else name(self.names[key])

        made = replaced(swap(part, {}), field_of)
        assert isinstance(made, ast.expr)
        return made

    # -- how it is used

    def _nested(self, use: ast.Name) -> bool:
        """Used in a function of its own, or as the item of a comprehension."""
        return any(
            isinstance(above, (ast.FunctionDef, ast.Lambda)) and above is not self.written.node
            for above in self.written.ancestors(use, self.written.node)
        )

    def _key(self, use: ast.Name, node: ast.AST) -> Key | None:
        """The part that ``state[0]``, ``state["h"]`` or ``state.h`` is."""
        assert self.form is not None
        if self.form.kind in ("named", "object"):
            here = isinstance(node, ast.Attribute) and node.attr in self.names
            if here and (self.form.kind == "object" or isinstance(node.ctx, ast.Load)):  # type: ignore[attr-defined]
                return node.attr  # type: ignore[attr-defined, no-any-return]
            if self.form.kind == "object":
                return None
        if not isinstance(node, ast.Subscript) or node.value is not use:
            return None
        if not isinstance(node.ctx, ast.Load) and self.form.fixed:
            return None
        place = node.slice
        number = place.value if isinstance(place, ast.Constant) else None
        if isinstance(place, ast.UnaryOp) and isinstance(place.op, ast.USub):
            inner = place.operand
            if isinstance(inner, ast.Constant) and isinstance(inner.value, int):
                number = len(self.form.keys) - inner.value
        if self.form.kind in ("dict", "defaults"):
            return number if number in self.names else None  # type: ignore[return-value]
        if isinstance(number, int) and 0 <= number < len(self.form.keys):
            return self.form.keys[number]
        return None

    def _unpacked(self, use: ast.Name, node: ast.AST) -> bool:
        """``m, v = state``."""
        assert self.form is not None
        if self.form.kind not in ("tuple", "list", "named") or not isinstance(node, ast.Assign):
            return False
        (target, *others) = node.targets
        if others or node.value is not use or not isinstance(target, (ast.Tuple, ast.List)):
            return False
        if len(target.elts) != len(self.form.keys):
            return False
        self.found.append(self.written.swapped(use, ", ".join(self.names.values())))
        return True

    def _listed(self, use: ast.Name, node: ast.AST) -> bool:
        """``{k: torch.stack(v) for k, v in out.items()}``, written out."""
        assert self.form is not None
        parents = self.written.parents
        call = parents.get(node)
        generator = parents.get(call) if call is not None else None
        whole = parents.get(generator) if generator is not None else None
        if (
            self.form.kind != "dict"
            or not isinstance(node, ast.Attribute)
            or node.attr != "items"
            or not isinstance(generator, ast.comprehension)
            or not isinstance(whole, ast.DictComp)
            or len(whole.generators) != 1
            or generator.ifs
            or id(use) in self.inside
            or not isinstance(generator.target, ast.Tuple)
            or not all(isinstance(t, ast.Name) for t in generator.target.elts)
            or len(generator.target.elts) != 2
        ):
            return False
        first, second = (t.id for t in generator.target.elts)  # type: ignore[attr-defined]
        pairs = []
        for key, held in self.names.items():
            by: dict[str, ast.expr] = {first: ast.Constant(key), second: name(held)}
            pairs.append(": ".join(ast.unparse(swap(e, by)) for e in (whole.key, whole.value)))
        self.found.append(self.written.swapped(whole, "{" + ", ".join(pairs) + "}"))
        return True

    def _wholes(self, wholes: list[ast.Name], stores: list[ast.Name]) -> None:
        """The whole, put together where it is used."""
        assert self.form is not None
        if self.form.kind == "defaults" and wholes:
            raise _NotPlain
        if not self.form.fixed:
            places = [(use.lineno, use.col_offset) for use in self.uses]
            if len(wholes) > 1 or any(id(use) in self.inside for use in wholes):
                raise _NotPlain
            if any((use.lineno, use.col_offset) != max(places) for use in wholes):
                raise _NotPlain
        for use in wholes:
            holder = self.written.parents[use]
            if isinstance(holder, ast.Attribute):
                raise _NotPlain  # a method of the whole
            if isinstance(holder, ast.Compare):
                raise _NotPlain
            self.found.append(self.written.swapped(use, self.form.whole(list(self.names.values()))))


def _place(node: ast.Name) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _taken_apart(module: Module, value: ast.expr) -> tuple[_Form, dict[Key, ast.expr]]:
    if isinstance(value, (ast.Tuple, ast.List)):
        if not value.elts or any(isinstance(e, ast.Starred) for e in value.elts):
            raise _NotPlain
        kind = "tuple" if isinstance(value, ast.Tuple) else "list"
        parts: dict[Key, ast.expr] = dict(enumerate(value.elts))
        return _Form(tuple(parts), kind), parts
    if isinstance(value, ast.Dict):
        parts = {}
        for key, part in zip(value.keys, value.values, strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                raise _NotPlain
            parts[key.value] = part
        return _Form(tuple(parts), "dict"), parts
    if not isinstance(value, ast.Call) or any(isinstance(a, ast.Starred) for a in value.args):
        raise _NotPlain
    path = path_of(module, value.func)
    if path == "collections.defaultdict" and [*map(ast.unparse, value.args)] == ["list"]:
        return _Form((), "defaults"), {}
    if isinstance(value.func, ast.Name) and value.func.id == "dict" and not value.args:
        named: dict[Key, ast.expr] = {k.arg: k.value for k in value.keywords if k.arg is not None}
        if len(named) != len(value.keywords):
            raise _NotPlain
        return _Form(tuple(named), "dict"), named
    if path == "types.SimpleNamespace" and not value.args:
        named = {k.arg: k.value for k in value.keywords if k.arg is not None}
        return _Form(tuple(named), "object", ast.unparse(value.func)), named
    if not isinstance(value.func, ast.Name):
        raise _NotPlain
    kind, fields = _class_fields(module, value.func.id)
    if len(value.args) > len(fields):
        raise _NotPlain
    parts = dict(zip(fields, value.args, strict=False))
    for keyword in value.keywords:
        if keyword.arg not in fields or keyword.arg in parts:
            raise _NotPlain
        parts[keyword.arg] = keyword.value
    for word, default in fields.items():
        if word not in parts:
            if default is None:
                raise _NotPlain
            parts[word] = default
    ordered: dict[Key, ast.expr] = dict(parts)
    return _Form(tuple(fields), kind, value.func.id), ordered


def _class_fields(module: Module, word: str) -> tuple[str, dict[str, ast.expr | None]]:
    """Whether a class of the file is a named tuple or a plain dataclass, and its fields, with the
    literals that they are by default."""
    constant = module.constants.get(word)
    if (
        isinstance(constant, ast.Call)
        and path_of(module, constant.func) == "collections.namedtuple"
    ):
        fields = constant.args[1] if len(constant.args) == 2 and not constant.keywords else None
        if isinstance(fields, ast.Constant) and isinstance(fields.value, str):
            return "named", dict.fromkeys(fields.value.replace(",", " ").split())
        if isinstance(fields, (ast.List, ast.Tuple)):
            return "named", dict.fromkeys(str(getattr(e, "value", "")) for e in fields.elts)
        raise _NotPlain
    held = module.classes.get(word)
    if held is None:
        raise _NotPlain
    node = held.node
    body = [s for s in node.body if not _is_docstring(s)]
    if not body or not all(isinstance(s, (ast.AnnAssign, ast.Pass)) for s in body):
        raise _NotPlain
    names: dict[str, ast.expr | None] = {
        s.target.id: s.value if isinstance(s.value, ast.Constant) else None
        for s in body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
    }  # fmt: skip
    if any("Var" in ast.unparse(s.annotation) for s in body if isinstance(s, ast.AnnAssign)):
        raise _NotPlain  # no field, or none that stays
    bases = [path_of(module, base) for base in node.bases]
    if bases == ["typing.NamedTuple"] and not node.decorator_list:
        return "named", names
    marks = [d.func if isinstance(d, ast.Call) else d for d in node.decorator_list]
    if not bases and [path_of(module, mark) for mark in marks] == ["dataclasses.dataclass"]:
        mark = node.decorator_list[0]
        given = mark.keywords if isinstance(mark, ast.Call) else []
        if any(keyword.arg not in ("frozen", "slots") for keyword in given):
            raise _NotPlain
        return "object", names
    raise _NotPlain


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
