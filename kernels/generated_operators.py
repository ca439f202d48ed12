"""Scans and folds with a given combine as operators of torch, which torch.compile sees as one node.

An operator is made of the source that `combine_source` prints for its functions: two pairs of
functions with one source are one operator, and its name is the source's hash. Functions without a
source (they hold tensors, or branch on values) have no operator.

    auditor::associative("scan-...", elements, initial)    all states, time first
    auditor::associative("fold-...", elements, ())         the combined element

The backward is an operator as well: it runs the same program and differentiates that. A gradient
that must itself be differentiable comes from the program, outside of any operator.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .combine_source import source
from .gradients import differentiable_gradients

Rows = tuple[Tensor, ...]
Function = Callable[[Rows, Rows], Rows]


@dataclass(frozen=True)
class Program:
    """``run`` computes the results of (elements, initial); ``shaped`` makes empty ones like them,
    without looking at values."""

    run: Function
    shaped: Function


_programs: dict[str, Program] = {}


def registered(kind: str, program: Program, *functions: tuple[Function, int, int]) -> str | None:
    """The name under which the operator runs ``program``, which is made of ``functions`` (each with
    the number of parts of its arguments); None where one of them has no source."""
    texts = []
    for number, (function, first, second) in enumerate(functions):
        parts = (tuple(f"{letter}{i}" for i in range(count))
                 for letter, count in (("a", first), ("b", second)))  # fmt: skip
        texts.append(source(f"function{number}", function, *parts))
    if None in texts:
        return None
    digest = hashlib.sha256("\n".join(map(str, texts)).encode()).hexdigest()
    name = f"{kind}-{digest[:24]}"
    _programs.setdefault(name, program)
    return name


@torch.library.custom_op("auditor::associative", mutates_args=())
def associative(
    operator: str, elements: Sequence[Tensor], initial: Sequence[Tensor]
) -> list[Tensor]:
    """The results of the program ``operator``; no two share memory with each other or an input."""
    found = _programs[operator].run(tuple(elements), tuple(initial))
    return _apart(found, (*elements, *initial))


@associative.register_fake
def _associative_fake(
    operator: str, elements: Sequence[Tensor], initial: Sequence[Tensor]
) -> list[Tensor]:
    found = _programs[operator].shaped(tuple(elements), tuple(initial))
    return [each.new_empty(each.shape) for each in found]


@torch.library.custom_op("auditor::associative_backward", mutates_args=())
def associative_backward(
    operator: str, grads: Sequence[Tensor], elements: Sequence[Tensor], initial: Sequence[Tensor]
) -> list[Tensor]:
    """The gradient of each operand; empty for those that are no floating point numbers."""
    operands = [_leaf(each) for each in (*elements, *initial)]
    with _recording(), torch.enable_grad():
        results = _programs[operator].run(
            tuple(operands[: len(elements)]), tuple(operands[len(elements) :])
        )
        found = differentiable_gradients(lambda *_: results, operands, grads, views=False)
    return [
        _nothing(operand) if not _has_gradient(operand)
        else torch.zeros_like(operand, memory_format=torch.contiguous_format) if grad is None
        else grad.detach().clone(memory_format=torch.contiguous_format)
        for operand, grad in zip(operands, found, strict=True)
    ]  # fmt: skip


@associative_backward.register_fake
def _associative_backward_fake(
    operator: str, grads: Sequence[Tensor], elements: Sequence[Tensor], initial: Sequence[Tensor]
) -> list[Tensor]:
    return [
        each.new_empty(each.shape) if _has_gradient(each) else _nothing(each)
        for each in (*elements, *initial)
    ]


def _apart(found: Rows, operands: Rows) -> list[Tensor]:
    """The results, contiguous, each in memory of its own."""
    taken = {each.untyped_storage().data_ptr() for each in operands}
    results: list[Tensor] = []
    for each in found:
        whole = each.contiguous()
        if whole.untyped_storage().data_ptr() in taken:
            whole = whole.clone()
        taken.add(whole.untyped_storage().data_ptr())
        results.append(whole)
    return results


def _has_gradient(tensor: Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


def _nothing(tensor: Tensor) -> Tensor:
    return tensor.new_empty((0,))


def _leaf(tensor: Tensor) -> Tensor:
    return tensor.detach().requires_grad_(_has_gradient(tensor))


def _recording() -> AbstractContextManager[Any]:
    """Within an operator torch records nothing for autograd; here it does again."""
    keys = torch._C.DispatchKey
    excluded = torch._C._dispatch_tls_local_exclude_set()
    for key in (keys.AutogradCPU, keys.AutogradCUDA, keys.AutogradFunctionality):
        excluded = excluded.remove(key)
    guard: AbstractContextManager[Any] = torch._C._ForceDispatchKeyGuard(
        torch._C._dispatch_tls_local_include_set(), excluded
    )
    return guard


def _setup_context(ctx: Any, inputs: tuple[Any, ...], output: list[Tensor]) -> None:
    ctx.operator, elements, initial = inputs
    ctx.count = len(elements)
    ctx.save_for_backward(*elements, *initial)


def _differentiate(ctx: Any, grads: Sequence[Tensor]) -> tuple[Any, ...]:
    operands, count = ctx.saved_tensors, ctx.count
    program = _programs[ctx.operator]
    found: Sequence[Tensor | None]
    if torch.is_grad_enabled():

        def again(*operands: Tensor) -> Rows:
            return program.run(operands[:count], operands[count:])

        found = differentiable_gradients(again, operands, grads)
    else:
        found = associative_backward(
            ctx.operator, list(grads), list(operands[:count]), list(operands[count:])
        )
        found = [each if _has_gradient(operand) else None
                 for each, operand in zip(found, operands, strict=True)]  # fmt: skip
    return None, list(found[:count]), list(found[count:])


associative.register_autograd(_differentiate, setup_context=_setup_context)
