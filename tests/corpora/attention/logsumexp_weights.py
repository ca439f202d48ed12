# expect: ASC109 safe scope=soft_lookup
import torch


def soft_lookup(queries, keys, table):
    energy = queries @ keys.transpose(0, 1)
    log_w = energy - torch.logsumexp(energy, dim=1, keepdim=True)
    return log_w.exp() @ table


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    yield "soft_lookup", (draw(9, 4), draw(14, 4), draw(14, 6)), {}
