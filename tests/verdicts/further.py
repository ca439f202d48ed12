"""Further loops and expressions, half of them near misses. The comments above each function are
what the audit must say about it."""

import math

import numpy as np
import torch


# associativity: holds
def powx(xs: list[int]):
    s = 3
    for x in xs:
        s = s**x
    return s


# associativity: holds
def floor2(xs: list[int]):
    s = 0
    for x in xs:
        s = (s + x) // 2
    return s


# associativity: holds
def hyp(xs: list[float]):
    s = 0.0
    for x in xs:
        s = math.sqrt(s * s + x * x)
    return s


# associativity: holds
def hyp2(xs: list[float]):
    s = 0.0
    for x in xs:
        s = math.hypot(s, x)
    return s


# associativity: holds
def harmonic(xs: list[float]):
    s = 1.0
    for x in xs:
        s = 1 / (1 / s + 1 / x)
    return s


# associativity: holds
def counter_reset(xs: list[int]):
    n = 0
    for x in xs:
        n = n + 1 if x else 0
        if n > 3:
            n = 0
    return n


# associativity: holds
def modlin2(xs: list[int]):
    a, b = 0, 1
    for x in xs:
        a, b = b, (a + x * b) % 1000003
    return a


# associativity: holds
def modpair(xs: list[int], m: int):
    a, b = 1, 0
    for x in xs:
        b = (b + a * x) % m
        a = (a * 31) % m
    return b


# associativity: holds
def reset_sum(xs: list[int]):
    s = 0
    for x in xs:
        if x == 0:
            s = 0
        else:
            s += x
    return s


# associativity: fails
def threshold_reset(xs: list[float]):
    s = 0.0
    n = 0
    for x in xs:
        s += x
        if s > 10:
            n += 1
            s = 0.0
    return n


# associativity: fails
def logistic(xs: list[float]):
    s = 0.3
    for x in xs:
        s = x * s * (1 - s)
    return s


# associativity: fails
def sinm(xs: list[float]):
    s = 0.3
    for x in xs:
        s = math.sin(s) + x
    return s


# associativity: holds
def geo(xs: list[float]):
    s = 1.0
    for x in xs:
        s = math.sqrt(s * x)
    return s


# associativity: holds
def brackets(w: str):
    d = 0
    ok = True
    for c in w:
        if c == "(":
            d += 1
        elif c == ")":
            d -= 1
        if d < 0:
            ok = False
    return ok and d == 0


# associativity: holds
def kadane(xs: list[float]):
    best = cur = 0.0
    for x in xs:
        cur = max(0.0, cur + x)
        best = max(best, cur)
    return best


# associativity: holds
def second(xs: list[float]):
    a = b = -math.inf
    for x in xs:
        if x > a:
            a, b = x, a
        elif x > b:
            b = x
    return b


# associativity: holds
def wc(text: str):
    n = 0
    inside = False
    for c in text:
        if c == " ":
            inside = False
        elif not inside:
            inside = True
            n += 1
    return n


# associativity: holds
def atoi(s: str):
    v = 0
    for c in s:
        v = v * 10 + ord(c) - 48
    return v


# associativity: holds
def wordcount(ws: list[str]):
    d = {}
    for w in ws:
        d[w] = d.get(w, 0) + 1
    return d


# associativity: holds
def cat(ws: list[str]):
    o = ""
    for w in ws:
        o += w
    return o


# associativity: holds
def uniq(xs: list[int]):
    s = set()
    for x in xs:
        s.add(x)
    return s


# associativity: holds
def cfrac(xs: list[float]):
    s = 1.0
    for x in xs:
        s = x + 1 / s
    return s


# associativity: holds
def is_sorted(xs: list[int]):
    prev = -math.inf
    ok = True
    for x in xs:
        ok = ok and prev <= x
        prev = x
    return ok


# associativity: holds
def longest_run(xs: list[int]):
    cur = best = 0
    for x in xs:
        cur = cur + 1 if x == 1 else 0
        best = max(best, cur)
    return best


# associativity: holds
def sat(xs: list[float]):
    s = 0.0
    for x in xs:
        s = min(1.0, max(0.0, s + x))
    return s


# associativity: fails
def collatz(xs: list[int]):
    s = 7
    for x in xs:
        s = s // 2 if s % 2 == 0 else 3 * s + x
    return s


# associativity: fails
def newton(xs: list[float]):
    s = 1.0
    for x in xs:
        s = 0.5 * (s + x / s)
    return s


# associativity: unknown
def lcgsq(xs: list[int]):
    s = 1
    for x in xs:
        s = (s * s + x) % 1000003
    return s


# associativity: holds
def polar(xs: list[float]):
    c, s = 1.0, 0.0
    for x in xs:
        c, s = c * math.cos(x) - s * math.sin(x), c * math.sin(x) + s * math.cos(x)
    return c, s


# associativity: holds
def fibpair(n: int):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


