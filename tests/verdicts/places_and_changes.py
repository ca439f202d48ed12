"""Where results are put, and arrays that change while they are read. The comments above each
function are what the audit must say about it."""

import numpy as np
import torch
import torch.nn.functional as F

# ---------------------------------------------------------------- put at other places


# locality: fails structure "in another order"
def transposed__loops(a: np.ndarray):
    n, m = a.shape
    o = np.zeros((m, n))
    for i in range(n):
        for j in range(m):
            o[j, i] = a[i, j]
    return o


# locality: fails structure "in another order"
def transposed__operator(a: np.ndarray):
    n, m = a.shape
    return a.T * 2


# locality: fails structure "in another order"
def channels_first__loops(a: np.ndarray):
    h, w, c = a.shape
    o = np.zeros((c, h, w))
    for i in range(h):
        for j in range(w):
            for k in range(c):
                o[k, i, j] = a[i, j, k] / 255
    return o


# locality: fails structure "[3*i + 1]"
def spread__loop(x: np.ndarray):
    n = len(x)
    o = np.zeros(3 * n)
    for i in range(n):
        o[3 * i + 1] = x[i] * 3
    return o


# locality: fails structure "distance grows"
def two_cells__loop(a: np.ndarray):
    n = len(a)
    o = np.zeros(2 * n)
    for i in range(n):
        o[2 * i] = a[i]
        o[2 * i + 1] = a[i]
    return o


# locality: fails structure "distance grows"
def reversed_places__loop(x: np.ndarray):
    n = len(x)
    o = np.zeros(n)
    for i in range(n):
        o[n - 1 - i] = x[i] * 2
    return o


# locality: holds structure
def reversed_on_both_sides__loop(x: np.ndarray):
    n = len(x)
    o = np.zeros(n)
    for i in range(n):
        o[n - 1 - i] = x[n - 1 - i] * 2
    return o


# locality: holds structure "within 1"
def strided_on_both_sides__loop(x: np.ndarray):
    n = len(x) // 2
    o = np.zeros(2 * n)
    for i in range(n):
        o[2 * i] = x[2 * i + 1]
    return o


# locality: unknown
# associativity: holds proof "each step's value"
def added_at_looked_up_places__loop(x: np.ndarray, src: np.ndarray, dst: np.ndarray):
    o = np.zeros_like(x)
    for e in range(len(src)):
        o[dst[e]] += x[src[e]]
    return o


