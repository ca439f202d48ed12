"""Lines that fit: a replacement is broken where formatters of the Black style would break it."""

from __future__ import annotations

import io
import re
import tokenize
from contextlib import suppress

WIDTH = 88
_METHOD = re.compile(r"(?<=[)\]])(?:\.\w+)+$")
_POWER = re.compile(r"(?<![\w.)\]])([\w.]+) \*\* (-?[\w.]+)(?![\w.(\[])")
_TIGHT = re.compile(r"(?<=[)\]])\*\*|(?<=\w)\*\*(?=-?[\w.]+[(\[])")
_UNTOUCHED = frozenset("\"'#")
_TEXTS, _UNBROKEN = ('"""', "'''"), "#'\""
_FEW = 2  # terms, of which the last is broken in its own brackets
# Operators that bind alike, the loosest first.
_LEVELS = ("== != < <= > >=", "|", "^", "&", "+ -", "* / @ // %")
_SIGNS = frozenset(" ".join(_LEVELS).split())


def width_of(lines: list[str]) -> int:
    """The line length that a file keeps to: the usual one, or its own longest line. Comments and
    texts are no sign of it: formatters leave them as long as they are."""
    longest, within = 0, False
    for line in lines:
        marks = sum(map(line.count, _TEXTS))
        if not (within or marks or any(sign in line for sign in _UNBROKEN)):
            longest = max(longest, len(line.rstrip()))
        within ^= marks % 2 == 1
    return WIDTH if longest <= WIDTH else min(longest, 120)


def literal(value: object) -> str:
    """A number as formatters write it: ``1e20``."""
    return repr(value).replace("e+", "e") if isinstance(value, float) else repr(value)


def powers(text: str) -> str:
    """``text`` with powers as formatters write them: ``x**2`` of names and numbers, ``f(x) ** 2``
    of others."""
    if "**" not in text or not _UNTOUCHED.isdisjoint(text):
        return text
    return _TIGHT.sub(" ** ", _POWER.sub(r"\1**\2", text))


def fit(prefix: str, text: str, suffix: str, indent: str, width: int, bracketed: bool) -> str:
    """``text`` between ``prefix`` and ``suffix``, broken in its last brackets when the line is too
    long. Texts without brackets at their end are put in parentheses, but where they stand within
    brackets (``bracketed``), in which a line may end anywhere."""
    if len(prefix) + len(text) + len(suffix) <= width or "\n" in text:
        return text
    terms = _terms(text)
    chain = _chain(text)
    if len(chain) > _FEW and not suffix.startswith((".", "[", "(")):
        deeper = indent if bracketed else f"{indent}    "
        links = text if len(deeper) + len(text) <= width else _under(chain, deeper, width)
        if not bracketed:
            return f"(\n{deeper}{links}\n{indent})"
        if not prefix.strip():
            return links
    if bracketed and not prefix.strip() and len(choice := _choice(text)) > 1:
        return f"\n{indent}".join(choice)
    if bracketed and len(terms) > 1:
        if prefix.endswith("(") and suffix.startswith(")"):
            return f"\n{indent}    {_inner(text, f'{indent}    ', width)}\n{indent}"
        return _under(terms, indent, width)
    pair = None if len(terms) > _FEW else _opened_at(text, len(prefix), indent, width)
    if pair is None:
        if not bracketed and len(terms) == _FEW and _last_bracket(terms[0]) == 0:
            inner, rest = terms[0][1:-1], terms[1]
            return f"(\n{indent}    {_inner(inner, f'{indent}    ', width)}\n{indent}) {rest}"
        if bracketed or text.startswith("("):
            return text
        return f"(\n{indent}    {_inner(text, f'{indent}    ', width)}\n{indent})"
    at, end = pair
    head, inner, tail = text[: at + 1], text[at + 1 : end], text[end:]
    deeper = f"{indent}    "
    parts = _split(inner)
    if len(deeper) + len(inner) <= width or len(parts) == 1:
        return f"{head}\n{deeper}{_inner(inner, deeper, width)}\n{indent}{tail}"
    body = "".join(f"{deeper}{fit(deeper, part, ',', deeper, width, True)},\n" for part in parts)
    return f"{head}\n{body}{indent}{tail}"


def in_brackets(before: str) -> bool:
    """Whether code goes on within brackets, by what of its statement stands before."""
    depth = 0
    with suppress(tokenize.TokenError, IndentationError, SyntaxError):
        for token in tokenize.generate_tokens(io.StringIO(before).readline):
            if token.type == tokenize.OP:
                depth += (token.string in "([{") - (token.string in ")]}")
    return depth > 0


