"""Whether a place that is read may wrap round.

``x[i - j]`` reads from the end where ``i < j``, which notation says with a remainder, as it says
``x[(i - j) % n]``. In a function that takes no remainders and rolls nothing on the first is meant:
there a place that is never below 0 is within the array, or reading it would have raised.
"""

from __future__ import annotations

import ast
import re

from auditor.lift import Lifted

_WRAPS = re.compile(r"%|mod|roll|remainder|circulant|toeplitz|shift|take|wrap|pad")


def may_wrap(lifted: Lifted) -> bool:
    """Whether a remainder in the function's notation may be one of its own."""
    if "may wrap" not in lifted.once:
        lifted.once["may wrap"] = _may_wrap(lifted)
    return bool(lifted.once["may wrap"])


def _may_wrap(lifted: Lifted) -> bool:
    if not isinstance(lifted.node, ast.FunctionDef):
        return True
    text = lifted.module.source(lifted.node)
    if set(lifted.module.functions) & set(re.findall(r"\w+", text.partition("(")[2])):
        text = lifted.module.text
    return lifted.lifter.klass is not None or _WRAPS.search(text) is not None
