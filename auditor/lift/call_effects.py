"""What a call does, by its name: whether it computes and nothing else, and whether its result may
share the memory of what it is given.

A name below an imported library means what the library says. A method is known by its name alone,
so it counts as one of arrays only where nothing speaks for an object of the program's own.
"""

from __future__ import annotations

import ast
from enum import Enum
from functools import cache

from auditor.lift.filled import FILLING, FILLING_FIRST
from auditor.lift.in_place import CHANGING, most_inputs
from auditor.lift.module import Module
from auditor.lift.own_layers import layer_word
from auditor.lift.tables import computes, effects, known_method
from auditor.lift.tables.effects import words
from auditor.surroundings.purity import PURE_BUILTINS, PURE_METHODS, does_more
from auditor.syntax import constant, is_name, owner, path_of
from auditor.tree import OfNodes, descendants


class Does(Enum):
    """``FRESH``: a result of its own; ``VIEW``: a result that may share memory with what it is
    given; ``DRAWS``: random numbers; ``WRITES``: changes what it is called on or given as ``out``;
    ``REPORTS``: says something and changes nothing; ``ANYTHING``: not known."""

    FRESH = "fresh"
    VIEW = "view"
    DRAWS = "draws"
    WRITES = "writes"
    REPORTS = "reports"
    ANYTHING = "anything"


VIEWS = frozenset(
    """
view reshape transpose permute t squeeze unsqueeze expand expand_as flatten ravel contiguous to type
float double half bfloat16 long int short bool cpu cuda numpy detach narrow select chunk split
unbind swapaxes swapdims movedim moveaxis diagonal unfold view_as reshape_as as_strided unflatten
values indices items keys get real imag adjoint conj astype type_as broadcast_to tensor_split
asarray asanyarray ascontiguousarray as_tensor from_numpy atleast_1d atleast_2d atleast_3d
expand_dims broadcast_tensors broadcast_arrays meshgrid hsplit vsplit dsplit array_split rearrange
view_as_real view_as_complex flip rot90 nan_to_num einsum
cdouble cfloat chalf conjugate conj_physical positive resolve_conj resolve_neg to_dense index
split_with_sizes unsafe_chunk unsafe_split unsafe_split_with_sizes slice_inverse sum_to_size
cartesian_prod asfortranarray diag diff fliplr flipud matrix_transpose permute_dims real_if_close
rollaxis sliding_window_view trim_zeros unstack matrix_power require getdata getfield Parameter
Buffer polyder polyint
""".split()
)
"""Functions and methods whose result may lie in the memory of what they are given."""

GROWS = words("append extend insert add update appendleft remove discard clear reverse pop")
_SETTING = words("__setitem__ __delitem__ __setattr__ __setstate__") | {
    f"__i{name}__" for name in "add sub mul truediv floordiv mod pow matmul and or xor".split()
}
HOOKS = words("register_hook retain_grad register_post_accumulate_grad_hook")
"""What changes no number of a tensor, but what comes of the gradient that passes through it."""
_IN_PLACE = words("sort byteswap")  # a method of torch computes a new one
_HANDING = words("list tuple dict set frozenset reversed iter sorted max min")
"""What gives items of what it is given, which may be arrays."""
_REPORTS = words("print isinstance len id repr format hasattr callable type range enumerate zip")

PRODUCTS = words("""
matmul mm bmm mv dot vdot inner outer kron einsum tensordot linear bilinear addmm addbmm baddbmm
addmv cdist pairwise_distance cosine_similarity multi_dot chain_matmul matrix_power conv1d conv2d
conv3d conv_transpose1d conv_transpose2d convolve convolve2d correlate fftconvolve corrcoef cov
scaled_dot_product_attention interpolate grid_sample
""")
_MODES = words("no_grad enable_grad inference_mode autocast")
LIBRARIES = ("torch", "numpy", "scipy")


