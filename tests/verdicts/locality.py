"""How far reads lie from what they make. The comments above each function are what the audit must
say about it."""

import numpy as np
import scipy.linalg
import torch
import torch.nn.functional as F

# ---------------------------------------------------------------- stencils


# locality: holds structure "radius 1"
# symmetry: holds
def laplace__slices(x: np.ndarray):
    return x[:-2] - 2 * x[1:-1] + x[2:]


# locality: holds structure "radius 1"
# symmetry: holds
def laplace__loop(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(1, n - 1):
        out[i] = x[i - 1] - 2 * x[i] + x[i + 1]
    return out


# locality: holds structure
# symmetry: holds
def laplace__comprehension(xs):
    return [xs[i - 1] - 2 * xs[i] + xs[i + 1] for i in range(1, len(xs) - 1)]


# locality: holds structure
# symmetry: holds
def laplace__append(xs):
    out = []
    for i in range(1, len(xs) - 1):
        out.append(xs[i - 1] - 2 * xs[i] + xs[i + 1])
    return out


# locality: holds structure
def differences__slices(x: torch.Tensor):
    n = x.shape[0]
    return x[1:] - x[:-1]


# locality: holds structure
def differences__diff(x: np.ndarray):
    return np.diff(x)


# locality: holds structure
def five_points__slices(u: np.ndarray):
    h, w = u.shape
    return u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]


# locality: holds structure
def five_points__loops(u: np.ndarray):
    h, w = u.shape
    out = np.zeros((h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            out[i, j] = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j]
    return out


# locality: holds structure
def pointwise__torch(x: torch.Tensor):
    n = x.shape[0]
    return x * torch.sigmoid(x)


# locality: holds structure
def pointwise__loop(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i] * 2 + 1
    return out


# ---------------------------------------------------------------- convolutions and windows


# locality: holds structure
# associativity: holds proof
def convolution__loops(x: np.ndarray, w: np.ndarray):
    n = len(x)
    k = 5
    out = np.zeros(n - 4)
    for i in range(n - 4):
        s = 0.0
        for j in range(5):
            s += x[i + j] * w[j]
        out[i] = s
    return out


# locality: holds structure
# associativity: holds proof
def convolution__unfold(x: torch.Tensor, w: torch.Tensor):
    n = x.shape[0]
    return (x.unfold(0, 5, 1) * w[None, :]).sum(dim=1)


# locality: holds structure
def moving_window__sum(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(3, n - 3):
        out[i] = x[i - 3 : i + 4].sum()
    return out


# locality: holds structure
def moving_window__comprehension(xs):
    return [sum(xs[i : i + 4]) / 4 for i in range(len(xs) - 3)]


# locality: holds structure
def dilated__slices(x: torch.Tensor):
    n = x.shape[0]
    return x[:-4] + x[2:-2] + x[4:]


# locality: holds structure
def banded_attention__mask(scores: torch.Tensor, v: torch.Tensor):
    n = scores.shape[0]
    i = torch.arange(n)
    near = (i[:, None] - i[None, :]).abs() <= 8
    return torch.where(near, scores, 0.0) @ v


# ---------------------------------------------------------------- far reads


# locality: fails structure
def reversed__flip(x: torch.Tensor, y: torch.Tensor):
    n = x.shape[0]
    return x.flip(0) + y


# locality: fails structure
def reversed__slice(x: np.ndarray, y: np.ndarray):
    return x[::-1] + y


# locality: fails structure
def reversed__loop(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[n - 1 - i] + x[i]
    return out


# locality: fails structure
def strided__loop(x: np.ndarray):
    n = len(x) // 2
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[2 * i]
    return out


# locality: fails structure
def strided__slice(x: torch.Tensor, y: torch.Tensor):
    n = y.shape[0]
    return x[: 2 * n : 2] + y


# locality: fails structure
def transpose__operator(A: torch.Tensor):
    n, m = A.shape
    return A + A.T


# locality: fails structure
# symmetry: holds
def centred__mean(x: torch.Tensor):
    n = x.shape[0]
    return x - x.mean()


# locality: fails structure
def softmax__torch(x: torch.Tensor):
    n = x.shape[0]
    return torch.softmax(x, dim=0)


# locality: fails structure
# associativity: holds proof
# redundancy: holds
def prefix_sums__quadratic(xs):
    n = len(xs)
    return [sum(xs[: i + 1]) for i in range(n)]


# locality: fails structure
# associativity: holds
def causal_mean__mask(x: torch.Tensor):
    n = x.shape[0]
    weights = torch.tril(torch.ones(n, n))
    return weights @ x


# ---------------------------------------------------------------- data decides


# locality: unknown
def gather__subscript(x: torch.Tensor, index: torch.Tensor):
    n = index.shape[0]
    return x[index] * 2


# locality: unknown
def gather__gather(x: torch.Tensor, index: torch.Tensor):
    n, m = x.shape
    return torch.gather(x, 1, index) * 2


# locality: unknown
def gather__take(x: np.ndarray, index: np.ndarray):
    return np.take(x, index) * 2


# locality: partial structure "may lie anywhere"
def gather__loop(x: np.ndarray, index: np.ndarray):
    n = len(index)
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[index[i]]
    return out


# locality: unknown
def embedding__functional(table: torch.Tensor, tokens: torch.Tensor):
    n = tokens.shape[0]
    return F.embedding(tokens, table)


# ---------------------------------------------------------------- blocks


# locality: partial structure
def pairwise__broadcast(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return torch.tanh(x[:, None] - y[None, :]).sum(dim=1)


# locality: partial structure
def attention__softmax(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    return torch.softmax(q @ k.T, dim=-1) @ v


# ---------------------------------------------------------------- places that are not near


# locality: fails structure "grows"
def squares_of_places__loop(x: np.ndarray):
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i * i % n]
    return out


# locality: fails structure "x[0]"
def from_the_first__loop(x: np.ndarray):
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i] - x[0]
    return out


# locality: fails structure
def prefix_sums__slices_in_a_loop(x: np.ndarray):
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[: i + 1].sum()
    return out


# locality: unknown
def window_of_a_parameter__loop(x: np.ndarray, w: int):
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[max(0, i - w) : i + 1].mean()
    return out


# locality: partial structure "end of the axis"
def next_on_a_circle__loop(x: np.ndarray):
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[(i + 1) % n] - x[i]
    return out


# locality: fails|partial|unknown
def triangles_apart__where(lower, upper, x):
    n, n = lower.shape
    (n,) = x.shape
    places = np.arange(n)
    below = places[:, None] >= places[None, :]
    return np.where(below, lower, upper) @ x


# locality: fails|partial|unknown
def triangles_apart__toeplitz(column, row, x):
    return scipy.linalg.toeplitz(column, row) @ x


# ---------------------------------------------------------------- blocks side by side


# locality: partial structure "neighbouring blocks"
def pooled__loops(img: np.ndarray):
    h, w = img.shape
    out = np.zeros((h // 2, w // 2))
    for i in range(h // 2):
        for j in range(w // 2):
            out[i, j] = max(
                img[2 * i, 2 * j],
                img[2 * i + 1, 2 * j],
                img[2 * i, 2 * j + 1],
                img[2 * i + 1, 2 * j + 1],
            )
    return out


# locality: partial structure "neighbouring blocks"
def halved__slices(x: np.ndarray):
    return 0.5 * (x[::2] + x[1::2])


# locality: fails structure
def thinned__slices(x: np.ndarray):
    return 0.5 * (x[::3] + x[1::3])
