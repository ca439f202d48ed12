"""Random straight-line programs and random loops: their notation is what running them computes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from lift_execution import Assumed, NoMeaning, check

from auditor.algebra.evaluate import CannotEvaluate

_SHAPES = {"x": (2, 3), "y": (3,), "z": (4, 2, 3), "w": (3, 5)}
SEEDS = st.integers(0, 2**32 - 1)
_FEW = settings(max_examples=60, deadline=None, derandomize=True)


def inputs(seed: int, shapes: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    generator = torch.Generator().manual_seed(seed)
    return {
        name: torch.rand(shape, generator=generator, dtype=torch.float64) * 2 - 1
        for name, shape in shapes.items()
    }


def _dim(r: Random, rank: int) -> int:
    return r.randrange(-rank, rank)


def _unary(r: Random, name: str, v: torch.Tensor) -> str:
    return r.choice(
        [f"torch.tanh({name})", f"{name}.sigmoid()", f"-{name}", f"{name} ** 2", f"{name}.abs()",
         f"torch.relu({name} - 0.1)", f"{name}.exp()", f"1 - {name}", f"{name} / 2",
         f"torch.where({name} > 0, {name}, 0.5)", f"{name}.clamp(min=-0.3)", f"2.0 ** {name}"]
    )  # fmt: skip


def _reduction(r: Random, name: str, v: torch.Tensor) -> str:
    dim = _dim(r, v.ndim)
    keep = r.choice(["", ", keepdim=True"])
    return r.choice(
        [f"{name}.sum({dim}{keep})", f"{name}.mean(dim={dim}{keep})", f"{name}.amax({dim}{keep})",
         f"torch.logsumexp({name}, {dim}{keep})", f"{name}.softmax({dim})",
         f"torch.cumsum({name}, dim={dim})", f"{name}.min({dim}{keep})[0]",
         f"{name}.var({dim}, unbiased=False{keep})", f"torch.prod({name}, {dim}{keep})",
         f"torch.log_softmax({name}, {dim})", f"{name}.norm(dim={dim}{keep})"]
    )  # fmt: skip


def _view(r: Random, name: str, v: torch.Tensor) -> str:
    rank = v.ndim
    a, b = _dim(r, rank), _dim(r, rank)
    order = r.sample(range(rank), rank)
    at = a % rank
    before = ":, " * at
    size = v.shape[at]
    start = r.randrange(size)
    choices = [
        f"{name}.transpose({a}, {b})",
        f"{name}.permute({', '.join(map(str, order))})",
        f"{name}.unsqueeze({r.randrange(-rank - 1, rank + 1)})",
        f"{name}.flip({a})",
        f"torch.roll({name}, {r.randrange(-2, 3)}, {a})",
        f"{name}.flatten({min(a % rank, b % rank)}, {max(a % rank, b % rank)})",
        f"{name}.reshape({v.numel()})",
        f"{name}.reshape(-1, {v.shape[-1]})",
        f"{name}[{before}{start}]",
        f"{name}[{before}{start - size}]",
        f"{name}[{before}{start}:]",
        f"{name}[{before}:{start + 1}]",
        f"{name}[{before}::2]",
        f"{name}[..., None]",
        f"{name}[None]",
        f"{name}[..., {start % v.shape[-1]}]",
        f"{name}.repeat({', '.join(['2'] + ['1'] * (rank - 1))})",
        f"{name}.repeat_interleave(2, dim={a})",
        f"{name}.unsqueeze(0).expand(3, {', '.join(map(str, v.shape))})",
        f"torch.stack([{name}, {name} * 2], dim={r.randrange(-rank - 1, rank + 1)})",
        f"torch.cat([{name}, -{name}], dim={a})",
        f"{name}.sort({a})[0]",
        f"{name}.split(1, {a})[0]",
    ]
    if size % 2 == 0:
        choices.append(f"{name}.chunk(2, dim={a})[1]")
        choices.append(f"{name}.unflatten({a}, (2, {size // 2}))")
    if rank >= 2:
        choices += [f"{name}.tril({r.randrange(-1, 2)})", f"{name}.mT",
                    f"torch.diagonal({name}, {r.randrange(-1, 2)}, -2, -1)"]  # fmt: skip
    return r.choice(choices)


def _binary(r: Random, one: str, two: str) -> str:
    return r.choice(
        [f"{one} + {two}", f"{one} * {two}", f"{one} - {two}", f"torch.maximum({one}, {two})",
         f"torch.where({one} > {two}, {one}, {two})", f"{one} / (1 + {two} ** 2)"]
    )  # fmt: skip


def straight_line(r: Random, arrays: dict[str, torch.Tensor]) -> str:
    """A function of a few assignments; only steps that run are kept."""
    pool = dict(arrays)
    lines: list[str] = []
    for step in range(40):
        if len(lines) == 7:
            break
        one, two = r.choice(list(pool)), r.choice(list(pool))
        make: Callable[[], str] = r.choice(
            [
                lambda one=one: _unary(r, one, pool[one]),  # type: ignore[misc]
                lambda one=one: _reduction(r, one, pool[one]),  # type: ignore[misc]
                lambda one=one: _view(r, one, pool[one]),  # type: ignore[misc]
                lambda one=one: _view(r, one, pool[one]),  # type: ignore[misc]
                lambda one=one, two=two: _binary(r, one, two),  # type: ignore[misc]
                lambda one=one, two=two: f"{one} @ {two}",  # type: ignore[misc]
            ]
        )
        if pool[one].ndim == 0 or pool[one].numel() == 0:
            continue
        try:
            line = make()
            value = eval(line, {"torch": torch}, dict(pool))
        except (RuntimeError, IndexError, ValueError):
            continue
        if value.numel() > 600 or value.ndim > 4 or not torch.isfinite(value).all():
            continue
        name = f"t{step}"
        pool[name] = value
        lines.append(f"    {name} = {line}")
    results = ", ".join(name for name in pool if name not in arrays)
    body = "\n".join(lines)
    return f"import torch\n\ndef f({', '.join(arrays)}):\n{body}\n    return ({results},)\n"


def _term(r: Random, leaves: list[str], depth: int) -> str:
    if depth == 0:
        return r.choice(leaves)
    inner = _term(r, leaves, depth - 1)
    if r.random() < 0.35:
        return r.choice([f"torch.tanh({inner})", f"0.5 * {inner}", f"({inner} - 0.1)",
                         f"torch.sigmoid({inner})", f"torch.relu({inner})"])  # fmt: skip
    other = _term(r, leaves, depth - 1)
    return r.choice([f"({inner} + {other})", f"({inner} * {other})", f"({inner} - {other})",
                     f"torch.maximum({inner}, {other})",
                     f"torch.where({inner} > 0, {inner}, {other})"])  # fmt: skip


def loop(r: Random) -> str:
    """A loop over the second axis of x (2, 5, 3) with one or two carried values."""
    way = r.choice(["range", "reversed", "unbind", "enumerate", "zip", "negative", "while"])
    lines = [r.choice(["h = torch.zeros_like(x[:, 0])", "h = x[:, 0] * 0",
                       "h = torch.zeros(2, 3, dtype=torch.float64)",
                       "h = x.new_zeros(x.shape[0], x.shape[2])"])]  # fmt: skip
    two = r.random() < 0.4
    if two:
        lines.append(r.choice(["g = torch.ones_like(x[:, 0])", "g = y[:, 0]"]))
    collect = r.choice(["append", "write", "write", "insert", "none"])
    if way in ("unbind", "zip") and collect == "write":
        collect = "append"
    lines.append({"write": "out = torch.zeros_like(x)", "none": "out = x"}.get(collect, "out = []"))
    heads = {
        "range": "for t in range(x.shape[1]):",
        "reversed": "for t in reversed(range(x.size(1))):",
        "negative": "for t in range(x.shape[1] - 1, -1, -1):",
        "unbind": "for xt in x.unbind(1):",
        "enumerate": "for t, xt in enumerate(x.unbind(dim=1)):",
        "zip": "for xt, yt in zip(x.unbind(1), y.unbind(1)):",
        "while": "t = 0\nwhile t < x.shape[1]:",
    }
    lines += heads[way].split("\n")
    body: list[str] = []
    if way in ("range", "reversed", "negative", "while"):
        body.append("xt = x[:, t]")
    leaves = ["h", "xt", "xt", "k"]
    if way == "zip":
        leaves.append("yt")
    elif way != "unbind":
        body.append("yt = y[:, t, :]")
        leaves.append("yt")
    if two:
        leaves.append("g")
    new = _term(r, leaves, 2)
    other = _term(r, leaves, 2)
    if two and r.random() < 0.5:
        body.append(f"h, g = {new}, {other}")
    else:
        body.append(f"h = {new}")
        if two:
            body.append(f"g = {_term(r, leaves, 1)}")
    if r.random() < 0.3 and way in ("range", "enumerate"):
        body += ["if t > 1:", f"    h = {_term(r, leaves, 1)}"]
    item = r.choice(["h", "h", _term(r, leaves, 1)])
    body += {"append": [f"out.append({item})"], "insert": [f"out.insert(0, {item})"],
             "write": [f"out[:, t] = {item}"], "none": []}[collect]  # fmt: skip
    if way == "while":
        body.append("t += 1")
    lines += [f"    {line}" for line in body]
    result = f"torch.stack(out, dim={r.choice(['1', '0', '-1'])})"
    lines.append(f"return h, {'out' if collect in ('write', 'none') else result}")
    text = "\n".join(f"    {line}" for line in lines)
    return f"import torch\n\ndef f(x, y, k):\n{text}\n"


def _compare(source: str, arrays: dict[str, Any]) -> None:
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    try:
        namespace["f"](**{name: array.clone() for name, array in arrays.items()})
    except RuntimeError:
        return
    check(source, arrays)
    with contextlib.suppress(NoMeaning, Assumed, CannotEvaluate):
        check(source, arrays, ranks=False)


@given(SEEDS)
@_FEW
def test_straight_line(seed: int) -> None:
    arrays = inputs(seed, _SHAPES)
    source = straight_line(Random(seed), arrays)
    try:
        _compare(source, arrays)
    except (NoMeaning, CannotEvaluate, Assumed):
        pass
    except Exception as problem:
        pytest.fail(f"{source}\n{problem}")


@given(SEEDS)
@_FEW
def test_loop(seed: int) -> None:
    arrays = inputs(seed, {"x": (2, 5, 3), "y": (2, 5, 3), "k": (3,)})
    source = loop(Random(seed))
    try:
        _compare(source, arrays)
    except (NoMeaning, Assumed):
        pass
    except Exception as problem:
        pytest.fail(f"{source}\n{problem}")