@cache
def _path(path: str) -> Does:
    root, _, rest = path.partition(".")
    name = path.rpartition(".")[2]
    if _of_a_type(path):
        return Does.WRITES if name in FILLING | _IN_PLACE else _method(name)
    if root == "numpy" and (name in FILLING_FIRST or name == "at"):
        return Does.WRITES
    if root == "torch" and name.endswith("_") and not name.endswith("__"):
        return Does.WRITES
    if name.endswith("_") or not rest:
        return Does.ANYTHING
    if name in effects.RANDOM or ".random." in f".{path}" or path.startswith("random."):
        return Does.DRAWS
    if root == "operator" and name in ("getitem", "pos", "concat"):
        return Does.VIEW
    if root in ("math", "cmath", "operator", "statistics"):
        return Does.FRESH
    if root == "torch" and name in _MODES:
        return Does.REPORTS
    if name.startswith("empty") or not computes(path):
        return Does.ANYTHING
    if root == "einops":
        return Does.VIEW
    if root not in LIBRARIES:
        return Does.ANYTHING
    if path.startswith("numpy.ma."):
        return Does.VIEW
    return Does.VIEW if name in VIEWS else Does.FRESH


@cache
def _method(name: str) -> Does:
    if name.startswith("__"):
        return Does.WRITES if name in _SETTING else Does.ANYTHING
    if (name.endswith("_") and not name.startswith("_")) or name in GROWS | HOOKS | {"shuffle"}:
        return Does.WRITES
    if name in effects.RANDOM:
        return Does.DRAWS
    if name in VIEWS:
        return Does.VIEW
    meaning = effects.method(name, None)
    known = name in PURE_METHODS or (meaning is not None and not meaning.signature)
    known |= meaning is None and known_method(name)
    return Does.FRESH if known else Does.ANYTHING


def does(module: Module, call: ast.Call, statement: bool = False) -> Does:
    """What a call does besides evaluating its arguments; ``statement`` says that its result is not
    used."""
    if any(k.arg in ("out", "inplace") and constant(k.value) not in (None, False)
           for k in call.keywords):  # fmt: skip
        return Does.WRITES
    if any(k.arg is None for k in call.keywords):
        return Does.ANYTHING
    if given_to_change(module, call):
        return Does.WRITES
    path = path_of(module, call.func)
    if path is not None:
        found = _path(path)
        return Does.VIEW if found is Does.FRESH and copies_maybe(call) else found
    if isinstance(call.func, ast.Name):
        name = call.func.id
        if name in module.bound:
            return Does.ANYTHING
        if name in _REPORTS:
            return Does.REPORTS
        if name in _HANDING or (name == "sum" and len(call.args) + len(call.keywords) > 1):
            return Does.VIEW
        return Does.FRESH if name in PURE_BUILTINS else Does.ANYTHING
    if layer_word(module, call) is not None:
        return Does.FRESH
    if not isinstance(call.func, ast.Attribute) or may_be_a_part(call):
        return Does.ANYTHING
    if call.func.attr in FILLING or (statement and call.func.attr in _IN_PLACE):
        return Does.WRITES
    return _method(call.func.attr)


def copies_maybe(call: ast.Call) -> bool:
    """``np.array(x, copy=False)``."""
    return any(word.arg == "copy" and constant(word.value) is not True for word in call.keywords)


_UNFILLED = frozenset(
    f"{library}.{name}" for library in ("torch", "numpy") for name in ("empty", "empty_like")
)
"""What makes an array of its own, of which nothing is known but its shape."""


def anew(module: Module, call: ast.Call) -> bool:
    """Whether what a call gives shares no memory with what it is given: a library's function that
    makes a result of its own, and what a part of ``self`` (a layer) gives back, but for a method
    that the file defines."""
    if isinstance(call.func, ast.Attribute):
        if is_name(call.func.value, "self"):
            return not module.called(call.func.attr)
        if call.func.attr == "copy" and path_of(module, call.func) is None:
            return False  # of a list, which holds the same arrays
    if path_of(module, call.func) in _UNFILLED:
        return all(word.arg not in (None, "out") for word in call.keywords)
    return does(module, call) is Does.FRESH


