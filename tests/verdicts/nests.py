"""Loops within loops: pairs, matrices, windows. The comments above each function are what the audit
must say about it."""

import math

import numpy as np
import torch


# separability: holds
def outer_np(x: np.ndarray, y: np.ndarray):
    n, m = len(x), len(y)
    out = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            out[i][j] = x[i] * y[j]
    return out


# separability: holds
def outer_sum(x: list[float], y: list[float]):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(y)):
            s += x[i] * y[j]
    return s


# separability: holds
def pairs_neq(x: list[float]):
    s = 0.0
    n = len(x)
    for i in range(n):
        for j in range(n):
            if i != j:
                s += x[i] * x[j]
    return s


# separability: holds
def double_sum_all(x: np.ndarray):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            s += x[i] * x[j]
    return s


# separability: fails|partial
def maxpair(x: np.ndarray, y: np.ndarray):
    n, m = len(x), len(y)
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = max(x[i], y[j])
    return out


# separability: holds
def expsum(x: np.ndarray, y: np.ndarray):
    n, m = len(x), len(y)
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = np.exp(x[i] + y[j])
    return out


# separability: partial|fails
def gauss(x: np.ndarray, y: np.ndarray):
    n, m = len(x), len(y)
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = np.exp(-((x[i] - y[j]) ** 2))
    return out


# separability: holds
def sqdist(x: np.ndarray, y: np.ndarray):
    n, m = len(x), len(y)
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = (x[i] - y[j]) ** 2
    return out


# separability: holds
def cosdiff(a: np.ndarray, b: np.ndarray):
    n, m = len(a), len(b)
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = math.cos(a[i] - b[j])
    return out


# separability: holds
def rowcol(x: np.ndarray, y: np.ndarray):
    n, m = len(x), len(y)
    out = np.zeros((n, m))
    for i in range(n):
        a = x[i] * 2
        for j in range(m):
            b = y[j] + 1
            out[i, j] = a / b
    return out


# separability: holds
def add_grid(x: np.ndarray, y: np.ndarray):
    n, m = len(x), len(y)
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = x[i] + y[j]
    return out


# separability: fails|partial
def absd(x: np.ndarray, y: np.ndarray):
    n, m = len(x), len(y)
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = abs(x[i] - y[j])
    return out


# symmetry: holds
def pair_energy(x: list[float]):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            s += abs(x[i] - x[j])
    return s


# symmetry: holds
def pair_energy_half(x: list[float]):
    s = 0.0
    n = len(x)
    for i in range(n):
        for j in range(i + 1, n):
            s += (x[i] - x[j]) ** 2
    return s


# symmetry: fails
def pairs_directed(x: list[float]):
    s = 0.0
    n = len(x)
    for i in range(n):
        for j in range(n):
            if i < j:
                s += x[i] * x[j] * x[j]
    return s


# symmetry: holds
def kernel_mat(x: np.ndarray):
    n = x.shape[0]
    K = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            K[i, j] = np.exp(-((x[i] - x[j]) ** 2))
    return K


# symmetry: holds
def anti(x: np.ndarray):
    n = x.shape[0]
    K = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            K[i, j] = x[i] - x[j]
    return K


# symmetry: fails
def not_sym(x: np.ndarray):
    n = x.shape[0]
    K = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            K[i, j] = x[i] * i - x[j] * x[j] * j
    return K


# symmetry: holds
def toeplitz(c: np.ndarray, n: int):
    T = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            T[i, j] = c[i - j + n - 1]
    return T


# symmetry: holds
def circulant(c: np.ndarray):
    n = len(c)
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            C[i, j] = c[(i - j) % n]
    return C


# symmetry: holds
def hankel(c: np.ndarray, n: int):
    H = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            H[i, j] = c[i + j]
    return H


# symmetry: holds
def gramian(X: np.ndarray):
    n, d = X.shape
    G = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(d):
                G[i, j] += X[i, k] * X[j, k]
    return G


# sparsity: holds
def diag_loops(A: np.ndarray, x: np.ndarray):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        for j in range(n):
            if i == j:
                y[i] += A[i, j] * x[j]
    return y


# sparsity: holds
def band_loops(A: np.ndarray, x: np.ndarray):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        for j in range(n):
            if abs(i - j) <= 2:
                y[i] += A[i, j] * x[j]
    return y


# sparsity: fails
def dense_loops(A: np.ndarray, x: np.ndarray):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        for j in range(n):
            y[i] += A[i, j] * x[j]
    return y


# sparsity: holds
def onehot_loop(labels: np.ndarray, W: np.ndarray):
    n, k = len(labels), W.shape[0]
    out = np.zeros((n, W.shape[1]))
    for i in range(n):
        for c in range(k):
            out[i] += (labels[i] == c) * W[c]
    return out


