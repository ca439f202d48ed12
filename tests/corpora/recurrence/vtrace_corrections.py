# expect: ASC101 safe scope=vtrace_targets
import torch


def vtrace_targets(log_rhos, discounts, rewards, values, bootstrap):
    """Off-policy corrected value targets; everything is (time, batch) but bootstrap (batch,)."""
    rhos = torch.exp(log_rhos)
    clipped = torch.clamp(rhos, max=1.0)
    shifted = torch.cat([values[1:], bootstrap.unsqueeze(0)], dim=0)
    deltas = clipped * (rewards + discounts * shifted - values)

    acc = torch.zeros_like(bootstrap)
    result = []
    for t in range(discounts.shape[0] - 1, -1, -1):
        acc = deltas[t] + discounts[t] * clipped[t] * acc
        result.append(acc)
    result.reverse()
    return torch.stack(result) + values


def cases(rng):
    for T, B in ((1, 1), (2, 2), (41, 3)):
        draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
        log_rhos, rewards, values = draw(T, B), draw(T, B), draw(T, B)
        discounts = torch.full((T, B), 0.97)
        args = (log_rhos, discounts, rewards, values.requires_grad_(), draw(B))
        yield "vtrace_targets", args, {}
