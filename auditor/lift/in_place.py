"""Writes that are spelled as calls, as the assignments that they are.

``out[:, t].copy_(h)``, ``out.select(1, t).copy_(h)`` and ``out.index_copy_(1, torch.tensor([t]),
h[:, None])`` are ``out[:, t] = h``; ``x[:, t].add_(h)`` is ``x[:, t] += h``; ``np.add(x, 1, x)``
and ``np.add(x, 1, out=x)`` are ``x[...] = np.add(x, 1)``; ``s = (q @ k).mul_(a)`` is ``s = q @ k``
and then ``s.mul_(a)``. The new statements keep the place of the old ones.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from functools import cache, cached_property

from auditor.syntax import is_name
from auditor.tree import every_statement, everything_in

_OPERATORS: dict[str, ast.operator] = {
    "add_": ast.Add(), "sub_": ast.Sub(), "mul_": ast.Mult(), "div_": ast.Div(),
}  # fmt: skip
CHANGING = frozenset(
    "setitem delitem iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor".split()
)
"""Functions of ``operator`` that change what they are given first."""
_OF_ARRAYS = frozenset(
    "add_ sub_ mul_ div_ neg_ abs_ exp_ exp2_ log_ sqrt_ rsqrt_ square_ pow_ clamp_ clamp_min_ "
    "clamp_max_ tanh_ sigmoid_ relu_ masked_fill_ tril_ triu_ scatter_ fill_ zero_".split()
)
"""Methods of arrays that give back the array, changed."""
_OF_ELEMENTS = frozenset(
    "add subtract multiply divide true_divide exp exp2 expm1 log log2 log10 log1p sqrt square"
    " power negative reciprocal maximum minimum tanh".split()
)
"""Functions of NumPy of each element whose result has the kind of what they are given, or is a
floating-point number, which they do not cut down to a whole one."""
_METHODS = frozenset("round clip dot take cumsum cumprod compress sum mean prod std var".split())


# Each begins with what is rare in a text, which is found at once.
_WRITES = (
    re.compile(r"_\((?:(?<=(?:copy|fill)_\()|(?<=(?:add|sub|mul|div)_\())"),
    re.compile(r"\)\.[a-z]\w*_\("),
    re.compile(r"= \w+\.[a-z]\w*_\("),
    re.compile(r"shuffle\("),
    re.compile(r"operator\."),
    re.compile(r"out=(?<=\bout=)\w"),
    re.compile(r"np\.\w+\([^\n]*,"),
    re.compile(r"numpy\.\w+\([^\n]*,"),
    re.compile(r"\.(?:round|clip|dot|take|cumsum|cumprod|compress)\([^\n]*,"),
)


def may_spell(text: str) -> bool:
    """Whether there may be such calls in a text."""
    return any(pattern.search(text) for pattern in _WRITES)


def spell_out(tree: ast.Module) -> bool:
    """Replace such calls of a module. Gives whether there are any."""
    changed = False
    imported = _Imported(tree)
    holders: list[ast.AST] = [tree]
    while holders:
        held = holders.pop().__dict__
        holders.extend(held.get("handlers", ()))
        holders.extend(held.get("cases", ()))
        for field in ("body", "orelse", "finalbody"):
            statements: list[ast.stmt] = held.get(field, [])
            holders.extend(one for one in statements if not _HOLDING.isdisjoint(one.__dict__))
            if not any(map(_calls, statements)):
                continue
            made = [
                new for one in statements
                for new in (_spelled(one, imported) if _calls(one) else (one,))
            ]  # fmt: skip
            if made != statements:
                statements[:] = made
                changed = True
    return changed


_HOLDING = frozenset(("body", "cases"))


def _calls(statement: ast.stmt) -> bool:
    """Whether a statement is a method's call, or gives what one returns a name."""
    if not isinstance(statement, (ast.Expr, ast.Assign)):
        return False
    call = statement.value
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)


