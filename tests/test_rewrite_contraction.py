"""Chains of products: what is found, what the cheaper order is, and that it computes the same."""

from __future__ import annotations

import textwrap
from itertools import product as combinations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.algebra.chains import cost, orders, saves
from auditor.audit import Options, audit_text
from auditor.notation import Const, Symbol
from auditor.writing.edits import apply_fixes

HEAD = "import numpy as np\nimport torch\n\n\n"
SHAPES = "    (m, k), (_, n), (_,) = a.shape, b.shape, v.shape\n"


def fixed(body: str, arguments: str = "a: torch.Tensor, b, v", shapes: str = SHAPES) -> str | None:
    """The expression that is returned after the fix, or None where there is no finding."""
    text = f"{HEAD}def f({arguments}):\n{shapes}{textwrap.indent(body, '    ')}"
    report = audit_text(text, "program.py", Options())
    fixes = [finding for finding in report.findings if finding.code == "ASC112" and finding.fix]
    if not fixes:
        return None
    after = apply_fixes(text, fixes).text
    results = [run(source) for source in (text, after)]
    for one, other in zip(*results, strict=True):
        torch.testing.assert_close(other, one)
    assert not [
        f for f in audit_text(after, "program.py", Options()).findings if f.code == "ASC112"
    ]
    return after.split("return ")[1].strip()


def run(source: str) -> list[torch.Tensor]:
    """The result for drawn arguments, and their gradients."""
    scope: dict[str, object] = {}
    exec(compile(source, "program.py", "exec"), scope)
    generator = torch.Generator().manual_seed(0)
    sizes = {"a": (4, 3), "b": (3, 5), "v": (5,), "x": (4, 3), "w": (3,), "u": (4,)}
    function = scope["f"]
    names = function.__code__.co_varnames[: function.__code__.co_argcount]  # type: ignore[attr-defined]
    drawn = [torch.randn(sizes[name], generator=generator, dtype=torch.float64) for name in names]
    if "np.ndarray" in source:
        return [torch.as_tensor(function(*(np.asarray(d) for d in drawn)))]  # type: ignore[operator]
    leaves = [value.requires_grad_() for value in drawn]
    result = function(*leaves)  # type: ignore[operator]
    if not leaves:
        return [result]
    return [result.detach(), *torch.autograd.grad(result.square().sum(), leaves)]


@pytest.mark.parametrize(
    "body",
    [
        "return a @ b @ v\n",
        "return (a @ b) @ v\n",
        "return torch.mv(torch.mm(a, b), v)\n",
        "return a.mm(b).mv(v)\n",
        "return torch.matmul(torch.matmul(a, b), v)\n",
        'return torch.einsum("ij,jk->ik", a, b) @ v\n',
        'return torch.einsum("ik,k->i", a @ b, v)\n',
        "p = a @ b\nreturn p @ v\n",
        "p = a @ b\nq = p.T\nreturn q.t() @ v\n",
    ],
)
def test_two_matrices_and_a_vector_in_every_spelling(body: str) -> None:
    assert fixed(body) == "a @ (b @ v)"


def test_a_product_of_transposes_needs_none_of_its_own() -> None:
    assert fixed("p = b.T @ a.T\nreturn p.transpose(0, 1) @ v\n") == "v @ b.T @ a.T"


def test_arrays_of_numpy() -> None:
    arguments = "a: np.ndarray, b: np.ndarray, v: np.ndarray"
    assert fixed("return a.dot(b).dot(v)\n", arguments) == "a @ (b @ v)"
    assert fixed("return np.dot(np.matmul(a, b), v)\n", arguments) == "a @ (b @ v)"


def test_gram_matrix_before_a_vector() -> None:
    shapes = "    (n, d), (_,) = x.shape, w.shape\n"
    found = fixed("return x.T @ x @ w\n", "x: torch.Tensor, w", shapes)
    assert found == "x.T @ (x @ w)"


def test_a_vector_in_front() -> None:
    shapes = "    (m, k), (_, n), (_,) = a.shape, b.shape, u.shape\n"
    assert fixed("return u @ (a @ b)\n", "a: torch.Tensor, b, u", shapes) == "u @ a @ b"


def test_in_the_body_of_a_loop() -> None:
    shapes = "    (n, d), (_,) = x.shape, w.shape\n"
    body = "for _ in range(3):\n    w = x.T @ x @ w\nreturn w\n"
    text = f"{HEAD}def f(x: torch.Tensor, w):\n{shapes}{textwrap.indent(body, '    ')}"
    (found,) = (f for f in audit_text(text, "x.py", Options()).findings if f.code == "ASC112")
    assert "x.T @ (x @ w)" in apply_fixes(text, [found]).text


