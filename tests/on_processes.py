"""What each process of a group does in the tests of kernels/sequence_parallel/: its pieces of every
case, beside the kernel of one process on the whole. Run by tests/test_kernels_sequence_parallel.py.
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

import torch
import torch.distributed as dist
from auditor.kernels import sequence_parallel

from auditor import kernels

CUTS = {
    1: [[6]],
    2: [[5, 4], [8, 1], [0, 7], [7, 0]],
    4: [[4, 0, 1, 6], [0, 0, 3, 0]],
}


def normal(*shape):
    return torch.randn(shape, dtype=torch.float64)


def gate(*shape):
    return torch.rand(shape, dtype=torch.float64) * 2 - 1


def linear(module, x, group, reverse=False):
    a, b, start = x
    return module.linear_scan(a, b, start, dim=1, reverse=reverse, output_final_state=True, **group)


def of_numbers(module, x, group):
    return module.linear_scan(0.7, x[0], 2.0, dim=-1, output_final_state=True, **group)


def selective(module, x, group):
    return module.selective_scan(*x, output_final_state=True, **group)


def attention(module, x, group, **options):
    return (module.flash_attention(*x, **options, **group),)


# name: the call, the operands of n steps, the axis that is cut of each (None: held by all)
CASES = {
    "linear scan": (linear, lambda n: (gate(2, n, 3), normal(2, n, 3), normal(2, 3)), (1, 1, None)),
    "linear scan reversed": (
        lambda *x: linear(*x, reverse=True),
        lambda n: (gate(2, n, 1), normal(2, n, 3), normal(3)),
        (1, 1, None),
    ),
    "linear scan with gates of zero and above one": (
        linear,
        lambda n: (gate(2, n, 3).mul(3).round(), normal(2, n, 3), normal(2, 3)),
        (1, 1, None),
    ),
    "linear scan by numbers": (of_numbers, lambda n: (normal(3, n),), (1,)),
    "selective scan": (
        selective,
        lambda n: (
            normal(2, n, 4), gate(2, n, 4).abs(), -gate(4, 3).abs(), normal(2, n, 3),
            normal(2, n, 3), normal(2, 4, 3),
        ),
        (1, 1, None, 1, 1, None),
    ),
    "selective scan of groups from zero": (
        selective,
        lambda n: (
            normal(1, n, 4), gate(1, n, 4).abs(), -gate(4, 3).abs(), normal(1, n, 2, 3),
            normal(1, n, 2, 3),
        ),
        (1, 1, None, 1, 1),
    ),
    "softmax": (
        lambda module, x, group: (module.online_softmax(x[0], 1, **group),),
        lambda n: (normal(3, n, 2) * 30,),
        (1,),
    ),
    "logsumexp": (
        lambda module, x, group: (module.logsumexp(x[0], -1, **group),),
        lambda n: (normal(3, n) * 30,),
        (1,),
    ),
    "attention": (
        attention,
        lambda n: (normal(2, 3, n, 4), normal(2, 3, n, 4), normal(2, 3, n, 5)),
        (2, 2, 2),
    ),
    "causal attention": (
        lambda *x: attention(*x, is_causal=True),
        lambda n: (normal(2, n, 4), normal(2, n, 4), normal(2, n, 4)),
        (1, 1, 1),
    ),
    "attention with shared heads": (
        lambda *x: attention(*x, enable_gqa=True, scale=0.3),
        lambda n: (normal(1, 4, n, 4), normal(1, 2, n, 4), normal(1, 2, n, 4)),
        (2, 2, 2),
    ),
}  # fmt: skip

OF_ALL = {"logsumexp": (0,)}
"""Results that every process has; of scans those after the first."""


def piece(tensor, axis, cuts):
    rank = dist.get_rank()
    return tensor if axis is None else tensor.narrow(axis, sum(cuts[:rank]), cuts[rank])


def total(results, weights, share):
    return sum(
        ((each * weight).sum() + each.square().sum()) * part
        for each, weight, part in zip(results, weights, share, strict=True)
    )


TOLERANCE = {torch.float64: 1e-10, torch.float32: 2e-5, torch.bfloat16: 3e-2}
"""Relative to the largest entry; four times that for gradients."""


def close(name, found, expected, factor=1):
    scale = float(expected.abs().max()) + 1e-3 if expected.numel() else 0.0
    torch.testing.assert_close(
        found.double(),
        expected,
        rtol=0,
        atol=factor * TOLERANCE[found.dtype] * scale,
        msg=lambda text: f"{name}: {text}",
    )


def compare(name, cuts, dtype=torch.float64):
    """Results, gradients and gradients of a penalty on the gradients, of the pieces and, in
    float64, of all."""
    call, operands, axes = CASES[name]
    torch.manual_seed(len(name))
    narrow = [each.to(dtype) for each in operands(sum(cuts))]
    whole = [each.double().requires_grad_() for each in narrow]
    expected = call(kernels, whole, {})
    weights = [torch.randn_like(each) for each in expected]
    own = [
        piece(each, axis, cuts).clone().requires_grad_()
        for each, axis in zip(narrow, axes, strict=True)
    ]
    found = call(sequence_parallel, own, {"group": None})

    shared = [n in OF_ALL.get(name, (1,)) for n in range(len(found))]
    out_axis = axes[0]
    parts = [
        [each if common else piece(each, out_axis, cuts)
         for each, common in zip(given, shared, strict=True)]
        for given in (expected, weights)
    ]  # fmt: skip
    for n, (some, other) in enumerate(zip(found, parts[0], strict=True)):
        assert some.dtype == dtype
        close(f"{name} {cuts} result {n}", some.detach(), other.detach())

    share = [1 / dist.get_world_size() if common else 1.0 for common in shared]
    twice = dtype == torch.float64
    wanted = torch.autograd.grad(
        total(expected, weights, [1.0] * len(expected)), whole, create_graph=twice
    )
    given = torch.autograd.grad(total(found, parts[1], share), own, create_graph=twice)
    check(name, cuts, given, wanted, axes)
    if twice and None not in axes:
        # each process's share of the penalty is that of its pieces
        again = torch.autograd.grad(sum(each.square().sum() for each in wanted), whole)
        mine = torch.autograd.grad(sum(each.square().sum() for each in given), own)
        check(f"{name}, twice", cuts, mine, again, axes)


def check(name, cuts, given, wanted, axes):
    for n, (some, other, axis) in enumerate(zip(given, wanted, axes, strict=True)):
        some = some.detach().clone()
        if axis is None:
            dist.all_reduce(some)
        close(f"{name} {cuts} gradient {n}", some, piece(other, axis, cuts).detach(), 4)


def special_rows():
    """Rows of nothing but -inf, in one piece and in all, of infinity and of NaN."""
    inf, nan = float("inf"), float("nan")
    size = dist.get_world_size()
    for row in (
        [-inf] * (2 * size),
        [-inf] * (2 * size - 1) + [3.0],
        [-1e4] * (2 * size - 1) + [-inf],
        [0.0] * (2 * size - 1) + [inf],
        [nan] + [0.0] * (2 * size - 1),
    ):
        x = torch.tensor(row)
        own = piece(x, 0, [2] * size)
        for name in ("online_softmax", "logsumexp"):
            expected = getattr(kernels, name)(x, 0)
            found = getattr(sequence_parallel, name)(own, 0)
            expected = piece(expected, 0, [2] * size) if expected.ndim else expected
            torch.testing.assert_close(found, expected, equal_nan=True)


def dtypes():
    """Of scans whose operands have several, as in one process."""
    for name in ("linear scan", "selective scan"):
        call, operands, axes = CASES[name]
        sizes = [2] * dist.get_world_size()
        for wide in range(len(axes)):
            given = [each.bfloat16() for each in operands(sum(sizes))]
            given[wide] = given[wide].double()
            own = [piece(each, axis, sizes) for each, axis in zip(given, axes, strict=True)]
            some, other = call(sequence_parallel, own, {"group": None}), call(kernels, given, {})
            assert [each.dtype for each in some] == [each.dtype for each in other], (name, wide)


def main():
    rank, size, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=size
    )
    try:
        for name in CASES:
            for cuts in CUTS[size]:
                compare(name, cuts)
            if size == 2:
                for dtype in (torch.float32, torch.bfloat16):
                    compare(name, CUTS[size][0], dtype)
        special_rows()
        dtypes()
        (folder / f"{rank}.done").write_text("done")
    except BaseException:
        (folder / f"{rank}.failed").write_text(traceback.format_exc())
        raise
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
