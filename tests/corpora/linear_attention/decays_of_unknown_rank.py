# expect: ASC103 safe scope=one_rate
# may: ASC101 unsafe scope=by_step
# may: ASC101 unsafe scope=by_step_and_row
import torch


def one_rate(q, k, v, gamma):
    T, D = k.shape
    S = q.new_zeros(D, v.shape[1])
    outs = torch.empty_like(v)
    for t in range(T):
        S = gamma * S + torch.outer(k[t], v[t])
        outs[t] = S.T @ q[t]
    return outs


def by_step(q, k, v, gamma):
    T, D = k.shape
    S = torch.zeros(D, v.shape[1])
    outs = []
    for t in range(T):
        S = gamma[t] * S + torch.outer(k[t], v[t])
        outs.append(q[t] @ S)
    return torch.stack(outs)


def by_step_and_row(q, k, v, gamma):
    B, T, D = k.shape
    S = torch.zeros(B, D, v.shape[-1])
    o = []
    for t in range(T):
        S = gamma[t] * S + k[:, t, :, None] * v[:, t, None, :]
        o.append(torch.einsum("bd,bde->be", q[:, t], S))
    return torch.stack(o, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for rate in (0.9, torch.tensor(0.5)):
        yield "one_rate", (draw(5, 3), draw(5, 3), draw(5, 2), rate), {}
    for rate in (torch.rand(4), torch.rand(4, 4, 1)):
        yield "by_step", (draw(4, 4), draw(4, 4), draw(4, 4), rate), {}
    yield "by_step_and_row", (draw(2, 4, 4), draw(2, 4, 4), draw(2, 4, 4), torch.rand(4)), {}
