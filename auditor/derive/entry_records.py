"""Containers of which each entry is a tuple, a list or a dict of so many values: a step changes
these one by one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.derive.begun import constant, maker
from auditor.derive.entries import entry_of, fresh
from auditor.notation import Term
from auditor.tree import children, everything_in

Display = ast.Tuple | ast.List | ast.Dict


@dataclass(frozen=True)
class Record:
    """What the entries of a container are: which kind of display, with values under which keys
    (places, but for those of dicts)."""

    kind: type[Display]
    keys: tuple[int | str, ...]

    @property
    def width(self) -> int:
        return len(self.keys)

    def whole(self, parts: list[str]) -> str:
        """An entry, from the text of its values."""
        if self.kind is ast.List:
            return f"[{', '.join(parts)}]"
        if self.kind is ast.Dict:
            inside = (f"{key!r}: {part}" for key, part in zip(self.keys, parts, strict=True))
            return f"{{{', '.join(inside)}}}"
        return f"({', '.join(parts)}{',' if self.width == 1 else ''})"


def value_of(container: str, place: int) -> str:
    """What a value of an entry is carried as; the first one as the entry itself."""
    return entry_of(container) if place == 0 else f"{entry_of(container)}, {place}"


def parts_of(node: ast.expr) -> dict[int | str, ast.expr] | None:
    """The values of a display by their keys, where all of these are written out."""
    if isinstance(node, (ast.Tuple, ast.List)):
        starred = any(isinstance(one, ast.Starred) for one in node.elts)
        return None if starred else dict(enumerate(node.elts))
    if not isinstance(node, ast.Dict):
        return None
    keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
    words = [key for key in keys if isinstance(key, str)]
    if len(set(words)) != len(keys):
        return None
    return dict(zip(words, node.values, strict=True))


def values_of(node: ast.expr) -> tuple[Term, ...] | None:
    """The constants in a display that is written out."""
    parts = parts_of(node)
    if parts is None:
        return None
    found = [constant(one) for one in parts.values()]
    return None if None in found else tuple(found)  # type: ignore[arg-type]


def made_of(made: ast.expr | None) -> ast.expr | None:
    """What a `defaultdict` makes for an absent key, if that is written out."""
    if isinstance(made, ast.Call) and maker(made) == "defaultdict" and made.args:
        given = made.args[0]
        if isinstance(given, ast.Lambda) and isinstance(given.body, Display):
            return given.body
    return None


def records(loop: ast.For, names: set[str], before: dict[str, ast.expr]) -> dict[str, Record]:
    """Those of some containers, which begin empty, of which the entries are records."""
    parents = {child: node for node in everything_in(loop) for child in children(node)}
    found = {}
    for name in names:
        if not fresh(before.get(name)):
            continue
        forms = list(_forms(loop, name, parents, made_of(before.get(name))))
        kinds = {(type(form), tuple(parts_of(form) or ())) for form in forms if form is not None}
        if None not in forms and len(kinds) == 1:
            kind, keys = kinds.pop()
            if keys and all(place in keys for place in _places(loop, name)):
                found[name] = Record(kind, keys)
    return found


def place_of(node: ast.expr, name: str | None = None) -> tuple[ast.Subscript, int | str] | None:
    """The entry and the key, of ``d[key][place]``."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
        return None
    entry, place = node.value, node.slice.value
    if type(place) not in (int, str) or (isinstance(place, int) and place < 0):
        return None
    if not isinstance(entry, ast.Subscript) or not isinstance(entry.value, ast.Name):
        return None
    return (entry, place) if name in (None, entry.value.id) else None  # type: ignore[return-value]


def _places(loop: ast.For, name: str) -> Iterator[int | str]:
    for node in everything_in(loop):
        found = place_of(node, name) if isinstance(node, ast.expr) else None
        if found is not None:
            yield found[1]


def _forms(
    loop: ast.For, name: str, parents: dict[ast.AST, ast.AST], default: ast.expr | None
) -> Iterator[Display | None]:
    """The records that the entries are said to be; None where an entry is anything else."""
    if isinstance(default, Display):
        yield default if values_of(default) is not None else None
    for node in everything_in(loop):
        above = parents.get(node)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            if node.value.id != name:
                continue
            if isinstance(node.ctx, ast.Store):
                assigned = isinstance(above, ast.Assign) and len(above.targets) == 1
                yield from _written(above.value) if assigned else (None,)  # type: ignore[union-attr]
            elif not _apart(node, above):
                yield None
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == name
        ):
            given = node.args[1] if node.func.attr == "get" and len(node.args) == 2 else None
            known = isinstance(given, Display) and parts_of(given) is not None
            yield given if known and _apart(node, above) else None  # type: ignore[misc]


def _written(value: ast.expr) -> Iterator[Display | None]:
    if isinstance(value, ast.IfExp):
        yield from _written(value.body)
        yield from _written(value.orelse)
    else:
        yield value if parts_of(value) is not None else None  # type: ignore[misc]


def _apart(node: ast.expr, above: ast.AST | None) -> bool:
    """Is an entry taken apart where it stands?"""
    if isinstance(above, ast.Subscript) and above.value is node:
        return place_of(above) is not None
    return (
        isinstance(above, ast.Assign)
        and above.value is node
        and len(above.targets) == 1
        and isinstance(above.targets[0], ast.Tuple)
        and all(isinstance(one, ast.Name) for one in above.targets[0].elts)
    )
