"""What a loop adds to an array it adds in the wider type of both; the library adds up all steps in
their own type first. Where the start may be the wider one that is an assumption."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.notation import Value


def assumed_of_start(
    name: str, start: Value | None, added: Iterable[str | None] = (), kept: bool = False
) -> list[str]:
    """What must hold of the start of ``name`` for all steps to be added before it: ``added`` are
    the types of what is added. ``kept`` says that the value at each step is wanted, which then has
    the axes of the steps. A number of Python takes the type of the array that it meets."""
    if start is not None and start.library == "python":
        return []
    if start is not None and start.dtype is not None and set(added) == {start.dtype}:
        return []
    said = [f"`{name}` starts as no wider type than what is put to it"]
    if kept and (start is None or any(axis.group for axis in start.axes)):
        said.append(f"`{name}` starts with no more axes than that")
    return said
