"""What need not be read at all: functions whose text says that no rewrite could apply in them.

Lifting a function costs a thousand times as much as looking at its text. A function without a loop
that computes something and without an operation that contracts, normalises, orders or scans has
nothing for a rewrite; most functions of a library are such.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterator

from auditor.lift.module import Module, every_statement

# Parts of the names of operations that some rewrite may use, wherever they are defined.
_NAMES = (
    "softmax softmin logsumexp sum prod mean average std var norm cumsum cumprod cummax cummin "
    "accumulate reduce einsum matmul mm bmm mv dot vdot tensordot inner outer kron baddbmm addmm "
    "addbmm linear bilinear topk sort argsort kthvalue median quantile nlargest nsmallest max min "
    "amax amin argmax argmin maximum minimum any all fft ifft rfft irfft conv1d convolve correlate "
    "one_hot diag diag_embed eye tril triu logcumsumexp cdist pairwise_distance scatter bincount "
    "histogram searchsorted bucketize unique rsqrt partition argpartition multi_dot matrix_power "
    "cosine_similarity exp lfilter count_nonzero trace"
).split()  # fmt: skip

_OPERATION = re.compile(rf"\b_?(?:{'|'.join(_NAMES)})_?\s*\(|[\w\])]\s*@=?\s*[\w(\[]")
_LOOP = re.compile(r"^[ \t]*(?:for|while)\b", re.MULTILINE)


class Screen:
    """Looks at the functions of one file."""

    def __init__(self, module: Module, everything: bool) -> None:
        text = module.text
        self._module = module
        self._everything = everything
        self._operations = [match.start() for match in _OPERATION.finditer(text)]
        self._loops = [match.start() for match in _LOOP.finditer(text)]
        self._starts = [0]
        for line in module.lines:
            self._starts.append(self._starts[-1] + len(line))

    @property
    def empty(self) -> bool:
        """Whether nothing in the file can be of interest."""
        return not self._operations and not self._loops

    def wants(self, node: ast.stmt) -> bool:
        """Whether a rewrite could find anything in a function or statement."""
        start, stop = self._starts[node.lineno - 1], self._starts[node.end_lineno or node.lineno]
        if _between(self._operations, start, stop):
            return True
        if not _between(self._loops, start, stop):
            return False
        return any(self._everything or computes(loop) for loop in loops_in(node))

    def wants_module(self) -> bool:
        """Whether the statements outside functions and classes need a look."""
        skipped = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
        return any(
            self.wants(statement)
            for statement in self._module.tree.body
            if not isinstance(statement, skipped)
        )


def _between(places: list[int], start: int, stop: int) -> bool:
    at = bisect_left(places, start)
    return at < len(places) and places[at] < stop


def loops_in(node: ast.stmt) -> Iterator[ast.For | ast.While]:
    """The loop statements of a function."""
    return (inner for inner in every_statement([node]) if isinstance(inner, (ast.For, ast.While)))


def computes(loop: ast.For | ast.While) -> bool:
    """Whether a loop does more than call and store: arithmetic, or a flag set under a condition."""
    for node in ast.walk(loop):
        if isinstance(node, (ast.BinOp, ast.AugAssign)):
            if not _spells(node):
                return True
        elif isinstance(node, ast.If) and any(_decides(inner) for inner in node.body):
            return True
    return False


def _spells(node: ast.BinOp | ast.AugAssign) -> bool:
    """Text put together with ``+`` or ``%``, and counters that count steps."""
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.value,)
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, (str, bytes)))
        for side in sides
    )


def _decides(node: ast.stmt) -> bool:
    """``best = x``, ``found = True`` or ``return False`` under a condition."""
    if isinstance(node, ast.Return):
        return isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool)
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return isinstance(node.value, (ast.Name, ast.Constant, ast.Subscript))
    return False
