# expect: ASC103 safe scope=receptance
import torch


def receptance(r, k, v, w, u):
    batch, heads, steps, width = r.shape
    decay = torch.exp(-torch.exp(w)).view(1, heads, width, 1)
    bonus = u.view(1, heads, width, 1)
    state = torch.zeros(batch, heads, width, width, dtype=r.dtype)
    out = torch.zeros(batch, heads, steps, width, dtype=r.dtype)
    for t in range(steps):
        asked = r[:, :, t, None, :]
        kv = k[:, :, t, :, None] @ v[:, :, t, None, :]
        out[:, :, t] = (asked @ (bonus * kv + state)).squeeze(2)
        state = state * decay + kv
    return out


def cases(rng):
    for steps in (1, 6):
        rows = (torch.tensor(rng.random((2, 2, steps, 3)), requires_grad=True) for _ in range(3))
        yield (
            "receptance",
            (*rows, *(torch.tensor(rng.random((2, 3)), requires_grad=True) for _ in range(2))),
            {},
        )
