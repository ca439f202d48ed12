"""What is multiplied by zero or thrown away. The comments above each function are what the audit
must say about it."""

import numpy as np
import torch
import torch.nn.functional as F

# ---------------------------------------------------------------- masks over indices


# sparsity: holds "1/2"
def triangle__tril(A: torch.Tensor, x: torch.Tensor):
    n = x.shape[0]
    L = torch.tril(A.view(n, n))
    return L @ x


# sparsity: holds "1/2"
def triangle__where(A: torch.Tensor, x: torch.Tensor):
    n = x.shape[0]
    i = torch.arange(n)
    L = torch.where(i[:, None] >= i[None, :], A.view(n, n), 0.0)
    return L @ x


# sparsity: holds "1/2"
def triangle__mask(A: torch.Tensor, x: torch.Tensor):
    n = x.shape[0]
    mask = torch.tril(torch.ones(n, n))
    return (A.view(n, n) * mask) @ x


# sparsity: holds "1/2"
def triangle__numpy(A: np.ndarray, x: np.ndarray):
    n = x.shape[0]
    return np.tril(A.reshape(n, n)) @ x


# sparsity: holds "1/2"
# locality: partial
# symmetry: fails
def causal_attention__fill(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    scores = q @ k.T
    mask = torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)
    scores = scores.masked_fill(mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v


# sparsity: holds "1/2"
# symmetry: fails
def causal_attention__where(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    i = torch.arange(n)
    scores = torch.where(i[:, None] >= i[None, :], q @ k.T, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v


# sparsity: holds "2*w + 1"
# locality: holds
def band__where(A: torch.Tensor, x: torch.Tensor, w: int):
    n = x.shape[0]
    i = torch.arange(n)
    near = (i[:, None] - i[None, :]).abs() <= w
    return torch.where(near, A.view(n, n), 0.0) @ x


# sparsity: holds "17"
# locality: holds
def band__constant(A: torch.Tensor, x: torch.Tensor):
    n = x.shape[0]
    i = torch.arange(n)
    near = (i[:, None] - i[None, :]).abs() <= 8
    return torch.where(near, A.view(n, n), 0.0) @ x


# sparsity: holds "1/"
def diagonal__diag(d: torch.Tensor, A: torch.Tensor):
    (n,) = d.shape
    return torch.diag(d) @ A


# sparsity: holds "1/"
def diagonal__eye(d: torch.Tensor, A: torch.Tensor):
    n = d.shape[0]
    return (torch.eye(n) * d[:, None]) @ A


# sparsity: holds "1/"
def diagonal__numpy(d: np.ndarray, A: np.ndarray):
    (n,) = d.shape
    return np.diag(d) @ A


# sparsity: holds|partial "1/"
def one_hot__functional(labels: torch.Tensor, table: torch.Tensor):
    n = labels.shape[0]
    classes, d = table.shape
    return F.one_hot(labels, classes).float() @ table


# sparsity: holds|partial "1/"
def one_hot__comparison(labels: torch.Tensor, table: torch.Tensor):
    n = labels.shape[0]
    classes, d = table.shape
    hot = (labels[:, None] == torch.arange(classes)[None, :]).float()
    return hot @ table


# ---------------------------------------------------------------- data decides


# sparsity: partial
def gate__mask(x: torch.Tensor, mask: torch.Tensor, w: torch.Tensor):
    n, d = x.shape
    return torch.where(mask > 0, x @ w, 0.0)


# sparsity: partial
def gate__loop(xs, flags):
    s = 0.0
    for x, f in zip(xs, flags):
        if f > 0.5:
            s += x * x
    return s


# sparsity: partial
def gate__conditional(xs, flags):
    s = 0.0
    for i in range(len(xs)):
        s += xs[i] * xs[i] if flags[i] > 0.5 else 0.0
    return s


# sparsity: partial
def gate__generator(xs, flags):
    return sum(x * x for x, f in zip(xs, flags) if f > 0.5)


# sparsity: partial
def rectified__relu(x: torch.Tensor, w: torch.Tensor):
    n, d = x.shape
    return F.relu(x) @ w


# sparsity: partial
def rectified__clamp(x: torch.Tensor, w: torch.Tensor):
    n, d = x.shape
    return x.clamp(min=0) @ w


# sparsity: partial
def rectified__where(x: torch.Tensor, w: torch.Tensor):
    n, d = x.shape
    return torch.where(x > 0, x, 0.0) @ w


# sparsity: partial "10"
# redundancy: holds
# associativity: holds proof
# symmetry: holds
def top_k__topk(x: torch.Tensor):
    (n,) = x.shape
    return torch.topk(x, 10).values


# sparsity: partial "10"
# redundancy: holds
# associativity: holds proof
# symmetry: holds
def top_k__sort(x: torch.Tensor):
    (n,) = x.shape
    return torch.sort(x, descending=True).values[:10]


# sparsity: partial "10"
# redundancy: holds
# associativity: holds proof
# symmetry: holds
def top_k__numpy(x: np.ndarray):
    return np.sort(x)[-10:]


# sparsity: partial "10"
# redundancy: holds
# associativity: holds proof
# symmetry: holds
def top_k__sorted(xs):
    return sorted(xs)[:10]


# ---------------------------------------------------------------- dense


# sparsity: fails structure
def dense__matmul(A: torch.Tensor, x: torch.Tensor):
    n, m = A.shape
    return A @ x


# sparsity: fails structure
def dense__branch(x: torch.Tensor):
    n = x.shape[0]
    return torch.where(x > 0, x, 0.1 * x).sum()


# sparsity: fails structure
def dense__ema(xs):
    s = 0.0
    for x in xs:
        s = 0.9 * s + x
    return s


# sparsity: fails
def dense__all_but_one(x):
    n = len(x)
    i = 3
    s = 0.0
    for j in range(n):
        if j != i:
            s += x[j] * x[j]
    return s


# sparsity: unknown|fails
def up_to_the_first_negative__break(xs: list[int]):
    total = 0
    for x in xs:
        if x < 0:
            break
        total += x
    return total


# sparsity: unknown|fails
def the_first_few__break(xs: list[int]):
    total = 0
    for i in range(len(xs)):
        if i > 5:
            break
        total += xs[i]
    return total


# ---------------------------------------------------------------- made on other lines


# sparsity: unknown
def made_of_zeros__diagonal(d: np.ndarray, a: np.ndarray):
    scale = np.diag(d)
    return scale.dot(a) + 1.0


# sparsity: fails
def made_of_others__product(d: np.ndarray, a: np.ndarray):
    n, m = a.shape
    scale = np.cos(d)
    return scale * a + 1.0


# sparsity: unknown|fails
# separability: unknown|fails
def edges_of_a_graph(n, dst, src):
    a = torch.zeros(n, n)
    a[dst, src] = 1
    return a.sum()
