"""Powers as formatters write them: ``x**2`` and ``x.y**-n``, but ``x[i] ** 2``, ``f(x) ** n``."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Sequence
from contextlib import suppress

_CLOSING = frozenset((")", "]", "}"))
_OPENING = frozenset(("(", "["))


def spaced(text: str) -> str:
    """``text`` with spaces around the powers of which one side is more than a name or a number."""
    if "**" not in text:
        return text
    tokens = _tokens(text)
    lines = text.splitlines(keepends=True)
    for at in range(len(tokens) - 2, 0, -1):  # from behind: what is before keeps its place
        sign, before, after = tokens[at], tokens[at - 1], tokens[at + 1]
        if sign.string != "**" or not _ends_operand(before):
            continue
        row = sign.start[0]
        if before.end[0] != row or after.start[0] != row:
            continue
        word = "**" if _simple_before(tokens, at) and _simple_after(tokens, at) else " ** "
        line = lines[row - 1]
        lines[row - 1] = line[: before.end[1]] + word + line[after.start[1] :]
    return "".join(lines)


def _tokens(text: str) -> list[tokenize.TokenInfo]:
    """The tokens of a piece of code, as far as it is any."""
    found: list[tokenize.TokenInfo] = []
    with suppress(tokenize.TokenError, IndentationError):  # it may end within brackets
        found.extend(tokenize.generate_tokens(io.StringIO(text).readline))
    return found


def _ends_operand(token: tokenize.TokenInfo) -> bool:
    return _is_plain(token) or token.string in _CLOSING


def _is_plain(token: tokenize.TokenInfo) -> bool:
    named = token.type == tokenize.NAME and not keyword.iskeyword(token.string)
    return named or token.type == tokenize.NUMBER


def _simple_before(tokens: Sequence[tokenize.TokenInfo], at: int) -> bool:
    start = at - 1
    while start > 1 and tokens[start - 1].string == "." and _is_plain(tokens[start - 2]):
        start -= 2
    return _is_plain(tokens[at - 1]) and (start == 0 or tokens[start - 1].string != ".")


def _simple_after(tokens: Sequence[tokenize.TokenInfo], at: int) -> bool:
    end = at + 1 + (tokens[at + 1].string == "-")
    if not _is_plain(tokens[end]):
        return False
    while end + 2 < len(tokens) and tokens[end + 1].string == ".":
        end += 2
    return end + 1 >= len(tokens) or tokens[end + 1].string not in _OPENING
