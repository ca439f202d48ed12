"""What is computed, stored or ordered more than needed. The comments above each function are what
the audit must say about it."""

import math

import numpy as np
import torch

# ---------------------------------------------------------------- the same at every step


# redundancy: holds "exp"
def invariant__call(xs, a):
    s = 0.0
    for x in xs:
        s += x * math.exp(a)
    return s


# redundancy: holds "exp"
def invariant__temporary(xs, a):
    s = 0.0
    for x in xs:
        scale = math.exp(a)
        s = s + scale * x
    return s


# redundancy: fails
def invariant_hoisted__before(xs, a):
    scale = math.exp(a)
    s = 0.0
    for x in xs:
        s = s + scale * x
    return s


# redundancy: holds "norm|sum|sqrt"
def invariant__norm(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i] / np.sqrt((x * x).sum())
    return out


# redundancy: holds "exp"
def invariant__recurrence(x: torch.Tensor, A: torch.Tensor):
    T, N = x.shape
    h = torch.zeros(N)
    for t in range(T):
        h = torch.exp(A) * h + x[t]
    return h


# redundancy: holds "mean|sum"
def invariant__list_mean(xs):
    out = []
    for x in xs:
        out.append(x - sum(xs) / len(xs))
    return out


# redundancy: holds "mean|sum"
def invariant__comprehension(xs):
    return [x - sum(xs) / len(xs) for x in xs]


# ---------------------------------------------------------------- twice


# redundancy: holds
def repeated__exponential(x: torch.Tensor):
    n = x.shape[0]
    a = torch.exp(x) * 2
    b = torch.exp(x) + 1
    return a * b


# redundancy: holds
def repeated__sum(x: torch.Tensor):
    n = x.shape[0]
    return (x - x.sum() / n) * x.sum()


# redundancy: fails
def repeated_not__named(x: torch.Tensor):
    n = x.shape[0]
    s = x.sum()
    return (x - s / n) * s


# redundancy: holds
def repeated__matmul(q: torch.Tensor, k: torch.Tensor):
    n, d = q.shape
    return torch.tanh(q @ k.T) * (q @ k.T)


# ---------------------------------------------------------------- prefixes again


# redundancy: holds "prefix"
# associativity: holds
def prefixes__comprehension(xs):
    return [sum(xs[: i + 1]) for i in range(len(xs))]


