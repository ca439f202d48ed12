"""Shapes that a function states in words: jaxtyping annotations, lists of numbers, and lines of its
docstring or comments at its beginning such as ``x: (B, T, D)``. What they say is assumed, not
certain."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Literal

from auditor.lift.facts import Facts
from auditor.notation import Const, Symbol
from auditor.tree import everything_in

_JAXTYPING = re.compile(
    r"\b(?:Float|Int|UInt|Bool|Complex|Num|Inexact|Real|Integer|Shaped|BFloat)\w*"
    r"\[[\w.]+,\s*['\"]([^'\"]*)['\"]\]"
)
_LINE = re.compile(
    r"^[ \t]*(?:[:]param\s+|[-*]\s+)?`{0,2}(\w+)`{0,2}[ \t]*(?:\([^()]*\)[ \t]*)?[:=-]"
    r"(?:[ \t]*[^([\n]{0,40}?|\s*)r?[(\[]([^()\[\]]*)[)\]]",
    re.MULTILINE,
)
_LISTS = frozenset(
    ("list", "List", "tuple", "Tuple", "Sequence", "MutableSequence", "Iterable", "Collection")
)
_NUMBERS = frozenset(("int", "float", "bool", "complex"))
_JOINED = frozenset("str bytes bytearray list tuple dict set frozenset".split())
"""Types whose operators put together what they hold."""
# ``(N,) array_like, or float``
_OTHERWISE = re.compile(
    r"\bor\b[^\n]*(?:\b(?:float|int|scalar|number|list|tuple|sequence)s?\b|[(\[])"
    r"|\b(?:float|int|scalar|number|list|tuple|sequence)s?\b[^\n]*\bor\b",
    re.IGNORECASE,
)
_NO_SIZES = frozenset(
    ("tensor", "optional", "int", "float", "bool", "str", "default", "torch", "none", "array")
    + ("list", "tuple", "required", "ndarray", "dict", "string", "see", "the", "a", "an", "of")
    + ("or", "and", "if", "is", "in", "to", "for", "with", "not", "shape", "same", "as", "e", "g")
)


_COMMENT = re.compile(
    r"(?<![\w.])((?:\w+\s*(?:,|and|&)\s*)*\w+)(?:\s*[:=]\s*|\s+)(?:is\s+|of\s+)?(?:shape\s+)?"
    r"[(\[]([^()\[\]]*)[)\]]"
)
_NOTED = re.compile(r"#\s*[(\[]([^()\[\]]*)[)\]]")
# `q, k, v: (B, T, D)`, `points (N, 3), masses (N,)`, anywhere in a line.
_SAID = re.compile(
    r"(?<![\w.])`{0,2}((?:\w+`{0,2}\s*(?:,|/|and|&)\s*`{0,2})*\w+)`{0,2}"
    r"(\s*[:=]\s*|\s+(?:is|has|are|have|of|with)\s+|\s+)(?:(?:is|of|has|are|have)\s+)?(?:the\s+)?"
    r"(?:shapes?\s+)?[(\[]([^()\[\]]*)[)\]]"
)
# `pos is an N x 3 matrix`, `W: D x E`.
_TIMES = re.compile(
    r"(?<![\w.])`{0,2}(\w+)`{0,2}(?:\s*[:=]\s*|\s+(?:is|has|of)\s+)(?:an?\s+)?(?:shape\s+)?"
    r"((?:[A-Z]\w{0,3}|\d{1,5})(?:\s+x\s+(?:[A-Z]\w{0,3}|\d{1,5}))+)(?![\w.])"
)


def stated_shapes(facts: Facts, node: ast.FunctionDef, lines: list[str]) -> None:
    """Add what a function says of its parameters' shapes; ``lines`` are those of its file."""
    sizes: dict[str, Symbol] = {}
    names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    text = ast.get_docstring(node, clean=True) or ""
    spoken = _spoken(text) if any(mark in text for mark in ("(", "[", " x ")) else {}
    noted = _noted(node, lines)
    for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        written = ast.unparse(arg.annotation) if arg.annotation is not None else ""
        found = _JAXTYPING.search(written) if "[" in written else None
        depth = _nesting(arg.annotation) if "[" in written else None
        if _holds_joined(arg.annotation):
            facts.joined.add(arg.arg)
        if depth is not None:
            facts.of(arg.arg).rank = depth
            facts.listed.add(arg.arg)
            facts.assume(arg.arg, f"`{arg.arg}` is {written}, as its annotation says")
        elif found is not None:
            _annotated(facts, arg.arg, found.group(1).split(), sizes)
        elif arg.arg in {*spoken, *noted} and arg.arg in names and not _is_scalar(written):
            known = facts.of(arg.arg)
            if known.rank is None:
                where = "its docstring" if arg.arg in spoken else "a comment"
                sizes_ = spoken.get(arg.arg) or noted[arg.arg]
                known.rank = len(sizes_)
                facts.stated.add(arg.arg)
                axes = ", ".join(sizes_)
                facts.assume(arg.arg, f"`{arg.arg}` has the axes ({axes}), as {where} says")
                for position, size in enumerate(sizes_):
                    if size.isdigit():
                        facts.unify(Symbol(f"{arg.arg}.shape[{position}]"), Const(int(size)))


