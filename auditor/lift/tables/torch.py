"""torch functions, by their path below ``torch``."""

from __future__ import annotations

from auditor.lift.calls import Meaning
from auditor.lift.tables import (
    constructors,
    contractions,
    decompositions,
    elementwise,
    inverses,
    joins,
    networks,
    orders,
    reductions,
    views,
    windows,
)
from auditor.notation import ONE, ZERO

_SOFTMAX = "input, dim=None, _stacklevel=3, dtype=None"
DIMS = "input, dim|axis=None, keepdim|keepdims=False, dtype=None, out=None"
_VAR = "input, dim|axis=None, correction|unbiased_=1, keepdim=False, unbiased=None"
_LIKE = "dtype=None, device=None, requires_grad=False, layout=None, memory_format=None"
_SIZED = f"*size, {_LIKE}, pin_memory=None, out=None"
_ADDED = "input, mat1|batch1|mat, mat2|batch2|vec, beta=1, alpha=1"
_NORM = "input, order|ord|p=None, dim=None, keepdim=False, dtype=None"

_ACTIVATIONS: dict[str, Meaning] = {
    f"nn.functional.{name}": Meaning(f"input{more}, inplace=False", handler)
    for name, (more, handler) in elementwise.ACTIVATIONS.items()
}
_SPECIAL: dict[str, Meaning] = {
    f"special.{name}": Meaning("input", elementwise.unary(elementwise.UNARY[name][0]))
    for name in ("erf", "erfc", "exp2", "expm1", "log1p", "sinc")
}

