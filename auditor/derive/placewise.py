"""Extremes place by place: ``np.maximum``, ``torch.clamp``, ``[max(a, b) for a, b in zip(m, n)]``.

The algebra is that of one place. What is no number there, as there is no place to hold it, is None:
the larger of None and a row is the row, and what is added to None is None.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from auditor.algebra.monoid import Monoid, Part, field, renamed
from auditor.algebra.states import Dependence
from auditor.derive.calls import Purity
from auditor.notation import NONE, Apply, Carry, Const, Read, Scan, Term, Value, transform, walk

LISTS = "list"
_EXTREMES = {"maximum": "max", "minimum": "min"}
_HELPERS = {"max": "larger", "min": "smaller", "add": "plus", "sub": "less", "neg": "minus"}
_PLAIN = frozenset(("is", "and", "or", "not", "where"))


@dataclass(frozen=True)
class Extreme:
    """An extreme of two rows: ``max`` or ``min``, the rows, and of which library, under which
    name."""

    op: str
    sides: tuple[ast.expr, ast.expr]
    library: str


def extreme(node: ast.Call, purity: Purity) -> Extreme | None:
    """The extreme of two arrays that a call computes."""
    if not isinstance(node.func, ast.Attribute) or not isinstance(node.func.value, ast.Name):
        return None
    name, word = node.func.value.id, node.func.attr
    kind = purity.modules.get(name)
    if kind not in ("numpy", "torch") or any(isinstance(a, ast.Starred) for a in node.args):
        return None
    library = f"{kind} {name}"
    if word in _EXTREMES and len(node.args) == 2 and not node.keywords:
        return Extreme(_EXTREMES[word], (node.args[0], node.args[1]), library)
    if kind == "torch" and word == "relu" and len(node.args) == 1 and not node.keywords:
        return Extreme("max", (node.args[0], ast.Constant(0)), library)
    if kind == "torch" and word == "clamp" and len(node.args) == len(node.keywords) == 1:
        bound = node.keywords[0]
        op = {"min": "max", "max": "min"}.get(bound.arg or "")
        return Extreme(op, (node.args[0], bound.value), library) if op else None
    return None


def zipped(node: ast.ListComp) -> tuple[dict[str, ast.expr], ast.expr] | None:
    """What each name of a comprehension over rows side by side goes through, and what it makes of
    one place."""
    if len(node.generators) != 1:
        return None
    (one,) = node.generators
    walked = one.iter
    if one.ifs or one.is_async or not isinstance(one.target, ast.Tuple):
        return None
    names = [part.id for part in one.target.elts if isinstance(part, ast.Name)]
    sides = walked.args if isinstance(walked, ast.Call) and not walked.keywords else []
    if ast.unparse(getattr(walked, "func", walked)) != "zip" or len(sides) != len(names):
        return None
    plain = all(isinstance(side, ast.Name) for side in sides)
    if not plain or len(set(names)) < len(one.target.elts):
        return None
    return dict(zip(names, sides, strict=True)), node.elt


def placewise(monoid: Monoid, scan: Scan) -> Monoid | None:
    """The monoid of one place as that of whole rows; None where it asks what a place holds."""
    updates = {carry.state: carry for carry in scan.carries}
    parts = [_of_rows(_running(part, updates) or part) for part in monoid.parts]
    return None if None in parts else Monoid(tuple(parts))  # type: ignore[arg-type]


def _running(part: Part, carries: dict[Value, Carry]) -> Part | None:
    """A running extreme as such, and not as the better of two."""
    carry = carries.get(part.carries[0])
    update = None if carry is None or len(part.carries) > 1 else carry.update
    if carry is None or not isinstance(update, Apply) or update.op not in ("max", "min"):
        return None
    mine = Read(carry.state, ())
    others = [arg for arg in update.args if arg is not mine]
    if len(others) != 1 or Dependence().mentions(others[0], (carry.state,)):
        return None
    one = field(carry.name, f"{carry.name} of the piece alone", NONE)

    def both(a: Term, b: Term) -> tuple[Term, ...]:
        return (Apply(update.op, (a, b)),)

    return replace(
        part, fields=(one,), update=both(one.left, others[0]), combine=both(one.left, one.right),
        finish=both(mine if isinstance(carry.init, Read) else carry.init, one.left),
        guarded=False, algebra=f"running {update.op}ima",
        proof=f"the {update.op}imum of both pieces' own", commutes=True,
    )  # fmt: skip


def _of_rows(part: Part) -> Part | None:
    terms = (*part.update, *part.combine, *part.finish)
    states = {value for one in part.fields for value in (one.own, one.other)} | {*part.carries}
    if part.guarded or not all(_rowwise(node, states) for t in terms for node in walk(t)):
        return None
    fields = tuple(field(f.name, f.meaning, _nothing(f.identity)) for f in part.fields)
    by: dict[Value, Term] = {}
    for old, new in zip(part.fields, fields, strict=True):
        by |= {old.own: new.left, old.other: new.right}

    def rows(given: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(transform(renamed(term, by), _row) for term in given)

    return replace(
        part, fields=fields, update=rows(part.update), combine=rows(part.combine),
        finish=rows(part.finish), algebra=f"{part.algebra}, place by place",
    )  # fmt: skip


def _rowwise(node: Term, states: set[Value]) -> bool:
    """Is it an operation that rows have?"""
    if not isinstance(node, Apply) or node.op in _HELPERS:
        return True
    inside = any(getattr(inner, "value", None) in states for inner in walk(node.args[0]))
    return node.op == "where" and not inside


def _nothing(term: Term) -> Term:
    """None in the place of what is infinite."""
    infinite = isinstance(term, Const) and term.value in (float("inf"), float("-inf"))
    return NONE if infinite else term


def _row(node: Term) -> Term:
    if not isinstance(node, Apply) or node.op not in _HELPERS:
        return _nothing(node)
    name = _HELPERS[node.op]
    if len(node.args) == 1:
        return Apply(f"call:{name}(_0)", node.args)
    out = node.args[0]
    for other in node.args[1:]:
        out = Apply(f"call:{name}(_0, _1)", (out, other))
    return out


def helpers(library: str, text: str) -> str:
    """The functions of rows that a text calls."""
    kind, _, name = library.partition(" ")
    both = {
        "numpy": (f"{name}.maximum(a, b)", f"{name}.minimum(a, b)", "a + b", "a - b", "-a"),
        "torch": (
            f"{name}.maximum({name}.as_tensor(a), {name}.as_tensor(b))",
            f"{name}.minimum({name}.as_tensor(a), {name}.as_tensor(b))", "a + b", "a - b", "-a",
        ),
        LISTS: (
            "placed(max, a, b)", "placed(min, a, b)", "placed(lambda p, q: p + q, a, b)",
            "placed(lambda p, q: p - q, a, b)", "placed(lambda p, q: q - p, a, 0)",
        ),
    }[kind]  # fmt: skip
    larger, smaller, plus, less, minus = both
    made = {
        "larger": _optional("larger", "The larger, place by place; None is no row.", larger),
        "smaller": _optional("smaller", "The smaller, place by place; None is no row.", smaller),
        "plus": _strict("plus", "The sum, place by place; None where one is no row.", plus),
        "less": _strict("less", "The difference, place by place.", less),
        "minus": "def minus(a: Any) -> Any:\n"
        '    """The negative, place by place."""\n'
        f"    return None if a is None else {minus}",
    }
    found = [body for word, body in made.items() if f"{word}(" in text]
    return "\n\n\n".join([*([_PLACED] if kind == LISTS else []), *found])


_PLACED = '''\
def placed(f: Any, a: Any, b: Any) -> Any:
    """What `f` makes of each place; a number stands for a row of it."""
    if not isinstance(a, Iterable) and not isinstance(b, Iterable):
        return f(a, b)
    sides = (one if isinstance(one, Iterable) else repeat(one) for one in (a, b))
    return [f(p, q) for p, q in zip(*sides)]'''


def _optional(name: str, words: str, both: str) -> str:
    return (
        f'def {name}(a: Any, b: Any) -> Any:\n    """{words}"""\n'
        f"    return b if a is None else a if b is None else {both}"
    )


def _strict(name: str, words: str, both: str) -> str:
    return (
        f'def {name}(a: Any, b: Any) -> Any:\n    """{words}"""\n'
        f"    return None if a is None or b is None else {both}"
    )