def test_brackets_are_kept_where_they_bind() -> None:
    assert fixed("return 2 * torch.mv(a @ b, v)\n") == "2 * (a @ (b @ v))"
    assert fixed("return torch.mv(a @ b, v)[1:]\n") == "(a @ (b @ v))[1:]"
    assert fixed("return v @ v - torch.mv(a @ b, v)\n") == "v @ v - a @ (b @ v)"
    assert fixed("return (a + 1) @ b @ v\n") == "(a + 1) @ (b @ v)"


def test_stated_extents_decide() -> None:
    shapes = "    a, b = torch.ones(4, 3), torch.ones(3, 5)\n    c = torch.ones(5, {})\n"
    assert fixed("return a @ b @ c\n", "", shapes.format(1)) == "a @ (b @ c)"
    assert fixed("return a @ b @ c\n", "", shapes.format(500)) is None


@pytest.mark.parametrize(
    "body",
    [
        "return a @ (b @ v)\n",
        "return torch.relu(a @ b) @ v\n",
        "p = a @ b\nreturn p @ v, p\n",
        "p = a @ b\nreturn p @ v + p.sum()\n",
        "p = a @ b\na.mul_(2)\nreturn p @ v\n",
        "return (a @ b + 1) @ v\n",
        "return (a @ b).round() @ v\n",
        "p = a @ b\nfor _ in range(3):\n    v = (p @ v)[:5]\nreturn v\n",
        "return a @ b @ b.T\n",
    ],
)
def test_left_alone(body: str) -> None:
    assert fixed(body) is None


@pytest.mark.parametrize(("rows", "gain"), [(1024, True), (8, False)])
def test_sizes_of_the_inputs_that_a_file_makes_decide(rows: int, gain: bool) -> None:
    made = ", ".join([f"torch.randn({rows}, 16)"] * 3)
    text = (
        "import torch\n\nclass Model(torch.nn.Module):\n    def forward(self, q, k, v):\n"
        f"        return (q @ k.T) @ v\n\ndef get_inputs():\n    return [{made}]\n"
    )
    found = [one for one in audit_text(text, "f.py", Options()).findings if one.code == "ASC112"]
    assert bool(found) is gain
    if gain:
        (one,) = found
        assert one.fix is not None and one.fix.edits[0].content == "q @ (k.T @ v)"
        assert one.profit is not None and f"q.shape[0] = {rows}" in one.profit.detail


def test_unknown_ranks_are_left_alone() -> None:
    assert fixed("return a @ b @ v\n", shapes="") is None


EXTENTS = [Symbol("a"), Symbol("b"), Symbol("c"), Const(1), Const(3), Const(40)]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(EXTENTS), min_size=4, max_size=6), st.data())
def test_what_saves_saves_for_all_extents_from_two(extents: list, data: st.DataObject) -> None:
    every = list(orders(0, len(extents) - 2))
    before, after = (data.draw(st.sampled_from(every)) for _ in range(2))
    costs = [cost(order, extents) for order in (before, after)]
    pairs = []
    for sizes in combinations((2, 3, 30), repeat=3):
        at = dict(zip(EXTENTS[:3], sizes, strict=True))
        pairs.append(
            [sum(c * int(np.prod([at[n] for n in names])) for names, c in p.items()) for p in costs]
        )
    if saves(*costs):
        assert all(one >= other for one, other in pairs)
        assert any(one > other for one, other in pairs)
    assert not (saves(*costs) and saves(*reversed(costs)))


OUTER = {
    "np.outer(u, v) @ x": "u[:, None] @ (v[None] @ x)",
    "np.outer(u, v).dot(x)": "np.multiply.outer(u, v.dot(x))",
    "np.matmul(x.T, np.outer(v, u))": "(x.T @ v)[..., None] * u",
    "3 * np.outer(u, v) @ x": "3 * u[:, None] @ (v[None] @ x)",
    "np.outer(u, v) * x": None,
    "(np.outer(u, v) - 1) @ x": None,
    "np.outer(u.astype(np.int8), v) @ x": None,
}