# locality: partial structure "within 1 of 2*i"
def pooled__loops(a: np.ndarray):
    n, m = a.shape
    o = np.zeros((n // 2, m // 2))
    for i in range(n // 2):
        for j in range(m // 2):
            o[i, j] = a[2 * i : 2 * i + 2, 2 * j : 2 * j + 2].max()
    return o


# locality: fails structure
def pooled_with_gaps__loop(x: np.ndarray):
    n = len(x) // 3
    o = np.zeros(n)
    for i in range(n):
        o[i] = x[3 * i : 3 * i + 2].max()
    return o


# locality: partial structure "through a view"
# symmetry: fails|unknown
def heads__view(x: torch.Tensor, h: int):
    B, T, C = x.shape
    return x.view(B, T, h, C // h).transpose(1, 2)


# locality: partial structure "though the distance grows"
def repeated__quotient(x: np.ndarray):
    n = len(x)
    return [x[i // 3] * 2 for i in range(n)]


# locality: fails structure
def scattered__multiples(x: np.ndarray):
    n = len(x)
    return [x[(7 * i) % n] for i in range(n)]


# locality: holds structure "within 5"
def before_by_five__clamped(x: np.ndarray):
    n = len(x)
    o = np.zeros(n)
    for i in range(n):
        o[i] = x[i] + x[max(i - 5, 0)]
    return o


# locality: partial structure
# associativity: holds
def full_convolution__scattered(x: np.ndarray, w: np.ndarray):
    n, k = len(x), len(w)
    o = np.zeros(n + k - 1)
    for i in range(n):
        for j in range(k):
            o[i + j] += x[i] * w[j]
    return o


# locality: unknown
def triangular_solve__loops(L: np.ndarray, b: np.ndarray):
    n = len(b)
    x = np.zeros(n)
    for i in range(n):
        s = 0.0
        for j in range(i):
            s += L[i, j] * x[j]
        x[i] = (b[i] - s) / L[i, i]
    return x


# locality: holds structure "for every k"
def one_hot_product__functional(index: torch.Tensor, w: torch.Tensor):
    return F.one_hot(index, 10).float() @ w


# ---------------------------------------------------------------- changed while they are read


# separability: unknown
# locality: unknown
# symmetry: unknown
def product_of_itself__loops(a: np.ndarray):
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            a[i, j] = a[i] @ a[:, j]
    return a


# locality: unknown
# symmetry: unknown
def neighbours__second_name(x: np.ndarray):
    n = len(x)
    y = x
    for i in range(1, n - 1):
        y[i] = x[i - 1] + x[i + 1]
    return y


# locality: unknown
# symmetry: unknown
def neighbours__second_name_and_another_array(x: np.ndarray, b: np.ndarray):
    n = len(x)
    y = x
    for i in range(1, n - 1):
        y[i] = (x[i - 1] + x[i + 1] + b[i]) / 2
    return y


# associativity: unknown
# separability: unknown|fails
# symmetry: unknown
def sum_of_a_product__written_through_a_view(a: torch.Tensor, b: torch.Tensor):
    flat = a.view(-1)
    t = 0.0
    for i in range(flat.shape[0]):
        flat[i] += 1
        t = t + (a @ b).sum()
    return t


# redundancy: unknown|fails|partial
def softmax__rows_of_a_list(a: torch.Tensor, b: torch.Tensor):
    rows = list(a)
    s = 0.0
    for i in range(3):
        s = s + torch.softmax(a @ b, -1)
        rows[i] += 1
    return s


# redundancy: unknown|fails|partial
def exponential__out(xs: np.ndarray, A: np.ndarray):
    out = []
    for x in xs:
        out.append(np.exp(A).sum() * x)
        np.add(A, x, out=A)
    return out


# redundancy: unknown|fails|partial
def exponential__in_a_dict(d: dict, xs: torch.Tensor):
    out = []
    for x in xs:
        out.append(torch.exp(d["w"]).sum() * x)
        d["w"] += x
    return out


# redundancy: unknown|fails|partial
def product__part_of_a_tuple(p: tuple[torch.Tensor, torch.Tensor], xs: torch.Tensor):
    a, b = p
    out = []
    for x in xs:
        out.append((a @ b).sum() * x)
        p[0][0] = x
    return out


# redundancy: holds
def exponential__of_what_a_copy_left(xs: torch.Tensor, A: torch.Tensor):
    out = []
    B = A.clone()
    for x in xs:
        out.append(x @ torch.exp(A @ A))
        B += 1
    return torch.stack(out)


# symmetry: unknown|fails
def eliminated__loops(a: np.ndarray):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


# ---------------------------------------------------------------- nearly sparse, nearly redundant


# sparsity: fails
# redundancy: fails
def padded__pad(x: torch.Tensor):
    B, n = x.shape
    p = F.pad(x, (2, 2))
    return (p[:, 1:] * p[:, :-1]).sum(1)


# sparsity: fails
def all_but_three__where(x: torch.Tensor):
    n = x.shape[0]
    i = torch.arange(n)
    return torch.where(i >= 3, x, 0.0).sum()


# sparsity: holds structure "inside the guard"
def blocks_of_a_matrix__where(s: torch.Tensor, v: torch.Tensor):
    n, m = s.shape
    i, j = torch.arange(n) // 16, torch.arange(m) // 16
    return torch.where(i[:, None] == j[None, :], s, 0.0) @ v


# redundancy: fails|unknown
def chunks__of_a_product(a: torch.Tensor, b: torch.Tensor, size: int):
    B, n, d = a.shape
    pad = (size - n % size) % size
    total = n + pad
    a = F.pad(a, (0, 0, 0, pad)).reshape(B, -1, size, d)
    c = a @ b
    s = torch.zeros(B, size, d)
    for i in range(total // size):
        s = s * 0.5 + c[:, i]
    return s


# redundancy: unknown|fails
# associativity: unknown|fails
def clusters__stacked(X, C, steps):
    for _ in range(steps):
        D = ((X[:, None] - C) ** 2).sum(-1)
        L = D.argmin(1)
        C = np.stack([X[L == j].mean(0) for j in range(C.shape[0])])
    return C, L


# redundancy: unknown|fails
# associativity: unknown|fails
def clusters__array(x, c, steps):
    for t in range(steps):
        d = np.linalg.norm(x[:, None] - c[None], axis=2)
        lab = np.argmin(d, axis=1)
        new = np.array([x[lab == j].mean(axis=0) for j in range(len(c))])
        if np.allclose(new, c):
            break
        c = new
    return c


# redundancy: unknown|fails
# associativity: unknown|fails
def smoothed_in_place__image(img):
    h, w = img.shape
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            img[i, j] = img[i - 1 : i + 2, j - 1 : j + 2].sum() / 9
    return img


# redundancy: unknown|fails
# associativity: unknown|fails
def smoothed_in_place__row(x):
    for i in range(1, len(x) - 1):
        x[i] = x[i - 1 : i + 2].sum() / 3.0
    return x


# redundancy: unknown|fails
# associativity: holds proof "d(i)[0]"
# symmetry: unknown
# separability: unknown
def pairs_of_bodies(bodies):
    e = 0.0
    for i in range(len(bodies)):
        for j in range(i):
            d = bodies[i].pos - bodies[j].pos
            e += np.exp(d[0]) + np.exp(d[1])
    return e


# redundancy: unknown|fails
def powers_of_which_each_is_used__sum(A, v, n):
    s = np.zeros_like(v)
    p = v
    for k in range(n):
        s = s + p
        p = A @ p
    return s


# redundancy: unknown|fails
def powers_of_which_each_is_used__cell(v, n, a):
    s = 0
    for t in range(n):
        v[-1] = v[-1] * a
        s += np.exp(v[-1])
    return s


# locality: holds structure "at a bounded distance"
# symmetry: fails
def window_cut_off(x: np.ndarray, k: int):
    out = np.empty(len(x))
    for t in range(len(x)):
        lo = max(0, t - k)
        hi = min(len(x), t + k + 1)
        out[t] = x[lo:hi].mean()
    return out
