"""numpy functions, by their path below ``numpy``."""

from __future__ import annotations

from auditor.lift.calls import Handler, Meaning
from auditor.lift.dtypes import NUMPY_NAMES
from auditor.lift.tables import (
    constructors,
    contractions,
    decompositions,
    distances,
    elementwise,
    grids,
    inverses,
    joins,
    orders,
    reductions,
    views,
    windows,
)
from auditor.notation import ONE, ZERO

REDUCE = "input|a|array, dim|axis=None, dtype=None, out=None, keepdim|keepdims=False, initial=None"
ARG = "input|a, dim|axis=None, out=None, keepdim|keepdims=False, initial=None"
VAR = "input|a, dim|axis=None, dtype=None, out=None, correction|ddof=0, keepdim|keepdims=False"
_UFUNC = "input|array, dim|axis=0, dtype=None, out=None, keepdim|keepdims=False"
_ACCUMULATE = "input|array, dim|axis=0, dtype=None"
_QUANTILE = "input|a, q, dim|axis=None, method=None, interpolation=None, keepdim|keepdims=None"
_LIKE = "dtype=None, order=None, subok=None, shape=None"


def outer_of(op: str) -> Handler:
    """``np.add.outer`` of two vectors."""
    return lambda c: contractions.outer_with(op, c)


_REDUCTIONS: dict[str, Meaning] = {
    f"{name}.reduce": Meaning(_UFUNC, reductions.ufunc_reduction(op))
    for name, op in (
        ("add", "sum"), ("multiply", "prod"), ("maximum", "max"), ("minimum", "min"),
        ("logical_and", "all"), ("logical_or", "any"),
    )
}  # fmt: skip
_PREFIXES: dict[str, Meaning] = {
    f"{name}.accumulate": Meaning(_ACCUMULATE, reductions.cumulative(op, first=True))
    for name, op in (("add", "sum"), ("multiply", "prod"), ("maximum", "max"), ("minimum", "min"))
}
_NUMBERS: dict[str, Meaning] = {
    name: Meaning("input", constructors.number_of(dtype, "numpy"))
    for name, dtype in NUMPY_NAMES.items()
}

