"""Decompositions of matrices: their parts are values of their own, of known shapes."""

from __future__ import annotations

from collections.abc import Mapping

from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Handler
from auditor.lift.dtypes import kind_of
from auditor.lift.objects import Obj, Record
from auditor.notation import Const, Index, Library, Read, Symbol, Term, Value, walk

_ROWS, _COLUMNS, _LESSER = "m", "n", "k"
RANK = "rank at "
"""How the name of the smaller of two sizes begins."""


def singular(library: Library, flag: str = "full", turned: bool = False) -> Handler:
    """``svd``: U, the singular values and V, which is ``turned`` where it is not transposed."""

    def call(c: Call) -> Obj:
        if c.has("vectors"):
            raise Unsupported("singular values of which not all parts may be computed")
        full = c.flag("full", True) if flag == "full" else not c.flag("some", True)
        inner = (_ROWS, _COLUMNS) if full else (_LESSER, _LESSER)
        right = inner[1] + _COLUMNS
        shapes = {"U": _ROWS + inner[0], "S": _LESSER, "Vh": right[::-1] if turned else right}
        return _parts(c, library, f"svd {full} {turned}", shapes)

    return call


def thin(library: Library) -> Handler:
    """``svd_lowrank``: the first q singular values and vectors of a matrix, found with random
    numbers."""

    def call(c: Call) -> Obj:
        if c.has("M"):
            raise Unsupported("singular vectors of a difference")
        c.lifter.effect_here("random", "calls `torch.svd_lowrank`")
        shapes = {"U": _ROWS + _LESSER, "S": _LESSER, "V": _COLUMNS + _LESSER}
        return _parts(c, library, "svd thin", shapes, c.size("q") if c.has("q") else Const(6))

    return call


def eigen(library: Library) -> Handler:
    """``eigh``: the eigenvalues of a symmetric matrix, and its eigenvectors as columns."""

    def call(c: Call) -> Obj:
        if c.has("UPLO"):
            raise Unsupported("a triangle of a matrix")
        shapes = {"eigenvalues": _COLUMNS, "eigenvectors": _COLUMNS * 2}
        return _parts(c, library, "eigh", shapes)

    return call


def _parts(
    c: Call, library: Library, what: str, shapes: Mapping[str, str], rank: Term | None = None
) -> Record:
    value = c.value("input")
    c.ops.need_tail(value, 2)
    rows, columns = (axis.extent for axis in value.axes[-2:])
    lesser = rank or Symbol(c.lifter.mine(f"{RANK}{c.ops.located()}"))
    if rank is None and (rows is columns or what == "eigh"):
        c.lifter.facts.unify(rows, columns)
        lesser = c.lifter.facts.extent(columns)
    sizes = {_ROWS: rows, _COLUMNS: columns, _LESSER: lesser}
    dtype = value.dtype
    if library == "numpy" and dtype is not None and kind_of(dtype) < 2:
        dtype = "float64"
    made: dict[str, Value] = {}
    given = c.lifter.spoken(value)
    for name, letters in shapes.items():
        axes = (*c.ops.fresh(value.axes[:-2]), *(Index(x, sizes[x]) for x in letters))
        made[name] = Value(
            f"{name} of {given}", axes, None, dtype if len(letters) > 1 else None, "opaque",
            library, c.ops.span, made=(f"{what} {name}", value),
        )  # fmt: skip
    return Record(made)


def part_of(value: Value) -> Value | None:
    """The part of a decomposition that a value is, or is made of element by element."""
    if value.body is None:
        found = value.made is not None and value.made[0].startswith(("svd", "eigh"))
        return value if found else None
    reads = (node.value for node in walk(value.body) if isinstance(node, Read))
    return next(filter(None, map(part_of, reads)), None)
