"""What shares memory: arrays that one name writes and another reads, in all the ways in which code
makes one of the other. Whatever is fixed keeps the result, and nothing is taken to be apart that
the code itself made of what is written."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from auditor import audit
from auditor.lift.call_effects import _INPLACE, Does, _method, _path
from auditor.writing import edits

IMPORTS = """
import contextlib
import copy
import functools
import operator
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def same(v):
    return v


def told(v):
    print(v.shape)
    return v


def cut(v, flag=False):
    try:
        return v.view(v.shape)
    except RuntimeError:
        return v.clone()


def pair(v):
    print(end="")
    return v, 1


class Kept:
    def __init__(self, v):
        self.v = v

    def get(self):
        return self.v


"""
# What `y` is made of `x` by, (n, n) and float64; statements are parted by `;`.
TORCH = """
same(x) | told(x) | cut(x) | pair(x)[0] | Kept(x).v | Kept(x).get() | (lambda v: v)(x)
x.detach() | x.data | x.real | torch.real(x) | x.squeeze() | torch.squeeze(x) | torch.t(x)
torch.transpose(x, 0, 1) | torch.unbind(x[None])[0] | torch.chunk(x, 1)[0] | torch.adjoint(x)
torch.split(x, x.shape[0])[0] | torch.narrow(x, 0, 0, x.shape[0]) | torch.select(x[None], 0, 0)
torch.flatten(x).view(x.shape) | torch.ravel(x).view(x.shape) | torch.permute(x, (1, 0))
torch.movedim(x, 0, 1) | torch.swapaxes(x, 0, 1) | torch.broadcast_to(x, x.shape) | x.view_as(x)
torch.view_as_complex(x.view(x.shape[0], -1, 2))[..., 0].real | torch.as_tensor(x) | x.conj()
torch.asarray(x) | torch.atleast_2d(x) | torch.reshape(x, x.shape) | torch.detach(x) | +x
torch.diagonal(x[:, :, None].expand(-1, -1, 1), 0, 1, 2) if n < 0 else x | torch.positive(x)
torch.conj(x) | torch.resolve_conj(x) | x.type_as(x) | x.to(torch.float64) | x.double() | x.mT
x.H | torch.from_numpy(x.numpy()) | torch.from_numpy(np.asarray(x))
torch.utils.dlpack.from_dlpack(x) | {'a': x}['a'] | [x][0] | next(iter([x])) | (x, w)[0]
x.unbind(1) and x | x.requires_grad_(False) | (z := x) | getattr(x, 'data')
x.clone() if flag else x | list(map(lambda v: v, [x]))[0] | [v for v in (x,)][0]
max([x], key=id) | dict(a=x).get('a') | sum([x][1:], x) | x[...] | x[None][0]
nn.Parameter(x, requires_grad=False) | nn.Identity()(x) | nn.Flatten(1)(x)
torch.Tensor.detach(x) | torch.einsum('ij->ij', x) | x.as_subclass(torch.Tensor) | x.mul_(1.0)
x.clamp_(-9, 9) | [x].pop() | torch.tensor([]).set_(x) | operator.getitem([x], 0)
functools.partial(torch.squeeze, x)() | SimpleNamespace(a=x).a
functools.reduce(lambda p, q: q, [w, x]) | copy.copy([x])[0] | ([] + [x])[0] | [x].copy()[0]
[*[x]][0] | list(enumerate([x]))[0][1] | (lambda: x)() | F.dropout(x, 0.0, False) | y, k = pair(x)
y, *k = [x, w] | for y in [x]:;    pass | with contextlib.nullcontext(x) as y:;    pass
def g():;    return x;y = g() | def g():;    print(end='');    return x;y = g()
if flag:;    y = x.clone();else:;    y = x | k = Kept(w);k.v = x;y = k.v
k = [];k.append(x);y = k[0] | match [x]:;    case [y]:;        pass | q = y = x
setattr(obj, 'q', x);y = obj.q | obj.x = x;y = getattr(obj, 'x') | obj.x = x;y = vars(obj)['x']
y = x.view(x.shape);x[0] = 0.0
y = torch.real(x);for t in range(1, n):;    x[t] = w[t] * x[t - 1] | y = x;y[0] = 0.0
y = x.clone() if flag else x;x[0] = 0.0 | y = x.view(x.shape);y[0] = 0.0
"""
NUMPY = """
same(x) | told(x) | np.squeeze(x) | np.swapaxes(x, 0, 1) | np.asarray(x)
np.asarray(x, dtype=float) | np.ravel(x).reshape(x.shape) | np.broadcast_to(x, x.shape)
np.atleast_2d(x) | np.transpose(x) | x.real | np.real(x) | np.array(x, copy=None)
x.astype(float, copy=False) | np.moveaxis(x, 0, 1) | np.rollaxis(x, 1) | np.asanyarray(x)
np.ascontiguousarray(x) | np.require(x) | np.split(x, 1)[0] | np.flip(x) | np.flipud(x)
np.fliplr(x) | np.rot90(x) | x.view() | np.nan_to_num(x, copy=False)
np.lib.stride_tricks.as_strided(x) | np.asarray(memoryview(x)) | np.real_if_close(x)
x.__array__() | torch.as_tensor(x).numpy() | {'a': x}['a'] | [x][0] | (z := x)
x.copy() if flag else x | x[:].base | np.ma.getdata(x) | np.asfortranarray(x.T).T
np.broadcast_arrays(x, x)[0] | x.getfield(float)
"""
# What is written and what is read, and what is done with them.
BODIES = {
    "linear": """
