"""Calls that put more around an array, in the words of the file's library.

NumPy repeats the outermost elements (``np.pad(x, ((w, w),), 'edge')``), which are in a window that
is cut as well and so are none the larger. torch does so for images alone: there stands infinity
(``F.pad(x, (w, w), value=float('-inf'))``), with the last axis first.
"""

from __future__ import annotations

from dataclasses import dataclass

from auditor.plain.text import Written

Ends = tuple[tuple[str, str], ...]
"""What is put before and behind each axis."""

_REPEATED = ("max", "min")
_INFINITE = {"max": "-inf", "min": "inf"}
_TORCH = ("torch.nn.functional", "torch.nn", "torch")


@dataclass(frozen=True)
class Surrounds:
    """How a file puts more around arrays: ``pad`` is the function, ``root`` the library's name."""

    numpy: bool
    pad: str
    root: str

    def around(self, array: str, ends: Ends, fold: str) -> str:
        """An array with what changes no ``fold`` of a part of it."""
        if self.numpy:
            pairs = ", ".join(f"({before}, {behind})" for before, behind in ends)
            mode = ", 'edge'" if fold in _REPEATED else ""
            return f"{self.pad}({array}, ({pairs},){mode})"
        flat = ", ".join(end for pair in reversed(ends) for end in pair)
        value = f", value=float('{_INFINITE[fold]}')" if fold in _REPEATED else ""
        return f"{self.pad}({array}, ({flat}){value})"

    def zeros(self, array: str, axes: int, count: int) -> str:
        """An array with ``count`` zeros before and behind each of its axes."""
        if self.numpy:
            return f"{self.pad}({array}, {count})"
        return f"{self.pad}({array}, ({', '.join([str(count)] * (2 * axes))}))"

    def ones(self, array: str, ends: Ends) -> str | None:
        """Ones where the array has elements: numbers that a loop counts stand on no device. None
        where they can be counted as well."""
        like = f"{self.root}.ones_like({array})"
        return None if self.numpy else self.around(like, ends, "sum")


def surrounds(written: Written) -> Surrounds | None:
    """How the file of a function does it; None where it uses no such library, or both."""
    names = {path: word for word, path in written.module.names.items()}
    library = written.module.library
    root = names.get(library or "")
    if root is None or root in written.stored:
        return None
    if library == "numpy":
        return Surrounds(True, f"{root}.pad", root)
    path = next(path for path in _TORCH if path in names)
    if names[path] in written.stored:
        return None
    return Surrounds(False, f"{names[path]}{_TORCH[0].removeprefix(path)}.pad", root)
