"""Bodies of two indices: which split into factors. The comments above each function are what the
audit must say about it."""

import numpy as np
import torch

# ---------------------------------------------------------------- rank one


# separability: holds proof "rank 1"
def outer__none(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return x[:, None] * y[None, :]


# separability: holds proof "rank 1"
def outer__einsum(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return torch.einsum("i,j->ij", x, y)


# separability: holds proof "rank 1"
def outer__outer(x: np.ndarray, y: np.ndarray):
    return np.outer(x, y)


# separability: holds proof "rank 1"
def outer__loops(x: np.ndarray, y: np.ndarray):
    n, m = len(x), len(y)
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = x[i] * y[j]
    return out


# separability: holds proof "rank 1"
def outer__comprehension(xs, ys):
    return [[x * y for y in ys] for x in xs]


# separability: holds proof "rank 1"
def exponential_of_sum__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return torch.exp(x[:, None] + y[None, :])


# separability: holds proof "rank 1"
def exponential_of_sum__product(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return x.exp()[:, None] * y.exp()[None, :]


# separability: holds proof "rank 1"
def power_of_product__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return (x[:, None] * y[None, :]) ** 2


# separability: holds proof "rank 1"
def quotient__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return x[:, None] / (1 + y[None, :] ** 2)


# ---------------------------------------------------------------- sums: additive and finite rank


# separability: holds proof
def sum_of_two__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return x[:, None] + y[None, :]


# separability: holds proof
def log_of_product__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    a, b = torch.exp(x), torch.exp(y)
    return torch.log(a[:, None] * b[None, :])


# separability: holds proof "rank 2"
def cosine_of_difference__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return torch.cos(x[:, None] - y[None, :])


# separability: holds proof "rank 2"
def cosine_of_difference__numpy(x: np.ndarray, y: np.ndarray):
    return np.cos(x[:, np.newaxis] - y[np.newaxis, :])


# separability: holds proof "rank 2"
def cosine_of_difference__expanded(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    c = x.cos()[:, None] * y.cos()[None, :]
    return c + x.sin()[:, None] * y.sin()[None, :]


# separability: holds proof "rank 2"
def sine_of_sum__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return torch.sin(x[:, None] + y[None, :])


# separability: holds proof "rank 3"
def squared_difference__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return (x[:, None] - y[None, :]) ** 2


# separability: holds proof "rank 3"
def squared_difference__numpy(x: np.ndarray, y: np.ndarray):
    return np.square(np.subtract.outer(x, y))


# separability: holds proof "rank 2"
def one_plus_product__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return 1 + x[:, None] * y[None, :]


# separability: holds proof "rank 1"
def factored_sum__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return x[:, None] * y[None, :] + x[:, None] * 2


# separability: holds proof "rank 1"
def factored_sum__brackets(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return x[:, None] * (y[None, :] + 2)


# separability: holds proof "rank 1"
def four_products__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    a = x[:, None] * y[None, :] + x[:, None] + y[None, :] + 1
    return a


# ---------------------------------------------------------------- exponentials of products


# separability: partial
def gauss_kernel__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return torch.exp(-((x[:, None] - y[None, :]) ** 2))


# separability: partial
def gauss_kernel__expanded(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    d = x[:, None] ** 2 - 2 * x[:, None] * y[None, :] + y[None, :] ** 2
    return torch.exp(-d)


# separability: partial
def gauss_kernel__numpy(x: np.ndarray, y: np.ndarray):
    d = x[:, None] - y[None, :]
    return np.exp(-d * d)


# separability: partial proof
def decay__exp_of_product(delta: torch.Tensor, A: torch.Tensor):
    T, N = delta.shape[0], A.shape[0]
    return torch.exp(delta[:, None] * A[None, :])


# separability: holds proof
def blur__separable_kernel(img: np.ndarray, a: np.ndarray, b: np.ndarray):
    h, w = img.shape
    k = a.shape[0]
    kernel = a[:, None] * b[None, :]
    return kernel


# ---------------------------------------------------------------- no factors


# separability: fails counterexample
def distance__absolute(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return torch.abs(x[:, None] - y[None, :])


# separability: fails counterexample
def distance__absolute_numpy(x: np.ndarray, y: np.ndarray):
    return np.abs(x[:, None] - y[None, :])


# separability: fails counterexample
def root_of_sum__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return torch.sqrt(x[:, None] ** 2 + y[None, :] ** 2)


# separability: fails counterexample
def larger__maximum(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return torch.maximum(x[:, None], y[None, :])


# separability: fails counterexample
def tanh_of_sum__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return torch.tanh(x[:, None] + y[None, :])


# separability: fails counterexample
def cauchy__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return 1 / (1 + x[:, None] ** 2 + y[None, :] ** 2)


# separability: fails counterexample
def sine_of_product__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return torch.sin(x[:, None] * y[None, :])


# separability: fails counterexample
def comparison__torch(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return (x[:, None] > y[None, :]).float()


# separability: fails counterexample
def squared_norms__root(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape[0], y.shape[0]
    return ((x[:, None] - y[None, :]) ** 2 + 1).sqrt()


# separability: fails structure "not applicable"
def one_index__square(x: torch.Tensor):
    n = x.shape[0]
    return x * x


# separability: fails structure "not applicable"
def one_index__total(x: torch.Tensor):
    n = x.shape[0]
    return (x * x).sum()


# ---------------------------------------------------------------- chains of contractions


# separability: holds
# locality: partial
# associativity: holds
def chain__matmul(A: torch.Tensor, B: torch.Tensor, v: torch.Tensor):
    n, k = A.shape
    m = B.shape[1]
    return (A @ B) @ v


# separability: holds
# associativity: holds
def chain__right(A: torch.Tensor, B: torch.Tensor, v: torch.Tensor):
    n, k = A.shape
    m = B.shape[1]
    return A @ (B @ v)


# separability: holds
# associativity: holds
def chain__einsum(A: torch.Tensor, B: torch.Tensor, v: torch.Tensor):
    n, k = A.shape
    m = B.shape[1]
    return torch.einsum("ik,kj,j->i", A, B, v)


# separability: holds
# associativity: holds
# locality: partial
def matmul__operator(A: torch.Tensor, B: torch.Tensor):
    n, k = A.shape
    m = B.shape[1]
    return A @ B


# separability: holds
# associativity: holds
# locality: partial
def matmul__einsum(A: torch.Tensor, B: torch.Tensor):
    n, k = A.shape
    m = B.shape[1]
    return torch.einsum("ik,kj->ij", A, B)


# separability: holds
# associativity: holds
# locality: partial
def matmul__broadcast(A: torch.Tensor, B: torch.Tensor):
    n, k = A.shape
    m = B.shape[1]
    return (A[:, :, None] * B[None, :, :]).sum(dim=1)


# separability: holds
# associativity: holds
# locality: partial
def matmul__loops(A: np.ndarray, B: np.ndarray):
    n, k = A.shape
    m = B.shape[1]
    C = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            s = 0.0
            for l in range(k):
                s += A[i, l] * B[l, j]
            C[i, j] = s
    return C


# separability: partial probe
# symmetry: holds "-"
def far_field__forces(p: torch.Tensor, m: torch.Tensor):
    n = p.shape[0]
    r = p[None, :] - p[:, None]
    d = torch.abs(r)
    return (m[None, :] * r / (d**3 + 1e-3)).sum(dim=1)


# ---------------------------------------------------------------- pairs, one loop within another


# separability: partial
def attraction__rows(pos: np.ndarray, mass: np.ndarray):
    n = len(mass)
    acc = np.zeros((n, 3))
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            r = pos[j] - pos[i]
            acc[i] += mass[j] * r / (np.sum(r**2) + 1e-3) ** 1.5
    return acc


# separability: partial probe "between clusters"
def attraction__coordinates(pos: np.ndarray, strength: np.ndarray):
    out = np.zeros(len(strength))
    for i in range(len(strength)):
        for j in range(len(strength)):
            dx, dy = pos[i, 0] - pos[j, 0], pos[i, 1] - pos[j, 1]
            out[i] -= strength[j] * dy / (dx * dx + dy * dy + 0.01)
    return out