# associativity: holds
def expsmooth2(x: np.ndarray):
    l = x[0]
    b = 0.0
    for t in range(1, len(x)):
        nl = 0.5 * x[t] + 0.5 * (l + b)
        b = 0.3 * (nl - l) + 0.7 * b
        l = nl
    return l + b


# associativity: holds
def matprod(As: torch.Tensor):
    P = torch.eye(3)
    for t in range(As.shape[0]):
        P = As[t] @ P
    return P


# associativity: fails
def rnn(X: torch.Tensor, W: torch.Tensor):
    h = torch.zeros(4)
    for t in range(X.shape[0]):
        h = torch.tanh(W @ h + X[t])
    return h


# associativity: fails
def gru(X: torch.Tensor, W: torch.Tensor, U: torch.Tensor):
    h = torch.zeros(4)
    for t in range(X.shape[0]):
        z = torch.sigmoid(W @ X[t] + U @ h)
        h = (1 - z) * h + z * X[t]
    return h


# associativity: holds
def mingru(X: torch.Tensor, W: torch.Tensor):
    h = torch.zeros(4)
    for t in range(X.shape[0]):
        z = torch.sigmoid(W @ X[t])
        h = (1 - z) * h + z * X[t]
    return h


# associativity: holds
def drawdown(xs: list[float]):
    peak = -math.inf
    dd = 0.0
    for x in xs:
        peak = max(peak, x)
        dd = max(dd, peak - x)
    return dd


# associativity: holds
def fused(xs: list[float], ys: list[float]):
    sx = sy = sxy = 0.0
    for x, y in zip(xs, ys):
        sx += x
        sy += y
        sxy += x * y
    return sxy - sx * sy


# associativity: holds
def velocity(xs: list[float]):
    s = 0.0
    for x in xs:
        s = (s + x) / (1 + s * x)
    return s


# associativity: fails
def boyer_like(xs: list[float]):
    b = 0.0
    n = 0
    for x in xs:
        if x > b + 1:
            b = x
            n += 1
    return n


# redundancy: holds
def inv_sum(xs: list[float], ys: list[float]):
    out = []
    for x in xs:
        out.append(x / sum(ys))
    return out


# redundancy: holds
def inv_sqrt(xs: list[float], a: float):
    out = []
    for x in xs:
        out.append(x * math.sqrt(a))
    return out


# redundancy: fails
def inv_not(xs: list[float], a: float):
    r = math.sqrt(a)
    out = []
    for x in xs:
        out.append(x * r)
    return out


# redundancy: holds
def twice(x: list[float]):
    out = []
    for a in x:
        out.append(math.sin(a) ** 2 + math.sin(a))
    return out


# redundancy: holds
def prefix_sums(xs: list[float]):
    out = []
    for i in range(len(xs)):
        out.append(sum(xs[: i + 1]))
    return out


# redundancy: holds
def window_sum(x: np.ndarray, k: int):
    out = []
    for i in range(len(x) - k + 1):
        out.append(x[i : i + k].sum())
    return out


# redundancy: holds
def sort_max(xs: list[float]):
    return sorted(xs)[-1]


# redundancy: holds
def sort_k(xs: list[float]):
    return sorted(xs)[:5]


# redundancy: fails
def sort_all(xs: list[float]):
    return sorted(xs)


# redundancy: holds
def matpow(A: torch.Tensor, n: int):
    P = torch.eye(A.shape[0])
    for _ in range(n):
        P = P @ A
    return P


# redundancy: holds
def norm_in_loop(x: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] / np.linalg.norm(x)
    return out


# redundancy: holds
def maxloop(xs: list[float]):
    return [x - max(xs) for x in xs]


# redundancy: fails
def maxloop_not(xs: list[float]):
    m = max(xs)
    return [x - m for x in xs]


# redundancy: holds
def idem(xs: list[float]):
    return [abs(abs(x)) for x in xs]


# redundancy: holds
def mm_twice(A: torch.Tensor, B: torch.Tensor):
    return (A @ B).sum() + (A @ B).max()


# redundancy: fails
def mm_once(A: torch.Tensor, B: torch.Tensor):
    C = A @ B
    return C.sum() + C.max()


# redundancy: holds
def exp_twice(x: torch.Tensor):
    return torch.exp(x) / torch.exp(x).sum()


# redundancy: fails
def exp_once(x: torch.Tensor):
    e = torch.exp(x)
    return e / e.sum()


# redundancy: fails
def smap(xs: list[float]):
    return [math.exp(x) for x in xs]


# symmetry: holds
def forces(p: torch.Tensor):
    r = p[:, None] - p[None, :]
    return r / (r.abs() ** 3 + 1e-6)


# symmetry: holds
def sum_list(xs: list[float]):
    s = 0.0
    for x in xs:
        s += x * x
    return s


# symmetry: fails
def first_plus(xs: list[float]):
    s = 0.0
    for x in xs:
        s = 0.5 * s + x
    return s


