"""What the words of a function say about the expressions that may be in it.

A name counts wherever it stands, as a call, an attribute or a string. What a function uses of its
file counts as well: another function, a constant, an attribute that is kept somewhere, by whatever
name it was imported.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from auditor.lift.invocation import may_be_read
from auditor.lift.module import Module
from auditor.tree import descendants

_WORD = re.compile(r"[^\W\d]\w*")


class _Where:
    """A pattern that is looked for only where one of some texts is, which is found at once."""

    def __init__(self, needs: tuple[str, ...], pattern: str, flags: int = 0) -> None:
        self._needs, self._pattern = needs, re.compile(pattern, flags)

    def search(self, text: str) -> re.Match[str] | None:
        return self._pattern.search(text) if self._may(text) else None

    def findall(self, text: str) -> list[str]:
        return self._pattern.findall(text) if self._may(text) else []

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._pattern.finditer(text) if self._may(text) else iter(())

    def _may(self, text: str) -> bool:
        return any(need in text for need in self._needs)


KINDS = {
    "exponential": re.compile(r"sumexp|addexp|expit|^_?exp(?:2|m1)?_?$", re.IGNORECASE),
    "softmax": re.compile(r"soft|sigmoid|entropy", re.IGNORECASE),
    "logarithm": re.compile(r"^_?log(?:2|10|1p)?_?$"),
    "wave": re.compile(r"^(?:exp|cos|sin)$"),
    "root": re.compile(r"sqrt|^(?:std|var|std_mean|var_mean|pow|power|float_power)_?$"),
    "norm": re.compile(r"^(?:vector_)?norm$"),
    "moments": re.compile(r"^(?:mean|sum|v?dot)$"),
    "windows": re.compile(r"^(?:unfold|sliding_window_view)$"),
    "sums": re.compile(
        r"sum|mean|average|norm|dot|inner|einsum|matmul|linear|reduce|pool|conv|loss|similarity"
        r"|(?:^|_)(?:std|var|b?mm|mv|cov|trace)(?:_|$)",
        re.IGNORECASE,
    ),
    "ordered": re.compile(
        r"^(?:tri(?:[lu](?:_indices)?)?|a?range|[mo]grid|indices|fromfunction)_?$"
    ),
    "order": re.compile(r"sort|topk|heap|nlargest|nsmallest|partition"),
    "products": re.compile(
        r"^(?:matmul|b?mm|mv|v?dot|inner|outer|einsum|tensordot|linear|bilinear|kron|baddbmm"
        r"|add\w*m[mv]|multi_dot|chain_matmul|matrix_power|sum|reduce|convolve|correlate)_?$"
    ),
    "repetition": re.compile(r"^(?:reduce|multi_dot|prod)$"),
    "extremum": re.compile(r"^(?:(?:arg|a)?(?:max|min)|topk|argsort|kthvalue)$"),
    "inverse": re.compile(r"^(?:inv|inverse|matrix_power)$"),
    "solution": re.compile(r"^solve$"),
    "identity": re.compile(r"^(?:eye|identity)$"),
    "diagonal": re.compile(r"^diag(?:_embed|flat|_indices|_indices_from)?$|^fill_diagonal_?$"),
    "trace": re.compile(r"^(?:trace|diag|diagonal)$"),
    "fused": re.compile(r"^scaled_dot_product_attention$"),
    "part": re.compile(r"(?!)"),  # no word says so
    "one-hot": re.compile(r"^(?:one_hot|scatter_?)$"),
    "filter": re.compile(r"^(?:conv2d|convolve(?:2d)?|correlate(?:2d)?)$"),
    "distances": re.compile(
        r"^(?:arange|[mo]grid|indices|roll|outer|toeplitz|circulant|convolve|correlate|tile)$"
    ),
}
# Most words are none of these, which one search says.
_ANY = re.compile(
    "|".join(f"(?{'i' * bool(p.flags & re.IGNORECASE)}:{p.pattern})" for p in KINDS.values())
)
# What has to stand beside the words: items that are repeated, a matrix that is made.
_BESIDE = {
    "repetition": re.compile(r"[\])]\s*\*|\*\s*[\[(]|repeat|\bfor\b"),
    "identity": re.compile(r"\beye\(|\.identity\("),
}
# Operators; a power with a literal exponent is no exponential. (A pattern for each way to say it:
# of several in one, each would be tried at every character.)
_TIMES_SIGN = ("@", "mm(", "mul(", "dot(", "linear(", "outer(")
_MAY_SIGN = (*_TIMES_SIGN, "**", "einsum", "pow")
_SIGNS = {
    "exponential": (
        _Where(("**",), r"[\w\])][ \t]*\*\*[ \t]*(?!-[ \t]*[\d.])[^\d\s]"),
        _Where(("pow",), r"\bpow(?:er)?_?\((?!(?:[^(),]*,)?[ \t]*-?[\d.]+[ \t]*\))"),
    ),
    "root": (_Where(("**",), r"\*\*[ \t]*[(-]*[ \t]*(?:0?\.5|1[ \t]*/[ \t]*2)"),),
    # a place, a sum or an average of a product, or of the name that some line before gives it
    "part": (
        _Where(("@",), r"@[^\n]*\)(?:\[|\.(?:sum|mean)\()"),
        _Where(
            _TIMES_SIGN[1:],
            r"(?:mm|mul|dot|linear|outer)\([^\n]*\)(?:\[|\.(?:sum|mean)\()",
        ),
        _Where(("sum(", "mean("), r"\b(?:sum|mean)\([^\n]*(?:@|(?:mm|mul|dot|linear|outer)\()"),
        _Where(
            _TIMES_SIGN,
            r"\n[ \t]*(\w+)[ \t]*=[^\n]*(?:@|(?:mm|mul|dot|linear|outer)\()[^\n]*\n"
            r"(?:[^\n]*\n){0,3}?"
            r"[^\n]*(?:\b\1(?:\[|\.(?:sum|mean)\()|\b(?:sum|mean)\([ \t]*\1\b)",
        ),
    ),
    # one operand with an index that stands twice
    "trace": (_Where(("einsum(",), r"einsum\(\s*[\"'][\s.\w]*([a-zA-Z])\s*\1\s*(?:->|[\"'])"),),
    "sums": (_Where(("@",), r"[\w\])]\s*@"),),
}
# Of these it matters how many there are.
_PRODUCTS = (
    _Where(("@",), r"[\w\])]\s*@"),
    _Where(("einsum(",), r"einsum\(\s*[\"'][^\"',]*,[^\"',]*,"),
)
# Two matrices of an object multiplied, and a layer of what another one gives.
_PAIR = re.compile(
    r"self\.\w+(?:\.weight)?(?:\.m?T|\.t\(\))?\s*@\s*self\.\w+"
    r"|m(?:at)?mm?(?:ul)?\(\s*self\.\w[^,()]*,\s*self\.\w"
)
_NESTED = re.compile(r"self\.(\w+)\(\s*self\.(\w+)\(")
_IN_TURN = re.compile(
    r"\n[ \t]*(\w+)[ \t]*=[ \t]*self\.(\w+)\([^\n]*\n"
    r"\s*(?:\w+[ \t]*=|return)[ \t]*self\.(\w+)\([ \t]*\1[ \t]*\)"
)
# A place, a sum or an average of what a layer gives, or of the name that some line before gives
# that. (One pattern each: what begins with a text that is rare is found at once.)
_ROWS_OF = (
    re.compile(r"self\.(?P<layer>\w+)\([^\n]*\)(?:\[|\.(?:sum|mean)\()"),
    _Where(("sum(", "mean("), r"\b(?:sum|mean)\([ \t]*self\.(?P<layer>\w+)\("),
    re.compile(
        r"\n[ \t]*(?P<of>\w+)[ \t]*=[ \t]*self\.(?P<layer>\w+)\([^\n]*(?=\n(?:[^\n]*\n){0,3}?"
        r"[^\n]*(?:\b(?P=of)(?:\[|\.(?:sum|mean)\()|\b(?:sum|mean)\([ \t]*(?P=of)\b))"
    ),
)
_LINEAR = re.compile(r"self\.(\w+)\s*(?::[^=\n]*)?=\s*(?:\w+\.)*Linear\(")
# What chooses modules of a list: places of the best scores, or what is compared with a number.
_ROUTES = re.compile(
    r"(?:topk|argmax|max|one_hot|scatter(?:_add)?_?|where)\(|==[^\n]*\)\.(?:sum|float|to|any)\("
)
_TRIANGLE = re.compile(r"\btri(?:[lu]|\()|arange\(|mask|(?:tensor|array)\((?:list\()?range\(")
# Powers of distances, which a method of the file may make a matrix of.
_POWERS = _Where(("**", "pow("), r"(?:\*\* ?\(|\bpow\([^,\n]+, ?)\w+(?:\[[^\]\n]*\])? ?- ?\w+")
_CUT = (
    _Where(("tril", "triu"), r"\btri[lu]\b"),
    _Where(("block_diag(",), r"\bblock_diag\("),
    _Where(("//",), r"//[^\n]*(?:\n[^\n]*){0,3}=="),
    _Where(("* self.",), r"\* self\.\w*(?:mask|tri)\w*"),
)
# A cell that is written, of every row: where a range says which.
_CELL = re.compile(r"\[[^:\n]*,[^:\n]*\][ \t]*=[^=]")
# An increasing function, and something that is compared.
_INCREASES = re.compile(r"(?:sigmoid|sqrt|norm|exp|log)_?\(")
_COMPARES = re.compile(r"[\w)\]] *[<>]=? *[\w(.]")
# What gives zeros and ones, a name behind or before a sign of multiplication, and what is a name's.
_TRUTHS = re.compile(r"(?<!-)[<>]|[!=]=|tri[lu]\(|one_hot\(|\bbool\b|isin|isnan|logical_")
# (Both patterns begin with the sign, which is found at once: what stands before it is looked for in
# the text read backwards.)
_FACTOR_BEFORE = re.compile(r"\*(?<!\*\*) *(\w*[^\W\d])(?!\w)")
_FACTOR_BEHIND = re.compile(r"\*(?<!\*\*) *([^\W\d]\w*)")
_MADE_FROM = re.compile(r"^[ \t]*(\w+)(?:[ \t]*:[^=\n]+)?[ \t]*=[ \t]*(?!=)([^\n]*)", re.MULTILINE)
_WORD = re.compile(r"[^\W\d]\w*")
# Arrays that are spread over rows or columns, and a product.
_SPREAD = re.compile(
    r"\bNone\b[^\]\n]*\]|\bnewaxis\b|unsqueeze\(|expand_dims\("
    r"|(?:view|reshape)\((?:[^()\n]*,)?[ (]*1 *[,)]"
)
_TIMES = re.compile(r"[^*(,\s]\s*\*\s*[^*\s]|\bmul(?:tiply)?\(")
# Places that are compared with all that there are.
_MATCHED = re.compile(r"==|\b(?:eq|equal)\(")
# A sparse matrix made dense, a mask on a weight, a ReLU in a product, a large table.
_DENSE = ("to_dense(", "toarray(", "todense(", "block_diag(")
_STORED = (*_DENSE, "relu(", "Embedding", "* self.", "*self.")
_ZEROS = (
    _Where(
        _DENSE,
        r"\b(?:to_dense|toarray|todense|block_diag)\(",
    ),
    _Where(_STORED, r"self\.\w+[^\n]{0,20}\*[ \t]*self\.\w+"),
    _Where(("relu(",), r"relu\([^\n]*(?:@|\n[^\n]*@)"),
    _Where(_STORED, r"m\([^\n]*relu"),
    _Where(("Embedding",), r"Embedding(?:Bag)?\([^\n]{0,16}\d[\d_]{5}"),
    _Where(("eye(", "diag("), r"(?:eye|diag)\([^\n]*(?:k ?=|, ?-?\d)"),
    _Where(
        ("zeros(",),
        r"= \w+\.zeros\([^\n]*,[^\n]*\n(?:[^\n]*\n){0,5}?[^\n]*"
        r"(?:\w\[[^\n:]+,[^\n:]+\] \+?=|add\.at\(|index_put_\()",
    ),
)
# A comprehension that reads at a sum, difference or remainder of places.
_APART = re.compile(
    r"\[[^\[\]\n]*\w[ \t]*[-+][ \t]*\w[^\[\]\n]*\][^\n]*(?:\n[^\n]*){0,2}?\bfor [^\n]*[^:\s]$",
    re.MULTILINE,
)
# A list that is made an array, which a comprehension or the steps of a loop fill.
# (Each begins with the bracket, which is found at once.)
_JOINS = "array stack hstack cat concat concatenate".split()


def _called(names: list[str], given: str) -> str:
    """A call of one of the functions with what is ``given``, from its bracket on."""
    before = "|".join(rf"(?<=\b{name}\()" for name in names)
    return rf"\((?={given})(?:{before})"


_LISTED = re.compile(
    _called(_JOINS, r"\s*\[") + r"\s*\[[^\n]*(?:\n[^\n]*){0,3}?\bfor [^\n]*[^:\s]$", re.M
)
_FILLED = re.compile(_called(["asarray", *_JOINS], r"\s*[A-Za-z_]\w* *[,)]"))
_FILLS = re.compile(r"\.append\(|= \[[^\n]*(?:\n[^\n]*){0,3}?\bfor ")
# A window that is folded; a list of lists of sums.
_SLID = re.compile(r"\((?<=\w\()\s*\w+\[[^\[\]\n]*(?:[-+][^\[\]\n]*:|:[^\[\]\n]*[-+])[^\[\]\n]*\]")
# A list of sums over another range.
_SUMMED = re.compile(r"\[\s*[\w.(]*\b(?:sum|dot)\([^\n]*(?:\n[^\n]*){0,3}?\bfor ")
_TABLE = re.compile(r"\[\s*\[[^\n]*(?:\n[^\n]*){0,3}?\bsum\(")
_ADDS = re.compile(r"@|(?:dot|sum|mean|reduce|inner|einsum|mv|matmul)\(")
_PRODUCT = re.compile(r"@|(?:einsum|mm|matmul|linear|dot)\(")
_MULTIPLIES = re.compile(r"@|(?:einsum|mm|matmul|linear)\(")
# An axis that is inserted near a difference.
_INSERTED = (
    r"(?:\bNone\b[^\n=]*\]|\bnewaxis\b|unsqueeze\(|expand_dims\("
    r"|(?:view|reshape)\((?:[^()\n]*,)?[ (]*1 *[,)])"
)
_PAIRS = (
    _Where(("- ", "-\n", "-\t"), rf"\s-\s[^\n]*(?:\n[^\n]*)?{_INSERTED}"),
    _Where(("- ", "-\n", "-\t"), rf"{_INSERTED}[^\n]*(?:\n[^\n]*){{0,3}}?\s-\s"),
    _Where((".T - ",), r"\b(\w+)\.T - \1\b"),
    _Where((".T",), r"\b(\w+) - \1\.T\b"),
)
_SUMS = re.compile(r"\b(?:sum|mean|norm|einsum)\(")
# A part of an array up to a place, or from one on, that a loop or a comprehension moves.
_PREFIX = re.compile(
    r":[ \t]*\w+[ \t]*\+[ \t]*1[ \t]*[\],]|\[(?:[^\[\]\n]*,[ \t]*)?[a-z_]\w*[ \t]*:[ \t]*[\],]"
)
# A part of an array that moves with a step as a whole: ``x[:, k : k + n]``.
_SHIFTED = re.compile(r"\b([a-z_]\w*)[^\[\],:\n]{0,24}:[^\[\],:\n]{0,24}?\b\1\b[^\[\],:\n]*[,\]]")
# Two axes that one list of places subscripts.
_PAIRED = re.compile(r"\[([^\[\],\n]+), *\1\]")
OTHER = ("paired", "constants", "routing", "zeros", "pairs", "triangle", "listed", "cut", "chosen",
         "running", "cells", "rows", "prefixes", "matched", "spread", "threshold",
         "compared", "slid", "tables", "summed", "masked", "taps", "decays")  # fmt: skip
_OF_FILE = ("constants", "routing", "rows", "decays")
_NONE: frozenset[str] = frozenset()
# How often it must be there: a chain of products has two, a variance a mean and a mean of squares.
_AT_LEAST = {"products": 2, "moments": 2}


def in_turn(text: str) -> list[re.Match[str]]:
    """Where a layer is given what another one gives."""
    return [*_NESTED.finditer(text), *_IN_TURN.finditer(text)]


def slides(text: str) -> list[int]:
    """Where a comprehension folds windows."""
    return [m.start() for m in _SLID.finditer(text)] if " for " in text else []


def tables(text: str) -> list[int]:
    """Where a comprehension makes rows of sums."""
    return [m.start() for m in _TABLE.finditer(text)] if " for " in text else []


def makes_arrays(text: str) -> list[int]:
    """Where arrays are made of lists that steps fill."""
    if not any(word in text for word in ("array(", "stack(", "cat(", "concat(", "concatenate(")):
        return []
    found = [match.start() for match in _LISTED.finditer(text)]
    if _FILLS.search(text) is not None:
        found += [match.start() for match in _FILLED.finditer(text)]
    return found


@lru_cache(maxsize=1 << 16)
def _kinds(word: str) -> frozenset[str]:
    if _ANY.search(word) is None:
        return frozenset()
    return frozenset(kind for kind, pattern in KINDS.items() if pattern.search(word))


def masks_twice(text: str) -> list[int]:
    """Where a name is multiplied with that is multiplied with elsewhere, and that is given what may
    be zeros and ones."""
    before = ((len(text) - m.end(), m[1][::-1]) for m in _FACTOR_BEFORE.finditer(text[::-1]))
    behind = ((match.start(), match[1]) for match in _FACTOR_BEHIND.finditer(text))
    factors = [*before, *behind]
    often = Counter(name for _, name in factors)
    if max(often.values(), default=0) < 2 or _TRUTHS.search(text) is None:
        return []
    truths: set[str] = set()
    for name, made in _MADE_FROM.findall(text):
        if _TRUTHS.search(made) is not None or not truths.isdisjoint(_WORD.findall(made)):
            truths.add(name)
    return [place for place, name in factors if often[name] > 1 and name in truths]


def _may_sign(text: str) -> bool:
    return any(sign in text for sign in _MAY_SIGN)


def _other(kind: str, text: str) -> bool:
    """Whether there may be what several words together say."""
    if kind == "zeros":
        return any(way.search(text) for way in _ZEROS)
    if kind == "pairs":
        summed = _SUMS.search(text) or _PRODUCT.search(text)
        return summed is not None and any(pair.search(text) for pair in _PAIRS)
    if kind == "triangle":
        return _TRIANGLE.search(text) is not None
    if kind == "running":
        return "cumsum(" in text
    if kind == "listed":
        return "for " in text and bool(makes_arrays(text))
    if kind == "slid":
        return bool(slides(text))
    if kind == "taps":
        return " for " in text and "sum(" in text and _SHIFTED.search(text) is not None
    if kind == "masked":
        return bool(masks_twice(text))
    if kind == "summed":
        return _SUMMED.search(text) is not None
    if kind == "tables":
        return bool(tables(text))
    if kind == "cut":
        return any(way.search(text) for way in _CUT) and _MULTIPLIES.search(text) is not None
    if kind == "prefixes":
        return "for " in text and _PREFIX.search(text) is not None
    if kind == "threshold":
        return _INCREASES.search(text) is not None and _COMPARES.search(text) is not None
    if kind == "compared":
        return _COMPARES.search(text) is not None
    if kind == "spread":
        patterns = (_ADDS, _SPREAD, _TIMES)  # the one that is found at once goes first
        return all(pattern.search(text) is not None for pattern in patterns)
    if kind == "matched":
        return "arange(" in text and _MATCHED.search(text) is not None
    if kind == "paired":
        together = "range(" in text and _PAIRED.search(text) is not None
        return together and _PRODUCT.search(text) is not None
    if kind == "cells":
        written = "range(" in text and _CELL.search(text) is not None
        return written and (_PRODUCT.search(text) or _SUMS.search(text)) is not None
    return "topk" in text and _MULTIPLIES.search(text) is not None  # chosen


@dataclass(frozen=True)
class _Said:
    """What a text says by itself: how often it holds each word, and each kind of what is sought."""

    words: Counter[str]
    counts: Counter[str]


# Libraries hold many functions several times, and what is asked for one file is asked again.
@lru_cache(maxsize=1 << 11)
def _said(text: str) -> _Said:
    words = Counter(_WORD.findall(text))
    counts: Counter[str] = Counter()
    for word, often in words.items():
        for kind in _kinds(word):
            counts[kind] += often
    if _may_sign(text):
        for kind, signs in _SIGNS.items():
            counts[kind] += not counts[kind] and any(sign.search(text) for sign in signs)
        counts["products"] += sum(len(sign.findall(text)) for sign in _PRODUCTS)
    return _Said(words, counts)


@lru_cache(maxsize=1 << 11)
def _together(text: str) -> frozenset[str]:
    """What several words of a text say together, whatever its file says."""
    found = {kind for kind in OTHER if kind not in _OF_FILE and _other(kind, text)}
    if " for " in text and _APART.search(text):
        found.add("distances")
    return frozenset(found)


class Sought:
    """Looks at the words of one file."""

    def __init__(self, module: Module, lines: list[str]) -> None:
        self._module, self._lines = module, lines

    def kinds(self, text: str) -> frozenset[str]:
        """What is sought that a part of the file may hold."""
        said, named = _said(text), self._named
        counts = said.counts.copy()
        for word in said.words.keys() & named.keys():
            for kind in named[word] - _kinds(word):
                counts[kind] += said.words[word]
        found = {kind for kind, often in counts.items() if often >= _AT_LEAST.get(kind, 1)}
        if counts["products"]:
            found.add("product")
        found |= _together(text)
        found -= {kind for kind in _BESIDE.keys() & found if not _BESIDE[kind].search(text)}
        return frozenset(found | {kind for kind in _OF_FILE if self._of_file(kind, text)})

    def reads_rows(self, text: str) -> bool:
        """Whether a part of the file may use some rows of what a linear layer gives."""
        if "Linear(" not in self._module.text or not self._linear:
            return False
        of_layers = (match for pattern in _ROWS_OF for match in pattern.finditer(text))
        return any(match["layer"] in self._linear for match in of_layers)

    def _of_file(self, kind: str, text: str) -> bool:
        """Whether there may be what several words together say, as the file has it."""
        if kind == "constants":
            if _PAIR.search(text):
                return True
            if "Linear(" not in self._module.text:
                return False
            return any(self._linear.issuperset(match.groups()[-2:]) for match in in_turn(text))
        if kind == "routing":
            held = "ModuleList(" in self._module.text or "ModuleDict(" in self._module.text
            listed = held and "for " in text
            return (listed or "einsum(" in text) and _ROUTES.search(text) is not None
        if kind == "decays":
            return ("self." in text and self._powers) or any(
                f"{name}(" in text for name in self._segmented
            )
        return self.reads_rows(text)

    @cached_property
    def _powers(self) -> bool:
        """Whether the file raises something to a difference."""
        return _POWERS.search(self._module.text) is not None

    @cached_property
    def _segmented(self) -> list[str]:
        """The functions of the file that may cut running sums by a triangle."""
        if "cumsum(" not in self._module.text or not _CUT[0].search(self._module.text):
            return []
        return [
            name for name, text in self._parts()
            if name in self._module.functions and "cumsum(" in text and _CUT[0].search(text)
        ]  # fmt: skip

    @cached_property
    def _linear(self) -> frozenset[str]:
        """The attributes that the file makes linear layers."""
        return frozenset(_LINEAR.findall(self._module.text))

    @cached_property
    def _named(self) -> dict[str, frozenset[str]]:
        """The names that stand for something sought in this file, each with its kinds."""
        parts = []
        for name, text in self._parts():
            said = _said(text)
            kinds = frozenset(kind for kind, often in said.counts.items() if often)
            parts.append((name, said.words.keys(), kinds))
        found: dict[str, set[str]] = {}
        for name, path in self._module.names.items():
            if kinds := _NONE.union(*map(_kinds, path.split("."))):
                found.setdefault(name, set()).update(kinds)
        for name, _, kinds in parts:
            if kinds:
                found.setdefault(name, set()).update(kinds)
        # What stands for something stands for it in what uses it, too.
        users: dict[str, list[str]] = {}
        names = {name for name, _, _ in parts} | found.keys()
        for name, words, _ in parts:
            for word in words & names:
                users.setdefault(word, []).append(name)
        queue = list(found)
        while queue:
            word = queue.pop()
            for name in users.get(word, ()):
                held = found.setdefault(name, set())
                if not found[word] <= held:
                    held |= found[word]
                    queue.append(name)
        return {name: frozenset(kinds) for name, kinds in found.items()}

    @cached_property
    def halves(self) -> dict[str, frozenset[str]]:
        """The functions of the file that make exponentials or add up, each with which of both it
        hands on by itself: who calls them may make a softmax of these."""
        found = {}
        for name in self._module.functions.keys() & self._named.keys():
            does = self._named[name] & {"exponential", "sums"}
            if len(does) == 1 or (does and _gives_several(self._module.functions[name])):
                found[name] = does
        return found

    def _parts(self) -> Iterator[tuple[str, str]]:
        """What the file gives names to, with its text; a function without its own name, where it
        may be read in place of a call."""
        for node in self._module.statements:
            if isinstance(node, ast.FunctionDef):
                if may_be_read(node):
                    yield node.name, self._source(node).partition("(")[2]
            elif isinstance(node, ast.Expr):
                if (name := _buffer(node.value)) is not None:
                    yield name, self._source(node)
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Attribute):
                        yield target.attr, self._source(node)
                    elif isinstance(target, ast.Name) and target.id in self._module.constants:
                        yield target.id, self._source(node)

    def _source(self, node: ast.stmt) -> str:
        """The lines of a statement, without comments."""
        return "".join(self._lines[node.lineno - 1 : node.end_lineno])


def _gives_several(function: ast.FunctionDef) -> bool:
    """Whether a function returns several values."""
    return any(
        isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple)
        for node in descendants(function)
    )


def _buffer(node: ast.expr) -> str | None:
    """The attribute that ``self.register_buffer("mask", ...)`` sets."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    first = node.args[0] if node.func.attr == "register_buffer" and node.args else None
    held = first.value if isinstance(first, ast.Constant) else None
    return held if isinstance(held, str) else None
