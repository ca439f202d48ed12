"""The normal form: what meets, what must not, and that it never changes a value."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notation_builders import (
    D,
    E,
    K,
    M,
    N,
    T,
    ap,
    array,
    at,
    exp,
    idx,
    log,
    maximum,
    minimum,
    red,
    term,
    value,
    where,
)  # fmt: skip

from auditor.algebra.evaluate import evaluate
from auditor.algebra.normal import TooLarge, cast_sequence, depends, equal, expand, normal
from auditor.algebra.polynomial import Poly
from auditor.algebra.spell import spelled
from auditor.notation import INF, Apply, Index, Read, Reduce, Symbol, Term, Value

X = array("x", N, M)
Y = array("y", N, M)
V = array("v", M)
I, J = idx("i", N), idx("j", M)


def softmaxes() -> dict[str, Term]:
    """softmax(x, -1)[i, j] as people write it."""
    naive = exp(at(X, I, J)) / red("sum", k := idx("k", M), exp(at(X, I, k)))
    a, b = idx("a", N), idx("b", M)
    m = value("m", (a,), red("max", k := idx("k", M), at(X, a, k)))
    e = value("e", (a, b), exp(at(X, a, b) - at(m, a)))
    s = value("s", (a,), red("sum", k := idx("k", M), at(e, a, k)))
    stable = at(e, I, J) / at(s, I)
    lse = log(red("sum", k := idx("k", M), exp(at(X, I, k) - at(m, I)))) + at(m, I)
    k = idx("k", M)
    tempered = exp(at(X, I, J) - 3) / red("sum", k, exp(at(X, I, k) - 3))
    return {
        "naive": naive.term,
        "stable": stable.term,
        "logsumexp": exp(at(X, I, J) - lse).term,
        "shifted": tempered.term,
    }


def variances() -> dict[str, Term]:
    k = [idx("k", M) for _ in range(6)]
    mean = red("sum", k[0], at(X, I, k[0])) / M
    two_pass = red("sum", k[1], (at(X, I, k[1]) - mean) ** 2) / M
    squares = red("sum", k[2], at(X, I, k[2]) * at(X, I, k[2])) / M
    return {
        "two passes": two_pass.term,
        "moments": (squares - mean * mean).term,
        "one difference": (red("sum", k[3], at(X, I, k[3]) * (at(X, I, k[3]) - mean)) / M).term,
    }


def attentions() -> dict[str, Term]:
    """Causal attention in five dialects."""
    q, kk, v = array("q", T, D), array("k", T, D), array("v", T, D)
    t, e = idx("t", T), idx("e", D)

    def score(j: Index, scale: str = "div", swap: bool = False) -> E:
        d = idx("d", D)
        body = at(kk, j, d) * at(q, t, d) if swap else at(q, t, d) * at(kk, j, d)
        if scale == "inside":
            root = ap("sqrt", ap("sqrt", D))
            return red("sum", d, at(q, t, d) / root * (at(kk, j, d) / root))
        if scale == "pow":
            return red("sum", d, body * E(D) ** -0.5)
        return red("sum", d, body) / ap("sqrt", D)

    def stable(j: Index, l: Index, s: object) -> E:
        k1, k2 = idx("k", T), idx("k", T)
        return exp(s(j) - red("max", k1, s(k1))) / red(  # type: ignore[operator]
            "sum",
            k2,
            exp(s(k2) - red("max", l, s(l))),  # type: ignore[operator]
        )

    j = [idx("j", T) for _ in range(12)]
    masked = lambda s: lambda n: where(E(n) <= t, s(n), -INF_)  # noqa: E731
    filled = lambda s: lambda n: where(E(n) > t, -INF_, s(n))  # noqa: E731
    added = lambda s: lambda n: s(n) + where(E(t) >= n, 0, -INF_)  # noqa: E731
    plain = lambda n: score(n)  # noqa: E731
    weights = {
        "masked": stable(j[0], j[1], masked(plain)),
        "filled": stable(j[0], j[1], filled(lambda n: score(n, "pow", True))),
        "added": stable(j[0], j[1], added(lambda n: score(n, "inside"))),
        "indicator": where(E(j[0]) <= t, exp(score(j[0])), 0)
        / red("sum", j[2], where(E(j[2]) > t, 0, exp(score(j[2], "pow")))),
    }
    out = {name: red("sum", j[0], w * at(v, j[0], e)).term for name, w in weights.items()}
    top = red("sum", j[3], where(E(j[3]) <= t, exp(score(j[3])) * at(v, j[3], e), 0))
    below = red("sum", j[4], where(E(j[4]) <= t, exp(score(j[4])), 0))
    out["divided last"] = (top / below).term
    return out


INF_ = E(INF)


@pytest.mark.parametrize("group", [softmaxes, variances, attentions])
def test_dialects_meet(group: object) -> None:
    forms = {name: normal(t) for name, t in group().items()}  # type: ignore[operator]
    first = next(iter(forms))
    for name, form in forms.items():
        assert form == forms[first], f"{name}: {form} != {first}: {forms[first]}"


def test_fast() -> None:
    terms = [*softmaxes().values(), *variances().values(), *attentions().values()]
    best = 1.0
    for _ in range(3):
        start = time.process_time()
        for t in terms:
            normal(t)
        best = min(best, (time.process_time() - start) / len(terms))
    assert best < 0.01


def test_different_things_stay_different() -> None:
    k = idx("k", N)
    other_axis = exp(at(X, I, J)) / red("sum", k, exp(at(X, k, J)))
    assert normal(softmaxes()["naive"]) != normal(other_axis.term)
    assert not equal((at(X, I, J) - at(Y, I, J)).term, (at(Y, I, J) - at(X, I, J)).term)
    k1, k2 = idx("k", M), idx("k", M)
    squared = red("sum", k1, at(V, k1)) * red("sum", k2, at(V, k2))
    assert not equal(squared.term, red("sum", k1, at(V, k1) ** 2).term)


def test_no_capture() -> None:
    """A maximum over k used inside a sum over the very same k."""
    k = idx("k", M)
    m = red("max", k, at(V, k))
    inside = red("sum", k, at(V, k) * m)
    l = idx("l", M)
    outside = red("sum", l, at(V, l)) * m
    assert equal(inside.term, outside.term)
    a = idx("a", M)
    row = value("row", (a,), red("sum", k, at(V, k) * at(V, a)))
    nested = red("sum", k, at(row, k))
    assert equal(nested.term, (red("sum", k, at(V, k)) * red("sum", l, at(V, l))).term)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (lambda x, y: where(x > y, x, y), maximum),
        (lambda x, y: where(x <= y, x, y), minimum),
        (lambda x, y: maximum(x, y) + minimum(x, y), lambda x, y: x + y),
        (lambda x, y: maximum(x, -x), lambda x, y: ap("abs", x)),
        (lambda x, y: ap("sigmoid", x), lambda x, y: exp(x) / (1 + exp(x))),
        (lambda x, y: 1 - ap("sigmoid", x), lambda x, y: ap("sigmoid", -x)),
        (lambda x, y: ap("logaddexp", x, y), lambda x, y: log(exp(y) + exp(x))),
        (
            lambda x, y: maximum(x, y) + ap("log1p", exp(-ap("abs", x - y))),
            lambda x, y: ap("logaddexp", x, y),
        ),
        (
            lambda x, y: maximum(x, y) + log(1 + exp(minimum(x, y) - maximum(x, y))),
            lambda x, y: ap("logaddexp", y, x),
        ),
        (
            lambda x, y: maximum(x, 0) + ap("softplus", -ap("abs", 3 * x)) - ap("softplus", 3 * x),
            lambda x, y: -2 * maximum(x, 0),
        ),
        (lambda x, y: (x * x - y * y) / (x - y), lambda x, y: x + y),
        (lambda x, y: ap("sqrt", x) * ap("sqrt", x), lambda x, y: x),
        (lambda x, y: x * ap("rsqrt", y), lambda x, y: x / ap("sqrt", y)),
        (lambda x, y: x / 8, lambda x, y: x / ap("sqrt", 64)),
        (lambda x, y: where(x > 0, x, 0) + where(x > 0, 0, x), lambda x, y: x),
        (lambda x, y: where(ap("not", x > y), 0, x), lambda x, y: where(x > y, x, 0)),
        (lambda x, y: maximum(x + 1, y + 1), lambda x, y: 1 + maximum(y, x)),
        (lambda x, y: ap("clamp_gone", x), lambda x, y: ap("clamp_gone", x)),
    ],
)
def test_identities(left: object, right: object) -> None:
    a, b = at(X, I, J), at(Y, I, J)
    assert normal(left(a, b).term) == normal(right(a, b).term)  # type: ignore[operator]


def test_sums_of_exponentials_that_are_no_stable_ones() -> None:
    a, b = at(X, I, J), at(Y, I, J)
    joined = ap("logaddexp", a, b)
    apart = -ap("abs", a - b)
    for other in (
        minimum(a, b) + ap("log1p", exp(apart)),
        maximum(a, b) + ap("log1p", exp(-apart)),
        maximum(a, b) + ap("log1p", exp(2 * apart)),
        maximum(a, b) + log(2 + exp(apart)),
        maximum(a, b) + ap("log1p", exp(-ap("abs", a + b))),
    ):
        assert not equal(other.term, joined.term)


def test_views_meet() -> None:
    """view(B, T, H, D) then back again is the identity on subscripts."""
    h, d = idx("h", K), idx("d", D)
    w = array("w", Symbol("C"))
    heads = value("heads", (h, d), at(w, E(h) * D + d))
    c = idx("c", (E(K) * D).term)
    joined = value("joined", (c,), at(heads, E(c) // D, E(c) % D))
    assert equal(at(joined, E(h) * D + d).term, at(w, E(h) * D + d).term)
    assert equal(at(joined, c).term, at(w, c).term)


def test_one_hot_is_a_gather() -> None:
    k, i = idx("k", N), idx("i", N)
    eye = where(E(k).eq(i), 1.0, 0.0)
    assert equal(red("sum", k, eye * at(X, k, J)).term, at(X, i, J).term)


def test_broadcast_reads_may_depend() -> None:
    b = array("b", Symbol("B"))
    read = Read(b, (I,), aligned=True)
    assert depends(read, I)
    plain = array("c", N)
    assert equal(Read(plain, (J, I), aligned=True), Read(plain, (I,)))
    single = array("one", 1)
    assert not depends(Read(single, (I,), aligned=True), I)
    x2, y2 = {X: np.ones((3, 2))}, {b: np.array([5.0])}
    got = evaluate(spelled(normal(read)), {**x2, **y2}, {N: 3, Symbol("B"): 1}, axes=(I,))
    assert (got == 5).all()


def test_depends_sees_cancellation() -> None:
    x = at(X, I, J)
    assert not depends((x - x + 1).term, I)
    assert depends(softmaxes()["stable"], J)


def test_casts_are_kept_on_request() -> None:
    x = at(X, I, J)
    cast = ap("cast:float16", ap("cast:float32", x) * 2)
    assert normal(cast.term) == normal((x * 2).term)
    assert normal(cast.term, casts=True) != normal((x * 2).term, casts=True)
    assert cast_sequence(cast.term) == ("float32", "float16")
    assert normal(ap("cast:int", x).term) != normal(x.term)


def test_finite_mask_is_an_option() -> None:
    a = exp(where(E(I) <= J, at(X, I, J), -1e9))
    b = where(E(I) <= J, exp(at(X, I, J)), 0)
    assert normal(a.term) != normal(b.term)
    assert normal(a.term, finite_mask=True) == normal(b.term)


def test_stop_keeps_a_name() -> None:
    s = value("s", (I,), at(V, I) * 2)
    read = at(s, J).term
    assert normal(read, stop={s}) != normal(read)
    assert expand(read) is not read
    assert expand(read, {s}) is read


def test_budget() -> None:
    x = at(X, I, J)
    big = x
    for n in range(12):
        big = (big + at(V, n)) * (big + at(V, n + 20))
    with pytest.raises(TooLarge):
        normal(big.term)


def test_permuted_sums_commute() -> None:
    a, b, c, d = idx("a", N), idx("b", M), idx("c", M), idx("d", N)
    assert equal(
        red("sum", a, red("sum", b, exp(at(X, a, b) * at(Y, a, b)))).term,
        red("sum", c, red("sum", d, exp(at(Y, d, c) * at(X, d, c)))).term,
    )
    p, q = idx("p", N), idx("q", N)
    s = array("s", N, N)
    assert equal(
        red("sum", p, red("sum", q, exp(at(s, p, q)))).term,
        red("sum", p, red("sum", q, exp(at(s, q, p)))).term,
    )


ARRAYS = [array("a", N), array("b", N), array("c")]
FREE = idx("i", N)


@st.composite
def linear(draw: st.DrawFn, indices: tuple[Index, ...]) -> E:
    leaves = terms(indices, 0)
    return ap(draw(st.sampled_from(["add", "sub", "max"])), draw(leaves), draw(leaves))


@st.composite
def terms(draw: st.DrawFn, indices: tuple[Index, ...] = (FREE,), depth: int = 4) -> E:
    kinds = ["read", "const", "index"]
    if depth:
        kinds += ["binary", "binary", "binary", "unary", "where", "reduce", "value", "power"]
    kind = draw(st.sampled_from(kinds))
    sub = terms(indices, depth - 1)
    if kind == "read":
        v = draw(st.sampled_from(ARRAYS))
        return at(v, *(draw(st.sampled_from(indices)) for _ in v.axes))
    if kind == "const":
        return E(draw(st.sampled_from([0, 1, 2, -1, 0.5, 3])))
    if kind == "index":
        return E(draw(st.sampled_from(indices)))
    if kind == "binary":
        op = draw(st.sampled_from(["add", "sub", "mul", "max", "min", "div", "logaddexp"]))
        return ap(op, draw(sub), draw(sub))
    if kind == "unary":
        ops = ["neg", "exp", "abs", "relu", "sigmoid", "square", "tanh", "cos", "softplus"]
        return ap(draw(st.sampled_from(ops)), draw(sub))
    if kind == "power":
        return draw(sub) ** draw(st.sampled_from([2, 3]))
    if kind == "where":
        op = draw(st.sampled_from(["lt", "le", "gt", "ge", "eq", "ne"]))
        exact = linear(indices)  # where rounding decides a comparison, nothing can be compared
        return where(ap(op, draw(exact), draw(exact)), draw(sub), draw(sub))
    k = idx("k", N)
    inner = terms((*indices, k), depth - 1)
    if kind == "reduce":
        op = draw(st.sampled_from(["sum", "sum", "sum", "max", "min", "prod"]))
        return red(op, k, draw(inner))
    axis = idx("z", N)
    body = draw(terms((axis,), depth - 1))
    return at(Value("w", (axis,), body.term), draw(st.sampled_from(indices)))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(terms(), st.integers(0, 5))
def test_normal_form_keeps_the_value(t: E, seed: int) -> None:
    random = np.random.default_rng(seed)
    size = 3
    env = {v: random.integers(-8, 9, size=(size,) * len(v.axes)) / 4 for v in ARRAYS}
    try:
        form = normal(t.term)
    except TooLarge:
        return
    assert isinstance(form, Poly)
    before = evaluate(t.term, env, {N: size}, axes=(FREE,)).astype(float)
    after = evaluate(spelled(form), env, {N: size}, axes=(FREE,)).astype(float)
    before, after = np.broadcast_arrays(before, after)
    fine = np.isfinite(before) & np.isfinite(after) & (np.abs(before) < 1e8)
    assert np.allclose(before[fine], after[fine], rtol=1e-6, atol=1e-6)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(terms())
def test_normal_form_is_canonical_in_its_variables(t: E) -> None:
    try:
        form = normal(t.term)
    except TooLarge:
        return
    assert form == normal(t.term)


def test_reduce_of_a_group() -> None:
    group = Index("G", Symbol("G"), group=True)
    x = Value("x", (group,), kind="input")
    total = Reduce("sum", group, Read(x, (group,)))
    assert normal(total) == normal(Reduce("sum", group, Read(x, (group,))))
    doubled = Reduce("sum", group, (E(Read(x, (group,))) * 2).term)
    assert normal(doubled) == normal((E(total) * 2).term)
    assert term(1) is term(1)


def test_the_number_of_a_dtype_does_not_order_terms() -> None:
    x = Value("x", (), kind="input")
    looks = {
        normal(Apply(f"cast:like {n}", (Read(x, ()),)), casts=True).look for n in (7, 81, 1234)
    }
    assert len(looks) == 1