_OF_SEVERAL = words("""
broadcast_tensors broadcast_arrays meshgrid atleast_1d atleast_2d atleast_3d list tuple dict set
frozenset reversed iter sorted max min sum getitem concat rearrange
""")
"""What gives back more than what it is given first."""


_GIVEN_BACK = OfNodes[list[ast.expr]]("given_back")


def given_back(module: Module, call: ast.Call) -> list[ast.expr]:
    """What of the parts of a call its result may be, hold or lie in the memory of: anything that
    it is given and what it is a method of, where nothing more is known of it."""
    known = _GIVEN_BACK.get(call)
    return _GIVEN_BACK.keep(call, _parts_given_back(module, call)) if known is None else known


def _parts_given_back(module: Module, call: ast.Call) -> list[ast.expr]:
    if anew(module, call):
        return []
    called = call.func
    given = [*call.args, *(word.value for word in call.keywords)]
    path = path_of(module, called)
    if does(module, call) is not Does.VIEW:
        return [called, *given] if _looks_at_itself(module, called) else given
    name = called.attr if isinstance(called, ast.Attribute) else (path or "").rpartition(".")[2]
    if path is None and isinstance(called, ast.Attribute):
        return [called.value]
    if name == "einsum":  # of one array it may only move or leave out axes
        return given if len(given) == 2 else []
    return given if path is None or name in _OF_SEVERAL else given[:1]


def _looks_at_itself(module: Module, called: ast.expr) -> bool:
    """Whether what is called may give back what it is kept in: not a method of the file that does
    not mention its object."""
    if not isinstance(called, ast.Attribute) or not is_name(called.value, "self"):
        return True
    return any(
        isinstance(node, ast.Name) and node.id == "self"
        for function in module.called(called.attr) for node in descendants(function)
    )  # fmt: skip


def given_to_change(module: Module, call: ast.Call) -> bool:
    """Whether what a call is given may be changed by it: ``np.add(x, 1, x)``,
    ``operator.iadd(x, 1)``, ``map(x.fill, values)``, ``reduce(operator.iadd, parts)``,
    ``map(clear, parts)`` of a function of the file that does."""
    path = path_of(module, call.func) or ""
    inputs = most_inputs(path) if path.startswith("numpy.") else None
    if (inputs is not None and len(call.args) > inputs) or _of_operator(path):
        return True
    if path.endswith("random.shuffle") or _by_place(call, path) or _copies_nothing(call, path):
        return True
    for given in call.args:
        if isinstance(given, ast.Name) and writes_into_parameters(module, given.id):
            return True
        if isinstance(given, ast.Attribute):
            path = path_of(module, given) or ""
            method = given.attr in FILLING | _IN_PLACE or given.attr.rstrip("_") != given.attr
            own = not path or ".Tensor." in path or ".ndarray." in path
            if _of_operator(path) or (method and own and not given.attr.startswith("_")):
                return True
    return False


def writes_into_parameters(module: Module, name: str) -> bool:
    """Whether a function of the file writes into something that it is given."""
    known: dict[str, bool] = module.once.setdefault("writing into parameters", {})
    if name not in known:
        known[name] = False
        known[name] = any(
            owner(written) in {arg.arg for arg in descendants(function.args)
                                  if isinstance(arg, ast.arg)}
            for function in module.called(name) for node in descendants(function)
            for written in _written_in_place(node)
        )  # fmt: skip
    return known[name]


def _written_in_place(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.AugAssign):
        return [node.target]
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return [node]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return [node.func.value] if _method(node.func.attr) is Does.WRITES else []
    return []


def _by_place(call: ast.Call, path: str) -> bool:
    """``F.hardtanh(x, 0.0, 1.0, True)``: told to work in place by an argument without a name."""
    place = _INPLACE.get(path.removeprefix("torch.nn.functional."))
    return (
        place is not None and place < len(call.args) and (constant(call.args[place]) is not False)
    )


def _copies_nothing(call: ast.Call, path: str) -> bool:
    """``np.nan_to_num(x, copy=False)``."""
    if path != "numpy.nan_to_num":
        return False
    said = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "copy")]
    return any(constant(each) is not True for each in said)