@pytest.mark.parametrize(("before", "after"), OUTER.items())
def test_matrices_of_two_vectors_are_not_built(before: str, after: str | None) -> None:
    text = f"{HEAD}def f(u: np.ndarray, v: np.ndarray, x: np.ndarray):\n    return {before}\n"
    fixes = [f for f in audit_text(text, "program.py", Options()).findings if f.fix]
    if after is None:
        assert not fixes
        return
    assert apply_fixes(text, fixes).text.split("return ")[1].strip() == after
    rng = np.random.default_rng(0)
    for u, v, shape in ((5, 4, ()), (5, 4, (3,)), (0, 4, (2,)), (1, 1, ()), (3, 0, (2,))):
        drawn = rng.normal(size=2 * u)[::2], rng.normal(size=v), rng.normal(size=(v, *shape))
        scope = {"np": np, **dict(zip("uvx", drawn, strict=True))}
        np.testing.assert_allclose(eval(after, scope), eval(before, scope), atol=1e-12)


def test_a_matrix_of_two_vectors_that_is_used_again_stays() -> None:
    arguments = "u: torch.Tensor, v: torch.Tensor"
    assert fixed("p = torch.outer(u, v)\nreturn p @ v", arguments, "") == "u * (v @ v)"
    assert fixed("p = torch.outer(u, v)\nreturn p @ v + p.sum()", arguments, "") is None
    assert fixed("p = torch.outer(u, v)\nu.zero_()\nreturn p @ v", arguments, "") is None
    with_casts = 'with torch.autocast("cpu"):\n    w = torch.outer(u, v) @ v\nreturn w'
    assert fixed(with_casts, arguments, "") is None


KRONECKER = "import numpy as np\nimport torch\nimport torch.nn.functional as F\n\n\n"


def of_kronecker(body: str, shape: tuple[int, ...], numpy: bool = False) -> str | None:
    """What is returned after a fix, which computes the same with `x` of a shape, or None."""
    kind = "np.ndarray" if numpy else "torch.Tensor"
    text = (
        f"{KRONECKER}def f(a: {kind}, b: {kind}, x: {kind}, n: int):\n"
        f"    (p, q), (r, s) = a.shape, b.shape\n{textwrap.indent(body, '    ')}\n"
    )
    report = audit_text(text, "program.py", Options())
    fixes = [f for f in report.findings if f.code == "ASC112" and f.fix]
    if not fixes:
        return None
    assert all(f.fix.applicability == "safe" for f in fixes)
    after = apply_fixes(text, fixes).text
    results = []
    for source in (text, after):
        scope: dict[str, object] = {}
        exec(compile(source, "program.py", "exec"), scope)
        generator = torch.Generator().manual_seed(0)
        given = [
            torch.randn(size, generator=generator).double() for size in ((3, 2), (4, 5), shape)
        ]
        if numpy:
            results.append([torch.as_tensor(scope["f"](*(g.numpy() for g in given), 3))])
            continue
        leaves = [each.requires_grad_() for each in given]
        result = scope["f"](*leaves, 3)
        grads = torch.autograd.grad(result.square().sum(), leaves, allow_unused=True)
        results.append([result.detach(), *grads])
    for one, other in zip(*results, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            torch.testing.assert_close(other, one)
    return after.split("return ", 1)[1]


@pytest.mark.parametrize("numpy", [False, True])
@pytest.mark.parametrize(
    ("body", "shapes"),
    [
        ("return {}.kron(a, b) @ x", [(10,), (10, 3), (10, 0)]),
        ("k = {}.kron(a, b)\nreturn {}.matmul(x, k)", [(12,), (7, 12), (2, 7, 12), (0, 12)]),
        ("k = {}.kron(a, b)\nreturn k.T @ x", [(12,), (12, 3)]),
        ("return x @ {}.kron(a, b).T", [(10,), (3, 10)]),
    ],
)
def test_a_kronecker_product_is_not_built(numpy, body, shapes):
    for shape in shapes:
        after = of_kronecker(body.replace("{}", "np" if numpy else "torch"), shape, numpy)
        assert after is not None
        assert "kron" not in after


@pytest.mark.parametrize(
    ("body", "shapes"),
    [
        ("return torch.kron(torch.eye(n, dtype=a.dtype), a) @ x", [(6,), (6, 4)]),
        ("return torch.kron(b, torch.eye(n, dtype=a.dtype)) @ x", [(15,), (15, 4)]),
        ("return F.linear(x, torch.kron(torch.eye(n, dtype=a.dtype), b))", [(15,), (7, 15)]),
    ],
)
def test_of_a_kronecker_product_with_an_identity_the_other_factor_is_left(body, shapes):
    for shape in shapes:
        after = of_kronecker(body, shape)
        assert after is not None
        assert "eye" not in after


@pytest.mark.parametrize(
    "body",
    [
        "k = torch.kron(a, b)\nreturn k @ x + k.sum()",
        "k = torch.kron(a, b)\na.mul_(2)\nreturn k @ x",
        "k = torch.kron(a, b)\nk[0, 0] = 1\nreturn k @ x",
        "return torch.kron(a[0], b[0]) @ x[:10]",
        "return torch.kron(a.double(), b.float()) @ x",
        "return torch.kron(torch.eye(n, 2), b) @ x",
        "return torch.kron(torch.kron(a, b), b) @ x",
        "return torch.kron(a, b) * x",
        "u, v, w = x.shape\nreturn torch.kron(a, b) @ x",
    ],
)
def test_a_kronecker_product_stays(body):
    assert of_kronecker(body, (10,)) is None


def at_once(call: str, given: str = "") -> list[str]:
    """What is written in place of an ``einsum`` of NumPy."""
    text = f"import numpy as np\n\n\ndef f(a, b, c, d):\n{given}    return {call}\n"
    found = audit_text(text, "program.py", Options()).findings
    return [edit.content for one in found if one.code == "ASC112" and one.fix
            for edit in one.fix.edits]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "rest", "number"),
    [
        ("i,ij,jk,k->", "", True),
        ("ij,jk,kl->il", "", False),
        ("pi,qj,pqr,rk->ijk", "", False),
        ("ij, jk, kl -> il", "", False),
        ("ij,jk,kl->il", ",\n    ", False),
    ],
)
def test_many_arrays_are_taken_two_at_a_time(said: str, rest: str, number: bool) -> None:
    names = ", ".join("abcd"[: said.count(",") + 1])
    assert at_once(f'np.einsum("{said}", {names}{rest})') == [
        f'np.einsum("{said}", {names}, optimize=True){"[()]" * number}'
    ]


