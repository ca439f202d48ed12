"""What a loop adds to an array it adds in the wider type of both; the library adds up all steps in
their own type first. Where the code states the type of the start, or that is NumPy's own, the sum
is told that type; that torch's default is no wider than what is added is an assumption."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from auditor.assumed import listed
from auditor.notation import Value
from auditor.tree import everything_in

_WIDTHS = {"float16": 1, "bfloat16": 1, "float32": 2, "float64": 3, "complex64": 2, "complex128": 3}
_SUM = re.compile(r"\.((?:cum)?(?:sum|prod))\(([^()]*)\)((?:\.flip\(-?\d+\))?)$")


A_STEP = "the loop takes at least one step"
"""What must hold where the first step makes an array of a number, which stays one without steps."""


def type_of_start(name: str, start: Value | None, added: Iterable[str | None] = ()) -> list[str]:
    """What must hold of the start of ``name`` for all steps to be added before it: ``added`` are
    the types of what is added. A number of Python takes the type of the array that it meets."""
    if start is not None and start.library == "python":
        return []
    if start is not None and start.dtype is not None and set(added) == {start.dtype}:
        return []
    return [f"`{name}` starts in no wider type than what is put into it"]


def stated_type(start: Value | None, written: ast.expr | None) -> str | None:
    """The type that a start is given on purpose, no matter what meets it: not torch's default."""
    dtype = start.dtype if start is not None and start.library in ("torch", "numpy") else None
    default = dtype == "float32" and not _stated(written)
    return None if default or dtype not in _WIDTHS else dtype


def more_axes(name: str) -> str:
    """What must hold where the value at each step is wanted, which then has the axes of the
    steps."""
    return f"`{name}` starts with no more axes than a step has"


class OtherWidth(Exception):
    """The sum cannot be told its type; the message says why."""


def told(
    text: str,
    name: str,
    start: Value | None,
    written: ast.expr | None,
    added: Sequence[tuple[str, str | None]],
    rank: int | None,
    library: str,
) -> tuple[str, str] | None:
    """The sum ``text`` of the arrays ``added`` (their names and dtypes) in the type that ``name``
    starts in, and what is assumed; None where it need not be told. ``written`` is what it starts
    as, ``rank`` how many axes a step has (None: not known). Raises ``OtherWidth``."""
    if start is None or start.library not in ("torch", "numpy"):
        return None
    width = _WIDTHS.get(start.dtype or "", 0)
    if width < 2 or (start.library == "torch" and width == 2 and not _stated(written)):
        return None
    if added and all(_WIDTHS.get(dtype or "", 0) >= width for _, dtype in added):
        return None
    if start.library == "torch" and not start.axes and rank != 0:
        # beside an array the type of a tensor without axes does not count
        if rank is None:
            raise OtherWidth(f"`{name}` starts in a type that counts beside numbers alone")
        return None
    found = _SUM.search(text)
    if found is None or not name.isidentifier():
        raise OtherWidth(f"`{name}` starts in a type of its own, which the sum cannot be told")
    dtype, assumed = f"{name}.dtype", ""
    if width == 3:
        held = dict.fromkeys(f"`{array}`" for array, _ in added) or {"what is added": None}
        are = "are" if len(held) > 1 else "is"
        assumed = f"{listed(held)} {are} of no wider type than `{name}`"
    else:
        arrays = {array for array, _ in added}
        if set(re.findall(r"[^\W\d]\w*", text[: found.start()])) != arrays or len(arrays) != 1:
            raise OtherWidth(f"`{name}` starts in a type that may be wider than what is added")
        dtype = f"{library}.promote_types({dtype}, {arrays.pop()}.dtype)"
    given = f"{found[2]}, " if found[2] else ""
    return f"{text[: found.start()]}.{found[1]}({given}dtype={dtype}){found[3]}", assumed


def _stated(written: ast.expr | None) -> bool:
    """Whether the code that makes an array says of which type."""
    return written is not None and any(
        (isinstance(node, ast.keyword) and node.arg == "dtype")
        or (isinstance(node, ast.Attribute) and node.attr in ("float", "to", "type"))
        for node in everything_in(written)
    )
