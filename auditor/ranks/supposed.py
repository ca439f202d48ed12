"""What is found besides where parameters of which nothing says how many axes they have are taken to
have as many as is usual, or as their uses suggest. No such fix is safe.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from auditor.findings import meet
from auditor.lift import Contradiction, Lifted, TooLarge
from auditor.lift.facts import Facts, Ground
from auditor.nests.lag_plan import may_lag
from auditor.ranks.guessed import Again, written
from auditor.tree import descendants, every_statement, everything_in
from auditor.verdict import Finding

# One number of axes for all, or for each what the uses in a function say.
_Ranks = int | Callable[[ast.AST, list[str]], dict[str, int]]
_PRODUCT = re.compile(r"@|mm\(|mul\(|dot\(|einsum\(")
_LAGS = re.compile(r"roll\(|(?:\[|: *)[^\]:\n]*\w *[-+] *[a-z_][^\]\n]*\]|\[\w+ *:\]")
_LAGGING = {"distances", "product"}
# What is given vectors, and what is given matrices.
_OF_VECTORS = frozenset("diag diagflat outer ger one_hot toeplitz circulant".split())
_OF_MATRICES = frozenset("matmul mm dot".split())
_POINTWISE = frozenset("sqrt rsqrt exp log abs square reciprocal sigmoid tanh softplus".split())
_TURNS = frozenset(("T", "mT", "t"))
_TURNING = frozenset(("t", "transpose", "swapaxes"))
_PRODUCTS = frozenset("matmul mm dot linear".split())
_DEEPEST = 8
_ALONG = frozenset(
    "sum mean amax amin max min norm argmax argmin softmax log_softmax logsumexp".split()
)
_WALKS = frozenset(("enumerate", "zip"))
_IDENTITY = frozenset(("eye", "identity"))
_LIBRARIES = frozenset(
    "torch np numpy torch.linalg np.linalg F nn.functional torch.nn.functional scipy.linalg".split()
)
_TOLD = ("SEP202", "SPA401")
"""What is told without a fix as well."""
_LONGEST = 40
_LOOSELY: frozenset[Ground | None] = frozenset(("product", "dot", "widest"))


def supposing(
    found: list[Finding], lifted: Lifted, again: Again, held: frozenset[str] | None
) -> list[Finding]:
    """What is found besides where the parameters whose number of axes nothing says have as many as
    is usual: a matrix of distances is made of a vector, and mostly multiplies one; a list of
    products of rows is made of matrices. ``held`` are the kinds of expressions that the function
    may have (None: any): it is read once more only where it may be one of these."""
    if isinstance(lifted.node, ast.Module) or _is_long(lifted.node):
        return []
    more: list[Finding] = []
    for ranks, codes in _tries(lifted, held):
        with suppress(Contradiction, TooLarge):
            if not again(ranks, False, codes)[1]:
                continue
            there = again(ranks, True, None)[1]
            more += [
                _supposed(one, ranks) for one in there
                if one.code in codes and (one.fix is not None or one.code in _TOLD)
                and not any(meet(one.span, o.span) for o in (*found, *more) if o in found or o.fix)
            ]  # fmt: skip
    return _fixes_first(more)


def _fixes_first(findings: list[Finding]) -> list[Finding]:
    """The fixes, and the advice where there is none, once."""
    kept = [one for one in findings if one.fix is not None]
    for one in findings:
        if not any(meet(one.span, other.span) for other in kept):
            kept.append(one)
    return kept


def _is_long(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function does so much that what is supposed of its parameters, all at once, would
    hardly be right."""
    return sum(1 for _ in every_statement(function.body)) > _LONGEST


def _tries(
    lifted: Lifted, held: frozenset[str] | None
) -> Iterator[tuple[dict[str, int], tuple[str, ...]]]:
    """Numbers of axes with what may be found with them."""
    facts, module = lifted.lifter.facts, lifted.module
    free = [name for name in lifted.parameters if _open(facts, name)]
    whole = module.source(lifted.node)
    loops = lifted.lifter.loops
    looped = "".join({loop.node: module.source(loop.node) for loop in loops}.values())
    if held is not None and (held >= _LAGGING or any(may_lag(one.node) for one in loops)):
        held |= {"lags"}
    tries: dict[tuple[tuple[str, int], ...], list[str]] = {}
    for rank, codes, kinds, hint in _USUAL:
        text = looped if "loop" in kinds else whole
        if not free or not (held is None or kinds <= held) or hint.search(text) is None:
            continue
        ranks = dict.fromkeys(free, rank) if isinstance(rank, int) else rank(lifted.node, free)
        if ranks:
            tries.setdefault(tuple(ranks.items()), []).extend(codes)
    for suggested, sought in tries.items():
        yield dict(suggested), tuple(sought)