class _Imported:
    """The names that a module imports, looked for when they are first asked about."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(
            (alias.asname or alias.name).partition(".")[0]
            for node in every_statement(self._tree.body)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        )


def _spelled(statement: ast.stmt, imported: _Imported) -> list[ast.stmt]:
    """A statement without writes that are spelled as calls."""
    if not isinstance(statement, (ast.Expr, ast.Assign)):
        return [statement]
    if not isinstance(statement.value, ast.Call):
        return [statement]
    operand = _operand(statement.value, imported)
    if operand is not None:
        return _into(operand, statement, statement.value)
    if isinstance(statement, ast.Assign):
        return _then_changed(statement, statement.value)
    made = [_assignment(call) for call in _chain(statement.value)]
    found = [
        ast.copy_location(ast.Expr(call) if new is None else new, statement)
        for call, new in zip(_chain(statement.value), made, strict=True)
    ]
    return found if len(found) > 1 or made[0] is not None else [statement]


def _chain(call: ast.Call) -> list[ast.Call]:
    """``x.mul_(a).add_(b)`` as ``x.mul_(a)`` and then ``x.add_(b)``: each gives back its array."""
    calls, base = _changes(call)
    if len(calls) < 2 or not isinstance(base, ast.Name):
        return [call]
    return [_of(base, one) for one in calls]


def _then_changed(statement: ast.Assign, call: ast.Call) -> list[ast.stmt]:
    """``s = (q @ k).mul_(a)`` as ``s = q @ k`` and then ``s.mul_(a)``, where nobody else has what
    is changed."""
    calls, base = _changes(call)
    (target, *others) = statement.targets
    if not calls or others or not isinstance(target, ast.Name):
        return [statement]
    if not all(
        isinstance(one.func, ast.Attribute) and one.func.attr in _OF_ARRAYS for one in calls
    ):
        return [statement]
    read = ast.copy_location(ast.Name(target.id, ast.Load()), target)
    changes: list[ast.stmt] = [
        ast.copy_location(ast.Expr(_of(read, one)), statement) for one in calls
    ]
    if isinstance(base, ast.Name) and base.id == target.id:
        return changes  # `s = s.exp_()`
    if not isinstance(base, (ast.BinOp, ast.UnaryOp, ast.Call)):
        return [statement]
    given = [arg for one in calls for arg in (*one.args, *(word.value for word in one.keywords))]
    if any(
        isinstance(n, ast.Name) and n.id == target.id for arg in given for n in everything_in(arg)
    ):
        return [statement]  # which is what the name stood for before
    bound = ast.copy_location(ast.Assign([target], base), statement)
    return [bound, *changes]


def _changes(call: ast.Call) -> tuple[list[ast.Call], ast.expr]:
    """The methods that change an array in place, in the order in which they are called, and the
    array."""
    calls: list[ast.Call] = []
    base: ast.expr = call
    while (
        isinstance(base, ast.Call)
        and isinstance(base.func, ast.Attribute)
        and base.func.attr.endswith("_")
        and not base.func.attr.endswith("__")
    ):
        calls.append(base)
        base = base.func.value
    return calls[::-1], base


def _of(base: ast.Name, call: ast.Call) -> ast.Call:
    """``call`` as a method of ``base``."""
    assert isinstance(call.func, ast.Attribute)
    method = ast.copy_location(ast.Attribute(base, call.func.attr, ast.Load()), call.func)
    return ast.copy_location(ast.Call(method, call.args, call.keywords), call)


def _operand(call: ast.Call, imported: _Imported) -> ast.expr | None:
    """The array that a call writes its result into, or changes; a function of what is ``imported``
    is no method."""
    if not isinstance(call.func, ast.Attribute) or not call.args:
        return None
    if any(word.arg == "out" for word in call.keywords):
        return _named(call)
    name = call.func.attr
    if name == "shuffle" or name in CHANGING:
        changes = name == "shuffle" or ast.unparse(call.func.value) == "operator"
        return call.args[0] if changes and _is_place(call.args[0]) else None
    place = _out(name)
    if place is None or place > len(call.args):
        return None
    base = call.func.value
    library = isinstance(base, ast.Name) and base.id in ("np", "numpy")
    if not library and (
        name not in _METHODS or ast.unparse(base).partition(".")[0] in imported.names
    ):
        return None
    place -= not library
    given = call.args[place] if place < len(call.args) else None
    return given if given is not None and _is_place(given) else None


def _named(call: ast.Call) -> ast.expr | None:
    """The array that is given a function as its ``out``. PyTorch gives that another size where it
    does not fit, which what is read as well has no need of."""
    assert isinstance(call.func, ast.Attribute)
    library, given = ast.unparse(call.func.value), _out_of(call)
    if given is None or not _is_place(given):
        return None
    read = {ast.unparse(argument) for argument in call.args}
    known = library in ("np", "numpy") or (library == "torch" and ast.unparse(given) in read)
    return given if known else None


def _out_of(call: ast.Call) -> ast.expr | None:
    return next((word.value for word in call.keywords if word.arg == "out"), None)


@cache
def most_inputs(path: str) -> int | None:
    """How many arguments without a name a function of NumPy, or a method of one, only reads: what
    is given after them is written. None where it has no such."""
    import numpy as np

    whole, _, method = path.removeprefix("numpy.").partition(".")
    function = vars(np).get(whole)  # names that NumPy gives up warn when they are asked for
    if isinstance(function, np.ufunc):
        return _OF_UFUNCS.get(method, 0) if method else function.nin
    return None if method else _out(whole)


_OF_UFUNCS = {"reduce": 3, "accumulate": 3, "reduceat": 4, "outer": 2}


@cache
def _out(name: str) -> int | None:
    """Which argument of a function of NumPy is its ``out``."""
    import numpy as np

    try:
        parameters = [*inspect.signature(vars(np)[name]).parameters.values()]
    except (KeyError, TypeError, ValueError):
        return None
    named = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_POSITIONAL)
    places = [each.name for each in itertools.takewhile(lambda p: p.kind not in named, parameters)]
    return places.index("out") if "out" in places else None


def _is_place(node: ast.expr) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))


def over_itself(call: ast.Call) -> tuple[ast.Name, ast.Call] | None:
    """The array over which a function of each of its elements writes, and the function's call
    without that: the array keeps its shape and its dtype, or the call raises."""
    given = _operand(call, _Imported(ast.Module([], [])))
    if not (isinstance(given, ast.Name) and isinstance(call.func, ast.Attribute)):
        return None
    way = call.func.attr
    inputs = most_inputs(f"numpy.{way}") if way in _OF_ELEMENTS else None
    words = [word.arg for word in call.keywords if word.arg != "out"]
    read = [each for each in call.args[:inputs] if is_name(each, given.id)]
    if inputs is None or words or not read:
        return None
    return given, ast.copy_location(ast.Call(call.func, call.args[:inputs], []), call)


def _into(operand: ast.expr, statement: ast.Expr | ast.Assign, call: ast.Call) -> list[ast.stmt]:
    """The call's result, put into the array; what is bound to it is then that array."""
    whole = ast.copy_location(ast.Constant(...), operand)
    target = ast.copy_location(ast.Subscript(operand, whole, ast.Store()), operand)
    if _out_of(call) is operand:
        others = [word for word in call.keywords if word.arg != "out"]
        call = ast.copy_location(ast.Call(call.func, call.args, others), call)
    made: list[ast.stmt] = [ast.copy_location(ast.Assign([target], call), statement)]
    if isinstance(statement, ast.Assign):
        made.append(ast.copy_location(ast.Assign(statement.targets, operand), statement))
    return made


