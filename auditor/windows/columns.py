"""Products with images that were laid out window by window: convolutions of the images.

``F.unfold(x, k)`` has a column for each window, of the elements that it has in all channels; a
matrix times that is ``F.conv2d`` with the rows of the matrix as filters.
"""

from __future__ import annotations

import ast

from auditor.assumed import assuming
from auditor.expressions.region import Text, text_of
from auditor.lift.tables.windows import COLUMNS
from auditor.notation import Index, Read, Term, Value, definition
from auditor.rewrite import Match
from auditor.syntax import constant
from auditor.tree import everything_in
from auditor.windows.region import LOCAL, WindowRegion

_WORDS = ("input", "kernel_size", "dilation", "padding", "stride")
_MESSAGE = "windows are laid out in columns and multiplied with weights: a convolution takes the"


def columns_in(term: Term) -> Read | None:
    """The element of columns that a term is, by whatever names."""
    at: Term | None = term
    while isinstance(at, Read) and not at.aligned:
        if at.value.made is not None and at.value.made[0] == COLUMNS:
            return at
        at = definition(at)
    return None


class ColumnsRegion(WindowRegion):
    """The product of columns and a matrix."""

    def match(self, value: Value, inner: Index, columns: Read, weights: Read) -> Match | None:
        site, call = self.site, self.origin(columns.value)
        given = _bound(call) if isinstance(call, ast.Call) else None
        (place, window), batch = columns.subs[-2:], columns.subs[:-2]
        out = [sub for sub in weights.subs if sub is not inner]
        if given is None or place is not inner or len(out) != 1 or len(weights.subs) != 2:
            return None
        whole = [sub for sub in (*batch, *out, window) if isinstance(sub, Index)]
        if len({*whole}) != len(columns.subs) or inner in whole:
            return None
        matrix = self._matrix(weights, (out[0], inner))
        texts = {word: self.source_text(node) for word, node in given.items()}
        if matrix is None or any(text is None for text in texts.values()):
            return None
        said = {word: text for word, text in texts.items() if text is not None}
        turned = self.returned(whole, value.axes)
        if turned is None:
            return None
        sizes, doubt = self._sizes(given["kernel_size"], said["kernel_size"])
        x = said["input"]
        filters = f"{matrix.dotted()}.reshape(-1, {x.dotted()}.shape[-3], {sizes})"
        options = [f"{word}={said[word].text}" for word in _WORDS[2:] if word in said]
        text = f"{self.functional()}.conv2d({', '.join([x.text, filters, *options])}).flatten(-2)"
        text += f"{turned}.contiguous()" if turned else ""
        site.require(not self.autocast(), "autocast", "under autocast a product has another dtype")
        site.require(
            self.same_gradients([columns.value]),
            "gradients",
            "the windows are laid out under another `with` block",
        )
        steady = self.steady([columns.value, value], [matrix, *said.values()])
        site.require(steady, "effects", "something in between may change an array")
        removal = self.removal({self.node: text_of(text, matrix, *said.values())})
        edits = (self.replace(self.node, text), *removal.edits)
        image = columns.value.made[1] if columns.value.made is not None else columns.value
        return Match(
            span=site.computation.span,
            message=f"{_MESSAGE} images themselves",
            computation=site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            reason=assuming([*self.assumed(image, weights.value), *doubt]),
            verdicts={"locality": LOCAL},
        )

    def _matrix(self, read: Read, target: tuple[Term, Term]) -> Text | None:
        """The matrix with a row for each filter."""
        turned = definition(read)
        if isinstance(turned, Read) and turned.subs == target:
            said = self.say(turned.value)
            if said is not None:
                return said
        rows, columns = target
        said = self.say(read.value)
        if said is None or not isinstance(rows, Index) or not isinstance(columns, Index):
            return None
        return self.arranged(read, (rows, columns), said)

    def _sizes(self, node: ast.expr, said: Text) -> tuple[str, list[str]]:
        """The sides of a window, and what is assumed where they may be a pair."""
        if isinstance(node, (ast.Tuple, ast.List)):
            return ", ".join(self.one_line(side) for side in node.elts), []
        counted = type(constant(node)) is int or self._computed(said.text)
        return f"{said.text}, {said.text}", [] if counted else [f"`{said.text}` is a number"]

    def _computed(self, text: str) -> bool:
        """Whether the function computes with what has that text: it is a number."""
        sides = (side for node in everything_in(self.lifted.node) if isinstance(node, ast.BinOp)
                 for side in (node.left, node.right))  # fmt: skip
        return any(ast.unparse(side) == text for side in sides)


def _bound(call: ast.Call) -> dict[str, ast.expr] | None:
    """The arguments of ``F.unfold`` by their names."""
    if any(word.arg is None for word in call.keywords) or len(call.args) > len(_WORDS):
        return None
    bound = dict(zip(_WORDS, call.args, strict=False))
    bound |= {word.arg: word.value for word in call.keywords if word.arg is not None}
    return bound if {"input", "kernel_size"} <= bound.keys() <= {*_WORDS} else None