def _open(facts: Facts, name: str) -> bool:
    """Whether nothing but a product or what it meets says how many axes a parameter has."""
    if name not in facts.known:
        return False
    known = facts.of(name)
    if name not in facts.assumptions:
        return known.rank is None and known.lead < 2 and not known.integer
    return name not in facts.stated and facts.grounds.get(name) in (*_LOOSELY, "single")


def _suggested(function: ast.AST, names: list[str]) -> dict[str, int]:
    """The numbers of axes that the uses of arrays suggest: a diagonal is made of a vector, what is
    multiplied or turned is a matrix. Of what is only counted, one; what meets others in the operand
    of a reduction has as many axes as that counts."""
    made = _made_in(function)
    found: dict[str, int] = {}
    for uses in (_subscripted, _used, _counted):
        said: dict[str, int] = {}
        for node in descendants(function):
            beside = _beside_rows(node, made) if uses is _used else ()
            for part, rank in (*uses(node), *beside):
                for name in _leading(part, made, uses is _subscripted):
                    if name in names and name not in found:
                        said[name] = min(rank, said.get(name, rank))
        found |= said
    return found


def _made_in(function: ast.AST) -> dict[str, ast.expr]:
    """What names are bound to."""
    return {
        node.targets[0].id: node.value for node in descendants(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }  # fmt: skip


def _walked(function: ast.AST, names: list[str]) -> dict[str, int]:
    """What loops take row by row has two axes where they fill a table of all pairs of them."""
    loops = [node for node in descendants(function) if isinstance(node, ast.For)]
    bound = {name.id for loop in loops for name in descendants(loop.target)
             if isinstance(name, ast.Name)}  # fmt: skip
    walked: list[ast.AST] = []
    for loop in loops:
        over = loop.iter
        walked += over.args if isinstance(over, ast.Call) and _called(over) in _WALKS else [over]
    walked += [
        node.value for node in descendants(function)
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Name) and node.slice.id in bound
    ]  # fmt: skip
    return {node.id: 2 for node in walked if isinstance(node, ast.Name) and node.id in names}


def _leading(part: ast.expr, made: Mapping[str, ast.expr], products: bool) -> Iterator[str]:
    """The names of the arrays whose axes an operand has: those that it was made of, the left one
    of a product where ``products`` are looked into."""
    if isinstance(part, ast.Name):
        yield part.id
        if part.id in made:
            others = {name: value for name, value in made.items() if name != part.id}
            yield from _leading(made[part.id], others, products)
    elif isinstance(part, ast.BinOp) and not isinstance(part.op, ast.MatMult):
        yield from _leading(part.left, made, products)
        yield from _leading(part.right, made, products)
    elif isinstance(part, ast.Call) and _called(part).rpartition(".")[2] in _POINTWISE:
        for operand in _operands(part)[:1]:
            yield from _leading(operand, made, products)
    elif products and isinstance(part, ast.BinOp):
        yield from _leading(part.left, made, products)
    elif products and isinstance(part, ast.Call) and _called(part) in _OF_MATRICES:
        for operand in _operands(part)[:1]:
            yield from _leading(operand, made, products)


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)


def _operands(node: ast.Call) -> list[ast.expr]:
    """What a function of a library, or a method, is given."""
    function = node.func
    if isinstance(function, ast.Attribute) and ast.unparse(function.value) not in _LIBRARIES:
        return [function.value, *node.args]
    return node.args


