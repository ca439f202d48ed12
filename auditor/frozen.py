"""Frozen dataclasses of which many are made: frozen in the eyes of the type checker, which reads
``frozen=True`` and refuses what sets a field. At run time setting one is as cheap as anywhere else,
and making an object takes a third of what a frozen dataclass takes, which sets each of its fields
through ``object.__setattr__``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as frozen
else:
    from dataclasses import dataclass

    def frozen(*, frozen, **options):
        """``dataclass``, without a check that nothing sets a field."""
        return dataclass(**options)


__all__ = ["frozen"]