s = w[0] * 0
for t in range(n - 1):
    s = w[t] * s + {read}[t]
    {written}[t + 1] = s
out = s
""",
    "running": """
for t in range(1, n):
    {written}[t] = {written}[t - 1] + {read}[t - 1]
out = 0
""",
    "again": """
c = L.exp({read}) @ w
{written} *= 0.5
d = L.exp({read}) @ w
out = c + d
""",
    "the same": """
for i in range(n):
    {written}[i] = w[i] * L.exp({read}).sum()
out = 0
""",
    "nest": """
for i in range(n):
    for j in range(n):
        for k in range(n):
            {written}[i, j] += w[i, k] * {read}[k, j]
out = 0
""",
    "pairs": """
for i in range(n):
    for j in range(n):
        {written}[i, j] = ({read}[i] * {read}[j]).sum()
out = 0
""",
}


def program(made: str, body: str, written: str, read: str, library: str) -> str:
    first = made.split(";")
    if not re.search(r"\by = |\by, |\[y\]| y in | as y", made):
        first = [f"y = {made}"]
    text = BODIES[body].format(written=written, read=read).replace("L.", f"{library}.")
    lines = [*first, *text.strip().splitlines(), "return x, y, out"]
    return IMPORTS + "def f(x, w, n, flag, obj):\n" + "".join(f"    {line}\n" for line in lines)


def run(text: str, library: str) -> list[np.ndarray] | None:
    rng = np.random.default_rng(0)
    x, w, other = (0.5 * rng.standard_normal((4, 4)) for _ in range(3))
    if library == "torch":
        x, w, other = (torch.from_numpy(each) for each in (x, w, other))  # type: ignore[assignment]
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, "example.py", "exec"), names)
        try:
            found = names["f"](x, w, 4, False, SimpleNamespace(x=other))
        except Exception:
            return None
    return [
        each.detach().resolve_conj().numpy().copy() if isinstance(each, torch.Tensor)
        else np.array(each) for each in (*found, x)
    ]  # fmt: skip


def programs() -> Iterator[Any]:
    for library, table in (("torch", TORCH), ("np", NUMPY)):
        for made in (
            each.strip() for line in table.strip().splitlines() for each in line.split(" | ")
        ):
            yield pytest.param(library, made, id=f"{library}: {made}")


@pytest.mark.parametrize("library, made", programs())
def test_what_shares_memory_keeps_its_order(library: str, made: str) -> None:
    for body in BODIES:
        for written, read in (("x", "y"), ("y", "x")):
            text = program(made, body, written, read, library)
            before = run(text, library)
            if before is None:
                continue  # some views cannot be written
            for _ in range(3):
                report = audit.audit_text(text, "example.py", audit.Options())
                assert not report.problems
                safe = [f for f in report.findings if f.fix and f.fix.applicability == "safe"]
                for finding in safe:
                    assert finding.fix is not None
                    said = re.findall(
                        r"`(\w+)` and `(\w+)` do not overlap", str(finding.fix.reason)
                    )
                    assert not {("x", "y"), ("y", "x")} & set(said), (body, made, finding.code)
                text = edits.apply_fixes(text, safe).text if safe else text
            after = run(text, library)
            assert after is not None, text
            for one, other in zip(before, after, strict=True):
                np.testing.assert_allclose(other, one, rtol=1e-6, atol=1e-9, err_msg=text)


@pytest.mark.parametrize("made", ["x.clone()", "torch.exp(x)", "torch.zeros_like(x) + 1.5 * w"])
def test_what_is_new_is_apart(made: str) -> None:
    for body, code in (("running", "ASC105"), ("nest", "LOC301")):
        report = audit.audit_text(
            program(made, body, "x", "y", "torch"), "example.py", audit.Options()
        )
        found = [f for f in report.findings if f.fix and f.fix.applicability == "safe"]
        assert code in [f.code for f in found], (body, [f.refused for f in report.findings])
        assert "`x` and `y`" not in " ".join(str(f.fix.reason) for f in found if f.fix)


# ---------------------------------------------------------------- the tables


GIVEN: tuple[tuple[Any, ...], ...] = (
    (), (0,), (1,), (0, 1), ((1, 0),), (0, 0), ((2, 2),), (2,), (-1,), (0, (2, 2)), (None,),
    ("ij->ij",), (0, 1, 2), ((0,), (0,)),
)  # fmt: skip


def shares(function: Any, library: str) -> tuple[Any, ...] | None:
    """The further arguments with which what a function gives lies in the memory of its first."""
    for shape in ((2, 2), (4,), (1, 2, 2)):
        for kind in ("float64", "complex128"):
            for more in GIVEN:
                one = np.arange(1, 5).reshape(shape).astype(kind)
                given = torch.from_numpy(one) if library == "torch" else one
                try:
                    result = function(given, *more)
                except Exception:
                    continue
                parts = result if isinstance(result, (tuple, list)) else [result]
                for part in parts:
                    if isinstance(part, torch.Tensor) and part.layout is torch.strided:
                        part = part.conj().numpy() if part.is_conj() else part.numpy()
                    if isinstance(part, np.ndarray) and np.shares_memory(one, part):
                        return (shape, kind, *more)
    return None


def fresh() -> Iterator[Any]:
    quiet = ("save", "load", "seed", "printoptions", "show", "info", "test")
    for path, owner in (("torch", torch), ("numpy", np), ("torch.nn.functional", None)):
        owner = owner or torch.nn.functional
        for name in dir(owner):
            function = getattr(owner, name)
            plain = callable(function) and not isinstance(function, type)
            quietly = not any(word in name for word in quiet) and name not in _INPLACE
            if plain and quietly and not name.startswith("_"):
                if _path(f"{path}.{name}") is Does.FRESH:
                    yield pytest.param(path.partition(".")[0], function, id=f"{path}.{name}")
    for library, kind in (("torch", torch.Tensor), ("numpy", np.ndarray)):
        for name in dir(kind):
            function = getattr(kind, name)
            if callable(function) and not name.startswith("_") and _method(name) is Does.FRESH:
                yield pytest.param(library, function, id=f"{kind.__name__}.{name}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("library, function", fresh())
def test_what_is_taken_for_new_shares_nothing(library: str, function: Any) -> None:
    assert shares(function, library) is None
