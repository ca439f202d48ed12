"""What a fix says that it assumes of its function's parameters, for the inputs that are made.

``assumes that `x` has 2 axes; `x` holds no truth values`` is the contract: code that is run on
anything else is not compared with what the fix promises.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from auditor.assumed import (
    FRACTION,
    OBJECT,
    TRUTH,
    WHOLE,
    alike_in,
    as_long,
    kinds_excluded,
    no_more_axes_in,
    numbers_in,
    ranks_in,
)
from auditor.notation import Symbol
from auditor.verify import inputs
from auditor.verify.inputs import Parameter, Signature


def signature(text: str, scope: str, reason: str) -> Signature | None:
    """The function ``scope`` of a file as the generator sees it where what a fix assumes holds;
    None where the file has no such function."""
    ranks = ranks_in(reason)
    found = inputs.signature(text, scope, ranks)
    return None if found is None else _narrowed(found, ranks, reason)


def _narrowed(signature: Signature, ranks: Mapping[str, int], reason: str) -> Signature:
    against: dict[str, frozenset[str]] = {}
    for name, kinds in kinds_excluded(reason):
        against[name] = against.get(name, frozenset()) | kinds
    alike, numbers = alike_in(reason), numbers_in(reason)
    few = dict.fromkeys(no_more_axes_in(reason), 1)  # an array that it meets has as many or more

    def told(parameter: Parameter) -> Parameter:
        if parameter.name in numbers and parameter.kind == "array":
            return replace(parameter, kind="float", value=None, guessed=False)
        kinds = against.get(parameter.name, frozenset())
        return _of_kind(_of_axes(parameter, {**few, **ranks}), kinds, parameter.name in alike)

    arrays = any(OBJECT in against.get(p.name, ()) for p in signature.parameters)
    libraries = signature.libraries
    if arrays and libraries != ("python",):
        libraries = tuple(name for name in libraries if name != "python")
    return replace(
        signature,
        parameters=tuple(map(told, signature.parameters)),
        libraries=libraries,
        broadcasts=not as_long(reason),
    )


def _of_axes(parameter: Parameter, ranks: Mapping[str, int]) -> Parameter:
    """A parameter with as many axes as is assumed of it, where its uses leave that open."""
    rank = ranks.get(parameter.name)
    if rank is None or (parameter.kind != "array" and not parameter.guessed):
        return parameter
    missing = rank - len(parameter.lead) - len(parameter.tail)
    if parameter.exact and not missing:
        return parameter
    name, first = parameter.name, len(parameter.lead)
    middle = tuple(Symbol(f"{name}.shape[{first + place}]") for place in range(missing))
    lead = (*parameter.lead, *middle, *parameter.tail)[:rank]
    return replace(parameter, kind="array", guessed=False, exact=True, lead=lead, tail=())


def _of_kind(parameter: Parameter, against: frozenset[str], alike: bool) -> Parameter:
    """A parameter that holds none of some kinds of numbers, and the kind of some others where they
    are ``alike``."""
    if parameter.kind != "array" or not (against or alike):
        return parameter
    dtype = parameter.dtype
    whole = FRACTION in against and TRUTH in against
    if whole:
        dtype = dtype if dtype is not None and "int" in dtype else "int64"
    elif dtype is not None and ((dtype == "bool" and TRUTH in against) or (
        "int" in dtype and WHOLE in against
    )):  # fmt: skip
        dtype = None
    other = [kind for kind, word in (("int64", WHOLE), ("bool", TRUTH)) if word not in against]
    dtypes = ("int64",) if whole else (dtype,) if alike else (*other, None)
    return replace(parameter, dtype=dtype, dtypes=dtypes)
