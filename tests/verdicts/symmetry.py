"""What leaves a result unchanged. The comments above each function are what the audit must say
about it."""

import numpy as np
import torch
import torch.nn.functional as F

# ---------------------------------------------------------------- pairs


# symmetry: holds proof
def product_of_pairs__torch(x: torch.Tensor):
    n = x.shape[0]
    return x[:, None] * x[None, :]


# symmetry: holds proof
def product_of_pairs__outer(x: torch.Tensor):
    n = x.shape[0]
    return torch.outer(x, x)


# symmetry: holds proof
def product_of_pairs__loops(x: np.ndarray):
    n = len(x)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = x[i] * x[j]
    return out


# symmetry: holds proof
def distance__torch(x: torch.Tensor):
    n = x.shape[0]
    return torch.abs(x[:, None] - x[None, :])


# symmetry: holds proof
def distance__numpy(x: np.ndarray):
    n = len(x)
    return np.sqrt((x[:, None] - x[None, :]) ** 2)


# symmetry: holds proof
def distance__loops(x: np.ndarray):
    n = len(x)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = abs(x[i] - x[j])
    return out


# symmetry: holds proof "-f("
def difference__torch(x: torch.Tensor):
    n = x.shape[0]
    return x[:, None] - x[None, :]


# symmetry: holds proof "-f("
def difference__cubed(x: torch.Tensor):
    n = x.shape[0]
    r = x[:, None] - x[None, :]
    return r * r * r


# symmetry: holds proof
def gram__matmul(A: torch.Tensor):
    n, d = A.shape
    return A @ A.T


# symmetry: holds proof
def gram__einsum(A: torch.Tensor):
    n, d = A.shape
    return torch.einsum("id,jd->ij", A, A)


# symmetry: holds proof
def gram__transpose(A: torch.Tensor):
    n, d = A.shape
    return torch.matmul(A, A.transpose(0, 1))


# symmetry: holds proof
def gram__numpy(A: np.ndarray):
    n, d = A.shape
    return np.dot(A, A.T)


# symmetry: holds proof
def gram__columns(A: torch.Tensor):
    n, d = A.shape
    return A.T @ A


# symmetry: fails
def not_symmetric__quotient(x: torch.Tensor):
    n = x.shape[0]
    return x[:, None] / (1 + x[None, :])


# symmetry: fails
def not_symmetric__square(x: torch.Tensor):
    n = x.shape[0]
    return x[:, None] - x[None, :] ** 2


# symmetry: holds proof
def symmetrised__sum(A: torch.Tensor):
    n = A.shape[0]
    B = A.view(n, n)
    return B + B.T


# ---------------------------------------------------------------- Toeplitz, circulant, shifts


# symmetry: holds proof
def toeplitz__gather(c: torch.Tensor):
    n = 16
    i = torch.arange(n)
    return torch.exp(-(i[:, None] - i[None, :]).abs().float())


# symmetry: holds proof
def circulant__modulo(c: np.ndarray, x: np.ndarray):
    n = len(c)
    out = np.zeros(n)
    for i in range(n):
        s = 0.0
        for j in range(n):
            s += c[(i - j) % n] * x[j]
        out[i] = s
    return out


# symmetry: holds proof "shift"
def stencil__slices(x: torch.Tensor):
    n = x.shape[0]
    return x[2:] - 2 * x[1:-1] + x[:-2]


# symmetry: holds proof "shift"
def stencil__nonlinear(x: torch.Tensor):
    n = x.shape[0]
    return torch.tanh(x[2:]) * x[:-2]


# symmetry: fails
def stencil_with_places__torch(x: torch.Tensor):
    n = x.shape[0]
    return (x[1:] - x[:-1]) * torch.arange(n - 1)


# ---------------------------------------------------------------- permutations


# symmetry: holds proof "permut"
def total__torch(x: torch.Tensor):
    n = x.shape[0]
    return x.sum()


# symmetry: holds proof "permut"
def total__builtin(xs):
    return sum(xs)


# symmetry: holds proof "permut"
def total__loop(xs):
    s = 0.0
    for x in xs:
        s += x
    return s


# symmetry: holds proof "permut"
def variance__numpy(x: np.ndarray):
    return ((x - x.mean()) ** 2).mean()


# symmetry: holds proof "permut"
def logsumexp__torch(x: torch.Tensor):
    n = x.shape[0]
    return torch.logsumexp(x, dim=0)


# symmetry: holds proof "permut"
def largest__numpy(x: np.ndarray):
    return np.max(x)


# symmetry: holds proof "permut"
def dot__pairs(x: np.ndarray, y: np.ndarray):
    return np.dot(x, y)


# symmetry: holds proof "permut"
def softmax__equivariant(x: torch.Tensor):
    n = x.shape[0]
    return torch.exp(x) / torch.exp(x).sum()


# symmetry: holds proof "permut"
def centred__equivariant(x: torch.Tensor):
    n = x.shape[0]
    return x - x.mean()


# symmetry: fails
def weighted_by_place__arange(x: torch.Tensor):
    (n,) = x.shape
    return (x * torch.arange(n)).sum()


# symmetry: fails
def weighted_by_place__loop(xs):
    s = 0.0
    for i, x in enumerate(xs):
        s += i * x
    return s


# symmetry: fails
def alternating__loop(xs):
    s = 0.0
    sign = 1.0
    for x in xs:
        s += sign * x
        sign = -sign
    return s


