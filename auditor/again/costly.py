"""Calls that cost more than a few numbers, by their names (what names mean: ``call_effects``)."""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from auditor.lift.call_effects import LIBRARIES, PRODUCTS, may_be_a_part
from auditor.lift.module import Module
from auditor.lift.own_layers import layer_word
from auditor.lift.tables.effects import words
from auditor.syntax import path_of
from auditor.tree import descendants

FOLDS = words("""
sum mean prod amax amin argmax argmin std var median nanmedian quantile percentile norm logsumexp
cumsum cumprod cummax cummin logcumsumexp count_nonzero nansum nanmean nanmax nanmin nanstd average
trace bincount histogram histc max min any all sort argsort topk unique kthvalue searchsorted
fmean stdev pstdev variance pvariance
partition argpartition lexsort softmax log_softmax softmin layer_norm group_norm normalize
cross_entropy mse_loss kl_div nll_loss l1_loss smooth_l1_loss binary_cross_entropy
binary_cross_entropy_with_logits
""")
MAPS = words("""
exp log tanh sigmoid sin cos tan erf gelu silu softplus logsigmoid cosh sinh exp2 expm1 log1p log2
log10 logaddexp mish arctan2 atan2 power pow float_power
""")
SOLVERS = words("""
inverse inv pinverse pinv svd eigh eig eigvals eigvalsh cholesky qr lu slogdet det logdet solve
lstsq matrix_exp matrix_rank expm lu_factor cho_factor svd_lowrank pca_lowrank
""")
BUILDERS = words("""
arange linspace logspace eye identity tril triu tri tensor array meshgrid
tril_indices triu_indices hann_window hamming_window hanning hamming blackman
""")
_PYTHON = words("sum max min sorted any all set frozenset")
_BELOW = words("fft ifft rfft irfft fft2 ifft2 fftn ifftn cond multi_dot vector_norm matrix_norm")
_COSTLY = PRODUCTS | FOLDS | MAPS | SOLVERS | BUILDERS
STATISTICS = "statistics"
"""The module of Python that folds lists."""
COSTLY = _COSTLY | _PYTHON | _BELOW
"""The names of everything that ``costly_word`` knows."""


def costly_word(module: Module, node: ast.AST) -> str | None:
    """The name of an operation whose cost grows with the arrays that it is given; None for what
    takes a few numbers only."""
    if isinstance(node, ast.BinOp):
        return "matmul" if isinstance(node.op, ast.MatMult) else None
    if not isinstance(node, ast.Call):
        return None
    path = path_of(module, node.func)
    if path is not None:
        name = path.rpartition(".")[2]
        if path.partition(".")[0] not in (*LIBRARIES, STATISTICS) or name in ("dtype", "device"):
            return None
        return name if name in _COSTLY or name in _BELOW else None
    if isinstance(node.func, ast.Name):
        name = node.func.id
        if name in module.functions:
            return _word_within(module, module.functions[name])
        if name not in _PYTHON or name in module.bound or len(node.args) != 1:
            return None
        return None if isinstance(node.args[0], (ast.Tuple, ast.List, ast.Starred)) else name
    if isinstance(node.func, ast.Attribute) and not may_be_a_part(node):
        name = node.func.attr
        return name if name in _COSTLY - BUILDERS else None
    return layer_word(module, node)


CALLED = "called"
"""The word of a function of the file that calls others, of numbers perhaps, and has no costly
operation: worth a thought where it is called at every step of a loop."""
_within: WeakKeyDictionary[ast.FunctionDef, str | None] = WeakKeyDictionary()


def _word_within(module: Module, function: ast.FunctionDef) -> str | None:
    """The first costly operation of a function of the file, ``CALLED`` where it has none but calls
    others, None where it does not."""
    if function not in _within:
        _within[function] = None  # while it is being looked at
        calls = [inner for part in function.body for inner in descendants(part)
                 if isinstance(inner, (ast.Call, ast.BinOp))]  # fmt: skip
        words = [word for inner in calls if (word := costly_word(module, inner)) is not None]
        calls_others = any(isinstance(inner, ast.Call) for inner in calls)
        first = next((word for word in words if word != CALLED), None)
        _within[function] = first or (CALLED if calls_others else None)
    return _within[function]