# redundancy: holds "prefix"
# associativity: holds
def prefixes__loops(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        s = 0.0
        for j in range(i + 1):
            s += x[j]
        out[i] = s
    return out


# redundancy: holds "prefix"
# associativity: holds
def prefixes__slices(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[: i + 1].sum()
    return out


# redundancy: holds "prefix"
def prefixes__largest(xs):
    return [max(xs[: i + 1]) for i in range(len(xs))]


# redundancy: fails|partial
def prefixes_not__cumsum(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    s = 0.0
    for i in range(n):
        s += x[i]
        out[i] = s
    return out


# ---------------------------------------------------------------- orders and maps for nothing


# redundancy: holds
def order__largest(xs):
    return sorted(xs)[-1]


# redundancy: holds
def order__three(xs):
    return sorted(xs)[:3]


# redundancy: holds
def order__argsort(x: torch.Tensor):
    (n,) = x.shape
    return torch.argsort(x)[:5]


# redundancy: fails
def order_used__sort(x: torch.Tensor):
    (n,) = x.shape
    return torch.sort(x).values


# redundancy: holds "sqrt"
def monotone__argmin(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    return torch.argmin(torch.sqrt(((x - y) ** 2).sum(dim=1)))


# redundancy: holds "sqrt"
def monotone__numpy(x: np.ndarray, y: np.ndarray):
    n, d = x.shape
    return np.argmin(np.sqrt(np.sum((x - y) ** 2, axis=1)))


# redundancy: holds "sqrt"
def monotone__min(xs, y):
    best = math.inf
    at = 0
    for i, x in enumerate(xs):
        d = math.sqrt((x - y) ** 2)
        if d < best:
            best = d
            at = i
    return at


# redundancy: holds "softmax|exp"
def monotone__softmax(x: torch.Tensor):
    n, d = x.shape
    return torch.argmax(torch.softmax(x, dim=-1), dim=-1)


# ---------------------------------------------------------------- powers, recursion


# redundancy: holds "squarings"
def power__loop(a, n):
    p = 1.0
    for _ in range(n):
        p = p * a
    return p


# redundancy: holds "squarings"
def power__augmented(a, n):
    p = 1.0
    for _ in range(n):
        p *= a
    return p


# redundancy: holds
def power__matrix(A: torch.Tensor, n: int):
    d, _ = A.shape
    P = torch.eye(d)
    for _ in range(n):
        P = P @ A
    return P


# redundancy: fails
def ordinary__dot(xs, ys):
    s = 0.0
    for x, y in zip(xs, ys):
        s += x * y
    return s


# redundancy: fails
def ordinary__matmul(A: torch.Tensor, B: torch.Tensor):
    n, k = A.shape
    return A @ B


# redundancy: holds
def constant_product__weights(x: torch.Tensor, W1: torch.Tensor, W2: torch.Tensor):
    T, N = x.shape
    h = torch.zeros(N)
    for t in range(T):
        h = h + (W1 @ W2) @ x[t]
    return h


# redundancy: fails
def one_name__two_totals(x: torch.Tensor, w: torch.Tensor):
    s, q = torch.zeros(()), torch.zeros(())
    for row in x:
        e = (row @ w).sum()
        s = s + e
        q = q + e * e
    return s, q


# redundancy: holds
def two_names__two_totals(x: torch.Tensor, w: torch.Tensor):
    s, q = torch.zeros(()), torch.zeros(())
    for row in x:
        s = s + (row @ w).sum()
        q = q + (row @ w).sum() ** 2
    return s, q


# redundancy: unknown|fails
def quietest__opaque_window(waveform: torch.Tensor, size: int):
    least = float("inf")
    place = 0
    for i in range(0, waveform.shape[0] - size, size):
        window = waveform[i : i + size]
        energy = torch.sqrt(torch.mean(window * window)).item()
        if energy < least:
            least = energy
            place = i
    return place


# redundancy: unknown|fails
def own_exponential__written(a: np.ndarray, b: np.ndarray):
    for i in range(a.shape[0]):
        a[i] = np.exp(a) @ b
    return a


# redundancy: unknown|fails|partial
def product__written_through_a_view(a: np.ndarray, b: np.ndarray):
    v, out = a.T, []
    for i in range(3):
        out.append((a @ b).sum())
        v[0] = i
    return out


# ---------------------------------------------------------------- increasing, and only compared


# redundancy: holds "sqrt"
def nearest__branch(points: list, q: tuple):
    best, place = float("inf"), -1
    for i, p in enumerate(points):
        d = math.sqrt((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2)
        if d < best:
            best = d
            place = i
    return place


# redundancy: fails
def nearest_and_total__branch(points: list, q: tuple):
    best, total = float("inf"), 0.0
    for p in points:
        d = math.sqrt((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2)
        total += d
        if d < best:
            best = d
    return best, total


# redundancy: holds "number"
def threshold__sigmoid(x: torch.Tensor):
    return (torch.sigmoid(x) > 0.5).float()


# redundancy: holds "number"
def threshold__norm(points: np.ndarray, c: np.ndarray, r: float):
    return points[np.sqrt(np.sum((points - c) ** 2, axis=1)) < r]


# redundancy: fails
def threshold_kept__sigmoid(x: torch.Tensor):
    p = torch.sigmoid(x)
    return torch.where(p > 0.5, p, 0.0)


# redundancy: holds "copies"
def grown__concatenated(xs: list):
    out = np.empty((0, 2))
    for x in xs:
        out = np.concatenate([out, np.sin(x)])
    return out


# ---------------------------------------------------------------- ordered, and read at some places


# redundancy: holds "ordered"
def trimmed__slice(xs: np.ndarray):
    return np.sort(xs)[1:-1].mean()


# redundancy: holds "ordered"
def percentile__place(x: np.ndarray):
    return np.sort(x)[int(0.95 * len(x))] * 2.0


# redundancy: fails
def in_order__difference(x: np.ndarray):
    return np.sort(x)[::-1]


# redundancy: unknown "kron"
# sparsity: unknown
def kronecker_times_vector__unnamed(a, b, x):
    return np.kron(a, b) @ x


# redundancy: unknown "kron"
# sparsity: unknown
def kronecker_times_vector__named(a: np.ndarray, b: np.ndarray, x: np.ndarray):
    both = np.kron(a, b)
    return both @ x
