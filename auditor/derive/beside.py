"""The functions of rows and of matrices that the functions of a monoid call."""

from __future__ import annotations

from auditor.derive.array_functions import array_functions
from auditor.derive.fold import Fold
from auditor.derive.placewise import helpers


def beside_functions(fold: Fold, text: str) -> list[str]:
    """Those that a text calls, as source."""
    rows = "" if fold.rows is None else helpers(fold.rows, text)
    arrays = "" if fold.arrays is None else array_functions(fold.arrays, text)
    return [one for one in (rows, arrays) if one]