def _nesting(annotation: ast.expr | None) -> int | None:
    """How many lists deep the numbers of ``list[list[float]]`` lie; None for anything else."""
    depth, item = _item(annotation)
    return depth if depth and _is_number(item) else None


def _of_one_kind(annotations: list[ast.expr]) -> bool:
    """Whether all are the same number type: beside a float an array makes a float of a place."""
    return all(map(_is_number, annotations)) and len({ast.unparse(one) for one in annotations}) == 1


def _is_number(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id in _NUMBERS


def _holds_joined(annotation: ast.expr | None) -> bool:
    """Whether a text is annotated, or a list of what is no number: ``list[str | None]``."""
    depth, item = _item(annotation)
    if item is None:
        return False
    named = (or_none(item) or ast.unparse(item)).partition("[")[0].rpartition(".")[2].lower()
    return named in _JOINED if depth else named in ("str", "bytes")


def _item(annotation: ast.expr | None) -> tuple[int, ast.expr | None]:
    """How many lists deep the items of an annotation lie, and what it says of them."""
    depth, item = 0, unquoted(annotation)
    while isinstance(item, ast.Subscript) and _last(item.value) in _LISTS:
        inside = item.slice
        if isinstance(inside, ast.Tuple):
            if _last(item.value) in ("tuple", "Tuple") and _of_one_kind(inside.elts):
                return depth + 1, inside.elts[0]  # a row of so many numbers
            if len(inside.elts) != 2 or ast.unparse(inside.elts[1]) != "...":
                break
            inside = inside.elts[0]
        elif _last(item.value) in ("tuple", "Tuple"):
            break
        depth, item = depth + 1, unquoted(inside)
    return depth, item


def unquoted(annotation: ast.expr | None) -> ast.expr | None:
    """An annotation, one that is written as a text too."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            return ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return None
    return annotation


_CONTAINERS = _LISTS | frozenset(
    ("dict", "Dict", "Mapping", "MutableMapping", "set", "Set", "frozenset", "Iterator")
    + ("Generator", "deque", "Deque", "defaultdict", "OrderedDict", "Callable", "ArrayLike")
)


def in_container(annotation: ast.expr | None) -> bool:
    """Whether an annotation lets its name be a list, a dictionary or a function of what it
    mentions: a ``list[Tensor]`` has no methods of tensors."""
    annotation = unquoted(annotation)
    if annotation is None:
        return False
    return any(
        (isinstance(node, ast.Name) and node.id in _CONTAINERS)
        or (isinstance(node, ast.Attribute) and node.attr in _CONTAINERS)
        for node in everything_in(annotation)
    )


def taken_by_type(node: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, tuple[str, str]]:
    """The parameters that are taken for a float or an integer where another number is as welcome,
    each with its type and what says so: ``float`` accepts whole numbers, and a default without an
    annotation any."""
    args = node.args
    plain = [*args.posonlyargs, *args.args]
    given = dict(zip([arg.arg for arg in plain[::-1]], args.defaults[::-1], strict=False))
    alone = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    given |= {arg.arg: default for arg, default in alone if default is not None}
    found: dict[str, tuple[str, str]] = {}
    for arg in (*plain, *args.kwonlyargs):
        default = given.get(arg.arg)
        if isinstance(default, ast.UnaryOp):
            default = default.operand
        if arg.annotation is not None and "float" in (
            _last(arg.annotation),
            or_none(arg.annotation),
        ):
            found[arg.arg] = ("float", "annotation")
        elif arg.annotation is None and isinstance(default, ast.Constant):
            if type(default.value) in (int, float):
                found[arg.arg] = (type(default.value).__name__, "default")
    return found


def or_none(annotation: ast.expr | None) -> str | None:
    """The type that an annotation names besides None: ``float`` of ``float | None``, of
    ``Optional[float]`` and of ``Union[float, None]``; None where it names none or several."""
    if annotation is None:
        return None
    parts, waiting = set(), [annotation]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr):
            waiting += [part.left, part.right]
        elif isinstance(part, ast.Subscript) and _last(part.value) == "Union":
            waiting += part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
        elif isinstance(part, ast.Subscript) and _last(part.value) == "Optional":
            parts |= {"None", ast.unparse(part.slice)}
        else:
            parts.add(ast.unparse(part))
    rest = parts - {"None"}
    return rest.pop() if len(rest) == 1 < len(parts) else None


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def library_of(annotation: str) -> Literal["torch", "numpy"] | None:
    """The library of the arrays that an annotation speaks of."""
    if "Tensor" in annotation:
        return "torch"
    return "numpy" if "ndarray" in annotation or "NDArray" in annotation else None


def _is_scalar(annotation: str) -> bool:
    return annotation.split("[")[0] in ("int", "float", "bool", "str")


def _annotated(facts: Facts, name: str, words: list[str], sizes: dict[str, Symbol]) -> None:
    known = facts.of(name)
    if known.rank is not None:
        return
    open_ended = [word for word in words if word == "..." or word.lstrip("#").startswith("*")]
    shape = " ".join(words)
    if open_ended:
        return
    known.rank = len(words)
    facts.stated.add(name)
    facts.assume(name, f"`{name}` has the axes `{shape}`, as its annotation says")
    for position, word in enumerate(words):
        place = Symbol(f"{name}.shape[{position}]")
        size = word.split("=")[-1]
        if size.isdigit():
            facts.unify(place, Const(int(size)))
        elif size.isidentifier() and size != "_":
            if size in sizes:
                facts.unify(place, sizes[size])
            else:
                sizes[size] = place


# A function is read several times, and libraries hold many of them several times.
@lru_cache(maxsize=1 << 8)
def _spoken(text: str) -> dict[str, list[str]]:
    """The sizes that a docstring gives, by the name before them."""
    found: dict[str, list[str]] = {}
    for entry in _LINE.finditer(text):
        words = _sizes(entry[2])
        whole = text[entry.start() : text.find("\n", entry.end()) % (len(text) + 1)]
        if words is not None and _OTHERWISE.search(whole) is None:
            found.setdefault(entry[1], words)
    for line in text.splitlines():
        if _OTHERWISE.search(line) is not None:
            continue
        for names, between, inside in _SAID.findall(line):
            words = _sizes(inside)
            if words is not None and (between.strip() or all(map(_is_size, words))):
                for name in re.findall(r"\w+", names):
                    found.setdefault(name, words)
        for name, product in _TIMES.findall(line):
            found.setdefault(name, product.split()[::2])
    return found


def _is_size(word: str) -> bool:
    """Whether a word can hardly be another thing than a size, whatever stands before it."""
    return word.isdigit() or word[0].isupper()


def _sizes(inside: str) -> list[str] | None:
    """The names and numbers in brackets, where they are sizes."""
    parts = inside.split(",") if "," in inside else inside.split()
    words = [part.strip() for part in parts if part.strip()]
    plain = [re.fullmatch(r"[A-Za-z_]\w{0,15}|\d{1,5}", word) for word in words]
    alone = len(words) == 1 and "," in inside  # `(D,)`
    if not (alone or 2 <= len(words) <= 6) or not all(plain) or all(w.isdigit() for w in words):
        return None
    lower = (word.lower() if len(word) > 1 else word for word in words)
    return None if any(word in _NO_SIZES for word in lower) else words


def _noted(node: ast.FunctionDef, lines: list[str]) -> dict[str, list[str]]:
    """The sizes in the comments between the head of a function and its first statement: after
    names, or beside a parameter on a line of its own."""
    body = [s for s in node.body if not isinstance(s, ast.Expr) or s is not node.body[0]]
    last = body[0].lineno - 1 if body else node.lineno
    found: dict[str, list[str]] = {}
    args = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    for number in range(node.lineno, min(last, len(lines)) + 1):
        code, mark, comment = lines[number - 1].partition("#")
        if not mark or "'" in code or '"' in code:
            continue
        for names, inside in _COMMENT.findall(comment):
            words = _sizes(inside)
            for name in re.findall(r"\w+", names) if words is not None else ():
                found.setdefault(name, words or [])
        beside = [arg.arg for arg in args if arg.lineno == number]
        noted = _NOTED.match(mark + comment)
        words = _sizes(noted.group(1)) if noted is not None else None
        if len(beside) == 1 and words is not None:
            found.setdefault(beside[0], words)
    return found