FUNCTIONS: dict[str, Meaning] = {
    **elementwise.table("n"),
    **_REDUCTIONS,
    **_PREFIXES,
    **_NUMBERS,
    "logaddexp.reduce": Meaning(_UFUNC, reductions.logaddexp_reduction),
    "add.outer": Meaning("input|A, other|B", outer_of("add")),
    "subtract.outer": Meaning("input|A, other|B", outer_of("sub")),
    "multiply.outer": Meaning("input|A, other|B", outer_of("mul")),
    "invert": Meaning("input|x", elementwise.bitwise_not),
    "round": Meaning("input|a, decimals=0", elementwise.rounded),
    "around": Meaning("input|a, decimals=0", elementwise.rounded),
    "clip": Meaning("input|a, min|a_min=None, max|a_max=None", elementwise.clamp),
    "where": Meaning("condition, input|x=None, other|y=None", elementwise.where),
    # reductions
    "sum": Meaning(REDUCE, reductions.reduction("sum")),
    "prod": Meaning(REDUCE, reductions.reduction("prod")),
    "max": Meaning(ARG, reductions.reduction("max")),
    "amax": Meaning(ARG, reductions.reduction("max")),
    "min": Meaning(ARG, reductions.reduction("min")),
    "amin": Meaning(ARG, reductions.reduction("min")),
    "any": Meaning(ARG, reductions.reduction("any")),
    "all": Meaning(ARG, reductions.reduction("all")),
    "ptp": Meaning(ARG, reductions.spread),
    "argmax": Meaning(ARG, reductions.arg_extremum("argmax")),
    "argmin": Meaning(ARG, reductions.arg_extremum("argmin")),
    "mean": Meaning(REDUCE, reductions.mean),
    "average": Meaning("input|a, dim|axis=None, weights=None, returned=False,"
                       " keepdim|keepdims=False", reductions.average),
    "var": Meaning(VAR, reductions.variance(False, 0)),
    "std": Meaning(VAR, reductions.variance(True, 0)),
    "count_nonzero": Meaning("input|a, dim|axis=None, keepdim|keepdims=False",
                             reductions.count_nonzero),
    "linalg.norm": Meaning("input|x, order|ord=None, dim|axis=None, keepdim|keepdims=False",
                           reductions.norm(matrices=True)),
    "cumsum": Meaning("input|a, dim|axis=None, dtype=None, out=None",
                      reductions.cumulative("sum")),
    "cumprod": Meaning("input|a, dim|axis=None, dtype=None, out=None",
                       reductions.cumulative("prod")),
    "diff": Meaning("input|a, n=1, dim|axis=-1, prepend=None, append=None",
                    reductions.difference),
    # orders and selections
    "sort": Meaning("input|a, dim|axis=-1, kind=None", orders.sorted_array("values")),
    "argsort": Meaning("input|a, dim|axis=-1, kind=None", orders.sorted_array("indices")),
    "median": Meaning("input|a, dim|axis=None, keepdim|keepdims=None", orders.quantile(1, 0.5)),
    "quantile": Meaning(_QUANTILE, orders.quantile(1)),
    "percentile": Meaning(_QUANTILE, orders.quantile(100)),
    "take": Meaning("input|a, index|indices, dim|axis=None", orders.index_select),
    "take_along_axis": Meaning("input|arr, index|indices, dim|axis", orders.take_along),
    # contractions
    "matmul": Meaning("input|x1, other|x2", contractions.matmul),
    "dot": Meaning("input|a, other|b", contractions.array_dot),
    "vdot": Meaning("input|a, other|b", contractions.flat_dot),
    "outer": Meaning("input|a, other|b", contractions.outer),
    "kron": Meaning("input|a, other|b", contractions.kron),
    "inner": Meaning("input|a, other|b", contractions.inner),
    "tensordot": Meaning("input|a, other|b, dims|axes=2", contractions.tensordot),
    "einsum": Meaning("equation, *operands, optimize=None", contractions.einsum),
    "trace": Meaning("input|a", contractions.trace),
    "linalg.inv": Meaning("input|a", inverses.inverse("numpy")),
    "linalg.matrix_power": Meaning("input|a, n", inverses.power("numpy")),
    "linalg.solve": Meaning("input|a, other|b", inverses.solve("numpy")),
    "linalg.svd": Meaning("input|a, full|full_matrices=True, vectors|compute_uv=None,"
                          " hermitian=None", decompositions.singular("numpy")),
    "linalg.eigh": Meaning("input|a, UPLO=None", decompositions.eigen("numpy")),
    "linalg.multi_dot": Meaning("tensors|arrays", contractions.multi_dot),
    "convolve": Meaning("input|a, other|v, mode='full'", distances.convolution(False)),
    "correlate": Meaning("input|a, other|v, mode='valid'", distances.convolution(True)),
    # constructors
    "zeros": Meaning("size|shape, dtype=None, order=None", constructors.full(ZERO, "numpy")),
    "ones": Meaning("size|shape, dtype=None, order=None", constructors.full(ONE, "numpy")),
    "empty": Meaning("size|shape, dtype=None, order=None",
                     constructors.full(constructors.EMPTY, "numpy")),
    "full": Meaning("size|shape, fill_value, dtype=None, order=None",
                    constructors.full(None, "numpy")),
    "zeros_like": Meaning(f"input|a, {_LIKE}", constructors.full_like(ZERO, "numpy")),
    "ones_like": Meaning(f"input|a, {_LIKE}", constructors.full_like(ONE, "numpy")),
    "empty_like": Meaning(f"input|prototype, {_LIKE}",
                          constructors.full_like(constructors.EMPTY, "numpy")),
    "full_like": Meaning(f"input|a, fill_value, {_LIKE}", constructors.full_like(None, "numpy")),
    "array": Meaning("data|object, dtype=None, copy=None", constructors.array("numpy")),
    "asarray": Meaning("data|a, dtype=None", constructors.array("numpy", False)),
    "ascontiguousarray": Meaning("data|a, dtype=None", constructors.array("numpy", False)),
    "eye": Meaning("n|N, m|M=None, k=0, dtype=None", constructors.eye("numpy")),
    "identity": Meaning("n, dtype=None", constructors.eye("numpy")),
    "tri": Meaning("n|N, m|M=None, k=0, dtype=None", constructors.lower_ones),
    "arange": Meaning("*bounds, start=None, end|stop=None, step=None, dtype=None",
                      constructors.arange("numpy")),
    "linspace": Meaning("start, end|stop, steps|num=50, endpoint=True, retstep=None, dtype=None",
                        constructors.linspace("numpy")),
    # joining and splitting
    "stack": Meaning("tensors|arrays, dim|axis=0", joins.stack),
    "concatenate": Meaning("tensors|arrays, dim|axis=0", joins.cat),
    "concat": Meaning("tensors|arrays, dim|axis=0", joins.cat),
    "hstack": Meaning("tensors|tup", joins.side_by_side(1, 1)),
    "vstack": Meaning("tensors|tup", joins.side_by_side(0, 2)),
    "dstack": Meaning("tensors|tup", joins.side_by_side(2, 3)),
    "column_stack": Meaning("tensors|tup", joins.side_by_side(1, 2)),
    "append": Meaning("input|arr, values, dim|axis=None", joins.append),
    "split": Meaning("input|ary, sections|indices_or_sections, dim|axis=0",
                     joins.split_at(None, uneven=False)),
    "array_split": Meaning("input|ary, sections|indices_or_sections, dim|axis=0",
                           joins.split_at(None, uneven=True)),
    "hsplit": Meaning("input|ary, sections|indices_or_sections", joins.split_at(1, uneven=False)),
    "vsplit": Meaning("input|ary, sections|indices_or_sections", joins.split_at(0, uneven=False)),
    "indices": Meaning("dimensions, dtype=None, sparse=False", grids.indices),
    "ix_": Meaning("*args", grids.ix_),
    "meshgrid": Meaning("*tensors, indexing='xy'", joins.meshgrid("xy")),
    # views
    "transpose": Meaning("input|a, dims|axes=None", views.reversed_axes),
    "permute_dims": Meaning("input|a, dims|axes=None", views.reversed_axes),
    "matrix_transpose": Meaning("input|x", views.matrix_transpose),
    "swapaxes": Meaning("input|a, dim0|axis1, dim1|axis2", views.transpose),
    "moveaxis": Meaning("input|a, source, destination", views.movedim),
    "lib.stride_tricks.sliding_window_view": Meaning("input|x, window_shape, axis=None",
                                                     windows.sliding),
    "reshape": Meaning("input|a, shape|newshape, order='C'", views.reshape),
    "ravel": Meaning("input|a, order='C'", views.ravel),
    "expand_dims": Meaning("input|a, dim|axis", views.expand_dims),
    "squeeze": Meaning("input|a, dim|axis=None", views.squeeze(strict=True)),
    "broadcast_to": Meaning("input|array, sizes|shape", views.expand),
    "tile": Meaning("input|A, sizes|reps", views.repeat),
    "repeat": Meaning("input|a, repeats, dim|axis=None", views.repeat_each),
    "flip": Meaning("input|m, dims|axis=None", views.flip),
    "fliplr": Meaning("input|m", views.flip_axis(1)),
    "flipud": Meaning("input|m", views.flip_axis(0)),
    "pad": Meaning(
        "input|array, pad_width, mode='constant', value|constant_values=None", views.numpy_pad
    ),
    "roll": Meaning("input|a, shifts|shift, dims|axis=None", views.roll),
    "diagonal": Meaning("input|a, offset=0, dim1|axis1=0, dim2|axis2=1", views.diagonal((0, 1))),
    "diag": Meaning("input|v, diagonal|k=0", views.diag("numpy")),
    "diagflat": Meaning("input|v, diagonal|k=0", views.diagflat),
    "diag_indices": Meaning("n, ndim=2", grids.diagonal_places),
    "diag_indices_from": Meaning("input|arr", grids.diagonal_of),
    "tril": Meaning("input|m, diagonal|k=0", views.triangle(False, "numpy")),
    "triu": Meaning("input|m, diagonal|k=0", views.triangle(True, "numpy")),
    "atleast_1d": Meaning("input", views.at_least(1)),
    "atleast_2d": Meaning("input", views.at_least(2)),
    "copy": Meaning("input|a, order=None", views.clone),
    "shape": Meaning("input|a", views.shape),
    "size": Meaning("input|a, dim|axis=None", views.numel),
    "ndim": Meaning("input|a", views.rank),
}  # fmt: skip

_AXIS = "input|x|a, dim|axis=None"

SCIPY: dict[str, Meaning] = {
    "special.softmax": Meaning(_AXIS, reductions.softmax_over(log=False)),
    "special.log_softmax": Meaning(_AXIS, reductions.softmax_over(log=True)),
    "special.logsumexp": Meaning(
        "input|a, dim|axis=None, weights|b=None, keepdim|keepdims=False", reductions.logsumexp
    ),
    "special.expit": Meaning("input|x", elementwise.unary("sigmoid")),
    "special.erf": Meaning("input|x", elementwise.unary("erf")),
    "special.logit": Meaning("input|x", elementwise.logit),
    "special.xlogy": Meaning("input|x, other|y", elementwise.xlogy),
    "linalg.inv": Meaning("input|a", inverses.inverse("numpy")),
    "linalg.svd": Meaning(
        "input|a, full|full_matrices=True, vectors|compute_uv=None",
        decompositions.singular("numpy"),
    ),
    "linalg.eigh": Meaning("input|a", decompositions.eigen("numpy")),
    "linalg.toeplitz": Meaning("column|c, row|r=None", distances.toeplitz),
    "linalg.circulant": Meaning("first|c", distances.circulant),
}
"""scipy functions, by their path below ``scipy``."""
