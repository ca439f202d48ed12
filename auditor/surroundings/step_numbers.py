"""Numbers that depend on the step's number (``1 - beta ** (t + 1)``), for all steps at once.

Python computes them in double precision, with exact integers, and a tensor that meets them keeps
its dtype. So they are computed in double precision and then given the dtype that the tensor and
a number have together.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from auditor.notation import Apply, Const, Index, Read, Symbol, Term, definition, walk
from auditor.writing.words import Words

_INFIX = {"add": (" + ", 2), "sub": (" - ", 2), "mul": (" * ", 3), "div": (" / ", 3),
          "pow": (" ** ", 5)}  # fmt: skip
_FUNCTIONS = ("exp", "sqrt", "log", "sin", "cos")


class StepNumbers:
    """``step`` is the loop's index, ``count`` says how many steps it makes; ``scalar`` writes a
    number that does not depend on it, and raises where it has no name."""

    def __init__(
        self, step: Index, count: Callable[[], str], scalar: Callable[[Term], str], words: Words
    ) -> None:
        self.step, self.count, self.scalar, self.words = step, count, scalar, words

    def is_one(self, term: Term) -> bool:
        """Whether ``term`` is certainly a Python number that depends on the step's."""
        return self._depends(term) and self._number(term)

    def text(self, term: Term, like: str) -> str:
        """The numbers for all steps, of the dtype that a number has beside the tensor ``like``."""
        fractional = self._fractional(term)
        module = self.words.module
        dtype = f", dtype={module}.float64" if fractional else ""
        steps = f"{module}.arange({self.count()}{dtype})"
        body, strength = self._write(term, steps)
        body = body if strength >= 6 else f"({body})"
        example = "1.0" if fractional else "1"
        meets = f"{module}.result_type({like}, {example})"
        if self.words.library == "numpy":
            return f"{body}.astype({meets})"
        return f"{body}.to({like}.device, {meets})"

    def _depends(self, term: Term) -> bool:
        if term is self.step:
            return True
        if isinstance(term, Apply):
            return any(self._depends(arg) for arg in term.args)
        inner = self._defined(term)
        return inner is not None and self._depends(inner)

    def _defined(self, term: Term) -> Term | None:
        """The definition of a named number."""
        if isinstance(term, Read) and not term.subs and term.value.library == "python":
            return definition(term)
        return None

    def _number(self, term: Term) -> bool:
        if isinstance(term, Const):
            return isinstance(term.value, (int, float)) and not isinstance(term.value, bool)
        if isinstance(term, Read):
            value = term.value
            inner = self._defined(term)
            if inner is not None and self._depends(inner):
                return self._number(inner)
            return not value.axes and value.library == "python" and value.dtype in ("int", "float")
        if isinstance(term, Apply) and self._depends(term):
            known = term.op in _INFIX or term.op in _FUNCTIONS or term.op == "neg"
            whole = term.op == "pow" and not self._fractional(term)
            return known and not whole and all(self._number(arg) for arg in term.args)
        if isinstance(term, Apply):
            return all(map(self._number, term.args))
        return isinstance(term, (Index, Symbol))

    def _fractional(self, term: Term) -> bool:
        """Whether the number is a float."""
        for node in walk(term):
            if isinstance(node, Apply) and node.op in ("div", *_FUNCTIONS):
                return True
            if isinstance(node, Const) and isinstance(node.value, float):
                return True
            if isinstance(node, Read):
                inner = self._defined(node)
                if node.value.dtype == "float" or (inner is not None and self._fractional(inner)):
                    return True
        return False

    def _write(self, term: Term, steps: str) -> tuple[str, int]:
        """The text and how strongly it binds."""
        if term is self.step:
            return steps, 6
        inner = self._defined(term)
        if inner is not None and self._depends(inner):
            return self._write(inner, steps)
        if not self._depends(term):
            text = str(term.value) if isinstance(term, Const) else self.scalar(term)
            return text, 6 if re.fullmatch(r"[\w.]+", text) else 0
        assert isinstance(term, Apply)
        parts = [self._write(arg, steps) for arg in term.args]
        if term.op == "neg":
            return f"-{_inside(parts[0], 5)}", 4
        if term.op in _FUNCTIONS:
            return f"{self.words.module}.{term.op}({parts[0][0]})", 6
        sign, strength = _INFIX[term.op]
        first = _inside(parts[0], strength + (term.op == "pow"))
        rest = [_inside(part, strength + 1) for part in parts[1:]]
        return sign.join([first, *rest]), strength


def _inside(part: tuple[str, int], strength: int) -> str:
    return part[0] if part[1] >= strength else f"({part[0]})"