def _assignment(call: ast.Call) -> ast.stmt | None:
    if not isinstance(call.func, ast.Attribute) or call.keywords or not call.args:
        return None
    name, base = call.func.attr, call.func.value
    if name == "index_copy_" and isinstance(base, ast.Name) and len(call.args) == 3:
        return _index_copy(call, base)
    target = _place(base)
    if target is None or len(call.args) != 1:
        return None
    if name in ("copy_", "fill_"):
        return ast.Assign([target], call.args[0], lineno=call.lineno)
    if name in _OPERATORS:
        return ast.AugAssign(target, _OPERATORS[name], call.args[0])
    return None


def _place(base: ast.expr) -> ast.Subscript | None:
    """The part of an array that is written."""
    if isinstance(base, ast.Subscript) and isinstance(base.value, ast.Name):
        return ast.copy_location(ast.Subscript(base.value, base.slice, ast.Store()), base)
    if (
        isinstance(base, ast.Call)
        and isinstance(base.func, ast.Attribute)
        and base.func.attr == "select"
        and isinstance(base.func.value, ast.Name)
        and len(base.args) == 2
        and not base.keywords
    ):
        dim = _number(base.args[0])
        if dim is not None:
            return _at(base.func.value, dim, base.args[1], base, ast.Store())
    return None


def _number(node: ast.expr) -> int | None:
    """A small non-negative number."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int) and 0 <= node.value < 8:
        return int(node.value)
    return None


def _at(
    array: ast.expr, dim: int, index: ast.expr, place: ast.AST, context: ast.expr_context
) -> ast.Subscript:
    """``array[:, index]`` with ``dim`` full slices."""
    whole = [ast.Slice() for _ in range(dim)]
    items: list[ast.expr] = [*whole, index]
    for item in whole:
        ast.copy_location(item, place)
    subscript = items[0] if len(items) == 1 else ast.copy_location(
        ast.Tuple(items, ast.Load()), place
    )  # fmt: skip
    made = ast.Subscript(array, subscript, context)
    ast.copy_location(made, place)
    return made


def _index_copy(call: ast.Call, base: ast.Name) -> ast.stmt | None:
    dim, index = _number(call.args[0]), call.args[1]
    if dim is None or not (isinstance(index, ast.Call) and len(index.args) == 1):
        return None
    items = index.args[0]
    if not (
        isinstance(index.func, ast.Attribute)
        and index.func.attr in ("tensor", "as_tensor", "LongTensor")
        and isinstance(items, ast.List)
        and len(items.elts) == 1
    ):
        return None
    zero = ast.copy_location(ast.Constant(0), call)
    source = _at(call.args[2], dim, zero, call, ast.Load())
    target = _at(base, dim, items.elts[0], call, ast.Store())
    return ast.Assign([target], source, lineno=call.lineno)
