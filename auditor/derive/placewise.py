"""Extremes place by place: ``np.maximum``, ``torch.clamp``, ``[max(a, b) for a, b in zip(m, n)]``.

The algebra is that of one place. What is no number there, as there is no place to hold it, is None:
where it lies below all numbers the larger of None and a row is the row, and the smaller is None;
what is added to None is None.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from auditor.algebra.matrix_maps import ALGEBRA
from auditor.algebra.monoid import Monoid, Part, field, renamed
from auditor.algebra.states import Dependence
from auditor.derive.called_functions import named, path_of
from auditor.derive.calls import Purity
from auditor.derive.fold import Fold
from auditor.derive.whole_rows import picking, whole_rows
from auditor.notation import NONE, Apply, Carry, Const, Read, Term, Value, walk

LISTS = "list"
_EXTREMES = {"maximum": "max", "minimum": "min"}
_OF_TWO = {"max": "max", "min": "min", "minimum": "min", "maximum": "max"}
_HELPERS = {
    "max": "larger", "min": "smaller", "add": "plus", "sub": "less", "neg": "minus", "mul": "times",
}  # fmt: skip
_FUNCTIONS = {
    "torch": ("clamp", "clip", "clamp_min", "clamp_max", "relu"), "numpy": ("clip",),
    "torch.nn.functional": ("relu", "relu6", "hardtanh"),
}  # fmt: skip
_METHODS = ("clamp", "clamp_min", "clamp_max", "relu")
_LIMITS = {
    "clamp": (("min", None), ("max", None)), "clip": (("min", None), ("max", None)),
    "clamp_min": (("min", None), ("", None)), "clamp_max": (("", None), ("max", None)),
    "relu": (("", 0), ("", None)), "relu6": (("", 0), ("", 6)),
    "hardtanh": (("min_val", -1.0), ("max_val", 1.0)),
}  # fmt: skip
"""What a function keeps a row from falling below and from rising above: under which name it is
given, and what it is if it is not."""


@dataclass(frozen=True)
class Extremes:
    """A row, the extremes that are taken of it and others, first to last, and of which library,
    under which name."""

    row: ast.expr
    others: tuple[tuple[str, ast.expr], ...]
    library: str

    @property
    def sides(self) -> list[ast.expr]:
        return [self.row, *(other for _, other in self.others)]


def extremes(node: ast.Call, purity: Purity) -> Extremes | None:
    """The extremes of arrays that a call computes."""
    if any(isinstance(a, ast.Starred) for a in node.args):
        return None
    path = path_of(node.func, purity)
    if path is None and isinstance(node.func, ast.Attribute):
        library = named("torch", purity)
        if library is None or node.func.attr not in _METHODS:
            return None
        return _limited(node.func.attr, [node.func.value, *node.args], node.keywords, library)
    module, _, word = (path or "").rpartition(".")
    kind = module.partition(".")[0]
    library = named(kind, purity) if kind in ("numpy", "torch") else None
    if library is None:
        return None
    of_two = _OF_TWO if module == "torch" else _EXTREMES if module == "numpy" else {}
    if word in of_two and len(node.args) == 2 and not node.keywords:
        row, other = node.args
        counted = word in ("max", "min") and isinstance(other, (ast.Constant, ast.UnaryOp))
        return None if counted else Extremes(row, ((of_two[word], other),), library)
    if word not in _FUNCTIONS.get(module, ()):
        return None
    return _limited(word, node.args, node.keywords, library)


def _limited(
    word: str, args: list[ast.expr], keywords: list[ast.keyword], library: str
) -> Extremes | None:
    """A row between bounds; above both of them it is the upper one."""
    least, most = _LIMITS[word]
    given = {k.arg: k.value for k in keywords}
    named = [name for name, _ in (least, most) if name]
    if not args or len(args) > 1 + len(named):
        return None
    for name, value in zip(named, args[1:], strict=False):
        if name in given:
            return None
        given[name] = value
    if given.keys() - set(named):
        return None
    others = []
    for op, (name, otherwise) in (("max", least), ("min", most)):
        bound = given.get(name)
        if bound is None and otherwise is not None:
            bound = ast.copy_location(ast.Constant(otherwise), args[0])
        if bound is not None and not (isinstance(bound, ast.Constant) and bound.value is None):
            others.append((op, bound))
    return Extremes(args[0], tuple(others), library) if others else None


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


def placewise(monoid: Monoid, fold: Fold) -> Monoid | None:
    """The monoid of one place of a fold as that of whole rows; None where it asks what a place
    holds. Where some are chosen place by place, no choice is one between whole rows."""
    updates = {carry.state: carry for carry in fold.scan.carries}
    begun = {
        c.state for c in fold.scan.carries if c.name in fold.begun and isinstance(c.init, Const)
    }
    parts: list[Part] = []
    for part in monoid.parts:
        if part.algebra.startswith(ALGEBRA) or (fold.chosen and _of_numbers(part, fold)):
            parts.append(part)
            continue
        running = _running(part, updates) or part
        started = begun & {*part.carries}
        made = None
        if not started and not (fold.chosen and _branches(running)):
            made = _from_the_ends(_of_rows(running), updates)
        if made is None and fold.chosen and fold.rows != LISTS:
            made = whole_rows(part, started)
        if made is None:
            return None
        parts.append(made)
    return Monoid(tuple(parts))


def _from_the_ends(part: Part | None, carries: dict[Value, Carry]) -> Part | None:
    """The part where what begins as infinite is that, and not None, as long as there is no row."""
    if part is None:
        return None
    finish = []
    for state, term in zip(part.carries, part.finish, strict=True):
        init = carries[state].init
        if _end(init) is not None and term is not NONE:
            term = Apply("where", (Apply("is", (term, NONE)), init, term))
        finish.append(term)
    return replace(part, finish=tuple(finish))


def _of_numbers(part: Part, fold: Fold) -> bool:
    """Is it about values that begin as numbers and take nothing of the elements: counts?"""
    plain = all(
        isinstance(carry.init, Const) and carry.name not in fold.begun
        for carry in fold.scan.carries if carry.state in part.carries
    )  # fmt: skip
    nodes = (node for term in part.update for node in walk(term))
    return plain and not any(isinstance(n, Read) and n.value.kind == "input" for n in nodes)


def _branches(part: Part) -> bool:
    terms = (*part.update, *part.combine, *part.finish)
    return any(isinstance(n, Apply) and n.op == "where" for term in terms for n in walk(term))


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
    states = {value for one in part.fields for value in (one.own, one.other)} | {*part.carries}
    terms = (*part.update, *part.combine, *part.finish)
    if part.guarded or not all(_rowwise(node, states) for t in terms for node in walk(t)):
        return None
    fields = tuple(field(f.name, f.meaning, _nothing(f.identity)) for f in part.fields)
    by: dict[Value, Term] = {}
    for old, new in zip(part.fields, fields, strict=True):
        by |= {old.own: new.left, old.other: new.right}
    ends = [_end(one.identity) for one in part.fields]
    try:
        while True:
            passed = zip(fields, ends, strict=True)
            rows = _Rows({v: end for f, end in passed for v in (f.own, f.other)})
            made = [
                [rows.of(renamed(term, by)) for term in given]
                for given in (part.update, part.combine, part.finish)
            ]
            found = [
                _same(end, _same(one.end, other.end))
                for end, one, other in zip(ends, made[0], made[1], strict=True)
            ]
            if found == ends:
                break
            ends = found
    except _NoRow:
        return None
    update, combine, finish = (tuple(one.term for one in given) for given in made)
    return replace(
        part, fields=fields, update=update, combine=combine, finish=finish,
        algebra=f"{part.algebra}, place by place",
    )  # fmt: skip


def _rowwise(node: Term, states: set[Value]) -> bool:
    """Is it an operation that rows have?"""
    if not isinstance(node, Apply) or node.op in _HELPERS:
        return True
    if node.op == "eq":
        return _end(node.args[1]) is not None  # asked by a choice
    if node.op != "where":
        return False
    inside = any(getattr(inner, "value", None) in states for inner in walk(node.args[0]))
    return not inside or _kept_infinite(node) is not None


def _kept_infinite(node: Apply) -> Read | None:
    """The value that a choice leaves as it is where it is infinite."""
    condition, then, _ = node.args
    if not isinstance(condition, Apply) or condition.op != "eq" or not isinstance(then, Read):
        return None
    value, infinite = condition.args
    return then if value is then and _end(infinite) is not None else None


def _nothing(term: Term) -> Term:
    """None in the place of what is infinite."""
    return NONE if _end(term) is not None else term


_LOW, _HIGH, _KEPT = "low", "high", "kept"
_OTHER = {_LOW: _HIGH, _HIGH: _LOW, _KEPT: _KEPT, None: None}


class _NoRow(Exception):
    """What is no row would stand for both infinities."""


@dataclass(frozen=True)
class _Row:
    """A term, and which end it has passed where it is no row: below all numbers or above them, or
    the one that is kept whatever is done to it."""

    term: Term
    end: str | None = None


def _end(term: Term) -> str | None:
    if not isinstance(term, Const) or not isinstance(term.value, float):
        return None
    return {float("-inf"): _LOW, float("inf"): _HIGH}.get(term.value)


def _same(a: str | None, b: str | None) -> str | None:
    if a is not None and b is not None and a != b:
        raise _NoRow
    return a or b


class _Rows:
    """Terms of one place as terms of rows, given which end each field has passed."""

    def __init__(self, ends: dict[Value, str | None]) -> None:
        self._ends, self._known = ends, dict[Term, _Row]()

    def of(self, term: Term) -> _Row:
        if term not in self._known:
            self._known[term] = self._of(term)
        return self._known[term]

    def _of(self, term: Term) -> _Row:
        if isinstance(term, Read):
            return _Row(term, self._ends.get(term.value))
        if not isinstance(term, Apply):
            return _Row(_nothing(term), _end(term))
        if term.op == "where" and (kept := _kept_infinite(term)) is not None:
            ends = {**self._ends, kept.value: _KEPT}
            made = _Rows(ends).of(term.args[2])
            if made.end not in (None, _KEPT):
                raise _NoRow
            return _Row(made.term, self._ends.get(kept.value))
        if term.op == "where":
            then, other = map(self.of, term.args[1:])
            chosen = Apply("where", (term.args[0], then.term, other.term))
            return _Row(chosen, _same(then.end, other.end))
        if term.op not in _HELPERS:
            raise _NoRow
        first, *others = map(self.of, term.args)
        if not others:
            return _Row(_helped(_HELPERS[term.op], first), _OTHER[first.end])
        for other in others:
            first = _both(term.op, first, other)
        return first


def _both(op: str, a: _Row, b: _Row) -> _Row:
    """An operation of two rows. The larger of a row and what lies above all is what lies above
    all, and of a row and what lies below all the row."""
    if op in ("max", "min"):
        if _KEPT in (a.end, b.end):
            raise _NoRow
        through = _HIGH if op == "max" else _LOW
        if a.end == through:
            a, b = b, a
        if a.end == through:
            raise _NoRow
        if b.end == through:
            return _Row(_helped(f"{_HELPERS[op]}_or_none", a, b), through)
        both = a.end is not None and b.end is not None
        return _Row(_helped(_HELPERS[op], a, b), a.end if both else None)
    if op == "mul" and {a.end, b.end} & {_LOW, _HIGH}:
        raise _NoRow  # the sign of the other one says which end it passes
    return _Row(_helped(_HELPERS[op], a, b), _same(a.end, _OTHER[b.end] if op == "sub" else b.end))


def _helped(name: str, *rows: _Row) -> Term:
    places = ", ".join(f"_{n}" for n in range(len(rows)))
    return Apply(f"call:{name}({places})", tuple(row.term for row in rows))


def helpers(library: str, text: str) -> str:
    """The functions of rows that a text calls."""
    kind, _, name = library.partition(" ")
    both = {
        "numpy": (
            f"{name}.maximum(a, b)", f"{name}.minimum(a, b)", "a + b", "a - b", "-a", "a * b",
        ),
        "torch": (
            f"{name}.maximum({name}.as_tensor(a), {name}.as_tensor(b))",
            f"{name}.minimum({name}.as_tensor(a), {name}.as_tensor(b))", "a + b", "a - b", "-a",
            "a * b",
        ),
        LISTS: (
            "placed(max, a, b)", "placed(min, a, b)", "placed(lambda p, q: p + q, a, b)",
            "placed(lambda p, q: p - q, a, b)", "placed(lambda p, q: q - p, a, 0)",
            "placed(lambda p, q: p * q, a, b)",
        ),
    }[kind]  # fmt: skip
    larger, smaller, plus, less, minus, times = both
    picked = [] if kind == LISTS else picking(name, kind == "torch")
    made = {
        "larger_or_none": _through("larger", larger),
        "smaller_or_none": _through("smaller", smaller),
        "larger": _optional("larger", "The larger, place by place; None is no row.", larger),
        "smaller": _optional("smaller", "The smaller, place by place; None is no row.", smaller),
        "plus": _strict("plus", "The sum, place by place; None where one is no row.", plus),
        "less": _strict("less", "The difference, place by place.", less),
        "times": _strict("times", "The product, place by place; None where one is no row.", times),
        "minus": "def minus(a: Any) -> Any:\n"
        '    """The negative, place by place."""\n'
        f"    return None if a is None else {minus}",
    }
    found = [body for word, body in made.items() if f"{word}(" in text]
    found += [body for word, body in picked if f"{word}(" in text]
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


def _through(word: str, both: str) -> str:
    words = f"The {word}, place by place; None where `b` is no row, which no number is past."
    return (
        f'def {word}_or_none(a: Any, b: Any) -> Any:\n    """{words}"""\n'
        f"    return b if a is None or b is None else {both}"
    )


def _strict(name: str, words: str, both: str) -> str:
    return (
        f'def {name}(a: Any, b: Any) -> Any:\n    """{words}"""\n'
        f"    return None if a is None or b is None else {both}"
    )
