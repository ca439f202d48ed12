# expect: ASC103 safe scope=causal_linear_attention
import numpy as np
import torch


def causal_linear_attention(q, k, v, eps=1e-6):
    q, k = torch.nn.functional.elu(q) + 1, torch.nn.functional.elu(k) + 1
    N, L, H, E = q.shape
    kv = q.new_zeros(N, H, E, v.shape[-1])
    z = q.new_zeros(N, H, E)
    out = []
    for i in range(L):
        kv = kv + k[:, i].unsqueeze(-1) * v[:, i].unsqueeze(-2)
        z = z + k[:, i]
        num = (q[:, i].unsqueeze(-1) * kv).sum(-2)
        den = (q[:, i] * z).sum(-1, keepdim=True) + eps
        out.append(num / den)
    return torch.stack(out, dim=1)


def cases(rng: np.random.Generator):
    for length in (1, 7):
        q, k, v = (
            torch.from_numpy(rng.standard_normal((2, length, 3, width)).astype(np.float32))
            for width in (4, 4, 5)
        )
        yield "causal_linear_attention", tuple(t.requires_grad_() for t in (q, k, v)), {}
