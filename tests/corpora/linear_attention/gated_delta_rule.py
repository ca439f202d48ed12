# expect: ASC103 safe scope=recurrent_gated_delta_rule
import torch


def recurrent_gated_delta_rule(query, key, value, g, beta, initial_state):
    batch, heads, length, width = key.shape
    state = initial_state
    out = torch.zeros_like(value)
    for i in range(length):
        q_t, k_t, v_t = query[:, :, i], key[:, :, i], value[:, :, i]
        g_t = g[:, :, i].exp().unsqueeze(-1).unsqueeze(-1)
        beta_t = beta[:, :, i].unsqueeze(-1)
        state = state * g_t
        kv_mem = (state * k_t.unsqueeze(-1)).sum(dim=-2)
        delta = (v_t - kv_mem) * beta_t
        state = state + k_t.unsqueeze(-1) * delta.unsqueeze(-2)
        out[:, :, i] = (state * q_t.unsqueeze(-1)).sum(dim=-2)
    return out, state


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 5), (1, 70)):
        k = torch.nn.functional.normalize(draw(b, 2, l, 4).detach(), dim=-1).requires_grad_()
        g = (-torch.rand(b, 2, l)).requires_grad_()
        beta = torch.rand(b, 2, l).requires_grad_()
        args = (draw(b, 2, l, 4), k, draw(b, 2, l, 3), g, beta, draw(b, 2, 4, 3))
        yield "recurrent_gated_delta_rule", args, {}