@pytest.mark.parametrize(
    "call",
    [
        'np.einsum("ij,jk,kl->il", a, b, c, optimize="greedy")',
        'np.einsum("ij,jk,kl->il", a, b, c, out=d)',
        'np.einsum("i,ij,j->", a, b, c)',
        'np.einsum("i,i,i->i", a, b, c)',
        'np.einsum("ij,jk,kl", a, b, c)',
        'np.einsum("...j,jk,kl->...l", a, b, c)',
        'np.einsum("ij,jk,kl->il", *a)',
    ],
)
def test_arrays_that_stay_in_one_nest(call: str) -> None:
    assert at_once(call) == []


def test_small_arrays_stay_in_one_nest() -> None:
    sizes = "    a, b, c = np.ones((3, 4)), np.ones((4, 3)), np.ones((3, {}))\n"
    call = 'np.einsum("ij,jk,kl->il", a, b, c)'
    assert at_once(call, sizes.format(3)) == []
    assert at_once(call, sizes.format(3000)) != []


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "bool", "complex128"])
@pytest.mark.parametrize("size", [0, 1, 3])
@pytest.mark.parametrize("said", ["i,ij,jk,k->", "ij,jk,kl->il", "pi,qj,pq->ij", "ij,kj,kl->il"])
def test_two_at_a_time_is_the_same(said: str, size: int, dtype: str) -> None:
    rng = np.random.default_rng(0)
    words = said.partition("->")[0].split(",")
    arrays = [(4 * rng.standard_normal([size] * len(word))).astype(dtype).T for word in words]
    (new,) = at_once(f'np.einsum("{said}", {", ".join("abcd"[: len(words)])})')
    after = eval(new, {"np": np} | dict(zip("abcd", arrays, strict=False)))
    before = np.einsum(said, *arrays)
    assert type(after) is type(before) and after.dtype == before.dtype
    np.testing.assert_allclose(after, before, rtol=1e-4, atol=1e-4)


def test_a_flat_array_is_a_vector() -> None:
    head = "import numpy as np\n\n\ndef f(a, b, v):\n    n, r = a.shape\n"
    text = head + "    return (a @ b.T) @ v.{}\n"
    for flat in ("reshape(-1)", "ravel()", "flatten()"):
        (one,) = audit_text(text.format(flat), "program.py", Options()).findings
        assert one.fix is not None and one.fix.applicability == "safe"
        assert [edit.content for edit in one.fix.edits] == [f"a @ (b.T @ v.{flat})"]
    assert audit_text(text.format("tail()"), "program.py", Options()).findings == ()