FUNCTIONS: dict[str, Meaning] = {
    **elementwise.table("t"),
    "div": Meaning("input, other, rounding_mode=None", elementwise.division),
    "divide": Meaning("input, other, rounding_mode=None", elementwise.division),
    "round": Meaning("input, decimals=0", elementwise.rounded),
    "rsub": Meaning("input, other, alpha=None", elementwise.reversed_sub),
    "clamp": Meaning("input, min=None, max=None", elementwise.clamp),
    "clip": Meaning("input, min=None, max=None", elementwise.clamp),
    "clamp_min": Meaning("input, min", elementwise.clamp),
    "clamp_max": Meaning("input, max", elementwise.clamp),
    "lerp": Meaning("input, end, weight", elementwise.lerp),
    "addcmul": Meaning("input, tensor1, tensor2, value=1", elementwise.added("mul")),
    "addcdiv": Meaning("input, tensor1, tensor2, value=1", elementwise.added("div")),
    "logit": Meaning("input, eps=None", elementwise.logit),
    "xlogy": Meaning("input, other", elementwise.xlogy),
    "frac": Meaning("input", elementwise.frac),
    "where": Meaning("condition, input|self=None, other=None", elementwise.where),
    "masked_fill": Meaning("input, mask, value", elementwise.masked_fill),
    "complex": Meaning("input|real, other|imag", constructors.complex_of),
    # reductions
    "sum": Meaning(DIMS, reductions.reduction("sum")),
    "prod": Meaning(DIMS, reductions.reduction("prod")),
    "any": Meaning(DIMS, reductions.reduction("any")),
    "all": Meaning(DIMS, reductions.reduction("all")),
    "amax": Meaning(DIMS, reductions.reduction("max")),
    "amin": Meaning(DIMS, reductions.reduction("min")),
    "max": Meaning("input, dim|other=None, keepdim=False", reductions.extremum("max")),
    "min": Meaning("input, dim|other=None, keepdim=False", reductions.extremum("min")),
    "aminmax": Meaning("input, dim=None, keepdim=False", reductions.both_extrema),
    "argmax": Meaning("input, dim=None, keepdim=False", reductions.arg_extremum("argmax")),
    "argmin": Meaning("input, dim=None, keepdim=False", reductions.arg_extremum("argmin")),
    "mean": Meaning(DIMS, reductions.mean),
    "var": Meaning(_VAR, reductions.variance(False, 1)),
    "std": Meaning(_VAR, reductions.variance(True, 1)),
    "var_mean": Meaning(_VAR, reductions.variance_and_mean(False)),
    "std_mean": Meaning(_VAR, reductions.variance_and_mean(True)),
    "count_nonzero": Meaning("input, dim=None", reductions.count_nonzero),
    "norm": Meaning(_NORM, reductions.norm(matrices=False)),
    "linalg.norm": Meaning(_NORM, reductions.norm(matrices=True)),
    "linalg.vector_norm": Meaning(_NORM, reductions.norm(matrices=False)),
    "dist": Meaning("input, other, p=2", reductions.distance),
    "logsumexp": Meaning("input, dim, keepdim=False", reductions.logsumexp),
    "special.logsumexp": Meaning("input, dim, keepdim=False", reductions.logsumexp),
    "softmax": Meaning("input, dim, dtype=None", reductions.softmax),
    "special.softmax": Meaning("input, dim, dtype=None", reductions.softmax),
    "nn.functional.softmax": Meaning(_SOFTMAX, reductions.softmax),
    "nn.functional.softmin": Meaning(_SOFTMAX, reductions.softmin),
    "log_softmax": Meaning("input, dim, dtype=None", reductions.log_softmax),
    "special.log_softmax": Meaning("input, dim, dtype=None", reductions.log_softmax),
    "nn.functional.log_softmax": Meaning(_SOFTMAX, reductions.log_softmax),
    "nn.functional.normalize": Meaning("input, p=2.0, dim=1, eps=1e-12", reductions.normalize),
    "nn.functional.cosine_similarity": Meaning(
        "input|x1, other|x2, dim=1, eps=1e-8", reductions.cosine_similarity
    ),
    "cosine_similarity": Meaning(
        "input|x1, other|x2, dim=1, eps=1e-8", reductions.cosine_similarity
    ),
    "nn.functional.mse_loss": Meaning(
        "input, target, size_average=None, reduce=None, reduction='mean'", reductions.loss("square")
    ),
    "nn.functional.l1_loss": Meaning(
        "input, target, size_average=None, reduce=None, reduction='mean'", reductions.loss("abs")
    ),
    # prefix operations
    "cumsum": Meaning("input, dim, dtype=None", reductions.cumulative("sum")),
    "cumprod": Meaning("input, dim, dtype=None", reductions.cumulative("prod")),
    "cummax": Meaning("input, dim", reductions.cumulative_extremum("max")),
    "cummin": Meaning("input, dim", reductions.cumulative_extremum("min")),
    "logcumsumexp": Meaning("input, dim", reductions.logcumsumexp),
    "diff": Meaning("input, n=1, dim=-1, prepend=None, append=None", reductions.difference),
    # orders and selections
    "sort": Meaning("input, dim=-1, descending=False, stable=False", orders.sort),
    "argsort": Meaning("input, dim=-1, descending=False, stable=False", orders.argsort),
    "topk": Meaning("input, k, dim=-1, largest=True, sorted=True", orders.topk),
    "kthvalue": Meaning("input, k, dim=-1, keepdim=False", orders.kthvalue),
    "median": Meaning("input, dim=None, keepdim=False", orders.median),
    "quantile": Meaning(
        "input, q, dim=None, keepdim=None, interpolation=None", orders.quantile(1)
    ),
    "gather": Meaning("input, dim, index, sparse_grad=False", orders.gather),
    "scatter": Meaning("input, dim, index, src|value", orders.scatter),
    "take_along_dim": Meaning("input, index|indices, dim=None", orders.take_along),
    "index_select": Meaning("input, dim, index", orders.index_select),
    "select": Meaning("input, dim, index", orders.select),
    "nn.functional.one_hot": Meaning("input|tensor, num_classes=-1", orders.one_hot),
    # contractions
    "matmul": Meaning("input, other", contractions.matmul),
    "linalg.matmul": Meaning("input, other", contractions.matmul),
    "mm": Meaning("input, other|mat2", contractions.of_ranks(2, 2)),
    "bmm": Meaning("input, other|mat2", contractions.of_ranks(3, 3)),
    "mv": Meaning("input, other|vec", contractions.of_ranks(2, 1)),
    "dot": Meaning("input, other|tensor", contractions.dot),
    "vdot": Meaning("input, other|tensor", contractions.vdot),
    "inner": Meaning("input, other", contractions.inner),
    "linalg.vecdot": Meaning("input|x, other|y, dim=-1", contractions.vecdot),
    "outer": Meaning("input, other|vec2", contractions.outer),
    "kron": Meaning("input, other", contractions.kron),
    "ger": Meaning("input, other|vec2", contractions.outer),
    "addmm": Meaning(_ADDED, contractions.add_product((2, 2))),
    "addmv": Meaning(_ADDED, contractions.add_product((2, 1))),
    "baddbmm": Meaning(_ADDED, contractions.add_product((3, 3))),
    "addbmm": Meaning(_ADDED, contractions.add_product((3, 3), summed=True)),
    "chain_matmul": Meaning("*tensors", contractions.multi_dot),
    "svd": Meaning("input, some=True, vectors|compute_uv=None",
                   decompositions.singular("torch", "some", turned=True)),
    "linalg.svd": Meaning("input|A, full|full_matrices=True", decompositions.singular("torch")),
    "svd_lowrank": Meaning("input|A, q=6, niter=2, M=None", decompositions.thin("torch")),
    "linalg.eigh": Meaning("input|A, UPLO=None", decompositions.eigen("torch")),
    "linalg.multi_dot": Meaning("tensors", contractions.multi_dot),
    "tensordot": Meaning("input|a, other|b, dims=2", contractions.tensordot),
    "einsum": Meaning("equation, *operands", contractions.einsum),
    "trace": Meaning("input", contractions.trace),
    "inverse": Meaning("input", inverses.inverse("torch")),
    "linalg.inv": Meaning("input|A", inverses.inverse("torch")),
    "matrix_power": Meaning("input, n", inverses.power("torch")),
    "linalg.matrix_power": Meaning("input|A, n", inverses.power("torch")),
    "linalg.solve": Meaning("input|A, other|B, left=True", inverses.solve("torch")),
    "nn.functional.linear": Meaning("input, weight, bias=None", contractions.linear),
    # constructors
    "zeros": Meaning(_SIZED, constructors.full(ZERO, "torch")),
    "ones": Meaning(_SIZED, constructors.full(ONE, "torch")),
    "empty": Meaning(_SIZED, constructors.full(constructors.EMPTY, "torch")),
    "full": Meaning(f"size, fill_value, {_LIKE}", constructors.full(None, "torch")),
    "zeros_like": Meaning(f"input, {_LIKE}", constructors.full_like(ZERO, "torch")),
    "ones_like": Meaning(f"input, {_LIKE}", constructors.full_like(ONE, "torch")),
    "empty_like": Meaning(f"input, {_LIKE}", constructors.full_like(constructors.EMPTY, "torch")),
    "full_like": Meaning(f"input, fill_value, {_LIKE}", constructors.full_like(None, "torch")),
    "tensor": Meaning(f"data, {_LIKE}", constructors.array("torch")),
    "Tensor": Meaning("data", constructors.of_list("float32")),
    "FloatTensor": Meaning("data", constructors.of_list("float32")),
    "DoubleTensor": Meaning("data", constructors.of_list("float64")),
    "as_tensor": Meaning("data, dtype=None, device=None", constructors.array("torch", False)),
    "asarray": Meaning("data|obj, dtype=None, device=None", constructors.array("torch", False)),
    "scalar_tensor": Meaning(f"data|s, {_LIKE}", constructors.array("torch")),
    "from_numpy": Meaning("data|ndarray", constructors.array("torch", False)),
    "eye": Meaning(f"n, m=None, {_LIKE}", constructors.eye("torch")),
    "arange": Meaning(f"*bounds, start=None, end=None, step=None, {_LIKE}",
                      constructors.arange("torch")),
    "linspace": Meaning(f"start, end, steps, {_LIKE}", constructors.linspace("torch")),
    # joining and splitting
    "stack": Meaning("tensors, dim|axis=0", joins.stack),
    "cat": Meaning("tensors, dim|axis=0", joins.cat),
    "concat": Meaning("tensors, dim|axis=0", joins.cat),
    "concatenate": Meaning("tensors, dim|axis=0", joins.cat),
    "hstack": Meaning("tensors", joins.side_by_side(1, 1)),
    "vstack": Meaning("tensors", joins.side_by_side(0, 2)),
    "dstack": Meaning("tensors", joins.side_by_side(2, 3)),
    "column_stack": Meaning("tensors", joins.side_by_side(1, 2)),
    "split": Meaning("input|tensor, sizes|split_size_or_sections|split_size, dim=0", joins.split),
    "tensor_split": Meaning("input, sections|indices_or_sections|indices, dim=0",
                            joins.split_at(None, uneven=True)),
    "chunk": Meaning("input, chunks, dim=0", joins.chunk),
    "unbind": Meaning("input, dim=0", joins.unbind),
    "narrow": Meaning("input, dim, start, length", joins.narrow),
    "meshgrid": Meaning("*tensors, indexing=None", joins.meshgrid(None)),
    "broadcast_tensors": Meaning("*tensors", views.broadcast_together),
    # views
    "transpose": Meaning("input, dim0, dim1", views.transpose),
    "swapaxes": Meaning("input, dim0|axis0, dim1|axis1", views.transpose),
    "swapdims": Meaning("input, dim0, dim1", views.transpose),
    "t": Meaning("input", views.flat_transpose),
    "adjoint": Meaning("input", views.adjoint),
    "permute": Meaning("input, dims", views.permute),
    "nn.functional.unfold": Meaning("input, kernel_size, dilation=1, padding=0, stride=1",
                                    windows.columns),
    "movedim": Meaning("input, source, destination", views.movedim),
    "moveaxis": Meaning("input, source, destination", views.movedim),
    "reshape": Meaning("input, shape", views.reshape),
    "flatten": Meaning("input, start_dim=0, end_dim=-1", views.flatten),
    "ravel": Meaning("input", views.ravel),
    "unflatten": Meaning("input, dim, sizes", views.unflatten),
    "unsqueeze": Meaning("input, dim", views.unsqueeze),
    "squeeze": Meaning("input, dim=None", views.squeeze(strict=False)),
    "broadcast_to": Meaning("input, sizes|size|shape", views.expand),
    "tile": Meaning("input, sizes|dims", views.repeat),
    "repeat_interleave": Meaning("input, repeats, dim=None, output_size=None", views.repeat_each),
    "flip": Meaning("input, dims", views.flip),
    "fliplr": Meaning("input", views.flip_axis(1)),
    "flipud": Meaning("input", views.flip_axis(0)),
    "roll": Meaning("input, shifts, dims=None", views.roll),
    "diagonal": Meaning("input, offset=0, dim1=0, dim2=1", views.diagonal((0, 1))),
    "linalg.diagonal": Meaning("input|A, offset=0, dim1|dim1_=-2, dim2=-1",
                               views.diagonal((-2, -1))),
    "diag": Meaning("input, diagonal=0", views.diag()),
    "diagflat": Meaning("input, diagonal|offset=0", views.diagflat),
    "diag_embed": Meaning("input, offset=0, dim1=None, dim2=None", views.diag_embed),
    "tril": Meaning("input, diagonal=0", views.triangle(upper=False)),
    "triu": Meaning("input, diagonal=0", views.triangle(upper=True)),
    "atleast_1d": Meaning("input", views.at_least(1)),
    "atleast_2d": Meaning("input", views.at_least(2)),
    "atleast_3d": Meaning("input", views.at_least(3)),
    "clone": Meaning("input, memory_format=None", views.clone),
    "detach": Meaning("input", networks.detach),
    "numel": Meaning("input", views.numel),
    # networks
    **_ACTIVATIONS,
    **_SPECIAL,
    "special.expit": Meaning("input", elementwise.unary("sigmoid")),
    "special.logit": Meaning("input, eps=None", elementwise.logit),
    "special.xlogy": Meaning("input, other", elementwise.xlogy),
    "special.entr": Meaning("input", elementwise.entropy),
    "nn.functional.pad": Meaning("input, pad, mode='constant', value=None", views.pad),
    "nn.functional.dropout": Meaning("input, p=0.5, training=True, inplace=False",
                                     networks.dropout),
    "nn.functional.layer_norm": Meaning(
        "input, normalized_shape, weight=None, bias=None, eps=1e-5",
        networks.same_shape("layer_norm"),
    ),
    "nn.functional.rms_norm": Meaning(
        "input, normalized_shape, weight=None, eps=None", networks.same_shape("rms_norm")
    ),
    "nn.functional.scaled_dot_product_attention": Meaning(
        "query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,"
        " enable_gqa=False",
        networks.attention,
    ),
}  # fmt: skip