# symmetry: fails
def autocorrelation__slices(x: torch.Tensor):
    n = x.shape[0]
    return (x[1:] * x[:-1]).sum()


# symmetry: fails
def prefix__cumsum(x: torch.Tensor):
    n = x.shape[0]
    return torch.cumsum(x, dim=0)


# symmetry: fails
def first_place__argmax(x: torch.Tensor):
    (n,) = x.shape
    return torch.argmax(x)


# symmetry: holds "permut"
def self_attention__tokens(x: torch.Tensor, Wq: torch.Tensor, Wk: torch.Tensor, Wv: torch.Tensor):
    n, d = x.shape
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    return torch.softmax(q @ k.T / d**0.5, dim=-1) @ v


# symmetry: holds "permut"
def self_attention__identity(x: torch.Tensor):
    n, d = x.shape
    scores = x @ x.transpose(0, 1)
    e = torch.exp(scores)
    return (e / e.sum(dim=-1, keepdim=True)) @ x


# symmetry: fails
def masked_attention__tokens(x: torch.Tensor, Wq: torch.Tensor, Wk: torch.Tensor):
    n, d = x.shape
    scores = (x @ Wq) @ (x @ Wk).T
    scores = scores.masked_fill(torch.tril(torch.ones(n, n)) == 0, float("-inf"))
    return torch.softmax(scores, dim=-1) @ x


# symmetry: holds
def set_pooling__deep_sets(x: torch.Tensor, W: torch.Tensor):
    n, d = x.shape
    return torch.relu(x @ W).sum(dim=0)


# symmetry: fails counterexample
def pooled_by_place__weights(x: torch.Tensor, w: torch.Tensor):
    n = x.shape[0]
    s = torch.zeros(())
    for i in range(n):
        s = 0.5 * s + x[i]
    return s


# associativity: fails
# separability: fails
# locality: fails
# sparsity: fails
# redundancy: fails
# symmetry: fails
def nothing_holds__jump(x: torch.Tensor):
    n = x.shape[0] // 2
    s = torch.zeros(())
    for t in range(n):
        s = torch.tanh(s + x[2 * t]) * x[t]
    return s


# symmetry: fails counterexample
def clamped_sum__loop(xs: list[float]):
    s = 0.5
    for x in xs:
        s = min(1.0, max(0.0, s + x))
    return s


# symmetry: fails counterexample
def rare_reset__loop(xs: list[int]):
    s = 0
    for x in xs:
        if x == 12345:
            s = 0
        else:
            s += x
    return s


# symmetry: fails counterexample
def truncated__loop(xs: list[float]):
    s = 0
    for x in xs:
        s = int(s + x)
    return s


# symmetry: unknown|fails
def up_to_the_first_negative__break(xs: list[int]):
    total = 0
    for x in xs:
        if x < 0:
            break
        total += x
    return total


# symmetry: unknown|fails
def places_of_the_largest__argsort(x: torch.Tensor):
    return x.argsort(dim=1, descending=True)[:, :3]


# symmetry: unknown|fails
def by_a_key__ties(pairs: list[tuple[str, float]], k: int):
    return sorted(pairs, key=lambda pair: pair[1])[:k]


# symmetry: unknown
def smoothed_labels__gathered(logits, target, eps):
    logp = F.log_softmax(logits, dim=-1)
    nll = -logp.gather(1, target.unsqueeze(1)).squeeze(1)
    smooth = -logp.mean(dim=1)
    return ((1 - eps) * nll + eps * smooth).mean()


# symmetry: unknown
def smoothed_labels__picked(logits, y, eps):
    logp = torch.log_softmax(logits, dim=-1)
    nll = -logp[torch.arange(len(y)), y]
    smooth = -logp.mean(dim=-1)
    return ((1 - eps) * nll + eps * smooth).mean()


# symmetry: holds proof "permuting the steps t"
def smoothed_labels_in_loops(p, y, eps):
    n, K = p.shape
    loss = 0.0
    for i in range(n):
        for k in range(K):
            q = eps / K
            if k == y[i]:
                q += 1 - eps
            loss -= q * np.log(p[i, k])
    return loss / n


# symmetry: fails|unknown
def after_a_loop_that_minds_the_order(x: np.ndarray):
    m = x.mean()
    y = x[0]
    for i in range(1, len(x)):
        y = 0.9 * y + x[i]
    return y - m


# symmetry: fails counterexample "exchanged x2"
def biquad(x, b, a):
    y = np.zeros_like(x)
    x1 = x2 = y1 = y2 = 0.0
    for i in range(len(x)):
        y[i] = b[0] * x[i] + b[1] * x1 + b[2] * x2 - a[1] * y1 - a[2] * y2
        x2, x1 = x1, x[i]
        y2, y1 = y1, y[i]
    return y


# symmetry: partial probe "of the last s alone"
def largest_so_far_squared(x, a):
    s = 0.0
    y = np.zeros_like(x)
    for i in range(len(x)):
        s = max(s, x[i]) + 0 * a
        y[i] = s * s
    return y


# symmetry: unknown "drawn at random"
def total_of_dropped__torch(x, p):
    n, d = x.shape
    return F.dropout(x, p).sum(1)


# symmetry: holds proof "permuting"
def total_of_kept__torch(x, p):
    n, d = x.shape
    return F.dropout(x, p, training=False).sum(1)