# sparsity: fails
def neq(x: list[float]):
    s = 0.0
    n = len(x)
    for i in range(n):
        for j in range(n):
            if i != j:
                s += x[i] * x[j]
    return s


# sparsity: holds
def upper_strict(x: list[float]):
    s = 0.0
    n = len(x)
    for i in range(n):
        for j in range(n):
            if i < j:
                s += abs(x[i] - x[j])
    return s


# sparsity: holds
def block_diag(A: np.ndarray, x: np.ndarray, b: int):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        for j in range(n):
            if i // b == j // b:
                y[i] += A[i, j] * x[j]
    return y


# locality: holds
def stencil2d(u: np.ndarray):
    n, m = u.shape
    out = np.zeros((n, m))
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            out[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return out


# locality: holds
def blur3(u: np.ndarray):
    n, m = u.shape
    out = np.zeros((n, m))
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            s = 0.0
            for a in range(-1, 2):
                for b in range(-1, 2):
                    s += u[i + a, j + b]
            out[i, j] = s / 9
    return out


# locality: partial
def matmul(A: np.ndarray, B: np.ndarray):
    n, k = A.shape
    m = B.shape[1]
    C = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for l in range(k):
                C[i, j] += A[i, l] * B[l, j]
    return C


# locality: fails
def prefix(xs: list[float]):
    out = []
    for i in range(len(xs)):
        s = 0.0
        for j in range(i + 1):
            s += xs[j]
        out.append(s)
    return out


# locality: holds
def window(x: np.ndarray):
    n = len(x)
    out = np.zeros(n - 4)
    for i in range(n - 4):
        s = 0.0
        for k in range(5):
            s += x[i + k]
        out[i] = s
    return out


# locality: fails
def transp(A: np.ndarray):
    n = A.shape[0]
    B = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            B[i, j] = A[j, i] + A[i, j]
    return B


# locality: holds
def row_sum(A: np.ndarray):
    n, m = A.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = A[i, j] * 2 + i
    return out


# redundancy: holds
def inner_inv(A: np.ndarray, x: np.ndarray, c: float):
    n, m = A.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = A[i, j] * math.exp(x[i])
    return out


# symmetry: holds
def cond_write(x: np.ndarray):
    n = len(x)
    D = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                D[i, j] = 1.0 / abs(x[i] - x[j])
    return D


# symmetry: holds
# separability: fails|partial
def rbf_torch(x: torch.Tensor):
    n, d = x.shape
    K = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            K[i, j] = torch.exp(-((x[i] - x[j]) ** 2).sum())
    return K


# symmetry: holds
def gram_dot(x: np.ndarray):
    n, d = x.shape
    K = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            K[i, j] = np.dot(x[i], x[j])
    return K


# symmetry: fails
def asym(x: np.ndarray, y: np.ndarray):
    n = len(x)
    K = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            K[i, j] = x[i] - 2 * y[j]
    return K


# symmetry: fails
def asym2(x: np.ndarray):
    n = len(x)
    K = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            K[i, j] = x[i] ** 2 * x[j]
    return K


# symmetry: fails|holds|partial
def transpose_loops(A: np.ndarray):
    n = A.shape[0]
    B = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            B[i, j] = A[j, i]
    return B


# sparsity: fails
def add_all(A: np.ndarray, B: np.ndarray):
    n, m = A.shape
    C = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            C[i, j] = A[i, j] + B[i, j]
    return C


# sparsity: holds
def masked_pairs(x: np.ndarray):
    n = len(x)
    s = 0.0
    for i in range(n):
        for j in range(n):
            if abs(i - j) == 1:
                s += x[i] * x[j]
    return s


# redundancy: fails|unknown
# locality: partial|holds "w["
def weighted_windows__listed(x, w):
    out = []
    for i in range(len(x) - len(w) + 1):
        out.append(np.sum(x[i : i + len(w)] * w))
    return np.array(out)


# redundancy: fails|unknown
# locality: partial|holds "w["
def weighted_windows__filled(x, w):
    k = len(w)
    out = np.zeros(len(x) - k + 1)
    for i in range(len(out)):
        out[i] = (w * x[i : i + k]).sum()
    return out


# associativity: holds "if `w` is a number"
# symmetry: holds "if `w` is a number"
def weights_of_unknown_axes(x, w):
    out = np.zeros(len(x))
    for i in range(1, len(x) - 1):
        out[i] = np.sum(x[i - 1 : i + 2] * w)
    return out


# separability: unknown|fails
# redundancy: fails|unknown
# symmetry: holds proof "in P, V"
def best_action_of_rows(P, R, V, gamma):
    new = np.zeros(len(V))
    for s in range(len(V)):
        best = -np.inf
        for a in range(P.shape[1]):
            q = R[s, a] + gamma * np.sum(P[s, a] * V)
            if q > best:
                best = q
        new[s] = best
    return new