def _opened_at(text: str, before: int, indent: str, width: int) -> tuple[int, int] | None:
    """The last brackets that open within the line, but for calls of methods on what is in them and
    subscripts of it."""
    end = len(text)
    while True:
        at = _last_bracket(text[:end])
        if at is None:
            return None
        if before + at + 1 <= width and len(indent) + len(text) - end + 1 <= width:
            return at, end - 1
        called = _METHOD.search(text[:at])
        if called is not None:
            end = called.start()
        elif text[:at].endswith((")", "]")):
            end = at
        else:
            return None


def _inner(text: str, indent: str, width: int) -> str:
    """What stands in brackets of its own: its clauses or terms below each other when the line is
    too long."""
    if len(indent) + len(text) <= width:
        return text
    clauses = _clauses(text)
    return _under(clauses if len(clauses) > 1 else _terms(text), indent, width)


def _clauses(text: str) -> list[str]:
    """The element of a comprehension, and each of its `for` and `if`."""
    clauses: list[list[str]] = [[]]
    for word in _apart(text, " "):
        if word == "for" or (word == "if" and len(clauses) > 1):
            clauses.append([])
        clauses[-1].append(word)
    return [" ".join(words) for words in clauses]


def _chain(text: str) -> list[str]:
    """A chain of calls: what is called first, and each attribute of what a call or subscript
    gives."""
    if len(_apart(text, " ")) > 1:
        return [text]
    parts = _apart(text, ".")
    links = [parts[0]]
    for part in parts[1:]:
        if links[-1].endswith((")", "]")):
            links.append(f".{part}")
        else:
            links[-1] += f".{part}"
    return links


def _choice(text: str) -> list[str]:
    """One of two values: the first, its condition, and the other."""
    words = _apart(text, " ")
    if [word for word in words if word in ("if", "else", "for", "lambda")] != ["if", "else"]:
        return [text]
    at, other = words.index("if"), words.index("else")
    return [" ".join(words[:at]), " ".join(words[at:other]), " ".join(words[other:])]


def _under(terms: list[str], indent: str, width: int) -> str:
    if len(terms) == 1:
        return terms[0]
    lines = []
    for term in terms:
        sign = term[: term.find(" ") + 1] if term.split(" ")[0] in _SIGNS else ""
        lines.append(sign + fit(indent + sign, term[len(sign) :], "", indent, width, True))
    return f"\n{indent}".join(lines)


def indented(line: str, step: str) -> str:
    """``line``, which is indented by fours, in a file that indents its blocks by ``step``."""
    inner = line.lstrip(" ")
    return step * ((len(line) - len(inner)) // 4) + inner


def fit_line(line: str, indent: str, width: int) -> str:
    """A whole statement, its expression broken when too long."""
    line = powers(line)
    within = indent + line[: len(line) - len(line.lstrip())]
    for mark in (" = ", " += ", " -= ", "return "):
        at = line.find(mark)
        if at >= 0 and line.count("(", 0, at) == line.count(")", 0, at):
            cut = at + len(mark)
            return line[:cut] + fit(indent + line[:cut], line[cut:], "", within, width, False)
    return line


def _terms(text: str) -> list[str]:
    """The operands of the operators that bind least, each but the first with its own in front."""
    found = _pieces(text)
    for signs in map(str.split, _LEVELS):
        cuts = [n for n, piece in enumerate(found) if n and piece in signs]
        if cuts:
            ends = [*cuts[1:], len(found)]
            rest = (" ".join(found[n:end]) for n, end in zip(cuts, ends, strict=True))
            return [" ".join(found[: cuts[0]]), *rest]
    return [text]


def _pieces(text: str) -> list[str]:
    """What stands between spaces outside of brackets and texts, powers being one; all of it where
    keywords are among it."""
    parts = [part.replace("\0", " ** ") for part in _apart(text.replace(" ** ", "\0"), " ")]
    plain = all(part in _SIGNS for part in parts[1::2]) and len(parts) % 2
    return parts if plain and not any(part in _SIGNS for part in parts[::2]) else [text]


def _last_bracket(text: str) -> int | None:
    """Where the bracket opens that closes at the very end."""
    if not text.endswith((")", "]")):
        return None
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        if text[position] in ")]}":
            depth += 1
        elif text[position] in "([{":
            depth -= 1
            if depth == 0:
                return position
    return None


def _split(inner: str) -> list[str]:
    """Arguments at the top level; a comprehension is one, whatever names it walks."""
    if len(_clauses(inner)) > 1:
        return [inner]
    return [part for part in map(str.strip, _apart(inner, ",")) if part]


def _apart(text: str, mark: str) -> list[str]:
    """What stands between the marks outside of brackets and texts."""
    parts, depth, start, quote = [], 0, 0, ""
    for position, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == mark and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]
