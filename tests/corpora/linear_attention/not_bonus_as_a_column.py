# may: ASC103 unsafe scope=time_mix
# Nothing says whether the bonus is a column of one entry a channel or rows with an axis put in.
import torch


def time_mix(r, k, v, w, u):
    batch, steps, channels = r.shape
    state = torch.zeros(batch, channels, channels)
    out = []
    for t in range(steps):
        kv = k[:, t].unsqueeze(2) * v[:, t].unsqueeze(1)
        out.append(torch.einsum("bi,bij->bj", r[:, t], state + u[:, None] * kv))
        state = w[:, t].unsqueeze(2) * state + kv
    return torch.stack(out, 1), state


def cases(rng):
    def make(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)

    yield "time_mix", (*(make(2, 5, 4) for _ in range(4)), make(4)), {}
    yield "time_mix", (*(make(2, 4, 4) for _ in range(4)), make(4)), {}
