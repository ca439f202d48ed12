# expect: ASC103 safe scope=step_through
import torch


def step_through(q, k, v, decay, state):
    outs = []
    for q_t, k_t, v_t, a_t in zip(q.unbind(1), k.unbind(1), v.unbind(1), decay.unbind(1)):
        state = a_t[:, :, None, None] * state + k_t[:, :, :, None] * v_t[:, :, None, :]
        outs.append(torch.matmul(q_t.unsqueeze(2), state).squeeze(2))
    return torch.stack(outs, dim=1), state


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 65)):
        a = torch.tensor(rng.random((b, l, 3))).float().requires_grad_()
        q, k, v = draw(b, l, 3, 4), draw(b, l, 3, 4), draw(b, l, 3, 5)
        yield "step_through", (q, k, v, a, draw(b, 3, 4, 5)), {}
