"""Functions that have no algebra here, by what else they do: most are pure, so that their results
are values of their own; some draw random numbers, some talk to the world."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Meaning
from auditor.lift.objects import Obj
from auditor.lift.tables import samplers

if TYPE_CHECKING:
    from auditor.lift.lifter import Lifter


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Pure namespaces: every function below them, but for the names in IMPURE and in-place ones.
_NAMESPACES = (
    "torch.fft.", "torch.linalg.", "torch.special.", "torch.nn.functional.", "torch.signal.",
    "numpy.fft.", "numpy.linalg.", "numpy.ma.", "scipy.special.", "scipy.linalg.", "scipy.signal.",
    "scipy.fft.", "scipy.stats.", "scipy.ndimage.", "scipy.interpolate.", "scipy.spatial.",
    "math.", "cmath.", "operator.", "itertools.", "string.", "re.", "os.path.", "inspect.",
    "dataclasses.", "collections.", "functools.", "typing.", "copy.", "numbers.", "fractions.",
    "decimal.", "statistics.", "torch.finfo", "torch.iinfo", "numpy.finfo", "numpy.iinfo",
    "torch.Size", "torch.device", "torch.dtype", "torch.jit.is_scripting", "torch.jit.is_tracing",
    "torch.nn.init.calculate_gain", "torch.cuda.is_available", "torch.is_", "torch.get_",
    "torch.utils.checkpoint.is_", "torch.compiler.is_", "torch.distributed.is_",
)  # fmt: skip

_RANDOM = (
    "torch.distributions.", "numpy.random.", "random.", "secrets.", "scipy.stats.rvs",
)  # fmt: skip

RANDOM = words("""
alpha_dropout bernoulli binomial cauchy dropout dropout1d dropout2d dropout3d exponential
feature_alpha_dropout feature_dropout fractional_max_pool2d fractional_max_pool3d geometric
gumbel_softmax log_normal multinomial native_dropout normal poisson rand rand_like randint
randint_like randn randn_like random randperm rrelu uniform
""")
"""Functions and methods of torch that draw random numbers; in place with a trailing underscore."""

_IO = ("logging.", "warnings.", "sys.", "os.", "shutil.", "time.", "pickle.", "json.", "csv.",
       "torch.save", "torch.load", "numpy.save", "numpy.load", "numpy.savetxt", "numpy.loadtxt",
       "pathlib.", "requests.", "wandb.", "matplotlib.", "cv2.imwrite", "cv2.imshow",
       "subprocess.", "socket.", "builtins.print")  # fmt: skip

_IO_BUILTINS = frozenset({"print", "open", "input", "breakpoint"})

_BUILTINS = words("""
ascii bin bytes callable chr classmethod complex dict format frozenset hasattr hash hex id
issubclass memoryview object oct ord repr set sorted staticmethod str type vars filter getattr
""")

_TORCH = words("""
abs absolute acos acosh adaptive_avg_pool1d adaptive_max_pool1d add addbmm addcdiv addcmul addmm
addmv addr adjoint affine_grid_generator alias_copy all allclose amax amin aminmax angle any
arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh are_deterministic_algorithms_enabled
argmax argmin argsort argwhere as_strided as_strided_copy as_strided_scatter asin asinh atan
atan2 atanh atleast_1d atleast_2d atleast_3d avg_pool1d baddbmm bartlett_window bilinear
binary_cross_entropy_with_logits bincount bitwise_and bitwise_left_shift bitwise_not bitwise_or
bitwise_right_shift bitwise_xor blackman_window block_diag bmm broadcast_shapes
broadcast_tensors broadcast_to bucketize can_cast cartesian_prod cat ccol_indices_copy cdist
ceil celu chain_matmul channel_shuffle cholesky cholesky_inverse cholesky_solve chunk clamp
clamp_max clamp_min clip clone col_indices_copy column_stack combinations complex concat
concatenate conj conj_physical constant_pad_nd conv1d conv2d conv3d conv_tbc conv_transpose1d
conv_transpose2d conv_transpose3d convolution copysign corrcoef cos cosh cosine_embedding_loss
cosine_similarity count_nonzero cov cross crow_indices_copy ctc_loss cummax cummin cumprod
cumsum cumulative_trapezoid deg2rad dequantize det detach diag diag_embed diagflat diagonal
diagonal_copy diagonal_scatter diff digamma dist div divide dot dsmm dsplit dstack eig einsum
embedding embedding_bag empty empty_like empty_permuted empty_quantized empty_strided eq equal
erf erfc erfinv exp exp2 expand_copy expm1 eye fill fix flatten flip fliplr flipud float_power
floor floor_divide fmax fmin fmod frac frexp frobenius_norm full full_like gather gcd ge geqrf
ger get_autocast_cpu_dtype get_autocast_dtype get_autocast_gpu_dtype get_autocast_ipu_dtype
get_autocast_xla_dtype get_default_device get_default_dtype get_deterministic_debug_mode
get_device get_device_module get_file_path get_float32_matmul_precision get_num_interop_threads
get_num_threads gradient greater greater_equal grid_sampler grid_sampler_2d grid_sampler_3d
group_norm gru gru_cell gt hamming_window hann_window hardshrink hash_tensor heaviside
hinge_embedding_loss histc histogram histogramdd hsmm hsplit hspmm hstack hypot i0 igamma
igammac imag index_add index_copy index_fill index_put index_reduce index_select indices_copy
inner int_repr inverse is_autocast_cache_enabled is_autocast_cpu_enabled is_autocast_enabled
is_autocast_ipu_enabled is_autocast_xla_enabled is_complex is_conj
is_deterministic_algorithms_warn_only_enabled is_distributed is_floating_point is_grad_enabled
is_inference is_inference_mode_enabled is_neg is_nonzero is_same_size is_signed is_storage
is_tensor is_vulkan_available isclose isfinite isin isinf isnan isneginf isposinf isreal istft
kaiser_window kl_div kron kthvalue layer_norm lcm ldexp le lerp less less_equal lgamma linspace
log log10 log1p log2 log_softmax logaddexp logaddexp2 logcumsumexp logdet logical_and
logical_not logical_or logical_xor logit logspace logsumexp lstm lstm_cell lstsq lt lu lu_solve
lu_unpack margin_ranking_loss masked_fill masked_scatter masked_select matmul matrix_exp
matrix_power matrix_rank max max_pool1d max_pool1d_with_indices max_pool2d max_pool3d maximum
mean median meshgrid min minimum mm mode moveaxis movedim msort mul multiply mv mvlgamma
nan_to_num nanmean nanmedian nanquantile nansum narrow narrow_copy native_channel_shuffle
native_group_norm native_layer_norm native_norm ne neg negative nextafter nonzero nonzero_static
norm norm_except_dim not_equal numel ones ones_like orgqr ormqr outer pairwise_distance
pca_lowrank pdist permute permute_copy pinverse pixel_shuffle pixel_unshuffle poisson_nll_loss
polar polygamma positive pow prelu prod promote_types put qr quantile rad2deg range ravel real
reciprocal relu remainder renorm repeat_interleave reshape resolve_conj resolve_neg result_type
rms_norm roll rot90 round row_indices_copy row_stack rsqrt rsub saddmm scalar_tensor scatter
scatter_add scatter_reduce searchsorted segment_reduce select select_copy select_scatter selu
sgn sigmoid sign signbit sin sinc sinh slice_copy slice_inverse slice_scatter slogdet smm
softmax solve sort sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor
sparse_coo_tensor sparse_csc_tensor sparse_csr_tensor split split_copy split_with_sizes
split_with_sizes_copy spmm sqrt square squeeze squeeze_copy sspaddmm stack std std_mean stft sub
subtract sum svd svd_lowrank swapaxes swapdims symeig t t_copy take take_along_dim tan tanh
tensor tensor_split tensordot threshold tile to_dlpack topk trace transpose transpose_copy
trapezoid trapz triangular_solve tril tril_indices triplet_margin_loss triu triu_indices
true_divide trunc unbind unbind_copy unflatten unfold_copy unique unique_consecutive
unravel_index unsafe_chunk unsafe_split unsafe_split_with_sizes unsqueeze unsqueeze_copy
values_copy vander var var_mean vdot view_as_complex view_as_complex_copy view_as_real
view_as_real_copy view_copy vsplit vstack where xlogy zeros zeros_like
""")

_TENSOR = words("""
abs absolute acos acosh add addbmm addcdiv addcmul addmm addmv addr adjoint all allclose amax
amin aminmax angle any arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin
argsort argwhere as_strided as_strided_scatter asin asinh atan atan2 atanh baddbmm bfloat16
bincount bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor
bmm bool broadcast_to byte ccol_indices cdouble ceil cfloat chalf char cholesky cholesky_inverse
cholesky_solve chunk clamp clamp_max clamp_min clip clone coalesce col_indices conj
conj_physical const_data_ptr contiguous copysign corrcoef cos cosh count_nonzero cov cross
crow_indices cummax cummin cumprod cumsum deg2rad dense_dim dequantize det detach diag
diag_embed diagflat diagonal diagonal_scatter diff digamma dim dim_order dist div divide dot
double dsplit eig element_size eq equal erf erfc erfinv exp exp2 expand expand_as expm1 fix
flatten flip fliplr flipud float float_power floor floor_divide fmax fmin fmod frac frexp gather
gcd ge geqrf ger get_device greater greater_equal gt half hardshrink hash_tensor heaviside histc
histogram hsplit hypot i0 igamma igammac index index_add index_copy index_fill index_put
index_reduce index_select indices inner int int_repr inverse ipu isclose isfinite isinf isnan
isneginf isposinf isreal istft item kron kthvalue lcm ldexp le lerp less less_equal lgamma log
log10 log1p log2 log_softmax logaddexp logaddexp2 logcumsumexp logdet logical_and logical_not
logical_or logical_xor logit logsumexp long lstsq lt lu lu_solve masked_fill masked_scatter
masked_select matmul matrix_exp matrix_power max maximum mean median min minimum mm mode
moveaxis movedim msort mtia mul multiply mv mvlgamma nan_to_num nanmean nanmedian nanquantile
nansum narrow narrow_copy ndimension ne neg negative nelement new_empty new_empty_strided
new_full new_ones new_tensor new_zeros nextafter nonzero nonzero_static norm not_equal numel
orgqr ormqr outer permute pinverse polygamma positive pow prelu prod put q_per_channel_axis
q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qr qscheme quantile rad2deg
ravel reciprocal relu remainder renorm repeat repeat_interleave reshape reshape_as resolve_conj
resolve_neg roll rot90 round row_indices rsqrt scatter scatter_add scatter_reduce select
select_scatter sgn short sigmoid sign signbit sin sinc sinh size slice_inverse slice_scatter
slogdet smm softmax solve sort sparse_dim sparse_mask split split_with_sizes sqrt square squeeze
sspaddmm std stft stride sub subtract sum sum_to_size svd swapaxes swapdims symeig t take
take_along_dim tan tanh tensor_split tile to to_dense to_mkldnn to_padded_tensor to_sparse
to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr topk trace transpose
triangular_solve tril triu true_divide trunc type type_as unbind unflatten unfold unique
unique_consecutive unsafe_chunk unsafe_split unsafe_split_with_sizes unsqueeze values var vdot
view view_as vsplit where xlogy xpu
""")

_NUMPY = words("""
array_equal array_equiv array_repr array_str iterable
abs absolute acos acosh add all allclose amax amin angle any append arange arccos arccosh arcsin
arcsinh arctan arctan2 arctanh argmax argmin argpartition argsort argwhere around array
array2string asanyarray ascontiguousarray asfortranarray asin asinh astype atan atan2
atanh atleast_1d atleast_2d atleast_3d average bartlett bincount bitwise_and bitwise_count
bitwise_invert bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor
blackman block broadcast_arrays broadcast_shapes broadcast_to busday_count busday_offset
can_cast cbrt ceil choose clip column_stack common_type compress concat concatenate conj
conjugate convolve copy copysign corrcoef correlate cos cosh count_nonzero cov cross cumprod
cumsum cumulative_prod cumulative_sum datetime_as_string datetime_data deg2rad degrees delete
diag diag_indices diag_indices_from diagflat diagonal diff digitize divide divmod dot dsplit
dstack ediff1d einsum einsum_path empty empty_like equal exp exp2 expand_dims expm1 extract eye
fabs fix flatnonzero flip fliplr flipud float_power floor floor_divide fmax fmin fmod frexp full
full_like gcd geomspace get_printoptions gradient greater greater_equal hamming hanning
heaviside histogram histogram2d histogram_bin_edges histogramdd hsplit hstack hypot i0 identity
imag indices inner insert interp intersect1d invert is_busday isclose iscomplex iscomplexobj
isfinite isfortran isin isinf isnan isnat isneginf isposinf isreal isrealobj isscalar issubdtype
ix_ kaiser kron lcm ldexp left_shift less less_equal lexsort linspace log log10 log1p log2
logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logspace mask_indices matmul
matrix_transpose matvec max maximum mean median meshgrid min min_scalar_type minimum mintypecode
mod modf moveaxis multiply nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean
nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar ndim negative nextafter
nonzero not_equal ones ones_like outer packbits pad partition percentile permute_dims poly
polyadd polyder polydiv polyfit polyint polymul polysub polyval positive pow power prod
promote_types ptp quantile rad2deg radians ravel ravel_multi_index real real_if_close reciprocal
remainder repeat reshape resize result_type right_shift rint roll rollaxis roots rot90 round
row_stack searchsorted select shape sign signbit sin sinc sinh size sort sort_complex spacing
split sqrt square squeeze stack std subtract sum swapaxes take take_along_axis tan tanh
tensordot tile trace transpose trapezoid tri tril tril_indices tril_indices_from trim_zeros triu
triu_indices triu_indices_from true_divide trunc union1d unique unique_all unique_counts
unique_inverse unique_values unpackbits unravel_index unstack unwrap vander var vdot vecdot
vecmat vsplit vstack where zeros zeros_like
""")

_ARRAY = words("""
all any argmax argmin argpartition argsort astype choose clip compress conj conjugate copy
cumprod cumsum diagonal dot dumps flatten item max mean min nonzero prod ravel repeat reshape
round searchsorted squeeze std sum swapaxes take to_device tobytes tolist trace transpose var
""")

METHODS = _TENSOR | _ARRAY
"""Methods of arrays that change nothing."""

_TEXT = words("""
capitalize casefold center count encode endswith find format index isalnum isalpha isdigit join
ljust lower lstrip partition replace rfind rjust rsplit rstrip split splitlines startswith strip
title upper zfill get keys values items copy isidentifier isupper islower
""")
"""Methods of strings and dictionaries that change nothing."""

_RANDOM_LAYERS = frozenset({
    "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout", "RReLU",
    "FractionalMaxPool2d", "FractionalMaxPool3d",
})  # fmt: skip


class Opaque(Meaning):
    """A call whose result is a value of its own, and what else it does (None: nothing)."""

    def __init__(self, name: str, effect: str | None = None) -> None:
        super().__init__(effect or "", _nothing)
        object.__setattr__(self, "name", name)

    def call(self, lifter: Lifter, args: list[Obj], keywords: dict[str, Obj]) -> Obj:
        name: str = self.name  # type: ignore[attr-defined]
        if self.signature:
            lifter.effect_here(self.signature, f"calls `{name}`")
        elif {"out", "inplace"} & set(keywords):
            return super().call(lifter, [], {k: keywords[k] for k in keywords if k in _WRITES})
        raise Unsupported(f"`{name}` has no notation")


_WRITES = ("out", "inplace")


def _nothing(c: Call) -> Obj:
    raise Unsupported("a function without notation")


def function(path: str) -> Meaning | None:
    """A function that has no meaning but whose effects are known."""
    name = path.rpartition(".")[2]
    if "." not in path:
        if path in _IO_BUILTINS:
            return Opaque(path, "io")
        return Opaque(path) if path in _BUILTINS else None
    root = path.partition(".")[0]
    if path in samplers.FUNCTIONS:
        return samplers.FUNCTIONS[path]
    if path.startswith(_RANDOM) or (root in ("torch", "numpy") and name in RANDOM):
        return Opaque(path, "random")
    if path.startswith(_NAMESPACES) and not name.endswith("_"):
        impure = name in ("batch_norm", "instance_norm", "embedding", "embedding_bag")
        return None if impure else Opaque(path)
    if path.startswith(_IO):
        return Opaque(path, "io")
    if root == "torch" and path.count(".") == 1 and name in _TORCH:
        return Opaque(path)
    if root == "numpy" and path.count(".") == 1 and name in _NUMPY:
        return Opaque(path)
    return None


def method(name: str, library: str | None) -> Meaning | None:
    """A method of a tensor or an array."""
    if name in RANDOM or (name.endswith("_") and name.rstrip("_") in RANDOM):
        return Opaque(name, "random")
    pure = {"torch": _TENSOR, "numpy": _ARRAY}.get(library or "", METHODS)
    return Opaque(name) if name in pure or name in _TEXT else None


def layer(path: str) -> Meaning | None:
    """A layer of torch.nn, called."""
    if not path.startswith("torch.nn."):
        return None
    return Opaque(path, "random" if path.rpartition(".")[2] in _RANDOM_LAYERS else None)
