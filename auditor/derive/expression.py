"""Scalar terms as Python expressions."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable

from auditor.notation import Apply, Const, Read, Term, Value
from auditor.tree import replaced

_INFIX = {
    "or": ("or", 1), "and": ("and", 2),
    "eq": ("==", 4), "ne": ("!=", 4), "lt": ("<", 4), "le": ("<=", 4), "gt": (">", 4),
    "ge": (">=", 4), "is": ("is", 4),
    "bitor": ("|", 5), "union": ("|", 5), "bitxor": ("^", 6), "xor": ("^", 6), "bitand": ("&", 7),
    "shl": ("<<", 8), "add": ("+", 9), "concat": ("+", 9), "joined": ("+", 9), "sub": ("-", 9),
    "mul": ("*", 10), "repeat": ("*", 10), "div": ("/", 10), "floordiv": ("//", 10),
    "mod": ("%", 10), "matmul": ("@", 10), "common": ("&", 7), "pow": ("**", 12),
}  # fmt: skip
_CALLS = {
    "max": "max", "min": "min", "abs": "abs", "exp": "math.exp", "log": "math.log",
    "sqrt": "math.sqrt", "gcd": "math.gcd", "lcm": "math.lcm",
    "logaddexp": "logaddexp", "index": "operator.index",
}  # fmt: skip
_IFEXP, _NOT, _UNARY, _ATOM = 0, 3, 11, 14

Spelling = Callable[[Value], str]


def own_name(value: Value) -> str:
    return value.name


def source(term: Term, spell: Spelling = own_name) -> str:
    """``term`` as a Python expression; ``spell`` says how a value is written."""
    return _text(term, spell)[0]


def _text(term: Term, spell: Spelling) -> tuple[str, int]:
    if isinstance(term, Const):
        return _constant(term.value)
    if isinstance(term, Read):
        text = spell(term.value)
        return text, _ATOM if _closed(text) else _IFEXP
    if not isinstance(term, Apply):
        raise TypeError(f"no scalar: {term}")
    op, args = term.op, term.args
    if op == "where":
        return _choice(args, spell)
    if op == "not":
        inner = args[0]
        if isinstance(inner, Apply) and inner.op == "is":
            left = _wrapped(inner.args[0], 5, spell)
            return f"{left} is not {_wrapped(inner.args[1], 5, spell)}", 4
        return f"not {_wrapped(inner, _NOT, spell)}", _NOT
    if op == "neg":
        return f"-{_wrapped(args[0], _UNARY, spell)}", _UNARY
    if op in ("max", "min"):
        inside = ", ".join(source(arg, spell) for arg in _flat(op, args))
        return f"{op}({inside})", _ATOM
    if op in _CALLS:
        return f"{_CALLS[op]}({', '.join(source(arg, spell) for arg in args)})", _ATOM
    if op == "add" and len(args) == 2 and isinstance(args[1], Apply) and args[1].op == "neg":
        right = _wrapped(args[1].args[0], 10, spell)
        return f"{_wrapped(args[0], 9, spell)} - {right}", 9
    if op.startswith("call:"):
        text = filled(op[5:], [source(arg, spell) for arg in args])
        return text, _ATOM if _closed(text) else _IFEXP
    if op not in _INFIX:
        return _of_array(op, [source(arg, spell) for arg in args]), _ATOM
    sign, level = _INFIX[op]
    if op == "pow":
        return f"{_wrapped(args[0], 13, spell)} ** {_wrapped(args[1], 12, spell)}", level
    # comparisons do not chain; of the others the right side binds tighter
    first = level + 1 if level == 4 else level
    rest = level if op in ("and", "or") else level + 1
    parts = [_wrapped(args[0], first, spell), *(_wrapped(a, rest, spell) for a in args[1:])]
    return f" {sign} ".join(parts), level


def _of_array(op: str, parts: list[str]) -> str:
    """What is done to carried arrays, in words: no monoid has that in it."""
    word, *numbers = op.split(":")
    if word == "total":
        return f"{numbers[0]}({parts[0]}, axis={numbers[1]})"
    if word == "expand":
        return f"expand_dims({parts[0]}, {numbers[0]})"
    return f"{'transpose' if word == 'swapped' else word}({', '.join(parts)})"


def filled(text: str, parts: list[str]) -> str:
    """An opaque expression with its holes ``_0``, ``_1``, ... filled in."""
    tree = ast.parse(text, mode="eval")
    by = {f"_{n}": ast.parse(part, mode="eval").body for n, part in enumerate(parts)}

    def part(node: ast.AST) -> ast.expr | None:
        return by.get(node.id) if isinstance(node, ast.Name) else None

    return ast.unparse(replaced(tree, part))


def _choice(args: tuple[Term, ...], spell: Spelling) -> tuple[str, int]:
    condition, then = (_wrapped(arg, 1, spell) for arg in args[:2])
    return f"{then} if {condition} else {source(args[2], spell)}", _IFEXP


def _flat(op: str, args: tuple[Term, ...]) -> list[Term]:
    out: list[Term] = []
    for arg in args:
        if isinstance(arg, Apply) and arg.op == op:
            out += _flat(op, arg.args)
        elif arg not in out:
            out.append(arg)
    return out if len(out) > 1 else list(args)


def _wrapped(term: Term, level: int, spell: Spelling) -> str:
    text, own = _text(term, spell)
    return text if own >= level else f"({text})"


def _constant(value: object) -> tuple[str, int]:
    if isinstance(value, float) and math.isinf(value):
        return ("math.inf", _ATOM) if value > 0 else ("-math.inf", _UNARY)
    text = repr(value)
    return text, _UNARY if text.startswith("-") else _ATOM


def _closed(text: str) -> bool:
    """Can the text stand under any operator without brackets?"""
    if text.isidentifier():
        return True
    node = ast.parse(text, mode="eval").body
    return isinstance(node, (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.Constant,
                             ast.List, ast.Dict, ast.Set))  # fmt: skip
