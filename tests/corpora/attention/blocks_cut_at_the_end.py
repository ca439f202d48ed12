# expect: ASC109 safe scope=matrices
# expect: ASC109 safe scope=heads
# expect: ASC109 safe scope=causal
import torch
from torch import Tensor


def matrices(q: Tensor, k: Tensor, v: Tensor, block: int):
    # q, k, v: (N, D)
    n = q.shape[0]
    out = torch.zeros_like(q)
    for i in range(0, n, block):
        j = min(i + block, n)
        s = q[i:j] @ k.T
        out[i:j] = torch.softmax(s, dim=-1) @ v
    return out


def heads(q: Tensor, k: Tensor, v: Tensor, block: int):
    # q, k, v: (H, N, D)
    n = q.shape[1]
    out = torch.empty_like(q)
    for i in range(0, n, block):
        end = min(i + block, n)
        rows = q[:, i:end]
        weights = (rows @ k.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1)
        out[:, i:end] = weights @ v
    return out


def causal(q: Tensor, k: Tensor, v: Tensor, block: int):
    """Each block of queries sees all keys up to its own end."""
    # q, k, v: (N, D)
    n = q.shape[0]
    out = torch.zeros_like(q)
    for i in range(0, n, block):
        j = min(i + block, n)
        s = q[i:j] @ k[:j].T
        out[i:j] = torch.softmax(s, dim=-1) @ v[:j]
    return out


def cases(rng):
    for n, block in ((7, 3), (2, 4), (1, 1)):
        yield "matrices", (*(torch.randn(n, 3, requires_grad=True) for _ in range(3)), block), {}
        yield "causal", (*(torch.randn(n, 3, requires_grad=True) for _ in range(3)), block), {}
        yield "heads", (*(torch.randn(2, n, 3, requires_grad=True) for _ in range(3)), block), {}