def _items(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _subscripted(node: ast.AST) -> Iterator[tuple[ast.expr, int]]:
    """What has a place or slice for each of its axes."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        said = [ast.unparse(item) for item in _items(node)]
        yield node.value, sum(item not in ("None", "...", "np.newaxis") for item in said)


def _used(node: ast.AST) -> Iterator[tuple[ast.expr, int]]:
    """Operands with as many axes as such operands mostly have."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield from ((node.left, 2), (node.right, 2))
    elif isinstance(node, ast.Attribute) and node.attr in _TURNS:
        yield node.value, 2
    elif isinstance(node, ast.Subscript):
        if isinstance(node.value, ast.Call) or isinstance(node.slice, ast.Tuple):
            yield from ((item, 1) for item in _items(node))
    elif isinstance(node, ast.Call) and (operands := _operands(node)):
        called, number = _called(node), _dimension(node)
        if called in _OF_VECTORS:
            yield from ((operand, 1) for operand in operands[:2])
        elif called in _OF_MATRICES:
            yield from ((operand, 2) for operand in operands[:2])
        elif called in _ALONG and number > 0:
            yield operands[0], number + 1
        elif called == "linear":
            yield from ((operand, 2) for operand in operands[1:2])


def _beside_rows(node: ast.AST, made: Mapping[str, ast.expr]) -> Iterator[tuple[ast.expr, int]]:
    """Places that rows of an identity matrix are taken at, or that are scattered to as a column,
    and what is multiplied, element by element, with one-hot vectors, one for each place, or with
    an identity, of which it becomes the diagonal, and what is compared with all places as a
    column."""
    if isinstance(node, ast.Subscript) and _called_as(node.value, made) in _IDENTITY:
        yield from ((item, 1) for item in _items(node))
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            called = _called_as(one, made)
            if called == "one_hot" or called in _IDENTITY:
                yield other, 2 if called == "one_hot" else 1
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq):
        for one, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            if _called_as(other, made) == "arange" and (column := _in_a_column(one)) is not None:
                yield column, 1
    elif isinstance(node, ast.Call) and _called(node).rstrip("_") == "scatter":
        for column in node.args[1:2]:
            if isinstance(column, ast.Call) and _called(column) == "unsqueeze":
                yield from ((_operands(column)[0], rank) for rank in _places(column))


def _updated(function: ast.AST, names: list[str]) -> dict[str, int]:
    """The numbers of axes that uses suggest where something is multiplied with a sum of a product
    and something else; what scales the product is a number, most likely."""
    made = _made_in(function)
    scales = set[str]()
    for node in descendants(function):
        for operand in _multiplied(node):
            whole = _without_turns(operand, made)
            if isinstance(whole, ast.BinOp) and isinstance(whole.op, (ast.Add, ast.Sub)):
                for side in (whole.left, whole.right):
                    found = _scaled(side, made)
                    if found is not None:
                        scales |= {*found, ""}
    if not scales:
        return {}
    return {name: rank for name, rank in _suggested(function, names).items() if name not in scales}


