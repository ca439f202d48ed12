"""Axes that a function reduces over: one, several, or None for all."""

from __future__ import annotations

from typing import TypeAlias

Axes: TypeAlias = "int | tuple[int, ...] | None"


def numbered(dim: Axes, rank: int) -> int | tuple[int, ...]:
    """The axes of an array of `rank` axes by their numbers."""
    return tuple(range(rank)) if dim is None else dim


def side_by_side(dim: Axes, rank: int) -> tuple[int, int] | None:
    """The first and the last axis where these and all between them are meant; else None."""
    dims = numbered(dim, rank)
    dims = dims if isinstance(dims, (tuple, list)) else (dims,)
    if not dims or not all(type(axis) is int and -rank <= axis < rank for axis in dims):
        return None
    first, last = min(axis % rank for axis in dims), max(axis % rank for axis in dims)
    found = sorted(axis % rank for axis in dims) == list(range(first, last + 1))
    return (first, last) if found else None