# symmetry: holds
def count_pos(xs: list[float]):
    c = 0
    for x in xs:
        if x > 0:
            c += 1
    return c


# symmetry: holds
def minmax(xs: list[float]):
    lo = math.inf
    hi = -math.inf
    for x in xs:
        lo = min(lo, x)
        hi = max(hi, x)
    return hi - lo


# symmetry: fails
def last_pos(xs: list[float]):
    last = 0.0
    for x in xs:
        if x > 0:
            last = x
    return last


# symmetry: holds
def mean_var(xs: list[float]):
    n = 0
    m = 0.0
    M2 = 0.0
    for x in xs:
        n += 1
        d = x - m
        m += d / n
        M2 += d * (x - m)
    return M2 / n


# symmetry: holds
def prodl(xs: list[float]):
    p = 1.0
    for x in xs:
        p *= 1 + x
    return p


# symmetry: holds
def gcdl(xs: list[int]):
    g = 0
    for x in xs:
        g = math.gcd(g, x)
    return g


# symmetry: holds
def xorl(xs: list[int]):
    g = 0
    for x in xs:
        g ^= x
    return g


# symmetry: fails
def alt(xs: list[float]):
    s = 0.0
    sign = 1
    for x in xs:
        s += sign * x
        sign = -sign
    return s


# symmetry: holds
def conv3(x: np.ndarray):
    return 0.25 * x[:-2] + 0.5 * x[1:-1] + 0.25 * x[2:]


# symmetry: holds
def mean_t(x: torch.Tensor):
    return x.mean()


# symmetry: fails
def wmean(x: torch.Tensor):
    n = x.shape[0]
    return (x * torch.arange(n)).sum()


# symmetry: holds
def any_neg(xs: list[float]):
    found = False
    for x in xs:
        if x < 0:
            found = True
    return found


# symmetry: holds
def xtx(X: torch.Tensor):
    return X.T @ X


# symmetry: holds
def cov(X: np.ndarray):
    n, d = X.shape
    Y = X - X.mean(0)
    return Y.T @ Y / (n - 1)


# symmetry: holds|unknown
def hist(xs: list[int]):
    h = [0] * 10
    for x in xs:
        h[x % 10] += 1
    return h


# associativity: holds
# symmetry: holds
def comp_sum(x: list[float]):
    return sum(a * a for a in x)


# associativity: holds
# symmetry: holds
def max_list(xs: list[float]):
    return max(xs)


# associativity: holds
def running_max(xs: list[float]):
    out = []
    m = -math.inf
    for x in xs:
        m = max(m, x)
        out.append(m)
    return out


# associativity: holds
def cumsum_np(x: np.ndarray):
    return np.cumsum(x)


# associativity: fails
def median(x: np.ndarray):
    return np.median(x)


# associativity: holds
def softmax_den(x: torch.Tensor):
    return torch.logsumexp(x, 0)


# redundancy: holds
def abs_abs(x: torch.Tensor):
    return torch.abs(torch.abs(x)).sum()


# redundancy: holds
def relu_relu(x: torch.Tensor):
    return torch.relu(torch.relu(x)).sum()


# redundancy: holds
def sorted_sorted(xs: list[float]):
    return sorted(sorted(xs))[0]


# redundancy: fails
def once(x: np.ndarray, y: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        out[i] = math.exp(x[i]) * math.exp(y[i])
    return out


# redundancy: fails
def branches(xs: list[float]):
    out = []
    for x in xs:
        if x > 0:
            out.append(math.sqrt(x))
        else:
            out.append(-math.sqrt(-x))
    return out


# locality: holds
def diff2(x: np.ndarray):
    return x[2:] - 2 * x[1:-1] + x[:-2]


# locality: partial structure "within 3 of 4*i"
def blocks(x: np.ndarray):
    n = len(x) // 4
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[4 * i : 4 * i + 4].sum()
    return out


# sparsity: holds
def onehot_mm(labels: torch.Tensor, W: torch.Tensor):
    n = labels.shape[0]
    k = W.shape[0]
    oh = torch.nn.functional.one_hot(labels, k).float()
    return oh @ W


# symmetry: holds
def prod_np(x: np.ndarray):
    return np.prod(x)


# symmetry: fails
def polyval(cs: list[float], x: float):
    s = 0.0
    for c in cs:
        s = s * x + c
    return s


# symmetry: holds
def count_eq(xs: list[int], v: int):
    c = 0
    for x in xs:
        c += x == v
    return c


# symmetry: holds
def top2(xs: list[float]):
    a = b = -math.inf
    for x in xs:
        if x > a:
            a, b = x, a
        elif x > b:
            b = x
    return a, b


# symmetry: fails
def argmax_first(xs: list[float]):
    best = -math.inf
    at = -1
    for i, x in enumerate(xs):
        if x > best:
            best, at = x, i
    return at