def _multiplied(node: ast.AST) -> list[ast.expr]:
    """The operands of a product of matrices."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return [node.left, node.right]
    if isinstance(node, ast.Call) and _called(node).rpartition(".")[2] in _PRODUCTS:
        return _operands(node)
    return []


def _without_turns(node: ast.expr, made: Mapping[str, ast.expr]) -> ast.expr:
    """What an operand is made of, through names and transposes."""
    for _ in range(_DEEPEST):
        if isinstance(node, ast.Attribute) and node.attr in _TURNS:
            node = node.value
        elif isinstance(node, ast.Call) and _called(node) in _TURNING and _operands(node):
            node = _operands(node)[0]
        elif isinstance(node, ast.Name) and node.id in made:
            node = made[node.id]
    return node


def _scaled(node: ast.expr, made: Mapping[str, ast.expr]) -> set[str] | None:
    """The names that a product of matrices is scaled with; None where it is none."""
    node = _without_turns(node, made)
    if _multiplied(node):
        return set()
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
        for side, scale in ((node.left, node.right), (node.right, node.left)):
            if _multiplied(_without_turns(side, made)):
                return {each.id for each in everything_in(scale) if isinstance(each, ast.Name)}
    return None


def _in_a_column(node: ast.expr) -> ast.expr | None:
    """``x`` of ``x.unsqueeze(-1)`` and ``x[..., None]``."""
    if isinstance(node, ast.Call) and _called(node) == "unsqueeze":
        return _operands(node)[0]
    if isinstance(node, ast.Subscript) and ast.unparse(_items(node)[-1]) in ("None", "np.newaxis"):
        return node.value
    return None


def _places(column: ast.Call) -> list[int]:
    """The axes before one that is inserted, by its number."""
    return [each.value for each in column.args if isinstance(each, ast.Constant)
            and isinstance(each.value, int) and each.value > 0]  # fmt: skip


def _called_as(node: ast.expr, made: Mapping[str, ast.expr]) -> str:
    """What made a value, conversions aside."""
    if isinstance(node, ast.Name):
        others = {name: value for name, value in made.items() if name != node.id}
        return _called_as(made[node.id], others) if node.id in made else ""
    if not isinstance(node, ast.Call):
        return ""
    converts = _called(node) in ("to", "float", "double", "type", "type_as")
    if converts and isinstance(node.func, ast.Attribute):
        return _called_as(node.func.value, made)
    return _called(node).rpartition(".")[2]


def _counted(node: ast.AST) -> Iterator[tuple[ast.expr, int]]:
    """What the length is asked of."""
    if isinstance(node, ast.Call) and _called(node) == "len":
        yield from ((operand, 1) for operand in node.args)


def _dimension(node: ast.Call) -> int:
    """The axis that a reduction names by its number from the front; 0 where it names none."""
    named = [word.value for word in node.keywords if word.arg in ("dim", "axis")]
    for each in (*named, *node.args):
        if isinstance(each, ast.Constant) and isinstance(each.value, int):
            return each.value
    return 0


def _supposed(finding: Finding, ranks: Mapping[str, int]) -> Finding:
    named = [name for name in ranks if written(finding, name)] or [*ranks]
    said = [f"`{n}` has {ranks[n]} {'axis' if ranks[n] == 1 else 'axes'}" for n in named]
    if finding.fix is None:
        return replace(finding, message=f"{finding.message}, if {' and '.join(said)}")
    doubt = f"nothing says that {' and '.join(said)}: with others the result may differ"
    return replace(finding, fix=finding.fix.doubted(doubt))


# Numbers of axes that are usual where a function may make a matrix of distances, a list or a
# table of products, and those that uses suggest: reading it once more is not done for nothing.
_USUAL: tuple[tuple[_Ranks, tuple[str, ...], set[str], re.Pattern[str]], ...] = (
    (
        1, ("SYM603", "SYM604"), _LAGGING,
        re.compile(
            r"\b(?:roll|outer|toeplitz|circulant)\(|(?:\bNone\]|unsqueeze\(-?\d\)|\)) *- \D"
            r"|%[^\n]*\]|\[[^\]\n]* - [^\]\n\d][^\]\n]*\]"
        ),
    ),
    (1, ("SYM603", "SYM604"), {"listed"}, _LAGS),
    (1, ("SYM604",), {"loop", "lags"}, _LAGS),
    (1, ("SYM603",), {"loop", "lags", "product"}, re.compile(r"%[^\n]*\]|% *\w")),
    (1, ("LOC308", "LOC309"), {"windows"}, re.compile(r"sliding_window_view\(")),
    (2, ("SYM602", "LOC301"), {"listed"}, re.compile(r"(?:array|stack)\(\s*\[")),
    (_walked, ("LOC301", "LOC306"), {"loop"}, re.compile(r"[\]\w](?:, *|\]\[)\w+\] *\+?=[^=]")),
    (2, ("ASC104",), {"loop"}, re.compile(r"logaddexp|(?:min|max)imum\(|clamp|clip\(| / ")),
    (2, ("ASC109", "LOC304"), {"softmax", "loop"}, _PRODUCT),
    (2, ("ASC109", "LOC304"), {"exponential", "loop"}, _PRODUCT),
    (1, ("ASC105",), {"prefixes"}, re.compile(r"(?:sum|max|min|mean|prod)\(")),
    (_suggested, ("SPA402",), {"diagonal"}, re.compile(rf"{_PRODUCT.pattern}|linear\(")),
    (_suggested, ("SPA402",), {"identity", "product"}, re.compile(r"\*|\bmul")),
    (_suggested, ("SPA401",), {"one-hot"}, re.compile(rf"{_PRODUCT.pattern}|sum\(")),
    (_suggested, ("SPA401",), {"identity"}, re.compile(r"\)\[|\][ \t]*@|@[ \t]*\w+\[")),
    (_suggested, ("SPA401",), {"cells"}, re.compile(r"arange\(")),
    (_suggested, ("SPA401",), {"matched"}, re.compile(r"unsqueeze\(-1\)|None\]")),
    (_suggested, ("SPA406",), {"matched"}, re.compile(r"(?:unsqueeze|sum)\(|None\]")),
    (_suggested, ("LOC301",), {"spread"}, re.compile(r"\bsum\(")),
    (_suggested, ("SEP202",), {"product"},
     re.compile(r"\+[^\n]*(?:@|(?:outer|mm|mul)\()|\+=[^\n]*@")),
    (_updated, ("SEP202",), {"products"}, re.compile(r"[-+] \w+\b(?! *[*@])")),
    (_suggested, ("RED506",), {"root", "extremum"}, re.compile("m(?:ax|in)|argsort|topk")),
    (_suggested, ("RED506",), {"norm", "extremum"}, re.compile("m(?:ax|in)|argsort|topk")),
    (_suggested, ("RED509",), {"part"}, _PRODUCT),
    (_suggested, ("RED509",), {"trace"}, _PRODUCT),
    (_suggested, ("RED509",), {"paired"}, _PRODUCT),
)  # fmt: skip
