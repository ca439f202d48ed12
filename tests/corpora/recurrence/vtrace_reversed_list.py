# expect: ASC101 safe scope=vtrace
import torch


def vtrace(log_rhos, discounts, rewards, values, bootstrap_value):
    rhos = torch.exp(log_rhos)
    clipped = torch.clamp(rhos, max=1.0)
    cs = torch.clamp(rhos, max=1.0)
    values_t_plus_1 = torch.cat([values[1:], torch.unsqueeze(bootstrap_value, 0)], dim=0)
    deltas = clipped * (rewards + discounts * values_t_plus_1 - values)
    acc = torch.zeros_like(bootstrap_value)
    result = []
    for t in range(discounts.shape[0] - 1, -1, -1):
        acc = deltas[t] + discounts[t] * cs[t] * acc
        result.append(acc)
    result.reverse()
    vs_minus_v_xs = torch.stack(result)
    return vs_minus_v_xs + values


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 7):
        yield (
            "vtrace",
            (draw(rng, n, 3), draw(rng, n, 3), draw(rng, n, 3), draw(rng, n, 3), draw(rng, 3)),
            {},
        )