_INPLACE = dict.fromkeys(words("relu relu6 selu silu mish hardswish hardsigmoid"), 1) | {
    "leaky_relu": 2, "elu": 2, "celu": 2, "hardtanh": 3, "threshold": 3, "rrelu": 4, "dropout": 3,
    "dropout1d": 3, "dropout2d": 3, "dropout3d": 3, "alpha_dropout": 3, "feature_alpha_dropout": 3,
    "normalize": 4,
}  # fmt: skip


def _of_operator(path: str) -> bool:
    root, _, name = path.partition(".")
    return root == "operator" and name in CHANGING


_CALLING = {
    "map": 0, "filter": 0, "functools.reduce": 0, "itertools.starmap": 0, "itertools.takewhile": 0,
    "itertools.dropwhile": 0, "itertools.filterfalse": 0, "itertools.accumulate": 1,
    "numpy.apply_along_axis": 0, "numpy.vectorize": 0,
}  # fmt: skip
"""What calls a function that it is given, and which of its arguments that is."""
_TELLING = words("print input exec eval setattr delattr next open vars")


def calls_given(module: Module, call: ast.Call) -> ast.expr | None:
    """A function that is handed over to be called (``map(rows.append, items)``, ``key=weigh``) and
    may do more than compute; None where there is none."""
    name = path_of(module, call.func) or str(getattr(call.func, "id", ""))
    place = _CALLING.get(name, len(call.args))
    given = [*call.args[place : place + 1], *(w.value for w in call.keywords if w.arg == "key")]
    return next((one for one in given if not _only_computes(module, one)), None)


def _only_computes(module: Module, function: ast.expr) -> bool:
    if isinstance(function, ast.Name) and function.id in module.functions:
        return not does_more(module, module.functions[function.id])
    if isinstance(function, ast.Attribute) and path_of(module, function) is None:
        return _method(function.attr) not in (Does.WRITES, Does.ANYTHING)
    if isinstance(function, (ast.Name, ast.Attribute)):
        called = does(module, ast.copy_location(ast.Call(function, [], []), function))
        return called is not Does.ANYTHING and getattr(function, "id", "") not in _TELLING
    return True  # what a lambda does is read where it is called


def _of_a_type(path: str) -> bool:
    """``np.ndarray.fill``, ``torch.Tensor.add_``: a method that is given its object."""
    return path.startswith(("numpy.ndarray.", "torch.Tensor."))


def written_into(module: Module, call: ast.Call) -> list[ast.expr]:
    """What a call that changes something (``Does.WRITES``) changes: what it is a method of, what it
    is given first, as ``out`` or to work on in place."""
    found = [word.value for word in call.keywords if word.arg in ("out", "dst")]
    path = path_of(module, call.func)
    if given_to_change(module, call) or any(word.arg == "inplace" for word in call.keywords):
        found += [part for arg in call.args for part in (arg, *parts_kept(arg))]
    elif path is None and isinstance(call.func, ast.Attribute):
        found.append(call.func.value)
    elif path is not None and _path(path) is Does.WRITES:
        found += [part for arg in call.args[:1] for part in (arg, *parts_kept(arg))]
    elif isinstance(call.func, ast.Name):
        found += call.args
    return found


def parts_kept(node: ast.expr) -> list[ast.expr]:
    """What is kept together where it is spelled: ``[x, 1]``, ``{"a": x}``."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return node.elts
    return node.values if isinstance(node, ast.Dict) else []


def may_be_a_part(call: ast.Call) -> bool:
    """``self.norm(x)``, ``self.block.norm(x)``: a layer that is called, or a method of an object of
    the program's own; ``self.weight.norm(dim=-1)`` is neither."""
    assert isinstance(call.func, ast.Attribute)
    at: ast.AST = call.func.value
    while isinstance(at, ast.Attribute):
        at = at.value
    if not isinstance(at, ast.Name) or at.id not in ("self", "cls"):
        return False
    own = call.func.value is at
    given = any(constant(arg) is ... for arg in call.args)
    return own or (given and call.func.attr not in PRODUCTS)
